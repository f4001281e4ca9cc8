#!/bin/sh
# A receiver has a bias between its code and phase of GLONASS. A station sends it in message 1230 of RTCM 3, and
# a RINEX header states it in GLONASS COD/PHS/BIS; a blank record says unknown (RINEX 3.05, 5.2.16). convbin of
# RTKLIB 2.4.3 b34 (Debian package rtklib) always writes that record with 0.000 for all four signals, also where
# the RINEX file or the stream that it reads says -71.940 m, and where nothing is known. gpsdecode of gpsd 3.22
# (gpsd-clients) begins to read the biases of message 1230 three bits too early: instead of four of -71.940 m,
# -3597 units of 2 cm, it prints one of 65086. Neither gives a message. So copy the record by hand.
set -eu

RTKLIB='2.4.3.b34+dfsg-1+b1'
GPSD='3.22-4.1+deb12u1'
installed() { dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || true; }
[ "$(installed rtklib) $(installed gpsd-clients)" = "$RTKLIB $GPSD" ] ||
  apt-get install --yes --no-install-recommends "rtklib=$RTKLIB" "gpsd-clients=$GPSD" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

LABEL='GLONASS COD/PHS/BIS'
record() { printf '%-60s%-20s\n' "$1" "$2"; }
# A RINEX file with the given biases, or without the record.
write() {
  record '     3.04           OBSERVATION DATA    M: MIXED' 'RINEX VERSION / TYPE'
  record 'TEST00AUS' 'MARKER NAME'
  record ' -4052052.7000  4212836.0000 -2545104.6000' 'APPROX POSITION XYZ'
  record 'R    2 C1C L1C' 'SYS / # / OBS TYPES'
  record '  2 R01  1 R02 -4' 'GLONASS SLOT / FRQ #'
  [ "$#" = 0 ] || record "$1" "$LABEL"
  record '  2020     1     1     0     0    0.0000000     GPS' 'TIME OF FIRST OBS'
  record '' 'END OF HEADER'
  for minute in 00 01 02; do
    printf '> 2020 01 01 00 %s 00.0000000  0  2\n' "$minute"
    for satellite in R01 R02; do printf '%s  22101000.000    118101000.000  \n' "$satellite"; done
  done
}
write ' C1C  -71.940 C1P  -71.940 C2C  -71.940 C2P  -71.940' > known.rnx
write '' > blank.rnx
write > none.rnx

# A stream with observations of GPS (message 1002) and the biases (1230), in units of 0.02 m.
cat > write.mjs <<'JS'
import { writeFileSync } from 'node:fs';

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
  return Buffer.from([...framed, crc >> 16, (crc >> 8) & 0xff, crc & 0xff]);
};
const observations = (second) => {
  const satellites = [1, 2].map((number) => [[number, 6], [0, 1], [10807528, 24], [0, 20], [20, 7], [73, 8], [180, 8]]);
  const time = (FIRST_SECOND + second) * 1000;
  return message(1002, [time, 30], [0, 1], [satellites.length, 5], [0, 4], ...satellites.flat());
};
// The observations are not aligned (0); three reserved bits; all four signals follow (1111).
const biases = message(1230, [0, 1], [0, 3], [0b1111, 4], ...[1, 2, 3, 4].map(() => [-71.94 / 0.02, 16]));
writeFileSync('biases.rtcm3', biases);
writeFileSync('stream.rtcm3', Buffer.concat([observations(0), biases, observations(1), observations(2)]));
JS
node write.mjs
{
  for name in known blank none; do
    convbin -r rinex -v 3.04 -o copy.rnx "$name.rnx" > /dev/null 2>&1
    echo "convbin, $name: $(grep "$LABEL" copy.rnx | cut -c1-60 | sed 's/ *$//')"
  done
  convbin -r rtcm3 -v 3.04 -tr 2020/1/1 0:0:0 -o stream.rnx stream.rtcm3 > /dev/null 2>&1
  echo "convbin, stream: $(grep "$LABEL" stream.rnx | cut -c1-60 | sed 's/ *$//')"
  echo "gpsdecode: $(gpsdecode < biases.rtcm3 | tr -d '\r')"
} > seen

cat > expected <<'SEEN'
convbin, known:  C1C    0.000 C1P    0.000 C2C    0.000 C2P    0.000
convbin, blank:  C1C    0.000 C1P    0.000 C2C    0.000 C2P    0.000
convbin, none:  C1C    0.000 C1P    0.000 C2C    0.000 C2P    0.000
convbin, stream:  C1C    0.000 C1P    0.000 C2C    0.000 C2P    0.000
gpsdecode: {"class":"RTCM3","device":"stdin","type":1230,"length":12,"station_id":12,"ind":"0","l1_ca":65086}
SEEN
diff expected seen && cat seen
