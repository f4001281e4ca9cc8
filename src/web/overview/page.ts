import { CHANGE_KINDS, CORS_SITES } from '../../../schemas/index.js';
import { nameOfCode } from '../../findings/codes.js';
import { exportPathOf, href, PATHS, pathOf, type QueryValues } from '../../links.js';
import type { AgencyCount } from '../../store/read/network.js';
import { countryName } from '../../site-log/values/country.js';
import { groupsTable } from '../changes-table.js';
import { renderConflicts } from '../device-types-page.js';
import { tieWords } from '../finding-links.js';
import { renderFold } from '../page/folding.js';
import { type Content, type Html, html, joined, list } from '../page/html.js';
import { type Network, networkLink, type Page, section, siteLink } from '../page/layout.js';
import { type Column, table } from '../page/table.js';
import { capitalized, counted, numberWords, several, systemName, when } from '../page/words.js';
import { agesOf, countLogs, knownUntil, type LogAge, mostPreparedBy } from './ages.js';
import { renderBar, renderColumns, renderStacks } from './charts.js';
import { type ChangesOfYear, type OverviewView, ROOT, SYSTEM_CLASSES } from './view.js';

/** How many Sites a group of changes lists: the page stays small. */
const MOST_LISTED = 3;
/** How many kinds of warnings the overview names. */
const MOST_CODES = 5;
/** How many agencies the overview names. */
const MOST_AGENCIES = 5;

const sitesWith = (query: QueryValues): string => href(ROOT, PATHS.sites, { query });

/** A figure that leads to the list behind it, unless that is empty. */
const linked = (figure: number, url: string): Content =>
  figure === 0 ? '0' : html`<a href="${url}">${numberWords(figure)}</a>`;

/** How many changes the last 30 days had: unknown if no log is of these days. */
function recentFigure(
  { from, to, changes }: OverviewView['recent'],
  newest: string | undefined,
): [Content, string] {
  if (changes === 0 && (newest ?? '') < from)
    return ['unknown', 'changes in the last 30 days: all logs are older'];
  const url = href(ROOT, PATHS.changes, { query: { from, to } });
  return [linked(changes, url), `${several(changes, 'change')} in the last 30 days`];
}

