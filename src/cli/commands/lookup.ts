import {
  EQUIPMENT_KINDS,
  type EquipmentInUse,
  type ExportedSetup,
  type Provenance,
  type Setup,
} from '../../../schemas/index.js';
import { asOfTime } from '../../exports/as-of.js';
import { RequestRefused } from '../../exports/refusals.js';
import { INSTANT_FORMS } from '../../requests/instant.js';
import { type LookupProjection, readable } from '../../store/read/setups/records.js';
import type { SetupAnswer } from '../../store/read/setups/setups.js';
import { SETUP_COLUMNS } from '../../formats/columns.js';
import type { Sites } from '../../store/read/sites/sites.js';
import { openReader } from '../../store/open.js';
import { type Store, storeAsOf } from '../../store/store.js';
import { FORMAT_FLAG, textFor } from '../line/output-format.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { UsageError } from '../line/failures.js';
import { usageErrorOf } from '../line/query.js';
import { parseTime } from '../line/setting-values.js';
import { siteIdOf, unresolved } from '../line/site-ids.js';
import { columns, say } from '../line/terminal.js';

export const command = {
  usage: 'lookup SITE...',
  description: [
    'Shows the equipment in use at Sites, now or at a given time. Reads the database ' +
      'directly; no server needed.',
    'SITE is a four-character or nine-character id; - reads ids from stdin. All Setups are ' +
      'of one state of the database.',
    'Exit codes: 0 all found, 1 a Site has no such Setup, 2 usage error, 3 the database ' +
      'cannot be used.',
  ].join('\n'),
  examples: [
    ['Show the equipment that is in use now.', 'lookup ALIC'],
    ['Show that of two Sites on a day, as CSV.', 'lookup ALIC NAMA --at 2013-07-08 --format csv'],
  ],
  settings: ['database'],
  flags: {
    at: {
      argument: 'TIME',
      description:
        `Show the Setup at this time, in UTC: ${INSTANT_FORMS}. ` + 'Default: the current Setup.',
      parse: parseTime,
    },
    'as-of': {
      argument: 'TIME',
      description: 'Show what was on record at this time.',
    },
    provenance: {
      description:
        'Show also which site log each Setup comes from, and when it came on record. ' +
        'Not with --format csv.',
    },
    json: { description: 'The same as --format json.' },
    format: FORMAT_FLAG,
  },
} as const satisfies CommandLine;

/** The most characters that are read from stdin. */
const LONGEST_INPUT = 1_000_000;

/** Why no Setup was found, in one line. */
function reason(site: string, answer: Exclude<SetupAnswer, { kind: 'found' }>): string {
  switch (answer.kind) {
    case 'no-current-setup':
      return answer.isWithdrawn
        ? `all site logs of ${site} were withdrawn`
        : `the site log of ${site} contains no Setup`;
    case 'before-first-setup':
      return `the first Setup of ${site} begins at ${answer.first}`;
    case 'not-recorded':
      return (
        `no Site had the id ${site} on record at ${answer.asOf.replace('.000Z', 'Z')}; for what ` +
        'was at the station then, use --at'
      );
    case 'unknown-site':
    case 'ambiguous-site':
    case 'retired-site':
    case 'renamed-site':
      return unresolved(site, answer);
  }
}

/**
 * The rows for one item of equipment: its type and period, then the known values of its identity
 * and configuration.
 */
function rowsOf({ content: { id, configuration, period } }: EquipmentInUse): string[][] {
  const { title } = EQUIPMENT_KINDS[id.equipmentType];
  const { equipmentType: _kind, type, ...identity } = id;
  const known = Object.entries({ ...identity, ...configuration }).filter(
    ([, value]) => value !== null,
  );
  return [
    [title, `${type ?? 'type unknown'}, ${period.from} to ${period.to ?? 'now'}`],
    ...known.map(([member, value]) => [`  ${member}`, String(value)]),
  ];
}

/** The rows that say which site log a Setup comes from. */
function rowsOfProvenance({ siteLog, recordedAt, supersededAt }: Provenance): string[][] {
  const { name, form, datePrepared, importedAt, withdrawnAt } = siteLog;
  const superseded = supersededAt === null ? '' : `, superseded ${supersededAt}`;
  return [
    ['Site log', `${name}, ${form}`],
    ['  prepared', datePrepared ?? 'date unknown'],
    ['  imported', importedAt],
    ...(withdrawnAt === null ? [] : [['  withdrawn', withdrawnAt]]),
    ['  sha256', siteLog.sha256 ?? 'unknown'],
    ['On record', `since ${recordedAt}${superseded}`],
  ];
}

