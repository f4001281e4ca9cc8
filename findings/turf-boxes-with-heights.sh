#!/bin/sh
# With WRITE_BBOX=YES, GDAL 3.6.2 (Debian package gdal-bin) writes boxes of six numbers into GeoJSON that
# has heights, as RFC 7946 says. Packages of Turf 7.4.0 take the third, the lowest height, for the eastern
# end: booleanPointInPolygon finds a station outside of the area that surrounds it, @turf/geojson-rbush
# does not find that area, center of two Australian stations is in Russia, and pointGrid is empty, without
# a message. envelope stops with an error. Without the boxes, all are right; pointsWithinPolygon always is.
set -eu

VERSION='3.6.2+dfsg-1+b2'
installed() { dpkg-query --show --showformat='${Version}' gdal-bin 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] ||
  apt-get install --yes --no-install-recommends "gdal-bin=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @turf/turf@7.4.0 \
  @turf/geojson-rbush@7.4.0 >&2

printf '%s\n' 'id;wkt' 'stations;MULTIPOINT Z (147.4 -42.8 41.1, 149 -35.4 665.4)' \
  'area;POLYGON Z ((147 -43 20, 148 -43 30, 148 -42 60, 147 -42 70, 147 -43 20))' > places.csv
for boxes in NO YES; do
  ogr2ogr -f GeoJSON -oo GEOM_POSSIBLE_NAMES=wkt -oo KEEP_GEOM_COLUMNS=NO -lco "WRITE_BBOX=$boxes" \
    "$boxes.json" places.csv
done

cat > ask.js <<'JS'
import { readFileSync } from 'node:fs';
import { geojsonRbush } from '@turf/geojson-rbush';
import * as turf from '@turf/turf';

const show = (name, ask) => {
  try {
    console.log(`  ${name}: ${JSON.stringify(ask())}`);
  } catch (error) {
    console.log(`  ${name}: ${error.message}`);
  }
};
for (const boxes of ['NO', 'YES']) {
  const [stations, area] = JSON.parse(readFileSync(`${boxes}.json`, 'utf8')).features;
  console.log(`WRITE_BBOX=${boxes}: ${JSON.stringify(area.bbox)}`);
  const station = [147.4, -42.8, 41.1];
  show('bbox', () => turf.bbox(area));
  show('booleanPointInPolygon', () => turf.booleanPointInPolygon(station, area));
  show('pointsWithinPolygon', () => turf.pointsWithinPolygon(turf.points([station]), area).features.length);
  show('center', () => turf.center(stations).geometry.coordinates);
  show('pointGrid', () => turf.pointGrid(turf.bbox(area), 50).features.length);
  show('envelope', () => turf.envelope(area).geometry.type);
  show('geojson-rbush', () => geojsonRbush().load([area]).search([147, -43, 148, -42]).features.length);
}
JS
node ask.js > seen

cat > expected <<'SEEN'
WRITE_BBOX=NO: undefined
  bbox: [147,-43,148,-42]
  booleanPointInPolygon: true
  pointsWithinPolygon: 1
  center: [148.2,-39.099999999999994]
  pointGrid: 6
  envelope: "Polygon"
  geojson-rbush: 1
WRITE_BBOX=YES: [147,-43,20,148,-42,70]
  bbox: [147,-43,20,148,-42,70]
  booleanPointInPolygon: false
  pointsWithinPolygon: 1
  center: [94.25,53.1]
  pointGrid: 0
  envelope: @turf/bbox-polygon does not support BBox with 6 positions
  geojson-rbush: 0
SEEN
diff expected seen && cat seen
