import { Type } from '@sinclair/typebox';
import { EQUIPMENT_TYPES, type Instant, pageAndSize } from '../../schemas/index.js';
import { compilePattern, PATTERN_FORMS } from '../requests/date-pattern.js';
import { INSTANT_FORMS, parseInstant } from '../requests/instant.js';
import { ProblemError } from './problems.js';

/** The instant at which something is asked for. */
export const AtParameter = Type.String({ minLength: 1, maxLength: 100, description: `In UTC: ${INSTANT_FORMS}.` });

/** The instant whose record is asked for. */
export const AsOfParameter = Type.String({
  minLength: 1,
  maxLength: 100,
  description: `What this service said on an earlier day: answers from what was on record at this instant, in UTC: ${INSTANT_FORMS}.`,
});

/** The parameters that choose changes. */
export const changeParameters = {
  from: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: `The beginning of the period, itself included: ${INSTANT_FORMS}.` }),
  ),
  to: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: `The end of the period, itself left out: ${INSTANT_FORMS}.` }),
  ),
  equipmentType: Type.Optional(
    Type.Union(
      EQUIPMENT_TYPES.map((type) => Type.Literal(type)),
      { description: `The kind of equipment: ${EQUIPMENT_TYPES.join(', ')}.` },
    ),
  ),
  ...pageAndSize,
};

type Query = Record<string, unknown>;

const refused = (name: string, value: string, allowed: string): ProblemError =>
  new ProblemError('invalid-parameter', `Refused: "${name}".`, { invalidParameters: [{ name, value, allowed }] });

/** The instant of a required parameter. @throws {ProblemError} where it is none */
export function instantOf(query: Query, name: string): Instant {
  const text = query[name] as string;
  const instant = parseInstant(text);
  if (instant === null) throw refused(name, text, `In UTC: ${INSTANT_FORMS}.`);
  return instant;
}

/** `asOf` as record times are held, with milliseconds; null where it is left out. @throws {ProblemError} where it is no instant */
export function asOfOf(query: Query): string | null {
  if (query.asOf === undefined) return null;
  const fraction = /:\d{2}\.(\d{1,3})/.exec(query.asOf as string)?.[1] ?? '';
  return instantOf(query, 'asOf').replace('Z', `.${fraction.padEnd(3, '0')}Z`);
}

/** Reads the bounds of a period: by a pattern, or without one by the default and every other form of an instant. */
export function readerOf(pattern: string | undefined): (text: string) => Instant | null {
  if (pattern === undefined) return parseInstant;
  const read = compilePattern(pattern);
  if (read === null) throw refused('timeFormat', pattern, `Allowed: ${PATTERN_FORMS}.`);
  return read;
}

/** A period whose bounds may be left out. @throws {ProblemError} where a bound is no instant, or the end lies before the beginning */
export function periodOf(
  query: Query,
  from: string,
  to: string,
  read: (text: string) => Instant | null,
): { from: Instant | null; to: Instant | null } {
  const bound = (name: string): Instant | null => {
    const text = query[name] as string | undefined;
    if (text === undefined) return null;
    const instant = read(text);
    if (instant === null) {
      const pattern = query.timeFormat as string | undefined;
      throw refused(name, text, pattern === undefined ? `In UTC: ${INSTANT_FORMS}.` : `A time of the pattern ${pattern}.`);
    }
    return instant;
  };
  const period = { from: bound(from), to: bound(to) };
  if (period.from !== null && period.to !== null && period.to < period.from) {
    throw refused(to, query[to] as string, `Not before ${from}, which is ${period.from}.`);
  }
  return period;
}
