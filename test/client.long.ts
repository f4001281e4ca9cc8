import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { publint } from 'publint';
import t, { type Test } from 'tap';
import * as schemas from '../schemas/index.js';
import * as clientModule from '../src/client/index.js';
import { installPackages, UNREACHABLE } from './foreign/packages.js';
import { CONTRACT, filesBelow, readProjectFile, ROOT, SAMPLE } from './project-files.js';
import { openService } from './service.js';
import { nodeCommand } from './node-command.js';

const { createSetupsClient, elementsFrom } = clientModule;

interface Manifest {
  version: string;
  bin: string;
  dependencies: Record<string, string>;
}
const { version } = JSON.parse(readProjectFile('package.json')) as Manifest;

const NAME = 'gnss-site-setups-client';
const runNode = (cwd: string, ...args: string[]) =>
  promisify(execFile)(...nodeCommand(...args), { cwd });
const toolOf = (name: string): string => join(ROOT, 'node_modules/.bin', name);

// A client team's project outside the repository, with the package installed as npm does. Its
// declared dependencies, and no others, are links to those of the repository.
const project = t.testdir({ output: {}, node_modules: { [NAME]: {} } });
const folder = join(project, 'node_modules', NAME);
await runNode(
  ROOT,
  'dist/src/package/main.js',
  '--only',
  'client',
  '--output',
  join(project, 'output'),
);
const tarball = join(project, 'output', `${NAME}-${version}.tgz`);
await promisify(execFile)('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
for (const dependency of [
  ...Object.keys(dependencies),
  'openapi-typescript-helpers',
  '@types/node',
]) {
  mkdirSync(dirname(join(project, 'node_modules', dependency)), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', dependency), join(project, 'node_modules', dependency));
}
writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));

/** A client team's file. Lines that must not compile are marked. */
const CONSUMER = `
import { type components, createSetupsClient, elementsFrom, isAntenna, type operations, type paths } from 'gnss-site-setups-client';
import { type GnssReceiver, PUBLISHED, type SetupResource, toJsonSchema } from 'gnss-site-setups-client/schemas';
import contract from 'gnss-site-setups-client/schemas/json/openapi.json' with { type: 'json' };

type IsAny<T> = 0 extends 1 & T ? true : false;
const never = <T extends false>(_: T): void => undefined;

const client = createSetupsClient('http://127.0.0.1:8080', { headers: { 'user-agent': 'a client team' } });

const { data, error } = await client.GET('/setups/search/findCurrentByFourCharacterId', { params: { query: { id: 'ALIC' } } });
const first: components['schemas']['EquipmentInUse'] | undefined = data?.equipmentInUse[0];
never<IsAny<NonNullable<typeof first>['content']>>(false);
const detail: string | undefined = error?.detail;
if (data) {
  never<IsAny<typeof data>>(false);
  // The types of the schemas and those of the client are two views of one contract.
  const setup: SetupResource = data;
  const back: components['schemas']['Setup'] = setup;
  const from: string = data.effectivePeriod.from;
  const to: string | null = data.effectivePeriod.to;
  // @ts-expect-error null means unknown and must be handled
  const certain: string = data.effectivePeriod.to;
  // @ts-expect-error no such member
  data.equipment;
  for (const { content } of data.equipmentInUse) {
    if (content.id.equipmentType === 'humidity sensor') content.id.aspiration;
    // @ts-expect-error only humidity sensors have one
    if (content.id.equipmentType === 'clock') content.id.aspiration;
    const up: number | null | undefined = isAntenna(content) ? content.configuration.markerArpUpEccentricity : undefined;
    // @ts-expect-error only antennas have one
    if (!isAntenna(content)) content.configuration.markerArpUpEccentricity;
  }
  // @ts-expect-error if there is data, there is no error
  error.detail;
} else {
  const status: number = error.status;
}

const receivers = await client.GET('/gnssReceivers', { params: { query: { type: ['TRIMBLE NETRS'], size: 5, sort: ['serialNumber,asc'] } } });
const type: string | null | undefined = receivers.data?._embedded.gnssReceivers[0]?.type;
const next: string | undefined = receivers.data?._links.next?.href;
await client.GET('/setups/{id}', { params: { path: { id: 1 }, query: { projection: 'provenance' } } });
const csv = await client.GET('/exports/sites.{format}', { params: { path: { format: 'csv' } } });
const table: string | undefined = typeof csv.data === 'string' ? csv.data : undefined;
for await (const change of elementsFrom(client, client.GET('/changes'))) {
  never<IsAny<typeof change>>(false);
  const at: string = change.at;
  // @ts-expect-error no such member
  change.time;
}

// @ts-expect-error the parameter is called id
await client.GET('/setups/search/findCurrentByFourCharacterId', { params: { query: { fourCharacterId: 'ALIC' } } });
// @ts-expect-error the parameter is required
await client.GET('/setups/search/findCurrentByFourCharacterId');
// @ts-expect-error no such parameter
await client.GET('/gnssReceivers', { params: { query: { types: ['TRIMBLE NETRS'] } } });
// @ts-expect-error no such projection
await client.GET('/setups', { params: { query: { projection: 'installations' } } });
// @ts-expect-error no such path
await client.GET('/receivers');
// @ts-expect-error the service is read-only
await client.POST('/setups');
// @ts-expect-error the URL of the service is required
createSetupsClient({ baseUrl: 'http://127.0.0.1:8080' });

const listing: paths['/gnssReceivers']['get'] | operations['listGnssReceiver'] | undefined = undefined;
const receiver: GnssReceiver | undefined = undefined;
export const names: string[] = Object.keys(PUBLISHED).filter((name) => toJsonSchema(name).title !== '');
export const version: string = contract.info.version;
`;

