import { href, PATHS, type QueryValues } from '../links.js';
import type { LinkedId } from '../requests/site-id.js';
import type { ChangeGroup } from '../store/read/change-groups.js';
import type { SiteChange } from '../store/read/changes.js';
import { changeWords, groupWords, summaryOfChange } from './change-words.js';
import { renderFold } from './page/folding.js';
import { type Content, type Html, html, list } from './page/html.js';
import { siteLink } from './page/layout.js';
import { table } from './page/table.js';
import { counted, numberWords, shortTime, when } from './page/words.js';

/** Tables of changes: one by one, or in groups. */

const ROOT = '.';

/** When a change was withdrawn; empty if it is on record. */
const withdrawnWords = ({ withdrawn }: SiteChange): Content =>
  typeof withdrawn === 'string' && [' Withdrawn from the record ', when(withdrawn), '.'];

/** What the links in a table of changes need. */
export interface ChangeLinks {
  /** The parameters that find the changes. */
  query: QueryValues;
  /** How links name their Sites. */
  linkedId: LinkedId;
}

/** The link to the Site of a change. */
const siteOf = (change: SiteChange, { query: { asOf }, linkedId }: ChangeLinks): Html =>
  siteLink(ROOT, change.fourCharacterId, linkedId(change), { at: change.at, asOf });

/** What a change was, in a cell. */
const cellOf = (change: SiteChange): Content => [changeWords(ROOT, change), withdrawnWords(change)];

/** A table of changes, in the order given. */
export const changesTable = (changes: SiteChange[], links: ChangeLinks): Html =>
  table(
    [
      ['Time', ({ at }) => when(at)],
      ['Site', (change) => siteOf(change, links), { isHeader: true, name: 'id' }],
      ['Change', cellOf, { name: 'main' }],
    ],
    changes,
    { name: 'rows' },
  );

/** The only change of a group; undefined if it has several. */
const onlyChange = ({ count, changes }: ChangeGroup): SiteChange | undefined =>
  count === 1 ? changes[0] : undefined;

/** A change in the list of its group. */
const memberWords = (change: SiteChange, links: ChangeLinks): Content => [
  siteOf(change, links),
  ` ${shortTime(change.at).slice(11)} `,
  summaryOfChange(change),
];

/** What a group of several changes was. It unfolds to its Sites. */
function groupCell(group: ChangeGroup, links: ChangeLinks, most: number): Content {
  const only = onlyChange(group);
  if (only !== undefined) return cellOf(only);
  const { key, count } = group;
  const changes = group.changes.slice(0, most);
  const all = href(ROOT, PATHS.changes, { query: { ...links.query, group: key } });
  const rest = count - changes.length;
  const words = rest > 0 ? `${numberWords(rest)} more` : 'As a list';
  const members = changes.map((change) => memberWords(change, links));
  const items = [...members, html`<a href="${all}">${words}</a>`];
  const withdrawn = key.endsWith('.withdrawn') && ' (withdrawn from the record)';
  return renderFold([groupWords(group), withdrawn], list(items, 'members'));
}

/** At which Sites a group of changes was. */
function groupSites(group: ChangeGroup, links: ChangeLinks): Content {
  const only = onlyChange(group);
  return only === undefined ? counted(group.sites, 'site') : siteOf(only, links);
}

/**
 * A table of groups of changes, in the order given.
 * @param most how many changes of a group are listed; all that were read by default
 */
export const groupsTable = (groups: ChangeGroup[], links: ChangeLinks, most = Infinity): Html =>
  table(
    [
      ['Time', (group) => when(onlyChange(group)?.at ?? `${group.key.slice(0, 10)}T00:00:00Z`)],
      ['Site', (group) => groupSites(group, links), { isHeader: true, name: 'id' }],
      ['Change', (group) => groupCell(group, links, most), { name: 'main' }],
    ],
    groups,
    { name: 'rows' },
  );
