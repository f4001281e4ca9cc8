import { Type, type StringOptions, type NumberOptions } from '@sinclair/typebox';

/**
 * The value types that all resources share. `null` always means "unknown": the site log leaves the
 * value blank, or the text cannot be read as a value of that type.
 */

/** A string, or null if the value is unknown. */
export const NullableString = ({ description, ...options }: StringOptions) =>
  Type.Union([Type.String(options), Type.Null()], { ...(description !== undefined && { description }) });

/** A number, or null if the value is unknown; an unknown number is never published as 0. */
export const NullableNumber = ({ description, ...options }: NumberOptions) =>
  Type.Union([Type.Number(options), Type.Null()], { ...(description !== undefined && { description }) });

/** A decimal number as a string (`0`, `-0.318`), or null if the value is unknown. */
export const NullableDecimal = (options: StringOptions) => NullableString({ pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$', ...options });

const INSTANT = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$';

/** An instant in UTC, `YYYY-MM-DDThh:mm:ssZ` (RFC 3339, whole seconds). */
export const Instant = (options: StringOptions) => Type.String({ pattern: INSTANT, ...options });
/** An instant as stored and published, `YYYY-MM-DDThh:mm:ssZ`. In this form instants sort as text. */
export type Instant = string;

/** An instant, or null for an open end. */
export const NullableInstant = (options: StringOptions) => NullableString({ pattern: INSTANT, ...options });

/** A half-open period, `[from, to)`, in UTC. */
export interface Period {
  from: Instant;
  to: Instant | null;
}
/** The schema of a {@link Period}. @param subject what the period belongs to, with its article */
export const Period = (subject: string) =>
  Type.Object(
    {
      from: Instant({ description: `Start of ${subject}, in UTC.` }),
      to: NullableInstant({
        description: `End of ${subject}, in UTC, exclusive; null if it has not ended.`,
      }),
    },
    { additionalProperties: false, description: `Half-open period [from, to) of ${subject}.` },
  );

/** A half-open period, `[from, to)`, in UTC, whose start may be unknown. */
export interface PeriodOfUse {
  from: Instant | null;
  to: Instant | null;
}
/** The schema of a {@link PeriodOfUse}. @param subject what the period belongs to, with its article */
export const PeriodOfUse = (subject: string) =>
  Type.Object(
    {
      from: NullableInstant({ description: `Start of ${subject}, in UTC; null if unknown.` }),
      to: NullableInstant({ description: `End of ${subject}, in UTC, exclusive; null if it has not ended, or its end is unknown.` }),
    },
    { additionalProperties: false, description: `Half-open period [from, to) of ${subject}.` },
  );

/** The SHA-256 of a file. With it, anybody could test guesses about the contacts in the file. */
export const Sha256 = NullableString({
  pattern: '^[0-9a-f]{64}$',
  description: 'The SHA-256 hash of the file as it was imported, in hexadecimal; null unless contacts are published.',
});

/** Where a search found its words. @param description what the values mean */
export const FoundBy = (description: string) =>
  Type.Optional(Type.Union([Type.Literal('current'), Type.Literal('former')], { description: `Only with q: ${description}` }));
