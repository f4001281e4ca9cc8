import { CORS_SITES, type Instant, type Setup, SETUPS } from '../../schemas/index.js';
import { setupAt } from '../derive/setup-at.js';
import { LONGEST_GAP } from '../derive/visits.js';
import { mergeGaps } from '../derive/gaps.js';
import { messageOf } from '../findings/codes.js';
import { textsOf } from '../findings/findings.js';
import { CITATION, href, PATHS, type QueryValues, searchPathOf } from '../links.js';
import type { FoundSite } from '../store/read/sites/page.js';
import type { SiteRecord, SiteThen } from '../store/read/sites/sites.js';
import { INSTANT_FORMS } from '../requests/instant.js';
import { findingLink, placeOfFinding } from './finding-links.js';
import { fact, renderLongText } from './page/folding.js';
import { hiddenFields } from './page/form.js';
import { type Content, type Html, html } from './page/html.js';
import { field, type Page, recordNotice, renderSteps, section } from './page/layout.js';
import { instrumentSection } from './instrument-section.js';
import type { LinkedLog } from './log-page.js';
import { renderNeighbours } from './neighbours.js';
import { isInGap, setupSection, setupTable } from './setup-sections.js';
import { siteStatus } from './site-status.js';
import { zoomOf } from './page/time-scale.js';
import { table } from './page/table.js';
import { wholeOf } from './timeline/layout.js';
import { renderTimeline } from './timeline/timeline.js';
import { renderZoomLinks } from './timeline/zoom.js';
import { capitalized, periodWords, shortTime, siteInWords, unbroken, when } from './page/words.js';
import { versionsSection } from './versions-section.js';

/** The content of a Site page. */
interface SiteView {
  record: SiteThen;
  /** The site logs of the Site that were not withdrawn, the newest first. */
  logs: LinkedLog[];
  /** The nearest other Sites within a radius in kilometres, the nearest first. */
  neighbours: { sites: FoundSite[]; radius: number; shared: ReadonlySet<string> };
  /** The time for which the page shows the Site; null for now. */
  at: Instant | null;
  /** The bounds of the timeline; null for the natural ones. */
  from: Instant | null;
  to: Instant | null;
  now: Instant;
  /**
   * Whether the page of the log shows the file as it was imported, so that findings link to its
   * lines.
   */
  isFileShown: boolean;
}

const ROOT = '..';

const degrees = (value: number, positive: string, negative: string): string =>
  `${Math.abs(value).toFixed(5)}° ${value < 0 ? negative : positive}`;

/** Whether a Site is in operation, as far as its site log says. */
function statusOf({ setups }: SiteRecord): string {
  const last = setups.at(-1);
  const isCurrent = last !== undefined && last.effectivePeriod.to === null;
  return siteStatus(isCurrent ? last.equipmentInUse : []);
}

/** The status of a Site and the date of the log that says so, who maintains that, and the place. */
function summary(record: SiteRecord): Html {
  const { site, siteLog } = record;
  const prepared = siteLog?.datePrepared ?? null;
  const { city, state, country } = site.location;
  const place = [city, state, country].filter((each) => each !== null).join(', ');
  const others = [site.agency, place].filter(Boolean);
  return html`<p class="summary">
    <strong>${statusOf(record)}</strong>${
      prepared !== null && html` in the site log of <time>${prepared}</time>`
    }${others.map((each) => ` · ${each}`)}
  </p>`;
}

/** Ids, position and monument of a Site. */
function identification({ site }: SiteRecord): Html {
  const { latitude, longitude, height, x, y, z } = site.location;
  const position = [
    latitude !== null ? degrees(latitude, 'N', 'S') : longitude !== null && 'latitude unknown',
    longitude !== null ? degrees(longitude, 'E', 'W') : latitude !== null && 'longitude unknown',
    height !== null && `${Math.abs(height)} m ${height < 0 ? 'below' : 'above'} the ellipsoid`,
  ].filter((each) => each !== false);
  const { monument } = site;
  const marker = [
    monument.description,
    monument.height !== null && `${monument.height} m high`,
    monument.foundation,
    monument.markerDescription,
  ];
  const coordinates =
    x !== null && y !== null && z !== null && `${x.toFixed(3)}, ${y.toFixed(3)}, ${z.toFixed(3)} m`;
  const ground = [site.geologicCharacteristic, site.bedrockType];
  return html`<dl class="facts">
    ${fact('Nine-character id', site.nineCharacterId)} ${fact('DOMES number', site.domesNumber)}
    ${fact('Position', position.length === 0 ? 'unknown' : position.join(', '))}
    ${fact('X, Y, Z (ITRF)', coordinates)}
    ${fact('Installed', site.dateInstalled && when(site.dateInstalled))}
    ${fact('Monument', marker.filter((each) => each !== null && each !== false).join('; '))}
    ${fact('Ground', ground.filter((each) => each !== null).join('; '))}
    ${fact('Remarks', site.description)}
  </dl>`;
}

/** The link to what is to correct, with the conflicts of serial numbers. */
const sheetLink = (site: string): Html =>
  html`<a href="${href(ROOT, PATHS.siteFindings, { site })}">What to correct, as a sheet</a>`;

