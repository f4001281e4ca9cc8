import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import t from 'tap';
import { readProjectFile, ROOT } from './helper.js';

/** The rooms from the ground up: each imports from those before it only, types included. */
const ROOMS = [
  'src/client',
  'schemas',
  'src/links',
  'src/time',
  'src/visible',
  'src/site-log',
  'src/derive-setups',
  'src/derive-changes',
  'src/derive-completeness',
  'src/store',
  'src/import-site-logs',
  'src/web',
  'src/http',
  'src/check-service',
  'src/cli',
];
/** What reaches outside has one floor each. */
const POWERS: Record<string, string> = {
  'openapi-fetch': 'src/client',
  saxes: 'src/site-log',
  'd3-geo': 'src/web',
  'topojson-client': 'src/web',
  'topojson-specification': 'src/web',
  'better-sqlite3': 'src/store',
  fastify: 'src/http',
  '@fastify/helmet': 'src/http',
  'ajv/dist/2020.js': 'src/check-service',
  'ajv-formats': 'src/check-service',
};

const files = ['schemas', 'src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);
const roomOf = (file: string): string | undefined => ROOMS.find((room) => file === `${room}.ts` || file.startsWith(`${room}/`));
const importsOf = (file: string): string[] =>
  [...readProjectFile(file).matchAll(/(?:from|import|import\() ?'([^']+)'/g)].map(([, target]) => target!);

t.test('every file is in a room', async (t) => {
  for (const file of files) t.ok(roomOf(file), file);
  t.ok(files.length > 20);
});

t.test('a room imports only from the rooms before it', async (t) => {
  for (const file of files) {
    const room = ROOMS.indexOf(roomOf(file)!);
    for (const target of importsOf(file).filter((each) => each.startsWith('.'))) {
      const imported = relative(ROOT, resolve(ROOT, file, '..', target)).replace(/\.js$/, '.ts');
      if (roomOf(imported) === 'src/client') t.equal(roomOf(file), 'src/client', `${file} imports ${imported}`);
      t.ok(ROOMS.indexOf(roomOf(imported)!) <= room, `${file} imports ${imported}`);
    }
  }
});

t.test('the check of a service knows the contract only, not the service', async (t) => {
  const known = ['src/check-service', 'schemas', 'src/links', 'src/visible'];
  for (const file of files.filter((each) => roomOf(each) === 'src/check-service')) {
    for (const target of importsOf(file).filter((each) => each.startsWith('.'))) {
      const imported = relative(ROOT, resolve(ROOT, file, '..', target)).replace(/\.js$/, '.ts');
      t.ok(known.includes(roomOf(imported)!), `${file} imports ${imported}`);
    }
  }
});

t.test('each outside power has one floor; SQL, process and console too', async (t) => {
  for (const file of files) {
    for (const target of importsOf(file)) {
      const floor = POWERS[target];
      if (floor !== undefined) t.equal(roomOf(file), floor, `${file} imports ${target}`);
    }
    const text = readProjectFile(file);
    if (roomOf(file) !== 'src/cli') t.notMatch(text, /\bprocess\.|\bconsole\./, file);
    if (roomOf(file) !== 'src/store') t.notMatch(text, /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM) [a-z*(]/, file);
    t.notMatch(text, /\beval\(|new Function|child_process/, file);
  }
});
