#!/bin/sh
# gpsrinex of gpsd 3.22 (Debian packages gpsd and gpsd-clients) writes RINEX 3 from what a receiver of u-blox sends. It
# declares some signals as others: BeiDou B1I, C2I, as C1C, which RINEX does not have for BeiDou; the I component
# of Galileo E5b as its Q component, GPS L2 CL as the C/A code. convbin of RTKLIB 2.4.3 b34 (rtklib) reads the receiver
# itself rightly; from the file of gpsrinex, it leaves out B1I. Phase shifts are given for "B", which is no system,
# and for a signal that was not observed; frequency numbers of GLONASS are missing. Equipment that was not given is
# written as known: antenna "UNKNOWN EXT" without a radome, number 0, a marker that is not physical. Nothing
# gives a message. So let convbin make RINEX of the recorded stream.
set -eu

GPSD='3.22-4.1+deb12u1'
RTKLIB='2.4.3.b34+dfsg-1+b1'
installed() { dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || true; }
[ "$(installed gpsd-clients) $(installed rtklib)" = "$GPSD $RTKLIB" ] ||
  apt-get install --yes --no-install-recommends "gpsd-clients=$GPSD" "rtklib=$RTKLIB" >&2
work=$(mktemp -d)
cd "$work"
# gpsd itself is unpacked here, so that no service is started.
apt-get download "gpsd=$GPSD" 2> /dev/null >&2
dpkg-deb --extract gpsd_*.deb unpacked

# A receiver of the year 2020, as a TCP server: messages of u-blox with its time, place and measurements.
cat > receiver.mjs <<'JS'
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';

const WEEK = 2086;
const FIRST_SECOND = 259200; // of the GPS week: 1 January 2020, 00:00
const LEAP_SECONDS = 18;
// System, satellite and signal, in numbers of u-blox.
const SIGNALS = [
  [0, 1, 0], // GPS L1 C/A
  [0, 1, 3], // GPS L2 CL
  [1, 120, 0], // SBAS L1
  [2, 11, 0], // Galileo E1 C
  [2, 11, 5], // Galileo E5b I
  [3, 19, 0], // BeiDou B1I
  [3, 19, 2], // BeiDou B2I
  [6, 3, 0], // GLONASS L1
  [6, 3, 2], // GLONASS L2
];
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
  payload.writeInt8(LEAP_SECONDS, 10);
  payload.writeUInt8(0b111, 11);
  return message(0x01, 0x20, payload);
};
const place = (second) => {
  const payload = timed(20, second);
  [-405205270, 421283600, -254510460].forEach((value, index) => payload.writeInt32LE(value, 4 + 4 * index));
  return message(0x01, 0x01, payload);
};
const fix = (second) => {
  const utc = new Date(Date.UTC(2020, 0, 1, 0, 0, second - LEAP_SECONDS));
  const payload = timed(92, second);
  payload.writeUInt16LE(utc.getUTCFullYear(), 4);
  payload.set([utc.getUTCMonth() + 1, utc.getUTCDate(), utc.getUTCHours(), utc.getUTCMinutes(), utc.getUTCSeconds(), 0b111], 6);
  payload.set([3, 1], 20);
  return message(0x01, 0x07, payload);
};
const measurements = (second) => {
  const payload = Buffer.alloc(16 + 32 * SIGNALS.length);
  payload.writeDoubleLE(FIRST_SECOND + second, 0);
  payload.writeUInt16LE(WEEK, 8);
  payload.set([LEAP_SECONDS, SIGNALS.length, 1, 1], 10);
  SIGNALS.forEach(([system, satellite, signal], index) => {
    const start = 16 + 32 * index;
    const range = 20000000 + index * 1000000;
    payload.writeDoubleLE(range, start);
    payload.writeDoubleLE(range * 5, start + 8);
    payload.writeFloatLE(-1000, start + 16);
    payload.set([system, satellite, signal, system === 6 ? 5 : 0], start + 20);
    payload.writeUInt16LE(64000, start + 24);
    payload.set([45, 4, 4, 4, 0b111], start + 26);
  });
  return message(0x02, 0x15, payload);
};
const end = (second) => message(0x01, 0x61, timed(4, second));
const epoch = (second) => Buffer.concat([time(second), place(second), fix(second), measurements(second), end(second)]);

