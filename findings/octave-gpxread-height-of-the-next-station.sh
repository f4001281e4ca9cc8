#!/bin/sh
# gpxread of octave-mapping 1.4.2 (Debian package octave-mapping) reads GPX by the order of its tags. A station without
# a height gets the height and the name of the next one, which is then missing: TIDB is at the place of NONE. At the
# end of a file, such stations are left out; in a track, the next height is taken, and one point is lost. A station
# whose lon stands before its lat, or in single quotes, is left out too; in XML, that is the same. In KML, kmlread
# gives a place without a name the name before it. GDAL 3.6.2 (gdal-bin) reads all points of the GPX. Nothing gives a message.
# So write a height for every point, and a name for every place, before they read it, and count the points.
set -eu

OCTAVE='1.4.2-3'
GDAL='3.6.2+dfsg-1+b2'
installed() { dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || true; }
[ "$(installed octave-mapping) $(installed gdal-bin)" = "$OCTAVE $GDAL" ] ||
  apt-get install --yes --no-install-recommends "octave-mapping=$OCTAVE" "gdal-bin=$GDAL" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat > stations.gpx <<'XML'
<gpx version="1.1" creator="hand" xmlns="http://www.topografix.com/GPX/1/1">
<wpt lat="-23.67" lon="133.88"><ele>603.2</ele><name>ALIC</name></wpt>
<wpt lat="-42.8" lon="147.4"><name>NONE</name></wpt>
<wpt lat="-35.4" lon="149"><ele>665.4</ele><name>TIDB</name></wpt>
<wpt lon="115.9" lat="-31.8"><ele>12.8</ele><name>PERT</name></wpt>
<wpt lat='-45.9' lon='170.5'><ele>26</ele><name>OUS2</name></wpt>
<wpt lat="-12.8" lon="131.1"><name>DARW</name></wpt>
<trk><trkseg>
<trkpt lat="1.001" lon="2.001"><ele>603.2</ele></trkpt>
<trkpt lat="1.002" lon="2.002"></trkpt>
<trkpt lat="1.003" lon="2.003"><ele>665.4</ele></trkpt>
</trkseg></trk>
</gpx>
XML
cat > stations.kml <<'XML'
<kml xmlns="http://www.opengis.net/kml/2.2"><Document>
<Placemark><name>ALIC</name><Point><coordinates>133.88,-23.67,603.2</coordinates></Point></Placemark>
<Placemark><Point><coordinates>149,-35.4,665.4</coordinates></Point></Placemark>
</Document></kml>
XML
cat > read.m <<'OCTAVE'
pkg load mapping
for station = gpxread ("stations.gpx", "feature", "waypoint")
  printf ("octave: %s %g %g %g\n", station.Name, station.Lat, station.Lon, station.Ele);
end
track = gpxread ("stations.gpx", "feature", "track");
printf ("octave, track: %g %g %g\n", [track.Lat, track.Lon, track.Ele]');
for place = kmlread ("stations.kml")
  printf ("octave, KML: %s %g %g %g\n", place.Name, place.Lat, place.Lon, place.Ele);
end
OCTAVE
# What GDAL reads in a layer: as CSV with the columns x, y and those given.
csv() { ogr2ogr -f CSV -lco GEOMETRY=AS_XY -select "$2" /vsistdout/ stations.gpx "$1" | tail -n +2 | tr -d '"'; }
{
  octave-cli --no-init-file read.m
  csv waypoints name,ele | awk -F , '{ print "gdal: " $3, $2, $1, $4 }'
  csv track_points ele | awk -F , '{ print "gdal, track: " $2, $1, $3 }'
} > seen

cat > expected <<'SEEN'
octave: ALIC -23.67 133.88 603.2
octave: TIDB -42.8 147.4 665.4
octave, track: 1.001 2.001 603.2
octave, track: 1.002 2.002 665.4
octave, KML: ALIC -23.67 133.88 603.2
octave, KML: ALIC -35.4 149 665.4
gdal: ALIC -23.67 133.88 603.2
gdal: NONE -42.8 147.4 
gdal: TIDB -35.4 149.0 665.4
gdal: PERT -31.8 115.9 12.8
gdal: OUS2 -45.9 170.5 26
gdal: DARW -12.8 131.1 
gdal, track: 1.001 2.001 603.2
gdal, track: 1.002 2.002 
gdal, track: 1.003 2.003 665.4
SEEN
diff expected seen && cat seen
