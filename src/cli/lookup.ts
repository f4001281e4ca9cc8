import { EQUIPMENT_KINDS, type EquipmentInUse, isSiteId, type Setup } from '../../schemas/index.js';
import { INSTANT_FORMS, parseInstant } from '../requests/instant.js';
import { parseSiteId } from '../requests/site-id.js';
import type { SetupAnswer } from '../store/setups.js';
import { openReader } from '../store/sqlite/open.js';
import { type CommandLine, type Given, UsageError } from './settings.js';
import { visible } from '../visible.js';

export const command = {
  usage: 'lookup SITE',
  description: [
    'Tells what equipment is, or was, at a Site, from the database, without a server.',
    'SITE is the four-character id of the Site, or its nine-character id. Exit code: 0 found, 1 there is no such Setup.',
  ].join('\n'),
  settings: ['database'],
  flags: {
    at: { argument: 'T', description: `The Setup at an instant in UTC: ${INSTANT_FORMS}. Left out, the current one.` },
    json: { description: 'Print the Setup as JSON.' },
  },
} as const satisfies CommandLine<'database', 'at' | 'json'>;

/** Why there is no Setup, in one line. */
function reason(site: string, answer: Exclude<SetupAnswer, { kind: 'found' }>): string {
  switch (answer.kind) {
    case 'unknown-site':
      return `there is no Site with the id ${site}`;
    case 'no-current-setup':
      return `the Site ${site} is known, and its site log gives no Setup`;
    case 'before-first-setup':
      return `the first Setup of ${site} begins at ${answer.first}`;
    case 'not-recorded':
      return `the Site ${site} is on record since ${answer.since}`;
  }
}

/** The lines of one piece of equipment: what it is, since when, and what is known of its configuration. */
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

/** Looks up, prints, and returns the exit code. */
export async function run({ settings, flags, arguments: [site, ...rest] }: Given<'database', 'at' | 'json'>): Promise<number> {
  if (site === undefined || rest.length > 0) throw new UsageError('lookup takes one SITE');
  if (!isSiteId(site)) {
    throw new UsageError(`"${site}" is no id of a Site; expected four characters such as ALIC, or nine such as ALIC00AUS`);
  }
  const at = typeof flags.at === 'string' ? parseInstant(flags.at) : null;
  if (typeof flags.at === 'string' && at === null) throw new UsageError(`--at "${flags.at}": expected ${INSTANT_FORMS}`);
  const reference = parseSiteId(site);
  const reader = openReader(settings.database);
  try {
    const answer = await reader.setups.findOne({ site: reference, at, asOf: null, projection: null });
    if (answer.kind !== 'found') {
      process.stderr.write(`gnss-site-setups: ${reason(site.toUpperCase(), answer)}\n`);
      return 1;
    }
    process.stdout.write(
      flags.json === true ? `${JSON.stringify(answer.setup, null, 2)}\n` : table(reference.fourCharacterId, answer.setup),
    );
    return 0;
  } finally {
    await reader.close();
  }
}
