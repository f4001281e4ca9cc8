import { CORS_SITES, EQUIPMENT, type EquipmentType, type Instant } from '../../schemas/index.js';
import { href, PATHS, pathOf } from '../links.js';
import type { SiteChange } from '../store/read/changes.js';
import type { DeviceInUse, Use } from '../store/read/network.js';
import type { SiteSummary } from '../store/read/site-list.js';
import { changesTable } from './changes-page.js';
import { renderDownloads } from './downloads.js';
import { renderFold } from './folding.js';
import { type Content, type Html, html, tableHead } from './html.js';
import { renderPage } from './layout.js';
import { type Series, seriesOf, yearsOf } from './network-series.js';
import { typeLink } from './type-lists.js';
import { capitalized, counted, kindName, numberWords, when } from './words.js';

/** The content of the page of the network. */
export interface NetworkView {
  uses: Use[];
  /** The devices in use that came first, by kind. */
  oldest: { equipmentType: EquipmentType; devices: DeviceInUse[] }[];
  /** The Sites whose current Setups have been in effect the longest. */
  unchanged: SiteSummary[];
  /** The latest first. */
  changes: SiteChange[];
  /** When the site logs were prepared; null if none says it. */
  prepared: { median: string; newest: string } | null;
  now: Instant;
}

const ROOT = '.';
/** How many series have a picture, and how many are in the table behind. */
const [MOST_PICTURES, MOST_ROWS] = [12, 200];
const HEIGHT = 44;

const nameOf = (kind: EquipmentType, { type, firmwareVersion }: Series, by: 'type' | 'firmware'): Content => [
  typeLink(ROOT, kind, type),
  by === 'firmware' && html` <span class="firmware">${firmwareVersion ?? 'firmware unknown'}</span>`,
];

/** A series as columns, one for each year, with its own scale. @param known the last year that most logs know */
function picture({ counts, peak }: Series, years: number[], known: number): Html {
  const width = 100 / counts.length;
  return html`<div class="chart" aria-hidden="true">
    <span>${numberWords(peak)}</span>
    <svg class="columns" width="100%" height="${HEIGHT}">
      <line x1="0" x2="100%" y1="${HEIGHT - 0.5}" y2="${HEIGHT - 0.5}" />
      ${counts.map((count, index) => {
        const height = Math.round((count / peak) * (HEIGHT - 2) * 10) / 10;
        return (
          count > 0 &&
          html`<rect
            ${years[index]! > known && html`class="assumed"`}
            x="${(index * width).toFixed(2)}%"
            y="${(HEIGHT - height).toFixed(1)}"
            width="${(width * 0.85).toFixed(2)}%"
            height="${height}"
          />`
        );
      })}
    </svg>
    <span>0</span><span>${years[0]}</span><span>${years.at(-1)}</span>
  </div>`;
}

function seriesSection({ uses, prepared }: NetworkView, years: number[], kind: EquipmentType, by: 'type' | 'firmware', id: string): Html {
  const all = seriesOf(uses, kind, years, by);
  const shown = all.slice(0, MOST_PICTURES);
  const known = Number(prepared?.median.slice(0, 4) ?? years.at(-1));
  const what = by === 'type' ? `${kindName(kind)} types` : `${kindName(kind)} firmware`;
  const rows = all.slice(0, MOST_ROWS);
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${capitalized(what)} in use, ${years[0]} to ${years.at(-1)}</h2>
    <ul class="multiples ${kind.replaceAll(' ', '-')}">
      ${shown.map(
        (series) =>
          html`<li>
            ${nameOf(kind, series, by)} ${picture(series, years, known)}
            <small>${numberWords(series.now)} now, at most ${numberWords(series.peak)}</small>
          </li> `,
      )}
    </ul>
    ${renderFold(
      `The numbers, ${rows.length < all.length ? `the first ${numberWords(rows.length)} of ` : ''}${counted(all.length, 'row')}`,
      html`<div class="scroll" tabindex="0" role="region" aria-label="${capitalized(what)} by year">
        <table class="years">
          <caption>
            How many were in use at the beginning of each year, and
            now.${rows.length < all.length && ` The ${numberWords(MOST_ROWS)} most frequent.`}
          </caption>
          <thead>
            <tr>
              <th scope="col">${by === 'type' ? 'Type' : 'Type and firmware'}</th>
              ${[...years, 'Now'].map((each) => html`<th scope="col">${each}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (series) =>
                html`<tr>
                  <th scope="row">${nameOf(kind, series, by)}</th>
                  ${[...series.counts.map((count) => (count === 0 ? '' : numberWords(count))), numberWords(series.now)].map((words) => html`<td>${words}</td>`)}
                </tr> `,
            )}
          </tbody>
        </table>
      </div>`,
    )}
    ${renderDownloads(ROOT, 'installations', { equipmentType: kind }, `all ${kindName(kind)}s and where they have been`)}
  </section>`;
}

