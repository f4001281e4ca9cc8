import { createRequire } from 'node:module';
import type * as Countries from 'i18n-iso-countries';

/** Finds the ISO 3166-1 alpha-3 code of a country or region that a site log names. */

/** Names in site logs that the list of i18n-iso-countries lacks. */
const OTHER_NAMES: Record<string, string> = {
  'P.R. China': 'CHN',
  'PR China': 'CHN',
  Brasil: 'BRA',
  Burma: 'MMR',
  'Czech Rep': 'CZE',
  Deutschland: 'DEU',
  England: 'GBR',
  España: 'ESP',
  Italia: 'ITA',
  Korea: 'KOR',
  Macedonia: 'MKD',
  México: 'MEX',
  'Northern Ireland': 'GBR',
  Scotland: 'GBR',
  'Svalbard, Norway': 'SJM',
  Svalbard: 'SJM',
  'Viet Nam': 'VNM',
  Wales: 'GBR',
};

/** The longest name that is looked up, in characters. */
const LONGEST = 100;

/** Removes differences of case, accents, punctuation and articles. */
const fold = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');

/** What identifies a country: its codes, in upper case, and its folded names. */
interface Index {
  codes: Map<string, string>;
  names: Map<string, string>;
}

/** Loaded when first needed. */
let index: Index | null = null;
function countries(): Index {
  if (index !== null) return index;
  // The main file of the package would load the names in 80 languages.
  const require = createRequire(import.meta.url);
  const list = require('i18n-iso-countries/index.js') as typeof Countries;
  list.registerLocale(require('i18n-iso-countries/langs/en.json') as Countries.LocaleData);
  const pairs = Object.entries(list.getAlpha3Codes());
  const nameOf = list.getNames('en', { select: 'all' });
  index = {
    codes: new Map(pairs.flatMap(([three, two]) => [three, two].map((code): [string, string] => [code, three]))),
    names: new Map([
      ...pairs.flatMap(([three, two]) => (nameOf[two] ?? []).map((name): [string, string] => [fold(name), three])),
      ...Object.entries(OTHER_NAMES).map(([name, three]): [string, string] => [fold(name), three]),
    ]),
  };
  return index;
}

/** The alpha-3 code of a country; null if the text is neither a code nor a known name. @param text as written: `AUS`, `Australia` */
export function countryCode(text: string): string | null {
  if (text.length > LONGEST) return null;
  const { codes, names } = countries();
  const code = codes.get(text.trim().toUpperCase());
  // "Iran (Islamic Republic of)" is also found without what is in parentheses.
  return code ?? names.get(fold(text)) ?? names.get(fold(text.split('(', 1)[0]!)) ?? null;
}
