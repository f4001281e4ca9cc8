import { relative, resolve } from 'node:path';
import t, { type Test } from 'tap';
import { readProjectFile, ROOT, sourcesIn } from './project-files.js';

/**
 * The rooms, from the ground up. Each imports only from itself and those before it, type imports
 * included.
 */
const ROOMS = [
  'schemas',
  'src/client',
  'src/client/check',
  'src/serializers',
  'src/links',
  'src/requests',
  'src/words',
  'src/findings',
  'src/visible',
  'src/turns',
  'src/site-log',
  'src/derive',
  'src/formats',
  'src/check',
  'src/system-error',
  'src/whole-file',
  'src/store/address',
  'src/store/tables',
  'src/store/schema',
  'src/store/dialect',
  'src/store/database',
  'src/store/clock',
  'src/store/as-of',
  'src/store/page',
  'src/store/migrations',
  'src/store/results',
  'src/store/read',
  'src/store/store',
  'src/store/save',
  'src/store/sqlite',
  'src/store/postgres',
  'src/store/upkeep',
  'src/store/open',
  'src/exports',
  'src/rinex',
  'src/import-site-logs',
  'src/web/page',
  'src/web',
  'src/http/wire',
  'src/http/contract',
  'src/http/site-logs',
  'src/http/routes',
  'src/http/pages',
  'src/http/app',
  'src/cli/line',
  'src/cli',
  'src/package',
];

/** Every imported package and built-in module, with the folders and files that may import it. */
const POWERS: Record<string, string[]> = {
  // Packages
  'openapi-fetch': ['src/client'],
  '@sinclair/typebox': [
    'schemas',
    'src/serializers',
    'src/links',
    'src/exports',
    'src/http',
    'src/client/check',
  ],
  saxes: ['src/site-log'],
  fflate: ['src/exports/written-site-files'],
  'i18n-iso-countries': ['src/site-log'],
  'i18n-iso-countries/index.js': ['src/site-log'],
  'i18n-iso-countries/langs/en.json': ['src/site-log'],
  'ajv/dist/2020.js': ['src/client/check'],
  'ajv-formats': ['src/client/check'],
  'better-sqlite3': ['src/whole-file', 'src/store/sqlite'],
  pg: [
    'src/store/postgres/pool',
    'src/store/postgres/reads',
    'src/store/postgres/writes',
    'src/store/postgres/credentials',
    'src/store/postgres/failures',
  ],
  'sql-template-tag': [
    'src/store/database',
    'src/store/dialect',
    'src/store/as-of',
    'src/store/page',
    'src/store/migrations',
    'src/store/read',
    'src/store/save',
    'src/store/sqlite',
    'src/store/postgres',
    'src/store/upkeep',
  ],
  pino: ['src/cli/serve/log', 'src/http'],
  'prom-client': ['src/cli/serve'],
  'd3-geo': ['src/check', 'src/web'],
  'topojson-client': ['src/check', 'src/web'],
  'topojson-specification': ['src/check', 'src/web'],
  'world-atlas/countries-50m.json': ['src/check', 'src/web'],
  'world-atlas/land-110m.json': ['src/web'],
  fastify: ['src/http'],
  '@fastify/helmet': ['src/http/wire'],
  '@fastify/type-provider-typebox': ['src/http/contract/operations'],
  'lru-cache': ['src/store/sqlite', 'src/http/wire'],
  // Node
  'node:async_hooks': ['src/cli/serve/ticks'],
  'node:child_process': ['src/cli/serve/supervisor', 'src/package'],
  'node:crypto': [
    'src/serializers',
    'src/store/save/logs',
    'src/store/postgres/pool',
    'src/http/wire/request-id',
    'src/package',
  ],
  'node:fs': [
    'src/system-error',
    'src/whole-file',
    'src/store/sqlite',
    'src/store/upkeep/postgres-maintenance',
    'src/store/postgres/credentials',
    'src/rinex/file',
    'src/import-site-logs',
    'src/cli',
    'src/package',
  ],
  'node:fs/promises': ['src/rinex/file', 'src/import-site-logs', 'src/http/routes'],
  'node:http': ['src/http/wire', 'src/cli/serve/metrics-server'],
  'node:buffer': ['src/site-log'],
  'node:module': [
    'src/site-log/values/country',
    'src/check',
    'src/web',
    'src/http/wire/client-errors',
    'src/cli/serve/certificates',
    'src/cli/main',
  ],
  'node:net': ['src/http/wire', 'src/cli'],
  'node:os': [
    'src/store/postgres/credentials',
    'src/store/upkeep/postgres-maintenance',
    'src/cli',
    'src/package',
  ],
  'node:path': [
    'src/system-error',
    'src/whole-file',
    'src/store/sqlite',
    'src/store/upkeep/postgres-maintenance',
    'src/store/postgres/credentials',
    'src/rinex/file',
    'src/import-site-logs',
    'src/http/routes',
    'src/cli',
    'src/package',
  ],
  'node:stream': ['src/http/contract/operations', 'src/cli'],
  'node:stream/promises': ['src/cli'],
  'node:timers/promises': [
    'src/turns',
    'src/store/postgres/reads',
    'src/import-site-logs',
    'src/http/wire/costly-queue',
    'src/cli',
  ],
  'node:tls': ['src/cli'],
  'node:util': [
    'src/client/check/main',
    'src/store/save/loaded-rows',
    'src/store/save/texts',
    'src/store/upkeep/derive-again',
    'src/cli',
    'src/package',
  ],
  'node:worker_threads': ['src/import-site-logs'],
  'node:zlib': [
    'src/site-log/published-log',
    'src/store/read/feed',
    'src/rinex/file',
    'src/cli',
    'src/package',
  ],
};

