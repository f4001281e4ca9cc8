#!/bin/sh
# The letter behind a UTM zone is a band of latitude or a hemisphere: S is 32 to 40 degrees north, or south. utm
# 1.1.1 and utm-latlng 1.0.8 (npm) write and read bands: what they write for Korea, 52 S, is 53 degrees south
# for geodesy 2.4.0, @ngageoint/mgrs-js 1.0.0 and GeoConvert of GeographicLib 2.1.2 (Debian package
# geographiclib-tools). Alice Springs, 53 S for these, is in Siberia for the first two. usng.js 0.4.5 writes
# hemispheres, but reads each letter as north, also its own S. Nothing gives a message; where a hemisphere is
# expected, only bands other than N and S are refused. On the 180th meridian, utm and utm-latlng write zone
# 61, which utm itself refuses. So exchange EPSG codes, such as EPSG:32753, or latitude and longitude.
set -eu

VERSION='2.1.2-1'
installed() { dpkg-query --show --showformat='${Version}' geographiclib-tools 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] ||
  apt-get install --yes --no-install-recommends "geographiclib-tools=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts \
  utm@1.1.1 utm-latlng@1.0.8 geodesy@2.4.0 @ngageoint/mgrs-js@1.0.0 usng.js@0.4.5 >&2

cat > convert.js <<'JS'
import { spawnSync } from 'node:child_process';
import { UTM } from '@ngageoint/mgrs-js';
import Utm, { LatLon } from 'geodesy/utm.js';
import usng from 'usng.js';
import utm from 'utm';
import UtmLatLng from 'utm-latlng';

const { Converter } = usng;
const geoConvert = (text, ...options) => {
  const { status, stdout } = spawnSync('GeoConvert', ['-p', '0', ...options], { input: text });
  if (status !== 0) throw new Error('refused');
  return String(stdout).trim();
};
// Each writes and reads a text of zone, letter, easting and northing.
const programs = {
  utm: [
    (lat, lon) => {
      const { zoneNum, zoneLetter, easting, northing } = utm.fromLatLon(lat, lon);
      return [zoneNum, zoneLetter, easting, northing];
    },
    ([zone, letter, east, north]) => {
      const { latitude, longitude } = utm.toLatLon(east, north, zone, letter);
      return [latitude, longitude];
    },
  ],
  'utm-latlng': [
    (lat, lon) => {
      const { ZoneNumber, ZoneLetter, Easting, Northing } = new UtmLatLng().convertLatLngToUtm(lat, lon, 3);
      return [ZoneNumber, ZoneLetter, Easting, Northing];
    },
    ([zone, letter, east, north]) => {
      const { lat, lng } = new UtmLatLng().convertUtmToLatLng(east, north, zone, letter);
      return [lat, lng];
    },
  ],
  geodesy: [
    (lat, lon) => {
      const { zone, hemisphere, easting, northing } = new LatLon(lat, lon).toUtm();
      return [zone, hemisphere, easting, northing];
    },
    (values) => {
      const { lat, lon } = Utm.parse(values.join(' ')).toLatLon();
      return [lat, lon];
    },
  ],
  'usng.js': [
    (lat, lon) => {
      const text = new Converter().LLtoUTMUPS(lat, lon);
      const [, zone, letter, east, north] = /^(\d+)(\w) (\d+)mE (\d+)mN$/.exec(text);
      return [Number(zone), letter, Number(east), Number(north)];
    },
    ([zone, letter, east, north]) => {
      const { lat, lon } = new Converter().UTMUPStoLL(`${zone}${letter} ${east}mE ${north}mN`);
      return [lat, lon];
    },
  ],
  GeoConvert: [
    (lat, lon) => {
      const [, zone, letter, rest] = /^(\d+)(\w) (.*)$/.exec(geoConvert(`${lat} ${lon}`, '-u'));
      return [Number(zone), letter.toUpperCase(), ...rest.split(' ').map(Number)];
    },
    ([zone, letter, east, north]) => geoConvert(`${zone}${letter} ${east} ${north}`, '-g').split(' ').map(Number),
  ],
  'mgrs-js': [
    null,
    (values) => {
      const point = UTM.parse(values.join(' ')).toPoint();
      return [point.getLatitude(), point.getLongitude()];
    },
  ],
};
const attempt = (action) => {
  try {
    return action().map((value) => (typeof value === 'number' ? Math.round(value) : value)).join(' ');
  } catch {
    return 'refused';
  }
};
const places = { Korea: [37.2755, 127.0542], 'Alice Springs': [-23.6701, 133.8855], '180 degrees': [-16.7, 180] };
for (const [place, position] of Object.entries(places)) {
  const texts = new Map();
  for (const [name, [write]] of Object.entries(programs)) {
    if (!write) continue;
    const text = attempt(() => write(...position));
    texts.set(text, [...(texts.get(text) ?? []), name]);
  }
  for (const [text, writers] of texts) {
    console.log(`${place}, ${text} by ${writers.join(', ')}`);
    if (text === 'refused') continue;
    const values = text.split(' ').map((value) => (/\d/.test(value) ? Number(value) : value));
    const read = Object.entries(programs).map(([name, [, reader]]) => `${name} ${attempt(() => reader(values))}`);
    console.log(`  ${read.join(', ')}`);
  }
}
JS
node convert.js > seen

cat > expected <<'SEEN'
Korea, 52 S 327488 4127210 by utm, utm-latlng
  utm 37 127, utm-latlng 37 127, geodesy -53 126, usng.js 37 127, GeoConvert -53 126, mgrs-js -53 126
Korea, 52 N 327488 4127210 by geodesy, usng.js, GeoConvert
  utm 37 127, utm-latlng 37 127, geodesy 37 127, usng.js 37 127, GeoConvert 37 127, mgrs-js 37 127
Alice Springs, 53 K 386351 7381853 by utm, utm-latlng
  utm -24 134, utm-latlng -24 134, geodesy refused, usng.js 67 132, GeoConvert refused, mgrs-js refused
Alice Springs, 53 S 386351 7381853 by geodesy, usng.js, GeoConvert
  utm 67 132, utm-latlng 67 132, geodesy -24 134, usng.js 67 132, GeoConvert -24 134, mgrs-js -24 134
180 degrees, 61 K 180044 8151223 by utm, utm-latlng
  utm refused, utm-latlng -17 180, geodesy refused, usng.js refused, GeoConvert refused, mgrs-js refused
180 degrees, refused by geodesy
180 degrees, 1 S 180044 8151223 by usng.js, GeoConvert
  utm 73 -187, utm-latlng 73 -187, geodesy -17 -180, usng.js 73 -187, GeoConvert -17 -180, mgrs-js -17 -180
SEEN
diff expected seen && cat seen
