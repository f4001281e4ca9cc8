#!/bin/sh
# hal-rest-client 0.5.0, a HAL client, turns a templated link into the answer of its first fetch. The
# second fetch, whatever its parameters, requests the self link of that answer and returns the same
# object: who asks one link for two stations gets the first one twice. Where the self link of a list
# leaves out the query, the second answer is the list without a filter, also in the variable of the
# first. If the resource with the link is read again before each fetch, every parameter is sent.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts hal-rest-client@0.5.0 >&2

cat > read.js <<'JS'
import { createServer } from 'node:http';
import { createClient } from 'hal-rest-client';

const root = {
  _links: {
    station: { href: '/find{?id}', templated: true },
    receivers: { href: '/receivers{?type}', templated: true },
  },
};
const answer = ({ pathname, searchParams }) => {
  const [, kind, name] = pathname.split('/');
  const id = name ?? searchParams.get('id');
  if (kind === '') return root;
  if (kind !== 'receivers') return { id, _links: { self: { href: `/stations/${id}` } } };
  return { filter: searchParams.get('type') ?? 'none', _links: { self: { href: '/receivers' } } };
};
const server = createServer(({ url }, response) => {
  response.setHeader('content-type', 'application/hal+json');
  response.end(JSON.stringify(answer(new URL(url, 'http://localhost'))));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const client = createClient(`http://127.0.0.1:${server.address().port}`);

const link = (await client.fetchResource('/')).link('station');
const alic = await link.fetch({ id: 'ALIC' });
const hob2 = await link.fetch({ id: 'HOB2' });
console.log(`one link: ${alic.prop('id')} and ${hob2.prop('id')}`);

const list = (await client.fetchResource('/')).link('receivers');
const leica = await list.fetch({ type: 'LEICA' });
console.log(`one list: filter ${leica.prop('filter')}`);
const trimble = await list.fetch({ type: 'TRIMBLE' });
console.log(`one list again: filter ${leica.prop('filter')} and ${trimble.prop('filter')}`);

const found = [];
for (const id of ['ALIC', 'HOB2'])
  found.push(await (await client.fetchResource('/')).link('station').fetch({ id }));
console.log(`link read again: ${found.map((resource) => resource.prop('id')).join(' and ')}`);
server.close();
server.closeAllConnections();
JS
node read.js > seen

cat > expected <<'SEEN'
one link: ALIC and ALIC
one list: filter LEICA
one list again: filter none and none
link read again: ALIC and HOB2
SEEN
diff expected seen && cat seen
