import { type TProperties, Type } from '@sinclair/typebox';
import {
  DEFAULT_PAGE_SIZE,
  type EquipmentType,
  type Instant,
  MOST_ENTRIES,
  pageAndSize,
  type Period,
  RecordedSinceParameter,
  SETUP_EQUIPMENT_TYPES,
  SiteIdsParameter,
} from '../../schemas/index.js';
import { compilePattern, PATTERN_FORMS } from '../requests/date-pattern.js';
import { LONGEST_GAP } from '../derive/gaps.js';
import { DURATION_FORMS, parseDuration } from '../requests/duration.js';
import { INSTANT_FORMS, parseInstant } from '../requests/instant.js';
import { type Box, BOX_FORM, parseBox, parsePoint, type Point, POINT_FORM } from '../requests/place.js';
import { invalidParameter } from './wire/problems.js';

/** The schema of a query or path with exactly these parameters. */
export const only = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false });

/** The page of a page for people. */
export const PageParameter = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Page number, starting at 0.' }));

/** The parameters of a path with the number of a resource. */
export const IdParameters = only({ id: Type.Integer({ minimum: 1, description: 'The number that identifies the resource.' }) });

/** What a parameter with an instant accepts. */
const FORMS = `${INSTANT_FORMS}. A day stands for the midnight UTC at which it begins.`;

const instantParameter = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });

/** The instant that a request asks about. */
export const AtParameter = instantParameter(`The instant: ${FORMS}`);

/** The record time that a request asks about. */
export const AsOfParameter = instantParameter(`Answers with what this service had on record at this instant: ${FORMS}`);

/** A parameter for one of some kinds of equipment. */
export const equipmentTypeParameter = <T extends EquipmentType>(types: readonly T[]) =>
  Type.Optional(
    Type.Union(
      types.map((type) => Type.Literal(type)),
      { description: `The kind of equipment: ${types.join(', ')}.` },
    ),
  );

/** The parameters of a search for changes. */
export const changeParameters = {
  from: Type.Optional(instantParameter(`The start of the period, inclusive: ${FORMS}`)),
  to: Type.Optional(instantParameter(`The end of the period, exclusive: ${FORMS}`)),
  equipmentType: equipmentTypeParameter(SETUP_EQUIPMENT_TYPES),
  mergeGaps: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 30,
      description: `A removal and the installation after it are one change if the gap between them is not longer than this: ${DURATION_FORMS}. Default: P1D. PT0S merges none.`,
    }),
  ),
  recordedSince: Type.Optional(RecordedSinceParameter),
  ...pageAndSize,
};

/** The parameters of a search for changes at any Sites. */
export const changesParameters = { id: Type.Optional(SiteIdsParameter), ...changeParameters };

/** The parameters of the feed. */
export const feedParameters = {
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'A cursor: the id of an entry, after which the entries begin. Default: the first entry.',
    }),
  ),
  size: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Entries per page. Default: ${DEFAULT_PAGE_SIZE}. More than ${MOST_ENTRIES} means ${MOST_ENTRIES}.`,
    }),
  ),
};

/** Parses an instant; null if the text is not one. */
type ReadInstant = (text: string) => Instant | null;

/** Parses the instant of a parameter. @throws {ProblemError} if the text is not an instant */
export function instantOf(name: string, text: string): Instant {
  const instant = parseInstant(text);
  if (instant === null) throw invalidParameter({ name, value: text, allowed: `Allowed: ${FORMS}` });
  return instant;
}

/** Parses a record time, `YYYY-MM-DDThh:mm:ss.sssZ`; null if it is left out. @throws {ProblemError} if it is not an instant */
export function recordTimeOf(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  const fraction = /:\d{2}\.(\d{1,3})/.exec(text)?.[1] ?? '';
  return instantOf(name, text).replace('Z', `.${fraction.padEnd(3, '0')}Z`);
}

/** Parses a box; null if it is left out. @throws {ProblemError} if it is not one */
export function boxOf(text: string | undefined): Box | null {
  const box = text === undefined ? null : parseBox(text);
  if (text !== undefined && box === null) throw invalidParameter({ name: 'bbox', value: text, allowed: `Allowed: ${BOX_FORM}.` });
  return box;
}

/** Parses a point with a radius; null if it is left out. @throws {ProblemError} if it is not one, or there is a radius without a point */
export function nearOf(text: string | undefined, radius: number | undefined): (Point & { radius: number | null }) | null {
  const point = text === undefined ? null : parsePoint(text);
  if (text !== undefined && point === null) throw invalidParameter({ name: 'near', value: text, allowed: `Allowed: ${POINT_FORM}.` });
  if (radius !== undefined && point === null) {
    throw invalidParameter({ name: 'radius', value: String(radius), allowed: 'Allowed only together with near.' });
  }
  return point === null ? null : { ...point, radius: radius ?? null };
}

/** Parses `mergeGaps`, in seconds. @throws {ProblemError} if it is not a duration */
export function mergeGapsOf(text: string | undefined): number {
  if (text === undefined) return LONGEST_GAP;
  const seconds = parseDuration(text);
  if (seconds === null) throw invalidParameter({ name: 'mergeGaps', value: text, allowed: `Allowed: ${DURATION_FORMS}.` });
  return seconds;
}

/** The bounds of a period, as in a query. */
interface Bounds {
  /** The names of the two parameters. */
  names: readonly [from: string, to: string];
  from: string | undefined;
  to: string | undefined;
  /** The date pattern of the bounds. If it is left out, they may have any form of an instant. */
  pattern?: string | undefined;
}

function readerOf(pattern: string | undefined): ReadInstant {
  if (pattern === undefined) return parseInstant;
  const read = compilePattern(pattern);
  if (read === null) throw invalidParameter({ name: 'timeFormat', value: pattern, allowed: `Allowed: ${PATTERN_FORMS}.` });
  return read;
}

/** Parses a period. A bound that is left out becomes null. @throws {ProblemError} if a bound is not an instant, or the end is before the start */
export function periodOf({ names, from, to, pattern }: Bounds): { from: Period['from'] | null; to: Period['to'] } {
  const read = readerOf(pattern);
  const bound = (name: string, text: string | undefined): Instant | null => {
    if (text === undefined) return null;
    const instant = read(text);
    if (instant === null) {
      const allowed = `Allowed: ${pattern === undefined ? FORMS : `a time in the pattern ${pattern}.`}`;
      throw invalidParameter({ name, value: text, allowed });
    }
    return instant;
  };
  const period = { from: bound(names[0], from), to: bound(names[1], to) };
  if (period.from !== null && period.to !== null && period.to < period.from) {
    throw invalidParameter({ name: names[1], value: to!, allowed: `Allowed: an instant not before ${names[0]}, which is ${period.from}.` });
  }
  return period;
}
