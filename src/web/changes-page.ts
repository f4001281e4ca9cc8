import {
  CHANGE_KINDS,
  SETUP_EQUIPMENT_TYPES,
  type SetupEquipmentType,
} from '../../schemas/index.js';
import { href, PATHS, type QueryValues } from '../links.js';
import type { FoundGroups } from '../store/read/change-groups.js';
import type { SiteChange } from '../store/read/changes.js';
import type { Found, Paging } from '../store/page.js';
import { type ChangeLinks, changesTable, groupsTable } from './changes-table.js';
import { renderDownloads } from './downloads.js';
import { examples, hiddenFields, select, textField } from './page/form.js';
import { type Content, type Html, html } from './page/html.js';
import { type Page, recordNotice, renderPageLinks } from './page/layout.js';
import { counted, kindName } from './page/words.js';

/** The parameters, as they were sent. */
type Asked = QueryValues & {
  site?: string[];
  from?: string;
  to?: string;
  equipmentType?: SetupEquipmentType[];
  kind?: SiteChange['kind'][];
  countryCode?: string[];
  near?: string;
  radius?: number;
  mergeGaps?: string;
  recordedSince?: string;
  asOf?: string;
};

/**
 * The content of the page of changes: groups, or the changes of one group. The latest first. If
 * there is no group: the day of the newest log of the Sites asked for, if that is before the period
 * asked for.
 */
type ChangesView = ChangeLinks & {
  query: Asked;
  /** The record time that the page is about; null for now. */
  asOf: string | null;
  /** The page that was read. */
  paging: Paging;
} & (
    | { groups: FoundGroups; changes?: undefined; newestLog: string | null }
    | { changes: Found<SiteChange>; groups?: undefined; newestLog?: undefined }
  );

const ROOT = '.';

/** The parameters that the form has fields for. It keeps the others, but for the group. */
const FIELDS = [
  'site',
  'from',
  'to',
  'equipmentType',
  'kind',
  'countryCode',
  'near',
  'radius',
  'mergeGaps',
  'recordedSince',
  'group',
];

/** The lengths of gaps to choose from, with the one that was asked for. */
function gapOptions(mergeGaps: string | undefined): [string, string][] {
  const options: [string, string][] = [
    ['', 'of up to a day: one change'],
    ['PT0S', 'always two changes'],
  ];
  const isOther = mergeGaps !== undefined && mergeGaps !== 'PT0S';
  return isOther ? [...options, [mergeGaps, `of up to ${mergeGaps}: one change`]] : options;
}

/** The form with the filters of the API. */
function filterForm(query: Asked): Html {
  const { equipmentType = [], kind = [], countryCode = [], mergeGaps } = query;
  const [country, ...otherCountries] = countryCode;
  const others = Object.entries(query).filter(([name]) => !FIELDS.includes(name));
  return html`<details class="controls" ${Object.keys(query).length > 0 && html`open`}>
    <summary>Filters</summary>
    <form class="search" method="get" action="${href(ROOT, PATHS.changes)}">
      ${textField('site', 'Sites', query.site?.join(' '))} ${textField('from', 'From', query.from)}
      ${textField('to', 'To', query.to)}
      ${select('equipmentType', 'Equipment', equipmentType, [
        ['', 'all'],
        ...SETUP_EQUIPMENT_TYPES.map((type): [string, string] => [type, `${kindName(type)}s`]),
      ])}
      ${select('kind', 'Kind', kind, [
        ['', 'all'],
        ...CHANGE_KINDS.map((each): [string, string] => [each, each]),
      ])}
      ${textField('countryCode', 'Country', country)}
      ${hiddenFields(['countryCode', otherCountries])} ${textField('near', 'Near', query.near)}
      ${textField('radius', 'Within km', query.radius?.toString())}
      ${select('mergeGaps', 'Gaps', [mergeGaps ?? ''], gapOptions(mergeGaps))}
      ${textField('recordedSince', 'Recorded since', query.recordedSince)}
      ${others.flatMap(hiddenFields)}
      <button>Show</button>
      ${examples(['sites ALIC WTZR', 'from 2016-01-01', 'country AUS', 'near ALIC within 100 km'])}
    </form>
  </details>`;
}

/** How much was found, and how to see all if it is one group. */
function foundWords({ query, changes, groups, newestLog }: ChangesView): Content {
  if (changes !== undefined) {
    const { group: _group, ...others } = query;
    const all = href(ROOT, PATHS.changes, { query: others });
    return [
      counted(changes.totalElements, 'change'),
      ` of ${String(query.group).slice(0, 10)} in one group. `,
      html`<a href="${all}">All groups</a>`,
    ];
  }
  if (groups.totalElements === 0)
    return newestLog === null
      ? 'No changes.'
      : `No changes known: no site log is of that time, the newest is of ${newestLog}.`;
  const order = query.sort === undefined ? ', the latest first' : '';
  const all = counted(groups.totalChanges, 'change');
  if (groups.totalChanges === groups.totalElements) return `${all}${order}.`;
  return `${all} in ${counted(groups.totalElements, 'group')}${order}.`;
}

/** The page of the changes of the network or of some Sites, the latest first. */
export function renderChangesPage(view: ChangesView): Page {
  const { query, asOf, paging, changes, groups } = view;
  const found = groups ?? changes;
  const to = (more: QueryValues): string =>
    href(ROOT, PATHS.changes, { query: { ...query, size: paging.size, ...more } });
  const pageUrl = (number: number): string => to({ page: number });
  const { group: _group, ...exported } = query;
  const downloads = renderDownloads(ROOT, 'changes', exported, 'these changes one by one');
  const table =
    groups === undefined
      ? changesTable(changes.elements, view)
      : groupsTable(groups.elements, view);
  return {
    root: ROOT,
    title: 'Changes',
    section: 'changes',
    json: [
      {
        title: 'These changes from the earliest on, for clients that do not ask for HTML',
        href: to({}),
      },
    ],
    content: html`${asOf !== null && recordNotice(asOf, to({ asOf: undefined }))}
      ${filterForm(query)}
      <p role="status">${foundWords(view)}</p>
      ${found.elements.length > 0 && [table, ' ', groups !== undefined && downloads]}
      ${renderPageLinks('Pages of changes', paging, found, pageUrl, ['Newer', 'Older'])}`,
  };
}
