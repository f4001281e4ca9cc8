import type { TSchema } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { CHANGE_KINDS } from './change.js';
import { FINDING_LEVELS } from './finding.js';
import { SETUP_EQUIPMENT_TYPES, type EquipmentType } from './equipment.js';
import { SiteIdParameter } from './setup.js';
import { divided, EITHER, unlisted } from './values.js';

/**
 * The filters that several resources have. Each has one definition, and means the same wherever it
 * appears.
 */

const NUMBER = '-?[0-9]{1,3}(\\.[0-9]{1,30})?([Ee][+-]?[0-9]{1,3})?';

const SITE_ID = SiteIdParameter.pattern!.replace(/^\^|\$$/g, '');

const PLACE = 'A place: latitude,longitude in degrees, or the id of the Site there (ALIC).';

/** A filter with one or more values, which may contain commas. */
const anyOf = <T extends TSchema>(value: T, description: string) =>
  Type.Optional(
    Type.Array(value, {
      minItems: 1,
      maxItems: 50,
      description: `${description} Repeated values are ORed.`,
    }),
  );

/** A filter with one or more values without commas. */
const anyOfPlain = <T extends TSchema>(value: T, description: string, most = 50) =>
  divided(
    Type.Optional(
      Type.Array(value, {
        minItems: 1,
        maxItems: most,
        description: `${description} ${EITHER}`,
      }),
    ),
  );

/** A filter by one or more values of a closed list. */
const anyOfList = <T extends string>(values: readonly T[], description: string) =>
  anyOfPlain(
    Type.Union(values.map((value) => Type.Literal(value))),
    `${description}: ${values.join(', ')}.`,
  );

const text = () => Type.String({ minLength: 1, maxLength: 500 });

/** The parameter with words to find. @param where what the words must appear in */
const wordsParameter = (where: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: `Words that must all appear in ${where}; case and accents are ignored.`,
    }),
  );

/** The filter by Sites. */
export const siteFilter = {
  site: anyOfPlain(
    Type.String({ pattern: SiteIdParameter.pattern! }),
    'Only these Sites: their four-character or nine-character ids, in either case.',
    1000,
  ),
};

/** The filter by the agency of Sites. */
export const agencyFilter = {
  agency: anyOf(
    text(),
    'Only Sites of an agency: * stands for any characters, runs of blanks count as one, and ' +
      'case is ignored.',
  ),
};

/** The filters by where Sites are. */
export const placeFilters = {
  countryCode: anyOfPlain(
    Type.String({ minLength: 1, maxLength: 100 }),
    'Only Sites in a country: its ISO 3166-1 alpha-3 code, in either case.',
  ),
  bbox: Type.Optional(
    Type.String({
      pattern: `^${NUMBER}(,${NUMBER}){3}$`,
      description:
        'Only Sites within a box: west,south,east,north in degrees (RFC 7946, section 5). ' +
        'If west is greater than east, the box crosses the date line.',
    }),
  ),
  near: Type.Optional(
    Type.String({
      pattern: `^(${NUMBER},${NUMBER}|${SITE_ID})$`,
      description: `${PLACE} Only together with radius.`,
    }),
  ),
  radius: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 20_100,
      description:
        'Only Sites within this distance of near, in kilometres, on a sphere with a ' +
        'radius of 6371 km.',
    }),
  ),
};

/**
 * The filters of lists of Sites: by words, by ids, and by where they are. A point also orders them.
 */
export const siteFilters = {
  q: wordsParameter(
    'the ids, name, DOMES number, place, current or former equipment of a Site; ' +
      'without sort, Sites found by former equipment come last',
  ),
  ...siteFilter,
  ...agencyFilter,
  ...placeFilters,
  near: Type.Optional(
    Type.String({
      pattern: placeFilters.near.pattern!,
      description:
        `${PLACE} ` + 'Sites are sorted by their distance from it, unless sort is given.',
    }),
  ),
};

/** The filter by type of equipment. */
export const typeFilter = {
  type: anyOf(
    text(),
    'The type of the equipment: * stands for any characters, runs of blanks count as ' +
      'one, and case is ignored. ' +
      'An antenna type without radome finds the model with any radome.',
  ),
};

/**
 * The filter by some kinds of equipment. With only one kind, it has no effect, so the contract does
 * not list it.
 */
export function equipmentTypeFilter<T extends EquipmentType>(types: readonly T[]) {
  const equipmentType = anyOfList(types, 'The kind of equipment');
  return { equipmentType: types.length === 1 ? unlisted(equipmentType) : equipmentType };
}

/** The filter by the radome of an antenna. */
export const radomeTypeFilter = {
  radomeType: anyOf(
    text(),
    'Only antennas with this radome (NONE: without one), as the log gives it or columns ' +
      '17 to 20 of the type. ' +
      'Case is ignored.',
  ),
};

/** The codes of satellite systems in site logs (section 3). */
export const SATELLITE_SYSTEMS = ['GPS', 'GLO', 'GAL', 'BDS', 'QZSS', 'IRNSS', 'SBAS'] as const;
export type SatelliteSystem = (typeof SATELLITE_SYSTEMS)[number];

/** The filter by the satellite systems of a receiver. */
export const satelliteSystemFilter = {
  satelliteSystem: anyOf(
    Type.String({ minLength: 1, maxLength: 100 }),
    `Only receivers that tracked a satellite system: ${SATELLITE_SYSTEMS.join(', ')}, in either ` +
      'case. GAL,BDS: both of them.',
  ),
};

/** The filters of devices of some kinds. */
export const deviceFilters = <T extends EquipmentType>(types: readonly T[]) => ({
  q: wordsParameter('the type, serial number or manufacturer of a device'),
  ...typeFilter,
  ...equipmentTypeFilter(types),
  serialNumber: anyOf(text(), 'Serial Number. Case, blanks and hyphens do not count.'),
  conflicts: Type.Optional(
    Type.Boolean({
      description:
        'true: only devices that the logs of several Sites list as in use at the same time; ' +
        'false: only the others.',
    }),
  ),
});

/** From when on the results were recorded. */
const RecordedSinceParameter = Type.String({
  minLength: 1,
  maxLength: 100,
  description:
    'Only what this service recorded at this instant or later: an RFC 3339 time, a date, ' +
    'or any other form of an instant.',
});

/** The filters by time of record. */
export const recordedSinceFilter = { recordedSince: Type.Optional(RecordedSinceParameter) };

/** Asks what was on record at an earlier time. */
export const asOfFilter = {
  asOf: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'What was on record at this instant; one after the last import means now: ' +
        'an RFC 3339 time, a date, or any other form of an instant.',
    }),
  ),
};

/** The filters for changes: the kinds of equipment and of change. */
export const changeFilters = {
  ...equipmentTypeFilter(SETUP_EQUIPMENT_TYPES),
  kind: anyOfList(CHANGE_KINDS, 'The kind of change'),
};

/** The filters for findings. */
export const findingFilters = {
  code: anyOfPlain(Type.String({ pattern: '^[a-z0-9-]{1,50}$' }), 'The code of the findings.'),
  level: anyOfList(FINDING_LEVELS, 'The level of the findings'),
};
