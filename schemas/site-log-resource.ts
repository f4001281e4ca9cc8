import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { Link } from './hal.js';
import { LoggedIdentification, LoggedLocation, SiteLogSections } from './site-log.js';
import { RecordTime } from './setup.js';
import { SurveyedLocalTie } from './site-log-equipment.js';
import { NullableString, PeriodOfUse, Sha256 } from './values.js';

/** A site log as it is published: each value as it was read. It is made from the schema of a whole log. */

/** A log in which the plain value replaces each {@link Written}. */
export type Plain<T> =
  NonNullable<T> extends { written: string; value: infer V }
    ? V | null
    : T extends readonly (infer E)[]
      ? Plain<E>[]
      : T extends object
        ? { [Name in keyof T]: Plain<T[Name]> }
        : T;

const membersOf = ({ properties }: TSchema): TProperties => properties as TProperties;
const plainMembers = (members: TProperties): TProperties =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, plainSchema(member)]));

/** The schema of a {@link Plain} value. */
function plainSchema(schema: TSchema): TSchema {
  const { type, anyOf, description, additionalProperties } = schema;
  if (type === 'array') return Type.Array(plainSchema(schema.items as TSchema), { description } as object);
  if (type === 'object') return Type.Object(plainMembers(membersOf(schema)), { additionalProperties, description } as object);
  const [written] = (anyOf ?? []) as TSchema[];
  if (written?.type !== 'object') return schema;
  const { value } = membersOf(written) as { value: TSchema };
  const meaning = { description: description!.replace('Null: blank in the log.', 'Null: unknown.') };
  return value.anyOf === undefined ? Type.Union([value, Type.Null()], meaning) : { ...value, ...meaning };
}

/** Types a schema that is made at run time. */
const typed = <T>(schema: TSchema) => Type.Unsafe<T>(schema);
const closed = (description: string) => ({ additionalProperties: false, description });

/** What identifies a log, wherever it is shown. */
const identity = {
  id: Type.Integer({ minimum: 1, description: 'Identifies the site log.' }),
  name: Type.String({ description: 'The name of its file.' }),
  form: SiteLogSections.properties.form,
  datePrepared: NullableString({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
    description: 'Date Prepared (section 0), YYYY-MM-DD; if the log has none, the date in the name of the file. Null: unknown.',
  }),
  importedAt: RecordTime('When this service imported it, in UTC.'),
  sha256: Sha256,
  current: Type.Boolean({ description: 'Whether it is the current site log of its Site. Otherwise it is an older one.' }),
};

const links = {
  self: Link,
  siteLog: Link,
  corsSite: Link,
  siteLogs: Link,
  original: Type.Optional(Link),
  text1: Link,
  text2: Type.Optional(Link),
  geodesyml04: Link,
  geodesyml05: Link,
};
const SiteLogLinks = Type.Object(
  links,
  closed(
    'Links of the site log: to itself, its Site, all site logs of the Site, the file as it was imported if contacts are published, and the log in text form 1 and 2.0 and in GeodesyML 0.4 and 0.5. Version 2.0 needs a nine-character id; if neither the log nor its Site has one, there is no link text2.',
  ),
);
/** The links of a log. */
export type SiteLogLinks = Static<typeof SiteLogLinks>;

/** A site log in the list of the logs of a Site. */
export const SiteLogSummary = Type.Object(
  { ...identity, _links: SiteLogLinks },
  closed('A site log of a Site, without its content. The link "siteLog" leads to the content.'),
);
export type SiteLogSummary = Static<typeof SiteLogSummary>;

/** The site logs of a Site. */
export const SiteLogList = Type.Object(
  {
    _embedded: Type.Object(
      { siteLogs: Type.Array(SiteLogSummary, { description: 'The site logs, the newest first.' }) },
      closed('The results.'),
    ),
    _links: Type.Object({ self: Link, corsSite: Link }, closed('Links to this list and to the Site.')),
  },
  closed('All site logs of a Site that were not withdrawn.'),
);
export type SiteLogList = Static<typeof SiteLogList>;

const {
  form: _form,
  formInformation,
  siteIdentification: _section1,
  siteLocation: _section2,
  moreInformation,
  ...sections
} = SiteLogSections.properties;
const { fourCharacterId: _four, nineCharacterId: _nine, siteName, ...identification } = plainMembers(LoggedIdentification.properties);
const { city, state, country: _name, countryName, tectonicPlate, notes, ...position } = plainMembers(LoggedLocation.properties);
const { x, y, z, latitude, longitude, elevation } = position;

type Sections = Plain<SiteLogSections>;
type Coordinates = 'x' | 'y' | 'z' | 'latitude' | 'longitude' | 'elevation';
type Differential = 'dx' | 'dy' | 'dz';
type LoggedTie = Sections['surveyedLocalTies'][number];

/** A receiver or antenna, with its period of use. */
export type WithEffectiveDates<T> = T & { effectiveDates: PeriodOfUse };
/** A local tie, with its components in a group. */
export type PublishedTie = Omit<LoggedTie, Differential> & { differentialFromMarker: Pick<LoggedTie, Differential> };

