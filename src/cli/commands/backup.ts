import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { backUpDatabase } from '../../store/upkeep/maintenance.js';
import { isBackup } from '../../store/sqlite/backup.js';
import { visible } from '../../visible.js';
import { inodeOf } from '../../whole-file.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { CommandFailed, UsageError } from '../line/failures.js';
import { count, progress } from '../line/terminal.js';

export const command = {
  usage: 'backup FILE',
  description: [
    'Copies the database to FILE while the service and imports run, and checks the copy. ' +
      'FILE may be an earlier backup, which is replaced.',
    'Exit codes: 0 done, 2 usage error, 3 the database or FILE cannot be used.',
  ].join('\n'),
  examples: [
    ['Back up the default database.', 'backup backup.sqlite'],
    [
      'Back up a database in PostgreSQL.',
      'backup --database postgres://gnss@db/gnss backup.sqlite',
    ],
  ],
  completes: 'files',
  settings: ['database'],
  flags: {},
} as const satisfies CommandLine;

/**
 * Checks that a backup may be written to a file.
 * @throws {UsageError}
 * @throws {CommandFailed} if there is no folder for it
 */
function checkTarget(file: string, database: string): void {
  if (statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new CommandFailed(`backup "${file}": there is no folder "${dirname(file)}"`);
  }
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (['', '-wal', '-shm'].some((end) => inodeOf(database + end) === inodeOf(file))) {
    throw new UsageError(`backup "${file}" is the database itself; choose another file`);
  }
  if (!found.isFile())
    throw new UsageError(
      `backup "${file}" is not a regular file; expected a file to create or replace`,
    );
  // SQLite would take what is in there for newer pages of the backup.
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new UsageError(
      `backup "${file}" has a -wal file, so another process uses it or was killed; ` +
        'choose another file',
    );
  if (found.size > 0 && !isBackup(file))
    throw new UsageError(`backup "${file}" exists and is not a backup; choose another file`);
}

/**
 * The file that a symbolic link names, so that the link stays.
 * @throws {UsageError} if there is no such file
 */
function linkedFile(file: string): string {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return file;
  if (statSync(file, { throwIfNoEntry: false }) === undefined)
    throw new UsageError(
      `backup "${file}" is a link to a file that does not exist; choose another file`,
    );
  return realpathSync(file);
}

/** Backs the database up and returns the exit code. */
export async function run({
  settings,
  arguments: [file, ...rest],
}: Given<typeof command>): Promise<number> {
  if (file === undefined || rest.length > 0) throw new UsageError('backup takes one FILE');
  const target = linkedFile(file);
  checkTarget(target, settings.database);
  const { bytes, sites } = await backUpDatabase(settings.database, target, progress);
  process.stdout.write(
    `Backup "${visible(file)}": ${count(sites, 'Site')}, ${(bytes / 1e6).toFixed(1)} MB, checked\n`,
  );
  return 0;
}
