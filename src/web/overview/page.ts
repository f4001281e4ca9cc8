import { CHANGE_KINDS, CORS_SITES } from '../../../schemas/index.js';
import { nameOfCode } from '../../findings/codes.js';
import { href, PATHS, pathOf, type QueryValues } from '../../links.js';
import type { DayPrepared } from '../../store/read/network.js';
import { groupsTable } from '../changes-table.js';
import { renderFold } from '../page/folding.js';
import { type Content, type Html, html, list } from '../page/html.js';
import { type Network, networkLink, type Page, section } from '../page/layout.js';
import { type Column, table } from '../page/table.js';
import { capitalized, counted, numberWords, several, systemName, when } from '../page/words.js';
import { agesOf, type LogAge } from './ages.js';
import { renderBar, renderColumns, renderStacks } from './charts.js';
import { type ChangesOfYear, type OverviewView, ROOT, SYSTEM_CLASSES } from './view.js';

/** How many Sites a group of changes lists: the page stays small. */
const MOST_LISTED = 3;
/** How many kinds of warnings the overview names. */
const MOST_CODES = 5;

const sitesWith = (query: QueryValues): string => href(ROOT, PATHS.sites, { query });

/** A figure that leads to the list behind it, unless that is empty. */
const linked = (figure: number, url: string): Content =>
  figure === 0 ? '0' : html`<a href="${url}">${numberWords(figure)}</a>`;

/** The state of the network in a few figures. */
function headFigures({ sites, inUse, prepared, findings }: OverviewView): Html {
  const warnings = findings
    .filter(({ level }) => level === 'warning')
    .reduce((sum, each) => sum + each.findings, 0);
  const newest = prepared.findLast(({ date }) => date !== null)?.date;
  const figures: [Content, string][] = [
    [linked(sites, sitesWith({})), several(sites, 'site')],
    [
      linked(inUse.receivers, href(ROOT, PATHS.receivers)),
      `${several(inUse.receivers, 'receiver')} in use`,
    ],
    [
      linked(inUse.antennas, href(ROOT, PATHS.antennas)),
      `${several(inUse.antennas, 'antenna')} in use`,
    ],
    [
      linked(warnings, href(ROOT, PATHS.findings, { query: { level: 'warning' } })),
      `${several(warnings, 'warning')} in the logs`,
    ],
    [
      newest == null
        ? 'none'
        : html`<a href="${sitesWith({ sort: 'prepared,desc' })}">${newest}</a>`,
      'newest log',
    ],
  ];
  return list(
    figures.map(([figure, words]) => html`<strong>${figure}</strong> ${words}`),
    'figures',
  );
}

/** The table with the numbers of the chart of systems. */
function systemsTable({ systems: { years, counts }, today }: OverviewView): Html {
  const rows = counts.map((classes, index) => ({
    when: years[index] === undefined ? today : String(years[index]),
    classes,
  }));
  const columns: Column<(typeof rows)[number]>[] = [
    ['Beginning of', ({ when: time }) => time, { isHeader: true }],
    ...SYSTEM_CLASSES.map((name, index): Column<(typeof rows)[number]> => [
      capitalized(name),
      ({ classes }) => numberWords(classes[index]!),
    ]),
  ];
  return renderFold(
    'The numbers',
    html`<div class="scroll" tabindex="0" role="region" aria-label="Sites by satellite systems">
      ${table(columns, rows.reverse(), { name: 'years' })}
    </div>`,
  );
}

/** Sites by satellite systems: over the years, and today. */
function systemsSection(view: OverviewView): Html {
  const { systems, today, prepared, sites } = view;
  const withReceiver = systems.counts.at(-1)!.reduce((sum, each) => sum + each, 0);
  const most = Math.max(...systems.bySystem.map(({ sites }) => sites), 1);
  const columns: Column<(typeof systems.bySystem)[number]>[] = [
    ['Tracked now', ({ system }) => systemName(system), { isHeader: true }],
    [
      'Sites',
      ({ system, sites }) => linked(sites, sitesWith({ satelliteSystem: system, at: today })),
      { name: 'number' },
    ],
    ['', ({ sites }) => renderBar(sites, most), { name: 'bar' }],
  ];
  return section('systems', 'Satellite systems', [
    html`<p class="hint">
      ${numberWords(withReceiver)} of ${counted(sites, 'site')}
      ${withReceiver === 1 ? 'has' : 'have'} a receiver in use now. Each of them counts once, by the
      systems that its best receiver tracks. Earlier years count the sites that had a receiver at
      their beginning.
    </p>`,
    html`<div class="beside">
      <div>${renderStacks(systems, knownUntil(prepared))} ${systemsTable(view)}</div>
      ${table(columns, systems.bySystem, { name: 'plain' })}
    </div>`,
  ]);
}

/** The last year that most logs know; null if no log says it. */
function knownUntil(prepared: readonly DayPrepared[]): number | null {
  const dated = prepared.filter(({ date }) => date !== null);
  const half = dated.reduce((sum, { logs }) => sum + logs, 0) / 2;
  let before = 0;
  for (const { date, logs } of dated) {
    before += logs;
    if (before > half) return Number(date!.slice(0, 4));
  }
  return null;
}

/** States that most logs are too old to know of changes in the years shown. */
function unknownChanges({ prepared, changes }: OverviewView, known: number | null): Content {
  const [first] = changes.map(({ year }) => year);
  if (known === null || first === undefined || known >= changes.at(-1)!.year) return null;
  const day = `${first}-01-01`;
  const count = (some: readonly DayPrepared[]): number =>
    some.reduce((sum, { logs }) => sum + logs, 0);
  const before = count(prepared.filter(({ date }) => date !== null && date < day));
  const words =
    known < first
      ? `${numberWords(before)} of ${counted(count(prepared), 'log')} ${before === 1 ? 'was' : 'were'} prepared before ${first}`
      : `half of the logs were prepared by ${known}`;
  return html`<p class="hint">Hatched below: ${words}: later changes are not in them.</p>`;
}

