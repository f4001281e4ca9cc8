import type { Static, TSchema } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import {
  closed,
  NullableDay,
  NullableInstant,
  NullableNumber,
  NullableString,
  orNull,
} from './values.js';

/** The values of a site log: what was read, beside the text that it was read from. */

const written = <T extends TSchema>(what: string, value: T) =>
  closed(`${what} a site log, as written and as read.`, {
    written: Type.String({
      description: 'The text as written, with lines joined by line feeds.',
    }),
    value,
    line: Type.Integer({
      minimum: 1,
      description: 'The line on which the value starts, from 1.',
    }),
  });

/** A period as a log gives it: either end may be unknown. */
export const LoggedPeriod = closed('The start and the end.', {
  from: NullableInstant('The start in UTC; null if unknown.'),
  to: NullableInstant('The end in UTC; null if unknown or open.'),
});

/** A value of each kind. */
export const WRITTEN = {
  WrittenText: written(
    'A text of',
    NullableString('The text on one line; null for a word such as none or unknown.'),
  ),
  WrittenNumber: written(
    'A number in',
    NullableNumber('The number; null if the text is not clearly one.'),
  ),
  WrittenInstant: written(
    'An instant in',
    NullableInstant('The instant in UTC; null if the text is not clearly a date.'),
  ),
  WrittenDay: written(
    'A day in',
    NullableDay('The day, YYYY-MM-DD; null if the text is not clearly a date.'),
  ),
  WrittenPeriod: written('A period in', LoggedPeriod),
};

const orBlank = <T extends TSchema>(schema: T, description: string) =>
  orNull(schema, `${description} Null: blank in the log.`);

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
export type Written = Static<(typeof WRITTEN)[keyof typeof WRITTEN]>;