const files = ['schemas', 'src'].flatMap(sourcesIn);
const isIn = (file: string, place: string): boolean =>
  file === `${place}.ts` || file.startsWith(`${place}/`);
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

/** The imports of one file from others of the project: the paths of the files. */
const ownImportsOf = (file: string): string[] =>
  importsOf(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => relative(ROOT, resolve(ROOT, file, '..', target)).replace(/\.js$/, '.ts'));

/** Asserts that each import of the project is allowed. */
function checkImports(
  t: Test,
  among: string[],
  isAllowed: (room: string, importedRoom: string, imported: string) => boolean,
): void {
  t.ok(among.length > 5);
  const wrong = among.flatMap((file) =>
    ownImportsOf(file)
      .filter((imported) => !isAllowed(roomOf(file)!, roomOf(imported)!, imported))
      .map((imported) => `${file} imports ${imported}`),
  );
  t.same(wrong, []);
}

t.test('every file is in a room, and every room exists', async (t) => {
  t.same(
    files.filter((file) => roomOf(file) === undefined),
    [],
  );
  t.same(
    ROOMS.filter((room) => !files.some((file) => isIn(file, room))),
    [],
    'every room has a file',
  );
});

t.test('a room imports only from the rooms before it', async (t) => {
  checkImports(t, files, (room, imported) => ROOMS.indexOf(imported) <= ROOMS.indexOf(room));
  checkImports(
    t,
    files,
    (room, imported) => imported !== 'src/client' || ['src/client', 'src/rinex'].includes(room),
  );
});

t.test('the client package knows only the contract, and nothing imports its check', async (t) => {
  const ofPackage = ['src/client', 'src/client/check'];
  const own = files.filter((file) => ofPackage.includes(roomOf(file)!));
  checkImports(t, own, (room, imported) => [room, 'schemas'].includes(imported));
  const others = files.filter((file) => roomOf(file) !== 'src/client/check');
  checkImports(t, others, (_room, imported) => imported !== 'src/client/check');
});

t.test('the command line needs HTTP only to serve and to export the contract', async (t) => {
  const own = files.filter(
    (file) =>
      isIn(file, 'src/cli') &&
      !isIn(file, 'src/cli/serve') &&
      !isIn(file, 'src/cli/commands/export-schemas'),
  );
  checkImports(t, own, (_room, _imported, file) => !file.startsWith('src/http/'));
});

t.test('routes do not import each other', async (t) => {
  const routes = files.filter((file) => file.startsWith('src/http/routes/'));
  checkImports(t, routes, (_room, _imported, file) => !file.startsWith('src/http/routes/'));
});

t.test('the engines know nothing of each other', async (t) => {
  const engine = files.filter((file) => roomOf(file) === 'src/store/postgres');
  checkImports(t, engine, (_room, imported) => imported !== 'src/store/sqlite');
});

/** A circle of imports that begins at a file; undefined if there is none. */
function circleFrom(file: string, way: string[], visited: Set<string>): string[] | undefined {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
  if (visited.has(file)) return undefined;
  for (const imported of ownImportsOf(file)) {
    const circle = circleFrom(imported, [...way, file], visited);
    if (circle !== undefined) return circle;
  }
  visited.add(file);
  return undefined;
}

t.test('no files import each other in a circle', async (t) => {
  const visited = new Set<string>();
  const circles = files.map((file) => circleFrom(file, [], visited));
  t.same(
    circles.filter((circle) => circle !== undefined),
    [],
  );
  t.equal(visited.size, files.length);
});

t.test(
  'every imported package and built-in module is listed, and imported only where it may be',
  async (t) => {
    const imported = files.flatMap((file) =>
      importsOf(file)
        .filter((each) => !each.startsWith('.'))
        .map((target) => ({ file, target })),
    );
    t.same(
      imported.filter(
        ({ file, target }) => !(POWERS[target] ?? []).some((place) => isIn(file, place)),
      ),
      [],
    );
    t.same(
      [...new Set(imported.map(({ target }) => target))].sort(),
      Object.keys(POWERS).sort(),
      'everything in the list is imported',
    );
    for (const [target, places] of Object.entries(POWERS)) {
      const needless = places.filter(
        (place) => !files.some((file) => isIn(file, place) && importsOf(file).includes(target)),
      );
      t.same(needless, [], `every place where ${target} may be imported needs it`);
    }
  },
);

t.test('SQL is only in the store, process and console only in commands', async (t) => {
  const wrong = files.filter((file) => {
    // Two files run programs, without a shell.
    const runs = ['src/cli/serve/supervisor.ts', 'src/package/run.ts'].includes(file);
    const forbidden = [
      /\beval\(|new Function/,
      runs ? /\bexec\b|\bspawn|shell\s*:/ : /child_process/,
    ];
    const isCommand = ['src/cli', 'src/package', 'src/client/check/main'].some((place) =>
      isIn(file, place),
    );
    if (!isCommand) forbidden.push(/\bprocess\.|\bconsole\./);
    if (!file.startsWith('src/store/'))
      forbidden.push(/\b(SELECT|INSERT INTO|UPDATE|DELETE FROM) [a-z*(]/);
    return forbidden.some((pattern) => pattern.test(readProjectFile(file)));
  });
  t.same(wrong, []);
});
