import { createRequire } from 'node:module';
import type * as Countries from 'i18n-iso-countries';

/** Finds the ISO 3166-1 alpha-3 code of a country or region that a site log names. */

/** Names in site logs that the list of i18n-iso-countries lacks. */
const OTHER_NAMES: Record<string, string> = {
  'I.R. Iran': 'IRN',
  'PR China': 'CHN',
  'Republic of Indonesia': 'IDN',
  Ruanda: 'RWA',
  Tahiti: 'PYF',
  Brasil: 'BRA',
  Brunei: 'BRN',
  Burma: 'MMR',
  'Cabo Verde': 'CPV',
  'Congo-Brazzaville': 'COG',
  'Congo-Kinshasa': 'COD',
  'Czech Rep': 'CZE',
  "Democratic People's Republic of Korea": 'PRK',
  Deutschland: 'DEU',
  'DR Congo': 'COD',
  'East Timor': 'TLS',
  England: 'GBR',
  España: 'ESP',
  Holland: 'NLD',
  Italia: 'ITA',
  Korea: 'KOR',
  'La Réunion': 'REU',
  Laos: 'LAO',
  Macau: 'MAC',
  Macedonia: 'MKD',
  'Northern Ireland': 'GBR',
  'Republic of South Africa': 'ZAF',
  'Saint Helena, Ascension and Tristan da Cunha': 'SHN',
  Scotland: 'GBR',
  'Svalbard, Norway': 'SJM',
  Svalbard: 'SJM',
  Swaziland: 'SWZ',
  Syria: 'SYR',
  'United States Virgin Islands': 'VIR',
  Vatican: 'VAT',
  'Viet Nam': 'VNM',
  Wales: 'GBR',
};

/** The parts of a country that have codes of their own in ISO 3166-1. */
const PARTS: Record<string, readonly string[]> = {
  AUS: ['CCK', 'CXR', 'HMD', 'NFK'],
  CHN: ['HKG', 'MAC'],
  DNK: ['FRO', 'GRL'],
  FIN: ['ALA'],
  FRA: 'ATF BLM GLP GUF MAF MTQ MYT NCL PYF REU SPM WLF'.split(' '),
  GBR: 'AIA BMU CYM FLK GGY GIB IMN IOT JEY MSR PCN SGS SHN TCA VGB'.split(' '),
  NLD: ['ABW', 'BES', 'CUW', 'SXM'],
  NOR: ['BVT', 'SJM'],
  NZL: ['COK', 'NIU', 'TKL'],
  USA: ['ASM', 'GUM', 'MNP', 'PRI', 'UMI', 'VIR'],
};

/** Whether a country is another, or a part of it. Both are alpha-3 codes. */
export const isIn = (country: string, other: string): boolean =>
  country === other || PARTS[other]?.includes(country) === true;

/** The longest name that is looked up, in characters. */
const LONGEST = 100;

/** Codes in the list of i18n-iso-countries that ISO 3166-1 does not assign: Kosovo. */
const NOT_ASSIGNED = new Set(['XKK']);

/**
 * Removes differences of case, accents, punctuation, articles, and of abbreviations such as "U. K."
 * and "St."
 */
const fold = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(?<=\b\p{L})\.\s*(?=\p{L}\b)/gu, '')
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '')
    .replace(/^st /, 'saint ');

/**
 * "Republic of Moldova" for "Moldova, Republic of" and "Moldova (Republic of)"; null for other
 * names.
 */
function inOrder(name: string): string | null {
  const [, last, first] = /^([^,(]*)[,(]([^,()]*)\)?$/.exec(name.trim()) ?? [];
  return first === undefined ? null : `${first} ${last!}`;
}

/** The folded name, the reordered name, and the name up to a separator, most exact first. */
const formsOf = (name: string, end: RegExp): string[] =>
  [name, inOrder(name), name.split(end, 1)[0]!].flatMap((form) =>
    form === null ? [] : fold(form),
  );

/**
 * What identifies a country: its codes, in upper case, and its folded names; null for a name that
 * two countries share.
 */
interface Index {
  codes: Map<string, string>;
  names: Map<string, string | null>;
  nameOf: (code: string) => string | null;
  numericOf: (code: string) => string | null;
}

/** Loaded when first needed. */
let index: Index | null = null;
function countries(): Index {
  if (index !== null) return index;
  // The main file of the package would load the names in 80 languages.
  const require = createRequire(import.meta.url);
  const list = require('i18n-iso-countries/index.js') as typeof Countries;
  list.registerLocale(require('i18n-iso-countries/langs/en.json') as Countries.LocaleData);
  const pairs = Object.entries(list.getAlpha3Codes()).filter(([three]) => !NOT_ASSIGNED.has(three));
  const nameOf = list.getNames('en', { select: 'all' });
  const names = new Map<string, string | null>();
  for (const [three, two] of pairs)
    for (const name of (nameOf[two] ?? []).flatMap((each) => formsOf(each, /[,(]/)))
      // Some names belong to two countries: Congo, Virgin Islands.
      names.set(name, names.has(name) && names.get(name) !== three ? null : three);
  for (const [name, three] of Object.entries(OTHER_NAMES)) names.set(fold(name), three);
  const codes = new Map(
    pairs.flatMap(([three, two]) => [three, two].map((code): [string, string] => [code, three])),
  );
  const nameOfCode = (code: string): string | null =>
    codes.has(code) ? (list.getName(code, 'en') ?? null) : null;
  index = {
    codes,
    names,
    nameOf: nameOfCode,
    numericOf: (code) => list.alpha3ToNumeric(code) ?? null,
  };
  return index;
}

/**
 * The alpha-3 code of a country; null if the text is neither a code nor a known name.
 * @param text as written: `AUS`, `Australia`
 */
export function countryCode(text: string): string | null {
  if (text.length > LONGEST) return null;
  const { codes, names } = countries();
  const code = codes.get(text.trim().toUpperCase());
  if (code !== undefined) return code;
  // "Iran (Islamic Republic of)" is also found without what is in parentheses.
  return formsOf(text, /\(/).reduce<string | null>(
    (found, form) => found ?? names.get(form) ?? null,
    null,
  );
}

/**
 * The alpha-3 code of the country that a whole text names, by its English name or this code; null
 * if it names none. A code of two letters is more often a word.
 */
export const countryNamed = (text: string): string | null =>
  text.trim().length < 3 ? null : countryCode(text);

/**
 * The numeric code of a country, as three digits; null if the code is none of ISO 3166-1.
 * @param code alpha-3, in upper case
 */
export const numericCode = (code: string): string | null => countries().numericOf(code);

/** The alpha-3 codes of all countries, in alphabetical order. */
export const countryCodes = (): string[] => [...new Set(countries().codes.values())].sort();

/**
 * The English name of a country; null if the code is none of ISO 3166-1.
 * @param code alpha-3, in upper case
 */
export const countryName = (code: string): string | null => countries().nameOf(code);
