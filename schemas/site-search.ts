import { Type } from '@sinclair/typebox';

const NUMBER = '-?[0-9]{1,3}(\\.[0-9]{1,30})?([Ee][+-]?[0-9]{1,3})?';

/** The parameter with words to find. @param where what the words must appear in */
const wordsParameter = (where: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: `Words that must all appear in ${where}; case and accents are ignored.` }),
  );

/** Where a search found its words. @param description what the values mean */
export const FoundBy = (description: string) =>
  Type.Optional(Type.Union([Type.Literal('current'), Type.Literal('former')], { description: `Only with q: ${description}` }));

/** The parameter that finds devices by words. */
export const deviceWordsParameters = { q: wordsParameter('the type, serial number or manufacturer of a device') };

/** The parameters that select Sites by where they are. */
export const placeParameters = {
  bbox: Type.Optional(
    Type.String({
      pattern: `^${NUMBER}(,${NUMBER}){3}$`,
      description:
        'Only Sites within a box: west,south,east,north in degrees (RFC 7946, section 5). If west is greater than east, the box crosses the date line.',
    }),
  ),
  near: Type.Optional(
    Type.String({
      pattern: `^${NUMBER},${NUMBER}$`,
      description: 'A point: latitude,longitude in degrees. Sites come in the order of their distance from it, unless sort is given.',
    }),
  ),
  radius: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 20_100,
      description: 'Only Sites within this distance of near, in kilometres, on a sphere with a radius of 6371 km.',
    }),
  ),
  countryCode: Type.Optional(
    Type.Array(Type.String({ pattern: '^[A-Za-z]{3}$' }), {
      maxItems: 50,
      description: 'Only Sites in a country: its ISO 3166-1 alpha-3 code, in either case. Repeated values are ORed.',
    }),
  ),
};

/** The parameters that select Sites by words and by where they are. */
export const siteParameters = {
  q: wordsParameter(
    'the ids, name, DOMES number, place, current or former equipment of a Site; without sort, Sites found by former equipment come last',
  ),
  ...placeParameters,
};
