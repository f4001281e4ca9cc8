#!/bin/sh
# Clients of OGC API Features send times as datetime: an instant or an interval, of which ".." leaves an end open.
# @ogcapi-js/features 1.1.1 (npm) reads such a text as a Date first. A day becomes the instant of its midnight, and
# finds no antenna that was installed later that day. The open intervals 2016-06-01/.. and ../2016-06-01 both become
# the same instant, at midnight of the machine's own time zone: 2016-05-31T14:00:00.000Z in Sydney, and no antenna
# instead of three. Closed intervals, and those with a time, are refused as "invalid datetime"; as { start, end },
# they are sent, but the last day is cut off. OWSLib 0.27.2 (Debian package python3-owslib) sends all as they are.
# So give instants with their time, and intervals as { start, end }.
set -eu

VERSION='0.27.2-3'
installed() { dpkg-query --show --showformat='${Version}' python3-owslib 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] ||
  apt-get install --yes --no-install-recommends "python3-owslib=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @ogcapi-js/features@1.1.1 >&2

cat > ask.py <<'PYTHON'
import sys

from owslib.ogcapi.features import Features

Features(sys.argv[1]).collection_items('antennas', datetime=sys.argv[2])
PYTHON
cat > ask.js <<'JS'
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import features from '@ogcapi-js/features';

const DAY = 86400000;
// Three antennas, installed in June 2016.
const INSTALLED = ['2016-06-01T05:00:00Z', '2016-06-02T00:00:00Z', '2016-06-30T12:00:00Z'].map(Date.parse);
// From and to of an instant, a day or an interval. A day is the whole day.
const limits = (text) => {
  const [from, to = from] = text.split('/');
  const isOpen = (end) => end === '' || end === '..';
  const lengthOf = (end) => (end.includes('T') ? 0 : DAY - 1);
  return [isOpen(from) ? -Infinity : Date.parse(from), isOpen(to) ? Infinity : Date.parse(to) + lengthOf(to)];
};
let last = '';
const server = createServer(({ url }, response) => {
  const datetime = new URL(url, 'http://localhost').searchParams.get('datetime');
  if (datetime) {
    const [from, to] = limits(datetime);
    last = `${datetime}, ${INSTALLED.filter((time) => from <= time && time <= to).length} of 3`;
  }
  response.setHeader('content-type', 'application/geo+json');
  response.end(JSON.stringify({ type: 'FeatureCollection', features: [], links: [] }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const baseUrl = `http://127.0.0.1:${server.address().port}`;
const clients = {
  owslib: (datetime) => promisify(execFile)('/usr/bin/python3', ['ask.py', baseUrl, datetime]),
  'ogcapi-js': (datetime) => new features.FeatureService({ baseUrl }).getFeatures('antennas', { datetime }),
};
const ask = async (name, datetime) => {
  try {
    await clients[name](datetime);
    console.log(`  ${name}: ${last}`);
  } catch ({ message }) {
    console.log(`  ${name}: error: ${message}`);
  }
};
const texts = [
  '2016-06-02T00:00:00Z',
  '2016-06-01',
  '2016-06-01/..',
  '../2016-06-01',
  '2016-06-01/2016-06-30',
  '2016-06-01T00:00:00Z/..',
];
for (const text of texts) {
  console.log(text);
  for (const name of Object.keys(clients)) await ask(name, text);
}
for (const interval of [{ start: '2016-06-01' }, { start: '2016-06-01', end: '2016-06-30' }]) {
  console.log(JSON.stringify(interval));
  await ask('ogcapi-js', interval);
}
server.close();
server.closeAllConnections();
JS
TZ=Australia/Sydney node ask.js > seen

cat > expected <<'SEEN'
2016-06-02T00:00:00Z
  owslib: 2016-06-02T00:00:00Z, 1 of 3
  ogcapi-js: 2016-06-02T00:00:00.000Z, 1 of 3
2016-06-01
  owslib: 2016-06-01, 1 of 3
  ogcapi-js: 2016-06-01T00:00:00.000Z, 0 of 3
2016-06-01/..
  owslib: 2016-06-01/.., 3 of 3
  ogcapi-js: 2016-05-31T14:00:00.000Z, 0 of 3
../2016-06-01
  owslib: ../2016-06-01, 1 of 3
  ogcapi-js: 2016-05-31T14:00:00.000Z, 0 of 3
2016-06-01/2016-06-30
  owslib: 2016-06-01/2016-06-30, 3 of 3
  ogcapi-js: error: invalid datetime
2016-06-01T00:00:00Z/..
  owslib: 2016-06-01T00:00:00Z/.., 3 of 3
  ogcapi-js: error: invalid datetime
{"start":"2016-06-01"}
  ogcapi-js: 2016-06-01T00:00:00.000Z/, 3 of 3
{"start":"2016-06-01","end":"2016-06-30"}
  ogcapi-js: 2016-06-01T00:00:00.000Z/2016-06-30T00:00:00.000Z, 2 of 3
SEEN
diff expected seen && cat seen
