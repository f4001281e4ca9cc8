import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import t from 'tap';
import { readProjectFile, ROOT } from './helper.js';

/** The rooms, from the ground up. Each imports only from itself and those before it, type imports included. */
const ROOMS = [
  'src/client',
  'schemas',
  'src/serializers',
  'src/links',
  'src/requests',
  'src/visible',
  'src/turns',
  'src/site-log',
  'src/derive',
  'src/formats',
  'src/check',
  'src/system-error',
  'src/whole-file',
  'src/store/tables',
  'src/store/schema',
  'src/store/search',
  'src/store/dialect',
  'src/store/database',
  'src/store/page',
  'src/store/batches',
  'src/store/save/checksums',
  'src/store/migrations',
  'src/store/read',
  'src/store/store',
  'src/store/save',
  'src/store/upkeep/types',
  'src/store/sqlite',
  'src/store/postgres',
  'src/store/upkeep/contents',
  'src/store/postgres/maintenance',
  'src/store/upkeep',
  'src/store/open',
  'src/import-site-logs',
  'src/web',
  'src/http/wire',
  'src/http/operations',
  'src/http/parameters',
  'src/http/known-site',
  'src/http/filters',
  'src/http/similar-devices',
  'src/http/site-record',
  'src/http/hal',
  'src/http/collection-routes',
  'src/http/site-log-sections',
  'src/http/site-log-forms',
  'src/http/site-log-resource',
  'src/http/exports',
  'src/http/site-files',
  'src/http/ogc',
  'src/http/network',
  'src/http/routes',
  'src/http/example-values',
  'src/http/openapi',
  'src/http/app',
  'src/check-service',
  'src/cli',
  'src/package',
];

/** Every imported package and built-in module, with the folders and files that may import it. */
const POWERS: Record<string, string[]> = {
  // Packages
  'openapi-fetch': ['src/client'],
  '@sinclair/typebox': ['schemas', 'src/serializers', 'src/links', 'src/http', 'src/check-service'],
  'tar-stream': ['src/package'],
  saxes: ['src/site-log'],
  fflate: ['src/http/site-files'],
  'i18n-iso-countries': ['src/site-log'],
  'i18n-iso-countries/index.js': ['src/site-log'],
  'i18n-iso-countries/langs/en.json': ['src/site-log'],
  'ajv/dist/2020.js': ['src/check-service'],
  'ajv-formats': ['src/check-service'],
  'better-sqlite3': ['src/whole-file', 'src/store/sqlite'],
  pg: ['src/store/postgres/connection', 'src/store/postgres/credentials', 'src/store/postgres/failures', 'src/store/postgres/server'],
  'sql-template-tag': [
    'src/store/database',
    'src/store/dialect',
    'src/store/page',
    'src/store/batches',
    'src/store/migrations',
    'src/store/read',
    'src/store/save',
    'src/store/sqlite',
    'src/store/postgres',
    'src/store/upkeep',
  ],
  pino: ['src/cli/serve/log', 'src/cli/serve/workers'],
  'prom-client': ['src/cli/serve'],
  'd3-geo': ['src/check', 'src/web'],
  'topojson-client': ['src/check', 'src/web'],
  'topojson-specification': ['src/check', 'src/web'],
  'world-atlas/countries-50m.json': ['src/check'],
  'world-atlas/land-110m.json': ['src/web'],
  'world-atlas/land-50m.json': ['src/web'],
  'libxml2-wasm': ['src/cli/geodesyml-schemas'],
  fastify: ['src/http'],
  '@fastify/helmet': ['src/http/wire'],
  '@fastify/type-provider-typebox': ['src/http/operations'],
  'lru-cache': ['src/store/sqlite', 'src/http/wire'],
  // Node
  'node:child_process': ['src/cli/serve/supervisor', 'src/package'],
  'node:cluster': ['src/cli'],
  'node:events': ['src/cli/serve/workers'],
  'node:crypto': [
    'src/serializers',
    'src/store/save/logs',
    'src/store/upkeep/scan',
    'src/store/postgres/connection',
    'src/import-site-logs',
    'src/http/wire/request-id',
    'src/package',
  ],
  'node:fs': [
    'src/system-error',
    'src/whole-file',
    'src/store/sqlite',
    'src/store/postgres/maintenance',
    'src/store/postgres/credentials',
    'src/import-site-logs',
    'src/cli',
    'src/package',
  ],
  'node:fs/promises': ['src/import-site-logs', 'src/http/routes', 'src/cli'],
  'node:http': ['src/http/wire', 'src/cli/serve/metrics-server'],
  'node:module': ['src/site-log/country', 'src/check', 'src/web', 'src/http/wire/client-errors', 'src/cli/main'],
  'node:net': ['src/store/postgres/connection', 'src/http/wire', 'src/cli'],
  'node:os': ['src/store/postgres/credentials', 'src/store/postgres/maintenance', 'src/cli', 'src/package'],
  'node:path': [
    'src/system-error',
    'src/whole-file',
    'src/store/sqlite',
    'src/store/postgres/maintenance',
    'src/store/postgres/credentials',
    'src/import-site-logs',
    'src/http/routes',
    'src/cli',
    'src/package',
  ],
  'node:stream': ['src/http/operations', 'src/cli', 'src/package'],
  'node:stream/promises': ['src/cli', 'src/package'],
  'node:timers/promises': ['src/turns', 'src/store/postgres/servers', 'src/import-site-logs', 'src/http/wire/costly-queue', 'src/cli'],
  'node:tls': ['src/cli'],
  'node:url': ['src/cli'],
  'node:util': ['src/store/save/loaded-rows', 'src/store/save/texts', 'src/store/upkeep', 'src/cli', 'src/package'],
  'node:worker_threads': ['src/import-site-logs'],
  'node:zlib': ['src/store/save/checksums', 'src/cli', 'src/package'],
};

