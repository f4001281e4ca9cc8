import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Test } from 'tap';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PUBLISHED, schemaId, toJsonSchema } from '../schemas/index.js';
import { buildApp, type AppOptions } from '../src/http/app.js';
import {
  findSiteLogFiles,
  type ImportedFile,
  importSiteLogs,
  type ImportSummary,
} from '../src/import-site-logs.js';
import { openReader, openWriter } from '../src/store/open.js';
import type { Store } from '../src/store/store.js';

/** The root folder of the project. */
export const ROOT = join(import.meta.dirname, '..');
/** The folder of the exported contract. */
export const CONTRACT = join(ROOT, 'schemas', 'json');
/** The folder of the sample network. */
export const SAMPLE = join(ROOT, 'data', 'site-logs');

/** The folder of real site logs: that of the variable SHARED, or the one next to the project. */
export const SHARED = process.env.SHARED ?? join(ROOT, '..', 'shared', 'site-logs');
/** The same; null if there is none. */
export const REAL_LOGS = existsSync(SHARED) ? SHARED : null;
/** The options of a test that needs {@link REAL_LOGS}: without them it is skipped with a reason. */
export const withRealLogs = {
  skip: REAL_LOGS === null && 'no real site logs beside the project (../shared/site-logs)',
};

/** One block of a synthetic log, with dates as in a log. */
export interface Item {
  type?: string;
  serial?: string;
  from?: string;
  to?: string;
  /** Further lines, as labels and values. */
  more?: Record<string, string>;
}

/** A synthetic log. */
export interface SyntheticLog {
  id?: string;
  prepared?: string;
  name?: string;
  country?: string;
  /** Further lines of section 2, as labels and values. */
  place?: Record<string, string>;
  receivers?: Item[];
  antennas?: Item[];
  clocks?: Item[];
  sensors?: Item[];
  /** The agency of section 12. */
  agency?: string;
}

/** A place, for a synthetic log. */
export const placeOf = (latitude: string, longitude: string) => ({
  'Latitude (N is +)': latitude,
  'Longitude (E is +)': longitude,
});

const line = (label: string, value: string): string => `     ${label.padEnd(25)}: ${value}`;
const first = (number: string, label: string, value: string): string =>
  `${`${number} `.padEnd(5)}${label.padEnd(25)}: ${value}`;

/**
 * The text of a synthetic site log: version 1 of the IGS form, or version 2.0 for a nine-character
 * id.
 */
export function logText({
  id = 'TEST',
  prepared = '2020-01-01',
  name = 'Test',
  country = 'Nowhere',
  place = {},
  receivers = [],
  antennas = [],
  clocks = [],
  sensors = [],
  agency,
}: SyntheticLog): string {
  const more = (item: Item) =>
    Object.entries(item.more ?? {}).map(([label, value]) => line(label, value));
  const effective = (item: Item) =>
    line(
      '  Effective Dates',
      item.from === undefined && item.to === undefined ? '' : `${item.from ?? ''}/${item.to ?? ''}`,
    );
  const device = (item: Item) => [
    line('Serial Number', item.serial ?? ''),
    ...more(item),
    line('Date Installed', item.from ?? ''),
    line('Date Removed', item.to ?? '(CCYY-MM-DDThh:mmZ)'),
  ];
  const blocks = (number: string, label: string, items: Item[], rest: (item: Item) => string[]) =>
    items.flatMap((item, index) => [
      first(`${number}.${index + 1}`, label, item.type ?? ''),
      ...rest(item),
    ]);
  return [
    `     ${id} Site Information Form (site log)`,
    '0.   Form',
    line('Date Prepared', prepared),
    '1.   Site Identification of the GNSS Monument',
    line('Site Name', name),
    line(id.length === 9 ? 'Nine Character ID' : 'Four Character ID', id),
    '2.   Site Location Information',
    line(id.length === 9 ? 'Country or Region' : 'Country', country),
    ...Object.entries(place).map(([label, value]) => line(label, value)),
    '3.   GNSS Receiver Information',
    ...blocks('3', 'Receiver Type', receivers, device),
    '4.   GNSS Antenna Information',
    ...blocks('4', 'Antenna Type', antennas, device),
    '6.   Frequency Standard',
    ...blocks('6', 'Standard Type', clocks, (item) => [...more(item), effective(item)]),
    '8.   Meteorological Instrumentation',
    ...blocks('8.1', ' Humidity Sensor Model', sensors, (item) => [
      line('  Serial Number', item.serial ?? ''),
      ...more(item),
      effective(item),
    ]),
    ...(agency === undefined
      ? []
      : ['12.  Responsible Agency (if different from 11.)', line('Agency', agency)]),
    '',
  ].join('\n');
}

/** A database of the test, with an app over it. */
export interface Service {
  /** The folder of the test. */
  folder: string;
  database: string;
  store: Store;
  app: FastifyInstance;
  /** Sends a GET to the app. */
  get: (url: string, headers?: Record<string, string>) => Promise<LightMyRequestResponse>;
  /** Imports files and folders through its own connection. */
  importPaths: (paths: string[], now?: Date) => Promise<ImportSummary & { files: ImportedFile[] }>;
  /** Imports a synthetic log, or any text, under a name. */
  importText: (
    log: SyntheticLog | string,
    name?: string,
    now?: Date,
  ) => Promise<ImportSummary & { files: ImportedFile[] }>;
}

/** What is found in synthetic logs because they have only the lines that a test needs. */
const INCOMPLETE = new Set([
  'missing-section',
  'missing-label',
  'missing-value',
  'missing-equipment',
]);

