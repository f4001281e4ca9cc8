#!/bin/sh
# JSON Schema 2020-12 says how to bundle schemas (section 9.3): each keeps its $id in $defs, and
# references by these ids stay as they are. ajv 8.20.0, quicktype-core 26.0.0 and typebox 1.4.3 read
# such a document. json-schema-to-typescript 16.0.0 does not look for the id in the document, but
# tries to download it, and fails. With references of the form #/$defs/Clock, all four read it.
# If a reference leads nowhere, typebox reports no error: every value is then invalid.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts \
  ajv@8.20.0 json-schema-to-typescript@16.0.0 quicktype-core@26.0.0 typebox@1.4.3 >&2

cat > read.js <<'JS'
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compile } from 'json-schema-to-typescript';
import { InputData, JSONSchemaInput, quicktype } from 'quicktype-core';
import { Value } from 'typebox/value';

// The host exists nowhere.
const CLOCK = 'https://schemas.invalid/Clock';
const bundled = (reference, id) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://schemas.invalid/Site',
  type: 'object',
  required: ['clock'],
  properties: { clock: { $ref: reference } },
  $defs: {
    Clock: {
      ...id,
      type: 'object',
      required: ['type'],
      properties: { type: { type: 'string' } },
    },
  },
});
const VALUES = [{ clock: { type: 'INTERNAL' } }, { clock: {} }];
const readers = {
  ajv: (schema) => VALUES.map((value) => new Ajv2020().compile(schema)(value)),
  typebox: (schema) => VALUES.map((value) => Value.Check(schema, value)),
  'quicktype-core': async (schema) => {
    const input = new JSONSchemaInput(undefined);
    await input.addSource({ name: 'Site', schema: JSON.stringify(schema) });
    const inputData = new InputData();
    inputData.addInput(input);
    const { lines } = await quicktype({ inputData, lang: 'typescript' });
    return /clock: +Clock;/.test(lines.join('\n'));
  },
  'json-schema-to-typescript': async (schema) => /clock: Clock/.test(await compile(schema, 'Site')),
};
for (const [name, read] of Object.entries(readers)) {
  const found = [];
  for (const schema of [bundled(CLOCK, { $id: CLOCK }), bundled('#/$defs/Clock', {})]) {
    try {
      found.push(String(await read(schema)));
    } catch (error) {
      found.push(/downloading/.test(error.message) ? 'tries to download it' : error.message);
    }
  }
  console.log(`${name}: by $id ${found[0]}; by path ${found[1]}`);
}
console.log(`typebox, a reference to nothing: ${readers.typebox(bundled(CLOCK, {}))}`);
JS
node read.js > seen

cat > expected <<'SEEN'
ajv: by $id true,false; by path true,false
typebox: by $id true,false; by path true,false
quicktype-core: by $id true; by path true
json-schema-to-typescript: by $id tries to download it; by path true
typebox, a reference to nothing: false,false
SEEN
diff expected seen && cat seen
