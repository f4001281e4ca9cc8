#!/bin/sh
# Frames move against each other, so a transformation from ITRF2014 needs the epoch of the place. Without one,
# cs2cs of PROJ 9.1.1 (Debian package proj-bin) uses the parameters as they were at their own epoch. ST_Transform
# of PostGIS 3.3.2 (postgresql-15-postgis-3) and SpatiaLite 5.0.1 (spatialite-bin), which know no epoch, use them
# as of the year 0: a station in Australia moves by 135 m to GDA2020, one in Germany by 50 m to ETRF2000, one in
# the USA by 35 m to NAD83(2011), without a message. The M of a place is no epoch to them. cs2cs finds the same
# places for the epoch 0. So let cs2cs transform, with the epoch behind the place.
set -eu

PROJ='9.1.1-1+b1'
SPATIALITE='5.0.1-2'
POSTGIS='3.3.2+dfsg-1+b1'
installed() { dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || true; }
[ "$(installed proj-bin) $(installed spatialite-bin) $(installed postgresql-15-postgis-3)" = \
  "$PROJ $SPATIALITE $POSTGIS" ] ||
  apt-get install --yes --no-install-recommends "proj-bin=$PROJ" "spatialite-bin=$SPATIALITE" \
    "postgresql-15-postgis-3=$POSTGIS" >&2
work=$(mktemp -d)
cd "$work"

chown postgres .
server() { su postgres -c "/usr/lib/postgresql/15/bin/$1" > /dev/null; }
server "initdb --auth=trust -D $work/data"
trap 'server "pg_ctl stop --mode=fast -D $work/data"; rm -rf "$work"' EXIT
server "pg_ctl start --wait -D $work/data -l $work/log -o '-k $work -c listen_addresses='"
ask() { psql --host="$work" --username=postgres --no-psqlrc --quiet --tuples-only --no-align -c "$1" 2>&1; }
ask 'CREATE EXTENSION postgis'

# Longitude and latitude with seven decimals, the height with three.
numbers() { grep -oE -e '-?[0-9]+\.?[0-9]*' | xargs printf '%.7f %.7f %.3f\n' | head -1; }
postgis() { ask "SELECT ST_AsText(ST_Transform('SRID=$1;$3'::geometry, $2), 9)" | numbers; }
spatialite_finds() {
  spatialite -silent :memory: "SELECT AsText(ST_Transform(MakePointZ($3, $1), $2))" 2> /dev/null | numbers
}
# Longitude, latitude and height at an epoch, or without one.
proj() { echo "$3 $4" | cs2cs -r -s -f %.9f "EPSG:$1" "EPSG:$2" | numbers; }
{
  for pair in '7912 7843 133.8855213 -23.6701103 603.236' '7912 7931 8 50 200' '7912 6319 -105 40 1500'; do
    set -- $pair
    echo "EPSG:$1 to EPSG:$2: $3 $4 $5"
    echo "  PostGIS: $(postgis "$1" "$2" "POINT Z ($3 $4 $5)")"
    echo "  PostGIS, M 2020: $(postgis "$1" "$2" "POINT ZM ($3 $4 $5 2020)")"
    echo "  SpatiaLite: $(spatialite_finds "$1" "$2" "$3, $4, $5")"
    for epoch in 0 '' 2020; do
      echo "  cs2cs, epoch ${epoch:-none}: $(proj "$1" "$2" "$3 $4 $5" "$epoch")"
    done
  done
} > seen

cat > expected <<'SEEN'
EPSG:7912 to EPSG:7843: 133.8855213 -23.6701103 603.236
  PostGIS: 133.8861523 -23.6690369 602.945
  PostGIS, M 2020: 133.8861523 -23.6690369 602.945
  SpatiaLite: 133.8861520 -23.6690370 602.945
  cs2cs, epoch 0: 133.8861523 -23.6690369 602.945
  cs2cs, epoch none: 133.8855213 -23.6701103 603.236
  cs2cs, epoch 2020: 133.8855213 -23.6701103 603.236
EPSG:7912 to EPSG:7931: 8 50 200
  PostGIS: 8.0005329 50.0002844 201.465
  PostGIS, M 2020: 8.0005329 50.0002844 201.465
  SpatiaLite: 8.0005330 50.0002840 201.465
  cs2cs, epoch 0: 8.0005329 50.0002844 201.465
  cs2cs, epoch none: 7.9999950 49.9999964 199.995
  cs2cs, epoch 2020: 7.9999923 49.9999950 199.988
EPSG:7912 to EPSG:6319: -105 40 1500
  PostGIS: -105.0003703 39.9998724 1502.949
  PostGIS, M 2020: -105.0003703 39.9998724 1502.949
  SpatiaLite: -105.0003700 39.9998720 1502.949
  cs2cs, epoch 0: -105.0003703 39.9998724 1502.949
  cs2cs, epoch none: -104.9999874 39.9999943 1500.870
  cs2cs, epoch 2020: -104.9999855 39.9999949 1500.860
SEEN
diff expected seen && cat seen
