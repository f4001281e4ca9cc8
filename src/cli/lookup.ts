import { EQUIPMENT_KINDS, type EquipmentInUse, isSiteId, type Setup } from '../../schemas/index.js';
import { INSTANT_FORMS, parseInstant } from '../requests/instant.js';
import { parseSiteId } from '../requests/site-id.js';
import { readable, type SetupAnswer } from '../store/setups.js';
import { openReader } from '../store/open.js';
import { type CommandLine, type Given, UsageError } from './settings.js';
import { unresolved } from './unresolved.js';
import { visible } from '../visible.js';

export const command = {
  usage: 'lookup SITE',
  description: [
    'Shows the equipment in use at a Site, now or at a given time. Reads the database directly; no server needed.',
    'SITE is a four-character or nine-character id. Exit codes: 0 found, 1 no such Setup, 2 usage error, 3 the database cannot be used.',
  ].join('\n'),
  settings: ['database'],
  flags: {
    at: { argument: 'TIME', description: `Show the Setup at this time, in UTC: ${INSTANT_FORMS}. Default: the current Setup.` },
    json: { description: 'Print the Setup as JSON.' },
  },
} as const satisfies CommandLine<'database', 'at' | 'json'>;

/** Why no Setup was found, in one line. */
function reason(site: string, answer: Exclude<SetupAnswer, { kind: 'found' }>): string {
  switch (answer.kind) {
    case 'no-current-setup':
      return `the site log of ${site} contains no Setup`;
    case 'before-first-setup':
      return `the first Setup of ${site} begins at ${answer.first}`;
    case 'not-recorded':
      return `${site} was first recorded at ${answer.since}`;
    case 'unknown-site':
    case 'ambiguous-site':
    case 'retired-site':
    case 'renamed-site':
      return unresolved(site, answer);
  }
}

/** The rows for one item of equipment: its type and period, then the known values of its identity and configuration. */
function rowsOf({ content: { id, configuration, period } }: EquipmentInUse): [string, string][] {
  const { title } = EQUIPMENT_KINDS[id.equipmentType];
  const { equipmentType: _kind, type, ...identity } = id;
  const known = Object.entries({ ...identity, ...configuration }).filter(([, value]) => value !== null);
  return [
    [title, `${type ?? 'type unknown'}, ${period.from} to ${period.to ?? 'now'}`],
    ...known.map(([member, value]): [string, string] => [`  ${member}`, String(value)]),
  ];
}

function table(site: string, { id, effectivePeriod: { from, to }, equipmentInUse }: Setup): string {
  const rows: [string, string][] = [
    ['Site', site],
    ['Setup', `${id}, in effect ${from} to ${to ?? 'now'}`],
    ...(equipmentInUse.length === 0 ? [['Equipment', 'none in use'] as [string, string]] : equipmentInUse.flatMap(rowsOf)),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${visible(value)}\n`).join('');
}

/** Prints the Setup and returns the exit code. */
export async function run({ settings, flags, arguments: [site, ...rest] }: Given<'database', 'at' | 'json'>): Promise<number> {
  if (site === undefined || rest.length > 0) throw new UsageError('lookup takes exactly one SITE');
  if (!isSiteId(site)) {
    throw new UsageError(`"${site}" is not a Site id; expected four characters (ALIC) or nine (ALIC00AUS)`);
  }
  const at = typeof flags.at === 'string' ? parseInstant(flags.at) : null;
  if (typeof flags.at === 'string' && at === null) throw new UsageError(`--at "${flags.at}": expected ${INSTANT_FORMS}`);
  const reference = parseSiteId(site);
  const reader = await openReader(settings.database);
  try {
    const answer = await reader.setups.findOne({ site: reference, at, asOf: null, projection: null });
    if (answer.kind !== 'found') {
      process.stderr.write(`gnss-site-setups: ${reason(site.toUpperCase(), answer)}\n`);
      return 1;
    }
    const setup = readable(answer.setup);
    process.stdout.write(flags.json === true ? `${JSON.stringify(setup, null, 2)}\n` : table(site.toUpperCase(), setup));
    return 0;
  } finally {
    await reader.close();
  }
}
