#!/bin/sh
# rnx2rtkp of RTKLIB 2.4.3 b34 (Debian package rtklib) can take the position of the base from a file of stations,
# by the marker name of the base's RINEX header (ant2-postype=posfile). It takes the first line whose name the
# marker name begins with: the base P10 gets the position of P1, if that stands before its own line or has no
# line, and ALIC00AUS that of ALIC. A longer name in the file is not found: HOB2 in the header is not HOB200AUS
# in the file. Then there is no solution, and a message; of the wrong position, nothing is said. In both
# cases, the status is 0. So put longer names first in the file, and compare "ref pos" in the solution.
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
  record "$1" 'MARKER NAME'
  record 'G    2 C1C L1C' 'SYS / # / OBS TYPES'
  record '  2020     1     1     0     0    0.0000000     GPS' 'TIME OF FIRST OBS'
  record '' 'END OF HEADER'
  for time in '00 00' '00 30' '01 00'; do
    printf '> 2020 01 01 00 %s.0000000  0  1\nG01  22101000.000    116101000.000  \n' "$time"
  done
}
{
  record '     3.04           N: GNSS NAV DATA    G: GPS' 'RINEX VERSION / TYPE'
  record '' 'END OF HEADER'
  printf 'G01 2020 01 01 00 00 00'
  printf '%19.12e' 0 0 0
  printf '\n'
  for values in '1 0 0 1' '0 0.01 0 5153.7' '259200 0 1 0' '0.97 250 1 0' '0 1 2086 0' '2 0 0 1' \
    '259200 4 0 0'; do
    printf '    '
    printf '%19.12e' $values
    printf '\n'
  done
} > test.nav
printf '%s\n' 'pos1-posmode =static' 'ant2-postype =posfile' 'file-staposfile =stations.pos' \
  'out-outopt =on' > test.conf
printf '%s\n' '-23.1 133.1 601.0 P1' '-23.2 133.2 602.0 P10' '-23.3 133.3 603.0 ALIC' \
  '-42.8 147.4 41.0 HOB200AUS' > stations.pos

observations ROVER > rover.rnx
for marker in P1 P10 P11 ALIC00AUS ALIC00NZL HOB200AUS HOB2; do
  observations "$marker" > base.rnx
  rm -f test.pos
  rnx2rtkp -k test.conf -o test.pos rover.rnx base.rnx test.nav > messages 2>&1
  if [ -e test.pos ]; then
    echo "$marker: $(sed -n 's/^% ref pos  *: *//p' test.pos | tr -d '\r')"
  else
    echo "$marker: $(grep -o 'no station position' messages)"
  fi
done > seen

cat > expected <<'SEEN'
P1: -23.100000000  133.100000000   601.0000
P10: -23.100000000  133.100000000   601.0000
P11: -23.100000000  133.100000000   601.0000
ALIC00AUS: -23.300000000  133.300000000   603.0000
ALIC00NZL: -23.300000000  133.300000000   603.0000
HOB200AUS: -42.800000000  147.400000000    41.0000
HOB2: no station position
SEEN
diff expected seen && cat seen
