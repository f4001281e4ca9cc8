import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { inlined, type Node } from './contract/compatibility.js';
import { takesLong } from './effort.js';
import { installPackages, UNREACHABLE } from './foreign/packages.js';
import {
  missingFor,
  RECIPE_PACKAGES,
  runnerOf,
  RUNNERS,
  runRecipe,
  saveExport,
  waypointsIn,
} from './foreign/recipes.js';
import { parseCsv } from './http/csv.js';
import { listen } from './http/sockets.js';
import { commandLines } from '../src/cli/commands.js';
import { flagOf, SETTINGS, variableOf } from '../src/cli/line/settings.js';
import { PATHS } from '../src/links.js';
import { readProjectFile, ROOT, SAMPLE } from './project-files.js';
import { openService } from './service.js';

/**
 * Compares the documents with the code, in both directions. What a document names is read from its
 * code spans and code blocks; the comment at each `…In` function below says how. Prose is not read.
 */

/** A document, split into the parts that the rules need. */
interface Document {
  /** The path in the project. */
  name: string;
  text: string;
  /** Code spans. */
  spans: string[];
  /** Code blocks, in order, with the language of the fence. */
  blocks: { language: string; text: string }[];
  /** All lines of code: each span, and each line of each block. */
  code: string[];
}

function read(name: string): Document {
  const whole = readProjectFile(name);
  // Entries of released versions may name what no longer exists.
  const text = name === 'CHANGELOG.md' ? whole.split(/^## \d/m)[0]! : whole;
  const blocks = [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, block]) => ({
    language: language!,
    text: block!,
  }));
  const spans = [...text.replace(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, span]) => span!,
  );
  return {
    name,
    text,
    spans,
    blocks,
    code: [...spans, ...blocks.flatMap((block) => block.text.split('\n'))],
  };
}

const NOT_OURS = ['node_modules', 'dist', 'coverage'];
/** All files of the project. Folders that other tests write to meanwhile are left out. */
const files = readdirSync(ROOT, { withFileTypes: true })
  .filter(({ name }) => !name.startsWith('.') && !NOT_OURS.includes(name))
  .flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(join(ROOT, entry.name), { recursive: true, encoding: 'utf8' }).map((name) =>
          join(entry.name, name),
        )
      : [entry.name],
  );
const documents = files.filter((name) => name.endsWith('.md')).map(read);
/** The documents that explain things. The changelog only mentions them. */
const guides = documents.filter(({ name }) => name !== 'CHANGELOG.md');

/** What a pattern captures in all lines of code. */
const captured = ({ code }: Document, pattern: RegExp): string[] =>
  code.flatMap((line) => [...line.matchAll(pattern)].map(([, capture]) => capture!));

// What exists.

interface Responses {
  responses: Record<string, { description: string }>;
}
interface OpenApi {
  paths: Record<string, { get: Responses }>;
}
const openApi = inlined(
  JSON.parse(readProjectFile('schemas', 'json', 'openapi.json')) as Node,
) as object as OpenApi;

/**
 * Every path of the service: those of the contract and those of the pages. `{id}` stands for a
 * value.
 */
const endpoints = [
  ...new Set([
    ...Object.keys(openApi.paths),
    ...Object.values(PATHS).map((path) => path.replace(/:(\w+)/g, '{$1}')),
  ]),
];

/**
 * What may stand for a path parameter in a document. It is narrow, so that `/setups/serch` does not
 * pass as `/setups/{id}`.
 */
const PLACES: Record<string, string> = {
  id: '\\d+',
  cursor: '\\w+',
  name: '\\w+(?:\\.json)?',
  format: '(?:csv|ndjson|geojson|snx)',
  folder: '(?:log|oldlog|finallog)',
  collectionId: '(?:sites|installations)',
  featureId: '\\d+',
  site: '[A-Z0-9]{4}(?:\\d{2}[A-Z]{3})?',
  file: '\\w+\\.(?:skl|SKL|log)',
};
const patternOf = (endpoint: string): RegExp =>
  new RegExp(
    `^${endpoint.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, (place, name: string) => `(?:\\{${name}\\}|${PLACES[name] ?? place})`)}$`,
  );