/** The TypeScript examples in a document. */
const examplesIn = (...path: string[]): string[] =>
  [...readProjectFile(...path).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text!);

/** The examples of the API guide must compile too, and those of the package, which follow each other. */
const EXAMPLES = [
  ...examplesIn('schemas', 'README.md'),
  examplesIn('src', 'package', 'client.md').join(''),
];

/**
 * Compiler options for Node without browser types, with all declarations checked, and for a bundler
 * without Node types.
 */
const SETTINGS = {
  nodenext: {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    skipLibCheck: false,
  },
  bundler: {
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    resolveJsonModule: true,
    skipLibCheck: true,
  },
};

t.test(
  'the generated types match the contract (`npm run generate-client` writes them)',
  async (t) => {
    const file = join(ROOT, 'src', 'client', 'contract-types.ts');
    const generated =
      COMMENT_HEADER + astToString(await openapiTS(readFileSync(join(CONTRACT, 'openapi.json'))));
    const formatted = await format(generated, { ...(await resolveConfig(file)), filepath: file });
    t.ok(
      formatted === readFileSync(file, 'utf8'),
      'run npm run generate-client and commit src/client/contract-types.ts',
    );
  },
);

t.test('the package has the client and the schemas, but not the service', async (t) => {
  const expected =
    /^dist\/(schemas|src\/client(\/check)?)\/[\w-]+(\.js|\.d\.ts)$|^schemas\/json\/\w+\.json$|^(package\.json|README\.md)$/;
  const others = filesBelow(folder).filter((file) => !expected.test(file));
  t.strictSame(others, []);
  t.strictSame(readdirSync(join(folder, 'schemas/json')), readdirSync(CONTRACT));
  t.strictSame(Object.keys(dependencies).sort(), [
    '@sinclair/typebox',
    'ajv',
    'ajv-formats',
    'openapi-fetch',
  ]);
});

/**
 * Compiles the files of the client team.
 * @throws {Error} with the mistakes that the compiler finds
 */
async function compile(resolution: keyof typeof SETTINGS): Promise<void> {
  const files = [CONSUMER, ...EXAMPLES].map((text, index) => {
    writeFileSync(join(project, `consumer${index}.ts`), text);
    return `consumer${index}.ts`;
  });
  const compilerOptions = {
    ...SETTINGS[resolution],
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
  };
  writeFileSync(join(project, `${resolution}.json`), JSON.stringify({ compilerOptions, files }));
  await runNode(project, toolOf('tsc'), '-p', `${resolution}.json`);
}

t.test('correct client code compiles for a bundler, and mistakes do not', () => compile('bundler'));
t.test('correct client code compiles for Node, with all declarations', () => compile('nodenext'));

t.test('the package exports what the repository has, and the contract', async (t) => {
  const script = `
    import * as client from 'gnss-site-setups-client';
    import * as schemas from 'gnss-site-setups-client/schemas';
    import contract from 'gnss-site-setups-client/schemas/json/openapi.json' with { type: 'json' };
    console.log(JSON.stringify([Object.keys(client), Object.keys(schemas), contract.info.version]));`;
  const { stdout } = await runNode(
    project,
    '--no-warnings',
    '--input-type=module',
    '--eval',
    script,
  );
  t.strictSame(JSON.parse(stdout), [Object.keys(clientModule), Object.keys(schemas), version]);
});

t.test('publint accepts the package', async (t) => {
  const { messages } = await publint({
    pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
    strict: true,
  });
  t.strictSame(messages, []);
});

t.test('the package has a command that checks a service', async (t) => {
  const { app } = await openService(t, [SAMPLE]);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { stdout } = await runNode(project, join(folder, bin), 'check', url, '--quick');
  t.match(stdout, /^TAP version 14\nok 1 - /);
});

