#!/bin/sh
# Four programs read a place in degrees, minutes and seconds, with letters for the hemisphere: cs2cs of PROJ
# 9.1.1 (Debian package proj-bin), gdaltransform of GDAL 3.6.2 (gdal-bin), GMT 6.4.0 (gmt) and GeoConvert of
# GeographicLib 2.1.2 (geographiclib-tools). What GMT writes, 133:53:07.80E 23:40:12.36S, is 133 E on the equator
# for cs2cs, and 133 E 23 N for gdaltransform. What cs2cs writes, 133d53'7.8"E, is no data for GMT and
# gdaltransform. gdaltransform skips letters, so that 23.6701S is north. Hyphens are minus signs to
# GeoConvert, as its manual says: 23-40-12.4S is 4.6 S. GMT warns if it finds no data at all; nothing else gives
# a message. Only GeoConvert reads what the others write. So exchange decimal degrees with a sign.
set -eu

PROJ='9.1.1-1+b1'
GDAL='3.6.2+dfsg-1+b2'
GMT='6.4.0+dfsg-2'
GEOGRAPHICLIB='2.1.2-1'
installed() { dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || true; }
[ "$(installed proj-bin) $(installed gdal-bin) $(installed gmt) $(installed geographiclib-tools)" = \
  "$PROJ $GDAL $GMT $GEOGRAPHICLIB" ] ||
  apt-get install --yes --no-install-recommends "proj-bin=$PROJ" "gdal-bin=$GDAL" "gmt=$GMT" \
    "geographiclib-tools=$GEOGRAPHICLIB" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

GEOGRAPHIC='+proj=longlat +ellps=GRS80'
# Reads a longitude and a latitude with each program.
read_place() {
  echo "$1"
  echo "  cs2cs: $(echo "$1" | cs2cs -f %.4f $GEOGRAPHIC +to $GEOGRAPHIC | tr '\t' ' ')"
  echo "  gdaltransform: $(echo "$1" | gdaltransform -output_xy -s_srs "$GEOGRAPHIC" -t_srs "$GEOGRAPHIC")"
  echo "  gmt: $(echo "$1" | gmt convert -fg --FORMAT_GEO_OUT=D --FORMAT_FLOAT_OUT=%.4f 2>&1 | tr '\t' ' ')"
  echo "  GeoConvert: $(echo "$1" | GeoConvert -w -p -1)"
}
PLACE='133.8855 -23.6701'
{
  echo "$PLACE by cs2cs, gmt and GeoConvert:"
  read_place "$(echo "$PLACE" | cs2cs $GEOGRAPHIC +to $GEOGRAPHIC | cut -d ' ' -f 1 | tr '\t' ' ')"
  read_place "$(echo "$PLACE" | gmt convert -fg --FORMAT_GEO_OUT=ddd:mm:ss.xxF | tr '\t' ' ')"
  read_place "$(echo "$PLACE" | GeoConvert -w -d -p 0)"
  echo 'By hand:'
  read_place '133.8855E 23.6701S'
  read_place '133-53-07.9E 23-40-12.4S'
  read_place "$PLACE"
} > seen

cat > expected <<'SEEN'
133.8855 -23.6701 by cs2cs, gmt and GeoConvert:
133d53'7.8"E 23d40'12.36"S
  cs2cs: 133.8855 -23.6701 0.0000
  gdaltransform: 
  gmt: gmtconvert [WARNING]: No data records provided
  GeoConvert: 133.8855 -23.6701
133:53:07.80E 23:40:12.36S
  cs2cs: 133.0000 0.0000 0.0000:53:07.80E 23:40:12.36S
  gdaltransform: 133 23
  gmt: 133.8855 -23.6701
  GeoConvert: 133.8855 -23.6701
133d53'07.8"E 23d40'12.4"S
  cs2cs: 133.8855 -23.6701 0.0000
  gdaltransform: 
  gmt: gmtconvert [WARNING]: No data records provided
  GeoConvert: 133.8855 -23.6701
By hand:
133.8855E 23.6701S
  cs2cs: 133.8855 -23.6701 0.0000
  gdaltransform: 133.8855 23.6701
  gmt: 133.8855 -23.6701
  GeoConvert: 133.8855 -23.6701
133-53-07.9E 23-40-12.4S
  cs2cs: 133.0000 -53.0000 -7.9000E 23-40-12.4S
  gdaltransform: 133 23
  gmt: 133.0000 23-40-12.4S
  GeoConvert: 72.1000 -4.6000
133.8855 -23.6701
  cs2cs: 133.8855 -23.6701 0.0000
  gdaltransform: 133.8855 -23.6701
  gmt: 133.8855 -23.6701
  GeoConvert: 133.8855 -23.6701
SEEN
diff expected seen && cat seen
