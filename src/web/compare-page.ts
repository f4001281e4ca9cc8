import {
  SETUP_EQUIPMENT_TYPES,
  type EquipmentInUse,
  type SetupEquipmentType,
  type Instant,
  type Setup,
  SETUPS,
} from '../../schemas/index.js';
import { href, PATHS, searchPathOf } from '../links.js';
import type { SiteRecord } from '../store/read/site-searches.js';
import { renderDownloads } from './downloads.js';
import { renderLongText } from './folding.js';
import { type Content, type Html, html, joined } from './html.js';
import { renderPage } from './layout.js';
import { type Span, spanFrom } from './time-scale.js';
import { renderTimeline } from './timeline.js';
import { typeLink } from './type-lists.js';
import { capitalized, kindName, labelOf, shortTime, valueWords, when } from './words.js';

/** The content of the page that compares Sites. */
export interface CompareView {
  /** The ids, as they were asked for. */
  ids: string[];
  /** In this order; at least two, or none. An id that occurs in two forms has one. */
  records: SiteRecord[];
  now: Instant;
}

const ROOT = '.';
/** How many Sites one can compare. */
export const MOST_COMPARED = 6;

/** What distinguishes devices of the same type. This page does not mark it as a difference. */
const OWN = ['serialNumber', 'radomeSerialNumber', 'notes'];

const currentOf = ({ setups }: SiteRecord): Setup | undefined => setups.at(-1);

const ofKind = (setup: Setup | undefined, kind: SetupEquipmentType): EquipmentInUse[] =>
  (setup?.equipmentInUse ?? []).filter(({ content: { id } }) => id.equipmentType === kind);

type Members = Record<string, string | number | null>;
const membersOf = ({ content: { id, configuration } }: EquipmentInUse): Members => ({ ...id, ...configuration });

/** A row: the values of one member at each Site. Values that are not the same everywhere are marked with a sign and in words. */
function memberRow(member: string, items: (EquipmentInUse | undefined)[]): Html {
  const values = items.map((item) => item && membersOf(item)[member]);
  // If a Site lacks the item, one mark says so.
  const isComparable = member === 'type' || !items.includes(undefined);
  const differs = isComparable && !OWN.includes(member) && new Set(values).size > 1;
  const cell = (item: EquipmentInUse | undefined, value: string | number | null | undefined): Content => {
    if (item === undefined) return '–';
    if (member === 'type') return typeLink(ROOT, item.content.id.equipmentType, item.content.id.type);
    // A list of satellite systems may break only between them.
    if (member === 'satelliteSystem') return joined(valueWords(member, value ?? null).split('+'), html`+<wbr />`);
    return renderLongText(valueWords(member, value ?? null));
  };
  return html`<tr ${differs && html`class="differs"`}>
    <th scope="row">${capitalized(labelOf(member))}${differs && html` <span class="sign">≠ differs</span>`}</th>
    ${items.map((item, index) => html`<td>${cell(item, values[index])}</td> `)}
  </tr> `;
}

/** The rows of one kind of equipment: as many groups as the Site with the most items has. */
function kindRows(setups: (Setup | undefined)[], kind: SetupEquipmentType): Html[] {
  const items = setups.map((setup) => ofKind(setup, kind));
  const most = Math.max(...items.map(({ length }) => length));
  return Array.from({ length: most }, (_, index) => {
    const compared = items.map((each) => each[index]);
    const members = Object.keys(membersOf(compared.find((each) => each !== undefined)!)).filter((member) => member !== 'equipmentType');
    return html`<tbody>
      <tr class="group">
        <th scope="rowgroup" colspan="${setups.length + 1}">${capitalized(kindName(kind))}${most > 1 && ` ${index + 1} of ${most}`}</th>
      </tr>
      ${members.map((member) => memberRow(member, compared))}
      <tr>
        <th scope="row">In this configuration since</th>
        ${compared.map((each) => html`<td>${each === undefined ? '–' : when(each.content.period.from)}</td> `)}
      </tr>
    </tbody>`;
  });
}

function comparison(records: SiteRecord[], now: Instant): Content {
  const setups = records.map(currentOf);
  const dated = records.filter((record) => record.setups.length > 0);
  const first = dated.map((record) => record.setups[0]!.effectivePeriod.from).sort()[0];
  const last = dated
    .map((record) => record.setups.at(-1)!.effectivePeriod.from)
    .sort()
    .at(-1);
  const axis: Span | null = first === undefined ? null : spanFrom(first, now, last);
  return [
    html`<div class="scroll" tabindex="0" role="region" aria-label="Current Setups">
      <table class="compared">
        <caption>
          The current Setups. ≠ marks differences, except in serial numbers and notes.
        </caption>
        <thead>
          <tr>
            <td></td>
            ${records.map(
              ({ shortestId, site }) =>
                html`<th scope="col"><a href="${href(ROOT, PATHS.site, { site: shortestId })}">${shortestId}</a> ${site.name}</th> `,
            )}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">In effect since</th>
            ${setups.map((setup) => html`<td>${setup === undefined ? 'no Setup' : when(setup.effectivePeriod.from)}</td> `)}
          </tr>
        </tbody>
        ${SETUP_EQUIPMENT_TYPES.flatMap((kind) => kindRows(setups, kind))}
      </table>
    </div>`,
    renderDownloads(ROOT, 'installations', { site: records.map(({ shortestId }) => shortestId) }, 'all equipment of these sites'),
    axis !== null &&
      html`<section aria-labelledby="timelines">
        <h2 id="timelines">Timelines</h2>
        <p>All from ${shortTime(axis.from)} to ${shortTime(axis.to)}.</p>
        ${dated.map(({ shortestId, setups, changes, siteLog }, index) => [
          html`<h3>${shortestId}</h3>`,
          renderTimeline({
            setups,
            changes,
            now,
            prepared: siteLog?.datePrepared ?? null,
            cursor: null,
            zoom: axis,
            one: { label: `Timeline of the equipment of ${shortestId}`, isFirst: index === 0 },
            hrefAt: (at) => `${href(ROOT, PATHS.site, { site: shortestId, query: { at } })}#setup`,
          }),
        ])}
      </section>`,
  ];
}

/** The page with a form for the ids of Sites and, if there are at least two, their current Setups and timelines. */
export function renderComparePage({ ids, records, now }: CompareView): string {
  return renderPage({
    root: ROOT,
    title: records.length === 0 ? 'Compare sites' : `Compare ${records.map(({ shortestId }) => shortestId).join(', ')}`,
    section: 'compare',
    json: [
      records.length === 0
        ? { title: 'The current Setups of all Sites', href: href(ROOT, `/${SETUPS.name}`, { query: { current: true } }) }
        : {
            title: 'The current Setups of these Sites',
            href: href(ROOT, searchPathOf(SETUPS, 'findCurrentByFourCharacterIdIn'), {
              query: { id: records.map(({ shortestId }) => shortestId) },
            }),
          },
    ],
    content: html`<form class="search" method="get" action="${href(ROOT, PATHS.compare)}">
        <label for="site">Sites</label>
        <input
          id="site"
          name="site"
          value="${ids.join(' ')}"
          size="40"
          maxlength="200"
          placeholder="ALIC WTZR"
          aria-describedby="id-forms"
        />
        <button>Compare</button>
        <small id="id-forms">2 to ${MOST_COMPARED} ids of four or nine characters, with spaces between them.</small>
      </form>
      ${records.length > 0 && comparison(records, now)}`,
  });
}
