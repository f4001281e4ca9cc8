import { href, PATHS, type QueryValues } from '../links.js';
import type { CodeCount, FindingOfSite, SiteCount } from '../store/read/findings.js';
import type { Found } from '../store/page.js';
import { findingHref, findingPlace } from './finding-links.js';
import { type Html, html, tableHead } from './html.js';
import { renderPage, renderPageLinks } from './layout.js';
import { capitalized, counted, numberWords } from './words.js';

/** The content of the page of findings. */
export interface FindingsView {
  /** The parameters, as they were sent. */
  query: QueryValues;
  page: number;
  size: number;
  found: Found<FindingOfSite>;
  /** Of all current logs. */
  codes: CodeCount[];
  /** The Sites with the most findings. */
  sites: SiteCount[];
  /** Whether the page of a log shows the file as it was imported, so that findings lead to its lines. */
  isFileShown: boolean;
}

const ROOT = '.';

/** The page of the findings in the current logs: by code, by Site, and one by one. */
export function renderFindingsPage({ query, page, size, found, codes, sites, isFileShown }: FindingsView): string {
  const { elements, totalElements } = found;
  const to = (more: QueryValues): string => href(ROOT, PATHS.findings, { query: more });
  return renderPage({
    root: ROOT,
    title: 'Findings',
    section: 'findings',
    json: [{ title: 'These findings, for clients that do not ask for HTML', href: to({ ...query, size, page }) }],
    content: html`<section aria-labelledby="codes-heading">
        <h2 id="codes-heading">By code</h2>
        <table>
          ${tableHead('Code', 'Level', 'Findings', 'Sites')}
          <tbody>
            ${codes.map(
              ({ code, level, findings, sites: of }) =>
                html`<tr>
                  <th scope="row"><a href="${to({ code })}">${code}</a></th>
                  <td>${level}</td>
                  <td>${numberWords(findings)}</td>
                  <td>${numberWords(of)}</td>
                </tr> `,
            )}
          </tbody>
        </table>
      </section>
      <section aria-labelledby="sites-heading">
        <h2 id="sites-heading">Sites with the most findings</h2>
        <p>${sites.map(({ site, findings }) => html`<a href="${to({ site })}">${site}</a> (${numberWords(findings)}) `)}</p>
      </section>
      <section aria-labelledby="list-heading">
        <h2 id="list-heading">List</h2>
        <p role="status">${totalElements === 0 ? 'No findings.' : `${counted(totalElements, 'finding')}.`}</p>
        ${
          elements.length > 0 &&
          html`<table class="stack">
            ${tableHead('Site', 'Place in the log', 'Finding')}
            <tbody>
              ${elements.map((finding) => findingRow(finding, isFileShown))}
            </tbody>
          </table>`
        }
        ${renderPageLinks('Pages of findings', page, totalElements, size, (number) => to({ ...query, size, page: number }))}
      </section>`,
  });
}

/** A finding as a row of a table. It leads to its line, or to its section in the published text. */
function findingRow(finding: FindingOfSite, isFileShown: boolean): Html {
  const { fourCharacterId, nineCharacterId, code, level, message, text, advice } = finding;
  const site = nineCharacterId ?? fourCharacterId;
  return html`<tr class="${level}">
    <th scope="row" class="id" data-label="Site"><a href="${href(ROOT, PATHS.site, { site })}">${fourCharacterId}</a></th>
    <td data-label="Place in the log">${findingPlace(findingHref(ROOT, site, finding, isFileShown), finding)}</td>
    <td data-label="Finding">
      <strong>${capitalized(level)}</strong> ${code}: ${message}${text !== '' && html`: <q>${text}</q>`}. ${advice}
    </td>
  </tr> `;
}
