#!/bin/sh
# convbin of RTKLIB 2.4.3 b34 (Debian package rtklib) converts RINEX 3 to RINEX 3 without the
# station: marker, receiver and antenna are blank in the copy, position and antenna height are 0,
# and ANTENNA: ZERODIR AZI is gone. It prints no warning and returns 0. The options that give these
# records anew (-hm, -hn, -hr, -ha, -hp, -hd) separate their parts by slashes, so a firmware version
# with a slash is cut there; the alignment has no option.
set -eu

VERSION='2.4.3.b34+dfsg-1+b1'
installed() { dpkg-query --show --showformat='${Version}' rtklib 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] ||
  apt-get install --yes --no-install-recommends "rtklib=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

record() { printf '%-60s%-20s\n' "$1" "$2"; }
{
  record '     3.04           OBSERVATION DATA    M: MIXED' 'RINEX VERSION / TYPE'
  record "$(printf '%-20s%-20s%s' made 'by hand' '20200101 000000 UTC')" 'PGM / RUN BY / DATE'
  record 'TEST00AUS' 'MARKER NAME'
  record '12345M001' 'MARKER NUMBER'
  record 'GEODETIC' 'MARKER TYPE'
  record "$(printf '%-20s%s' '' 'Agency')" 'OBSERVER / AGENCY'
  record "$(printf '%-20s%-20s%s' '1830439' 'LEICA GR25' '8.20/3.019')" 'REC # / TYPE / VERS'
  record "$(printf '%-20s%s' '09370001' 'LEIAR25.R3      NONE')" 'ANT # / TYPE'
  record ' -4052052.7000  4212836.0000 -2545104.6000' 'APPROX POSITION XYZ'
  record '        0.1234        0.0333       -0.0222' 'ANTENNA: DELTA H/E/N'
  record '      152.0000' 'ANTENNA: ZERODIR AZI'
  record 'G    2 C1C L1C' 'SYS / # / OBS TYPES'
  record '  2020     1     1     0     0    0.0000000     GPS' 'TIME OF FIRST OBS'
  record '' 'END OF HEADER'
  for minute in 00 01 02; do
    printf '> 2020 01 01 00 %s 00.0000000  0  4\n' "$minute"
    for satellite in 01 02 03 04; do
      printf 'G%s  2210%s000.000    1161%s000.000  \n' "$satellite" "$satellite" "$satellite"
    done
  done
} > test.rnx

# The content of a record; "no record" if there is none.
content() {
  grep "$2 *$" "$1" | cut -c1-60 | sed 's/ *$//' | grep '' || echo 'no record'
}
show() {
  for label in 'MARKER NAME' 'REC # / TYPE / VERS' 'ANT # / TYPE' 'ANTENNA: DELTA H/E/N' \
    'ANTENNA: ZERODIR AZI'; do
    echo "$label: $(content "$1" "$label")"
  done
}
convbin -r rinex -v 3.04 -o copy.rnx test.rnx > /dev/null 2>&1
convbin -r rinex -v 3.04 -hm TEST00AUS -hr '1830439/LEICA GR25/8.20/3.019' \
  -ha '09370001/LEIAR25.R3      NONE' -hd '0.1234/0.0333/-0.0222' -o given.rnx test.rnx \
  > /dev/null 2>&1
{
  echo '-- copied'
  show copy.rnx
  echo '-- with options'
  show given.rnx
} > seen

cat > expected <<'SEEN'
-- copied
MARKER NAME: 
REC # / TYPE / VERS: 
ANT # / TYPE: 
ANTENNA: DELTA H/E/N:         0.0000        0.0000        0.0000
ANTENNA: ZERODIR AZI: no record
-- with options
MARKER NAME: TEST00AUS
REC # / TYPE / VERS: 1830439             LEICA GR25          8.20
ANT # / TYPE: 09370001            LEIAR25.R3      NONE
ANTENNA: DELTA H/E/N:         0.1234        0.0333       -0.0222
ANTENNA: ZERODIR AZI: no record
SEEN
diff expected seen && cat seen
