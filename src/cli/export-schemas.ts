import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PUBLISHED, toJsonSchema } from '../../schemas/index.js';
import { buildApp } from '../http/app.js';
import { type Examples, openApiDocument } from '../http/openapi.js';
import type { DescribedRoute } from '../http/operations.js';
import { readHeaderFields } from '../http/wire/header-fields.js';
import { statusOf } from '../http/wire/problems.js';
import { findSiteLogFiles, importSiteLogs } from '../import-site-logs.js';
import { openReader, openWriter } from '../store/open.js';
import { SAMPLE_NETWORK, version } from './package-files.js';
import type { CommandLine, Given } from './command-line.js';
import { CommandFailed, UsageError } from './settings.js';

const DEFAULT_FOLDER = join('schemas', 'json');

export const command = {
  usage: 'export-schemas [DIR]',
  description: `Writes the contract to DIR [${DEFAULT_FOLDER}]: JSON Schema (2020-12), one file a type, and openapi.json (OpenAPI 3.1).`,
  settings: [],
  flags: {},
} as const satisfies CommandLine<never, never>;

/** When the sample network of the examples was imported: always then, so that the export is always the same. */
const IMPORTED_AT = new Date('2026-01-01T00:00:00Z');
const HOST = 'localhost:8080';

/** The URLs of an operation's examples, by the status they are answered with. */
function exampleUrls({ path, operation: { example, problems = [] } }: DescribedRoute): string[] {
  const url = (parameters: Record<string, string | number> = {}, query: Record<string, string> = {}): string => {
    const search = new URLSearchParams(query).toString();
    return path.replace(/:(\w+)/g, (_, name: string) => String(parameters[name] ?? '')) + (search === '' ? '' : `?${search}`);
  };
  const missing = problems.some((kind) => statusOf(kind) === 404);
  return [
    url(example.parameters, example.query),
    url(example.parameters, { ...example.query, unknown: 'x' }),
    ...(missing && path.includes(':id') ? [url({ id: 999_999_999 })] : []),
    ...(missing && path.includes(':name') ? [url({ name: 'Nothing.json' })] : []),
    ...(missing && path.includes('/search/') ? [url({}, { id: 'XXXX' })] : []),
  ];
}

/** The operations of the service, and what it answers to the examples over the sample network. */
async function describe(): Promise<{ operations: DescribedRoute[]; examples: Examples }> {
  const folder = mkdtempSync(join(tmpdir(), 'gnss-site-setups-'));
  try {
    const database = join(folder, 'sample.sqlite');
    const writer = await openWriter(database);
    const files = await findSiteLogFiles([SAMPLE_NETWORK]);
    await importSiteLogs(
      files,
      writer,
      () => IMPORTED_AT,
      () => undefined,
    );
    await writer.close();
    const store = await openReader(database);
    const app = await buildApp({ store, contractFolder: folder, clock: () => IMPORTED_AT });
    const { operations } = app;
    const examples: Examples = {};
    for (const route of operations) {
      // Finished texts are their own example.
      if (route.response === null) continue;
      const answers: Record<number, unknown> = {};
      for (const url of exampleUrls(route)) {
        const response = await app.inject({ url, headers: { host: HOST } });
        answers[response.statusCode] = response.json();
      }
      examples[route.operation.operationId] = answers;
    }
    await app.close();
    await store.close();
    return { operations, examples };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files of the contract, by name. */
async function contract(): Promise<Record<string, object>> {
  const { operations, examples } = await describe();
  const { all } = await readHeaderFields();
  return {
    ...Object.fromEntries(Object.keys(PUBLISHED).map((name) => [`${name}.json`, toJsonSchema(name)])),
    'openapi.json': openApiDocument(operations, all, version(), examples),
  };
}

/** Writes the files, and returns the exit code. */
export async function run({ arguments: [folder = DEFAULT_FOLDER, ...rest] }: Given<never, never>): Promise<number> {
  if (rest.length > 0) throw new UsageError(`export-schemas takes one DIR: "${rest[0]}" is one too many`);
  const files = await contract();
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
  } catch (error) {
    throw new CommandFailed(
      `"${folder}" cannot be written (${(error as NodeJS.ErrnoException).code}); name a folder that this user may write`,
    );
  }
  process.stdout.write(`${Object.keys(files).length} files written to ${folder}\n`);
  return 0;
}
