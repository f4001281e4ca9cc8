import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Test } from 'tap';
import {
  findSiteLogFiles,
  type ImportedFile,
  importSiteLogs,
  type ImportSummary,
} from '../src/import-site-logs.js';
import { openWriter } from '../src/store/open.js';
import { filesBelow, ROOT } from './project-files.js';

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
        findings: file.findings.filter(({ code }) => !INCOMPLETE.has(code)),
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
 * Where the databases of a run are: a test file copies what another has imported. `npm test` empties
 * it first.
 */
const IMPORTED = join(ROOT, 'dist', 'test-databases');
/** Those that this process has used, by their site logs: a file, or the name of a database. */
const templates = new Map<string, Promise<string>>();

/** The files that decide what a database of the given logs has: the program and the logs. */
const filesOf = (paths: string[]): string[] =>
  [join(ROOT, 'schemas'), join(ROOT, 'src'), ...paths].flatMap((path) =>
    statSync(path).isFile() ? path : filesBelow(path).map((file) => join(path, file)),
  );

/** Imports the given logs into a file in {@link IMPORTED}, unless it is there. */
async function importOnce(paths: string[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(paths));
  for (const file of filesOf(paths)) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  const file = join(IMPORTED, `${hash.digest('hex').slice(0, 16)}.sqlite`);
  if (existsSync(file)) return file;
  mkdirSync(IMPORTED, { recursive: true });
  // Other test files may import the same at this time.
  const own = `${file}.${process.pid}`;
  await importInto(own, paths);
  renameSync(own, file);
  return file;
}

/** What a function returned for the given logs the first time. */
function onceFor(paths: string[], create: (paths: string[]) => Promise<string>): Promise<string> {
  const key = paths.join('\n');
  const created = templates.get(key) ?? create(paths);
  templates.set(key, created);
  return created;
}

/** Creates a SQLite file of the given logs, which are imported once in a run. */
export async function createDatabase(database: string, paths: string[]): Promise<void> {
  copyFileSync(await onceFor(paths, importOnce), database);
}

/** The same as a PostgreSQL database, which is copied from one that stays. */
async function copyDatabase(t: Test, paths: string[]): Promise<string> {
  const { createDatabase } = await import('./postgres/database.js');
  const fill = async (): Promise<string> => {
    // Not at the top: campaigns load this file, too, and tap would take them for tests.
    const { default: root } = await import('tap');
    const url = await createDatabase(root);
    await importInto(url, paths);
    return /\w+$/.exec(url)![0];
  };
  return createDatabase(t, await onceFor(paths, fill));
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
