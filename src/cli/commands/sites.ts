import {
  collectionQuery,
  CORS_SITES,
  type InvalidParameter,
  MAXIMUM_PAGE_SIZE,
} from '../../../schemas/index.js';
import { filtersOf, siteSearchOf } from '../../exports/filters.js';
import { RequestRefused } from '../../exports/refusals.js';
import { sortOf } from '../../exports/sorting.js';
import { type Column, SITE_COLUMNS } from '../../formats/columns.js';
import type { RetiredCorsSite } from '../../store/read/sites/sites.js';
import type { FoundSite } from '../../store/read/sites/page.js';
import { openReader } from '../../store/open.js';
import type { Store } from '../../store/store.js';
import { FORMAT_FLAG, type OutputFormat, textFor } from '../line/output-format.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { UsageError } from '../line/failures.js';
import { parseQuery, usageErrorOf } from '../line/query.js';
import { flagOf } from '../line/settings.js';
import { columns } from '../line/terminal.js';
import { whyNoSites } from '../../web/page/words.js';
import { siteIdText } from '../../requests/site-id.js';

export const command = {
  usage: 'sites',
  description: [
    'Lists the Sites, with the filters of /corsSites. Reads the database directly; no ' +
      'server needed.',
    'Exit codes: 0 listed, also if there are none; 2 usage error, 3 the database cannot be used.',
  ].join('\n'),
  examples: [
    ['List the Sites of a country.', 'sites --country-code AUS --format csv'],
    [
      'List the Sites within 300 km of a place, the nearest first.',
      'sites --near=-23.67,133.89 --radius 300',
    ],
  ],
  settings: ['database'],
  flags: {
    q: {
      argument: 'WORDS',
      description:
        'Only Sites with all of these words in their ids, name, place, current or former ' +
        'equipment.',
    },
    site: {
      argument: 'ID',
      description: 'Only this Site: its four-character or nine-character id.',
      repeatable: true,
    },
    agency: {
      argument: 'PATTERN',
      description: 'Only Sites of this agency; * stands for any characters: "Geoscience*".',
      repeatable: true,
    },
    bbox: {
      argument: 'BOX',
      description: 'Only Sites within a box: west,south,east,north in degrees.',
    },
    near: {
      argument: 'PLACE',
      description:
        'Sort by the distance from a place: latitude,longitude in degrees, or the id of a Site.',
    },
    radius: {
      argument: 'KM',
      description: 'Only Sites within this distance of --near, in kilometres.',
    },
    'country-code': {
      argument: 'CODE',
      description: 'Only Sites in this country (ISO 3166-1 alpha-3).',
      repeatable: true,
    },
    filter: {
      argument: 'PROPERTY=VALUE',
      description: 'Only Sites with this value: domesNumber=50137M001.',
      repeatable: true,
    },
    sort: {
      argument: 'PROPERTY[,desc]',
      description: 'Sort by a property; repeat for further ones.',
      repeatable: true,
    },
    retired: { description: 'List the Sites that were retired, and when. Not with other filters.' },
    format: FORMAT_FLAG,
  },
} as const satisfies CommandLine;

type Flags = Given<typeof command>['flags'];

/** What `--filter` takes: the parameters of /corsSites that are properties. */
const FILTERS = CORS_SITES.filters;

/** The parameters of a request for the same Sites. */
function queryOf({
  filter = [],
  'country-code': countryCode,
  format: _,
  retired: __,
  ...flags
}: Flags): URLSearchParams {
  const query = new URLSearchParams();
  for (const each of filter) {
    const [name = '', value] = each.split(/=(.*)/s, 2);
    if (value === undefined) throw new UsageError(`--filter "${each}": expected PROPERTY=VALUE`);
    if (!FILTERS.includes(name))
      throw new UsageError(
        `--filter ${JSON.stringify(each)}: expected one of ${FILTERS.join(', ')}`,
      );
    query.append(name, value);
  }
  for (const [name, values] of Object.entries({ ...flags, countryCode }))
    for (const value of [values ?? []].flat()) query.append(name, value);
  return query;
}

