#!/bin/sh
# Four programs read places in GML of latitude, longitude and height (EPSG:7912). GDAL 3.6.2 and PostGIS
# 3.3.2 put longitude first if gml:Point has srsName as a URN. At gml:pos, where GeodesyML logs have it, or
# as EPSG:7912 they do not; at gml:pos they also lose the reference system. PostGIS needs srsDimension at
# gml:pos, and refuses the http form of the name. SpatiaLite 5.0.1 never changes the order: a latitude of
# 133 degrees is no error. geography-markup-language 0.2.0 (npm) always does, also X and Y of earth-centred
# places (EPSG:7789). Of these forms, GDAL and PostGIS read one rightly, the fourth. (The first three are
# Debian packages.)
set -eu

GDAL='3.6.2+dfsg-1+b2'
SPATIALITE='5.0.1-2'
POSTGIS='3.3.2+dfsg-1+b1'
installed() { dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || true; }
[ "$(installed gdal-bin) $(installed spatialite-bin) $(installed postgresql-15-postgis-3)" = \
  "$GDAL $SPATIALITE $POSTGIS" ] ||
  apt-get install --yes --no-install-recommends "gdal-bin=$GDAL" "spatialite-bin=$SPATIALITE" \
    "postgresql-15-postgis-3=$POSTGIS" >&2
work=$(mktemp -d)
cd "$work"
echo '{ "private": true, "type": "commonjs" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts geography-markup-language@0.2.0 >&2

chown postgres .
server() { su postgres -c "/usr/lib/postgresql/15/bin/$1" > /dev/null; }
server "initdb --auth=trust -D $work/data"
trap 'server "pg_ctl stop --mode=fast -D $work/data"; rm -rf "$work"' EXIT
server "pg_ctl start --wait -D $work/data -l $work/log -o '-k $work -c listen_addresses='"
ask() { psql --host="$work" --username=postgres --no-psqlrc --quiet --tuples-only --no-align -c "$1" 2>&1; }
ask 'CREATE EXTENSION postgis'

cat > read.js <<'JS'
const { Geometry } = require('geography-markup-language');

const { x, y, z } = Geometry(process.argv[2], {});
console.log(x, y, z);
JS
features() {
  echo '<w:FeatureCollection xmlns:w="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml/3.2">'
  echo "<gml:featureMember><site><place>$1</place></site></gml:featureMember></w:FeatureCollection>"
}
# Reads a point: attributes of gml:Point, attributes of gml:pos, place.
read_point() {
  echo "<gml:Point$1><gml:pos$2>"
  namespace=' xmlns:gml="http://www.opengis.net/gml/3.2"'
  point="<gml:Point$namespace gml:id=\"p\"$1><gml:pos$2>$3</gml:pos></gml:Point>"
  features "$point" > point.gml
  rm -f point.gfs
  gdal=$(ogrinfo -ro -al point.gml)
  code=$(echo "$gdal" | grep -o '"EPSG",7[0-9]*\]\]$' | tail -1 | tr -dc '0-9')
  echo "  GDAL: SRID=${code:-none};$(echo "$gdal" | sed -n 's/^  \(POINT Z .*\)/\1/p')"
  echo "  PostGIS: $(ask "SELECT ST_AsEWKT(ST_GeomFromGML('$point'))" | head -1)"
  echo "  SpatiaLite: $(spatialite -silent :memory: "SELECT AsEWKT(GeomFromGML('$point'))" 2> /dev/null)"
  echo "  geography-markup-language: $(node read.js "$point")"
}
PLACE='-23.6701 133.8855 603.236'
URN=' srsName="urn:ogc:def:crs:EPSG::7912"'
{
  read_point '' ' srsName="EPSG:7912"' "$PLACE"
  read_point '' "$URN srsDimension=\"3\"" "$PLACE"
  read_point "$URN srsDimension=\"3\"" '' "$PLACE"
  read_point "$URN" ' srsDimension="3"' "$PLACE"
  read_point ' srsName="EPSG:7912"' ' srsDimension="3"' "$PLACE"
  read_point ' srsName="http://www.opengis.net/def/crs/EPSG/0/7912"' ' srsDimension="3"' "$PLACE"
  read_point ' srsName="urn:ogc:def:crs:EPSG::7789"' ' srsDimension="3"' '-4052052.7 4212836 -2545104.6'
} > seen

cat > expected <<'SEEN'
<gml:Point><gml:pos srsName="EPSG:7912">
  GDAL: SRID=none;POINT Z (-23.6701 133.8855 603.236)
  PostGIS: ERROR:  invalid GML representation
  SpatiaLite: SRID=7912;POINT(-23.6701 133.8855 603.2359999999999)
  geography-markup-language: 133.8855 -23.6701 603.236
<gml:Point><gml:pos srsName="urn:ogc:def:crs:EPSG::7912" srsDimension="3">
  GDAL: SRID=none;POINT Z (-23.6701 133.8855 603.236)
  PostGIS: POINT(-23.6701 133.8855 603.236)
  SpatiaLite: SRID=7912;POINT(-23.6701 133.8855 603.2359999999999)
  geography-markup-language: 133.8855 -23.6701 603.236
<gml:Point srsName="urn:ogc:def:crs:EPSG::7912" srsDimension="3"><gml:pos>
  GDAL: SRID=7912;POINT Z (133.8855 -23.6701 603.236)
  PostGIS: ERROR:  invalid GML representation
  SpatiaLite: SRID=7912;POINT(-23.6701 133.8855 603.2359999999999)
  geography-markup-language: 133.8855 -23.6701 603.236
<gml:Point srsName="urn:ogc:def:crs:EPSG::7912"><gml:pos srsDimension="3">
  GDAL: SRID=7912;POINT Z (133.8855 -23.6701 603.236)
  PostGIS: SRID=7912;POINT(133.8855 -23.6701 603.236)
  SpatiaLite: SRID=7912;POINT(-23.6701 133.8855 603.2359999999999)
  geography-markup-language: 133.8855 -23.6701 603.236
<gml:Point srsName="EPSG:7912"><gml:pos srsDimension="3">
  GDAL: SRID=7912;POINT Z (-23.6701 133.8855 603.236)
  PostGIS: SRID=7912;POINT(-23.6701 133.8855 603.236)
  SpatiaLite: SRID=7912;POINT(-23.6701 133.8855 603.2359999999999)
  geography-markup-language: 133.8855 -23.6701 603.236
<gml:Point srsName="http://www.opengis.net/def/crs/EPSG/0/7912"><gml:pos srsDimension="3">
  GDAL: SRID=7912;POINT Z (133.8855 -23.6701 603.236)
  PostGIS: ERROR:  unknown spatial reference system
  SpatiaLite: SRID=-1;POINT(-23.6701 133.8855 603.2359999999999)
  geography-markup-language: 133.8855 -23.6701 603.236
<gml:Point srsName="urn:ogc:def:crs:EPSG::7789"><gml:pos srsDimension="3">
  GDAL: SRID=7789;POINT Z (-4052052.7 4212836.0 -2545104.6)
  PostGIS: SRID=7789;POINT(-4052052.7 4212836 -2545104.6)
  SpatiaLite: SRID=7789;POINT(-4052052.7 4212836 -2545104.6)
  geography-markup-language: 4212836 -4052052.7 -2545104.6
SEEN
diff expected seen && cat seen
