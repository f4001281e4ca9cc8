import { hasOtherFilters, isFiltered, type SitesRequest } from '../../exports/pages/sites.js';
import { countryName, countryNamed } from '../../site-log/values/country.js';
import type { Content } from '../page/html.js';
import { counted, numberWords, shortTime, systemName, whyNoSites } from '../page/words.js';
import type { SitesView } from './view.js';

/** Why no Site was found. */
function nothingFound(view: SitesView): Content {
  const { text, sites } = view.search;
  if (!isFiltered(view)) return whyNoSites(view.retired);
  const where = sites.box === null ? '' : ' in this area';
  if (hasOtherFilters(view)) return `No site${where} matches all of these filters.`;
  return text === '' ? 'There are no sites in this area.' : `No site${where} matches “${text}”.`;
}

/** The name of the country that the words of a search name; null if they name none. */
function countryNameIn(text: string): string | null {
  const code = countryNamed(text);
  return code === null ? null : countryName(code);
}

/** "Galileo or GLONASS". */
const anyOf = (values: string[]): string => values.join(' or ');

/** The systems of one receiver: "GPS and Galileo". */
const allSystems = (systems: readonly string[]): string => systems.map(systemName).join(' and ');

/** The name of a country; the text itself if it is no code. */
const countryOfCode = (code: string): string => countryName(code.toUpperCase()) ?? code;

/** The equipment that was asked for: "Galileo", "antenna LEIAR25*". */
function equipmentCriteria({ search: { systems }, asked: { type, radomeType } }: SitesRequest) {
  const criteria: string[] = [];
  if (systems !== null) criteria.push(anyOf(systems.map(allSystems)));
  if (type !== undefined) criteria.push(`antenna ${anyOf(type)}`);
  if (radomeType !== undefined) criteria.push(`radome ${anyOf(radomeType)}`);
  return criteria;
}

/** What the Sites found have in common: ", at 2016-11-13, Galileo"; empty without filters. */
function criteriaWords(view: SitesRequest): string {
  const { at } = view.search;
  const { countryCode, agency, preparedBefore } = view.asked;
  const criteria = at === null ? [] : [`at ${shortTime(at)}`];
  const equipment = equipmentCriteria(view);
  criteria.push(...equipment);
  if (equipment.length > 0 && at === null) criteria.push('at some time');
  if (countryCode !== undefined) criteria.push(anyOf(countryCode.map(countryOfCode)));
  if (agency !== undefined) criteria.push(`agency ${anyOf(agency)}`);
  if (preparedBefore !== undefined) criteria.push(`site log prepared before ${preparedBefore}`);
  return criteria.map((each) => `, ${each}`).join('');
}

/** How many Sites were found, by which filters, and which of them are shown. */
export function foundWords(view: SitesView): Content {
  const { elements, totalElements } = view.found;
  const { text, page, size } = view.search;
  if (totalElements === 0) return nothingFound(view);
  const first = page * size + 1;
  const last = page * size + elements.length;
  const country = countryNameIn(text);
  const isPart = elements.length > 0 && elements.length < totalElements;
  return [
    counted(totalElements, 'site'),
    criteriaWords(view),
    isPart && `, showing ${numberWords(first)} to ${numberWords(last)}`,
    '.',
    country !== null && ` Those in ${country} come first.`,
  ];
}
