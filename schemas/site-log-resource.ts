import type { Static, TObject, TProperties, TSchema, TUnsafe } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { Link } from './hal.js';
import { SiteLogSections } from './site-log.js';
import {
  closed,
  Id,
  NullableDay,
  NullableString,
  PeriodOfUse,
  RecordTime,
  Sha256,
} from './values.js';

/**
 * A site log as it is published: each value as it was read. It is made from the schema of a whole
 * log.
 */

/** A log in which the plain value replaces each {@link Written}. */
export type Plain<T> =
  NonNullable<T> extends { written: string; value: infer V }
    ? V | null
    : T extends readonly (infer E)[]
      ? Plain<E>[]
      : T extends object
        ? { [Name in keyof T]: Plain<T[Name]> }
        : T;

/** The schema of a {@link Plain} value. */
function plainSchema(schema: TSchema): TSchema {
  const { type, anyOf, description, additionalProperties } = schema;
  if (type === 'array')
    return Type.Array(plainSchema(schema.items as TSchema), { description } as object);
  if (type === 'object') {
    const members = Object.entries((schema as TObject).properties).map(([name, member]) => [
      name,
      plainSchema(member),
    ]);
    return Type.Object(
      Object.fromEntries(members) as TProperties,
      { additionalProperties, description } as object,
    );
  }
  const [written] = (anyOf ?? []) as TSchema[];
  if (written?.type !== 'object') return schema;
  const { value } = (written as TObject).properties as { value: TSchema };
  const meaning = {
    description: description!.replace('Null: blank in the log.', 'Null: unknown.'),
  };
  return value.anyOf === undefined
    ? Type.Union([value, Type.Null()], meaning)
    : { ...value, ...meaning };
}

/** What identifies a log, wherever it is shown. */
const identity = {
  id: Id('the site log'),
  name: Type.String({ description: 'The name of its file.' }),
  form: SiteLogSections.properties.form,
  datePrepared: NullableDay(
    'Date Prepared (section 0), YYYY-MM-DD; ' +
      'if the log has none, the date in the name of the file. Null: unknown.',
  ),
  importedAt: RecordTime('When this service imported it, in UTC.'),
  sha256: Sha256,
  current: Type.Boolean({
    description: 'Whether it is the current site log of its Site. Otherwise it is an older one.',
  }),
};

export const SiteLogLinks = closed(
  'Links of the site log: to itself, its Site, all site logs of the Site, the file as it ' +
    'was imported if contacts are published, and the log in text form 1 and 2.0 and in ' +
    'GeodesyML 0.4, 0.5 and 0.6. ' +
    'Version 2.0 needs a nine-character id; ' +
    'if neither the log nor its Site has one, there is no link text2. ' +
    'In the list of a Site, comparison leads to what changed since the previous log.',
  {
    self: Link,
    siteLog: Link,
    corsSite: Link,
    siteLogs: Link,
    original: Type.Optional(Link),
    comparison: Type.Optional(Link),
    text1: Link,
    text2: Type.Optional(Link),
    geodesyml04: Link,
    geodesyml05: Link,
    geodesyml06: Link,
  },
);
/** The links of a log. */
export type SiteLogLinks = Static<typeof SiteLogLinks>;

/** A site log in the list of the logs of a Site. */
export const SiteLogSummary = closed(
  'A site log of a Site, without its content. The link "siteLog" leads to the content.',
  {
    ...identity,
    _links: SiteLogLinks,
  },
);
export type SiteLogSummary = Static<typeof SiteLogSummary>;

/** The site logs of a Site. */
export const SiteLogList = closed('All site logs of a Site that were not withdrawn.', {
  _embedded: closed('The results.', {
    siteLogs: Type.Array(SiteLogSummary, { description: 'The site logs, the newest first.' }),
  }),
  _links: closed('Links to this list and to the Site.', { self: Link, corsSite: Link }),
});
export type SiteLogList = Static<typeof SiteLogList>;

type Sections = Plain<SiteLogSections>;
type Location = Sections['siteLocation'];
type Geodetic = 'latitude' | 'longitude' | 'elevation';
type LoggedTie = Sections['surveyedLocalTies'][number];
type Differential = 'dx' | 'dy' | 'dz';

/** A receiver or antenna, with its period of use. */
export type WithEffectiveDates<T> = T & { effectiveDates: PeriodOfUse };
/** A local tie, with its components in a group. */
export type PublishedTie = Omit<LoggedTie, Differential> & {
  differentialFromMarker: Pick<LoggedTie, Differential>;
};
/** Section 1, with the ids of the Site. */
export type PublishedIdentification = Omit<Sections['siteIdentification'], 'fourCharacterId'> & {
  fourCharacterId: string;
};
/** Section 2, with the coordinates in two groups. */
export type PublishedLocation = Omit<Location, 'x' | 'y' | 'z' | Geodetic | 'referenceFrame'> & {
  countryCode: string | null;
  approximatePosition: {
    referenceFrame: string | null;
    cartesianPosition: Pick<Location, 'x' | 'y' | 'z'>;
    geodeticPosition: Pick<Location, Geodetic>;
  };
};

