import { CORS_SITES, type EquipmentInUse, type EquipmentType, type Instant, type Setup, SETUPS } from '../../schemas/index.js';
import { completenessOf, unknownMembers } from '../derive/completeness.js';
import { href, itemPathOf, PATHS, searchPathOf } from '../links.js';
import { decode } from '../site-log/decode.js';
import { INSTANT_FORMS } from '../requests/instant.js';
import type { SiteRecord } from '../store/sites.js';
import { DEVICE_SECTIONS } from './devices-pages.js';
import { type Content, type Html, html, joined, LINE_FEED, preformatted } from './html.js';
import { renderPage } from './layout.js';
import { renderTimeline } from './timeline.js';
import {
  capitalized,
  changeWords,
  configurationSentences,
  counted,
  kindName,
  labelOf,
  listed,
  notesOf,
  periodWords,
  sentence,
  shortTime,
  typeList,
  typeWords,
  when,
} from './words.js';

/** What the page of a Site shows. */
export interface SiteView {
  record: SiteRecord;
  /** The instant as of which the page is; null: now. */
  at: Instant | null;
  now: Instant;
}

/** The most characters of the log that the page has; the log alone has all of them. */
const LONGEST_LOG = 500_000;

const ROOT = '..';

/** The text of a log as it was imported. */
export const logTextOf = ({ siteLog }: Pick<SiteRecord, 'siteLog'>): string => decode(siteLog.original);

/** More characters get a line of their own. */
const LONG_FACT = 90;

/** A pair of a definition list; nothing where the value is unknown. */
const fact = (term: string, value: Content): Content =>
  value !== null &&
  value !== '' &&
  html`<div ${typeof value === 'string' && value.length > LONG_FACT && html`class="wide"`}>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div> `;

const degrees = (value: number, positive: string, negative: string): string =>
  `${Math.abs(value).toFixed(5)}° ${value < 0 ? negative : positive}`;

function identification({ site, place, siteLog }: SiteRecord): Html {
  const { latitude, longitude, elevation } = place;
  const position = [
    latitude !== null ? degrees(latitude, 'N', 'S') : longitude !== null && 'latitude unknown',
    longitude !== null ? degrees(longitude, 'E', 'W') : latitude !== null && 'longitude unknown',
    elevation !== null && `${Math.abs(elevation)} m ${elevation < 0 ? 'below' : 'above'} the ellipsoid`,
  ].filter((each) => each !== false);
  const { monument } = site;
  const marker = [
    monument.description,
    monument.height !== null && `${monument.height} m high`,
    monument.foundation,
    monument.markerDescription,
  ];
  return html`<dl class="facts">
    ${fact('Nine-character id', place.nineCharacterId)} ${fact('DOMES number', site.domesNumber)}
    ${fact('Place', [place.city, place.state, place.country].filter((each) => each !== null).join(', '))}
    ${fact('Position', position.length === 0 ? 'unknown' : position.join(', '))}
    ${fact('Installed', site.dateInstalled && when(site.dateInstalled))}
    ${fact('Monument', marker.filter((each) => each !== null && each !== false).join('; '))}
    ${fact('Ground', [site.geologicCharacteristic, site.bedrockType].filter((each) => each !== null).join('; '))}
    ${fact('Remarks', site.description)}
    ${fact('Site log', [
      html`<a href="#log">${siteLog.name}</a>`,
      `, ${siteLog.form}, `,
      siteLog.datePrepared === null ? 'date unknown' : `prepared ${siteLog.datePrepared}`,
      `, imported ${siteLog.importedAt.slice(0, 10)}`,
    ])}
  </dl>`;
}