/** A client of the sample network over HTTP. */
async function openClient(t: Test): Promise<{ client: clientModule.SetupsClient; url: string }> {
  const { app } = await openService(t, [SAMPLE]);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { client: createSetupsClient(url), url };
}

/** The versions of Node.js on which the package is tried: the first and last, and those between. */
const NODE = { node20: '20.20.2', node22: '22.23.5', node24: '24.22.3', node26: '26.12.1' };

t.test('the package runs on Node.js 20 to 26', async (t) => {
  const { app } = await openService(t, [SAMPLE]);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const platform = `node-${process.platform}-${process.arch}`;
  const versions = Object.entries(NODE).map(([name, each]) => [name, `npm:${platform}@${each}`]);
  const programs = await installPackages(
    join(t.testdirName, 'packages'),
    Object.fromEntries(versions) as Record<string, string>,
  );
  if (programs === null) return void t.pass('no packages', UNREACHABLE);
  const script = `
    import { createSetupsClient, elementsFrom, isAntenna } from '${NAME}';
    import { PUBLISHED, toJsonSchema } from '${NAME}/schemas';
    const client = createSetupsClient('${url}');
    const csv = await client.GET('/exports/sites.{format}', { params: { path: { format: 'csv' } } });
    const ids = [];
    const first = client.GET('/corsSites', { params: { query: { size: 3 } } });
    for await (const { fourCharacterId } of elementsFrom(client, first)) ids.push(fourCharacterId);
    const schemas = Object.keys(PUBLISHED).map(toJsonSchema).length > 100;
    const [major] = process.versions.node.split('.');
    console.log(JSON.stringify([major, csv.data.split('\\r\\n').length, ids.length, schemas]));`;
  for (const name of Object.keys(NODE)) {
    const node = join(programs, 'node_modules', name, 'bin/node');
    const run = (...args: string[]) =>
      promisify(execFile)('/usr/bin/env', ['-u', 'NODE_OPTIONS', node, ...args], { cwd: project });
    const { stdout } = await run('--input-type=module', '--eval', script);
    t.strictSame(JSON.parse(stdout), [name.slice(4), 10, 8, true], name);
    const checked = await run(
      join(folder, 'dist/src/client/check/main.js'),
      'check',
      url,
      '--quick',
    );
    t.match(checked.stdout, /# 0 checks failed/, name);
  }
});

t.test('the client finds the current Setup of ALIC', async (t) => {
  const { client } = await openClient(t);
  const { data, error } = await client.GET('/setups/search/findCurrentByFourCharacterId', {
    params: { query: { id: 'ALIC' } },
  });
  t.equal(error, undefined);
  t.match(data?.equipmentInUse[0]?.content.id, {
    equipmentType: 'gnss receiver',
    type: 'LEICA GR25',
  });
  const kept = await client.GET('/setups/{id}', { params: { path: { id: data!.id } } });
  t.strictSame(kept.data, data);
});

t.test('the client pages through the receivers of a type', async (t) => {
  const { client } = await openClient(t);
  const query = {
    type: ['TRIMBLE NETRS', 'LEICA GR50'],
    size: 3,
    sort: ['type,desc', 'serialNumber,asc'],
  };
  const found: (string | null)[] = [];
  for (let page = 0, more = true; more; page++) {
    const { data } = await client.GET('/gnssReceivers', { params: { query: { ...query, page } } });
    found.push(...data!._embedded.gnssReceivers.map(({ type }) => type));
    more = data!._links.next !== undefined;
    t.equal(data!.page.totalElements, 8);
  }
  t.strictSame(found, [...Array<string>(7).fill('TRIMBLE NETRS'), 'LEICA GR50']);
});

/** What the service answers, as text. */
const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

t.test('the client returns CSV, NDJSON, XML and text as text, and GeoJSON parsed', async (t) => {
  const { client, url } = await openClient(t);
  for (const format of ['csv', 'ndjson', 'geojson'] as const) {
    const { data } = await client.GET('/exports/sites.{format}', { params: { path: { format } } });
    const text = await textOf(`${url}/exports/sites.${format}`);
    t.strictSame(data, format === 'geojson' ? JSON.parse(text) : text, format);
  }
  t.equal((await client.GET('/feed.atom')).data, await textOf(`${url}/feed.atom`));
  const sinex = await client.GET('/exports/sites.snx');
  t.match(sinex.data, /^%=SNX/);
  const query = { id: 'ALIC', format: 'geodesyml' } as const;
  const log = await client.GET('/siteLogs/search/findByFourCharacterId', { params: { query } });
  t.match(log.data, /^<\?xml/);
  const skeleton = { path: { file: 'ALIC.SKL' } };
  t.match((await client.GET('/skeletonFiles/{file}', { params: skeleton })).data, /^ALIC/);
});

t.test('an option of the call still says how an answer is read', async (t) => {
  const { client } = await openClient(t);
  const csv = { params: { path: { format: 'csv' } } } as const;
  const blob = await client.GET('/exports/sites.{format}', { ...csv, parseAs: 'blob' });
  t.equal(blob.data!.type, 'text/csv;charset=utf-8;header=present');
  const stream = await client.GET('/exports/sites.{format}', { ...csv, parseAs: 'stream' });
  t.ok(stream.data instanceof ReadableStream);
  await stream.data!.cancel();
  await t.rejects(client.GET('/exports/sites.rinex.zip'), { name: 'TypeError', message: /zip/ });
  const zip = await client.GET('/exports/sites.rinex.zip', { parseAs: 'arrayBuffer' });
  t.equal(Buffer.from(zip.data!).toString('latin1', 0, 2), 'PK');
  const wrong = { params: { ...csv.params, query: { site: ['ZZZZ'] } } };
  t.equal((await client.GET('/exports/sites.{format}', wrong)).error?.status, 404);
});

t.test('an empty list of Sites is refused before it is sent', async (t) => {
  const { client } = await openClient(t);
  const requests: Promise<unknown>[] = [
    client.GET('/changes', { params: { query: { site: [] } } }),
    client.GET('/setups', { params: { query: { siteId: [] } } }),
    client.GET('/setups/search/findCurrentByFourCharacterIdIn', { params: { query: { id: [] } } }),
  ];
  for (const request of requests)
    await t.rejects(request, { name: 'TypeError', message: /empty list/ });
  const { data } = await client.GET('/changes', { params: { query: { site: ['NAMA'] } } });
  t.ok(data!.page.totalElements > 0);
});

/** All that is yielded. */
async function collected<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of all) found.push(each);
  return found;
}

