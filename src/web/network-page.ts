import { CORS_SITES, EQUIPMENT, type EquipmentType, type Instant } from '../../schemas/index.js';
import { href, pathOf } from '../links.js';
import type { DeviceInUse } from '../store/read/network.js';
import type { SiteSummary } from '../store/read/sites/list.js';
import { renderDownloads } from './downloads.js';
import { renderFold } from './page/folding.js';
import { type Content, type Html, html, list } from './page/html.js';
import { type Page, section, siteLink } from './page/layout.js';
import { type Series, seriesOf, type Use, yearsOf } from './network-series.js';
import { renderAssumption } from './page/patterns.js';
import { table } from './page/table.js';
import { typeLink } from './type-lists.js';
import { capitalized, counted, kindName, numberWords, when } from './page/words.js';

/** The content of the page of the network. */
export interface NetworkView {
  /** The use of the devices of each type, and of those of each type with each firmware. */
  uses: Record<'type' | 'firmware', Use[]>;
  /** The devices in use that came first, by kind. */
  oldest: { equipmentType: EquipmentType; devices: DeviceInUse[] }[];
  /** The Sites whose current Setups have been in effect the longest. */
  unchanged: SiteSummary[];
  /** When the site logs were prepared; null if none says it. */
  prepared: { median: string; newest: string } | null;
  now: Instant;
}

const ROOT = '.';
/** How many series have a picture. */
const MOST_PICTURES = 12;
/** How many series the table below the pictures has. */
const MOST_ROWS = 200;
/** How much of its year a column covers: the gap to the next one has a pixel at least. */
const COLUMN = 0.7;
/** The height of a picture in pixels. */
const HEIGHT = 60;

/** The type of a series, and its firmware if each firmware has a series. */
const seriesName = (
  kind: EquipmentType,
  { type, firmwareVersion }: Series,
  by: 'type' | 'firmware',
): Content => [
  typeLink(ROOT, kind, type),
  by === 'firmware' &&
    html` <span class="firmware">${firmwareVersion ?? 'firmware unknown'}</span>`,
];

/**
 * A series as columns, one for each year.
 * @param most the highest column of all series of the section
 * @param known the last year that most logs know
 */
function picture({ counts }: Series, most: number, years: number[], known: number): Html {
  const width = 100 / counts.length;
  return html`<div class="chart" aria-hidden="true">
    <span>${numberWords(most)}</span>
    <svg class="columns" width="100%" height="${HEIGHT}">
      <line x1="0" x2="100%" y1="${HEIGHT - 0.5}" y2="${HEIGHT - 0.5}" />
      ${counts.map((count, index) => {
        // One device shows even beside thousands.
        const height = Math.max((count / most) * (HEIGHT - 2), 1).toFixed(1);
        return (
          count > 0 &&
          html`<rect
            ${years[index]! > known && html`class="assumed"`}
            x="${(index * width).toFixed(2)}%"
            y="${(HEIGHT - Number(height)).toFixed(1)}"
            width="${(width * COLUMN).toFixed(2)}%"
            height="${height}"
          />`
        );
      })}
    </svg>
    <span>0</span><span>${years[0]}</span><span>${years.at(-1)}</span>
  </div>`;
}

