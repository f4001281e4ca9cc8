import { readAsImported } from '../../import-site-logs.js';
import { restoreDatabase } from '../../store/upkeep/maintenance.js';
import { visible } from '../../visible.js';
import { inodeOf } from '../../whole-file.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { UsageError } from '../line/failures.js';
import { count, progress } from '../line/terminal.js';

export const command = {
  usage: 'restore FILE',
  description: [
    'Replaces the content of the database with the backup FILE in one step, while the ' +
      'service runs. Checks FILE first, and brings',
    'an older version up to date. Keeps the old content in a file beside the database (of ' +
      'PostgreSQL: in the current folder). Refuses to run during an import.',
    'Exit codes: 0 done, 2 usage error, 3 the database or FILE cannot be used.',
  ].join('\n'),
  examples: [
    ['Put a backup in place of the default database.', 'restore backup.sqlite'],
    ['Put it in place of another one.', 'restore --database network.sqlite backup.sqlite'],
  ],
  completes: 'files',
  settings: ['database'],
  flags: {},
} as const satisfies CommandLine;

/** Restores the database and returns the exit code. */
export async function run({
  settings,
  arguments: [file, ...rest],
}: Given<typeof command>): Promise<number> {
  if (file === undefined || rest.length > 0) throw new UsageError('restore takes one FILE');
  const inode = inodeOf(file);
  if (inode !== null && inode === inodeOf(settings.database)) {
    throw new UsageError(`restore "${file}" is the database itself; expected a backup`);
  }
  const { bytes, sites, kept } = await restoreDatabase(
    settings.database,
    file,
    new Date(),
    progress,
    readAsImported,
  );
  process.stdout.write(
    `Restored from "${visible(file)}": ${count(sites, 'Site')}, ${(bytes / 1e6).toFixed(1)} MB\n` +
      (kept === null ? '' : `The old content is in "${visible(kept)}"\n`),
  );
  return 0;
}
