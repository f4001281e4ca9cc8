import { correct, unknownAction } from '../correction.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { UsageError } from '../line/failures.js';
import { siteIdOf } from '../line/site-ids.js';

export const command = {
  usage: 'site retire SITE | site unretire SITE | site rename OLD NEW',
  description: [
    'Retires a Site: it leaves the collections and lookups, but stays on record; unretire ' +
      'undoes that. Renames a Site whose id was wrong.',
    'The old id of a renamed Site leads to the new one. Logs that still have the old id are ' +
      'saved for the renamed Site.',
    'Two stations never end up in one Site: the first log with nine characters that begin ' +
      'with the old four completes the old id; later ones with other characters are another Site.',
    'If another Site has or had the old four characters, a new log or a lookup with only these ' +
      'is refused. So is a correction, unless one Site is known by these alone.',
    'Works while the service runs. Exit codes: 0 done, 1 not possible, 2 usage error, 3 the ' +
      'database cannot be used.',
  ].join('\n'),
  examples: [
    ['Retire a Site.', 'site retire ALIC00AUS'],
    ['Give a Site its right id.', 'site rename ALIC00AUS ALIC01AUS'],
  ],
  completes: ['retire', 'unretire', 'rename'],
  settings: ['database'],
  flags: { 'dry-run': { description: 'Report what would change, without saving anything.' } },
} as const satisfies CommandLine;

/** Retires, unretires or renames a Site, and returns the exit code. */
export async function run({
  settings,
  flags,
  arguments: [action, site, to, ...rest],
}: Given<typeof command>): Promise<number> {
  const dryRun = flags['dry-run'] === true;
  if (action === 'rename') {
    if (site === undefined || to === undefined || rest.length > 0)
      throw new UsageError('site rename takes two ids: OLD and NEW');
    return correct(settings.database, dryRun, site, { kind: 'rename', to: siteIdOf(to) });
  }
  if (action !== 'retire' && action !== 'unretire') {
    throw unknownAction('site', action, 'retire, unretire or rename');
  }
  if (site === undefined || to !== undefined) throw new UsageError(`site ${action} takes one SITE`);
  return correct(settings.database, dryRun, site, { kind: action });
}