/** One piece of equipment: what it is, how it is configured, and what is not known of it. */
function equipmentCard(equipment: EquipmentInUse): Html {
  const { id, period } = equipment.content;
  const { equipmentType, type, manufacturer, serialNumber } = id;
  const page = Object.values(DEVICE_SECTIONS).find((section) => section.equipmentType === equipmentType)?.path;
  const unknown = unknownMembers(equipment).map(labelOf);
  const notes = notesOf(equipment);
  const identity = [manufacturer && `Made by ${manufacturer}`, serialNumber && `Serial number ${serialNumber}`];
  const known = identity.flatMap((each) => (each === null || each === '' ? [] : [sentence(each)]));
  const path = { type: type ?? '', serialNumber: serialNumber ?? undefined };
  const name = kindName(equipmentType);
  return html`<li class="card">
    <h3><span class="kind">${capitalized(name)}</span> <span class="type">${typeWords(type)}</span></h3>
    <p>
      ${[...known, ...configurationSentences(equipment)].join(' ')} In this configuration
      <span class="period">${period.to === null ? '' : 'from '}${periodWords(period)}</span>.
    </p>
    ${notes !== null && html`<p class="notes">${notes}</p>`}
    ${unknown.length > 0 && html`<p class="unknown">Not known: ${listed(unknown)}.</p>`}
    ${
      page !== undefined &&
      html`<p>
        <a href="${href(ROOT, page, { query: path })}"
          >Where ${serialNumber === null ? `devices of this type have` : `this ${name} has`} been</a
        >
      </p>`
    }
  </li> `;
}

/** The Setup in words. @param setup undefined where there is none at that time */
function setupSection({ at, record: { setups } }: SiteView, setup: Setup | undefined): Html {
  if (setup === undefined) {
    const first = setups[0]?.effectivePeriod.from;
    return html`<section id="setup" aria-labelledby="setup-heading">
      <h2 id="setup-heading">${at === null ? 'Current Setup' : `Setup at ${shortTime(at)}`}</h2>
      <p>${first === undefined ? 'None: the site log dates no equipment.' : html`None yet: the first Setup begins ${when(first)}.`}</p>
    </section>`;
  }
  const { effectivePeriod, equipmentInUse } = setup;
  const { asked, known } = completenessOf(equipmentInUse);
  return html`<section id="setup" aria-labelledby="setup-heading">
    <h2 id="setup-heading">${at === null ? 'Current Setup' : `Setup at ${shortTime(at)}`}</h2>
    <p>
      In effect ${periodWords(effectivePeriod)}.
      ${equipmentInUse.length === 0 ? 'No equipment is in use.' : `The site log gives ${known} of the ${asked} values it asks for.`}
    </p>
    ${
      equipmentInUse.length > 0 &&
      html`<ul class="cards">
        ${equipmentInUse.map(equipmentCard)}
      </ul>`
    }
  </section>`;
}

const typesOf = ({ equipmentInUse }: Setup, kind: EquipmentType): Content =>
  typeList(equipmentInUse.flatMap(({ content: { id } }) => (id.equipmentType === kind ? [id.type] : [])));

function setupTable({ setups, changes }: SiteRecord, shown: Setup | undefined, hrefAt: (instant: Instant) => string): Html {
  return html`<section id="setups" aria-labelledby="setups-heading">
    <h2 id="setups-heading">${counted(setups.length, 'Setup')}, the latest first</h2>
    <table class="stack">
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">To</th>
          <th scope="col">Receiver</th>
          <th scope="col">Antenna</th>
          <th scope="col">What changed</th>
          <th scope="col">JSON</th>
        </tr>
      </thead>
      <tbody>
        ${setups.toReversed().map((setup) => {
          const { from, to } = setup.effectivePeriod;
          return html`<tr ${setup === shown && html`class="shown"`}>
            <td data-label="From"><a href="${hrefAt(from)}">${when(from)}</a></td>
            <td data-label="To">${to === null ? 'open' : when(to)}</td>
            <td data-label="Receiver">${typesOf(setup, 'gnss receiver')}</td>
            <td data-label="Antenna">${typesOf(setup, 'gnss antenna')}</td>
            <td data-label="What changed">${joined(changes.filter(({ at }) => at === from).map(changeWords), html`<br />`)}</td>
            <td data-label="JSON"><a href="${href(ROOT, itemPathOf(SETUPS), { id: setup.id })}">/setups/${setup.id}</a></td>
          </tr> `;
        })}
      </tbody>
    </table>
  </section>`;
}

