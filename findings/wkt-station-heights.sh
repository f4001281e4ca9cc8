#!/bin/sh
# The place of a station as WKT and TWKB, between npm packages. wellknown 0.5.0 writes a height without
# the word Z; wkx 0.5.0 refuses that. wicket 1.3.8 reads it without the height, refuses it with the Z
# that wkx and @terraformer/wkt 2.2.2 write, and writes none itself. It reads 4e-7, also its own, as 4:
# a station 3 cm east of Greenwich is then 4 degrees east. TWKB that wkx writes has whole metres of
# height and five decimals of degrees, one metre. What wkx and @terraformer/wkt write as WKT is read
# wholly by all but wicket.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts \
  wkx@0.5.0 wicket@1.3.8 wellknown@0.5.0 @terraformer/wkt@2.2.2 >&2

cat > read.js <<'JS'
import { geojsonToWKT, wktToGeoJSON } from '@terraformer/wkt';
import wellknown from 'wellknown';
import wicket from 'wicket';
import wkx from 'wkx';

const { Wkt } = wicket;
const { Geometry } = wkx;
const programs = {
  wellknown: [(place) => wellknown.stringify(place), (text) => wellknown.parse(text)],
  '@terraformer/wkt': [geojsonToWKT, wktToGeoJSON],
  wkx: [(place) => Geometry.parseGeoJSON(place).toWkt(), (text) => Geometry.parse(text).toGeoJSON()],
  wicket: [(place) => new Wkt().fromJson(place).write(), (text) => new Wkt().read(text).toJson()],
};
const show = (action) => {
  try {
    const { coordinates } = action();
    return coordinates.join(' ');
  } catch {
    return 'error';
  }
};
for (const coordinates of [[133.8855213, -23.6701103, 603.236], [4e-7, 51.48, 66.1]]) {
  const place = { type: 'Point', coordinates };
  for (const [writer, [write]] of Object.entries(programs)) {
    const text = write(place);
    const found = Object.entries(programs).map(([reader, [, read]]) => `${reader} ${show(() => read(text))}`);
    console.log(`${writer}, ${text}\n  ${found.join(', ')}`);
  }
  const twkb = Geometry.parseGeoJSON(place).toTwkb();
  console.log(`wkx, TWKB\n  wkx ${Geometry.parseTwkb(twkb).toGeoJSON().coordinates.join(' ')}`);
}
JS
node read.js | grep -v '^Invalid WKT' > seen

cat > expected <<'SEEN'
wellknown, POINT (133.8855213 -23.6701103 603.236)
  wellknown 133.8855213 -23.6701103 603.236, @terraformer/wkt 133.8855213 -23.6701103 603.236, wkx error, wicket 133.8855213 -23.6701103
@terraformer/wkt, POINT Z (133.8855213 -23.6701103 603.236)
  wellknown 133.8855213 -23.6701103 603.236, @terraformer/wkt 133.8855213 -23.6701103 603.236, wkx 133.8855213 -23.6701103 603.236, wicket error
wkx, POINT Z (133.8855213 -23.6701103 603.236)
  wellknown 133.8855213 -23.6701103 603.236, @terraformer/wkt 133.8855213 -23.6701103 603.236, wkx 133.8855213 -23.6701103 603.236, wicket error
wicket, POINT(133.8855213 -23.6701103)
  wellknown 133.8855213 -23.6701103, @terraformer/wkt 133.8855213 -23.6701103, wkx 133.8855213 -23.6701103, wicket 133.8855213 -23.6701103
wkx, TWKB
  wkx 133.88552 -23.67011 603
wellknown, POINT (4e-7 51.48 66.1)
  wellknown 4e-7 51.48 66.1, @terraformer/wkt 4e-7 51.48 66.1, wkx error, wicket 4 51.48
@terraformer/wkt, POINT Z (4e-7 51.48 66.1)
  wellknown 4e-7 51.48 66.1, @terraformer/wkt 4e-7 51.48 66.1, wkx 4e-7 51.48 66.1, wicket error
wkx, POINT Z (4e-7 51.48 66.1)
  wellknown 4e-7 51.48 66.1, @terraformer/wkt 4e-7 51.48 66.1, wkx 4e-7 51.48 66.1, wicket error
wicket, POINT(4e-7 51.48)
  wellknown 4e-7 51.48, @terraformer/wkt 4e-7 51.48, wkx 4e-7 51.48, wicket 4 51.48
wkx, TWKB
  wkx 0 51.48 66
SEEN
diff expected seen && cat seen
