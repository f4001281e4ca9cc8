import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

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

/** How long a costly request may wait, in milliseconds: longer than a busy machine lets it wait. */
export const PATIENCE = 600_000;

/** The text of a file of the project. */
export const readProjectFile = (...path: string[]): string =>
  readFileSync(join(ROOT, ...path), 'utf8');

/** The paths of the sources in a folder of the project, from its root. */
export const sourcesIn = (folder: string): string[] =>
  filesBelow(join(ROOT, folder))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));

/** The paths of all files below a folder. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name))] : [],
  );