/** Endpoints that are not on the port of the service. */
const ELSEWHERE = ['/metrics'];
const endpointOf = (path: string): string | undefined =>
  endpoints.find((endpoint) => endpoint === path) ??
  [...endpoints, ...ELSEWHERE].find((endpoint) => patternOf(endpoint).test(path));

/** The flags of every command. */
const commands = new Map(
  (await commandLines()).map((line) => [
    line.usage.split(' ')[0]!,
    new Set([...line.settings.map(flagOf), ...Object.keys(line.flags)]),
  ]),
);
/** Flags that main.ts accepts, with or without a command. */
const COMMON_FLAGS = ['help', 'version', 'config'];

const settings = Object.keys(SETTINGS) as (keyof typeof SETTINGS)[];
const { scripts } = JSON.parse(readProjectFile('package.json')) as {
  scripts: Record<string, string>;
};

// How documents name things.

/** Places in the file system of an installed service. */
const IS_FILE = /^\/(etc|usr|var|run|opt)\b/;
/**
 * An endpoint: a URL at the address of the README, in code; or a code span that begins with a slash
 * and is no file.
 */
const endpointsIn = (document: Document): string[] => [
  ...captured(document, /http:\/\/127\.0\.0\.1:8080(\/[^\s'"`?#;]*)/g),
  ...document.spans.flatMap((span) =>
    IS_FILE.test(span) ? [] : (/^(?:GET )?(\/[^\s?#]*)/.exec(span)?.[1] ?? []),
  ),
];

/**
 * A command line: what follows the name of the program, unless that is the name of a user. Its
 * flags are those of the command.
 */
const commandLinesIn = (document: Document): { command: string; flags: string[] }[] =>
  captured(document, /(?:^|\s)gnss-site-setups (?!gnss)([A-Za-z-][^#]*)/g).map((line) => ({
    command: line.split(' ')[0]!,
    flags: [...line.matchAll(/(?<= )--([a-z][a-z-]*)/g)].map(([, flag]) => flag!),
  }));

/**
 * A flag without a command: a code span that begins with it. Those of a command are in its command
 * lines.
 */
const flagsIn = ({ spans }: Document): string[] =>
  spans.flatMap((span) => /^--([a-z][a-z-]*)/.exec(span)?.[1] ?? []);

/** The rows of tables whose headings begin with the given cells. Cells are without backticks. */
const rowsIn = ({ text }: Document, ...heading: string[]): string[][] =>
  text
    .split(`\n| ${heading.join(' | ')} |`)
    .slice(1)
    .flatMap((rest) =>
      rest.split('\n').slice(
        2,
        rest.split('\n').findIndex((line, index) => index > 0 && !line.startsWith('|')),
      ),
    )
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    );

/**
 * An environment variable: `NAME=value` in code, or a code span of capitals with an underscore. The
 * two guides to the code use the latter for constants.
 */
const variablesIn = (document: Document): string[] => [
  ...captured(document, /(?:^| )([A-Z][A-Z_]+)=/g),
  ...(/^(src|test)\/README\.md$/.test(document.name)
    ? []
    : document.spans.filter((span) => /^[A-Z]+(_[A-Z]+)+$/.test(span))),
];
/**
 * Variables that are not settings of the service: its settings file, and those of Debian's tools,
 * of the tests, of xmllint, and of QGIS.
 */
const OTHER_VARIABLES = [
  'CONFIG',
  'SOURCE_DATE_EPOCH',
  'TEST_ALL',
  'TEST_TIMES',
  'DEBFULLNAME',
  'DEBEMAIL',
  'XML_CATALOG_FILES',
  'TZ',
];

/** The table of problems: kinds, and their status. */
const problemRowsIn = (document: Document): string[][] =>
  rowsIn(document, 'type', 'status').flatMap(([kinds, status]) =>
    kinds!.split(', ').map((kind) => [kind, status!]),
  );
/** A kind of problem: one in the table of problems, or a URN in code. */
const problemsIn = (document: Document): string[] => [
  ...problemRowsIn(document).map(([kind]) => kind!),
  ...captured(document, /urn:gnss-site-setups:problem:([a-z-]+)/g),
];

/** A script of package.json: `npm run NAME`, `npm start` and `npm test` in code. */
const scriptsIn = (document: Document): string[] => [
  ...captured(document, /\bnpm run ([a-z-]+)/g),
  ...captured(document, /\bnpm (start|test)\b/g),
];

/**
 * A file or folder: a code span that begins with a folder of the project. Capitals or an asterisk
 * stand for many.
 */
const pathsIn = ({ spans }: Document): string[] =>
  spans.filter((span) => /^(src|schemas|test|data)\/[^\s*A-Z]*([\w-]+\.\w+)?$/.test(span));

/** A link to a file or a heading of the project, as a path in the project. */
const linksIn = ({ name, text }: Document): string[] =>
  [...text.replace(/^```.*?^```$/gms, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^https?:/.test(target))
    .map((target) => (target.startsWith('#') ? name + target : join(dirname(name), target)));

/** The anchor of a heading, as GitHub makes it. */
const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
const idsOf = (text: string): string[] =>
  [...text.replace(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    idOf(heading!),
  );

/** Checks that everything exists that a rule finds in the documents. */
function checkNamed(
  t: Test,
  rule: (document: Document) => string[],
  exists: (what: string) => boolean,
): void {
  const found = documents.flatMap((document) =>
    rule(document).map((what) => ({ what, where: document.name })),
  );
  const unknown = found.filter(({ what }) => !exists(what));
  t.strictSame(unknown, []);
}
/** Checks that a rule finds everything that exists in some guide. */
function checkDocumented(
  t: Test,
  rule: (document: Document) => (string | undefined)[],
  existing: Iterable<string>,
): void {
  const found = new Set(guides.flatMap(rule));
  const missing = [...existing].filter((what) => !found.has(what));
  t.strictSame(missing, []);
}

t.test('all documents are found, and each rule finds something', async (t) => {
  const found = documents.map(({ name }) => name);
  const folders = ['schemas', 'src', 'src/check', 'src/cli', 'test'].map(
    (folder) => `${folder}/README.md`,
  );
  const expected = [
    'README.md',
    ...folders,
    'src/cli/POSTGRESQL.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
  ];
  t.strictSame(
    expected.filter((name) => !found.includes(name)),
    [],
  );
  for (const rule of [
    endpointsIn,
    commandLinesIn,
    flagsIn,
    variablesIn,
    problemsIn,
    scriptsIn,
    pathsIn,
    linksIn,
  ]) {
    t.ok(documents.flatMap<unknown>(rule).length > 0, rule.name);
  }
});

t.test('the list of what was learnt about other software has every script', async (t) => {
  const scripts = files
    .filter((name) => /^findings\/.*\.sh$/.test(name))
    .map((name) => basename(name));
  const rows = rowsIn(read('findings/README.md'), 'script', 'what it shows');
  t.ok(scripts.length > 0);
  t.strictSame(rows.map(([script]) => script).sort(), scripts.sort());
  for (const script of scripts)
    t.ok(statSync(join(ROOT, 'findings', script)).mode & 0o100, `${script} can be run`);
});

t.test('the README stays short', async (t) => {
  t.ok(readProjectFile('README.md').split('\n').length < 120);
});

t.test('every endpoint that a document names exists', async (t) => {
  checkNamed(t, endpointsIn, (path) => endpointOf(path) !== undefined);
});

t.test('every command that a document names exists', async (t) => {
  // Capitals stand for any command.
  const exists = (command: string): boolean =>
    commands.has(command) || /^([A-Z]+|--help|--version)$/.test(command);
  const commandsIn = (document: Document): string[] =>
    commandLinesIn(document).map(({ command }) => command);
  checkNamed(t, commandsIn, exists);
});

// The help and the manual have every flag and setting: see test/package.long.ts.
t.test('every flag that a document names exists, for its command if it has one', async (t) => {
  const all = new Set([...COMMON_FLAGS, ...[...commands.values()].flatMap((flags) => [...flags])]);
  // The help of the command of the client package.
  const ofClient = readProjectFile('src/client/check/main.ts').matchAll(/^ {2}--([a-z-]+)/gm);
  const ofClientNames = new Set([...ofClient].map(([, flag]) => flag!));
  checkNamed(t, flagsIn, (flag) => all.has(flag) || ofClientNames.has(flag));
  const ofCommands = (document: Document): string[] =>
    commandLinesIn(document).flatMap(({ command, flags }) =>
      flags.map((flag) => `${command} --${flag}`),
    );
  const existing = new Set(
    [...commands].flatMap(([command, flags]) =>
      [...flags, ...COMMON_FLAGS].map((flag) => `${command} --${flag}`),
    ),
  );
  checkNamed(t, ofCommands, (flag) => existing.has(flag));
});

t.test('every environment variable that a document names exists', async (t) => {
  const variables = new Set([...settings.map(variableOf), ...OTHER_VARIABLES]);
  checkNamed(t, variablesIn, (variable) => variables.has(variable));
});

t.test(
  'every problem type that a document names exists, and each is documented with its status',
  async (t) => {
    // The OpenAPI document names the kinds in the descriptions of its responses, except for a wrong
    // method or host: send them.
    const { app } = await openService(t, [], { allowedHosts: ['localhost'] });
    const statuses = new Map<string, string>();
    for (const wrong of [
      { method: 'POST', url: '/' } as const,
      { url: '/', headers: { host: 'other.example' } },
    ]) {
      const { type, status } = (await app.inject(wrong)).json<{ type: string; status: number }>();
      statuses.set(type.split(':').at(-1)!, String(status));
    }
    for (const { get } of Object.values(openApi.paths)) {
      for (const [status, { description }] of Object.entries(get.responses)) {
        if (status < '400') continue;
        for (const [, kind] of description.matchAll(/\(([a-z]+(?:-[a-z]+)+)\)/g))
          statuses.set(kind!, status);
      }
    }
    t.ok(statuses.size >= 10, 'all kinds are found');
    checkNamed(t, problemsIn, (kind) => statuses.has(kind));
    checkDocumented(t, problemsIn, statuses.keys());
    const rows = guides.flatMap(problemRowsIn);
    const wrong = rows.filter(
      ([kind, documented]) => statuses.has(kind!) && !documented!.includes(statuses.get(kind!)!),
    );
    t.strictSame(wrong, []);
  },
);

t.test('the program has every message in the table of messages', async (t) => {
  const sources = files
    .filter((name) => /^src\/.*\.ts$/.test(name))
    .map((name) => readProjectFile(name));
  const messages = guides
    .flatMap((document) => rowsIn(document, 'message', 'what to do'))
    .map(([message]) => message!);
  t.ok(messages.length > 5);
  // An ellipsis stands for the variable parts.
  const isOurs = (message: string): boolean =>
    message.split('…').every((part) => sources.some((text) => text.includes(part.trim())));
  const others = messages.filter((message) => !isOurs(message));
  t.strictSame(others, []);
});

t.test('every npm script that a document names exists, and each is documented', async (t) => {
  checkNamed(t, scriptsIn, (script) => Object.hasOwn(scripts, script));
  // npm itself runs prestart and the like.
  const own = Object.keys(scripts).filter((script) => !script.startsWith('pre'));
  checkDocumented(t, scriptsIn, own);
});

t.test('every file and heading that a document names exists', async (t) => {
  checkNamed(t, pathsIn, (path) => existsSync(join(ROOT, path)));
  checkNamed(t, linksIn, (link) => {
    const [path, id] = link.split('#') as [string, string?];
    return (
      existsSync(join(ROOT, path)) &&
      (id === undefined || idsOf(readProjectFile(path)).includes(id))
    );
  });
});

t.test('the architecture names every room', async (t) => {
  const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
    .filter(({ name }) => !name.endsWith('.md'))
    .map((entry) => `src/${entry.name}${entry.isDirectory() ? '/' : ''}`);
  const architecture = new Set(pathsIn(read('src/README.md')));
  const missing = rooms.filter((room) => !architecture.has(room));
  t.strictSame(missing, []);
});

/** A URL to try: one in quotes in a code block. */
const URL_TO_TRY = /'http:\/\/127\.0\.0\.1:8080(\/[^']*)'/g;

/** Whether a value has what is shown of it: some members, and the first elements. */
function hasMembers(value: unknown, shown: unknown): boolean {
  if (shown === null || typeof shown !== 'object') return value === shown;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(shown).every(([member, each]) =>
    hasMembers((value as Record<string, unknown>)[member], each),
  );
}

/**
 * Whether a text has the lines that are shown of it. An ellipsis ends a line that is shown in part.
 */
const hasLines = (text: string, shown: string): boolean => {
  const lines = text.split('\r\n');
  return shown
    .split('\n')
    .every((line) =>
      lines.some((each) =>
        line.endsWith('…') ? each.startsWith(line.slice(0, -1)) : each === line,
      ),
    );
};

t.test(
  'every URL in a document works with the sample network, and returns what the block that follows it shows',
  async (t) => {
    const { get, importText } = await openService(t, [SAMPLE]);
    // An earlier version of a log, for the recipe that compares two.
    const alic = readProjectFile('data', 'site-logs', 'alic_20170223.log')
      .replace('2017-02-23', '2016-12-01')
      .replace(': 1830439', ': 1830493');
    await importText(alic, 'alic_20161201.log');
    // One receiver at two Sites, for the recipe about conflicts: the sample network has none.
    const receivers = [{ type: 'LEICA GR25', serial: '77', from: '2012-01-01' }];
    await importText({ id: 'ONE1', receivers });
    await importText({ id: 'TWO2', receivers });
    const answer = (path: string) => get(path, { host: '127.0.0.1:8080' });
    const urls = new Set(documents.flatMap((document) => captured(document, URL_TO_TRY)));
    t.ok(urls.size > 20);
    for (const url of urls) {
      const { statusCode, body } = await answer(url);
      t.equal(statusCode, 200, `${url}${statusCode === 200 ? '' : `: ${body}`}`);
      const { page } = (/^\{/.test(body) ? JSON.parse(body) : {}) as {
        page?: { totalElements: number };
      };
      if (page !== undefined) t.ok(page.totalElements > 0, `${url} finds something`);
    }
    const compared = new Set<string>();
    for (const { name, blocks } of documents) {
      for (const [index, { language, text }] of blocks.entries()) {
        if (!['json', 'jsonc', 'csv'].includes(language)) continue;
        const [url] = [...(blocks[index - 1]?.text ?? '').matchAll(URL_TO_TRY)].map(
          ([, path]) => path!,
        );
        const what = `${name}: the ${language} after ${url}`;
        const response = await answer(url ?? '/nothing');
        if (language === 'json') t.strictSame(JSON.parse(text), response.json(), what);
        else if (language === 'csv') t.ok(hasLines(response.body, text.trimEnd()), what);
        else t.ok(hasMembers(response.json(), JSON.parse(text.replace(/ \/\/ …$/gm, ''))), what);
        compared.add(language);
      }
    }
    t.equal(compared.size, 2);
  },
);

t.test(
  'every recipe of the API guide for another program keeps all values',
  takesLong,
  async (t) => {
    const { app, get, importText } = await openService(t, [SAMPLE]);
    // Values that programs take for numbers, or for no value.
    const device = (type: string, serial: string, more: Record<string, string>) => ({
      type,
      serial,
      from: '2012-01-01',
      more,
    });
    await importText({
      receivers: [
        device('LEICA GR25', '09370001', { 'Firmware Version': '4.60' }),
        device('LEICA GR25', '1e5', { 'Firmware Version': '1.10' }),
      ],
      antennas: ['NA', 'null', 'NONE', 'nan'].map((number) =>
        device('LEIAR25.R3      NONE', number, { 'Radome Serial Number': number }),
      ),
    });
    const folder = join(t.testdirName, 'recipes');
    const installed = await installPackages(folder, RECIPE_PACKAGES);
    const base = `http://127.0.0.1:${await listen(app)}`;
    for (const name of ['installations.csv', 'sites.geojson', 'findings.ndjson'])
      saveExport(folder, name, (await get(`/exports/${name}`)).body);
    const byId = (text: string) => parseCsv(text).sort((a, b) => Number(a.id) - Number(b.id));
    const expected = byId((await get('/exports/installations.csv')).body);
    const { features } = (await get('/exports/sites.geojson')).json<{
      features: { geometry: object | null }[];
    }>();
    const guide = read('schemas/README.md');
    const [, chapter] = /^### CSV in other programs$(.*?)^## /ms.exec(guide.text)!;
    const recipes = guide.blocks.flatMap(({ language, text }) => {
      const runner = chapter!.includes(text) ? runnerOf(language, text) : undefined;
      return runner === undefined ? [] : [{ runner, text }];
    });
    t.same(new Set(recipes.map(({ runner }) => runner)), new Set(Object.keys(RUNNERS)));
    for (const { runner, text } of recipes) {
      const missing = missingFor(runner) ?? (installed === null ? UNREACHABLE.skip : undefined);
      if (missing !== undefined) {
        t.pass(runner, { skip: missing });
        continue;
      }
      const printed = await runRecipe(runner, text.replace('http://127.0.0.1:8080', base), folder);
      if (runner === 'gpsbabel')
        t.equal(waypointsIn(folder), features.filter(({ geometry }) => geometry !== null).length);
      else if (runner === 'jq') t.match(printed, /^(\d{10}\n)+$/);
      else t.same(byId(printed), expected, runner);
    }
  },
);

t.test('the recipe for citations gives the first file again', async (t) => {
  const recipe = read('schemas/README.md').blocks.find(({ text }) => text.includes('--cite'))!.text;
  t.ok(recipe.trimEnd().split('\n').length <= 10);
  const newer = readProjectFile('data', 'site-logs', 'alic_20170223.log');
  const older = newer.replace('2017-02-23', '2016-12-01').replace(': 1830439', ': 1830493');
  const folder = t.testdir({
    'alic_20161201.log': older,
    'alic_20170223.log': newer,
    bin: {
      'gnss-site-setups': t.fixture('symlink', join(ROOT, 'dist', 'src', 'bundle', 'main.js')),
    },
  });
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', recipe], {
    cwd: folder,
    env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
    encoding: 'utf8',
  });
  t.equal(status, 0, stderr);
  t.match(stdout, /corrected/);
  const [first, now, again] = ['first', 'now', 'again'].map((name) =>
    readFileSync(join(folder, `${name}.sta`)),
  );
  t.same(again, first);
  t.notSame(now, first);
  t.match(readFileSync(join(folder, 'first.sta.citation.txt'), 'utf8'), 'alic_20161201.log');
});
