import type {
  IntegerOptions,
  NumberOptions,
  StringOptions,
  TProperties,
  TSchema,
} from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';

/**
 * The value types that all resources share. `null` always means "unknown": the site log leaves the
 * value blank, or the text cannot be read as a value of that type.
 */

/** An object with these members and no others. */
export const closed = <P extends TProperties>(description: string, members: P) =>
  Type.Object(members, { additionalProperties: false, description });

/** A value, or null; the description says what null means. */
export const orNull = <T extends TSchema>(value: T, description: string) =>
  Type.Union([value, Type.Null()], { description });

/** One of several texts. */
export const enumOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { description },
  );

/** A string, or null if the value is unknown. */
export const NullableString = (description: string, options?: StringOptions) =>
  orNull(Type.String(options), description);

/** A number, or null if the value is unknown; an unknown number is never published as 0. */
export const NullableNumber = (description: string, options?: NumberOptions) =>
  orNull(Type.Number(options), description);

/** A whole number, or null if there is none. */
export const NullableInteger = (description: string, options?: IntegerOptions) =>
  orNull(Type.Integer(options), description);

/** A decimal number as a string (`0`, `-0.318`), or null if the value is unknown. */
export const NullableDecimal = (description: string) =>
  NullableString(description, { pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$' });

/** The pattern of a day, `YYYY-MM-DD`. */
export const DAY = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';

/** A day, `YYYY-MM-DD`, or null if it is unknown. */
export const NullableDay = (description: string) => NullableString(description, { pattern: DAY });

const INSTANT = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$';

/** An instant in UTC, `YYYY-MM-DDThh:mm:ssZ` (RFC 3339, whole seconds). */
export const Instant = (description: string) => Type.String({ pattern: INSTANT, description });
/**
 * An instant as stored and published, `YYYY-MM-DDThh:mm:ssZ`. In this form instants sort as text.
 */
export type Instant = string;

/** An instant, or null for an open end. */
export const NullableInstant = (description: string) =>
  NullableString(description, { pattern: INSTANT });

/** A time of record: `YYYY-MM-DDThh:mm:ss.sssZ`. */
export const RecordTime = (description: string) =>
  Type.String({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
    description,
  });

/** A half-open period, `[from, to)`, in UTC. */
export interface Period {
  from: Instant;
  to: Instant | null;
}
/** The schema of a {@link Period}. @param subject what the period belongs to, with its article */
export const Period = (subject: string) =>
  closed(`Half-open period [from, to) of ${subject}.`, {
    from: Instant(`Start of ${subject}, in UTC.`),
    to: NullableInstant(`End of ${subject}, in UTC, exclusive; null if it has not ended.`),
  });

/** A half-open period, `[from, to)`, in UTC, whose start may be unknown. */
export interface PeriodOfUse {
  from: Instant | null;
  to: Instant | null;
}
/**
 * The schema of a {@link PeriodOfUse}.
 * @param subject what the period belongs to, with its article
 */
export const PeriodOfUse = (subject: string) =>
  closed(`Half-open period [from, to) of ${subject}.`, {
    from: NullableInstant(`Start of ${subject}, in UTC; null if unknown.`),
    to: NullableInstant(
      `End of ${subject}, in UTC, exclusive; null if it has not ended, or its end is unknown.`,
    ),
  });

/** The number of a resource. @param what the resource, as in `the Site` */
export const Id = (what: string) =>
  Type.Integer({ minimum: 1, description: `Identifies ${what}.` });

/** The ids of a Site, for objects that are about it. */
export const idsOfSite = {
  fourCharacterId: Type.String({ description: 'The four-character id of the Site.' }),
  nineCharacterId: NullableString('The nine-character id of the Site.'),
};

/** The SHA-256 of a file. With it, anybody could test guesses about the contacts in the file. */
export const Sha256 = NullableString(
  'The SHA-256 hash of the file as it was imported, in hexadecimal; ' +
    'null unless contacts are published.',
  { pattern: '^[0-9a-f]{64}$' },
);

/** Where a search found its words. @param description what the values mean */
export const FoundBy = (description: string) =>
  Type.Optional(enumOf(['current', 'former'], `Only with q: ${description}`));

/** The key under which the schema of a list parameter has the function that divides a text. */
export const DIVIDE = Symbol('divide at commas');

/** A list parameter whose values may be divided at commas. */
export type DividedList = TSchema & { [DIVIDE]?: (text: string) => string[] };

/**
 * A list parameter whose values contain no comma: `a,b` means the same as the parameter twice. So a
 * list can be put into a link template.
 */
export const divided = <T extends TSchema>(
  list: T,
  divide = (text: string): string[] => text.split(','),
): T => Object.assign(list, { [DIVIDE]: divide });

/** What the descriptions of filters with such lists say. */
export const EITHER = 'Several values, repeated or with commas between them, are ORed.';

/**
 * Marks the schema of a parameter that is accepted for the sake of existing clients, but that the
 * published contract no longer lists.
 */
const UNLISTED = Symbol('unlisted');

/** A parameter that the published contract does not list. */
export const unlisted = <T extends TSchema>(schema: T): T =>
  Object.assign(schema, { [UNLISTED]: true });

/** The parameters that the published contract lists. */
export const listedParameters = (parameters: TProperties): TProperties =>
  Object.fromEntries(Object.entries(parameters).filter(([, schema]) => !(UNLISTED in schema)));
