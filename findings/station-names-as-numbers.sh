#!/bin/sh
# Lists of stations have the name behind the coordinates; cs2cs of PROJ 9.1.1 (Debian package proj-bin), GMT
# 6.4.0 (gmt) and gdaltransform of GDAL 3.6.2 (gdal-bin, which does not print it) skip a name such as ALIC.
# A name that begins like a number is one: behind X, Y and Z, cs2cs and gdaltransform take 1LSU as the epoch,
# year 1, and move the place from ITRF2014 to GDA2020 by 135 m. NANO is "not a number" as an epoch, and so is
# the place; gdaltransform then fails. Behind latitude and longitude, cs2cs takes the 1 as the height, and
# leaves LSU as the name. GMT prints NaN for NANO. Except for gdaltransform's failure, there is no message.
# So write a height and an epoch before the name, or the name first and cut it off.
set -eu

PROJ='9.1.1-1+b1'
GDAL='3.6.2+dfsg-1+b2'
GMT='6.4.0+dfsg-2'
installed() { dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || true; }
[ "$(installed proj-bin) $(installed gdal-bin) $(installed gmt)" = "$PROJ $GDAL $GMT" ] ||
  apt-get install --yes --no-install-recommends "proj-bin=$PROJ" "gdal-bin=$GDAL" "gmt=$GMT" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

XYZ='-4052052.7 4212836 -2545104.6'
PLACE='-23.6701103 133.8855213'
for name in ALIC 1LSU NANO; do
  echo "$name"
  echo "  cs2cs, X Y Z: $(echo "$XYZ $name" | cs2cs -f %.3f EPSG:7789 EPSG:7842 | tr '\t' ' ' | sed 's/-nan/nan/')"
  echo "  cs2cs, X Y Z and epoch: $(echo "$XYZ 2020 $name" | cs2cs -f %.3f EPSG:7789 EPSG:7842 | tr '\t' ' ')"
  echo "  gdaltransform, X Y Z: $(echo "$XYZ $name" | gdaltransform -s_srs EPSG:7789 -t_srs EPSG:7842 2>&1)"
  echo "  cs2cs, latitude and longitude: $(echo "$PLACE $name" | cs2cs -f %.3f EPSG:4326 EPSG:32753 | tr '\t' ' ')"
  echo "  gmt, longitude and latitude: $(echo "133.885 -23.670 603.2 $name" | gmt convert --FORMAT_FLOAT_OUT=%.3f | tr '\t' ' ')"
done > seen

cat > expected <<'SEEN'
ALIC
  cs2cs, X Y Z: -4052052.700 4212836.000 -2545104.600 ALIC
  cs2cs, X Y Z and epoch: -4052052.700 4212836.000 -2545104.600 2020 ALIC
  gdaltransform, X Y Z: -4052052.7 4212836 -2545104.6
  cs2cs, latitude and longitude: 386353.203 7381852.280 0.000 ALIC
  gmt, longitude and latitude: 133.885 -23.670 603.200 ALIC
1LSU
  cs2cs, X Y Z: -4052131.962 4212825.583 -2544995.649 1LSU
  cs2cs, X Y Z and epoch: -4052052.700 4212836.000 -2545104.600 2020 1LSU
  gdaltransform, X Y Z: -4052131.96241914 4212825.58346065 -2544995.64875001
  cs2cs, latitude and longitude: 386353.203 7381852.280 1.000LSU
  gmt, longitude and latitude: 133.885 -23.670 603.200 1LSU
NANO
  cs2cs, X Y Z: nan nan nan NANO
  cs2cs, X Y Z and epoch: -4052052.700 4212836.000 -2545104.600 2020 NANO
  gdaltransform, X Y Z: transformation failed.
  cs2cs, latitude and longitude: 386353.203 7381852.280 nanO
  gmt, longitude and latitude: 133.885 -23.670 603.200 NaN
SEEN
diff expected seen && cat seen
