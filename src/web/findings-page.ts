import { href, PATHS, type QueryValues } from '../links.js';
import type { CodeCount, FindingOfSite, SiteCount } from '../store/read/findings.js';
import type { Found, Paging } from '../store/page.js';
import { findingHref, findingPlace } from './finding-links.js';
import { html } from './page/html.js';
import { renderPage, renderPageLinks, section, siteLink } from './page/layout.js';
import { type Column, table } from './page/table.js';
import { capitalized, counted, numberWords } from './page/words.js';

/** The content of the page of findings. */
export interface FindingsView {
  /** The parameters, as they were sent. */
  query: QueryValues;
  /** The page that was read. */
  paging: Paging;
  found: Found<FindingOfSite>;
  /** Of all current logs. */
  codes: CodeCount[];
  /** The Sites with the most findings. */
  sites: SiteCount[];
  /**
   * Whether the page of a log shows the file as it was imported, so that findings lead to its
   * lines.
   */
  isFileShown: boolean;
}

const ROOT = '.';

/** The page of the findings in the current logs: by code, by Site, and one by one. */
export function renderFindingsPage({
  query,
  paging,
  found,
  codes,
  sites,
  isFileShown,
}: FindingsView): string {
  const { elements, totalElements } = found;
  const { page, size } = paging;
  const to = (more: QueryValues): string => href(ROOT, PATHS.findings, { query: more });
  const byCode: Column<CodeCount>[] = [
    ['Code', ({ code }) => html`<a href="${to({ code })}">${code}</a>`, { isHeader: true }],
    ['Level', ({ level }) => level],
    ['Findings', ({ findings }) => numberWords(findings)],
    ['Sites', ({ sites: of }) => numberWords(of)],
  ];
  const list: Column<FindingOfSite>[] = [
    [
      'Site',
      ({ fourCharacterId, nineCharacterId }) => siteLink(ROOT, fourCharacterId, nineCharacterId),
      { isHeader: true, name: 'id' },
    ],
    [
      'Place in the log',
      (finding) => {
        const site = finding.nineCharacterId ?? finding.fourCharacterId;
        return findingPlace(findingHref(ROOT, site, finding, isFileShown), finding);
      },
    ],
    [
      'Finding',
      ({ level, code, message, text, advice }) =>
        html`<strong>${capitalized(level)}</strong> ${code}:
          ${message}${text !== '' && html`: <q>${text}</q>`}. ${advice}`,
    ],
  ];
  return renderPage({
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
      section('codes', 'By code', table(byCode, codes, { name: 'codes' })),
      section(
        'sites',
        'Sites with the most findings',
        html`<p>
          ${sites.map(({ site, findings }) => html`<a href="${to({ site })}">${site}</a> (${numberWords(findings)}) `)}
        </p>`,
      ),
      section('list', 'List', [
        html`<p role="status">
          ${totalElements === 0 ? 'No findings.' : `${counted(totalElements, 'finding')}.`}
        </p>`,
        elements.length > 0 &&
          table(list, elements, { row: ({ level }) => html`class="${level}"` }),
        renderPageLinks('Pages of findings', paging, found, (number) =>
          to({ ...query, size, page: number }),
        ),
      ]),
    ],
  });
}
