import type { Comparison, Instant } from '../../schemas/index.js';
import { compareSetups } from '../derive/compare-setups.js';
import { setupAt } from '../derive/setup-at.js';
import { MOST_COMPARED } from '../exports/pages/compare.js';
import { href, PATHS } from '../links.js';
import type { SiteRecord } from '../store/read/sites/sites.js';
import { renderDownloads } from './downloads.js';
import { renderLongText } from './page/folding.js';
import { hiddenFields } from './page/form.js';
import { type Content, type Html, html, joined } from './page/html.js';
import { field, type Page, recordNotice, section, siteLink } from './page/layout.js';
import type { Span } from './page/time-scale.js';
import { renderDifferences } from './timeline/differences.js';
import { wholeOf } from './timeline/layout.js';
import { renderTimelines } from './timeline/timeline.js';
import { typeLink } from './type-lists.js';
import { capitalized, kindName, labelOf, shortTime, valueWords, when } from './page/words.js';

/** The content of the page that compares Sites. */
interface CompareView {
  /** The ids, as they were asked for. */
  ids: string[];
  /** In this order; at least two, or none. An id that occurs in two forms has one. */
  records: SiteRecord[];
  /** The instant of the Setups; null for the current ones. */
  at: Instant | null;
  now: Instant;
  /** The record time that the page is about, `YYYY-MM-DDThh:mm:ss.sssZ`; null for now. */
  asOf: string | null;
  /** The URL of the same as JSON. */
  json: string;
}

const ROOT = '.';

type Compared = Comparison['equipment'][number];

/** A row of the table. @param cells one for each Site */
const row = (heading: Content, cells: Content[], ids: string[], differs = false): Html =>
  html`<tr ${differs && html`class="differs"`}>
    <th scope="row">${heading}</th>
    ${cells.map((cell, index) => html`<td data-label="${ids[index]}">${cell}</td> `)}
  </tr> `;

/** The row of one property. Values that differ are marked with a sign and in words. */
function propertyRow(
  { equipmentType, since }: Compared,
  { property, values, differs }: Compared['properties'][number],
  ids: string[],
): Html {
  const cell = (value: string | number | null, index: number): Content => {
    if (since[index] === null) return '–';
    if (property === 'type') return typeLink(ROOT, equipmentType, value as string | null);
    // A list of satellite systems may break only between them.
    if (property === 'satelliteSystem')
      return joined(valueWords(property, value).split('+'), html`+<wbr />`);
    return renderLongText(valueWords(property, value));
  };
  const heading = [
    capitalized(labelOf(property)),
    differs && html` <span class="sign">≠ differs</span>`,
  ];
  return row(heading, values.map(cell), ids, differs);
}

/** The rows of one item of equipment. */
function itemRows(item: Compared, all: Compared[], ids: string[]): Html {
  const ofKind = all.filter(({ equipmentType }) => equipmentType === item.equipmentType);
  const number = ofKind.length > 1 && ` ${ofKind.indexOf(item) + 1} of ${ofKind.length}`;
  const since = item.since.map((each) => (each === null ? '–' : when(each)));
  return html`<tbody>
    <tr class="group">
      <th scope="rowgroup" colspan="${ids.length + 1}">
        ${capitalized(kindName(item.equipmentType))}${number}
      </th>
    </tr>
    ${item.properties
      .filter(({ values }) => values.some((value) => value !== null))
      .map((property) => propertyRow(item, property, ids))}
    ${row('In this configuration since', since, ids)}
  </tbody>`;
}

/** The common axis of timelines; null without any. */
function axisOf(records: SiteRecord[], now: Instant): Span | null {
  const wholes = records.map(({ setups }) => wholeOf(setups, now));
  if (wholes.length === 0) return null;
  const from = wholes.map((whole) => whole.from).sort()[0]!;
  const to = wholes
    .map((whole) => whole.to)
    .sort()
    .at(-1)!;
  return { from, to };
}