function findingsSection({ findings, siteLog }: SiteRecord): Html {
  return html`<section id="findings" aria-labelledby="findings-heading">
    <h2 id="findings-heading">What the import found in the log</h2>
    ${
      findings.length === 0
        ? html`<p>Nothing wrong in ${siteLog.name}.</p>`
        : html`<table class="stack">
            <thead>
              <tr>
                <th scope="col">Line</th>
                <th scope="col">Level</th>
                <th scope="col">Finding</th>
                <th scope="col">Text</th>
              </tr>
            </thead>
            <tbody>
              ${findings.map(
                ({ line, level, message, text }) =>
                  html`<tr class="${level}">
                    <td data-label="Line"><a href="#L${line}">${line}</a></td>
                    <td data-label="Level">${level}</td>
                    <td data-label="Finding">${message}</td>
                    <td data-label="Text"><code>${text}</code></td>
                  </tr> `,
              )}
            </tbody>
          </table>`
    }
  </section>`;
}

function logSection(record: SiteRecord): Html {
  const { siteLog, findings, site } = record;
  const text = logTextOf(record);
  const found = new Set(findings.map(({ line }) => line));
  const lines = text.slice(0, LONGEST_LOG).split(/\r\n|\r|\n/);
  const shown = lines.map((line, index) => {
    const content = preformatted(line);
    return found.has(index + 1) ? html`<span id="L${index + 1}">${content}</span>` : content;
  });
  const numbers = joined(
    lines.map((_line, index) => index + 1),
    LINE_FEED,
  );
  const whole = href(ROOT, PATHS.siteLog, { site: site.fourCharacterId });
  return html`<section id="log" aria-labelledby="log-heading">
    <h2 id="log-heading">The site log</h2>
    <p>
      ${siteLog.name}, ${siteLog.form}, SHA-256 <code class="hash">${siteLog.sha256}</code>.
      <a href="${whole}">The log alone</a>${text.length > LONGEST_LOG && ', which has all of it: it is too long to be shown whole here'}.
    </p>
    <details>
      <summary>${counted(lines.length, 'line')}</summary>
      <div class="log" tabindex="0" role="region" aria-label="Text of the site log">
        <pre aria-hidden="true">${numbers}</pre>
        <pre>${LINE_FEED}${joined(shown, LINE_FEED)}</pre>
      </div>
    </details>
  </section>`;
}

/** The page of a Site: identity, Setup, timeline, Setups, findings, log. */
export function renderSitePage(view: SiteView): string {
  const { record, at, now } = view;
  const { site, setups, changes } = record;
  const id = site.fourCharacterId;
  const setup = setups.findLast(({ effectivePeriod }) => at === null || effectivePeriod.from <= at);
  const page = href(ROOT, PATHS.site, { site: id });
  const hrefAt = (instant: Instant): string => `${href(ROOT, PATHS.site, { site: id, query: { at: instant } })}#setup`;
  const search = (name: string, query: Record<string, string>): string =>
    href(ROOT, searchPathOf(SETUPS, name), { query: { id, ...query } });
  return renderPage({
    root: ROOT,
    title: site.name === null ? id : `${id} · ${site.name}`,
    section: 'sites',
    json: [
      at === null
        ? { title: 'The current Setup', href: search('findCurrentByFourCharacterId', {}) }
        : { title: `The Setup at ${shortTime(at)}`, href: search('findAtByFourCharacterId', { at }) },
      { title: 'All Setups', href: search('findByFourCharacterId', { size: '1000' }) },
      { title: 'What changed', href: search('findChangesByFourCharacterId', { size: '1000' }) },
      { title: 'The Site', href: href(ROOT, searchPathOf(CORS_SITES, 'findByFourCharacterId'), { query: { id } }) },
    ],
    content: html`${identification(record)}
      <form class="search" method="get" action="${page}">
        <label for="at">As of</label>
        <input
          id="at"
          name="at"
          value="${at?.replace(/T00:00:00Z$/, '')}"
          size="22"
          maxlength="100"
          placeholder="2013-07-08"
          aria-describedby="at-forms"
        />
        <button>Show</button> ${at !== null && html`<a href="${page}">Now</a>`}
        <small id="at-forms">In UTC: ${INSTANT_FORMS}.</small>
      </form>
      ${setupSection(view, setup)}
      ${
        setups.length > 0 && [
          html`<section id="timeline" aria-labelledby="timeline-heading">
            <h2 id="timeline-heading">Timeline</h2>
            <a class="skip" href="#setups">Past the timeline</a>
            ${renderTimeline({ setups, changes, now, cursor: at, hrefAt })}
          </section>`,
          setupTable(record, setup, hrefAt),
        ]
      }
      ${findingsSection(record)} ${logSection(record)}`,
  });
}
