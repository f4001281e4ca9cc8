import { Type, type Static } from '@sinclair/typebox';
import { EquipmentInUse } from './equipment.js';
import { Link } from './hal.js';
import { Period } from './values.js';

/** The name that every Setup carries. */
export const SETUP_NAME = 'GNSS CORS Setup';

const WHAT = 'What was in use at a Site between two changes of its equipment.';

/** What was in use at a Site between two changes of its equipment. */
export const Setup = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: 'Identifies the Setup; kept while the Setup stays the same.' }),
    siteId: Type.Integer({ minimum: 1, description: 'Identifies the Site the Setup is of.' }),
    name: Type.Literal(SETUP_NAME, { description: 'The same for every Setup.' }),
    effectivePeriod: Period('the Setup'),
    invalidated: Type.Boolean({ description: 'True once a newer site log no longer says so; the Setup is kept for the record.' }),
    equipmentInUse: Type.Array(EquipmentInUse, {
      description: 'Receivers, antennas, humidity sensors, clocks, in this order; within a kind as the site log lists them.',
    }),
    current: Type.Boolean({ description: 'True for the one Setup of the Site that is in effect and has no end.' }),
  },
  { additionalProperties: false, description: WHAT },
);
export type Setup = Static<typeof Setup>;

/** A Setup as it is sent: with its links. */
export const SetupResource = Type.Object(
  { ...Setup.properties, _links: Type.Object({ self: Link, setup: Link }, { additionalProperties: false }) },
  { additionalProperties: false, description: WHAT },
);
export type SetupResource = Static<typeof SetupResource>;

/** The id of a Site in a query: four characters, or the nine-character id; either case. */
export const SiteIdParameter = Type.String({
  pattern: '^[A-Za-z0-9]{4}([0-9]{2}[A-Za-z]{3})?$',
  description: 'The four-character id of a Site (ALIC), or its nine-character id (ALIC00AUS); upper or lower case.',
});

/** The query of `GET /setups/search/findCurrentByFourCharacterId`. */
export const FindCurrentQuery = Type.Object(
  {
    id: SiteIdParameter,
    type: Type.Optional(
      Type.Literal('CorsSetup', { description: 'CorsSetup, as clients of the reference service send; it changes nothing.' }),
    ),
  },
  { additionalProperties: false },
);
export type FindCurrentQuery = Static<typeof FindCurrentQuery>;
