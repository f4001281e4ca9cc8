#!/bin/sh
# @mapbox/shp-write 0.4.3 writes all decimals of a number into a shapefile, but declares three. GDAL
# 3.6.2 (Debian package gdal-bin) reads an antenna height of 0.0083 m from it, keeps it in GeoJSON, and
# rounds it to 0.008 where the format knows the declared width: in CSV, in another shapefile and in
# what ogrinfo prints, without a message. shp-write also cuts names of fields to ten characters
# without making them unique: both antennaCableType and antennaCableLength become "antennaCab".
# So write heights as text, under short names, or convert such a shapefile to GeoJSON first.
set -eu

VERSION='3.6.2+dfsg-1+b2'
installed() { dpkg-query --show --showformat='${Version}' gdal-bin 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] ||
  apt-get install --yes --no-install-recommends "gdal-bin=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "commonjs" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @mapbox/shp-write@0.4.3 >&2

cat > write.js <<'JS'
const { writeFileSync } = require('node:fs');
const shpwrite = require('@mapbox/shp-write');

const feature = (properties) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [133.88, -23.67] },
  properties,
});
const features = [
  feature({ up: 0.0083, antennaCableType: 'RG213', antennaCableLength: '30' }),
  feature({ up: 0.04625, antennaCableType: 'LMR400', antennaCableLength: '50' }),
];
const options = { outputType: 'nodebuffer', compression: 'STORE' };
shpwrite
  .zip({ type: 'FeatureCollection', features }, options)
  .then((zip) => writeFileSync('stations.zip', zip));
JS
node write.js
shapefile=/vsizip/stations.zip/POINT.shp

{
  echo 'GeoJSON:'
  ogr2ogr -f GeoJSON -select up /vsistdout/ "$shapefile" | grep -o '"up": [0-9.]*'
  echo 'CSV:'
  ogr2ogr -f CSV -select up /vsistdout/ "$shapefile" | tr -d ','
  echo 'another shapefile:'
  ogr2ogr -f 'ESRI Shapefile' -select up again.shp "$shapefile"
  ogr2ogr -f GeoJSON /vsistdout/ again.shp | grep -o '"up": [0-9.]*'
  echo 'fields:'
  ogrinfo -ro -so -al "$shapefile" | grep -E '^(up|antenna)'
} > seen

cat > expected <<'SEEN'
GeoJSON:
"up": 0.0083
"up": 0.04625
CSV:
up
0.008
0.046
another shapefile:
"up": 0.008
"up": 0.046
fields:
up: Real (18.3)
antennaCab: String (254.0)
antennaCab: String (254.0)
SEEN
diff expected seen && cat seen
