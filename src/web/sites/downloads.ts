import { renderDownloads, renderSoftwareDownloads } from '../downloads.js';
import { renderFold } from '../page/folding.js';
import { type Content, type Html, html } from '../page/html.js';
import { numberWords } from '../page/words.js';
import { isFiltered } from '../../exports/pages/sites.js';
import {
  allIdsOf,
  antennaFilters,
  exportedFilters,
  filtersOf,
  ROOT,
  type SitesView,
} from './view.js';

/** Whether Sites are asked for by nothing but their place. */
function isByPlace(view: SitesView): boolean {
  const { countryCode: _country, bbox: _box, ...others } = filtersOf(view);
  return Object.values(others).every((value) => value === undefined);
}

/** The links that download the Sites found, which include those with former equipment. */
function downloadLinks(view: SitesView): Content {
  const filters = exportedFilters(view);
  const antennas = antennaFilters(view);
  if (filters === null) {
    return [
      antennas && renderDownloads(ROOT, 'installations', antennas, 'the antennas of these sites'),
      html`<p>
        To download files of the sites, choose at most ${numberWords(view.search.size)} of them.
      </p>`,
    ];
  }
  const { at: _, ...ofAnyTime } = filters;
  const ids = allIdsOf(view);
  const isFormerToo = view.former.totalElements > 0 && filters.site === undefined;
  const some = isFormerToo
    ? 'these sites, and those with such equipment in the past'
    : 'these sites';
  const which = isFiltered(view) ? some : 'all sites';
  const ofSites = isByPlace(view) ? filters : ids && { site: ids };
  return [
    renderDownloads(ROOT, 'sites', filters, which),
    ofSites &&
      renderDownloads(
        ROOT,
        'installations',
        ofSites,
        `all equipment of ${isFiltered(view) ? 'these sites' : 'all sites'}`,
      ),
    renderSoftwareDownloads(ROOT, ofAnyTime, which, view.search.at ?? undefined),
  ];
}

/** Whether there is anything to download: Sites, or former ones that exports find. */
export const hasDownloads = (view: SitesView): boolean =>
  view.found.elements.length > 0 ||
  (view.former.elements.length > 0 && exportedFilters(view) !== null);

/** The downloads of the Sites found, folded: the list is what most people come for. */
export const renderSiteDownloads = (view: SitesView): Html =>
  html`<div class="downloads" id="downloads">
    ${renderFold(isFiltered(view) ? 'Download these sites' : 'Download', downloadLinks(view))}
  </div>`;
