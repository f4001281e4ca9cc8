import { type GnssEquipmentType, type Instant, isOfType } from '../../../schemas/index.js';
import { href, PATHS, type QueryValues } from '../../links.js';
import type { SiteOrder, SiteSummary } from '../../store/read/sites/list.js';
import { type Content, type Html, html } from '../page/html.js';
import { section, siteLink } from '../page/layout.js';
import { type Column, sortableHead, table } from '../page/table.js';
import { counted, lengthWords, shortTime } from '../page/words.js';
import { conflict } from '../device-types-page.js';
import { ACTIVE, siteStatus } from '../site-status.js';
import { typeList } from '../type-lists.js';
import { ORDERS } from './form.js';
import { isUsual, ROOT, type SitesView, sortText } from './view.js';

/**
 * The country code of a Site, with the text in the log as its title; only that text if it does not
 * name a known country.
 */
function countryOf({ country, countryCode, nineCharacterId }: SiteSummary): Content {
  if (countryCode === null || country === null || country === countryCode)
    return countryCode ?? country ?? nineCharacterId?.slice(6) ?? 'unknown';
  return html`<span title="${country}">${countryCode}</span>`;
}

/** The cell of what is not in use. A narrow screen leaves it out. */
const NONE = html`<span class="nothing">–</span>`;

/** The types in use of a kind of equipment. */
function typesOf(kind: GnssEquipmentType, { equipment }: SiteSummary): Content {
  const ids = (equipment ?? []).map(({ content: { id } }) => id);
  const types = ids.filter(({ equipmentType }) => equipmentType === kind).map(({ type }) => type);
  return types.length === 0 ? NONE : typeList(ROOT, kind, types);
}

/** The codes of the satellite systems that the receivers in use track, each once. */
function systemsInUse({ equipment }: SiteSummary): Content {
  const receivers = (equipment ?? []).filter((item) => isOfType(item, 'gnss receiver'));
  if (receivers.length === 0) return NONE;
  const codes = receivers.flatMap(({ content: { configuration } }) =>
    (configuration.satelliteSystem ?? 'unknown').split('+'),
  );
  return [...new Set(codes)].join(' ');
}

/** The number of warnings about the log of a Site, marked, as a link to them. */
function warningsOf({ shortestId, warnings }: SiteSummary): Content {
  if (warnings === 0) return NONE;
  const url = href(ROOT, PATHS.findings, { query: { site: shortestId, level: 'warning' } });
  const title = counted(warnings, 'warning');
  return conflict(html`<a href="${url}" title="${title}">${warnings}</a>`);
}

/** How old the log of a Site is, and what is missing at the Site. */
function logOf(site: SiteSummary, now: Instant): Content {
  const { datePrepared, equipment } = site;
  const prepared = `${datePrepared}T00:00:00Z`;
  const to = prepared < now ? now : prepared;
  const age = datePrepared === null ? 'unknown' : lengthWords({ from: prepared, to });
  const status = siteStatus(equipment ?? []);
  return [age, status !== ACTIVE && html`<br /><span class="lacking">${status}</span>`];
}

/** The column of a property, and the order by it if there is one. */
type SiteColumn = [column: Column<SiteSummary>, order?: SiteOrder];

const columnsOf = ({ asked: { at }, now }: SitesView): SiteColumn[] => [
  [
    [
      'Site',
      ({ shortestId }) => siteLink(ROOT, shortestId, shortestId, { at }),
      { isHeader: true },
    ],
    'id',
  ],
  [['Name', ({ name, shortestId }) => name ?? shortestId, { name: 'name' }], 'name'],
  [['Country', countryOf, { name: 'country' }], 'country'],
  [['Age of the log', (site) => logOf(site, now), { name: 'status' }], 'prepared'],
  [['Warnings', warningsOf, { name: 'warnings' }], 'warnings'],
  [['Receiver', (site) => typesOf('gnss receiver', site), { name: 'type-of' }], 'receiver'],
  [['Antenna', (site) => typesOf('gnss antenna', site), { name: 'type-of' }], 'antenna'],
  [['Systems', systemsInUse, { name: 'systems' }]],
  [
    ['Last change', ({ lastChange }) => lastChange && dayOf(lastChange), { name: 'last' }],
    'changed',
  ],
];

/** The day of an instant, with the instant in the markup. */
function dayOf(instant: Instant): Html {
  const day = instant.slice(0, 10);
  return day === shortTime(instant)
    ? html`<time>${day}</time>`
    : html`<time datetime="${instant}">${day}</time>`;
}

/** The order of the list, in words. */
function orderWords({ search: { sort } }: SitesView): string {
  const chosen = isUsual(sort) ? '' : sortText(sort);
  const [, words = chosen] = ORDERS.find(([each]) => each === chosen) ?? [chosen];
  return ` Order: ${words}.`;
}

/** What the table of Sites shows. */
const captionAt = (at: Instant | null): string =>
  at === null
    ? 'The sites and their current equipment, as far as their site logs say.'
    : `The sites and their equipment at ${shortTime(at)}, as far as their site logs say.`;

/** The table of the Sites found. @param to the URL of this page with another query */
export function sitesTable(view: SitesView, to: (query: QueryValues) => string): Html {
  const { search, found } = view;
  const { sort } = search;
  const columns = columnsOf(view);
  const head = (label: string, index: number): Html => {
    const [, by] = columns[index]!;
    if (by === undefined) return html`<th scope="col">${label}</th> `;
    const here = by === sort.by;
    // The most warnings are what one looks for.
    const descending = here ? !sort.descending : by === 'warnings';
    const url = to({ sort: sortText({ by, descending }) });
    return sortableHead(label, url, here ? sort : null);
  };
  return table(
    columns.map(([column]) => column),
    found.elements,
    { caption: [captionAt(search.at), orderWords(view)], name: 'sites', head },
  );
}

/** The Sites that had matching equipment in the past. */
export function formerSection(view: SitesView): Content {
  const { search, former } = view;
  const { elements, totalElements } = former;
  if (elements.length === 0) return null;
  const all = counted(totalElements, 'further site');
  const first = elements.length < totalElements ? ` The first ${elements.length}.` : '';
  const caption = `${all} had equipment that matches “${search.text}” in the past.${first}`;
  return section('former', 'Former equipment', [
    table(
      columnsOf(view).map(([column]) => column),
      elements,
      { caption, name: 'sites' },
    ),
  ]);
}
