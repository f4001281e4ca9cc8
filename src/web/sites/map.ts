import type { QueryValues } from '../../links.js';
import type { SitePlace } from '../../store/read/sites/list.js';
import { boxAroundPoints, widthOf } from '../map/area.js';
import {
  countCountries,
  countriesOf,
  countryWord,
  mostFrequent,
  renderCountries,
  renderMapLinks,
} from '../map/links.js';
import { renderMap } from '../map/world-map.js';
import { renderFold } from '../page/folding.js';
import { type Content, html } from '../page/html.js';
import { counted, numberWords } from '../page/words.js';
import { ROOT, type SitesView } from './view.js';

/**
 * The least height and width of a map that nobody asked to zoom, in degrees: there is some coast to
 * recognize.
 */
const LEAST_FIT = 12;
/** Sites that are closer to each other than this have a map only on request, in degrees. */
const LOCAL = 2;

/** How many countries are listed beside a map; all are listed below it. */
const MOST_BESIDE = 20;

/** Whether Sites are so far apart that a map says something about them. */
function areApart(points: SitePlace[]): boolean {
  const box = boxAroundPoints(points)!;
  return Math.max(widthOf(box), box.north - box.south) > LOCAL;
}

/** States what the map does not show. */
function notOnMap({ places, found }: SitesView): Content[] {
  const shown = places.elements.length;
  const unplaced = Math.max(found.totalElements - places.totalElements, 0);
  const isCut = shown < places.totalElements;
  const all = counted(places.totalElements, 'site');
  return [
    isCut && `The map shows the first ${numberWords(shown)} of ${all} with a position. `,
    unplaced > 0 && `${counted(unplaced, 'site')} without a position. `,
  ];
}

/** The map of the Sites, or a link to it. @param to the URL of this page with another query */
export function mapOf(view: SitesView, to: (query: QueryValues) => string): Content {
  const { map, places, search } = view;
  const countries = countriesOf(view.countries);
  const known = countCountries(countries);
  const points = places.elements;
  if (points.length === 0) return null;
  const { box } = search.sites;
  if (map === null && box === null && !areApart(points))
    return html`<p><a href="${to({ map: 'sites' })}" rel="nofollow">Show on a map</a></p>`;
  const around = map === 'world' ? null : (box ?? boxAroundPoints(points, LEAST_FIT));
  const [cut, unplaced] = notOnMap(view);
  return html`<figure>
    <a class="skip" href="#list">Skip the map</a>
    ${renderMap(points, around, to, ROOT, view.asked.at)}
    <figcaption>
      ${renderMapLinks(around, to)}
      <div class="most">${renderCountries(mostFrequent(countries, MOST_BESIDE), to)}</div>
      ${cut} ${unplaced}Map data: Natural Earth.
    </figcaption>
    ${
      countries.length > 1 &&
      html`<div class="every">
        ${renderFold(`${numberWords(known)} ${countryWord(known)}`, renderCountries(countries, to))}
      </div>`
    }
  </figure>`;
}
