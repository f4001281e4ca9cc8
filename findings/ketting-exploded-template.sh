#!/bin/sh
# ketting 8.0.0 expands the URI Template /find{?id*} (RFC 6570) rightly for a list, but for a single
# string it leaves out the name: /find?ALIC, where RFC 6570 (section 3.2.8) says /find?id=ALIC. The
# plain template /find{?id} is right for both; a list is then id=ALIC,HOB2. So a service that wants
# ketting to send one value or several offers the plain form, and reads commas.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts ketting@8.0.0 >&2

cat > expand.js <<'JS'
import { createServer } from 'node:http';
import { Client } from 'ketting';

const templated = true;
const root = {
  _links: { plain: { href: '/find{?id}', templated }, exploded: { href: '/find{?id*}', templated } },
};
const server = createServer(({ url }, response) => {
  response.setHeader('content-type', 'application/hal+json');
  response.end(JSON.stringify(url === '/' ? root : { url }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const client = new Client(`http://127.0.0.1:${server.address().port}/`);
for (const rel of ['plain', 'exploded']) {
  for (const id of ['ALIC', ['ALIC', 'HOB2']]) {
    const resource = await client.follow(rel, { id });
    console.log(`${rel} ${JSON.stringify(id)}: ${(await resource.get()).data.url}`);
  }
}
server.close();
server.closeAllConnections();
JS
node expand.js > seen

cat > expected <<'SEEN'
plain "ALIC": /find?id=ALIC
plain ["ALIC","HOB2"]: /find?id=ALIC,HOB2
exploded "ALIC": /find?ALIC
exploded ["ALIC","HOB2"]: /find?id=ALIC&id=HOB2
SEEN
diff expected seen && cat seen
