#!/bin/sh
# Vincenty's method, which many programs use for the distance of two places, does not converge near the antipode,
# where New Zealand is for Spain. For such stations, mapproject -je of GMT 6.4.0 (Debian package gmt) returns half of
# the equator, 56 km too much, without a message; Geo::Inverse 0.07 and Geo::Distance 0.25 with formula "tv"
# (libgeo-inverse-perl, libgeo-distance-perl) 35 km too little, without a message; pymap3d 2.9.1 (python3-pymap3d)
# 3 km too little, and 44 km on the equator, with a warning that precision may be reduced "slightly". vincenty of
# octave-mapping 1.4.2 stops, but from 0 to 180 degrees on the equator it returns 0. geodesy 2.4.0, geolib 3.3.14 and
# node-vincenty 0.0.6 (npm) return NaN or null, geodesy not for 0 to 180. GeodSolve of GeographicLib 2.1.2
# (geographiclib-tools) is right. The formula "polar" of Geo::Distance is wrong everywhere: 3,729 km for 1,955.
set -eu

GEOGRAPHICLIB='2.1.2-1'
GMT='6.4.0+dfsg-2'
OCTAVE='1.4.2-3'
INVERSE='0.07-1'
DISTANCE='0.25-3'
PYMAP3D='2.9.1-1'
installed() { dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || true; }
[ "$(installed geographiclib-tools) $(installed gmt) $(installed octave-mapping)" = "$GEOGRAPHICLIB $GMT $OCTAVE" ] &&
  [ "$(installed libgeo-inverse-perl) $(installed libgeo-distance-perl) $(installed python3-pymap3d)" = \
    "$INVERSE $DISTANCE $PYMAP3D" ] ||
  apt-get install --yes --no-install-recommends "geographiclib-tools=$GEOGRAPHICLIB" "gmt=$GMT" \
    "octave-mapping=$OCTAVE" "libgeo-inverse-perl=$INVERSE" "libgeo-distance-perl=$DISTANCE" \
    "python3-pymap3d=$PYMAP3D" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts geodesy@2.4.0 geolib@3.3.14 node-vincenty@0.0.6 >&2

cat > measure.js <<'JS'
import LatLon from 'geodesy/latlon-ellipsoidal-vincenty.js';
import { getPreciseDistance } from 'geolib';
import vincenty from 'node-vincenty';

const [lat1, lon1, lat2, lon2] = process.argv.slice(2).map(Number);
const point = (latitude, longitude) => ({ latitude, longitude });
const geodesy = new LatLon(lat1, lon1).distanceTo(new LatLon(lat2, lon2));
const geolib = getPreciseDistance(point(lat1, lon1), point(lat2, lon2), 0.001);
const found = vincenty.distVincenty(lat1, lon1, lat2, lon2)?.distance ?? null;
console.log(`geodesy ${geodesy}, geolib ${geolib}, node-vincenty ${found}`);
JS
cat > measure.pl <<'PERL'
use Geo::Distance;
use Geo::Inverse;
my ($lat1, $lon1, $lat2, $lon2) = @ARGV;
my @formulas = map {
  my $measure = Geo::Distance->new;
  $measure->formula($_);
  sprintf '%s %.0f', $_, $measure->distance('meter', $lon1, $lat1 => $lon2, $lat2);
} qw(tv hsin polar);
my (undef, undef, $inverse) = Geo::Inverse->new('WGS84')->inverse($lat1, $lon1, $lat2, $lon2);
printf "Geo::Inverse %.0f, Geo::Distance %s\n", $inverse, join ' ', @formulas;
PERL
cat > measure.py <<'PYTHON'
import logging
import sys

from pymap3d.vincenty import vdist

logging.basicConfig(stream=sys.stdout, format='pymap3d: %(message)s')
print('pymap3d %.0f' % vdist(*map(float, sys.argv[1:]))[0])
PYTHON
# Prints the distance in metres of two places, given by latitude and longitude.
measure() {
  echo "$1 $2, $3 $4"
  echo "  GeodSolve $(echo "$@" | GeodSolve -i -p 0 | cut -d ' ' -f 3)"
  gmt=$(echo "$2 $1" | gmt mapproject "-G$4/$3" -je --FORMAT_FLOAT_OUT=%.0f 2> /dev/null | cut -f 3)
  octave=$(octave-cli --no-init-file --eval "pkg load mapping; printf('%.0f', vincenty([$1 $2], [$3 $4]))" 2>&1 || true)
  echo "  gmt $gmt, octave $(echo "$octave" | head -1)"
  echo "  $(perl measure.pl "$@")"
  /usr/bin/python3 measure.py "$@" | sed 's/^/  /'
  echo "  $(node measure.js "$@")"
}
{
  measure -35.4 149 -23.67 133.88
  measure 40.4 -4.2 -40.6 175.9
  measure 0 0 0 179.9
  measure 0 0 0 180
} > seen

cat > expected <<'SEEN'
-35.4 149, -23.67 133.88
  GeodSolve 1954698
  gmt 1954698, octave 1954698
  Geo::Inverse 1954698, Geo::Distance tv 1954698 hsin 1955512 polar 3729151
  pymap3d 1954698
  geodesy 1954697.521, geolib 1954697.521, node-vincenty 1954697.521
40.4 -4.2, -40.6 175.9
  GeodSolve 19981136
  gmt 20037508, octave error: Inverse Vincenty's formulae failed to converge!
  Geo::Inverse 19946037, Geo::Distance tv 19946037 hsin 19993303 polar 20039333
  pymap3d: Essentially antipodal points encountered. Precision may be reduced slightly.
  pymap3d 19977699
  geodesy NaN, geolib NaN, node-vincenty null
0 0, 0 179.9
  GeodSolve 20003008
  gmt 20037508, octave error: Inverse Vincenty's formulae failed to converge!
  Geo::Inverse 19892461, Geo::Distance tv 19892461 hsin 20005977 polar 20017090
  pymap3d: Essentially antipodal points encountered. Precision may be reduced slightly.
  pymap3d 19959232
  geodesy NaN, geolib NaN, node-vincenty null
0 0, 0 180
  GeodSolve 20003931
  gmt 20037508, octave 0
  Geo::Inverse 19903593, Geo::Distance tv 19903593 hsin 20017097 polar 20017097
  pymap3d: Essentially antipodal points encountered. Precision may be reduced slightly.
  pymap3d 19970326
  geodesy 20003931.459, geolib NaN, node-vincenty null
SEEN
diff expected seen && cat seen
