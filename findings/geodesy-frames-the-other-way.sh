#!/bin/sh
# Between reference frames, geodesy 2.4.0 (npm) moves stations in Australia the other way: from ITRF2014
# of 2020 to GDA94, 1.9 m to the north-east. PROJ 9.1.1 (Debian package proj-bin) moves them 1.7 m to the
# south-west, back by the drift of the plate since 1994. From ITRF2008 and ITRF2000 it is the same; from
# ITRF2005, geodesy agrees with PROJ. To NAD83 it is 1.8 m off; ITRF2014 to ETRF2000 is right. There is
# no message, and the way back undoes the error. A pair without parameters ends in a TypeError.
set -eu

VERSION='9.1.1-1+b1'
installed() { dpkg-query --show --showformat='${Version}' proj-bin 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] || apt-get install --yes --no-install-recommends "proj-bin=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts geodesy@2.4.0 >&2

cat > convert.js <<'JS'
import { execFileSync } from 'node:child_process';
import LatLon, { Cartesian } from 'geodesy/latlon-ellipsoidal-referenceframe.js';

const EPOCH = 2020;
const CODES = {
  ITRF2000: 4919,
  ITRF2005: 4896,
  ITRF2008: 5332,
  ITRF2014: 7789,
  ETRF2000: 7930,
  GDA94: 4938,
  NAD83: 6781,
};
const byGeodesy = (place, from, to) => {
  const [source, target] = [from, to].map((name) => LatLon.referenceFrames[name]);
  const { x, y, z } = new LatLon(...place, source, EPOCH).toCartesian().convertReferenceFrame(target);
  return [x, y, z];
};
const byProj = (xyz, from, to) => {
  const options = ['-f', '%.5f', `EPSG:${CODES[from]}`, `EPSG:${CODES[to]}`];
  const text = execFileSync('cs2cs', options, { input: [...xyz, EPOCH].join(' ') });
  return String(text).trim().split(/\s+/).slice(0, 3).map(Number);
};
// How far a place moves to the east and to the north, in metres.
const eastNorth = ([latitude, longitude], before, after) => {
  const [phi, lambda] = [latitude, longitude].map((degrees) => (degrees * Math.PI) / 180);
  const [x, y, z] = after.map((value, index) => value - before[index]);
  const outwards = Math.cos(lambda) * x + Math.sin(lambda) * y;
  return [-Math.sin(lambda) * x + Math.cos(lambda) * y, -Math.sin(phi) * outwards + Math.cos(phi) * z];
};
const distance = (one, other) =>
  Math.hypot(...one.map((value, index) => value - other[index])).toFixed(2);
const show = ([east, north]) => `east ${east.toFixed(2)}, north ${north.toFixed(2)}`;
const conversions = [
  ['ITRF2014', 'GDA94', [-23.67, 133.89, 600]],
  ['ITRF2008', 'GDA94', [-23.67, 133.89, 600]],
  ['ITRF2005', 'GDA94', [-23.67, 133.89, 600]],
  ['ITRF2000', 'GDA94', [-23.67, 133.89, 600]],
  ['ITRF2014', 'NAD83', [40, -105, 1500]],
  ['ITRF2014', 'ETRF2000', [50, 8, 200]],
];
for (const [from, to, place] of conversions) {
  const before = new LatLon(...place, LatLon.referenceFrames[from], EPOCH).toCartesian();
  const xyz = [before.x, before.y, before.z];
  const [geodesy, proj] = [byGeodesy(place, from, to), byProj(xyz, from, to)];
  console.log(`${from} to ${to}: ${distance(geodesy, proj)} m apart`);
  console.log(`  geodesy: ${show(eastNorth(place, xyz, geodesy))}`);
  console.log(`  PROJ: ${show(eastNorth(place, xyz, proj))}`);
}
const place = new Cartesian(-4052052.7, 4212836, -2545104.6, LatLon.referenceFrames.ITRF2014, EPOCH);
const back = place
  .convertReferenceFrame(LatLon.referenceFrames.GDA94)
  .convertReferenceFrame(LatLon.referenceFrames.ITRF2014);
const ways = [place, back].map(({ x, y, z }) => [x, y, z]);
console.log(`ITRF2014 to GDA94 and back by geodesy: ${distance(...ways)} m apart`);
try {
  byGeodesy([40, -105, 1500], 'GDA94', 'NAD83');
} catch (error) {
  console.log(`GDA94 to NAD83: ${error.constructor.name}`);
}
JS
node convert.js > seen

cat > expected <<'SEEN'
ITRF2014 to GDA94: 3.63 m apart
  geodesy: east 0.89, north 1.66
  PROJ: east -0.85, north -1.52
ITRF2008 to GDA94: 3.63 m apart
  geodesy: east 0.90, north 1.66
  PROJ: east -0.85, north -1.52
ITRF2005 to GDA94: 0.00 m apart
  geodesy: east -0.85, north -1.51
  PROJ: east -0.85, north -1.51
ITRF2000 to GDA94: 4.07 m apart
  geodesy: east 1.01, north 2.13
  PROJ: east -0.85, north -1.50
ITRF2014 to NAD83: 1.83 m apart
  geodesy: east 1.71, north -2.33
  PROJ: east 1.24, north -0.56
ITRF2014 to ETRF2000: 0.00 m apart
  geodesy: east -0.55, north -0.56
  PROJ: east -0.55, north -0.56
ITRF2014 to GDA94 and back by geodesy: 0.00 m apart
GDA94 to NAD83: TypeError
SEEN
diff expected seen && cat seen
