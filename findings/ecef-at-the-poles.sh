#!/bin/sh
# From earth-centred X, Y, Z to latitude, longitude and height: a place 10 m above the north pole is on
# the equator and 6,378 km deep in geodesy 2.4.0; it is at the south pole and 6,400 km deep in
# ecef-projector 1.0.1, there without a longitude, and in mapproject -E -I of GMT 6.4.0 (Debian package
# gmt). ecef-projector also moves a place on the 180th meridian to longitude 0. Both are 5 cm
# (latitude) and 21 cm (height) off for a satellite at 20,200 km. None gives a message. proj4 2.22.0 is
# right in all, as all four are for a usual station.
set -eu

VERSION='6.4.0+dfsg-2'
installed() { dpkg-query --show --showformat='${Version}' gmt 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] || apt-get install --yes --no-install-recommends "gmt=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts \
  geodesy@2.4.0 ecef-projector@1.0.1 proj4@2.22.0 >&2

cat > read.js <<'JS'
import { execFileSync } from 'node:child_process';
import ecef from 'ecef-projector';
import { Cartesian } from 'geodesy/latlon-ellipsoidal.js';
import proj4 from 'proj4';

const readers = {
  proj4: (xyz) => {
    const [lon, lat, height] = proj4('+proj=geocent +datum=WGS84', 'WGS84', xyz);
    return [lat, lon, height];
  },
  geodesy: (xyz) => {
    const { lat, lon, height } = new Cartesian(...xyz).toLatLon();
    return [lat, lon, height];
  },
  'ecef-projector': (xyz) => ecef.unproject(...xyz),
  gmt: (xyz) => {
    const options = ['mapproject', '-E', '-I', '--FORMAT_FLOAT_OUT=%.12f'];
    const text = execFileSync('gmt', options, { input: xyz.join(' ') });
    const [lon, lat, height] = String(text).trim().split(/\s+/).map(Number);
    return [lat, lon, height];
  },
};
const places = {
  'a station': [-4052052.7, 4212836, -2545104.6],
  '10 m above the north pole': [0, 0, 6356762.3142],
  '180th meridian, height 10 m': [-6378147, 0, 0],
  'latitude 45, height 20,200 km': proj4('WGS84', '+proj=geocent +datum=WGS84', [0, 45, 20200000]),
};
for (const [place, xyz] of Object.entries(places)) {
  console.log(place);
  for (const [name, read] of Object.entries(readers)) {
    const [lat, lon, height] = read(xyz);
    console.log(`  ${name}: ${lat.toFixed(7)} ${lon.toFixed(7)} ${height.toFixed(3)}`);
  }
}
JS
node read.js > seen

cat > expected <<'SEEN'
a station
  proj4: -23.6701103 133.8855213 603.236
  geodesy: -23.6701103 133.8855213 603.236
  ecef-projector: -23.6701103 133.8855213 603.236
  gmt: -23.6701103 133.8855213 603.236
10 m above the north pole
  proj4: 90.0000000 0.0000000 10.000
  geodesy: 0.0000000 0.0000000 -6378137.000
  ecef-projector: -90.0000000 NaN -6399593.626
  gmt: -90.0000000 0.0000000 -6399593.626
180th meridian, height 10 m
  proj4: 0.0000000 180.0000000 10.000
  geodesy: 0.0000000 180.0000000 10.000
  ecef-projector: 0.0000000 0.0000000 10.000
  gmt: 0.0000000 180.0000000 10.000
latitude 45, height 20,200 km
  proj4: 45.0000000 0.0000000 20200000.000
  geodesy: 45.0000000 0.0000000 20200000.000
  ecef-projector: 45.0000005 0.0000000 20200000.209
  gmt: 45.0000005 0.0000000 20200000.209
SEEN
diff expected seen && cat seen
