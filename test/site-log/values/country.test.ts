import t from 'tap';
import { countryCode, countryName, countryNamed } from '../../../src/site-log/values/country.js';

// prettier-ignore
const CODES: [text: string, code: string | null][] = [
  ['AUS', 'AUS'], ['aus', 'AUS'], [' AU ', 'AUS'], ['Australia', 'AUS'], ['The Netherlands', 'NLD'],
  ['U.S.A.', 'USA'], ['United States of America', 'USA'], ['Russian Federation', 'RUS'], ['Réunion', 'REU'],
  ['Reunion', 'REU'], ["Cote d'Ivoire", 'CIV'], ['Türkiye', 'TUR'], ['Republic of Korea', 'KOR'],
  ['P.R. China', 'CHN'], ['Viet Nam', 'VNM'], ['Falkland Islands (Malvinas)', 'FLK'],
  ['Saudi Arabia (Kingdom)', 'SAU'], ['Brunei', 'BRN'], ['Moldova', 'MDA'], ['Moldova (the Republic of)', 'MDA'],
  ['Federated States of Micronesia', 'FSM'], ['Swaziland', 'SWZ'], ['U.K.', 'GBR'], ['U. K.', 'GBR'],
  ['Holland', 'NLD'], ['Republic of South Africa', 'ZAF'], ['La Réunion', 'REU'], ['St. Helena', 'SHN'],
  ['Korea, Republic of', 'KOR'], ["Korea (Democratic People's Republic of)", 'PRK'],
  ['Iran (Islamic Republic of)', 'IRN'], ['Taiwan, Province of China', 'TWN'], ['Congo', null],
  ['Congo (Democratic Republic of the)', 'COD'], ['Congo, Democratic Republic of the', 'COD'],
  ['Republic of the Congo', 'COG'], ['Virgin Islands', null], ['Virgin Islands (British)', 'VGB'],
  ['US Virgin Islands', 'VIR'], ['Georgia, USA', null], ['Kosovo', null], ['XKK', null], ['Nowhere', null],
  ['TES', null], ['', null], ['(CCYY)', null], ['constructor', null],
];

t.test(
  'the code of a country is found by its codes and names, whatever the case, accents and punctuation',
  async (t) => {
    for (const [text, code] of CODES) t.equal(countryCode(text), code, text);
  },
);

t.test('a text that is too long for a name is none, however long', async (t) => {
  t.equal(countryCode(`${' '.repeat(97)}AUS`), 'AUS');
  t.equal(countryCode(`${' '.repeat(98)}AUS`), null);
  t.equal(countryCode('('.repeat(1_000_000)), null);
});

t.test('the name of a country is found by its alpha-3 code', async (t) => {
  t.equal(countryName('AUS'), 'Australia');
  t.equal(countryName('XKK'), null, 'not a code of ISO 3166-1');
  t.equal(countryName('ZZZ'), null);
});

t.test('a search for a country names it, or has its three-letter code', async (t) => {
  for (const text of ['Norway', ' NORWAY', 'nor']) t.equal(countryNamed(text), 'NOR', text);
  for (const text of ['no', ' no ', 'norw', 'norway oslo', ''])
    t.equal(countryNamed(text), null, text);
});
