#!/bin/sh
# rnx2rtkp of RTKLIB 2.4.3 b34 (Debian package rtklib) looks for the antenna of a RINEX header in an
# ANTEX file by parts of names. A part may stand anywhere: "LEIAR25 NONE" gets the phase centre of
# LEIAR25.R4 if that stands before its own entry. Without an entry for the radome, the first whose
# name begins alike is taken, whatever its radome: TZGD gets SCIT, not NONE. Both are silent, with
# status 0; only the header of the solution states which antenna was used. For an antenna that is
# found nowhere, it is blank. So compare that header with the station's equipment.
set -eu

VERSION='2.4.3.b34+dfsg-1+b1'
installed() { dpkg-query --show --showformat='${Version}' rtklib 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] ||
  apt-get install --yes --no-install-recommends "rtklib=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

record() { printf '%-60s%-20s\n' "$1" "$2"; }
observations() {
  record '     3.04           OBSERVATION DATA    G: GPS' 'RINEX VERSION / TYPE'
  record "$(printf '%-20s%s' '09370001' "$1")" 'ANT # / TYPE'
  record ' -4052052.7000  4212836.0000 -2545104.6000' 'APPROX POSITION XYZ'
  record '        0.0015        0.0000        0.0000' 'ANTENNA: DELTA H/E/N'
  record 'G    2 C1C L1C' 'SYS / # / OBS TYPES'
  record '  2020     1     1     0     0    0.0000000     GPS' 'TIME OF FIRST OBS'
  record '' 'END OF HEADER'
  for second in 00 30; do
    printf '> 2020 01 01 00 00 %s.0000000  0  1\n' "$second"
    printf 'G01  22101000.000    116101000.000  \n'
  done
}
# An entry of the ANTEX file: type with radome in columns 17 to 20, height of its phase centre in mm.
antenna() {
  record '' 'START OF ANTENNA'
  record "$1" 'TYPE / SERIAL NO'
  record '     0.0' 'DAZI'
  record '     0.0  90.0  45.0' 'ZEN1 / ZEN2 / DZEN'
  record '     1' '# OF FREQUENCIES'
  record '   G01' 'START OF FREQUENCY'
  record "$(printf '%10.2f%10.2f%10.2f' 0 0 "$2")" 'NORTH / EAST / UP'
  printf '   NOAZI    0.00    0.00    0.00\n'
  record '   G01' 'END OF FREQUENCY'
  record '' 'END OF ANTENNA'
}
{
  record '     1.4            M' 'ANTEX VERSION / SYST'
  record 'A' 'PCV TYPE / REFANT'
  record '' 'END OF HEADER'
  antenna 'LEIAR25.R4      LEIT' 161
  antenna 'LEIAR25.R4      NONE' 158
  antenna 'LEIAR25         NONE' 160
  antenna 'TRM59800.00     SCIT' 91
  antenna 'TRM59800.00     NONE' 89
} > test.atx
{
  record '     3.04           N: GNSS NAV DATA    G: GPS' 'RINEX VERSION / TYPE'
  record '' 'END OF HEADER'
  printf 'G01 2020 01 01 00 00 00%s%s%s\n' ' 0.000000000000e+00' ' 0.000000000000e+00' ' 0.000000000000e+00'
  for values in '1 0 0 1' '0 0.01 0 5153.7' '259200 0 1 0' '0.97 250 1 0' '0 1 2086 0' '2 0 0 1'; do
    printf '    '
    printf '%19.12e' $values
    printf '\n'
  done
  printf '    %19.12e%19.12e\n' 259200 4
} > test.nav
cat > test.conf <<'CONF'
pos1-posmode =static
file-rcvantfile =test.atx
ant1-anttype =*
ant2-postype =rinexhead
out-outopt =on
CONF

# Prints the antenna of the RINEX header, and the one that rnx2rtkp used.
used() {
  observations "$1" > rover.rnx
  observations 'TRM59800.00     NONE' > base.rnx
  rnx2rtkp -k test.conf -o test.pos rover.rnx base.rnx test.nav > messages 2>&1
  found=$(sed -n 's/^% antenna1  : \([^ ].\{19\}\).*/\1/p' test.pos)
  echo "$1: ${found:-none}"
  grep -iE 'antenna|pcv|radome' messages || true
}
{
  used 'LEIAR25.R4      NONE'
  used 'LEIAR25         NONE'
  used 'TRM598          NONE'
  used 'LEIAR25.R4      SCIT'
  used 'TRM59800.00     TZGD'
  used 'ASH701945E_M    NONE'
} > seen

cat > expected <<'SEEN'
LEIAR25.R4      NONE: LEIAR25.R4      NONE
LEIAR25         NONE: LEIAR25.R4      NONE
TRM598          NONE: TRM59800.00     NONE
LEIAR25.R4      SCIT: LEIAR25.R4      LEIT
TRM59800.00     TZGD: TRM59800.00     SCIT
ASH701945E_M    NONE: none
SEEN
diff expected seen && cat seen
