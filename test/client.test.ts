import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { publint } from 'publint';
import t, { type Test } from 'tap';
import * as schemas from '../schemas/index.js';
import * as clientModule from '../src/client/index.js';
import { CONTRACT, openService, readProjectFile, ROOT, SAMPLE } from './helper.js';
import { nodeCommand } from './node-command.js';

const { createSetupsClient } = clientModule;

interface Manifest {
  name: string;
  version: string;
  bin: Record<string, string>;
  dependencies: Record<string, string>;
}
const MANIFEST = JSON.parse(readProjectFile('package.json')) as Manifest;

/** Runs a program to its end. */
const run = (program: string, args: string[], cwd = ROOT): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    // No test here needs the network, so any use of it must fail at once.
    const env = { PATH: process.env.PATH ?? '', npm_config_offline: 'true', npm_config_update_notifier: 'false' };
    execFile(program, args, { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
/** Runs the command of a development dependency. */
const runTool = (name: string, args: string[], cwd?: string) => run(...nodeCommand(join(ROOT, 'node_modules', '.bin', name), ...args), cwd);

/** A client team's project outside the repository, with the packed package installed. */
interface Installed {
  /** The folder of the project. */
  project: string;
  /** The folder of the package in it. */
  folder: string;
  tarball: string;
}
let installed: Promise<Installed> | undefined;

/** Packs the built package and installs it as npm does. Its declared dependencies, and no others, are links to those of the repository. */
async function pack(): Promise<Installed> {
  const project = mkdtempSync(join(tmpdir(), 'gnss-site-setups-'));
  t.teardown(() => rmSync(project, { recursive: true, force: true }));
  const { code, stderr } = await run('npm', ['pack', '--ignore-scripts', '--pack-destination', project]);
  if (code !== 0) throw new Error(stderr);
  const tarball = join(
    project,
    readdirSync(project).find((name) => name.endsWith('.tgz'))!,
  );
  const modules = join(project, 'node_modules');
  const folder = join(modules, MANIFEST.name);
  mkdirSync(folder, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  const { dependencies, bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  mkdirSync(join(modules, '.bin'));
  for (const [name, path] of Object.entries(bin)) symlinkSync(join('..', MANIFEST.name, path), join(modules, '.bin', name));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  return { project, folder, tarball };
}
const install = (): Promise<Installed> => (installed ??= pack());

/** A client team's file. Lines that must not compile are marked. */
const CONSUMER = `
import { type components, createSetupsClient, isAntenna, type operations, type paths } from 'gnss-site-setups/client';
import { type GnssReceiver, PUBLISHED, type SetupResource, toJsonSchema } from 'gnss-site-setups/schemas';
import contract from 'gnss-site-setups/schemas/json/openapi.json' with { type: 'json' };

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

/** The TypeScript examples of the API guide must compile too. The package for client teams has the same exports. */
const EXAMPLES = [...readProjectFile('schemas', 'README.md').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) =>
  text!.replaceAll('gnss-site-setups-client/', 'gnss-site-setups/').replace("'gnss-site-setups-client'", "'gnss-site-setups/client'"),
);

/** Compiler options for Node without browser types, with all declarations checked, and for a bundler without Node types. */
const SETTINGS = {
  nodenext: { module: 'nodenext', target: 'es2023', lib: ['es2023'], types: ['node'], skipLibCheck: false },
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

t.test('the generated types match the contract (`npm run generate-client` writes them)', async (t) => {
  const file = join(ROOT, 'src', 'client', 'contract-types.ts');
  const generated = COMMENT_HEADER + astToString(await openapiTS(readFileSync(join(CONTRACT, 'openapi.json'))));
  const formatted = await format(generated, { ...(await resolveConfig(file)), filepath: file });
  t.ok(formatted === readFileSync(file, 'utf8'), 'run npm run generate-client and commit src/client/contract-types.ts');
});

t.test('npm pack includes the contract, the command and its data, but no test, source or database', async (t) => {
  const { folder } = await install();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const expected =
    /^dist\/(schemas|src)\/.*(\.js|\.d\.ts)$|^schemas\/json\/\w+\.json$|^data\/site-logs\/\w+\.(log|xml)$|^src\/cli\/completion\/[\w-]+\.(bash|zsh)$|^dist\/src\/bundle\/build\.json$/;
  t.strictSame(files.filter((file) => !expected.test(file)).sort(), ['CHANGELOG.md', 'README.md', 'data/README.md', 'package.json']);
  for (const path of [
    ['schemas', 'json'],
    ['data', 'site-logs'],
  ])
    t.strictSame(readdirSync(join(folder, ...path)), readdirSync(join(ROOT, ...path)));
  for (const source of ['src/client/index', 'schemas/index', 'src/bundle/main']) t.ok(files.includes(`dist/${source}.js`), source);
});

t.test('correct client code compiles for Node and for a bundler, and mistakes do not', async (t) => {
  const { project } = await install();
  const files = [CONSUMER, ...EXAMPLES].map((text, index) => {
    writeFileSync(join(project, `consumer${index}.ts`), text);
    return `consumer${index}.ts`;
  });
  const checks = Object.entries(SETTINGS).map(async ([resolution, settings]) => {
    const compilerOptions = { ...settings, strict: true, noUncheckedIndexedAccess: true, noEmit: true };
    writeFileSync(join(project, `${resolution}.json`), JSON.stringify({ compilerOptions, files }));
    t.strictSame(await runTool('tsc', ['-p', `${resolution}.json`], project), { code: 0, stdout: '', stderr: '' }, resolution);
  });
  await Promise.all(checks);
});

t.test('the installed package exports what the repository has, and the contract', async (t) => {
  const { project } = await install();
  const script = `
    import * as client from 'gnss-site-setups/client';
    import * as schemas from 'gnss-site-setups/schemas';
    import contract from 'gnss-site-setups/schemas/json/openapi.json' with { type: 'json' };
    console.log(JSON.stringify([Object.keys(client), Object.keys(schemas), contract.info.version]));`;
  const { stdout, stderr } = await run(...nodeCommand('--no-warnings', '--input-type=module', '--eval', script), project);
  t.equal(stderr, '');
  t.strictSame(JSON.parse(stdout), [Object.keys(clientModule), Object.keys(schemas), MANIFEST.version]);
});

t.test('the installed command prints its version and writes its contract', async (t) => {
  const { project, folder } = await install();
  const command = join(project, 'node_modules', '.bin', MANIFEST.name);
  const { code, stdout, stderr } = await run(command, ['--version'], project);
  t.ok(stdout.startsWith(MANIFEST.version), stdout);
  t.strictSame([code, stderr], [0, '']);
  t.match(await run(command, ['export-schemas', 'contract'], project), { code: 0, stderr: '' });
  const came = readdirSync(join(folder, 'schemas', 'json'));
  const differing = came.filter(
    (name) => !readFileSync(join(project, 'contract', name)).equals(readFileSync(join(folder, 'schemas', 'json', name))),
  );
  t.strictSame(differing, []);
});

t.test('the installed command works where Node.js cannot keep its compiled code', async (t) => {
  const { project, folder } = await install();
  const cache = join(folder, 'dist', 'compile-cache');
  rmSync(cache, { recursive: true, force: true });
  writeFileSync(cache, 'not a folder');
  const command = join(project, 'node_modules', '.bin', MANIFEST.name);
  t.match(await run(command, ['export-schemas', 'contract'], project), { code: 0, stderr: '' });
  rmSync(cache);
  t.match(await run(command, ['export-schemas', 'contract'], project), { code: 0, stderr: '' });
  t.ok(readdirSync(cache).length > 0, 'it keeps it where it can');
});

t.test('the bundled command has the license of what it contains from others', async (t) => {
  const { folder } = await install();
  const bundle = join(folder, 'dist', 'src', 'bundle');
  const texts = readdirSync(bundle).map((name) => readFileSync(join(bundle, name), 'utf8'));
  // esbuild names the source of each part in a comment.
  const copies = texts.filter((text) => /^\/\/ .*node_modules\//m.test(text));
  t.ok(copies.length > 0);
  for (const text of copies) {
    t.strictSame(
      new Set([...text.matchAll(/^\/\/ .*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/gm)].map(([, name]) => name)),
      new Set(['@sinclair/typebox']),
    );
    t.match(text, /The MIT License[^]*Copyright \(c\)/);
  }
});

t.test('publint accepts the package', async (t) => {
  const { tarball } = await install();
  const bytes = new Uint8Array(readFileSync(tarball));
  const { messages } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  t.strictSame(messages, []);
});

t.test('are-the-types-wrong accepts the package', async (t) => {
  const { tarball } = await install();
  // The package is for ES modules only, so ignore how CommonJS and Node.js 10 resolve it.
  const { code, stdout } = await runTool('attw', [tarball, '--profile', 'esm-only', '--no-definitely-typed', '--format', 'ascii']);
  t.equal(code, 0, { stdout });
  for (const entry of ['client', 'schemas', 'package.json']) t.match(stdout, `"${MANIFEST.name}/${entry}"`);
});

/** A client of the sample network over HTTP. */
async function openClient(t: Test): Promise<clientModule.SetupsClient> {
  const { app } = await openService(t, [SAMPLE]);
  return createSetupsClient(await app.listen({ port: 0, host: '127.0.0.1' }));
}

t.test('the client finds the current Setup of ALIC', async (t) => {
  const client = await openClient(t);
  const { data, error } = await client.GET('/setups/search/findCurrentByFourCharacterId', { params: { query: { id: 'ALIC' } } });
  t.equal(error, undefined);
  t.match(data?.equipmentInUse[0]?.content.id, { equipmentType: 'gnss receiver', type: 'LEICA GR25' });
  const kept = await client.GET('/setups/{id}', { params: { path: { id: data!.id } } });
  t.strictSame(kept.data, data);
});

t.test('the client pages through the receivers of a type', async (t) => {
  const client = await openClient(t);
  const query = { type: ['TRIMBLE NETRS', 'LEICA GR50'], size: 3, sort: ['type,desc', 'serialNumber,asc'] };
  const found: (string | null)[] = [];
  for (let page = 0, more = true; more; page++) {
    const { data } = await client.GET('/gnssReceivers', { params: { query: { ...query, page } } });
    found.push(...data!._embedded.gnssReceivers.map(({ type }) => type));
    more = data!._links.next !== undefined;
    t.equal(data!.page.totalElements, 8);
  }
  t.strictSame(found, [...Array<string>(7).fill('TRIMBLE NETRS'), 'LEICA GR50']);
});

t.test('the client returns an error as a problem document', async (t) => {
  const client = await openClient(t);
  const { data, error, response } = await client.GET('/setups/search/findCurrentByFourCharacterId', { params: { query: { id: 'ZZZZ' } } });
  t.equal(response.status, 404);
  t.equal(data, undefined);
  t.strictSame([error?.type, error?.status], ['urn:gnss-site-setups:problem:unknown-site', 404]);
  const refused = await client.GET('/gnssReceivers', { params: { query: { size: 0 } } });
  t.equal(refused.error?.invalidParameters?.[0]?.name, 'size');
});

t.test('each guard accepts its kind of equipment, and no other', (t) => {
  const guards = Object.entries(clientModule).filter(([name]) => name.startsWith('is')) as [string, (content: unknown) => boolean][];
  const accepted = (equipmentType: string): string[] =>
    guards.flatMap(([name, isOfKind]) => (isOfKind({ id: { equipmentType } }) ? [name] : []));
  t.strictSame(schemas.EQUIPMENT_TYPES.map(accepted), [
    ...[['isReceiver'], ['isAntenna'], ['isHumiditySensor'], ['isClock']],
    ...[['isPressureSensor'], ['isTemperatureSensor'], ['isWaterVaporSensor'], ['isOtherInstrument']],
  ]);
  t.end();
});
