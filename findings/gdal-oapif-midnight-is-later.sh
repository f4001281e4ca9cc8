#!/bin/sh
# GDAL 3.6.2 (Debian package gdal-bin), OGC API Features: where the schema of a collection declares a
# time as plain text, GDAL compares it itself, but not the text that was sent. 2016-01-01T00:00:00Z
# becomes "2016/01/01 00:00:00+00". So a filter with an ISO date, > '2016-01-01', is always true in
# that year, also for times before; and a day alone with slashes is earlier than its own midnight:
# > and <= are wrong for what begins at midnight, >= and < are right. With the whole text, all are.
set -eu

VERSION='3.6.2+dfsg-1+b2'
installed() { dpkg-query --show --showformat='${Version}' gdal-bin 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] ||
  apt-get install --yes --no-install-recommends "gdal-bin=$VERSION" >&2
work=$(mktemp -d)
cd "$work"

# A collection with three antennas, installed at midnight, an hour later, and the year before.
cat > serve.js <<'JS'
const { createServer } = require('node:http');
const { writeFileSync } = require('node:fs');
const times = ['2016-06-01T00:00:00Z', '2016-06-01T01:00:00Z', '2015-06-01T00:00:00Z'];
const features = times.map((installed, index) => ({
  type: 'Feature',
  id: index + 1,
  geometry: { type: 'Point', coordinates: [index, 0] },
  properties: { installed },
}));
const server = createServer(({ url }, response) => {
  const base = `http://127.0.0.1:${server.address().port}`;
  const link = (rel, type, path) => ({ rel, type, href: base + path });
  const collection = {
    id: 'antennas',
    links: [
      link('items', 'application/geo+json', '/collections/antennas/items'),
      link('describedBy', 'application/schema+json', '/schema'),
    ],
  };
  const properties = { type: 'object', properties: { installed: { type: 'string' } } };
  const answers = {
    '/': { links: [link('data', 'application/json', '/collections')] },
    '/collections': { collections: [collection], links: [] },
    '/collections/antennas': collection,
    '/schema': { type: 'object', properties: { properties } },
  };
  const [path] = url.split('?');
  const isItems = path.endsWith('/items');
  const body = isItems ? { type: 'FeatureCollection', features, links: [] } : answers[path];
  const type = isItems ? 'geo+json' : path === '/schema' ? 'schema+json' : 'json';
  response.writeHead(body ? 200 : 404, { 'content-type': `application/${type}` });
  response.end(JSON.stringify(body ?? {}));
});
server.listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)));
JS
node serve.js &
server=$!
trap 'kill "$server"; rm -rf "$work"' EXIT
until [ -s port ]; do sleep 0.1; done

# Prints a filter, and how many of the three antennas it finds.
count() {
  found=$(ogrinfo -ro -so -where "\"installed\" $1" "OAPIF:http://127.0.0.1:$(cat port)" antennas 2>/dev/null |
    sed -n 's/^Feature Count: //p')
  echo "$1: $found"
}
{
  count "> '2016-12-01'"
  count "> '2016/12/01'"
  count "> '2016/06/01'"
  count ">= '2016/06/01'"
  count "<= '2016/06/01'"
  count "< '2016/06/01'"
  count "> '2016/06/01 00:00:00+00'"
} > seen

cat > expected <<'SEEN'
> '2016-12-01': 2
> '2016/12/01': 0
> '2016/06/01': 2
>= '2016/06/01': 2
<= '2016/06/01': 1
< '2016/06/01': 1
> '2016/06/01 00:00:00+00': 1
SEEN
diff expected seen && cat seen
