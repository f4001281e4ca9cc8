#!/bin/sh
# From heights above the ellipsoid to heights above a geoid, PROJ needs a grid. proj-data of Debian has that of
# EGM96 only. With it, cs2cs of PROJ 9.1.1 (Debian package proj-bin) and gdaltransform of GDAL 3.6.2 (gdal-bin)
# lower a station in Australia by 15.378 m. To EGM2008, AHD and NAVD88, they return the same height, 603.236 m,
# as if it were the other, without a message and with status 0; ST_Transform of PostGIS 3.3.2
# (postgresql-15-postgis-3) and SpatiaLite 5.0.1 (spatialite-bin) do so too, where they know the code. projinfo says
# that a grid is missing. cs2cs --no-ballpark refuses. So always use that option, or compare the heights.
set -eu

PROJ='9.1.1-1+b1'
GDAL='3.6.2+dfsg-1+b2'
SPATIALITE='5.0.1-2'
POSTGIS='3.3.2+dfsg-1+b1'
installed() { dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || true; }
[ "$(installed proj-bin) $(installed gdal-bin) $(installed spatialite-bin) $(installed postgresql-15-postgis-3)" = \
  "$PROJ $GDAL $SPATIALITE $POSTGIS" ] ||
  apt-get install --yes --no-install-recommends "proj-bin=$PROJ" "gdal-bin=$GDAL" "spatialite-bin=$SPATIALITE" \
    "postgresql-15-postgis-3=$POSTGIS" >&2
export PROJ_NETWORK=OFF
work=$(mktemp -d)
cd "$work"

chown postgres .
server() { su postgres -c "/usr/lib/postgresql/15/bin/$1" > /dev/null; }
server "initdb --auth=trust -D $work/data"
trap 'server "pg_ctl stop --mode=fast -D $work/data"; rm -rf "$work"' EXIT
server "pg_ctl start --wait -D $work/data -l $work/log -o '-k $work -c listen_addresses='"
ask() { psql --host="$work" --username=postgres --no-psqlrc --quiet --tuples-only --no-align -c "$1" 2>&1; }
ask 'CREATE EXTENSION postgis'

# Prints the third number, the height; "refused" if there is none.
height() { grep -oE -e '-?[0-9]+\.?[0-9]*' | sed -n 3p | xargs printf '%.3f' | grep -v '^0.000$' || echo refused; }
# Transforms a place of longitude, latitude and height with each program.
transform() {
  echo "$1, EPSG:$2 to EPSG:$3, $6 m"
  for option in '' --no-ballpark; do
    echo "  cs2cs${option:+ $option}: $(echo "$5 $4 $6" | cs2cs $option -f %.6f "EPSG:$2" "EPSG:$3" 2> /dev/null | height)"
  done
  echo "  gdaltransform: $(echo "$4 $5 $6" | gdaltransform -s_srs "EPSG:$2" -t_srs "EPSG:$3" | height)"
  echo "  PostGIS: $(ask "SELECT ST_AsText(ST_Transform('SRID=$2;POINT Z ($4 $5 $6)'::geometry, $3))" | grep POINT | height)"
  echo "  SpatiaLite: $(spatialite -silent :memory: "SELECT AsText(ST_Transform(MakePointZ($4, $5, $6, $2), $3))" 2> /dev/null | height)"
}
{
  transform EGM96 4979 9707 133.8855213 -23.6701103 603.236
  transform EGM2008 4979 9518 133.8855213 -23.6701103 603.236
  transform AHD 7843 9463 133.8855213 -23.6701103 603.236
  transform NAVD88 6319 5498 -105 40 1500
  echo "projinfo: $(projinfo -s EPSG:7843 -t EPSG:9463 --summary | grep -o 'at least one grid missing')"
} > seen

cat > expected <<'SEEN'
EGM96, EPSG:4979 to EPSG:9707, 603.236 m
  cs2cs: 587.858
  cs2cs --no-ballpark: 587.858
  gdaltransform: 587.858
  PostGIS: refused
  SpatiaLite: refused
EGM2008, EPSG:4979 to EPSG:9518, 603.236 m
  cs2cs: 603.236
  cs2cs --no-ballpark: refused
  gdaltransform: 603.236
  PostGIS: refused
  SpatiaLite: refused
AHD, EPSG:7843 to EPSG:9463, 603.236 m
  cs2cs: 603.236
  cs2cs --no-ballpark: refused
  gdaltransform: 603.236
  PostGIS: refused
  SpatiaLite: 603.236
NAVD88, EPSG:6319 to EPSG:5498, 1500 m
  cs2cs: 1500.000
  cs2cs --no-ballpark: refused
  gdaltransform: 1500.000
  PostGIS: 1500.000
  SpatiaLite: 1500.000
projinfo: at least one grid missing
SEEN
diff expected seen && cat seen
