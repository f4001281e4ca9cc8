import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import t, { type Test } from 'tap';
import { inlined, type Node } from '../contract/compatibility.js';
import { nodeCommand } from '../node-command.js';
import { CONTRACT, SAMPLE } from '../project-files.js';
import { openService } from '../service.js';
import { installPackages, UNREACHABLE } from './packages.js';

/** An operation that answers JSON, with values for what it needs. */
interface Operation {
  path: string;
  operationId: string;
  /** The values of its path parameters. */
  inPath: Record<string, string>;
  /** Those of the required parameters of its query. */
  inQuery: Record<string, string | string[]>;
}

/** The parts of the OpenAPI document that tell how to ask an operation. */
interface Described {
  operationId: string;
  parameters: {
    name: string;
    in: 'path' | 'query';
    required?: boolean;
    schema: { examples: [string | string[]] };
  }[];
  responses: { 200: { content: Record<string, object> } };
}

const DOCUMENT = join(CONTRACT, 'openapi.json');
const document = inlined(JSON.parse(readFileSync(DOCUMENT, 'utf8')) as Node);

const operations = Object.entries(document.paths as Record<string, { get: Described }>).flatMap(
  ([path, { get }]): Operation[] => {
    const [mediaType] = Object.keys(get.responses[200].content);
    if (!/[/+]json\b/.test(mediaType!)) return [];
    const valuesIn = (place: 'path' | 'query') =>
      Object.fromEntries(
        get.parameters
          .filter((each) => each.in === place && each.required === true)
          .map(({ name, schema }) => [name, schema.examples[0]]),
      );
    const inPath = valuesIn('path') as Operation['inPath'];
    return [{ path, operationId: get.operationId, inPath, inQuery: valuesIn('query') }];
  },
);

/** An answer: of a request that succeeds, or the problem. */
interface Answer {
  data?: unknown;
  error?: unknown;
}

/** What the service answers to an operation if asked without a generated client. */
async function answerTo(base: string, { path, inPath, inQuery }: Operation): Promise<Answer> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => inPath[name]!);
  const pairs = Object.entries(inQuery).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value]),
  );
  const response = await fetch(`${base}${filled}?${new URLSearchParams(pairs).toString()}`);
  const body: unknown = await response.json();
  return response.ok ? { data: body } : { error: body };
}

/** Compares what a generated client returns with what the service answers. */
async function compare(
  t: Test,
  base: string,
  ask: (operation: Operation) => Promise<Answer>,
): Promise<void> {
  const wrong: string[] = [];
  for (const operation of operations) {
    const expected = await answerTo(base, operation);
    const member = 'data' in expected ? 'data' : 'error';
    const found = JSON.stringify((await ask(operation))[member]);
    if (found !== JSON.stringify(expected[member]))
      wrong.push(`${operation.operationId}: ${member} is ${String(found).slice(0, 60)}`);
  }
  t.ok(operations.length > 40);
  t.strictSame(wrong, [], `${operations.length - wrong.length} of ${operations.length}`);
}

/** The functions of a generated module, bundled and loaded. */
async function load(file: string): Promise<Record<string, unknown>> {
  const outfile = `${file}.mjs`;
  await build({ input: file, platform: 'node', output: { file: outfile } });
  return (await import(pathToFileURL(outfile).href)) as Record<string, unknown>;
}

/** Asks an operation. A generated function takes its values in an object. */
type Ask = (values: object) => Promise<Answer>;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const VERSIONS = {
  'swagger-typescript-api': '13.13.0',
  '@hey-api/openapi-ts': '0.99.0',
  typescript: '5.9.3',
};

t.test('generated clients get the answer of every operation', async (t) => {
  const { app } = await openService(t, [SAMPLE]);
  const base = await app.listen({ port: 0, host: '127.0.0.1' });
  const folder = await installPackages(join(t.testdirName, 'packages'), VERSIONS);
  if (folder === null) return void t.pass('no packages', UNREACHABLE);
  await t.test('swagger-typescript-api', async (t) => {
    const script = `import { generateApi } from 'swagger-typescript-api';
      await generateApi({ input: ${JSON.stringify(DOCUMENT)}, output: ${JSON.stringify(folder)},
        fileName: 'sta.ts', httpClientType: 'fetch', extractRequestParams: true, silent: true });`;
    writeFileSync(join(folder, 'generate.mjs'), script);
    await promisify(execFile)(...nodeCommand('generate.mjs'), { cwd: folder });
    const { Api } = (await load(join(folder, 'sta.ts'))) as {
      Api: new (options: object) => object;
    };
    const api = new Api({ baseUrl: base });
    // Each operation is a function of its group; that of `/` has none.
    const groups = [api, ...Object.values(api).filter(isObject)] as Record<string, Ask>[];
    // It throws the answer that has an error.
    const ask = ({ operationId, inPath, inQuery }: Operation) =>
      groups.find((each) => operationId in each)![operationId]!({ ...inPath, ...inQuery }).catch(
        (answer: unknown) => answer as Answer,
      );
    await compare(t, base, ask);
  });
  await t.test('@hey-api/openapi-ts', async (t) => {
    const args = ['-i', DOCUMENT, '-o', 'hey', '-c', '@hey-api/client-fetch'];
    const command = nodeCommand('node_modules/@hey-api/openapi-ts/bin/run.js', ...args);
    await promisify(execFile)(...command, { cwd: folder });
    const generated = (await load(join(folder, 'hey/sdk.gen.ts'))) as Record<string, Ask>;
    const ask = ({ operationId, inPath, inQuery }: Operation) =>
      generated[operationId]!({ baseUrl: base, path: inPath, query: inQuery });
    await compare(t, base, ask);
    // As the guide says.
    const options = { baseUrl: base, path: { format: 'csv' }, parseAs: 'text' };
    const { data } = await generated.exportSites!(options);
    t.equal(data, await (await fetch(`${base}/exports/sites.csv`)).text());
  });
});
