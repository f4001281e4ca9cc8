#!/bin/sh
# pos2kml of RTKLIB 2.4.3 b34 (Debian package rtklib) fills latitudes below 10 degrees north with a blank,
# so that a place of a track is "-52.805959000, 5.252185000,-25.765". A blank ends a place in KML.
# @tmcw/togeojson 7.1.3 then reads the latitude as longitude and the height as latitude, 7,100 km away;
# @mapbox/togeojson 0.16.2 makes two places of it, and so does the driver KML of GDAL 3.6.2 (Debian package
# gdal-bin), which also puts single places on the equator. GDAL's driver LIBKML and GPSBabel 1.8.0 (gpsbabel)
# read it rightly. Without -a, all heights are 0. With -tg, GPS time gets a Z, and is 18 s late in UTC.
set -eu

RTKLIB='2.4.3.b34+dfsg-1+b1'
GDAL='3.6.2+dfsg-1+b2'
GPSBABEL='1.8.0+ds-5'
installed() { dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || true; }
[ "$(installed rtklib) $(installed gdal-bin) $(installed gpsbabel)" = "$RTKLIB $GDAL $GPSBABEL" ] ||
  apt-get install --yes --no-install-recommends "rtklib=$RTKLIB" "gdal-bin=$GDAL" \
    "gpsbabel=$GPSBABEL" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts \
  @tmcw/togeojson@7.1.3 @mapbox/togeojson@0.16.2 @xmldom/xmldom@0.9.12 >&2

cat > read.js <<'JS'
import { readFileSync } from 'node:fs';
import mapbox from '@mapbox/togeojson';
import * as tmcw from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';

const document = new DOMParser().parseFromString(readFileSync('test.kml', 'utf8'), 'text/xml');
for (const [name, { kml }] of Object.entries({ '@tmcw/togeojson': tmcw, '@mapbox/togeojson': mapbox })) {
  const track = kml(document).features.find(({ geometry }) => geometry.type === 'LineString');
  console.log(`${name}: ${JSON.stringify(track.geometry.coordinates)}`);
}
JS
for second in 00 30; do
  echo "2020/01/01 00:00:$second.000 5.252185000 -52.805959000 -25.7650 1 8"
done > test.pos
gdal() {
  OGR_SKIP=$2 ogrinfo -ro -al test.kml | sed -n 's/^  \([LP][A-Z]* *Z\{0,1\} *(.*\)/GDAL '"$1"': \1/p' | sort -u
}
{
  pos2kml -a -tu -o test.kml test.pos
  grep -m 1 -A 1 '<coordinates>' test.kml
  node read.js
  gdal KML LIBKML
  gdal LIBKML KML
  echo "GPSBabel: $(gpsbabel -i kml -f test.kml -o unicsv -F - | sed -n 2p | tr -d "\r")"
  pos2kml -tg -o test.kml test.pos
  echo "without -a, $(gdal LIBKML KML | grep POINT)"
  echo "with -tg: $(grep -m 1 -o '<when>.*</when>' test.kml)"
} > seen

cat > expected <<'SEEN'
<coordinates>
-52.805959000, 5.252185000,-25.765
@tmcw/togeojson: [[5.252185,-25.765],[5.252185,-25.765]]
@mapbox/togeojson: [[-52.805959,null],[5.252185,-25.765],[-52.805959,null],[5.252185,-25.765]]
GDAL KML: LINESTRING (-52.805959 0.0,5.252185 -25.765,-52.805959 0.0,5.252185 -25.765)
GDAL KML: POINT (-52.805959 0.0)
GDAL LIBKML: LINESTRING Z (-52.805959 5.252185 -25.765,-52.805959 5.252185 -25.765)
GDAL LIBKML: POINT Z (-52.805959 5.252185 -25.765)
GPSBabel: 1,5.252185,-52.805959,"WPT001",-25.8,2019/12/31,23:59:42
without -a, GDAL LIBKML: POINT Z (-52.805959 5.252185 0)
with -tg: <when>2020-01-01T00:00:00.00Z</when>
SEEN
diff expected seen && cat seen
