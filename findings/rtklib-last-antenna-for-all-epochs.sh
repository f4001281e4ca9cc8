#!/bin/sh
# A file of observations can say in its middle that antenna and receiver changed: RINEX by an event
# record of flag 3, RTCM 3 by messages 1006 and 1033. RTKLIB 2.4.3 b34 (Debian package rtklib) keeps one
# station per file, the last. rnx2rtkp takes the last antenna height for the epochs before the change
# too, and convbin writes the last station as the only header of its RINEX file, without an event record.
# But a station that precedes the first observations of an RTCM file is ignored: if it is not repeated,
# receiver and antenna are blank and the position is 0. Nothing is said, the status is 0. So split such
# files at the change.
set -eu

VERSION='2.4.3.b34+dfsg-1+b1'
installed() { dpkg-query --show --showformat='${Version}' rtklib 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] ||
  apt-get install --yes --no-install-recommends "rtklib=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

record() { printf '%-60s%-20s\n' "$1" "$2"; }
antenna() {
  record "$(printf '%-20s%s' "$1" "$2")" 'ANT # / TYPE'
  record "$(printf '%14.4f%14.4f%14.4f' "$3" 0 0)" 'ANTENNA: DELTA H/E/N'
}
epochs() {
  for time in "$@"; do
    printf '> 2020 01 01 00 %s.0000000  0  1\nG01  22101000.000    116101000.000  \n' "$time"
  done
}
{
  record '     3.04           OBSERVATION DATA    G: GPS' 'RINEX VERSION / TYPE'
  antenna 09370001 'LEIAR25.R3      LEIT' 0.0083
  record ' -4052052.7000  4212836.0000 -2545104.6000' 'APPROX POSITION XYZ'
  record 'G    2 C1C L1C' 'SYS / # / OBS TYPES'
  record '  2020     1     1     0     0    0.0000000     GPS' 'TIME OF FIRST OBS'
  record '' 'END OF HEADER'
} > header
{ cat header; epochs '00 00' '00 30' '01 00' '01 30'; } > same.rnx
{
  cat header
  epochs '00 00' '00 30' '01 00'
  printf '> 2020 01 01 00 01 10.0000000  3  2\n'
  antenna 5432 'TRM59800.00     NONE' 0.1234
  epochs '01 30'
} > changed.rnx
{
  record '     3.04           N: GNSS NAV DATA    G: GPS' 'RINEX VERSION / TYPE'
  record '' 'END OF HEADER'
  printf 'G01 2020 01 01 00 00 00'
  printf '%19.12e' 0 0 0
  printf '\n'
  for values in '1 0 0 1' '0 0.01 0 5153.7' '259200 0 1 0' '0.97 250 1 0' '0 1 2086 0' '2 0 0 1' \
    '259200 4 0 0'; do
    printf '    '
    printf '%19.12e' $values
    printf '\n'
  done
} > test.nav
printf '%s\n' 'pos1-posmode =static' 'ant1-anttype =*' 'ant2-anttype =*' 'ant2-postype =rinexhead' \
  'out-outopt =on' > test.conf

# Three streams, with one station before or between the observations, or with a change.
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
const text = (value) => [[value.length, 8], ...[...value].map((character) => [character.charCodeAt(), 8])];
const station = (antenna, serial, height, receiver) =>
  Buffer.concat([
    message(1006, [0, 6], [8, 4], [-40520527000, 38], [0, 2], [42128360000, 38], [0, 2],
      [-25451046000, 38], [height * 10000, 16]),
    message(1033, ...text(antenna), [0, 8], ...text(serial), ...receiver.flatMap(text)),
  ]);
const observations = (second) => {
  const satellites = [1, 2, 3, 4].map((number) => [[number, 6], [0, 1], [10807528, 24], [0, 20], [20, 7], [73, 8], [180, 8]]);
  const time = (FIRST_SECOND + second) * 1000;
  return message(1002, [time, 30], [0, 1], [satellites.length, 5], [0, 4], ...satellites.flat());
};
const first = station('LEIAR25.R3      LEIT', '09370001', 0.0083, ['LEICA GR25', '4.20/6.403', '1830439']);
const last = station('TRM59800.00     NONE', '5432', 0.1234, ['LEICA GR50', '4.50', '1830440']);
const streams = {
  before: [first, observations(0), observations(1)],
  between: [observations(0), first, observations(1)],
  changed: [first, observations(0), first, observations(1), last, observations(2)],
};
for (const [name, parts] of Object.entries(streams)) writeFileSync(`${name}.rtcm3`, Buffer.concat(parts));
JS
node write.mjs

{
  for name in same changed; do
    rnx2rtkp -k test.conf -o test.pos "$name.rnx" same.rnx test.nav > /dev/null 2>&1
    echo "rnx2rtkp, $name: $(sed -n 's/^% antenna1  : *//p' test.pos | tr -d '\r')"
  done
  for name in before between changed; do
    convbin -r rtcm3 -v 3.04 -tr 2020/1/1 0:0:0 -o "$name.obs" "$name.rtcm3" > /dev/null 2>&1
    echo "convbin, $name: $(grep -c '^> .*  0  4' "$name.obs") epochs, $(grep -c '^> .*  [1-6]  [0-9]' "$name.obs" || true) events"
    grep -E '(REC # / TYPE / VERS|ANT # / TYPE|APPROX POSITION XYZ|ANTENNA: DELTA H/E/N) *$' "$name.obs" |
      sed -E 's/^(.{60})(.*[^ ]) *$/  \2: \1/; s/ *$//'
  done
} > seen

cat > expected <<'SEEN'
rnx2rtkp, same: ( 0.0000  0.0000  0.0083)
rnx2rtkp, changed: ( 0.0000  0.0000  0.1234)
convbin, before: 2 epochs, 0 events
  REC # / TYPE / VERS:
  ANT # / TYPE:
  APPROX POSITION XYZ:         0.0000        0.0000        0.0000
  ANTENNA: DELTA H/E/N:         0.0000        0.0000        0.0000
convbin, between: 2 epochs, 0 events
  REC # / TYPE / VERS: 1830439             LEICA GR25          4.20/6.403
  ANT # / TYPE: 09370001            LEIAR25.R3      LEIT
  APPROX POSITION XYZ:  -4052052.7000  4212836.0000 -2545104.6000
  ANTENNA: DELTA H/E/N:         0.0083        0.0000        0.0000
convbin, changed: 3 epochs, 0 events
  REC # / TYPE / VERS: 1830440             LEICA GR50          4.50
  ANT # / TYPE: 5432                TRM59800.00     NONE
  APPROX POSITION XYZ:  -4052052.7000  4212836.0000 -2545104.6000
  ANTENNA: DELTA H/E/N:         0.1234        0.0000        0.0000
SEEN
diff expected seen && cat seen
