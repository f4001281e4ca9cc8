import { href, PATHS, type QueryValues } from '../links.js';
import { type Content, html, list } from './page/html.js';
import { type Page, renderPageLinks, siteLink } from './page/layout.js';
import { hasDownloads, renderSiteDownloads } from './sites/downloads.js';
import { searchForm } from './sites/form.js';
import { setupsAsJson, sitesAsJson } from './sites/json-links.js';
import { formerSection, sitesTable } from './sites/list.js';
import { mapOf } from './sites/map.js';
import { filtersOf, isUsual, ROOT, type SitesView, sortText } from './sites/view.js';
import { foundWords } from './sites/words.js';
import type { SiteName } from '../store/read/sites/sites.js';

/** Links to the Sites that may have been meant. */
const similar = (sites: SiteName[]): Content =>
  sites.length > 0 &&
  html`<p>Similar:</p>
    ${list(sites.map(({ shortestId, name }) => [siteLink(ROOT, shortestId), ' ', name]))}`;

/** The page of all Sites: search, map and table. */
export function renderSitesPage(view: SitesView): Page {
  const { search, found, former, nearest, map } = view;
  const filters = filtersOf(view);
  /** The URL of the page with another query. */
  const to = (query: QueryValues): string => {
    const sort = isUsual(search.sort) ? undefined : sortText(search.sort);
    const same = { ...filters, map: map ?? undefined, sort };
    return href(ROOT, PATHS.sites, { query: { ...same, ...query } });
  };
  const unfiltered = Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]));
  return {
    root: ROOT,
    title: 'Sites',
    section: 'sites',
    json: [sitesAsJson(view), setupsAsJson(view)],
    content: html`${searchForm(view, to(unfiltered))}
      <p role="status">${foundWords(view)}</p>
      ${hasDownloads(view) && renderSiteDownloads(view)}
      <div class="mapped">
        ${mapOf(view, to)}
        <div id="list">
          ${found.elements.length > 0 && sitesTable(view, to)}
          ${renderPageLinks('Pages of sites', search, found, (number) => to({ page: number }))}
        </div>
      </div>
      ${formerSection(view)}
      ${found.totalElements === 0 && former.totalElements === 0 && similar(nearest)}`,
  };
}
