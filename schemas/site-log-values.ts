import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { NullableInstant, NullableNumber, NullableString } from './values.js';

/** The values of a site log: what was read, beside the text that it was read from. */

const written = <T extends TSchema>(value: T, description: string) =>
  Type.Object(
    {
      written: Type.String({ description: 'The text as written in the site log, with lines joined by line feeds.' }),
      value,
      line: Type.Integer({ minimum: 1, description: 'The line of the site log on which the value starts, counted from 1.' }),
    },
    { additionalProperties: false, description },
  );

/** A period as a log gives it: either end may be unknown. */
export const LoggedPeriod = Type.Object(
  {
    from: NullableInstant({ description: 'The start in UTC; null if unknown.' }),
    to: NullableInstant({ description: 'The end in UTC; null if unknown or open.' }),
  },
  { additionalProperties: false, description: 'The start and the end.' },
);

/** A value of each kind. */
export const WRITTEN = {
  WrittenText: written(
    NullableString({ description: 'The text on one line; null for a word such as none or unknown.' }),
    'A text of a site log, as written and as read.',
  ),
  WrittenNumber: written(
    NullableNumber({ description: 'The number; null if the text is not clearly one.' }),
    'A number in a site log, as written and as read.',
  ),
  WrittenInstant: written(
    NullableInstant({ description: 'The instant in UTC; null if the text is not clearly a date.' }),
    'An instant in a site log, as written and as read.',
  ),
  WrittenDay: written(
    NullableString({
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      description: 'The day, YYYY-MM-DD; null if the text is not clearly a date.',
    }),
    'A day in a site log, as written and as read.',
  ),
  WrittenPeriod: written(LoggedPeriod, 'A period in a site log, as written and as read.'),
};

const orBlank = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description: `${description} Null: blank in the log.` });

/** A text. Its value is one line, and null for a word such as `none` or `unknown`. */
export const WrittenText = (description: string) => orBlank(WRITTEN.WrittenText, description);

/** A number. @param description with the unit */
export const WrittenNumber = (description: string) => orBlank(WRITTEN.WrittenNumber, description);

/** An instant in UTC. */
export const WrittenInstant = (description: string) => orBlank(WRITTEN.WrittenInstant, description);

/** A day. */
export const WrittenDay = (description: string) => orBlank(WRITTEN.WrittenDay, description);

/** A period whose ends may be unknown. */
export const WrittenPeriod = (description: string) => orBlank(WRITTEN.WrittenPeriod, description);

/** A value of a site log that is not blank. */
export type Written = NonNullable<
  Static<ReturnType<typeof WrittenText | typeof WrittenNumber | typeof WrittenInstant | typeof WrittenDay | typeof WrittenPeriod>>
>;
