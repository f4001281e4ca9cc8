#!/bin/sh
# A receiver of u-blox in Alice Springs sends two heights, 603.236 m above the ellipsoid and 587.836 m above the sea, so
# that the geoid is at 15.400 m. gpsd 3.22 (Debian packages gpsd and gpsd-clients) passes both on, but with a
# separation of its own, 16.552 m. NMEA has no other way to the ellipsoid: from what gpsd sends as NMEA, pos2kml of
# RTKLIB 2.4.3 b34 (rtklib) makes 604.392 m, 1.16 m too high, and with -ag, which is meant for heights above the sea,
# 588.903 m. gpxlogger of gpsd writes the height above the ellipsoid as ele of GPX, GPSBabel 1.8.0 (gpsbabel) the one
# above the sea: the same track, 15.396 m apart. Nothing gives a message. So take altHAE from the JSON of gpsd.
set -eu

GPSD='3.22-4.1+deb12u1'
RTKLIB='2.4.3.b34+dfsg-1+b1'
GPSBABEL='1.8.0+ds-5'
installed() { dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || true; }
[ "$(installed gpsd-clients) $(installed rtklib) $(installed gpsbabel)" = "$GPSD $RTKLIB $GPSBABEL" ] ||
  apt-get install --yes --no-install-recommends "gpsd-clients=$GPSD" "rtklib=$RTKLIB" \
    "gpsbabel=$GPSBABEL" >&2
work=$(mktemp -d)
cd "$work"
# gpsd itself is unpacked here, so that no service is started.
apt-get download "gpsd=$GPSD" > /dev/null 2>&1
dpkg-deb --extract gpsd_*.deb unpacked

# A receiver as a TCP server: messages of u-blox with its time, its place and its two heights.
cat > receiver.mjs <<'JS'
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';

const WEEK = 2086;
const FIRST_SECOND = 259200; // of the GPS week: 1 January 2020, 00:00
const LEAP_SECONDS = 18;
const [LATITUDE, LONGITUDE] = [-236701103, 1338855213]; // in 1e-7 degrees
const [ABOVE_ELLIPSOID, ABOVE_SEA] = [603236, 587836]; // in mm: the geoid is 15.4 m above the ellipsoid
const message = (kind, id, payload) => {
  const body = Buffer.concat([Buffer.from([kind, id, payload.length & 0xff, payload.length >> 8]), payload]);
  let [one, other] = [0, 0];
  for (const byte of body) {
    one = (one + byte) & 0xff;
    other = (other + one) & 0xff;
  }
  return Buffer.concat([Buffer.from([0xb5, 0x62]), body, Buffer.from([one, other])]);
};
const timed = (length, second) => {
  const payload = Buffer.alloc(length);
  payload.writeUInt32LE((FIRST_SECOND + second) * 1000, 0);
  return payload;
};
const time = (second) => {
  const payload = timed(16, second);
  payload.writeInt16LE(WEEK, 8);
  payload.set([LEAP_SECONDS, 0b111], 10);
  return message(0x01, 0x20, payload);
};
const fix = (second) => {
  const utc = new Date(Date.UTC(2020, 0, 1, 0, 0, second - LEAP_SECONDS));
  const payload = timed(92, second);
  payload.writeUInt16LE(utc.getUTCFullYear(), 4);
  payload.set([utc.getUTCMonth() + 1, utc.getUTCDate(), utc.getUTCHours(), utc.getUTCMinutes(), utc.getUTCSeconds(), 0b111], 6);
  payload.set([3, 1, 0, 12], 20);
  [LONGITUDE, LATITUDE, ABOVE_ELLIPSOID, ABOVE_SEA].forEach((value, index) => payload.writeInt32LE(value, 24 + 4 * index));
  return message(0x01, 0x07, payload);
};
const end = (second) => message(0x01, 0x61, timed(4, second));

const server = createServer((socket) => {
  let second = 0;
  const timer = setInterval(() => {
    socket.write(Buffer.concat([time(second), fix(second), end(second)]));
    second++;
  }, 100);
  socket.on('error', () => clearInterval(timer)).on('close', () => clearInterval(timer));
});
const free = createServer().listen(0, '127.0.0.1', () => {
  const { port } = free.address();
  free.close(() =>
    server.listen(0, '127.0.0.1', () => writeFileSync('ports', `${server.address().port} ${port}\n`)),
  );
});
JS
node receiver.mjs &
receiver=$!
trap 'kill "$receiver"; rm -rf "$work"' EXIT
until [ -s ports ]; do sleep 0.1; done
read -r from to < ports
unpacked/usr/sbin/gpsd -N -n -S "$to" "tcp://127.0.0.1:$from" 2> /dev/null &
daemon=$!
trap 'kill "$daemon" "$receiver"; rm -rf "$work"' EXIT
until gpspipe -w -n 1 "127.0.0.1:$to" > /dev/null 2>&1; do sleep 0.1; done
gpspipe -w -n 20 "127.0.0.1:$to" > gpsd.json
gpspipe -r -n 40 "127.0.0.1:$to" | grep -aE '^\$GP(GGA|RMC)' > gpsd.nmea
timeout --signal=INT 3 gpxlogger -f logged.gpx "127.0.0.1:$to" > /dev/null 2>&1 || true
gpsbabel -t -i nmea -f gpsd.nmea -o gpx -F babel.gpx
pos2kml -a -o pos2kml.kml gpsd.nmea > /dev/null 2>&1
pos2kml -ag -o pos2kml-geoid.kml gpsd.nmea > /dev/null 2>&1

{
  echo "gpsd: $(grep -oE '"(altHAE|altMSL|geoidSep)":[0-9.]*' gpsd.json | sort -u | paste -s -d ' ')"
  echo "gpsd, NMEA: $(grep -a GGA gpsd.nmea | cut -d , -f 3-5,10-13 | sort -u)"
  echo "gpxlogger: $(grep -oE '<ele>[0-9.]*' logged.gpx | sort -u | paste -s -d ' ')"
  echo "GPSBabel from NMEA: $(grep -oE '<(ele|geoidheight)>[0-9.]*' babel.gpx | sort -u | paste -s -d ' ')"
  echo "pos2kml: $(grep -oE '[0-9.]+,-[0-9.]+,[0-9.]+' pos2kml.kml | sort -u | paste -s -d ' ')"
  echo "pos2kml, geodetic: $(grep -oE '[0-9.]+,-[0-9.]+,[0-9.]+' pos2kml-geoid.kml | sort -u | paste -s -d ' ')"
} > seen

cat > expected <<'SEEN'
gpsd: "altHAE":603.2360 "altMSL":587.8360 "geoidSep":16.552
gpsd, NMEA: 2340.2066,S,13353.1313,587.84,M,16.552,M
gpxlogger: <ele>603.2360
GPSBabel from NMEA: <ele>587.840 <geoidheight>16.6
pos2kml: 133.885521667,-23.670110000,604.392
pos2kml, geodetic: 133.885521667,-23.670110000,588.903
SEEN
diff expected seen && cat seen
