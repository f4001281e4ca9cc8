#!/bin/sh
# In GeoJSON, a station of unknown height is a point of two numbers, beside others of three. geobuf 4.0.0
# and GDAL 3.6.2 (Debian package gdal-bin) give it the height 0 in Geobuf, GML, shapefiles, CSV and, by the
# driver LIBKML, in KML; GDAL's driver KML and GeoPackage leave it unknown. MapInfo files and, with a
# quantization, topojson-server 3.0.1 drop all heights. flatgeobuf 4.5.0 reads its own files rightly, but
# declares them as flat, so that GDAL reads none of their heights; GDAL itself writes no such FlatGeobuf,
# but stops with an error at the station without a height. Nothing else gives a message or an error.
set -eu

VERSION='3.6.2+dfsg-1+b2'
installed() { dpkg-query --show --showformat='${Version}' gdal-bin 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] ||
  apt-get install --yes --no-install-recommends "gdal-bin=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts \
  geobuf@4.0.0 pbf@5.1.2 flatgeobuf@4.5.0 topojson-server@3.0.1 topojson-client@3.1.0 >&2

cat > write.js <<'JS'
import { writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'flatgeobuf/lib/mjs/geojson.js';
import { decode, encode } from 'geobuf';
import { PbfReader, PbfWriter } from 'pbf';
import { feature } from 'topojson-client';
import { topology } from 'topojson-server';

const station = (coordinates) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates },
  properties: {},
});
const stations = {
  type: 'FeatureCollection',
  features: [station([133.8855, -23.6701, 603.236]), station([147.4387, -42.8047])],
};
writeFileSync('stations.geojson', JSON.stringify(stations));
const show = (name, { features }) =>
  console.log(`${name}: ${features.map(({ geometry }) => geometry.coordinates.join(' ')).join(', ')}`);

show('geobuf', decode(new PbfReader(encode(stations, new PbfWriter()))));
for (const quantization of [undefined, 1e6]) {
  const written = topology({ stations }, quantization);
  show(`topojson, quantization ${quantization ?? 'none'}`, feature(written, written.objects.stations));
}
const bytes = serialize(stations);
writeFileSync('stations.fgb', bytes);
const features = [];
for await (const found of deserialize(bytes)) features.push(found);
show('flatgeobuf', { features });
JS
show() {
  points=$(ogrinfo -ro -al "$2" 2>/dev/null | sed -n 's/^  POINT *\(.*\)/\1/p' | paste -s -d ' ')
  echo "$1: ${points:-none}"
}
write() {
  if ogr2ogr -f "$1" "$2" stations.geojson 2>/dev/null; then show "$1" "$2"; else echo "$1: error"; fi
}
{
  node write.js
  show 'flatgeobuf, read by GDAL' stations.fgb
  write FlatGeobuf again.fgb
  write GML stations.gml
  write 'ESRI Shapefile' stations.shp
  write LIBKML stations.kml
  write KML other.kml
  write GPKG stations.gpkg
  write 'MapInfo File' stations.tab
  echo "CSV: $(ogr2ogr -f CSV -lco GEOMETRY=AS_XYZ /vsistdout/ stations.geojson | paste -s -d ' ')"
} > seen

cat > expected <<'SEEN'
geobuf: 133.8855 -23.6701 603.236, 147.4387 -42.8047 0
topojson, quantization none: 133.8855 -23.6701 603.236, 147.4387 -42.8047
topojson, quantization 1000000: 133.8855 -23.6701, 147.4387 -42.8047
flatgeobuf: 133.8855 -23.6701 603.236, 147.4387 -42.8047
flatgeobuf, read by GDAL: (133.8855 -23.6701) (147.4387 -42.8047)
FlatGeobuf: error
GML: Z (133.8855 -23.6701 603.236) Z (147.4387 -42.8047 0)
ESRI Shapefile: Z (133.8855 -23.6701 603.236) Z (147.4387 -42.8047 0)
LIBKML: Z (133.8855 -23.6701 603.236) Z (147.4387 -42.8047 0)
KML: Z (133.8855 -23.6701 603.236) (147.4387 -42.8047)
GPKG: Z (133.8855 -23.6701 603.236) (147.4387 -42.8047)
MapInfo File: (133.8855 -23.6701) (147.4387 -42.8047)
CSV: X,Y,Z 133.8855,-23.6701,603.236 147.4387,-42.8047,0
SEEN
diff expected seen && cat seen
