import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { nodeCommand } from '../node-command.js';
import { SAMPLE } from '../project-files.js';
import { openService } from '../service.js';
import { installPackages, UNREACHABLE } from './packages.js';

const VERSIONS = {
  'quicktype-core': '26.0.0',
  'json-schema-to-typescript': '16.0.0',
  typebox: '1.4.3',
};

/** What each program makes of a schema alone, and of a Setup. */
const SCRIPT = `
import { readFileSync } from 'node:fs';
import { InputData, JSONSchemaInput, quicktype } from 'quicktype-core';
import { compile } from 'json-schema-to-typescript';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';

const text = readFileSync('Setup.json', 'utf8');
const setup = JSON.parse(readFileSync('example.json', 'utf8'));
const program = {
  quicktype: async () => {
    const input = new JSONSchemaInput(undefined);
    await input.addSource({ name: 'Setup', schema: text });
    const inputData = new InputData();
    inputData.addInput(input);
    return (await quicktype({ inputData, lang: 'typescript' })).lines.join('\\n');
  },
  'json-schema-to-typescript': () => compile(JSON.parse(text), 'Setup', { cwd: process.cwd() }),
  typebox: async () => {
    const schema = JSON.parse(text);
    const isRight = (value) => Compile(schema).Check(value) && Value.Check(schema, value);
    const { id, ...withoutId } = setup;
    return [setup, { ...setup, more: 1 }, { ...setup, current: null }, withoutId].map(isRight);
  },
}[process.argv[2]];
process.stdout.write(JSON.stringify(await program()));
`;

t.test('programs that know no other schema read Setup.json alone', async (t) => {
  const { get } = await openService(t, [SAMPLE]);
  const folder = await installPackages(join(t.testdirName, 'packages'), VERSIONS);
  if (folder === null) return void t.pass('no packages', UNREACHABLE);
  writeFileSync(join(folder, 'Setup.json'), (await get('/schemas/Setup.json')).body);
  writeFileSync(join(folder, 'example.json'), (await get('/setups/1')).body);
  writeFileSync(join(folder, 'read.mjs'), SCRIPT);
  const run = async (program: string): Promise<unknown> => {
    const command = nodeCommand('read.mjs', program);
    return JSON.parse((await promisify(execFile)(...command, { cwd: folder })).stdout);
  };
  await t.test('quicktype', async (t) => {
    const types = String(await run('quicktype'));
    t.match(types, /interface Setup \{/);
    t.match(types, /markerArpUpEccentricity\??: +(null \| number|number \| null);/);
  });
  await t.test('json-schema-to-typescript', async (t) => {
    const types = String(await run('json-schema-to-typescript'));
    t.match(types, /interface Setup \{/);
    t.match(types, /markerArpUpEccentricity: +(null \| number|number \| null);/);
  });
  await t.test('typebox', async (t) => {
    t.strictSame(await run('typebox'), [true, true, false, false], 'a further member is allowed');
  });
});
