#!/bin/sh
# The header of a RINEX 3 file says how to read its observations: SYS / SCALE FACTOR divides them, SYS / PHASE
# SHIFT states by how many cycles a phase was corrected, RCV CLOCK OFFS APPL that clock offsets are applied, and SYS
# / DCBS APPLIED which biases were. convbin of RTKLIB 2.4.3 b34 (Debian package rtklib) copies the observations
# as they are, but leaves out three of these records, and writes a phase shift of -0.25 cycles as 0. Ranges with
# the factor 10 are then ten times too long: 221,010 km instead of 22,101 km. The clock offset of each epoch is
# gone too. Nothing is said, the status is 0. So compare the headers before and after it.
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
  record '     3.04           OBSERVATION DATA    G: GPS' 'RINEX VERSION / TYPE'
  record 'TEST00AUS' 'MARKER NAME'
  record ' -4052052.7000  4212836.0000 -2545104.6000' 'APPROX POSITION XYZ'
  record 'G    3 C1C C2X L2X' 'SYS / # / OBS TYPES'
  record '     1' 'RCV CLOCK OFFS APPL'
  record 'G CC2NONCC          made by hand' 'SYS / DCBS APPLIED'
  record 'G   10   1 C1C' 'SYS / SCALE FACTOR'
  record 'G L2X -0.25000' 'SYS / PHASE SHIFT'
  record '  2020     1     1     0     0    0.0000000     GPS' 'TIME OF FIRST OBS'
  record '' 'END OF HEADER'
  for minute in 00 01; do
    printf '> 2020 01 01 00 %s 00.0000000  0  1       0.000123456789\n' "$minute"
    printf 'G01 221010000.000    22101000.000    90490000.000  \n'
  done
} > test.rnx
convbin -r rinex -v 3.04 -o copy.rnx test.rnx > /dev/null 2>&1
for file in test.rnx copy.rnx; do
  echo "-- $file"
  grep -E '(RCV CLOCK OFFS APPL|DCBS APPLIED|SCALE FACTOR|PHASE SHIFT) *$' "$file" | sed 's/ *$//' || echo 'none'
  sed -n '/END OF HEADER/,$p' "$file" | sed -n '2,3p' | sed 's/ *$//'
done > seen

cat > expected <<'SEEN'
-- test.rnx
     1                                                      RCV CLOCK OFFS APPL
G CC2NONCC          made by hand                            SYS / DCBS APPLIED
G   10   1 C1C                                              SYS / SCALE FACTOR
G L2X -0.25000                                              SYS / PHASE SHIFT
> 2020 01 01 00 00 00.0000000  0  1       0.000123456789
G01 221010000.000    22101000.000    90490000.000
-- copy.rnx
G L2X  0.00000                                              SYS / PHASE SHIFT
> 2020 01 01 00 00 00.0000000  0  1
G01 221010000.000    22101000.000    90490000.0001
SEEN
diff expected seen && cat seen
