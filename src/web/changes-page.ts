import { SETUP_EQUIPMENT_TYPES, type SetupEquipmentType } from '../../schemas/index.js';
import { href, PATHS, type QueryValues } from '../links.js';
import type { SiteChange } from '../store/read/changes.js';
import type { Found, Paging } from '../store/page.js';
import { renderDownloads } from './downloads.js';
import { hiddenFields, select, textField } from './page/form.js';
import { type Html, html } from './page/html.js';
import { type Page, renderPageLinks, siteLink } from './page/layout.js';
import { table } from './page/table.js';
import { changeWords } from './change-words.js';
import { counted, kindName, when } from './page/words.js';

/** The content of the page of changes. */
interface ChangesView {
  /** The parameters, as they were sent. */
  query: QueryValues & {
    site?: string[];
    from?: string;
    to?: string;
    equipmentType?: SetupEquipmentType[];
    mergeGaps?: string;
    recordedSince?: string;
  };
  /** The page that was read. */
  paging: Paging;
  /** The latest first. */
  found: Found<SiteChange>;
}

const ROOT = '.';

/** The parameters that the form has fields for. It keeps the others. */
const FIELDS = ['site', 'from', 'to', 'equipmentType', 'mergeGaps', 'recordedSince'];

/** The lengths of gaps to choose from, with the one that was asked for. */
function gapOptions(mergeGaps: string | undefined): [string, string][] {
  const options: [string, string][] = [
    ['', 'of up to a day: one change'],
    ['PT0S', 'always two changes'],
  ];
  const isOther = mergeGaps !== undefined && mergeGaps !== 'PT0S';
  return isOther ? [...options, [mergeGaps, `of up to ${mergeGaps}: one change`]] : options;
}

/** The page of the changes of the network or of some Sites, the latest first. */
export function renderChangesPage({ query, paging, found }: ChangesView): Page {
  const { elements, totalElements } = found;
  const { equipmentType = [], mergeGaps } = query;
  const others = Object.entries(query).filter(([name]) => !FIELDS.includes(name));
  const to = (more: QueryValues): string =>
    href(ROOT, PATHS.changes, { query: { ...query, size: paging.size, ...more } });
  const pageUrl = (number: number): string => to({ page: number });
  const all = counted(totalElements, 'change');
  const downloads = renderDownloads(ROOT, 'changes', query, 'all these changes');
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
    content: html`<details class="controls" ${Object.keys(query).length > 0 && html`open`}>
        <summary>Filters</summary>
        <form class="search" method="get" action="${href(ROOT, PATHS.changes)}">
          ${textField('site', 'Sites', query.site?.join(' '), 'ALIC WTZR')}
          ${textField('from', 'From', query.from, '2016-01-01')}
          ${textField('to', 'To', query.to, '2017-01-01')}
          ${select('equipmentType', 'Equipment', equipmentType, [
            ['', 'all'],
            ...SETUP_EQUIPMENT_TYPES.map((type): [string, string] => [type, `${kindName(type)}s`]),
          ])}
          ${select('mergeGaps', 'Gaps', [mergeGaps ?? ''], gapOptions(mergeGaps))}
          ${textField('recordedSince', 'Recorded since', query.recordedSince, '2026-01-01')}
          ${others.flatMap(hiddenFields)}
          <button>Show</button>
        </form>
      </details>
      <p role="status">${totalElements === 0 ? 'No changes.' : `${all}, the latest first.`}</p>
      ${elements.length > 0 && [changesTable(elements), ' ', downloads]}
      ${renderPageLinks('Pages of changes', paging, found, pageUrl, ['Newer', 'Older'])}`,
  };
}

/** When a change was withdrawn; empty if it is on record. */
const withdrawnWords = ({ withdrawn }: SiteChange): string =>
  typeof withdrawn === 'string' ? ` Withdrawn from the record ${when(withdrawn)}.` : '';

/** A table of changes, in the order given. */
export const changesTable = (changes: SiteChange[]): Html =>
  table(
    [
      ['Time', ({ at }) => when(at)],
      [
        'Site',
        ({ fourCharacterId, nineCharacterId, at }) =>
          siteLink(ROOT, fourCharacterId, nineCharacterId, at),
        { isHeader: true, name: 'id' },
      ],
      ['Change', (change) => [changeWords(ROOT, change), withdrawnWords(change)]],
    ],
    changes,
  );