/** The state of the network in a few figures. */
function headFigures(view: OverviewView): Html {
  const { sites, receivers, antennas, prepared, findings, recent } = view;
  const warnings = findings
    .filter(({ level }) => level === 'warning')
    .reduce((sum, each) => sum + each.findings, 0);
  const dates = prepared.flatMap(({ date }) => date ?? []);
  const log = (date: string | undefined, sort: string): Content =>
    date === undefined ? 'none' : html`<a href="${sitesWith({ sort })}">${date}</a>`;
  const byUse = { query: { sort: 'inUse,desc' } };
  const figures: [Content, string][] = [
    [linked(sites, sitesWith({})), several(sites, 'site')],
    [
      linked(receivers.inUse, href(ROOT, PATHS.receivers, byUse)),
      `${several(receivers.inUse, 'receiver')} in use`,
    ],
    [
      linked(antennas.inUse, href(ROOT, PATHS.antennas, byUse)),
      `${several(antennas.inUse, 'antenna')} in use`,
    ],
    [
      linked(warnings, href(ROOT, PATHS.findings, { query: { level: 'warning' } })),
      `${several(warnings, 'warning')} in the logs`,
    ],
    recentFigure(recent, dates.at(-1)),
    [log(dates[0], 'prepared'), 'oldest log'],
    [log(dates.at(-1), 'prepared,desc'), 'newest log'],
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
    ['Tracked, as the logs say', ({ system }) => systemName(system), { isHeader: true }],
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
      ${withReceiver === 1 ? 'has' : 'have'} a receiver in use, as far as the logs know. Each of
      them counts once, by the systems that its log names for the receiver; of several receivers,
      the best counts. Earlier years count the sites that had a receiver at their beginning.
    </p>`,
    html`<div class="beside">
      <div>${renderStacks(systems, knownUntil(prepared))} ${systemsTable(view)}</div>
      ${table(columns, systems.bySystem, { name: 'plain' })}
    </div>`,
  ]);
}

/** States how old the logs are, and what that means for all that is said of today. */
function ageWords({ prepared, recorded }: OverviewView): Content {
  const newest = prepared.findLast(({ date }) => date !== null)?.date;
  if (newest == null) return null;
  const most = mostPreparedBy(prepared)!;
  return html` The newest log is of
  ${newest}${most < newest && `; more than half are of ${most} or earlier`}. What changed after a
  log is not known: the equipment is assumed to be the same.
  ${
    recorded !== null &&
    html`The last log or correction was recorded on <time>${recorded.slice(0, 10)}</time>.`
  }`;
}

/** States that most logs are too old to know of changes in the years shown. */
function unknownChanges({ prepared, changes }: OverviewView, known: number | null): Content {
  const [first] = changes.map(({ year }) => year);
  if (known === null || first === undefined || known >= changes.at(-1)!.year) return null;
  const day = `${first}-01-01`;
  const before = countLogs(prepared.filter(({ date }) => date !== null && date < day));
  const verb = before === 1 ? 'was' : 'were';
  const all = counted(countLogs(prepared), 'log');
  const words =
    known < first
      ? `${numberWords(before)} of ${all} ${verb} prepared before ${first}`
      : `half of the logs were prepared by ${known}`;
  return html`<p class="hint">Hatched below: ${words}: later changes are not in them.</p>`;
}

/** The changes of a year by kind: unknown, not none, if no log is of that year or later. */
type KnownChanges = Omit<ChangesOfYear, 'counts'> & {
  counts: Record<(typeof CHANGE_KINDS)[number], number | null>;
};

/** The changes of the last years, as far as the logs know them. */
function knownChanges({ changes, prepared }: OverviewView): KnownChanges[] {
  const newest = prepared.findLast(({ date }) => date !== null)?.date ?? '';
  return changes.map(({ year, counts }) => {
    const none = newest < `${year}-01-01` ? null : 0;
    const known = CHANGE_KINDS.map((kind) => [kind, counts[kind] ?? none]);
    return { year, counts: Object.fromEntries(known) as KnownChanges['counts'] };
  });
}

/** The changes of the last years, by kind. */
function changesSection(view: OverviewView): Html {
  const known = knownUntil(view.prepared);
  const changes = knownChanges(view);
  const most = Math.max(
    ...changes.flatMap(({ counts }) => Object.values(counts).map((count) => count ?? 0)),
    1,
  );
  const pictures = CHANGE_KINDS.map(
    (kind) =>
      html`${capitalized(kind)}
      ${renderColumns(
        changes.map(({ year, counts }) => ({ year, count: counts[kind] })),
        most,
        known,
      )}`,
  );
  const columns: Column<KnownChanges>[] = [
    ['Year', ({ year }) => String(year), { isHeader: true }],
    ...CHANGE_KINDS.map((kind): Column<KnownChanges> => [
      capitalized(kind),
      ({ year, counts: { [kind]: count } }) => {
        const query = { from: `${year}-01-01`, to: `${year + 1}-01-01`, kind };
        return count === null ? 'unknown' : linked(count, href(ROOT, PATHS.changes, { query }));
      },
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
    ['As old or older', olderLogs, { name: 'number' }],
  ];
  return section('ages', 'Age of the site logs', table(columns, ages, { name: 'plain wide' }));
}

/** The findings by level, with the most frequent warnings. */
function findingsSection(view: OverviewView): Html {
  const { findings } = view;
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
    html`<p class="hint">
      About what the logs say of all times, not only today; not about observations.
    </p>`,
    html`<div class="beside">
      <div>
        ${findings.length === 0 ? html`<p>No findings.</p>` : list(words)} ${worstLists(view)}
      </div>
      ${warnings.length > 0 && table(columns, warnings, { name: 'plain wide' })}
    </div>`,
  ]);
}

/** The devices in conflict, and the Sites with the most warnings. */
function worstLists({ receivers, antennas, warned }: OverviewView): Content {
  const byWarnings = html`<a href="${sitesWith({ sort: 'warnings,desc' })}"
    >All sites by warnings</a
  >`;
  return [
    renderConflicts(receivers.conflicts, antennas.conflicts),
    warned.sites.length > 0 &&
      html`<p>
        The sites with the most warnings:
        ${joined(
          warned.sites.map(({ site, country, findings }) => {
            const url = href(ROOT, PATHS.findings, { query: { site, level: 'warning' } });
            const where = country === null ? 'country unknown' : (countryName(country) ?? country);
            return html`${siteLink(ROOT, site)} (${where}) ${linked(findings, url)}`;
          }),
          ', ',
        )}.
        ${tieWords(warned)} ${byWarnings}
      </p>`,
  ];
}

/** The longest name of an agency that is shown, in characters. */
const LONGEST_AGENCY = 100;

/** An agency, cut if it is long. */
const agencyWords = (agency: string): string =>
  agency.length > LONGEST_AGENCY ? `${agency.slice(0, LONGEST_AGENCY)}…` : agency;

/** How many Sites an agency has. Its name is a pattern for the list, which has no `*` to escape. */
function sitesOfAgency({ agency, sites }: AgencyCount): Content {
  const isName = agency !== null && agency.length <= LONGEST_AGENCY && !agency.includes('*');
  return isName ? linked(sites, sitesWith({ agency })) : numberWords(sites);
}

/** Whose network it is, and the agencies with the most Sites. */
function agenciesSection({ agencies }: OverviewView, owner: Content): Html {
  const named = agencies.filter(({ agency }) => agency !== null);
  const most = named.slice(0, MOST_AGENCIES);
  const sum = (some: AgencyCount[]): number => some.reduce((all, { sites }) => all + sites, 0);
  const others = named.length - most.length;
  const without = sum(agencies) - sum(named);
  const rest = [
    others > 0 && `Other agencies: ${counted(sum(named) - sum(most), 'site')}. `,
    without > 0 && `Sites whose log names none: ${numberWords(without)}.`,
  ];
  const columns: Column<AgencyCount>[] = [
    ['Agency', ({ agency }) => agencyWords(agency!), { isHeader: true }],
    ['Sites', sitesOfAgency, { name: 'number' }],
    ['', ({ sites }) => renderBar(sites, most[0]!.sites), { name: 'bar' }],
  ];
  return section('agencies', 'Who runs the sites', [
    html`<p>
      ${owner === null && 'The operator of this service has not named a network.'}
      ${owner !== null && ['Network: ', owner]}
    </p>`,
    most.length > 0 && table(columns, most, { name: 'plain wide' }),
    html`<p class="hint">${rest}</p>`,
  ]);
}

/** The latest changes. */
const latestSection = ({ latest, linkedId }: OverviewView): Html =>
  section('latest', 'Latest changes', [
    groupsTable(latest, { query: {}, linkedId }, MOST_LISTED),
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

/** Where to find what the overview does not show, and what the service does not have. */
function furtherLinks(): Html {
  const network = href(ROOT, PATHS.network);
  const others = { equipmentType: ['humidity sensor', 'clock'] };
  return html`<p>
    <a href="${sitesWith({})}#downloads">Download</a> sites and equipment: CSV, SINEX, station.info,
    STA, offsets. Over time: <a href="${network}#receivers">receiver types</a>,
    <a href="${network}#antennas">antenna types</a>, <a href="${network}#firmware">firmware</a>, and
    <a href="${network}#oldest">what has been in use the longest</a>.
    <a href="${href(ROOT, exportPathOf('installations', 'csv'), { query: others })}"
      >Humidity sensors and clocks</a
    >
    as CSV. Observations, whether a site works today, antenna calibrations and licences are not
    here: ask the agency that a site names.
  </p>`;
}

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
        its site logs describe it, on ${when(`${view.today}T00:00:00Z`)}.${ageWords(view)}
      </p>`,
      view.sites === 0
        ? html`<p>No site log has been imported yet.</p>`
        : [
            headFigures(view),
            furtherLinks(),
            html`<div class="panels">
              ${systemsSection(view)} ${changesSection(view)} ${agesSection(view)}
              ${agenciesSection(view, owner)} ${findingsSection(view)} ${latestSection(view)}
              ${mapSection(view)}
            </div>`,
          ],
    ],
  };
}
