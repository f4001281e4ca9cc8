import { SATELLITE_SYSTEMS } from '../../../schemas/index.js';
import {
  type AskedSites,
  hasOtherFilters,
  isFiltered,
  type SitesRequest,
} from '../../exports/pages/sites.js';
import { href, PATHS } from '../../links.js';
import { boxText } from '../map/area.js';
import { examples, hiddenFields, orderSelect, select, textField } from '../page/form.js';
import { type Html, html } from '../page/html.js';
import { field } from '../page/layout.js';
import { systemName } from '../page/words.js';
import { isUsual, ROOT, sortText } from './view.js';

/** The orders to choose from. The heads of the columns have them all. */
export const ORDERS: [sort: string, words: string][] = [
  ['', 'id'],
  ['name', 'name'],
  ['country', 'country'],
  ['prepared', 'oldest log first'],
  ['prepared,desc', 'newest log first'],
  ['warnings,desc', 'most warnings first'],
  ['changed,desc', 'latest change first'],
];

/** The choices of a satellite system, with the one that was asked for. */
function systemOptions(chosen: string): [string, string][] {
  const known = ['', ...SATELLITE_SYSTEMS];
  const systems = known.includes(chosen) ? known : [...known, chosen];
  return systems.map((system) => [system, system === '' ? 'any' : systemName(system)]);
}

/** A field for the first value of a filter; hidden ones keep the others. */
const filterField = (name: string, label: string, [first, ...others]: string[]): Html =>
  html`${textField(name, label, first)} ${hiddenFields([name, others])}`;

/** The fields of the filters besides words: they choose for the list and the map. */
function filterFields(asked: AskedSites): Html {
  const { countryCode = [], agency = [], type = [], radomeType = [], at, preparedBefore } = asked;
  const [system = '', ...otherSystems] = asked.satelliteSystem ?? [];
  return html`${textField('at', 'At', at)}
  ${select('satelliteSystem', 'Satellite system', [system], systemOptions(system))}
  ${hiddenFields(['satelliteSystem', otherSystems])} ${filterField('type', 'Antenna', type)}
  ${filterField('radomeType', 'Radome', radomeType)}
  ${filterField('countryCode', 'Country', countryCode)} ${filterField('agency', 'Agency', agency)}
  ${textField('preparedBefore', 'Log before', preparedBefore)}`;
}

/** The form that searches Sites. @param all the URL of all Sites */
export function searchForm(view: SitesRequest, all: string): Html {
  const { text, sites, sort } = view.search;
  const { box } = sites;
  const attributes = html`type="search" size="20" maxlength="200" aria-describedby="q-fields"`;
  return html`<form class="search" method="get" action="${href(ROOT, PATHS.sites)}" role="search">
    ${field('q', 'Search', text, attributes)}
    <details class="controls" ${hasOtherFilters(view) && html`open`}>
      <summary>Filters</summary>
      ${filterFields(view.asked)} ${orderSelect(isUsual(sort) ? '' : sortText(sort), ORDERS)}
      ${examples([
        'at 2016-11-13',
        'antenna LEIAR25*',
        'radome NONE',
        'country AUS',
        'agency Geoscience*',
        'log before 2020-01-01',
      ])}
    </details>
    ${box !== null && html`<input type="hidden" name="bbox" value="${boxText(box)}" />`}
    <button>Search</button>
    ${isFiltered(view) && html`<a href="${all}">All sites</a>`}
    <small id="q-fields"
      >Searches id, name, place, country and DOMES number, and type, manufacturer and serial number
      of the equipment. Sites that had such equipment in the past are listed separately.</small
    >
  </form>`;
}