/** A parameter as it was given on the command line. */
function shown({ name, value }: InvalidParameter): string {
  const flag = flagOf(name);
  const written = Object.hasOwn(command.flags, flag) ? `--${flag}` : `--filter ${name}`;
  return `${written} ${JSON.stringify(value)}`;
}

const COLUMNS: readonly Column<FoundSite>[] = [
  ...SITE_COLUMNS,
  ['distance', ({ distance }) => distance ?? null],
  ['foundBy', ({ foundBy }) => foundBy ?? null],
];

/** The Sites as a table for people. */
function table(sites: FoundSite[]): string {
  const rows = sites.map((site) => {
    const { location, name, distance, foundBy } = site;
    return [
      siteIdText(site),
      location.countryCode ?? '',
      location.latitude?.toFixed(4).padStart(8) ?? '',
      location.longitude?.toFixed(4).padStart(9) ?? '',
      ...(distance === undefined ? [] : [`${distance?.toFixed(1).padStart(7) ?? '      ?'} km`]),
      ...(foundBy === undefined ? [] : [foundBy]),
      name ?? '',
    ];
  });
  return columns(rows);
}

/** Lists the retired Sites and returns the exit code. */
async function listRetired(reader: Store, format: OutputFormat): Promise<number> {
  const sites = await reader.sites.findRetired().finally(() => reader.close());
  const rows = sites.map((site) => [
    siteIdText(site),
    `retired ${site.retiredAt.slice(0, 10)}`,
    site.name ?? '',
  ]);
  const all: Column<RetiredCorsSite>[] = [
    ...SITE_COLUMNS,
    ['retiredAt', ({ retiredAt }) => retiredAt],
  ];
  process.stdout.write(format === 'table' ? columns(rows) : textFor(format, sites, all));
  if (sites.length === 0) process.stderr.write('No Site is retired.\n');
  return 0;
}

/** Lists the Sites and returns the exit code. */
export async function run({
  settings,
  flags,
  arguments: [extra],
}: Given<typeof command>): Promise<number> {
  if (extra !== undefined) throw new UsageError(`sites takes no arguments; got "${extra}"`);
  const { format = 'table' } = flags;
  if (flags.retired) {
    const other = Object.keys(flags).find((flag) => flag !== 'retired' && flag !== 'format');
    if (other !== undefined)
      throw new UsageError(
        `--retired lists all retired Sites; it cannot be combined with --${other}`,
      );
    return listRetired(await openReader(settings.database), format);
  }
  const query = parseQuery(collectionQuery(CORS_SITES), queryOf(flags), shown) as Parameters<
    typeof siteSearchOf
  >[2] & { sort?: string[] };
  const reader = await openReader(settings.database);
  try {
    const sites: FoundSite[] = [];
    for (let page = 0; ; page++) {
      const paged = {
        filters: filtersOf(CORS_SITES, query),
        sort: sortOf(query.sort ?? []),
        page,
        size: MAXIMUM_PAGE_SIZE,
      };
      const { elements, totalElements } = await reader.sites.findPage(
        await siteSearchOf(reader, paged, query),
      );
      sites.push(...elements);
      if (elements.length === 0 || sites.length >= totalElements) break;
    }
    process.stdout.write(format === 'table' ? table(sites) : textFor(format, sites, COLUMNS));
    if (sites.length === 0) {
      const isFiltered = queryOf(flags).size > 0;
      const why = isFiltered
        ? 'No Site matches.'
        : whyNoSites((await reader.sites.findRetired()).length);
      process.stderr.write(`${why}\n`);
    }
    return 0;
  } catch (error) {
    throw error instanceof RequestRefused ? usageErrorOf(error, shown) : error;
  } finally {
    await reader.close();
  }
}
