#!/bin/sh
# CSV with units, such as an eccentricity of "-0.0042 m": Table Schema has bareNumber for it; false says that
# other characters may stand before and behind a number, and are to be removed. tableschema 1.12.6 (npm) removes
# a minus or a decimal point in front too: -0.0042 m becomes 0.0042, a latitude of -23.67 becomes 23.67, also
# without a unit, an alignment of -110 deg becomes 110, and .0083 m becomes 83. A blank in quotation marks is
# the number 0, an unknown height at sea level, with and without bareNumber. That gives no error; "45 m2"
# does. datapackage 1.1.10, which reads whole packages with it, returns the same.
# So remove the units first, and leave bareNumber out.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts tableschema@1.12.6 datapackage@1.1.10 >&2

cat > read.js <<'JS'
import { writeFileSync } from 'node:fs';
import datapackage from 'datapackage';
import tableschema from 'tableschema';

const cells = {
  number: ['0.0042 m', '-0.0042 m', '-23.67', '.0083 m', ' ', '45 m2'],
  integer: ['-110 deg', '-110'],
};
const cast = (options, text) => {
  try {
    return new tableschema.Field({ name: 'value', ...options }).castValue(text);
  } catch {
    return 'error';
  }
};
for (const [type, texts] of Object.entries(cells)) {
  for (const text of texts) {
    const values = [{ type, bareNumber: false }, { type }].map((options) => cast(options, text));
    console.log(`${type} "${text}": bareNumber false ${values[0]}, true ${values[1]}`);
  }
}

writeFileSync('antennas.csv', 'id,north\nALIC,-0.0042 m\nHOB2,0.0042 m\n');
const fields = [
  { name: 'id', type: 'string' },
  { name: 'north', type: 'number', bareNumber: false },
];
const antennas = { name: 'antennas', path: 'antennas.csv', profile: 'tabular-data-resource', schema: { fields } };
const { resources } = await datapackage.Package.load({ name: 'stations', resources: [antennas] }, { basePath: '.' });
console.log(`datapackage: ${JSON.stringify(await resources[0].read())}`);
JS
node read.js > seen

cat > expected <<'SEEN'
number "0.0042 m": bareNumber false 0.0042, true error
number "-0.0042 m": bareNumber false 0.0042, true error
number "-23.67": bareNumber false 23.67, true -23.67
number ".0083 m": bareNumber false 83, true error
number " ": bareNumber false 0, true 0
number "45 m2": bareNumber false error, true error
integer "-110 deg": bareNumber false 110, true error
integer "-110": bareNumber false 110, true -110
datapackage: [["ALIC",0.0042],["HOB2",0.0042]]
SEEN
diff expected seen && cat seen