const siteLink = (id: string, exact: string): Html => html`<a href="${href(ROOT, PATHS.site, { site: exact })}">${id}</a>`;

function oldestTable({ equipmentType, devices }: NetworkView['oldest'][number], now: Instant): Html {
  return html`<table class="stack">
      <caption>
        The ${kindName(equipmentType)}s in use that have been at their site the longest.
      </caption>
      ${tableHead('First in use', 'Site', 'Type', 'Serial number')}
      <tbody>
        ${devices.map(
          ({ since, fourCharacterId, nineCharacterId, siteName, type, serialNumber }) =>
            html`<tr>
              <td data-label="First in use">${when(since)}</td>
              <th scope="row" data-label="Site">${siteLink(fourCharacterId, nineCharacterId ?? fourCharacterId)} ${siteName}</th>
              <td data-label="Type">${typeLink(ROOT, equipmentType, type)}</td>
              <td data-label="Serial number">${serialNumber ?? 'unknown'}</td>
            </tr> `,
        )}
      </tbody>
    </table>
    ${renderDownloads(ROOT, 'installations', { equipmentType, at: now }, `all ${kindName(equipmentType)}s in use`)}`;
}

/** The page of the network over time: types and firmware in use, the latest changes, and what is oldest. */
export function renderNetworkPage(view: NetworkView): string {
  const { uses, oldest, unchanged, changes, prepared, now } = view;
  const years = yearsOf(uses, Number(now.slice(0, 4)));
  return renderPage({
    root: ROOT,
    title: 'Network',
    section: 'network',
    json: [
      { title: 'All equipment, and where it has been', href: href(ROOT, pathOf(EQUIPMENT), { query: { projection: 'installations' } }) },
      { title: 'All Sites', href: href(ROOT, pathOf(CORS_SITES)) },
    ],
    content:
      uses.length === 0
        ? html`<p>No site log with dates has been imported yet.</p>`
        : html`<p class="hint">
              Devices at the beginning of each year; each chart has its own scale.
              ${
                prepared !== null &&
                `Half of the site logs were prepared before ${prepared.median}, the newest on ${prepared.newest}: the pale columns assume that nothing has changed since.`
              }
            </p>
            ${seriesSection(view, years, 'gnss receiver', 'type', 'receivers')}
            ${seriesSection(view, years, 'gnss antenna', 'type', 'antennas')}
            ${seriesSection(view, years, 'gnss receiver', 'firmware', 'firmware')}
            <section aria-labelledby="changes">
              <h2 id="changes">Latest changes</h2>
              ${changesTable(changes)} ${renderDownloads(ROOT, 'changes', {}, 'all changes')}
              <p><a href="${href(ROOT, PATHS.changes)}">All changes</a></p>
            </section>
            <section aria-labelledby="oldest">
              <h2 id="oldest">In use the longest</h2>
              ${oldest.map((each) => oldestTable(each, now))}
              <table class="stack">
                <caption>
                  The current Setups that have been in effect the longest.
                </caption>
                ${tableHead('Since', 'Site')}
                <tbody>
                  ${unchanged.map(
                    ({ shortestId, name, current }) =>
                      html`<tr>
                        <td data-label="Since">${current === null ? '–' : when(current.since)}</td>
                        <th scope="row" data-label="Site">${siteLink(shortestId, shortestId)} ${name}</th>
                      </tr> `,
                  )}
                </tbody>
              </table>
              ${renderDownloads(ROOT, 'setups', { current: true }, 'all current Setups')}
            </section>`,
  });
}
