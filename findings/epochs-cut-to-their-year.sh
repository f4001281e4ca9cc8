#!/bin/sh
# Coordinates in ITRF2014 move with time, so a transformation to GDA2020 needs their epoch. cs2cs of
# PROJ 9.1.1 (Debian package proj-bin), gdaltransform and ogr2ogr of GDAL 3.6.2 (gdal-bin) read it as
# a number up to the first other character: 2016-07-01, 2016:183 and a whole time are 2016.0, half a
# year and 27 mm in Z away. 20160701 is the year twenty million, and moves the place by 1,000 km. Without
# an epoch it stays. gdaltransform reads EPSG:7789@2016.5 as no epoch; cs2cs refuses that. Nothing
# else gives a message. So give epochs as decimal years.
set -eu

PROJ='9.1.1-1+b1'
GDAL='3.6.2+dfsg-1+b2'
installed() { dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || true; }
[ "$(installed proj-bin) $(installed gdal-bin)" = "$PROJ $GDAL" ] ||
  apt-get install --yes --no-install-recommends "proj-bin=$PROJ" "gdal-bin=$GDAL" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# The same place in ITRF2014 at each epoch; printed is its Z in GDA2020.
echo '{ "type": "Point", "coordinates": [-4052052.7, 4212836, -2545104.6] }' > site.geojson
place='-4052052.7 4212836 -2545104.6'
cs2cs_z() { echo "$place $1" | cs2cs -f %.3f EPSG:7789 EPSG:7842 | cut -d ' ' -f 2; }
gdaltransform_z() {
  echo "$place $1" | gdaltransform -s_srs "$2" -t_srs EPSG:7842 | xargs printf '%.3f %.3f %.3f' | cut -d ' ' -f 3
}
ogr2ogr_z() {
  ogr2ogr -f GeoJSON -s_srs EPSG:7789 -t_srs EPSG:7842 -s_coord_epoch "$1" -lco COORDINATE_PRECISION=3 \
    /vsistdout/ site.geojson | sed -n 's/.* \(-[0-9.]*\) \] } }$/\1/p'
}
{
  for epoch in 2016.5 2016 2016-07-01 2016:183 2016-07-01T00:00:00Z; do
    echo "$epoch: cs2cs $(cs2cs_z "$epoch"), gdaltransform $(gdaltransform_z "$epoch" EPSG:7789), ogr2ogr $(ogr2ogr_z "$epoch")"
  done
  echo "none: cs2cs $(cs2cs_z ''), gdaltransform $(gdaltransform_z '' EPSG:7789)"
  echo "20160701: cs2cs $(cs2cs_z 20160701)"
  echo "EPSG:7789@2016.5: cs2cs $(echo "$place" | cs2cs EPSG:7789@2016.5 EPSG:7842 2>/dev/null || echo refuses)"
  echo "EPSG:7789@2016.5: gdaltransform $(gdaltransform_z '' EPSG:7789@2016.5)"
} > seen 2>&1

cat > expected <<'SEEN'
2016.5: cs2cs -2545104.411, gdaltransform -2545104.411, ogr2ogr -2545104.411
2016: cs2cs -2545104.384, gdaltransform -2545104.384, ogr2ogr -2545104.384
2016-07-01: cs2cs -2545104.384, gdaltransform -2545104.384, ogr2ogr -2545104.384
2016:183: cs2cs -2545104.384, gdaltransform -2545104.384, ogr2ogr -2545104.384
2016-07-01T00:00:00Z: cs2cs -2545104.384, gdaltransform -2545104.384, ogr2ogr -2545104.384
none: cs2cs -2545104.600, gdaltransform -2545104.600
20160701: cs2cs -3632927.033
EPSG:7789@2016.5: cs2cs refuses
EPSG:7789@2016.5: gdaltransform -2545104.600
SEEN
diff expected seen && cat seen
