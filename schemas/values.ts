import { Type, type StringOptions, type NumberOptions } from '@sinclair/typebox';

/**
 * The value shapes that every resource shares. In all of them `null` means "unknown": the site log
 * leaves the value blank, or what it says cannot be read as such a value.
 */

/** A string, or null where the site log does not say. */
export const NullableString = ({ description, ...options }: StringOptions) =>
  Type.Union([Type.String(options), Type.Null()], { ...(description !== undefined && { description }) });

/** A number, or null where the site log does not say; an unknown number is never published as 0. */
export const NullableNumber = ({ description, ...options }: NumberOptions) =>
  Type.Union([Type.Number(options), Type.Null()], { ...(description !== undefined && { description }) });

/** A string that holds a decimal number (`0`, `-0.318`), or null where the site log does not say. */
export const NullableDecimal = (options: StringOptions) => NullableString({ pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$', ...options });

const INSTANT = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$';

/** An instant in UTC, `YYYY-MM-DDThh:mm:ssZ` (RFC 3339, whole seconds). */
export const Instant = (options: StringOptions) => Type.String({ pattern: INSTANT, ...options });
/** An instant as it is held and published: `YYYY-MM-DDThh:mm:ssZ`. Instants of this form sort as text. */
export type Instant = string;

/** An instant, or null where there is none: an open end. */
export const NullableInstant = (options: StringOptions) => NullableString({ pattern: INSTANT, ...options });

/** A half-open span of time, `[from, to)`, in UTC. */
export interface Period {
  from: Instant;
  to: Instant | null;
}
/** The schema of a {@link Period}; `subject` names what the period is of. */
export const Period = (subject: string) =>
  Type.Object(
    {
      from: Instant({ description: `First instant of ${subject}, in UTC.` }),
      to: NullableInstant({
        description: `The instant at which ${subject} ended, in UTC, itself no longer part of it; null while it lasts.`,
      }),
    },
    { additionalProperties: false, description: `Half-open period [from, to) of ${subject}.` },
  );