function seriesSection(
  { uses, prepared }: NetworkView,
  years: number[],
  kind: EquipmentType,
  by: 'type' | 'firmware',
  id: string,
): Html {
  const all = seriesOf(uses[by], kind, years);
  const known = Number(prepared?.median.slice(0, 4) ?? years.at(-1));
  const what = by === 'type' ? `${kindName(kind)} types` : `${kindName(kind)} firmware`;
  const most = Math.max(...all.map(({ peak }) => peak), 1);
  const rows = all.slice(0, MOST_ROWS);
  const isCut = rows.length < all.length;
  const pictures = all
    .slice(0, MOST_PICTURES)
    .map(
      (series) =>
        html`${seriesName(kind, series, by)} ${picture(series, most, years, known)}
          <small>${numberWords(series.now)} now, at most ${numberWords(series.peak)}</small>`,
    );
  const heads = [by === 'type' ? 'Type' : 'Type and firmware', ...years, 'Now'];
  const numbers = html`<div
    class="scroll"
    tabindex="0"
    role="region"
    aria-label="${capitalized(what)} by year"
  >
    <table class="years">
      <caption>
        How many were in use at the beginning of each year, and
        now.${isCut && ` The ${numberWords(MOST_ROWS)} most frequent.`}
      </caption>
      <thead>
        <tr>
          ${heads.map((each) => html`<th scope="col">${each}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (series) =>
            html`<tr>
              <th scope="row">${seriesName(kind, series, by)}</th>
              ${series.counts.map((count) => html`<td>${count !== 0 && numberWords(count)}</td>`)}
              <td>${numberWords(series.now)}</td>
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
  const which = isCut ? `the first ${numberWords(rows.length)} of ` : '';
  return section(id, `${capitalized(what)} in use, ${years[0]} to ${years.at(-1)}`, [
    list(pictures, `multiples ${kind.replaceAll(' ', '-')}`),
    renderFold(`The numbers, ${which}${counted(all.length, 'row')}`, numbers),
    renderDownloads(
      ROOT,
      'installations',
      { equipmentType: kind },
      `all ${kindName(kind)}s and where they have been`,
    ),
  ]);
}

const oldestTable = (
  { equipmentType, devices }: NetworkView['oldest'][number],
  now: Instant,
): Content => [
  table(
    [
      [
        'Site',
        ({ fourCharacterId, linkedId, siteName }) => [
          siteLink(ROOT, fourCharacterId, linkedId),
          ' ',
          siteName,
        ],
        { isHeader: true },
      ],
      ['First in use', ({ since }) => when(since)],
      ['Type', ({ type }) => typeLink(ROOT, equipmentType, type), { name: 'second' }],
      [
        'Serial number',
        ({ serialNumber }) => serialNumber ?? 'unknown',
        { name: 'second labelled' },
      ],
    ],
    devices,
    {
      name: 'rows',
      caption: `The ${kindName(equipmentType)}s in use that have been at their site the longest.`,
    },
  ),
  renderDownloads(
    ROOT,
    'installations',
    { equipmentType, at: now },
    `all ${kindName(equipmentType)}s in use`,
  ),
];

/**
 * The page of the network over time: types and firmware in use, and what is oldest.
 */
export function renderNetworkPage(view: NetworkView): Page {
  const { uses, oldest, unchanged, prepared, now } = view;
  const years = yearsOf(uses.type, Number(now.slice(0, 4)));
  const content = (): Content => [
    renderAssumption(),
    html`<p class="hint">
      Devices at the beginning of each year; the charts of a section have one scale.
      ${
        prepared !== null &&
        `Half of the site logs were prepared before ${prepared.median}, ` +
          `the newest on ${prepared.newest}: the hatched columns assume that nothing has changed ` +
          'since.'
      }
    </p>`,
    seriesSection(view, years, 'gnss receiver', 'type', 'receivers'),
    seriesSection(view, years, 'gnss antenna', 'type', 'antennas'),
    seriesSection(view, years, 'gnss receiver', 'firmware', 'firmware'),
    section('oldest', 'In use the longest', [
      oldest.map((each) => oldestTable(each, now)),
      table(
        [
          [
            'Site',
            ({ shortestId, name }) => [siteLink(ROOT, shortestId), ' ', name],
            { isHeader: true },
          ],
          ['Since', ({ since }) => since && when(since)],
        ],
        unchanged,
        {
          name: 'rows',
          caption:
            'The current Setups in effect the longest, also those of sites without equipment.',
        },
      ),
      renderDownloads(ROOT, 'setups', { current: true }, 'all current Setups'),
    ]),
  ];
  return {
    root: ROOT,
    title: 'Network',
    section: 'network',
    json: [
      {
        title: 'All equipment, and where it has been',
        href: href(ROOT, pathOf(EQUIPMENT), { query: { projection: 'installations' } }),
      },
      { title: 'All Sites', href: href(ROOT, pathOf(CORS_SITES)) },
    ],
    content:
      uses.type.length === 0
        ? html`<p>No site log with dates has been imported yet.</p>`
        : content(),
  };
}