/** The changes of the last years, by kind. */
function changesSection(view: OverviewView): Html {
  const { changes, prepared } = view;
  const known = knownUntil(prepared);
  const most = Math.max(...changes.flatMap(({ counts }) => Object.values(counts)), 1);
  const pictures = CHANGE_KINDS.map(
    (kind) =>
      html`${capitalized(kind)}
      ${renderColumns(
        changes.map(({ year, counts }) => ({ year, count: counts[kind] ?? 0 })),
        most,
        known,
      )}`,
  );
  const columns: Column<ChangesOfYear>[] = [
    ['Year', ({ year }) => String(year), { isHeader: true }],
    ...CHANGE_KINDS.map((kind): Column<ChangesOfYear> => [
      capitalized(kind),
      ({ year, counts }) =>
        linked(
          counts[kind] ?? 0,
          href(ROOT, PATHS.changes, {
            query: { from: `${year}-01-01`, to: `${year + 1}-01-01`, kind },
          }),
        ),
      { name: 'number' },
    ]),
  ];
  return section('changes', 'Changes of the last five years', [
    list(pictures, 'multiples small'),
    unknownChanges(view, known),
    html`<div class="scroll" tabindex="0" role="region" aria-label="Changes by year and kind">
      ${table(columns, changes, { name: 'plain' })}
    </div>`,
  ]);
}

/** How many logs are as old or older. */
function olderLogs({ before, older }: LogAge): Content {
  if (older === null) return '–';
  return before === null
    ? numberWords(older)
    : linked(older, sitesWith({ preparedBefore: before, sort: 'prepared' }));
}

/** The age of the logs, as a distribution. */
function agesSection({ prepared, today }: OverviewView): Html {
  const ages = agesOf(prepared, today);
  const most = Math.max(...ages.map(({ sites }) => sites), 1);
  const columns: Column<LogAge>[] = [
    ['Prepared', ({ words }) => words, { isHeader: true }],
    ['Sites', ({ sites }) => numberWords(sites), { name: 'number' }],
    ['', ({ sites }) => renderBar(sites, most), { name: 'bar' }],
    ['Including older logs', olderLogs, { name: 'number' }],
  ];
  return section('ages', 'Age of the site logs', table(columns, ages, { name: 'plain wide' }));
}

/** The findings by level, with the most frequent warnings. */
function findingsSection({ findings }: OverviewView): Html {
  const url = (query: QueryValues): string => href(ROOT, PATHS.findings, { query });
  const levels = [...Map.groupBy(findings, ({ level }) => level)].map(([level, some]) => ({
    level,
    count: some.reduce((sum, each) => sum + each.findings, 0),
  }));
  const words = levels.map(
    ({ level, count }) =>
      html`${linked(count, url({ level }))} ${count === 1 ? 'finding' : 'findings'} of level
      ${level}`,
  );
  const warnings = findings.filter(({ level }) => level === 'warning').slice(0, MOST_CODES);
  const most = Math.max(...warnings.map((each) => each.findings), 1);
  const columns: Column<(typeof findings)[number]>[] = [
    ['The most frequent warnings', ({ code }) => nameOfCode(code), { isHeader: true }],
    [
      'Findings',
      ({ code, level, findings: count }) => linked(count, url({ code, level })),
      { name: 'number' },
    ],
    ['', ({ findings: count }) => renderBar(count, most), { name: 'bar' }],
    ['Sites', ({ sites }) => numberWords(sites), { name: 'number' }],
  ];
  return section('findings', 'Findings in the site logs', [
    findings.length === 0 ? html`<p>No findings.</p>` : list(words),
    warnings.length > 0 && table(columns, warnings, { name: 'plain wide' }),
  ]);
}

/** The latest changes. */
const latestSection = ({ latest }: OverviewView): Html =>
  section('latest', 'Latest changes', [
    groupsTable(latest, {}, MOST_LISTED),
    html`<p><a href="${href(ROOT, PATHS.changes)}">All changes</a></p>`,
  ]);

/** The map, as an image with its links. */
const mapSection = ({ map }: OverviewView): Content =>
  map !== null &&
  section(
    'map',
    'Map',
    html`<figure>
      <img src="${href(ROOT, PATHS.map)}" width="1000" height="500" alt="${map.alternative}" />
      <figcaption>${map.links} Map data: Natural Earth.</figcaption>
    </figure>`,
  );

/** The overview: the state of the network first. @param network whose it is */
export function renderOverviewPage(view: OverviewView, network: Network): Page {
  const owner = networkLink(network);
  return {
    root: ROOT,
    title: 'Overview',
    section: 'overview',
    json: [
      { title: 'All Sites', href: href(ROOT, pathOf(CORS_SITES)) },
      { title: 'All changes', href: href(ROOT, PATHS.changes) },
    ],
    content: [
      html`<p class="summary">
        ${owner !== null && html`The network of ${owner}, `}${owner === null && 'The network '}as
        its site logs describe it, on ${when(`${view.today}T00:00:00Z`)}.
      </p>`,
      view.sites === 0
        ? html`<p>No site log has been imported yet.</p>`
        : [
            headFigures(view),
            html`<div class="panels">
              ${systemsSection(view)} ${changesSection(view)} ${agesSection(view)}
              ${findingsSection(view)} ${latestSection(view)} ${mapSection(view)}
            </div>`,
          ],
    ],
  };
}
