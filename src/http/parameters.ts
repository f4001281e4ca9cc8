import { type TProperties, Type } from '@sinclair/typebox';
import { EQUIPMENT_TYPES, type Instant, pageAndSize, type Period } from '../../schemas/index.js';
import { compilePattern, PATTERN_FORMS } from '../requests/date-pattern.js';
import { INSTANT_FORMS, parseInstant } from '../requests/instant.js';
import { invalidParameter } from './wire/problems.js';

/** The schema of a query, or of the parameters of a path: these and no others. */
export const only = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false });

/** The parameters of a path that ends in the number of a resource. */
export const IdParameters = only({ id: Type.Integer({ minimum: 1, description: 'The number that identifies the resource.' }) });

const instantParameter = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });

/** The instant at which something is asked for. */
export const AtParameter = instantParameter(`In UTC: ${INSTANT_FORMS}.`);

/** The instant whose record is asked for. */
export const AsOfParameter = instantParameter(
  `Answers from what was on record at this instant, that is, what this service said then. In UTC: ${INSTANT_FORMS}.`,
);

/** The parameters that choose changes. */
export const changeParameters = {
  from: Type.Optional(instantParameter(`The start of the period, inclusive: ${INSTANT_FORMS}.`)),
  to: Type.Optional(instantParameter(`The end of the period, exclusive: ${INSTANT_FORMS}.`)),
  equipmentType: Type.Optional(
    Type.Union(
      EQUIPMENT_TYPES.map((type) => Type.Literal(type)),
      { description: `The kind of equipment: ${EQUIPMENT_TYPES.join(', ')}.` },
    ),
  ),
  ...pageAndSize,
};

/** Reads an instant from its text; null: the text is not an instant. */
type ReadInstant = (text: string) => Instant | null;

/** The instant of a parameter. @throws {ProblemError} where the text is not an instant */
export function instantOf(name: string, text: string): Instant {
  const instant = parseInstant(text);
  if (instant === null) throw invalidParameter({ name, value: text, allowed: `In UTC: ${INSTANT_FORMS}.` });
  return instant;
}

/** `asOf` in the form of record times, with milliseconds; null where it is left out. @throws {ProblemError} where it is not an instant */
export function asOfOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const fraction = /:\d{2}\.(\d{1,3})/.exec(text)?.[1] ?? '';
  return instantOf('asOf', text).replace('Z', `.${fraction.padEnd(3, '0')}Z`);
}

/** The bounds of a period as a query gives them. */
interface Bounds {
  /** The names of the two parameters. */
  names: readonly [from: string, to: string];
  from: string | undefined;
  to: string | undefined;
  /** The date pattern of the bounds; left out: the default pattern, and every other form of an instant. */
  pattern?: string | undefined;
}

function readerOf(pattern: string | undefined): ReadInstant {
  if (pattern === undefined) return parseInstant;
  const read = compilePattern(pattern);
  if (read === null) throw invalidParameter({ name: 'timeFormat', value: pattern, allowed: `Allowed: ${PATTERN_FORMS}.` });
  return read;
}

/** A period whose bounds may be left out. @throws {ProblemError} where a bound is not an instant, or the end lies before the start */
export function periodOf({ names, from, to, pattern }: Bounds): { from: Period['from'] | null; to: Period['to'] } {
  const read = readerOf(pattern);
  const bound = (name: string, text: string | undefined): Instant | null => {
    if (text === undefined) return null;
    const instant = read(text);
    if (instant === null) {
      const allowed = pattern === undefined ? `In UTC: ${INSTANT_FORMS}.` : `A time in the pattern ${pattern}.`;
      throw invalidParameter({ name, value: text, allowed });
    }
    return instant;
  };
  const period = { from: bound(names[0], from), to: bound(names[1], to) };
  if (period.from !== null && period.to !== null && period.to < period.from) {
    throw invalidParameter({ name: names[1], value: to!, allowed: `Not before ${names[0]}, which is ${period.from}.` });
  }
  return period;
}
