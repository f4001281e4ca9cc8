import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { gapMembers } from './change.js';
import { EquipmentInUse } from './equipment.js';
import { Link } from './hal.js';
import {
  closed,
  divided,
  enumOf,
  Id,
  idsOfSite,
  NullableDay,
  NullableString,
  orNull,
  Period,
  RecordTime,
  Sha256,
  unlisted,
} from './values.js';

/** The name of every Setup. */
export const SETUP_NAME = 'GNSS CORS Setup';

const DESCRIPTION = 'The equipment in use at a Site between two consecutive equipment changes.';

const members = {
  id: Type.Integer({
    minimum: 1,
    description:
      'Identifies the Setup. ' +
      'The id stays the same as long as newer site logs describe the same Setup.',
  }),
  siteId: Id('the Site of the Setup'),
  name: Type.Literal(SETUP_NAME, { description: 'Always the same.' }),
  effectivePeriod: Period('the Setup'),
  invalidated: Type.Boolean({
    description:
      'True if a newer site log has superseded this Setup. Superseded Setups are not deleted.',
  }),
  equipmentInUse: Type.Array(EquipmentInUse, {
    description:
      'Receivers, antennas, humidity sensors and clocks, in this order; ' +
      'within a kind, in site log order.',
  }),
  current: Type.Boolean({
    description:
      'True for the current Setup of the Site: the one that has no end and has not been ' +
      'superseded.',
  }),
};

/** The equipment in use at a Site between two consecutive equipment changes, without links. */
export const Setup = closed(DESCRIPTION, members);
export type Setup = Static<typeof Setup>;

/** Where a Setup comes from, as added by `projection=provenance`. */
export const Provenance = closed(
  'The site log that a Setup comes from, and when the Setup was recorded.',
  {
    siteLog: closed('The site log in which the Setup first appeared.', {
      name: Type.String({ description: 'The file name.' }),
      sha256: Sha256,
      form: Type.String({
        description:
          'The format of the site log: IGS site log 1 or 2.0, GeodesyML 0.4, 0.5 or 0.6.',
      }),
      datePrepared: NullableDay(
        'Date Prepared (site log section 0), or the date in the file name.',
      ),
      importedAt: RecordTime('When the site log was imported, in UTC.'),
      withdrawnAt: orNull(
        RecordTime(''),
        'When an operator withdrew the site log as wrong, in UTC; null if it is valid.',
      ),
    }),
    recordedAt: RecordTime('When this service first recorded the Setup, in UTC.'),
    supersededAt: orNull(
      RecordTime(''),
      'When a newer site log superseded the Setup, in UTC; null if none has.',
    ),
  },
);
export type Provenance = Static<typeof Provenance>;

/** The Site of a Setup, as added by `projection=site`. */
export const SiteOfSetup = closed('The Site that a Setup belongs to.', {
  ...idsOfSite,
  name: NullableString('Site Name (site log section 1).'),
});
export type SiteOfSetup = Static<typeof SiteOfSetup>;

/**
 * A gap that a Setup is in: the item before it, and the one that ends it, as added by
 * `projection=gaps`.
 */
export const SetupGap = closed(
  'Half-open period [from, to) without the equipment, at most a day long: the item ' +
    'before it and the item after it.',
  { ...gapMembers, before: EquipmentInUse, after: EquipmentInUse },
);
export type SetupGap = Static<typeof SetupGap>;

/**
 * A Setup as sent to clients, with its links and, on request, its provenance, its Site or the gaps
 * that it is in.
 */
export const SetupResource = closed(DESCRIPTION, {
  ...members,
  provenance: Type.Optional(Provenance),
  site: Type.Optional(SiteOfSetup),
  gaps: Type.Optional(
    orNull(
      Type.Array(SetupGap),
      'The gaps of at most a day that the Setup is in, in the order of kinds. ' +
        'Lookups at an instant also have it without the projection, if there are gaps of ' +
        'receivers or antennas. ' +
        'null if it was superseded, or with an earlier `asOf`: the gaps are known for ' +
        'the present record only.',
    ),
  ),
  _links: closed('Links of the Setup; to its Site, if it has the member `site`.', {
    self: Link,
    setup: Link,
    corsSite: Type.Optional(Link),
  }),
});
export type SetupResource = Static<typeof SetupResource>;

const MissingSetup = closed('A requested id without a Setup.', {
  id: Type.String({ description: 'The id as requested.' }),
  reason: enumOf(
    [
      'unknown-site',
      'no-current-setup',
      'before-first-setup',
      'not-recorded',
      'ambiguous-site',
      'retired-site',
      'renamed-site',
    ],
    'The kind of the problem for this id alone.',
  ),
  problem: Type.Optional(
    Type.String({
      description:
        'The `type` of the problem document, if several Sites have the id, or a Site had it and ' +
        'no longer does.',
    }),
  ),
  candidates: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The ids of the Sites that have or had the id, if there are several.',
    }),
  ),
});

/** The Setups of several Sites, and the requested ids without one. */
export const SetupList = closed('The Setups of several Sites, and the requested ids without one.', {
  _embedded: closed('The results.', {
    setups: Type.Array(SetupResource, {
      description: 'One Setup for each Site that has one, in the order of the requested ids.',
    }),
  }),
  notFound: Type.Array(MissingSetup, {
    description: 'The requested ids without a Setup, with the reason.',
  }),
  _links: closed('Links of the response.', { self: Link }),
});

/** The id of a Site in a query: four or nine characters, in upper or lower case. */
export const SiteIdParameter = Type.String({
  pattern: '^[A-Za-z0-9_]{4}([0-9]{2}[A-Za-z]{3})?$',
  description:
    'The four-character id (ALIC) or nine-character id (ALIC00AUS) of a Site, in upper ' +
    'or lower case.',
});

const SITE_ID = new RegExp(SiteIdParameter.pattern!);

/** Whether a text has the form of a Site id, as defined by {@link SiteIdParameter}. */
export const isSiteId = (text: string): boolean => SITE_ID.test(text);

/** The ids of several Sites in a query. */
export const SiteIdsParameter = divided(
  Type.Array(Type.String({ pattern: SiteIdParameter.pattern! }), {
    minItems: 1,
    maxItems: 1000,
    description:
      'The four-character or nine-character ids of the Sites, in upper or lower case. ' +
      'Repeat the parameter for each Site, or put commas between them.',
  }),
);

/** `type`, as sent by clients of later versions of the reference service. */
export const SetupTypeParameter = unlisted(
  Type.Optional(
    Type.Literal('CorsSetup', {
      description: 'Only CorsSetup, as clients of the reference service send it. Has no effect.',
    }),
  ),
);
