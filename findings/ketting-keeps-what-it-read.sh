#!/bin/sh
# ketting 8.0.0, a HAL client, keeps every answer in its default cache, also one whose Cache-Control
# says no-store: a second get() sends no request. An element that a list has embedded replaces the
# answer of its own URL, even if it is shorter: members that were read before are gone. With
# client.cache = new NeverCache(), each get() is a request.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts ketting@8.0.0 >&2

cat > read.js <<'JS'
import { createServer } from 'node:http';
import { Client, NeverCache } from 'ketting';

const item = { name: 'ALIC', _links: { self: { href: '/item' } } };
let requests = 0;
const server = createServer(({ url }, response) => {
  requests += 1;
  const list = { _links: { self: { href: '/list' } }, _embedded: { item: [item] } };
  response.setHeader('content-type', 'application/hal+json');
  response.setHeader('cache-control', 'no-cache, no-store, max-age=0');
  response.end(JSON.stringify(url === '/list' ? list : { ...item, height: 603.3 }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

for (const cache of ['default', 'NeverCache']) {
  const client = new Client(`http://127.0.0.1:${server.address().port}/`);
  if (cache === 'NeverCache') client.cache = new NeverCache();
  const read = async () => JSON.stringify((await client.go('/item').get()).data);
  requests = 0;
  await read();
  await read();
  console.log(`${cache}: 2 reads, ${requests} requests`);
  await client.go('/list').get();
  console.log(`${cache}: after the list, ${await read()}`);
}
server.close();
server.closeAllConnections();
JS
node read.js > seen

cat > expected <<'SEEN'
default: 2 reads, 1 requests
default: after the list, {"name":"ALIC"}
NeverCache: 2 reads, 2 requests
NeverCache: after the list, {"name":"ALIC","height":603.3}
SEEN
diff expected seen && cat seen
