import { readFileSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Test } from 'tap';
import {
  findSiteLogFiles,
  type ImportedFile,
  importSiteLogs,
  type ImportSummary,
} from '../src/import-site-logs.js';
import { openWriter } from '../src/store/open.js';

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
    // Not at the top: campaigns load this file, too, and tap would take them for tests.
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
