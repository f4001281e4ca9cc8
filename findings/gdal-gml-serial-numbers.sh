#!/bin/sh
# XML has texts; a schema gives them types. Where GDAL 3.6.2 (Debian package gdal-bin) finds no schema of a GML
# file, it guesses: serial number 09370001 is then 9370001, firmware 4.60 is 4.6 and marker 0130 is 130, in
# all that is made of them, without a message. That depends on the other stations of the file: if one
# serial number has a letter, all keep their zeros. What GDAL writes itself is read rightly only as long as
# its .xsd is beside it. GML_FIELDTYPES=ALWAYS_STRING keeps all texts, but not if the file was read before
# without it: the guess is in a file .gfs beside it, which wins; in the other order, texts stay texts.
# So set it before the first reading, or delete the .gfs.
set -eu

VERSION='3.6.2+dfsg-1+b2'
installed() { dpkg-query --show --showformat='${Version}' gdal-bin 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] ||
  apt-get install --yes --no-install-recommends "gdal-bin=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Writes stations as GML, with the given serial numbers.
write() {
  echo '<w:FeatureCollection xmlns:w="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml/3.2">'
  for serial in "$@"; do
    printf '<gml:featureMember><station><serial>%s</serial><firmware>4.60</firmware>' "$serial"
    printf '<marker>0130</marker></station></gml:featureMember>\n'
  done
  echo '</w:FeatureCollection>'
}
# Reads a file; prints its serial numbers, firmware versions and markers.
csv() {
  echo "$1: $(ogr2ogr -f CSV -select serial,firmware,marker /vsistdout/ "$2" $3 2>&1 | tail -n +2 | tr -d '"' | paste -s -d ' ')"
}
STRINGS='--config GML_FIELDTYPES ALWAYS_STRING'
{
  write 09370001 00123 > stations.gml
  csv GML stations.gml ''
  csv 'GML again, as strings' stations.gml "$STRINGS"
  rm stations.gfs
  csv 'GML without its .gfs, as strings' stations.gml "$STRINGS"
  csv 'GML again' stations.gml ''
  write 09370001 00123A > letter.gml
  csv 'GML, a serial number with a letter' letter.gml ''
  printf '%s\n' serial,firmware,marker 09370001,4.60,0130 00123,4.60,0130 > stations.csv
  csv CSV stations.csv ''
  ogr2ogr -f GML written.gml stations.csv
  csv 'GML by GDAL' written.gml ''
  rm -f written.xsd written.gfs
  csv 'GML by GDAL, without its .xsd' written.gml ''
} > seen

cat > expected <<'SEEN'
GML: 9370001,4.6,130 123,4.6,130
GML again, as strings: 9370001,4.6,130 123,4.6,130
GML without its .gfs, as strings: 09370001,4.60,0130 00123,4.60,0130
GML again: 09370001,4.60,0130 00123,4.60,0130
GML, a serial number with a letter: 09370001,4.6,130 00123A,4.6,130
CSV: 09370001,4.60,0130 00123,4.60,0130
GML by GDAL: 09370001,4.60,0130 00123,4.60,0130
GML by GDAL, without its .xsd: 9370001,4.6,130 123,4.6,130
SEEN
diff expected seen && cat seen