function findingsSection(record: SiteThen, isFileShown: boolean): Html {
  const { findings, siteLog, shortestId } = record;
  return section(
    'findings',
    'Import findings',
    findings.length === 0
      ? html`<p>
          No findings${siteLog !== null && ` in ${siteLog.name}`}. ${sheetLink(shortestId)}
        </p>`
      : [
          html`<p>${sheetLink(shortestId)}</p>`,
          table(
            [
              [
                'Place in the log',
                (finding) => findingLink(ROOT, placeOfFinding(finding, record, isFileShown)),
              ],
              ['Level', ({ level }) => level, { name: 'level' }],
              ['Finding', (finding) => capitalized(messageOf(finding)), { name: 'main' }],
              [
                'Text',
                (finding) => html`<code>${renderLongText(textsOf(finding))}</code>`,
                { name: 'rest' },
              ],
            ],
            findings,
            { name: 'rows', row: ({ level }) => html`class="${level}"` },
          ),
        ],
  );
}

/** The link to how the page is cited. */
const citationLink = (site: string, query: QueryValues): Html =>
  html`<a href="${href(ROOT, PATHS.site + CITATION, { site, query })}">How to cite this</a>`;

/** The attributes of the field for an instant. */
const INSTANT_ATTRIBUTES = html`size="22" maxlength="100" aria-describedby="at-forms"`;

/**
 * The page of a Site: status, Setup, identification, neighbours, instruments, timeline, all Setups,
 * site logs and import findings.
 */
export function renderSitePage(view: SiteView): Page {
  const { record, logs, neighbours, at, from, to, now, isFileShown } = view;
  const { site, setups, changes, asOf } = record;
  const id = record.shortestId;
  const setup = setupAt(setups, at);
  const onRecord = { asOf };
  const atTime = { at: at ?? undefined };
  const page = href(ROOT, PATHS.site, { site: id, query: onRecord });
  const zoomed = { from: from ?? undefined, to: to ?? undefined, ...onRecord };
  const hrefAt = (instant: Instant): string =>
    `${href(ROOT, PATHS.site, { site: id, query: { at: instant, ...zoomed } })}#setup`;
  const shown = setup === undefined ? -1 : setups.indexOf(setup);
  const search = (name: string, query: Record<string, string>): string =>
    href(ROOT, searchPathOf(SETUPS, name), { query: { id, ...query, ...onRecord } });
  const whole = setups.length === 0 ? null : wholeOf(setups, now);
  const zoom = whole === null || (from === null && to === null) ? null : zoomOf(whole, from, to);
  const step = (which: string, other: Setup | undefined): [string, Content] | null =>
    other === undefined
      ? null
      : [
          hrefAt(other.effectivePeriod.from),
          unbroken(`${which} Setup, ${periodWords(other.effectivePeriod)}`),
        ];
  const merged = mergeGaps(changes, LONGEST_GAP);
  // Skip the Setups of a few minutes within one visit: nobody looks for them.
  const isStep = (other: Setup): boolean => !isInGap(merged, other);
  const steps = renderSteps(
    'Setups',
    step('Previous', setups.slice(0, Math.max(shown, 0)).findLast(isStep)),
    null,
    step('Next', setups.slice(shown + 1).find(isStep)),
  );
  const hasOthers = setups.length > (setup === undefined ? 0 : 1);
  const controls = html`<form class="search" method="get" action="${page}">
      ${hiddenFields(['asOf', asOf])}
      ${field('at', 'At', at?.replace(/T00:00:00Z$/, ''), INSTANT_ATTRIBUTES)}
      <button>Show</button> ${at !== null && html`<a href="${page}">Now</a>`}
      <small id="at-forms">In UTC: ${INSTANT_FORMS}.</small>
    </form>
    ${hasOthers && steps}`;
  return {
    root: ROOT,
    title: siteInWords(id, site.name),
    section: 'sites',
    json: [
      at === null
        ? { title: 'The current Setup', href: search('findCurrentByFourCharacterId', {}) }
        : {
            title: `The Setup at ${shortTime(at)}`,
            href: search('findAtByFourCharacterId', { at }),
          },
      { title: 'All Setups', href: search('findByFourCharacterId', { size: '1000' }) },
      {
        title: 'Changes',
        href: href(ROOT, PATHS.changes, { query: { site: id, size: 1000, ...onRecord } }),
      },
      {
        title: 'The Site',
        href: href(ROOT, searchPathOf(CORS_SITES, 'findByFourCharacterId'), {
          query: { id, ...onRecord },
        }),
      },
    ],
    content: [
      asOf !== undefined &&
        recordNotice(asOf, href(ROOT, PATHS.site, { site: id, query: atTime }), [
          ' · ',
          citationLink(id, { ...atTime, asOf }),
        ]),
      summary(record),
      setupSection(setup, at, record, isFileShown, now, controls),
      section(
        'site',
        'The site',
        html`${asOf === undefined && html`<p>${citationLink(id, atTime)}</p>`}
          <div class="located">
            ${identification(record)}
            ${renderNeighbours(record, neighbours.sites, neighbours.radius, neighbours.shared)}
          </div>`,
      ),
      instrumentSection(record, at, now),
      whole !== null && [
        section('timeline', 'Timeline', [
          html`<a class="skip" href="#setups">Skip the timeline</a>`,
          renderTimeline({
            setups,
            instruments: record.instruments,
            changes,
            now,
            prepared: record.siteLog?.datePrepared ?? null,
            cursor: at,
            zoom,
            hrefAt,
          }),
          renderZoomLinks({
            whole,
            zoom,
            cursor: at,
            hrefOf: (span) => {
              const query = { ...atTime, ...span, ...onRecord };
              return `${href(ROOT, PATHS.site, { site: id, query })}#timeline`;
            },
          }),
        ]),
        setupTable(record, setup, hrefAt, at),
      ],
      versionsSection(record, logs),
      findingsSection(record, isFileShown),
    ],
  };
}
