import t from 'tap';
import { countryCode } from '../../src/site-log/country.js';

const CODES: Record<string, string | null> = {
  AUS: 'AUS',
  aus: 'AUS',
  ' AU ': 'AUS',
  Australia: 'AUS',
  AUSTRALIA: 'AUS',
  'The Netherlands': 'NLD',
  'U.S.A.': 'USA',
  'United States of America': 'USA',
  'Russian Federation': 'RUS',
  Réunion: 'REU',
  Reunion: 'REU',
  "Cote d'Ivoire": 'CIV',
  Türkiye: 'TUR',
  'Republic of Korea': 'KOR',
  'P.R. China': 'CHN',
  'Viet Nam': 'VNM',
  'Falkland Islands (Malvinas)': 'FLK',
  'Saudi Arabia (Kingdom)': 'SAU',
  Antarctica: 'ATA',
  Guadeloupe: 'GLP',
  Nowhere: null,
  TES: null,
  '': null,
  '(CCYY)': null,
  constructor: null,
};

t.test('the code of a country is found by its codes and names, whatever the case, accents and punctuation', async (t) => {
  for (const [text, code] of Object.entries(CODES)) t.equal(countryCode(text), code, text);
});

t.test('a text that is too long for a name is none, however long', async (t) => {
  t.equal(countryCode(`${' '.repeat(97)}AUS`), 'AUS');
  t.equal(countryCode(`${' '.repeat(98)}AUS`), null);
  t.equal(countryCode('('.repeat(1_000_000)), null);
});