const table = (
  site: string,
  {
    id,
    effectivePeriod: { from, to },
    equipmentInUse,
    provenance,
  }: Setup & { provenance?: Provenance },
): string =>
  columns([
    ['Site', site],
    ['Setup', `${id}, in effect ${from} to ${to ?? 'now'}`],
    ...(provenance === undefined ? [] : rowsOfProvenance(provenance)),
    ...(equipmentInUse.length === 0
      ? [['Equipment', 'none in use']]
      : equipmentInUse.flatMap(rowsOf)),
  ]);

/** The ids on stdin, separated by blanks or line ends. */
async function idsOnStdin(): Promise<string[]> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > LONGEST_INPUT)
      throw new UsageError(`stdin has more than ${LONGEST_INPUT} characters`);
  }
  return text.split(/\s+/).filter(Boolean);
}

/** The ids that the arguments name, each once. `-` stands for those on stdin. */
async function idsOf(given: string[]): Promise<string[]> {
  const ids = given.filter((each) => each !== '-');
  if (given.includes('-')) ids.push(...(await idsOnStdin()));
  ids.forEach(siteIdOf);
  return [...new Set(ids.map((id) => id.toUpperCase()))];
}

/** A Setup as CSV has it, with the position of its Site. */
async function exported(
  sites: Sites,
  { site, provenance: _, ...setup }: ReturnType<typeof readable>,
): Promise<ExportedSetup> {
  const found = await sites.findById(setup.siteId);
  const { latitude, longitude } =
    found !== undefined && 'location' in found
      ? found.location
      : { latitude: null, longitude: null };
  return { ...setup, site: { ...site!, latitude, longitude } };
}

/** What to read with each Setup. */
function projectionOf(
  at: string | null,
  asOf: string | null,
  withProvenance: boolean,
): LookupProjection {
  if (withProvenance) return 'provenance';
  return at === null || asOf !== null ? null : 'gaps-if-any';
}

/** The record time of a flag; null for now. @throws {UsageError} if it is not a time */
async function recordTimeIn(store: Store, text: string | undefined): Promise<string | null> {
  try {
    return await asOfTime(store, text, new Date());
  } catch (error) {
    throw error instanceof RequestRefused ? usageErrorOf(error, () => `--as-of ${text}`) : error;
  }
}

/** Prints the Setups and returns the exit code. */
export async function run({
  settings,
  flags,
  arguments: sites,
}: Given<typeof command>): Promise<number> {
  const { at = null } = flags;
  if (flags.json && flags.format !== undefined)
    throw new UsageError('--json is the same as --format json; give one of them');
  const format = flags.json ? 'json' : (flags.format ?? 'table');
  if (flags.provenance && format === 'csv')
    throw new UsageError('--format csv has no columns for --provenance; expected table or JSON');
  if (sites.length === 0)
    throw new UsageError('lookup takes at least one SITE, or - for ids on stdin');
  const ids = await idsOf(sites);
  if (ids.length === 0)
    throw new UsageError('there are no ids on stdin; expected ids of Sites such as ALIC');
  const reader = await openReader(settings.database);
  try {
    const asOf = await recordTimeIn(reader, flags['as-of']);
    const answers = await reader.setups.findMany(ids.map(siteIdOf), {
      at,
      asOf,
      projection: projectionOf(at, asOf, flags.provenance ?? false),
    });
    const found: [id: string, setup: ReturnType<typeof readable>][] = [];
    answers.forEach((answer, index) => {
      if (answer.kind === 'found') found.push([ids[index]!, readable(answer.setup)]);
      else say(reason(ids[index]!, answer));
    });
    // One Setup is not a list, if only one is asked for.
    const isOne = sites.length === 1 && sites[0] !== '-';
    const setups = found.map(([, { site, ...setup }]) => (isOne ? setup : { ...setup, site }));
    if (format === 'table')
      process.stdout.write(found.map(([id, setup]) => table(id, setup)).join('\n'));
    else if (format === 'csv') {
      const rows: ExportedSetup[] = [];
      for (const [, setup] of found)
        rows.push(await exported(storeAsOf(reader, asOf).sites, setup));
      process.stdout.write(textFor(format, rows, SETUP_COLUMNS));
    } else if (format === 'json' && isOne) {
      if (setups.length > 0) process.stdout.write(`${JSON.stringify(setups[0], null, 2)}\n`);
    } else process.stdout.write(textFor(format, setups, []));
    return found.length === ids.length ? 0 : 1;
  } finally {
    await reader.close();
  }
}