/** The schema of a list of blocks, with members added after one, and others left out. */
function listWith<T>({ items, description }: TSchema, after: string, added: TProperties, leftOut: readonly string[] = []) {
  const { properties, ...block } = items as TObject;
  const members = Object.entries(properties).filter(([name]) => !leftOut.includes(name));
  const all = members.flatMap((member) => (member[0] === after ? [member, ...Object.entries(added)] : [member]));
  return typed<T[]>(Type.Array(Type.Object(Object.fromEntries(all), closed(block.description!)), { description: description! }));
}

const { gnssReceivers, gnssAntennas, surveyedLocalTies, ...otherSections } = plainMembers(sections);
const { dx, dy, dz } = plainMembers(SurveyedLocalTie.properties);
const effectiveDates = PeriodOfUse('the use, from Date Installed to Date Removed');
const differentialFromMarker = Type.Object(
  { dx: dx!, dy: dy!, dz: dz! },
  closed('The differential components from the GNSS marker to the tied marker, in metres (ITRS).'),
);

/** Section 1, with the ids of the Site. */
export type PublishedIdentification = Omit<Sections['siteIdentification'], 'fourCharacterId'> & { fourCharacterId: string };
/** Section 2, with the coordinates in two groups. */
export type PublishedLocation = Omit<Sections['siteLocation'], Coordinates> & {
  countryCode: string | null;
  approximatePosition: {
    cartesianPosition: Pick<Sections['siteLocation'], 'x' | 'y' | 'z'>;
    geodeticPosition: Pick<Sections['siteLocation'], 'latitude' | 'longitude' | 'elevation'>;
  };
};

/** A site log as sent to clients. */
export const SiteLogResource = Type.Object(
  {
    ...identity,
    contactsWithheld: Type.Boolean({
      description: 'Whether names of persons, telephone numbers or email addresses were replaced by "(withheld)" or null.',
    }),
    formInformation: typed<Sections['formInformation']>(plainSchema(formInformation)),
    siteIdentification: typed<PublishedIdentification>(
      Type.Object(
        {
          siteName: siteName!,
          fourCharacterId: Type.String({ pattern: '^[A-Z0-9_]{4}$', description: 'The four-character id of the Site.' }),
          nineCharacterId: NullableString({
            pattern: '^[A-Z0-9_]{4}[0-9]{2}[A-Z]{3}$',
            description: 'The nine-character id of the Site. Null: unknown.',
          }),
          ...identification,
        },
        closed(LoggedIdentification.description!),
      ),
    ),
    siteLocation: typed<PublishedLocation>(
      Type.Object(
        {
          city: city!,
          state: state!,
          country: NullableString({ description: 'Country, or Country or Region, as written: a name or a code. Null: unknown.' }),
          countryName: countryName!,
          countryCode: NullableString({
            pattern: '^[A-Z]{3}$',
            description:
              'ISO 3166-1 alpha-3 code of the country; if the log gives no known country, the country in the nine-character id. Null: unknown.',
          }),
          tectonicPlate: tectonicPlate!,
          approximatePosition: Type.Object(
            {
              cartesianPosition: Type.Object({ x: x!, y: y!, z: z! }, closed('The position in metres (ITRF).')),
              geodeticPosition: Type.Object(
                { latitude: latitude!, longitude: longitude!, elevation: elevation! },
                closed('The position in degrees, with the elevation in metres.'),
              ),
            },
            closed('The approximate position.'),
          ),
          notes: notes!,
        },
        closed(LoggedLocation.description!),
      ),
    ),
    gnssReceivers: listWith<WithEffectiveDates<Sections['gnssReceivers'][number]>>(gnssReceivers!, 'dateRemoved', { effectiveDates }),
    gnssAntennas: listWith<WithEffectiveDates<Sections['gnssAntennas'][number]>>(gnssAntennas!, 'dateRemoved', { effectiveDates }),
    surveyedLocalTies: listWith<PublishedTie>(surveyedLocalTies!, 'tiedMarkerDomesNumber', { differentialFromMarker }, ['dx', 'dy', 'dz']),
    ...(otherSections as {
      [Name in Exclude<keyof typeof sections, 'gnssReceivers' | 'gnssAntennas' | 'surveyedLocalTies'>]: ReturnType<
        typeof typed<Sections[Name]>
      >;
    }),
    moreInformation: Type.Array(typed<Sections['moreInformation']>(plainSchema(moreInformation)), {
      maxItems: 1,
      description: 'More Information (section 13). Empty if the log leaves it blank.',
    }),
    written: Type.Optional(SiteLogSections),
    _links: SiteLogLinks,
  },
  closed('A site log, section by section, each value as it was read. Section numbers are those of the IGS site log form.'),
);
export type SiteLogResource = Static<typeof SiteLogResource>;

/** When a site log was prepared and imported, as `projection=datePrepared` gives it. */
export const SiteLogDates = Type.Object(
  {
    fourCharacterId: Type.String({ pattern: '^[A-Z0-9_]{4}$', description: 'The four-character id of the Site.' }),
    datePrepared: identity.datePrepared,
    lastModifiedDate: identity.importedAt,
    _links: SiteLogLinks,
  },
  closed('When a site log was prepared and imported, without its content: projection=datePrepared.'),
);
export type SiteLogDates = Static<typeof SiteLogDates>;

/** A site log in any projection. */
export const AnySiteLog = Type.Union([SiteLogResource, SiteLogDates], {
  description: 'A site log; with projection=datePrepared, only when it was prepared and imported.',
});