/** Imports into a database file. */
export async function importInto(
  database: string,
  paths: string[],
  now = new Date(),
): Promise<ImportSummary & { files: ImportedFile[] }> {
  // A service reads the version of the database once per turn of the event loop, because other
  // processes commit.
  await setImmediate();
  const store = await openWriter(database);
  const files: ImportedFile[] = [];
  const summary = await importSiteLogs(
    await findSiteLogFiles(paths),
    store,
    () => now,
    (file) =>
      files.push({
        ...file,
        findings: file.findings.filter(({ code }) => !INCOMPLETE.has(code ?? '')),
      }),
  ).finally(() => store.close());
  return { ...summary, files };
}

/**
 * The options of a test about SQLite files: with `npm run test-postgres`, it is skipped with a
 * reason.
 */
export const aboutFiles = { skip: process.env.TEST_DATABASE !== undefined && 'about SQLite files' };

/**
 * The name of a database for a test, which has no tables yet: a file that does not exist; with
 * `npm run test-postgres`, the URL of an empty database.
 */
export async function newDatabase(t: Test, file: string): Promise<string> {
  if (process.env.TEST_DATABASE === undefined) return file;
  return (await import('./postgres/database.js')).createDatabase(t);
}

/**
 * The databases that this process has imported, by their site logs: a file as bytes, the name of a
 * PostgreSQL database. A copy takes no time, an import does.
 */
const imported = new Map<string, Buffer>();
const templates = new Map<string, Promise<string>>();

/** Creates a SQLite file of the given logs. It imports them once in a process. */
export async function createDatabase(database: string, paths: string[]): Promise<void> {
  const bytes = imported.get(paths.join('\n'));
  if (bytes !== undefined) return writeFileSync(database, bytes);
  await importInto(database, paths);
  imported.set(paths.join('\n'), readFileSync(database));
}

/** The same as a PostgreSQL database, which is copied from one that stays. */
async function copyDatabase(t: Test, paths: string[]): Promise<string> {
  const { createDatabase } = await import('./postgres/database.js');
  const fill = async (): Promise<string> => {
    // Not at the top: campaigns load this file too, and tap would take them for tests.
    const { default: root } = await import('tap');
    const url = await createDatabase(root);
    await importInto(url, paths);
    return /\w+$/.exec(url)![0];
  };
  const key = paths.join('\n');
  if (!templates.has(key)) templates.set(key, fill());
  return createDatabase(t, await templates.get(key)!);
}

/**
 * Creates a database of the given logs: the file, or with `npm run test-postgres` a PostgreSQL
 * database. Returns its name.
 */
export async function filledDatabase(t: Test, file: string, paths: string[]): Promise<string> {
  if (process.env.TEST_DATABASE !== undefined) return copyDatabase(t, paths);
  await createDatabase(file, paths);
  return file;
}

/** A service over the given logs; closed at the end of the test. */
export async function openService(
  t: Test,
  paths: string[] = [],
  options: Partial<AppOptions> = {},
): Promise<Service> {
  const folder = t.testdir({ logs: {} });
  const database = await filledDatabase(t, join(folder, 'test.sqlite'), paths);
  const importPaths: Service['importPaths'] = (more, now) => importInto(database, more, now);
  const importText: Service['importText'] = (log, name = 'test_20200101.log', now) => {
    const path = join(folder, 'logs', basename(name));
    writeFileSync(path, typeof log === 'string' ? log : logText(log));
    return importPaths([path], now);
  };
  const store = await openReader(database);
  const app = await buildApp({ store, contractFolder: CONTRACT, ...options });
  t.teardown(async () => {
    await app.close();
    await store.close();
  });
  const get: Service['get'] = (url, headers = {}) => app.inject({ url, headers });
  return { folder, database, store, app, get, importPaths, importText };
}

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
for (const name of Object.keys(PUBLISHED)) ajv.addSchema(toJsonSchema(name));

/** Validates a body against a published schema with Ajv. Returns the violations. */
export function violations(name: keyof typeof PUBLISHED, body: unknown): string[] {
  const validate = ajv.getSchema(schemaId(String(name)))!;
  void validate(body);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

/** The fixed header fields of the contract: all nine except the two that depend on the body. */
export const FIXED_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-xss-protection': '1; mode=block',
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: '0',
  'strict-transport-security': 'max-age=31536000 ; includeSubDomains',
  'x-frame-options': 'DENY',
};

/** The text of a file of the project. */
export const readProjectFile = (...path: string[]): string =>
  readFileSync(join(ROOT, ...path), 'utf8');

/** The paths of all files below a folder. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name))] : [],
  );

/** Markup that has an effect unless it is escaped. */
export const MARKUP = `<script>alert(1)</script><img src="x" onerror='alert(1)'>&amp;"`;

/** A site log in text form with markup in every field except ids and dates. */
export const hostileText = (log: string): string =>
  log.replace(/^(.{0,30}): *(\S.*)$/gm, (line, label: string) =>
    / ID |Date/.test(label)
      ? line
      : `${label}: ${MARKUP} ${label.trim().replace(/^[\d.]+\s+/, '')}`,
  );

/** A site log in GeodesyML with markup in every element except ids and dates. */
export const hostileXml = (log: string): string =>
  log.replace(
    /<(\w+:(\w+))([^<>]*)>([^<>]+)<\/\1>/g,
    (element, name: string, local: string, attributes: string) =>
      /ID$|date|Position|pos$/i.test(local)
        ? element
        : `<${name}${attributes}><![CDATA[${MARKUP} ${local}]]></${name}>`,
  );
