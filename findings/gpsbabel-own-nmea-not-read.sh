#!/bin/sh
# GPSBabel 1.8.0 (Debian package gpsbabel) writes a track of GPX as NMEA 0183 with heights of millimetres,
# but minutes of three decimals, steps of 1.9 m. 23.99999999 degrees become 2360.000, an unknown height 0.000.
# Since GPX does not say how a place was found, all sentences are marked as invalid: GPSBabel itself reads
# nothing from its file, without a message. It reads the year of 230394 as 2094; gps 0.9.0 and nmea-simple
# 3.3.0 (npm), which also read that file, as 1994. nmea-simple reads an empty geoid separation as 0, gps as
# null; and it writes heights in decimetres.
set -eu

VERSION='1.8.0+ds-5'
installed() { dpkg-query --show --showformat='${Version}' gpsbabel 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] ||
  apt-get install --yes --no-install-recommends "gpsbabel=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts gps@0.9.0 nmea-simple@3.3.0 >&2

cat > track.gpx <<'XML'
<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
<trkpt lat="-23.6701103" lon="133.8855213"><ele>587.747</ele><time>2020-01-01T00:00:00Z</time></trkpt>
<trkpt lat="23.99999999" lon="-5.99999999"><time>2020-01-01T00:00:30Z</time></trkpt>
</trkseg></trk></gpx>
XML
cat > read.js <<'JS'
import { readFileSync, writeFileSync } from 'node:fs';
import GPS from 'gps';
import nmea from 'nmea-simple';

const sentence = (text) => {
  const sum = [...text].reduce((found, character) => found ^ character.charCodeAt(), 0);
  return `$${text}*${sum.toString(16).toUpperCase().padStart(2, '0')}`;
};
for (const line of readFileSync('track.nmea', 'utf8').trim().split(/\r?\n/)) {
  const [one, other] = [GPS.Parse(line), nmea.parseNmeaSentence(line)];
  console.log(`gps: ${one.lat} ${one.lon}, nmea-simple: ${other.latitude} ${other.longitude}`);
}
const old = sentence('GPRMC,120000.00,A,2340.2066,S,13353.1313,E,0.0,,230394,,,A');
writeFileSync('old.nmea', `${old}\r\n`);
const times = [GPS.Parse(old).time, nmea.parseNmeaSentence(old).datetime];
console.log(`gps, nmea-simple: ${times.map((time) => time.toISOString()).join(', ')}`);
const noGeoid = sentence('GPGGA,120000.00,2340.2066,S,13353.1313,E,4,12,0.8,587.747,M,,M,,');
const found = nmea.parseNmeaSentence(noGeoid);
console.log(`geoid separation: ${GPS.Parse(noGeoid).geoidal}, ${found.geoidalSeperation}`);
console.log(nmea.encodeNmeaPacket(found, 'GP'));
JS
{
  gpsbabel -t -i gpx -f track.gpx -o nmea,gprmc=0 -F track.nmea
  tr -d '\r' < track.nmea
  gpsbabel -i nmea -f track.nmea -o unicsv -F - | tr -d '\r'
  node read.js
  gpsbabel -i nmea -f old.nmea -o gpx -F - | grep -o '<time>....-03-23T.*</time>'
} > seen 2>&1

cat > expected <<'SEEN'
$GPGGA,000000.000,2340.207,S,13353.131,E,0,00,0.0,587.747,M,0.0,M,,*7A
$GPGGA,000030.000,2360.000,N,00560.000,W,0,00,0.0,0.000,M,0.0,M,,*78
No,Latitude,Longitude
gps: -23.670116666666665 133.88551666666666, nmea-simple: -23.670116666666665 133.88551666666666
gps: 24 -6, nmea-simple: 24 -6
gps, nmea-simple: 1994-03-23T12:00:00.000Z, 1994-03-23T12:00:00.000Z
geoid separation: null, 0
$GPGGA,120000,2340.206600,S,13353.131300,E,4,12,0.8,587.7,M,0.0,M,0.00,*71
<time>2094-03-23T12:00:00Z</time>
SEEN
diff expected seen && cat seen
