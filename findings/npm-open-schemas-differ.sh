#!/bin/sh
# In JSON Schema, an object without additionalProperties and one with "additionalProperties": true
# allow the same. Generators of TypeScript disagree. openapi-typescript 7.13.0 writes an index
# signature, [key: string]: unknown, for true only: then a misspelt member compiles, as unknown.
# json-schema-to-typescript 16.0.0 and quicktype-core 26.0.0 write one for both. Only
# "additionalProperties": false gives closed types in all three. So a document that promises further
# members, and is read by openapi-typescript, should leave the keyword out.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts \
  openapi-typescript@7.13.0 json-schema-to-typescript@16.0.0 quicktype-core@26.0.0 \
  typescript@5.9.3 >&2

cat > generate.js <<'JS'
import { compile } from 'json-schema-to-typescript';
import openapiTS, { astToString } from 'openapi-typescript';
import { InputData, JSONSchemaInput, quicktype } from 'quicktype-core';

const device = { type: 'object', required: ['type'], properties: { type: { type: 'string' } } };
const schemas = {
  'left out': device,
  true: { ...device, additionalProperties: true },
  false: { ...device, additionalProperties: false },
};
const generators = {
  'openapi-typescript': async (Device) => {
    const info = { title: 'Devices', version: '1' };
    const document = { openapi: '3.1.0', info, paths: {}, components: { schemas: { Device } } };
    return astToString(await openapiTS(document));
  },
  'json-schema-to-typescript': (schema) => compile(structuredClone(schema), 'Device'),
  'quicktype-core': async (schema) => {
    const input = new JSONSchemaInput(undefined);
    await input.addSource({ name: 'Device', schema: JSON.stringify(schema) });
    const inputData = new InputData();
    inputData.addInput(input);
    const rendererOptions = { 'just-types': 'true' };
    return (await quicktype({ inputData, lang: 'typescript', rendererOptions })).lines.join('\n');
  },
};
for (const [name, generate] of Object.entries(generators)) {
  const found = [];
  for (const [keyword, schema] of Object.entries(schemas)) {
    const isOpen = /\[\w+: string\]: unknown/.test(await generate(schema));
    found.push(`${keyword}: ${isOpen ? 'open' : 'closed'}`);
  }
  console.log(`${name}: ${found.join(', ')}`);
}
JS
node generate.js > seen

cat > expected <<'SEEN'
openapi-typescript: left out: closed, true: open, false: closed
json-schema-to-typescript: left out: open, true: open, false: closed
quicktype-core: left out: open, true: open, false: closed
SEEN
diff expected seen && cat seen
