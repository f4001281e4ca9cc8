#!/bin/sh
# str2str of RTKLIB 2.4.3 b34 (Debian package rtklib) converts streams of RTCM 3, for example the observations from
# message 1002 to 1004. Without options, it passes on the station: position and antenna height (1006), antenna and
# receiver (1033). With -sta, which gives the station's number, the same messages are sent with position and height
# 0 and empty names, also if the number is the same. -px, -a and -i give position, antenna and receiver anew, but
# the antenna height of -o is not sent: it stays 0, as gpsdecode of gpsd 3.22 (gpsd-clients) shows. From a file,
# which is read at once, no station is written at all: its messages wait for the clock. Nothing gives a message.
# So leave -sta out, or compare 1006 and 1033 before and after.
set -eu

RTKLIB='2.4.3.b34+dfsg-1+b1'
GPSD='3.22-4.1+deb12u1'
installed() { dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || true; }
[ "$(installed rtklib) $(installed gpsd-clients)" = "$RTKLIB $GPSD" ] ||
  apt-get install --yes --no-install-recommends "rtklib=$RTKLIB" "gpsd-clients=$GPSD" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# A stream with its station, 12, in messages 1006 and 1033, and observations of four satellites of GPS (1002):
# as a file, and as a TCP server, which sends it to all who connect.
cat > stream.mjs <<'JS'
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';

const STATION = 12;
const FIRST_SECOND = 259200; // of the GPS week: 1 January 2020, 00:00
const crc24q = (bytes) => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 16;
    for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x800000 ? 0x1864cfb : 0);
  }
  return crc;
};
// Fields are pairs of a value and its bits.
const message = (number, ...fields) => {
  const bits = [[number, 12], [STATION, 12], ...fields].map(([value, length]) =>
    BigInt.asUintN(length, BigInt(value)).toString(2).padStart(length, '0'),
  );
  const bytes = bits.join('').match(/.{1,8}/g).map((byte) => parseInt(byte.padEnd(8, '0'), 2));
  const framed = [0xd3, bytes.length >> 8, bytes.length & 0xff, ...bytes];
  const crc = crc24q(framed);
  return Buffer.from([...framed, (crc >> 16) & 0xff, (crc >> 8) & 0xff, crc & 0xff]);
};
const text = (value) => [[value.length, 8], ...Array.from(value, (character) => [character.charCodeAt(), 8])];
const [x, y, z] = [-4052052.7, 4212836, -2545104.6].map((metres) => [Math.round(metres * 10000), 38]);
const place = message(1006, [0, 6], [1, 1], [0, 3], x, [0, 2], y, [0, 2], z, [1234, 16]);
const names = ['LEIAR25.R3      NONE', '09370001', 'LEICA GR25', '8.20/3.019', '1830439'].map(text);
const equipment = message(1033, ...names[0], [3, 8], ...names.slice(1).flat());
const observations = (second) => {
  const satellites = [1, 2, 3, 4].map((number) => [[number, 6], [0, 1], [10807528, 24], [0, 20], [20, 7], [73, 8], [180, 8]]);
  return message(1002, [(FIRST_SECOND + second) * 1000, 30], [0, 1], [4, 5], [0, 4], ...satellites.flat());
};
const epochs = [...Array(30).keys()].map((second) => Buffer.concat([place, equipment, observations(second)]));
writeFileSync('stream.rtcm3', Buffer.concat(epochs));
const server = createServer((socket) => {
  let next = 0;
  const timer = setInterval(() => next < epochs.length && socket.write(epochs[next++]), 100);
  socket.on('error', () => clearInterval(timer)).on('close', () => clearInterval(timer));
});
server.listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)));
JS
node stream.mjs &
server=$!
trap 'kill "$server"; rm -rf "$work"' EXIT
until [ -s port ]; do sleep 0.1; done

# Converts what comes from a source to a stream with the same station, and shows the station there.
convert() {
  echo "-- $1"
  source=$2
  shift 2
  rm -f converted.rtcm3
  timeout --signal=INT 3 str2str -in "$source#rtcm3" -out "file://$work/converted.rtcm3#rtcm3" \
    -msg '1004,1006(1),1033(1)' "$@" > /dev/null 2>&1 || true
  echo "observations: $(gpsdecode < converted.rtcm3 | grep -q '"type":1004,' && echo yes || echo no)"
  for type in 1006 1033; do
    found=$(gpsdecode < converted.rtcm3 | tr -d '\r' | grep "\"type\":$type," | sort -u)
    echo "${found:-no $type}" | sed 's/{"class.*"type":\(1...\),"length":[0-9]*,/\1: /; s/"system".*"x"/"x"/; s/}$//'
  done
}
TCP="tcpcli://127.0.0.1:$(cat port)"
PLACE='-px -4052052.7 4212836.0 -2545104.6'
{
  convert 'TCP' "$TCP"
  convert 'TCP, station 12' "$TCP" -sta 12
  convert 'TCP, station 13' "$TCP" -sta 13
  convert 'TCP, station 12, place, equipment, antenna offset' "$TCP" -sta 12 $PLACE \
    -a 'LEIAR25.R3      NONE,09370001,3' -i 'LEICA GR25,8.20/3.019,1830439' -o 0 0 0.1234
  convert 'file' "file://$work/stream.rtcm3"
} > seen

cat > expected <<'SEEN'
-- TCP
observations: yes
1006: "station_id":12,"x":-4052052.7000,"y":4212836.0000,"z":-2545104.6000,"h":0.1234
1033: "station_id":12,"desc":"LEIAR25.R3      NONE","setup_id":3,"serial":"09370001","receiver":"LEICA GR25","firmware":"8.20/3.019"
-- TCP, station 12
observations: yes
1006: "station_id":12,"x":0.0000,"y":0.0000,"z":0.0000,"h":0.0000
1033: "station_id":12,"desc":"","setup_id":0,"serial":"","receiver":"","firmware":""
-- TCP, station 13
observations: yes
1006: "station_id":13,"x":0.0000,"y":0.0000,"z":0.0000,"h":0.0000
1033: "station_id":13,"desc":"","setup_id":0,"serial":"","receiver":"","firmware":""
-- TCP, station 12, place, equipment, antenna offset
observations: yes
1006: "station_id":12,"x":-4052052.7000,"y":4212836.0000,"z":-2545104.6000,"h":0.0000
1033: "station_id":12,"desc":"LEIAR25.R3      NONE","setup_id":3,"serial":"09370001","receiver":"LEICA GR25","firmware":"8.20/3.019"
-- file
observations: yes
no 1006
no 1033
SEEN
diff expected seen && cat seen
