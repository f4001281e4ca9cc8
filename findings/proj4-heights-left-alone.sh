#!/bin/sh
# proj4 2.22.0 (npm) beside PROJ 9.1.1 (Debian package proj-bin). From GDA94 to GDA2020 with the definitions
# of epsg-index 2.0.0, proj4 moves nothing, where PROJ moves a station by 1.8 m; with the seven parameters as
# +towgs84 it is right in plan, but leaves the height, 10 cm off. Earth-centred coordinates with +units=km
# have X and Y in kilometres, but Z in metres. +vto_meter and +geoidgrids have no effect, also if there is
# no such grid; PROJ converts the height, or stops. None of that gives a message.
set -eu

VERSION='9.1.1-1+b1'
installed() { dpkg-query --show --showformat='${Version}' proj-bin 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] || apt-get install --yes --no-install-recommends "proj-bin=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts proj4@2.22.0 epsg-index@2.0.0 >&2

cat > convert.js <<'JS'
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import proj4 from 'proj4';

const epsg = createRequire(import.meta.url)('epsg-index/all.json');
const STATION = [133.8855213, -23.6701103, 603.236];
const PLAIN = '+proj=longlat +ellps=GRS80 +towgs84=0,0,0 +no_defs';
const SEVEN = '0.06155,-0.01087,-0.04019,0.0394924,0.0327221,0.0328979,-0.009994';
const GDA94 = PLAIN.replace('0,0,0', SEVEN);
const show = (name, place, decimals) => {
  const text = place.map((value, index) => Number(value).toFixed(decimals[index])).join(' ');
  console.log(`  ${name}: ${text}`);
};
const compare = (title, [from, to], [projFrom, projTo], decimals) => {
  console.log(title);
  show('proj4', proj4(from, to, STATION), decimals);
  const isCode = projFrom.startsWith('EPSG');
  const input = (isCode ? [STATION[1], STATION[0], STATION[2]] : STATION).join(' ');
  const options = ['-f', '%.9f', ...projFrom.split(' '), '+to', ...projTo.split(' ')];
  const { status, stdout } = spawnSync('cs2cs', options, { input, encoding: 'utf8' });
  const found = stdout.trim().split(/\s+/);
  if (status !== 0 || found.includes('*')) console.log('  PROJ: error');
  else show('PROJ', isCode ? [found[1], found[0], found[2]] : found, decimals);
};
const DEGREES = [7, 7, 3];
const CODES = ['EPSG:4939', 'EPSG:7843'];
compare('GDA94 to GDA2020', [epsg['4283'].proj4, epsg['7844'].proj4], CODES, DEGREES);
compare('GDA94 to GDA2020, seven parameters', [GDA94, PLAIN], CODES, DEGREES);
for (const [target, decimals] of [
  ['+proj=geocent +ellps=GRS80 +towgs84=0,0,0 +units=km', [4, 4, 4]],
  ['+proj=longlat +ellps=GRS80 +towgs84=0,0,0 +vto_meter=0.3048', DEGREES],
  ['+proj=longlat +ellps=GRS80 +towgs84=0,0,0 +geoidgrids=missing.gtx', DEGREES],
])
  compare(target.replace(' +ellps=GRS80 +towgs84=0,0,0', ''), [PLAIN, target], [PLAIN, target], decimals);
JS
node convert.js > seen

cat > expected <<'SEEN'
GDA94 to GDA2020
  proj4: 133.8855213 -23.6701103 603.236
  PROJ: 133.8855296 -23.6700965 603.138
GDA94 to GDA2020, seven parameters
  proj4: 133.8855296 -23.6700965 603.236
  PROJ: 133.8855296 -23.6700965 603.138
+proj=geocent +units=km
  proj4: -4052.0527 4212.8360 -2545104.6010
  PROJ: -4052.0527 4212.8360 -2545.1046
+proj=longlat +vto_meter=0.3048
  proj4: 133.8855213 -23.6701103 603.236
  PROJ: 133.8855213 -23.6701103 1979.121
+proj=longlat +geoidgrids=missing.gtx
  proj4: 133.8855213 -23.6701103 603.236
  PROJ: error
SEEN
diff expected seen && cat seen