const files = ['schemas', 'src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);
const isIn = (file: string, place: string): boolean => file === `${place}.ts` || file.startsWith(`${place}/`);
/** The smallest room that a file is in. */
const roomOf = (file: string): string | undefined =>
  ROOMS.filter((room) => isIn(file, room)).reduce<string | undefined>(
    (a, b) => (a !== undefined && a.length > b.length ? a : b),
    undefined,
  );
/** What a file imports, including types and what it loads with `import()` and `require()`. */
const importsOf = (file: string): string[] =>
  [
    ...readProjectFile(file).matchAll(
      /^(?:import|export) (?:[^;']*? from )?'([^']+)'|(?:\bimport|[rR]equire(?:\(import\.meta\.url\))?)\('([^']+)'\)/gm,
    ),
  ].map(([, target, loaded]) => (target ?? loaded)!);

t.test('every file is in a room', async (t) => {
  for (const file of files) t.ok(roomOf(file), file);
  t.ok(files.length > 20);
});

t.test('a room imports only from the rooms before it', async (t) => {
  for (const file of files) {
    const room = ROOMS.indexOf(roomOf(file)!);
    for (const target of importsOf(file).filter((each) => each.startsWith('.'))) {
      const imported = relative(ROOT, resolve(ROOT, file, '..', target)).replace(/\.js$/, '.ts');
      if (roomOf(imported) === 'src/client') t.ok(['src/client', 'src/cli'].includes(roomOf(file)!), `${file} imports ${imported}`);
      t.ok(ROOMS.indexOf(roomOf(imported)!) <= room, `${file} imports ${imported}`);
    }
  }
});

t.test('check-service knows only the contract, not the service', async (t) => {
  const known = ['src/check-service', 'schemas', 'src/visible'];
  for (const file of files.filter((each) => roomOf(each) === 'src/check-service')) {
    for (const target of importsOf(file).filter((each) => each.startsWith('.'))) {
      const imported = relative(ROOT, resolve(ROOT, file, '..', target)).replace(/\.js$/, '.ts');
      t.ok(known.includes(roomOf(imported)!), `${file} imports ${imported}`);
    }
  }
});

t.test('routes do not import each other', async (t) => {
  const routes = files.filter((file) => file.startsWith('src/http/routes/'));
  t.ok(routes.length > 5);
  for (const file of routes) {
    t.same(
      importsOf(file).filter((target) => target.startsWith('./')),
      [],
      file,
    );
  }
});

t.test('of the engines, only a backup of PostgreSQL needs the other one: it is a SQLite file', async (t) => {
  const engine = files.filter((file) => roomOf(file) === 'src/store/postgres');
  t.ok(engine.length > 5);
  for (const file of engine) {
    t.same(
      importsOf(file).filter((target) => target.startsWith('../sqlite/')),
      [],
      file,
    );
  }
});

t.test('every imported package and built-in module is listed, and imported only where it may be', async (t) => {
  const imported = new Set<string>();
  for (const file of files) {
    for (const target of importsOf(file).filter((each) => !each.startsWith('.'))) {
      imported.add(target);
      t.ok(
        (POWERS[target] ?? []).some((place) => isIn(file, place)),
        `${file} imports ${target}`,
      );
    }
  }
  t.same([...imported].sort(), Object.keys(POWERS).sort(), 'everything in the list is imported');
  for (const [target, places] of Object.entries(POWERS)) {
    const needless = places.filter((place) => !files.some((file) => isIn(file, place) && importsOf(file).includes(target)));
    t.same(needless, [], `every place where ${target} may be imported needs it`);
  }
});

t.test('SQL is only in the store, process and console only in the command line', async (t) => {
  for (const file of files) {
    const text = readProjectFile(file);
    if (!['src/cli', 'src/package'].includes(roomOf(file)!)) t.notMatch(text, /\bprocess\.|\bconsole\./, file);
    if (!file.startsWith('src/store/')) t.notMatch(text, /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM) [a-z*(]/, file);
    t.notMatch(text, /\beval\(|new Function/, file);
    // Two files run programs, without a shell.
    const runs = ['src/cli/serve/supervisor.ts', 'src/package/run.ts'].includes(file);
    t.notMatch(text, runs ? /\bexec\b|\bspawn|shell\s*:/ : /child_process/, file);
  }
});
