import { explanationOf, type FindingCode, nameOfCode } from '../findings/codes.js';
import { FINDING_LEVELS } from '../../schemas/index.js';
import { href, PATHS, type QueryValues } from '../links.js';
import type { CodeCount, FindingOfSite, WorstSites } from '../store/read/findings.js';
import type { Found, Paging } from '../store/page.js';
import { sectionsInWords, textsOf } from '../findings/findings.js';
import type { LinkedId } from '../requests/site-id.js';
import { compareTexts } from '../words.js';
import { renderConflicts } from './device-types-page.js';
import { renderDownloads } from './downloads.js';
import { findingLink, tieWords } from './finding-links.js';
import { examples, hiddenFields, orderSelect, select, textField } from './page/form.js';
import { type Content, type Html, html } from './page/html.js';
import { type Page, renderPageLinks, section, siteLink } from './page/layout.js';
import { type Column, table } from './page/table.js';
import { capitalized, counted, numberWords } from './page/words.js';

/** The content of the page of findings. */
export interface FindingsView {
  /** The parameters, as they were sent. */
  query: QueryValues & {
    site?: string[];
    countryCode?: string[];
    near?: string;
    radius?: number;
    code?: string[];
    level?: string[];
    recordedSince?: string;
    sort?: string[];
  };
  /** The page that was read. */
  paging: Paging;
  found: Found<FindingOfSite>;
  /** How links name the Sites of the findings. */
  linkedId: LinkedId;
  /** Of all findings that the other filters find. */
  codes: CodeCount[];
  /** The Sites with the most of the findings. */
  sites: WorstSites;
  /** How many devices are in conflict; null on a page of some Sites or findings. */
  conflicts: { receivers: number; antennas: number } | null;
  /** How many files were rejected; 0 on a page of some Sites or findings. */
  rejected: number;
  /**
   * Whether the page of a log shows the file as it was imported, so that findings lead to its
   * lines.
   */
  isFileShown: boolean;
}

const ROOT = '.';

/** The parameters that the form has fields for. It keeps the others. */
const FIELDS = ['site', 'countryCode', 'near', 'radius', 'code', 'level', 'recordedSince', 'sort'];

/** The orders to choose from. */
const ORDERS: [sort: string, words: string][] = [
  ['', 'site and line'],
  ['code', 'kind'],
  ['level,desc', 'level, warnings first'],
  ['recordedAt,desc', 'import, the latest first'],
];

const to = (query: QueryValues): string => href(ROOT, PATHS.findings, { query });

/** The kinds of findings to choose from, by their names. */
function codeOptions(codes: CodeCount[], chosen: string[]): [string, string][] {
  // The handler refused codes that are none.
  const known = new Set([...codes.map(({ code }) => code), ...(chosen as FindingCode[])]);
  const named = [...known].map((code): [string, string] => [code, nameOfCode(code)]);
  return [['', 'all'], ...named.sort(([, a], [, b]) => a.localeCompare(b, 'en'))];
}

/** The levels to choose from. */
const LEVEL_OPTIONS: [string, string][] = [
  ['', 'all'],
  ...FINDING_LEVELS.map((level): [string, string] => [level, level]),
];

/** The form with the filters and the order. @param codes the kinds to choose from */
function filterForm(query: FindingsView['query'], codes: CodeCount[]): Html {
  const { code = [], level = [] } = query;
  const [order = '', ...otherOrders] = query.sort ?? [];
  const [country, ...otherCountries] = query.countryCode ?? [];
  const kept = Object.entries(query).filter(([name]) => !FIELDS.includes(name));
  return html`<details class="controls" ${Object.keys(query).length > 0 && html`open`}>
    <summary>Filters</summary>
    <form class="search" method="get" action="${href(ROOT, PATHS.findings)}">
      ${textField('site', 'Sites', query.site?.join(' '))}
      ${textField('countryCode', 'Country', country)} ${textField('near', 'Near', query.near)}
      ${textField('radius', 'Within km', query.radius?.toString())}
      ${select('code', 'Kind', code, codeOptions(codes, code))}
      ${select('level', 'Level', level, LEVEL_OPTIONS)}
      ${textField('recordedSince', 'Imported since', query.recordedSince)}
      ${orderSelect(order, ORDERS)}
      ${otherCountries.flatMap((each) => hiddenFields(['countryCode', each]))}
      ${otherOrders.flatMap((each) => hiddenFields(['sort', each]))} ${kept.flatMap(hiddenFields)}
      <button>Show</button>
      ${examples([
        'sites ALIC WTZR',
        'country AUS',
        'near ALIC within 100 km',
        'imported since 2026-01-01',
      ])}
    </form>
  </details>`;
}

/** The findings of one kind, of each level that it has. */
interface KindOfFinding {
  code: FindingCode;
  levels: CodeCount[];
}

/** How many findings a kind has of a level; 0 for none. */
const countOf = ({ levels }: KindOfFinding, level: string): number =>
  levels.find((each) => each.level === level)?.findings ?? 0;

/** The levels from the worst on. */
const WORST_FIRST = FINDING_LEVELS.toReversed();

/** Orders kinds by the number of their worst findings, then by that of the others. */
function compareKinds(one: KindOfFinding, other: KindOfFinding): number {
  for (const level of WORST_FIRST) {
    const difference = countOf(other, level) - countOf(one, level);
    if (difference !== 0) return difference;
  }
  return compareTexts(one.code, other.code);
}

