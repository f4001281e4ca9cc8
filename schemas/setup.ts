import { Type, type Static } from '@sinclair/typebox';
import { EquipmentInUse } from './equipment.js';
import { Link } from './hal.js';
import { NullableString, Period } from './values.js';

/** The name that every Setup carries. */
export const SETUP_NAME = 'GNSS CORS Setup';

const DESCRIPTION = 'What was in use at a Site between two changes of its equipment.';

const members = {
  id: Type.Integer({ minimum: 1, description: 'Identifies the Setup; kept while the Setup stays the same.' }),
  siteId: Type.Integer({ minimum: 1, description: 'Identifies the Site the Setup is of.' }),
  name: Type.Literal(SETUP_NAME, { description: 'The same for every Setup.' }),
  effectivePeriod: Period('the Setup'),
  invalidated: Type.Boolean({ description: 'True once a newer site log no longer says so; the Setup is kept for the record.' }),
  equipmentInUse: Type.Array(EquipmentInUse, {
    description: 'Receivers, antennas, humidity sensors, clocks, in this order; within a kind as the site log lists them.',
  }),
  current: Type.Boolean({ description: 'True for the one Setup of the Site that is in effect and has no end.' }),
};

/** What was in use at a Site between two changes of its equipment, without links. */
export const Setup = Type.Object(members, { additionalProperties: false, description: DESCRIPTION });
export type Setup = Static<typeof Setup>;

const recordTime = (description: string) =>
  Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$', description });

/** Where a Setup comes from: what `projection=provenance` adds. */
export const Provenance = Type.Object(
  {
    siteLog: Type.Object(
      {
        name: Type.String({ description: 'The name of the file.' }),
        sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'The SHA-256 of the file, in hexadecimal.' }),
        form: Type.String({ description: 'The form of the log: IGS site log 1 or 2.0, GeodesyML 0.4, 0.5 or 0.6.' }),
        datePrepared: NullableString({
          pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
          description: 'Date Prepared (site log section 0), or the date in the name of the file.',
        }),
        importedAt: recordTime('When the log was imported, in UTC.'),
      },
      { additionalProperties: false, description: 'The site log that first said so.' },
    ),
    recordedAt: recordTime('When this service first said so, in UTC.'),
    supersededAt: Type.Union([recordTime(''), Type.Null()], {
      description: 'When this service ceased to say so because a newer log did, in UTC; null while it does.',
    }),
  },
  { additionalProperties: false, description: 'Where a Setup comes from, and since when it is on record.' },
);
export type Provenance = Static<typeof Provenance>;

/** A Setup as it is sent: with its provenance if that is asked for, and its links. */
export const SetupResource = Type.Object(
  {
    ...members,
    provenance: Type.Optional(Provenance),
    _links: Type.Object({ self: Link, setup: Link }, { additionalProperties: false, description: 'Links of the Setup.' }),
  },
  { additionalProperties: false, description: DESCRIPTION },
);
export type SetupResource = Static<typeof SetupResource>;

/** The id of a Site in a query: four characters, or the nine-character id; either case. */
export const SiteIdParameter = Type.String({
  pattern: '^[A-Za-z0-9]{4}([0-9]{2}[A-Za-z]{3})?$',
  description: 'The four-character id of a Site (ALIC), or its nine-character id (ALIC00AUS); upper or lower case.',
});

const SITE_ID = new RegExp(SiteIdParameter.pattern!);

/** Whether a text is the id of a Site, as {@link SiteIdParameter} has it. */
export const isSiteId = (text: string): boolean => SITE_ID.test(text);

/** The ids of several Sites in a query. */
export const SiteIdsParameter = Type.Array(Type.String({ pattern: SiteIdParameter.pattern! }), {
  minItems: 1,
  maxItems: 1000,
  description: 'The four-character or nine-character ids of the Sites, a parameter for each; upper or lower case.',
});

/** `type` as clients of later versions of the reference service send it. */
export const SetupTypeParameter = Type.Optional(
  Type.Literal('CorsSetup', { description: 'CorsSetup, as clients of the reference service send; it changes nothing.' }),
);
