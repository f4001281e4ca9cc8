#!/bin/sh
# A station just south of the equator has a latitude such as -0° 0' 12.4". Where degrees, minutes and
# seconds are combined as numbers, the sign of -0 is lost, and the station moves to the north. Of seven
# npm packages that read this text, geo-coordinates-parser 1.7.4, coordinate-parser 1.0.7,
# dms-conversion 3.1.4, @mapbox/sexagesimal 1.2.0 and sexagesimal 0.5.0 return +0.0034; parse-dms
# 0.0.5 and geodesy 2.4.0 return -0.0034. dms-conversion and sexagesimal add the minutes to any
# negative degrees, so that -1° 30' becomes -0.5. With "S" instead of the sign, they are right.
# When writing, formatcoords 1.1.3 rounds seconds after it has split them, so that 23.99999999 becomes
# 23° 59' 60.0".
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts \
  geo-coordinates-parser@1.7.4 coordinate-parser@1.0.7 dms-conversion@3.1.4 \
  @mapbox/sexagesimal@1.2.0 sexagesimal@0.5.0 parse-dms@0.0.5 geodesy@2.4.0 \
  formatcoords@1.1.3 >&2

cat > read.js <<'JS'
import { createRequire } from 'node:module';
import { parseDms } from 'dms-conversion';
import Dms from 'geodesy/dms.js';
const require = createRequire(import.meta.url);
const { convert } = require('geo-coordinates-parser');
const Coordinates = require('coordinate-parser');
const mapbox = require('@mapbox/sexagesimal');
const sexagesimal = require('sexagesimal');
const parse = require('parse-dms');
const formatcoords = require('formatcoords');

// Some read only pairs. A pair has letters in both parts, or in none.
const pairOf = (latitude) => `${latitude}, 6° 43' 59.99"${latitude.endsWith('S') ? ' E' : ''}`;
const readers = {
  'geo-coordinates-parser': (latitude) => convert(pairOf(latitude)).decimalLatitude,
  'coordinate-parser': (latitude) => new Coordinates(pairOf(latitude)).getLatitude(),
  'dms-conversion': (latitude) => parseDms(latitude),
  '@mapbox/sexagesimal': (latitude) => mapbox(latitude),
  sexagesimal: (latitude) => sexagesimal(latitude),
  'parse-dms': (latitude) => parse(pairOf(latitude)).lat,
  geodesy: (latitude) => Dms.parse(latitude),
};
const TEXTS = [`-0° 0' 12.4"`, `-1° 30' 0"`, `1° 30' 0" S`];
for (const [name, read] of Object.entries(readers))
  console.log(`${name}: ${TEXTS.map((text) => read(text).toFixed(4)).join(' ')}`);
console.log(`formatcoords: ${formatcoords(23.99999999, 1).format('D M s', { decimalPlaces: 1 })}`);
JS
node read.js > seen

cat > expected <<'SEEN'
geo-coordinates-parser: 0.0034 -1.5000 -1.5000
coordinate-parser: 0.0034 -1.5000 -1.5000
dms-conversion: 0.0034 -0.5000 -1.5000
@mapbox/sexagesimal: 0.0034 -1.5000 -1.5000
sexagesimal: 0.0034 -0.5000 -1.5000
parse-dms: -0.0034 -1.5000 -1.5000
geodesy: -0.0034 -1.5000 -1.5000
formatcoords: 23 59 60.0 1 0 0.0
SEEN
diff expected seen && cat seen
