#!/bin/sh
# GPSBabel 1.8.0 (Debian package gpsbabel) finds the columns of its format unicsv by parts of their
# names. "elevation cutoff", the angle below which a receiver does not track, contains "ele": a cutoff
# of 5 degrees becomes a height of 5 m, silently. Beside a column "height", the last of the two counts,
# so that the order of the columns decides. "mask angle" is not taken for a height.
# So choose the columns before GPSBabel reads such a table.
set -eu

VERSION='1.8.0+ds-5'
installed() { dpkg-query --show --showformat='${Version}' gpsbabel 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] || apt-get install --yes --no-install-recommends "gpsbabel=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Prints the columns of a table, and the height that GPSBabel reads from it.
height() {
  printf '%s\n%s\n' "$1" "$2" > station.csv
  gpsbabel -i unicsv -f station.csv -o gpx -F station.gpx
  found=$(sed -n 's/.*<ele>\(.*\)<\/ele>.*/\1/p' station.gpx)
  echo "$1: ${found:-no height}"
}
{
  height 'name,lat,lon,elevation cutoff' 'ALIC,-23.67,133.88,5'
  height 'name,lat,lon,height,elevation cutoff' 'ALIC,-23.67,133.88,603.3,5'
  height 'name,lat,lon,elevation cutoff,height' 'ALIC,-23.67,133.88,5,603.3'
  height 'name,lat,lon,mask angle' 'ALIC,-23.67,133.88,5'
} > seen

cat > expected <<'SEEN'
name,lat,lon,elevation cutoff: 5.000
name,lat,lon,height,elevation cutoff: 5.000
name,lat,lon,elevation cutoff,height: 603.300
name,lat,lon,mask angle: no height
SEEN
diff expected seen && cat seen
