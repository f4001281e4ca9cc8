import { CORS_SITES, EQUIPMENT, EQUIPMENT_KINDS, SETUPS } from '../../schemas/index.js';
import { href, PATHS, pathOf, type QueryValues, searchPathOf } from '../../src/links.js';
import { siteIdOf } from './synthetic-logs.js';

/** The searches and pages that must not take long, however many Sites there are. */

/** What the searches need to know about a database. */
export interface Recorded {
  sites: number;
  /** When a Setup in the middle was recorded, and one near the end. */
  middle: string;
  late: string;
  /** The cursor of an entry in the middle of the feed. */
  cursor: string;
}

/** A request. */
export interface SearchPath {
  name: string;
  path: string;
}

const RECEIVERS = { name: EQUIPMENT_KINDS['gnss receiver'].collection };
const EQUIPPED = searchPathOf(CORS_SITES, 'findByEquipment');
const LARGEST = 1000;

/** The ids of some Sites, spread over all. */
const someIds = (sites: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => siteIdOf(Math.floor((index * sites) / count)));

/** The searches, as JSON. Some find all Sites, and some ask for the largest page. */
export function searchPaths({ sites, middle, late, cursor }: Recorded): SearchPath[] {
  const groups: [path: string, queries: QueryValues[]][] = [
    [
      pathOf(CORS_SITES),
      [
        { bbox: '110,-45,155,-10' },
        { bbox: '110,-45,155,-10', countryCode: 'AUS', sort: 'name,desc' },
        { bbox: '170,-90,-170,90', size: LARGEST },
        { bbox: '-180,-90,180,90', page: Math.floor(sites / 40) },
        { near: '-35.3,149.1', radius: 300 },
        { near: '-35.3,149.1' },
        { near: '-35.3,149.1', sort: 'name' },
        { near: '-35.3,149.1', radius: 20_000, sort: 'location.height,desc' },
        { near: '-35.3,149.1', countryCode: 'AUS', size: LARGEST },
        { countryCode: 'AUS' },
        { countryCode: 'AUS', sort: 'name', page: Math.floor(sites / 40) },
        { q: 'e' },
        { q: 'e', sort: 'name,desc' },
        { q: 'leica gr50' },
        { q: 'netrs' },
        { q: 'e', bbox: '-180,-90,180,90', size: LARGEST },
        { q: 'e', near: '-35.3,149.1' },
      ],
    ],
    [
      pathOf(EQUIPMENT),
      [
        { q: 'e' },
        { q: 'e', sort: 'serialNumber' },
        { q: 'e', sort: 'manufacturer' },
        { q: '1', sort: 'type', size: LARGEST },
        { q: 'e', type: 'TRIMBLE NETR9', sort: 'serialNumber,desc' },
        { q: 'e', projection: 'installations', size: LARGEST },
      ],
    ],
    [pathOf(RECEIVERS), [{ q: 'leica' }, { q: '1', sort: 'serialNumber' }, { q: 'netr9', sort: 'type', size: LARGEST }]],
    [
      EQUIPPED,
      [
        { type: 'LEI*', equipmentType: 'gnss antenna', from: '2012-01-01', to: '2013-01-01' },
        { type: 'TRIMBLE NETRS' },
        { type: '*' },
        { type: '*', page: Math.floor(sites / 20) - 1 },
        { type: '*', size: LARGEST },
        { type: 'LEI*', from: '2012-01-01', to: '2013-01-01', size: LARGEST },
      ],
    ],
    [
      PATHS.changes,
      [
        { id: someIds(sites, 30), from: '2010-01-01', to: '2020-01-01', mergeGaps: 'P1D' },
        { id: someIds(sites, 900), mergeGaps: 'PT0S' },
        { id: someIds(sites, 900), equipmentType: 'gnss receiver', mergeGaps: 'P52W', size: LARGEST },
        { mergeGaps: 'P52W', page: sites / 10 },
        { equipmentType: 'gnss antenna', mergeGaps: 'PT0S' },
        { recordedSince: middle },
        { recordedSince: late, equipmentType: 'gnss receiver', size: LARGEST },
      ],
    ],
    [
      pathOf(SETUPS),
      [
        { recordedSince: middle },
        { recordedSince: middle, sort: 'effectivePeriod.from,desc' },
        { recordedSince: late, size: LARGEST },
        { projection: 'site', size: LARGEST },
        { projection: 'gaps', page: sites / 4 },
      ],
    ],
    [PATHS.feed, [{}, { size: LARGEST }, { after: cursor, size: LARGEST }]],
    [PATHS.atomFeed, [{ size: LARGEST }]],
    [
      `${PATHS.ogcCollections}/sites/items`,
      [{ bbox: '110,-45,155,-10', limit: LARGEST }, { datetime: '2012-06-01' }, { bbox: '149,-36,150,-35', datetime: '2012-06-01' }],
    ],
    [
      `${PATHS.ogcCollections}/installations/items`,
      [
        { bbox: '110,-45,155,-10', limit: LARGEST },
        { datetime: '2012-06-01/2012-07-01', limit: LARGEST },
        { bbox: '149,-36,150,-35', datetime: '2012-06-01' },
      ],
    ],
  ];
  return groups.flatMap(([path, queries]) => queries.map((query) => requestOf(path, query)));
}

/** The pages for people, except that of the network. */
export function pagePaths({ sites }: Recorded): SearchPath[] {
  const groups: [path: string, queries: QueryValues[]][] = [
    [
      PATHS.sites,
      [
        {},
        { page: Math.floor(sites / LARGEST / 2) },
        { sort: 'receiver,desc' },
        { q: 'e' },
        { q: 'netrs' },
        { q: 'xyzzy' },
        { bbox: '110,-45,155,-10' },
      ],
    ],
    [PATHS.compare, [{ id: someIds(sites, 2) }, { id: someIds(sites, 6) }]],
    [PATHS.receivers, [{}, { type: 'TRIMBLE NETR9' }]],
    [PATHS.antennas, [{}]],
  ];
  return groups.flatMap(([path, queries]) => queries.map((query) => requestOf(path, query)));
}

/** A request with its name: the path, and each parameter with its value, or with the number of its values. */
function requestOf(path: string, query: QueryValues): SearchPath {
  const parameters = Object.entries(query).map(([name, value]) =>
    Array.isArray(value) ? `${value.length} ${name}s` : `${name}=${String(value).replace(/^.{31,}$/s, '…')}`,
  );
  return { name: [path, ...parameters].join(' '), path: href('', path, { query }) };
}
