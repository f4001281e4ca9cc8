import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PUBLISHED, toJsonSchema } from '../../../schemas/index.js';
import { ZIP_MEDIA_TYPE } from '../../exports/site-files.js';
import { buildApp } from '../../http/app.js';
import { type Examples, openApiDocument } from '../../http/contract/openapi.js';
import type { DescribedRoute } from '../../http/contract/operations.js';
import { FIXED_FIELDS } from '../../http/wire/header-fields.js';
import { problemStatus } from '../../http/wire/problems.js';
import { findSiteLogFiles, importSiteLogs } from '../../import-site-logs.js';
import { openReader, openWriter } from '../../store/open.js';
import { SAMPLE_NETWORK, thisBuild } from '../line/package-files.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { reasonOf } from '../../system-error.js';
import { CommandFailed, UsageError } from '../line/failures.js';

const DEFAULT_FOLDER = join('schemas', 'json');

export const command = {
  usage: 'export-schemas [DIR]',
  description:
    `Writes the contract to DIR [${DEFAULT_FOLDER}]: JSON Schema (2020-12), one file per type, ` +
    'and openapi.json (OpenAPI 3.1).',
  examples: [
    ['Write the contract to its folder in a clone.', 'export-schemas'],
    ['Write it to another folder.', 'export-schemas contract'],
  ],
  completes: 'files',
  settings: [],
  flags: {},
} as const satisfies CommandLine;

/**
 * When the sample network of the examples was imported: always then, so that the export is always
 * the same.
 */
const IMPORTED_AT = new Date('2026-01-01T00:00:00Z');
const HOST = 'localhost:8080';

/** The URLs of an operation's examples, by the status they are answered with. */
function exampleUrls({ path, problems, example }: DescribedRoute): string[] {
  const { parameters = {}, query = {} } = example;
  const url = (
    parameters: Record<string, string | number>,
    query: Record<string, string>,
  ): string => {
    const search = new URLSearchParams(query).toString();
    return (
      path.replace(/:(\w+)/g, (_, name: string) => String(parameters[name] ?? '')) +
      (search === '' ? '' : `?${search}`)
    );
  };
  const missing = problems.some((kind) => problemStatus(kind) === 404);
  return [
    url(parameters, query),
    url(parameters, { ...query, unknown: 'x' }),
    ...(missing && path.includes(':id') ? [url({ id: 999_999_999 }, {})] : []),
    ...(missing && path.includes('/search/') ? [url({}, { id: 'XXXX' })] : []),
  ];
}

/** How many lines of an answer that is text make its example. */
const MOST_LINES = 4;

/** The most links in the example of an index. */
const MOST_LINKS = 40;

/** An answer as an example: of a long index, only the first links. */
function exampleIn(body: string): unknown {
  const answer = JSON.parse(body) as { _links?: object };
  const links = Object.entries(answer._links ?? {});
  if (links.length <= MOST_LINKS) return answer;
  return { ...answer, _links: Object.fromEntries(links.slice(0, MOST_LINKS)) };
}

/** The answers to some requests, by status. */
async function answersTo(
  app: Awaited<ReturnType<typeof buildApp>>,
  urls: string[],
): Promise<Examples[string]> {
  const answers: Examples[string] = {};
  for (const url of urls) {
    const { statusCode, headers, body } = await app.inject({ url, headers: { host: HOST } });
    // Readers of the contract cannot use an archive as an example.
    if (headers['content-type'] === ZIP_MEDIA_TYPE) continue;
    const isJson = /[/+]json\b/.test(String(headers['content-type']));
    const answer: unknown = isJson
      ? exampleIn(body)
      : body.split('\n').slice(0, MOST_LINES).join('\n');
    answers[statusCode] = { request: `GET ${url}`, answer };
  }
  return answers;
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
    // Only the examples of the contract itself are read from the folder.
    for (const name of Object.keys(PUBLISHED))
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(toJsonSchema(name)));
    writeFileSync(
      join(folder, 'openapi.json'),
      JSON.stringify({ openapi: '3.1.0', info: { version: thisBuild().version }, paths: {} }),
    );
    const app = await buildApp({ store, contractFolder: folder, clock: () => IMPORTED_AT });
    const publishing = await buildApp({ store, contractFolder: folder, publishContacts: true });
    const { operations } = app;
    const examples: Examples = {};
    for (const route of operations) {
      if (route.exampleOf !== undefined) continue;
      const urls = exampleUrls(route);
      const answers = await answersTo(app, urls);
      // The file of a log is published only together with contacts.
      examples[route.operationId] =
        answers[200] === undefined
          ? { ...answers, ...(await answersTo(publishing, urls)) }
          : answers;
    }
    await publishing.close();
    await app.close();
    await store.close();
    return { operations, examples };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How long a line may be that has a whole object or array. */
const LINE = 160;

/** JSON, indented by one blank. Short objects and arrays take one line, which halves the size. */
function print(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const deeper = `${indent} `;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  const parts = entries.map(
    ([key, each]) => (Array.isArray(value) ? '' : `${JSON.stringify(key)}: `) + print(each, deeper),
  );
  const blank = Array.isArray(value) || parts.length === 0 ? '' : ' ';
  const line = `${open}${blank}${parts.join(', ')}${blank}${close}`;
  const fits = line.length <= LINE - indent.length && !line.includes('\n');
  return fits
    ? line
    : `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${indent}${close}`;
}

/** The files of the contract, by name. */
async function contract(): Promise<Record<string, object>> {
  const { operations, examples } = await describe();
  return {
    ...Object.fromEntries(
      Object.keys(PUBLISHED).map((name) => [`${name}.json`, toJsonSchema(name)]),
    ),
    'openapi.json': openApiDocument(operations, FIXED_FIELDS, thisBuild().version, examples),
  };
}

/** Writes the files, and returns the exit code. */
export async function run({
  arguments: [folder = DEFAULT_FOLDER, ...rest],
}: Given<typeof command>): Promise<number> {
  if (rest.length > 0)
    throw new UsageError(`export-schemas takes one DIR: "${rest[0]}" is one too many`);
  const files = await contract();
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(folder, name), `${print(content)}\n`);
  } catch (error) {
    throw new CommandFailed(`"${folder}" cannot be written: ${reasonOf(error)}`);
  }
  process.stdout.write(`${Object.keys(files).length} files written to ${folder}\n`);
  return 0;
}
