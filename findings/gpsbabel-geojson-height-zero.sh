#!/bin/sh
# GPSBabel 1.8.0 (Debian package gpsbabel) reads the points of GeoJSON without their third
# coordinate: every height becomes 0, in GPX as a plain "<ele>0.000</ele>", without a message. A
# feature whose geometry is null is left out, also without a message. The same place as CSV
# (-i unicsv, with columns named latitude, longitude and height) keeps its height.
set -eu

VERSION='1.8.0+ds-5'
installed() { dpkg-query --show --showformat='${Version}' gpsbabel 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] ||
  apt-get install --yes --no-install-recommends "gpsbabel=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat > sites.geojson <<'JSON'
{"type": "FeatureCollection", "features": [
  {"type": "Feature", "properties": {"name": "HIGH"},
   "geometry": {"type": "Point", "coordinates": [133.88, -23.67, 603.3]}},
  {"type": "Feature", "properties": {"name": "NONE"}, "geometry": null}
]}
JSON
printf 'name,latitude,longitude,height\nHIGH,-23.67,133.88,603.3\n' > sites.csv

facts() { grep -oE '<(ele|name)>[^<]*' | sed 's/^<//'; }
{
  echo 'GeoJSON:'
  gpsbabel -i geojson -f sites.geojson -o gpx -F - | facts
  echo 'CSV:'
  gpsbabel -i unicsv -f sites.csv -o gpx -F - | facts
} > seen

cat > expected <<'SEEN'
GeoJSON:
ele>0.000
name>HIGH
CSV:
ele>603.300
name>HIGH
SEEN
diff expected seen && cat seen