t.test('elementsFrom yields the elements of all pages, also of the feed', async (t) => {
  const { client, url } = await openClient(t);
  const query = { size: 5, sort: ['type,desc'] };
  const types: (string | null)[] = [];
  const first = client.GET('/gnssReceivers', { params: { query } });
  for await (const { type } of elementsFrom(client, first)) types.push(type);
  const all = await client.GET('/gnssReceivers', { params: { query: { ...query, size: 1000 } } });
  t.ok(types.length > 10);
  t.strictSame(
    types,
    all.data!._embedded.gnssReceivers.map(({ type }) => type),
  );
  const entries = client.GET('/feed', { params: { query: { size: 3 } } });
  const ids = (await collected(elementsFrom(client, entries))).map(({ id }) => id);
  const feed = JSON.parse(await textOf(`${url}/feed?size=100`)) as {
    _embedded: { entries: { id: string }[] };
  };
  t.strictSame(
    ids,
    feed._embedded.entries.map(({ id }) => id),
  );
  const none = client.GET('/changes', { params: { query: { from: '2099-01-01' } } });
  t.strictSame(await collected(elementsFrom(client, none)), []);
  const refused = client.GET('/changes', { params: { query: { size: 0 } } });
  await t.rejects(elementsFrom(client, refused).next(), {
    message: /size/,
    cause: { status: 400 },
  });
});

t.test('the client returns an error as a problem document', async (t) => {
  const { client } = await openClient(t);
  const { data, error, response } = await client.GET(
    '/setups/search/findCurrentByFourCharacterId',
    { params: { query: { id: 'ZZZZ' } } },
  );
  t.equal(response.status, 404);
  t.equal(data, undefined);
  t.strictSame([error?.type, error?.status], ['urn:gnss-site-setups:problem:unknown-site', 404]);
  const refused = await client.GET('/gnssReceivers', { params: { query: { size: 0 } } });
  t.equal(refused.error?.invalidParameters?.[0]?.name, 'size');
});

t.test('each guard accepts its kind of equipment, and no other', (t) => {
  const guards = Object.entries(clientModule).filter(([name]) => name.startsWith('is')) as [
    string,
    (content: unknown) => boolean,
  ][];
  const accepted = (equipmentType: string): string[] =>
    guards.flatMap(([name, isOfKind]) => (isOfKind({ id: { equipmentType } }) ? [name] : []));
  t.strictSame(schemas.EQUIPMENT_TYPES.map(accepted), [
    ...[['isReceiver'], ['isAntenna'], ['isHumiditySensor'], ['isClock']],
    ...[
      ['isPressureSensor'],
      ['isTemperatureSensor'],
      ['isWaterVaporSensor'],
      ['isOtherInstrument'],
    ],
  ]);
  t.end();
});