function comparison({ records, at, now, asOf: time }: CompareView): Content {
  const asOf = time ?? undefined;
  const setups = records.map((record) => setupAt(record.setups, at));
  const ids = records.map(({ shortestId }) => shortestId);
  const equipment = compareSetups(setups);
  const inEffect = setups.map((setup) =>
    setup === undefined ? 'no Setup' : when(setup.effectivePeriod.from),
  );
  const dated = records.filter((record) => record.setups.length > 0);
  const axis = axisOf(dated, now);
  return [
    html`<div class="scroll" tabindex="0" role="region" aria-label="Setups">
      <table class="compared">
        <caption>
          ${at === null ? 'The current Setups' : `The Setups at ${shortTime(at)}`}. ≠ marks
          differences, except in serial numbers and notes. Unknown counts as none: it differs from
          any other value; what no site gives is left out. – means that the site has no such item.
        </caption>
        <thead>
          <tr>
            <td></td>
            ${records.map(
              ({ shortestId, site }) =>
                html`<th scope="col">
                  ${siteLink(ROOT, shortestId, shortestId, { at: at ?? undefined, asOf })}
                  ${site.name}
                </th> `,
            )}
          </tr>
        </thead>
        <tbody>
          ${row('In effect since', inEffect, ids)}
        </tbody>
        ${equipment.map((item) => itemRows(item, equipment, ids))}
      </table>
    </div>`,
    renderDownloads(ROOT, 'installations', { site: ids, asOf }, 'all equipment of these sites'),
    axis !== null &&
      section('timelines', 'Timelines', [
        html`<p>
          All drawings are from ${shortTime(axis.from).slice(0, 10)}, the first receiver or antenna,
          to ${shortTime(axis.to).slice(0, 10)}. They leave out what was in use before.
        </p>`,
        dated.length > 1 &&
          renderDifferences(
            dated.map(({ setups }) => setups),
            axis,
          ),
        renderTimelines(
          dated.map(({ shortestId, setups, changes, siteLog }, index) => [
            html`<h3>${shortestId}</h3>`,
            {
              setups,
              changes,
              now,
              prepared: siteLog?.datePrepared ?? null,
              cursor: at,
              zoom: axis,
              one: { label: `Timeline of the equipment of ${shortestId}`, isFirst: index === 0 },
              hrefAt: (at) =>
                `${href(ROOT, PATHS.site, { site: shortestId, query: { at, asOf } })}#setup`,
            },
          ]),
        ),
      ]),
  ];
}

/**
 * The page with a form for the ids of Sites and, if any are given, their Setups at that time and
 * their timelines.
 */
export function renderComparePage(view: CompareView): Page {
  const { ids, records, at, asOf, json } = view;
  const now = href(ROOT, PATHS.compare, { query: { site: ids.join(' '), at: at ?? undefined } });
  return {
    root: ROOT,
    title:
      records.length === 0
        ? 'Compare sites'
        : `Compare ${records.map(({ shortestId }) => shortestId).join(', ')}`,
    section: 'compare',
    json: [{ title: 'This comparison, for clients that do not ask for HTML', href: json }],
    content: html`${asOf !== null && recordNotice(asOf, now)}
      <form class="search" method="get" action="${href(ROOT, PATHS.compare)}">
        ${field(
          'site',
          'Sites',
          ids.join(' '),
          html`size="40" maxlength="200" aria-describedby="id-forms"`,
        )}
        ${field('at', 'At (now if empty)', at ?? '', html`size="20" maxlength="100"`)}
        ${asOf !== null && hiddenFields(['asOf', asOf])}
        <button>Compare</button>
        <small id="id-forms"
          >2 to ${MOST_COMPARED} ids of four or nine characters, with spaces between them: ALIC
          WTZR.</small
        >
      </form>
      ${records.length > 0 && comparison(view)}`,
  };
}
