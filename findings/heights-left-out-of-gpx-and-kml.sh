#!/bin/sh
# ogr2ogr of GDAL 3.6.2 (Debian package gdal-bin) converts GeoJSON to GPX: the heights of routes become ele, those of
# points are left out; a property "ele" would be written. It reads no ele as a height, also of routes, unless
# GPX_ELE_AS_25D=YES is set. @placemarkio/tokml 0.3.9 (npm) leaves all heights out of KML, which tokml 0.4.0 writes.
# From GPX with a point of unknown height, gpxparser 3.0.8 and @we-gold/gpxjs 1.2.0 make GeoJSON with null as the
# third coordinate. GDAL then drops the whole place of that station. @tmcw/togeojson 7.1.3 writes two coordinates.
# Nothing gives a message. So look for heights in what was written, and for nulls in such GeoJSON.
set -eu

VERSION='3.6.2+dfsg-1+b2'
installed() { dpkg-query --show --showformat='${Version}' gdal-bin 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] ||
  apt-get install --yes --no-install-recommends "gdal-bin=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @placemarkio/tokml@0.3.9 tokml@0.4.0 \
  gpxparser@3.0.8 @we-gold/gpxjs@1.2.0 @tmcw/togeojson@7.1.3 @xmldom/xmldom@0.9.8 >&2

# GeoJSON with one feature: its properties and geometry.
feature() {
  echo "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"properties\": $1, \"geometry\": $2}]}"
}
POINT='{"type": "Point", "coordinates": [133.88, -23.67, 603.236]}'
LINE='{"type": "LineString", "coordinates": [[147, -42, 41.1], [149, -35, 665.4]]}'
feature '{"name": "HIGH"}' "$POINT" > point.geojson
feature '{"name": "HIGH", "ele": 603.236}' "$POINT" > ele.geojson
feature '{"name": "LINE"}' "$LINE" > line.geojson
cat > sites.gpx <<'XML'
<gpx version="1.1" creator="hand" xmlns="http://www.topografix.com/GPX/1/1">
<wpt lat="-23.67" lon="133.88"><ele>603.236</ele><name>HIGH</name></wpt>
<wpt lat="-42" lon="147"><name>NONE</name></wpt>
</gpx>
XML
cat > convert.js <<'JS'
import { readFileSync, writeFileSync } from 'node:fs';
import { toKML } from '@placemarkio/tokml';
import { gpx } from '@tmcw/togeojson';
import { parseGPX } from '@we-gold/gpxjs';
import { DOMParser } from '@xmldom/xmldom';
import gpxParser from 'gpxparser';
import tokml from 'tokml';

for (const [name, write] of Object.entries({ '@placemarkio/tokml': toKML, tokml })) {
  const places = ['point', 'line'].map((file) => {
    const [, place] = /<coordinates>([^<]*)/.exec(write(JSON.parse(readFileSync(`${file}.geojson`, 'utf8'))));
    return place.trim().replace(/\s+/g, ' ');
  });
  console.log(`${name}: ${places.join('; ')}`);
}

globalThis.DOMParser = DOMParser;
const text = readFileSync('sites.gpx', 'utf8');
const readers = {
  gpxparser: () => {
    const parser = new gpxParser();
    parser.parse(text);
    return parser.toGeoJSON();
  },
  '@we-gold/gpxjs': () => parseGPX(text)[0].toGeoJSON(),
  '@tmcw/togeojson': () => gpx(new DOMParser().parseFromString(text, 'text/xml')),
};
for (const [name, read] of Object.entries(readers)) {
  const { features } = read();
  console.log(`${name}: ${JSON.stringify(features.map(({ geometry }) => geometry.coordinates))}`);
  writeFileSync(`${name.replace(/.*\//, '')}.geojson`, JSON.stringify({ type: 'FeatureCollection', features }));
}
JS
# The places of a layer as GDAL reads them.
places() { ogrinfo -ro -al "$@" | grep -oE '(POINT|LINESTRING)( Z)? \(.*' | paste -s -d ';'; }
{
  for name in point ele line; do
    ogr2ogr -f GPX "$name.gpx" "$name.geojson"
    echo "GDAL writes $name: $(grep -oE '(<(wpt|rtept)|<ele>.*)' "$name.gpx" | paste -s -d ' ')"
  done
  echo "GDAL reads line: $(places line.gpx routes)"
  echo "GDAL reads line, GPX_ELE_AS_25D=YES: $(places line.gpx routes --config GPX_ELE_AS_25D YES)"
  echo "GDAL reads sites: $(places sites.gpx waypoints)"
  node convert.js
  for name in gpxparser gpxjs togeojson; do echo "GDAL reads $name: $(places "$name.geojson")"; done
} > seen

cat > expected <<'SEEN'
GDAL writes point: <wpt
GDAL writes ele: <wpt <ele>603.236</ele>
GDAL writes line: <rtept <ele>41.1</ele> <rtept <ele>665.4</ele>
GDAL reads line: LINESTRING (147 -42,149 -35)
GDAL reads line, GPX_ELE_AS_25D=YES: LINESTRING Z (147 -42 41.1,149 -35 665.4)
GDAL reads sites: POINT (133.88 -23.67);POINT (147 -42)
@placemarkio/tokml: 133.88,-23.67; 147,-42 149,-35
tokml: 133.88,-23.67,603.236; 147,-42,41.1 149,-35,665.4
gpxparser: [[133.88,-23.67,603.236],[147,-42,null]]
@we-gold/gpxjs: [[133.88,-23.67,603.236],[147,-42,null]]
@tmcw/togeojson: [[133.88,-23.67,603.236],[147,-42]]
GDAL reads gpxparser: POINT Z (133.88 -23.67 603.236)
GDAL reads gpxjs: POINT Z (133.88 -23.67 603.236)
GDAL reads togeojson: POINT Z (133.88 -23.67 603.236);POINT (147 -42)
SEEN
diff expected seen && cat seen