const SECONDS = 60;
writeFileSync('receiver.ubx', Buffer.concat([...Array(SECONDS).keys()].map(epoch)));
const server = createServer((socket) => {
  let second = 0;
  const timer = setInterval(() => second < SECONDS && socket.write(epoch(second++)), 100);
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
gpsrinex -f gpsrinex.obs -i 1 -n 2 "127.0.0.1:$to" > /dev/null 2>&1
convbin -r ubx -v 3.04 -od -o receiver.obs receiver.ubx > /dev/null 2>&1
convbin -r rinex -v 3.04 -od -o copy.obs gpsrinex.obs > /dev/null 2>&1

# The equipment, the signals and the first epoch of a file.
show() {
  echo "-- $1"
  grep -E '(MARKER TYPE|REC # / TYPE / VERS|ANT # / TYPE|OBS TYPES|GLONASS SLOT / FRQ #) *$' "$2" | sort | sed 's/ *$//'
  sed -n '/END OF HEADER/,$p' "$2" | sed -n '3,7p' | cut -c1-51 | sed 's/ *$//'
}
{
  show 'convbin from the receiver' receiver.obs
  show 'gpsrinex' gpsrinex.obs
  grep 'PHASE SHIFT' gpsrinex.obs | cut -c1-6 | paste -s -d ';'
  show 'convbin from gpsrinex' copy.obs
} > seen

cat > expected <<'SEEN'
-- convbin from the receiver
                                                            ANT # / TYPE
                                                            MARKER TYPE
                                                            REC # / TYPE / VERS
  1 R03 -2                                                  GLONASS SLOT / FRQ #
C    6 C2I L2I D2I C7I L7I D7I                              SYS / # / OBS TYPES
E    6 C1C L1C D1C C7I L7I D7I                              SYS / # / OBS TYPES
G    6 C1C L1C D1C C2L L2L D2L                              SYS / # / OBS TYPES
R    6 C1C L1C D1C C2C L2C D2C                              SYS / # / OBS TYPES
S    3 C1C L1C D1C                                          SYS / # / OBS TYPES
G01  20000000.000   100000000.0001      -1000.000
S20  22000000.000   110000000.0001      -1000.000
E11  23000000.000   115000000.0001      -1000.000
C19  25000000.000   125000000.0001      -1000.000
R03  27000000.000   135000000.0001      -1000.000
-- gpsrinex
0                   UNKNOWN EXT     NONE                    ANT # / TYPE
0                   Unknown             0                   REC # / TYPE / VERS
C    6 C1C L1C D1C C7I L7I D7I                              SYS / # / OBS TYPES
E    6 C1C L1C D1C C7Q L7Q D7Q                              SYS / # / OBS TYPES
G    6 C1C L1C D1C C2C L2C D2C                              SYS / # / OBS TYPES
NON_PHYSICAL                                                MARKER TYPE
R    6 C1C L1C D1C C2C L2C D2C                              SYS / # / OBS TYPES
S    3 C1C L1C D1C                                          SYS / # / OBS TYPES
G01  20000000.000   100000000.000 7     -1000.000
S20  22000000.000   110000000.000 7     -1000.000
E11  23000000.000   115000000.000 7     -1000.000
C19  25000000.000   125000000.000 7     -1000.000
R03  27000000.000   135000000.000 7     -1000.000
G L1C ;G L2C ;S L1C ;E L5Q ;E L1C ;E L7Q ;B L1C ;B L7I ;R L1C ;R L2C 
-- convbin from gpsrinex
                                                            ANT # / TYPE
                                                            MARKER TYPE
                                                            REC # / TYPE / VERS
  0                                                         GLONASS SLOT / FRQ #
C    3 C7I L7I D7I                                          SYS / # / OBS TYPES
E    6 C1C L1C D1C C7Q L7Q D7Q                              SYS / # / OBS TYPES
G    6 C1C L1C D1C C2C L2C D2C                              SYS / # / OBS TYPES
R    6 C1C L1C D1C C2C L2C D2C                              SYS / # / OBS TYPES
S    3 C1C L1C D1C                                          SYS / # / OBS TYPES
G01  20000000.000   100000000.0001      -1000.000
S20  22000000.000   110000000.0001      -1000.000
E11  23000000.000   115000000.0001      -1000.000
C19  26000000.000   130000000.0001      -1000.000
R03  27000000.000   135000000.0001      -1000.000
SEEN
diff expected seen && cat seen