/** The sections that are published in a shape other than the one in which they are read. */
interface Reshaped {
  siteIdentification: PublishedIdentification;
  siteLocation: PublishedLocation;
  gnssReceivers: WithEffectiveDates<Sections['gnssReceivers'][number]>[];
  gnssAntennas: WithEffectiveDates<Sections['gnssAntennas'][number]>[];
  surveyedLocalTies: PublishedTie[];
  moreInformation: Sections['moreInformation'][];
}
type PublishedSections = Omit<Sections, keyof Reshaped | 'form' | 'metadata'> & Reshaped;

/** The schemas of the sections, in the shape in which they are read. */
const {
  form: _form,
  metadata,
  ...sections
} = (plainSchema(SiteLogSections) as TObject).properties as Record<keyof Sections, TSchema>;
const identification = sections.siteIdentification as TObject;
const location = sections.siteLocation as TObject;
const {
  city,
  state,
  countryName,
  tectonicPlate,
  referenceFrame,
  x,
  y,
  z,
  latitude,
  longitude,
  elevation,
  notes,
} = location.properties as Record<keyof Location, TSchema>;

/** The schema of a list of blocks, with members added after one, and others left out. */
function listWith(
  { items, description }: TSchema,
  after: string,
  added: TProperties,
  leftOut: readonly string[] = [],
): TSchema {
  const { properties, description: ofBlock } = items as TObject;
  const members = Object.entries(properties).filter(([name]) => !leftOut.includes(name));
  const all = members.flatMap((member) =>
    member[0] === after ? [member, ...Object.entries(added)] : [member],
  );
  return Type.Array(closed(ofBlock!, Object.fromEntries(all)), { description: description! });
}

const effectiveDates = PeriodOfUse('the use, from Date Installed to Date Removed');
const { dx, dy, dz } = (sections.surveyedLocalTies.items as TObject).properties as Record<
  Differential,
  TSchema
>;
const differentialFromMarker = closed(
  'The differential components from the GNSS marker to the tied marker, in metres (ITRS).',
  {
    dx,
    dy,
    dz,
  },
);

/** The ids of the Site of a log. */
const ids = {
  fourCharacterId: Type.String({
    pattern: '^[A-Z0-9_]{4}$',
    description: 'The four-character id of the Site.',
  }),
  nineCharacterId: NullableString('The nine-character id of the Site. Null: unknown.', {
    pattern: '^[A-Z0-9_]{4}[0-9]{2}[A-Z]{3}$',
  }),
};

const reshaped: Record<keyof Reshaped, TSchema> = {
  siteIdentification: closed(identification.description!, { ...identification.properties, ...ids }),
  siteLocation: closed(location.description!, {
    city,
    state,
    country: NullableString(
      'Country, or Country or Region, as written: a name or a code. Null: unknown.',
    ),
    countryName,
    countryCode: NullableString(
      'ISO 3166-1 alpha-3 code of the country; ' +
        'if the log gives no known country, the country in the nine-character id. ' +
        'Null: unknown.',
      { pattern: '^[A-Z]{3}$' },
    ),
    tectonicPlate,
    approximatePosition: closed('The approximate position.', {
      referenceFrame,
      cartesianPosition: closed('The position in metres (ITRF).', { x, y, z }),
      geodeticPosition: closed('The position in degrees, with the elevation in metres.', {
        latitude,
        longitude,
        elevation,
      }),
    }),
    notes,
  }),
  gnssReceivers: listWith(sections.gnssReceivers, 'dateRemoved', { effectiveDates }),
  gnssAntennas: listWith(sections.gnssAntennas, 'dateRemoved', { effectiveDates }),
  surveyedLocalTies: listWith(
    sections.surveyedLocalTies,
    'tiedMarkerDomesNumber',
    { differentialFromMarker },
    ['dx', 'dy', 'dz'],
  ),
  moreInformation: Type.Array(sections.moreInformation, {
    maxItems: 1,
    description: 'More Information (section 13). Empty if the log leaves it blank.',
  }),
};

/** What is published of the content of a site log. The ids and the country may be of its Site. */
export const SiteLogContent = closed('The content of a site log, section by section.', {
  contactsWithheld: Type.Boolean({
    description:
      'Whether names of persons, telephone numbers or email addresses were replaced by ' +
      '"(withheld)" or null.',
  }),
  ...({ ...sections, ...reshaped } as {
    [Name in keyof PublishedSections]: TUnsafe<PublishedSections[Name]>;
  }),
  metadata: Type.Optional(metadata as TUnsafe<NonNullable<Sections['metadata']>>),
});
export type SiteLogContent = Static<typeof SiteLogContent>;

/** A site log as sent to clients. */
export const SiteLogResource = closed(
  'A site log, section by section, each value as it was read. ' +
    'Section numbers are those of the IGS site log form.',
  {
    ...identity,
    ...SiteLogContent.properties,
    written: Type.Optional(SiteLogSections),
    _links: SiteLogLinks,
  },
);
export type SiteLogResource = Static<typeof SiteLogResource>;

/** When a site log was prepared and imported, as `projection=datePrepared` gives it. */
export const SiteLogDates = closed(
  'When a site log was prepared and imported, without its content: projection=datePrepared.',
  {
    fourCharacterId: ids.fourCharacterId,
    datePrepared: identity.datePrepared,
    lastModifiedDate: identity.importedAt,
    _links: SiteLogLinks,
  },
);
export type SiteLogDates = Static<typeof SiteLogDates>;

/** A site log in any projection. */
export const AnySiteLog = Type.Union([SiteLogResource, SiteLogDates], {
  description: 'A site log; with projection=datePrepared, only when it was prepared and imported.',
});
