import type { TProperties } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import {
  asOfFilter,
  changeFilters,
  DEFAULT_PAGE_SIZE,
  divided,
  divideSort,
  MAXIMUM_PAGE_SIZE,
  FINDING_ORDERS,
  type Instant,
  MOST_ENTRIES,
  pageAndSize,
  type Period,
  placeFilters,
  findingFilters,
  recordedSinceFilter,
  siteFilter,
  sizeParameter,
  sortParameter,
  unlisted,
} from '../../schemas/index.js';
import { toInstant, whyImpossible } from '../requests/calendar.js';
import { compilePattern, PATTERN_FORMS } from '../requests/date-pattern.js';
import { LONGEST_GAP } from '../derive/visits.js';
import { DURATION_FORMS, parseDuration } from '../requests/duration.js';
import { INSTANT_FORMS, parseInstant, whyNoInstant } from '../requests/instant.js';
import { invalidParameter } from './refusals.js';

/** The schema of a query or path with exactly these parameters. */
export const onlyParameters = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** The page of a page for people. */
export const PageParameter = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Page number, starting at 0.' }),
);

/** The parameters of a path with the number of a resource. */
export const IdParameters = onlyParameters({
  id: Type.Integer({ minimum: 1, description: 'The number that identifies the resource.' }),
});

/** What a parameter with an instant accepts. */
const FORMS = `${INSTANT_FORMS}. A day stands for the midnight UTC at which it begins.`;

/** A parameter with an instant. */
export const instantParameter = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, description });

/** The instant that a request asks about. */
export const AtParameter = instantParameter(`The instant: ${FORMS}`);

/** A parameter with one of some values. */
export const oneOf = <T extends string>(values: readonly T[], title: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { description: `${title}: ${values.join(', ')}.` },
  );

/** The parameters with the bounds of a period. */
export const periodParameters = {
  from: Type.Optional(instantParameter(`The start of the period, inclusive: ${FORMS}`)),
  to: Type.Optional(instantParameter(`The end of the period, exclusive: ${FORMS}`)),
};

/** The filters of changes: equipment and kind, period, place, and time of recording. */
export const changeParameters = {
  ...periodParameters,
  ...changeFilters,
  ...siteFilter,
  ...placeFilters,
  ...recordedSinceFilter,
};

/** The parameters of changes that are not on pages. */
export const exportedChangesParameters = {
  ...changeParameters,
  mergeGaps: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 30,
      description:
        'A removal and the installation after it are one change if the gap between them is not ' +
        `longer than this: ${DURATION_FORMS}. Default: P1D. PT0S merges none.`,
    }),
  ),
  ...asOfFilter,
};

/** The parameters of a search for changes. */
export const changesParameters = {
  ...exportedChangesParameters,
  /** For the page, whose rows are groups: it links to the changes of one. */
  group: unlisted(
    Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d\\d-\\d\\d\\.[a-z]+\\.[0-9a-f]{1,32}(\\.withdrawn)?$',
        description: 'Only the changes of a group: the day, the kind, and the key of the group.',
      }),
    ),
  ),
  ...pageAndSize,
  sort: divided(
    Type.Optional(
      Type.Array(Type.String({ pattern: '^at(,(asc|desc))?$' }), {
        maxItems: 1,
        description:
          'at or at,asc: the earliest change first; at,desc: the latest. Default: the earliest.',
      }),
    ),
    divideSort,
  ),
};

/** The filters of findings: Sites and places, code, level, and time of recording. */
export const exportedFindingsParameters = {
  ...siteFilter,
  ...placeFilters,
  ...findingFilters,
  ...recordedSinceFilter,
};

/** The parameters of a search for findings. */
export const findingsParameters = {
  ...exportedFindingsParameters,
  ...pageAndSize,
  sort: sortParameter(FINDING_ORDERS),
};

/** The parameters of the feed. */
export const feedParameters = {
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 60,
      description:
        'A cursor: the id of an entry, after which the entries begin. Default: the first entry.',
    }),
  ),
  size: sizeParameter('Entries', { byDefault: DEFAULT_PAGE_SIZE, most: MOST_ENTRIES }),
  ...changeParameters,
};

/** The parameters for a page of the changes between two logs: real logs have one page. */
export const logChangesParameters = {
  ...pageAndSize,
  size: sizeParameter('Changes', { byDefault: MAXIMUM_PAGE_SIZE, most: MAXIMUM_PAGE_SIZE }),
};

/**
 * Why the value of a parameter is not a time.
 * @param why what is wrong with the time; null if the text has another form
 */
export const reasonAboutTime = (why: string | null): string =>
  why === null ? 'is not a time' : `is not a time (${why})`;

/** Refuses a parameter whose text is not a time. @param why as for {@link reasonAboutTime} */
const notATime = (name: string, text: string, why: string | null, allowed: string) =>
  invalidParameter({ name, value: text, reason: reasonAboutTime(why), allowed });

/** Parses the instant of a parameter. @throws {RequestRefused} if the text is not an instant */
export function instantOf(name: string, text: string): Instant {
  const instant = parseInstant(text);
  if (instant === null) throw notATime(name, text, whyNoInstant(text), FORMS);
  return instant;
}

/**
 * The same for texts in a date pattern.
 * @throws {RequestRefused} if the pattern is none
 */
function instantInPattern(pattern: string): typeof instantOf {
  const partsOf = compilePattern(pattern);
  if (partsOf === null)
    throw invalidParameter({
      name: 'timeFormat',
      value: pattern,
      reason: 'is not a date pattern',
      allowed: `${PATTERN_FORMS}.`,
    });
  return (name, text) => {
    const parts = partsOf(text);
    const instant = parts && toInstant(parts);
    if (instant === null) {
      const why = parts && whyImpossible(parts);
      throw notATime(name, text, why, `a time in the pattern ${pattern}.`);
    }
    return instant;
  };
}

/**
 * Parses a record time, `YYYY-MM-DDThh:mm:ss.sssZ`; null if it is left out.
 * @throws {RequestRefused} if it is not an instant
 */
export function recordTimeOf(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  const fraction = /:\d{2}\.(\d{1,3})/.exec(text)?.[1] ?? '';
  return instantOf(name, text).replace('Z', `.${fraction.padEnd(3, '0')}Z`);
}

/** Parses `mergeGaps`, in seconds. @throws {RequestRefused} if it is not a duration */
export function mergeGapsOf(text: string | undefined): number {
  if (text === undefined) return LONGEST_GAP;
  const seconds = parseDuration(text);
  if (seconds === null)
    throw invalidParameter({
      name: 'mergeGaps',
      value: text,
      reason: 'is not a duration',
      allowed: `${DURATION_FORMS}.`,
    });
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

/**
 * Parses a period. A bound that is left out becomes null.
 * @throws {RequestRefused} if a bound is not an instant, or the end is before the start
 */
export function periodOf({ names, from, to, pattern }: Bounds): {
  from: Period['from'] | null;
  to: Period['to'];
} {
  const parse = pattern === undefined ? instantOf : instantInPattern(pattern);
  const bound = (name: string, text: string | undefined) =>
    text === undefined ? null : parse(name, text);
  const period = { from: bound(names[0], from), to: bound(names[1], to) };
  if (period.from !== null && period.to !== null && period.to < period.from) {
    throw invalidParameter({
      name: names[1],
      value: to!,
      reason: `is before ${names[0]}`,
      allowed: `an instant not before ${names[0]}, which is ${period.from}.`,
    });
  }
  return period;
}