/** The kinds of findings, each with its levels, the worst first. */
const kindsOf = (codes: CodeCount[]): KindOfFinding[] =>
  [...Map.groupBy(codes, ({ code }) => code)]
    .map(([code, levels]) => ({ code, levels }))
    .sort(compareKinds);

/** The kinds of findings, with their numbers, in the network. */
function countsSection(query: FindingsView['query'], codes: CodeCount[]): Html {
  const numberOf = ({ code, levels }: KindOfFinding, level: string): Content => {
    const count = levels.find((each) => each.level === level);
    if (count === undefined) return null;
    const url = to({ ...query, code, level });
    return html`<a href="${url}">${numberWords(count.findings)}</a> at
      ${counted(count.sites, 'site')}`;
  };
  const columns: Column<KindOfFinding>[] = [
    [
      'Kind',
      ({ code }) =>
        html`<a href="${to({ ...query, code })}">${nameOfCode(code)}</a> <small>${code}</small>`,
      { isHeader: true },
    ],
    ...WORST_FIRST.map((level): Column<KindOfFinding> => [
      capitalized(level),
      (kind) => numberOf(kind, level),
      { name: 'level second labelled' },
    ]),
    ['Meaning', ({ code }) => explanationOf(code), { name: 'main' }],
  ];
  return section('codes', 'By kind', table(columns, kindsOf(codes), { name: 'rows' }));
}

/** What the kinds of findings on the page mean. */
function meaningsSection(elements: FindingOfSite[]): Html {
  const codes = [...new Set(elements.map(({ code }) => code))];
  const columns: Column<FindingCode>[] = [
    ['Kind', (code) => html`${nameOfCode(code)} <small>${code}</small>`, { isHeader: true }],
    ['Meaning', explanationOf],
  ];
  return section('codes', 'What they mean', table(columns, codes));
}

/** The columns of the list of findings. */
const listColumns = ({
  isFileShown,
  linkedId,
}: Pick<FindingsView, 'isFileShown' | 'linkedId'>): Column<FindingOfSite>[] => [
  [
    'Site',
    (finding) => siteLink(ROOT, finding.fourCharacterId, linkedId(finding)),
    { isHeader: true, name: 'id' },
  ],
  [
    'Place in the log',
    (finding) => {
      return findingLink(ROOT, {
        line: finding.line,
        lastLine: finding.lastLine,
        within: finding.section,
        sections: sectionsInWords([finding, ...finding.others].map(({ section }) => section)),
        others: finding.others.length,
        site: linkedId(finding),
        isFileShown,
      });
    },
  ],
  [
    'Finding',
    (finding) => {
      const { level, code, message, advice } = finding;
      const texts = textsOf(finding);
      return html`<strong>${capitalized(level)}: ${nameOfCode(code)}.</strong>
        ${capitalized(message)}${texts !== '' && html`: <q>${texts}</q>`}. ${advice}`;
    },
    { name: 'main' },
  ],
];

/** The link to the sheet of one Site. */
const sheetLink = (site: string): Content =>
  html`<p>
    <a href="${href(ROOT, PATHS.siteFindings, { site: site.toUpperCase() })}"
      >What to correct in the log of ${site.toUpperCase()}, as a sheet to print</a
    >
  </p>`;

/**
 * The page of the findings in the current logs: one by one, and, unless it is about one Site, by
 * kind and by Site.
 */
export function renderFindingsPage({
  query,
  paging,
  found,
  codes,
  sites,
  conflicts,
  rejected,
  ...links
}: FindingsView): Page {
  const { elements, totalElements } = found;
  const { page, size } = paging;
  const [site, ...otherSites] = query.site ?? [];
  const onlySite = otherSites.length === 0 ? site : undefined;
  const pageUrl = (number: number): string => to({ ...query, size, page: number });
  const { sort: _sort, ...filters } = query;
  return {
    root: ROOT,
    title: 'Findings',
    section: 'findings',
    json: [
      {
        title: 'These findings, for clients that do not ask for HTML',
        href: to({ ...query, size, page }),
      },
    ],
    content: [
      filterForm(query, codes),
      html`<p role="status">
        ${
          totalElements === 0
            ? 'No findings.'
            : `${counted(totalElements, 'finding')}, about all times that the logs describe, not only today.`
        }
      </p>`,
      onlySite !== undefined && sheetLink(onlySite),
      conflicts !== null && renderConflicts(conflicts.receivers, conflicts.antennas),
      rejected > 0 &&
        html`<p>
          ${counted(rejected, 'file')} could not be imported, and ${rejected === 1 ? 'has' : 'have'}
          no findings here. The operator sees why: <code>gnss-site-setups log rejected</code>.
        </p>`,
      onlySite === undefined &&
        codes.length > 0 && [
          countsSection(query, codes),
          section(
            'sites',
            'Sites with the most findings',
            html`<p>
              ${sites.sites.map(
                ({ site: id, findings }) =>
                  html`<a href="${to({ ...filters, site: id })}">${id}</a>
                    (${numberWords(findings)}) `,
              )}
              ${tieWords(sites)}
            </p>`,
          ),
        ],
      elements.length > 0 &&
        section('list', 'List', [
          table(listColumns(links), elements, {
            name: 'rows',
            row: ({ level }) => html`class="${level}"`,
          }),
          renderDownloads(ROOT, 'findings', filters, 'all these findings'),
        ]),
      renderPageLinks('Pages of findings', paging, found, pageUrl),
      onlySite !== undefined && elements.length > 0 && meaningsSection(elements),
    ],
  };
}
