import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { type Instant, sizeParameter } from '../../schemas/index.js';
import { parseInstant, whyNoInstant } from '../requests/instant.js';
import { BOX_FORM } from '../requests/place.js';
import { instantAt, LAST_INSTANT, SECOND } from '../requests/units-of-time.js';
import { EVERYTHING, type ExportSearch } from '../store/read/exports/tables.js';
import type { Part } from '../store/read/exports/elements.js';
import { ALL_SITES, type SiteFilter } from '../store/read/filters.js';
import { boxOf } from './filters.js';
import { oneOf, onlyParameters, reasonAboutTime } from './parameters.js';
import { invalidParameter } from './refusals.js';

/** What a request for items of OGC API Features asks. */

/** The format of features. */
export const FEATURE_FORMAT = { f: Type.Optional(oneOf(['json', 'geojson'], 'The format')) };

/** What `datetime` accepts. */
const DATETIME_FORM =
  'an instant, or two with a slash between them, of which one may be left out or be ".."';

/** The query of the items of a collection. */
export const ItemsQuery = onlyParameters({
  bbox: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Only items within a box: west,south,east,north in degrees. ' +
        'With heights, west,south,lowest,east,north,highest.',
    }),
  ),
  datetime: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: `Only items of a time: ${DATETIME_FORM}.`,
    }),
  ),
  limit: sizeParameter('Items', { byDefault: 10, most: 1000 }),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'The id after which the page begins, as the link "next" has it.',
    }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, description: 'How many items to skip. Default: 0.' }),
  ),
  ...FEATURE_FORMAT,
});

/**
 * Parses `datetime`, whose end is inclusive; null if it is left out.
 * @throws {RequestRefused} if it is neither an instant nor a period
 */
function datetimeOf(text: string | undefined): ExportSearch['during'] {
  if (text === undefined) return null;
  const parts = text.split('/', 3);
  const during = parts.length === 1 ? instantAlone(text) : periodOfParts(parts);
  if (during !== undefined) return during;
  const why = parts.slice(0, 2).map(whyNoInstant).find(Boolean) ?? null;
  throw invalidParameter({
    name: 'datetime',
    value: text,
    reason: reasonAboutTime(why),
    allowed: `${DATETIME_FORM}.`,
  });
}

/** A period of `datetime`, as the store takes it; undefined if the text is not a period. */
type DuringOrNone = NonNullable<ExportSearch['during']> | undefined;

function instantAlone(text: string): DuringOrNone {
  const instant = parseInstant(text);
  return instant === null ? undefined : { from: instant, to: instant };
}

/** The period between two bounds, of which the end is inclusive. */
function periodOfParts(parts: string[]): DuringOrNone {
  if (parts.length !== 2) return undefined;
  const [from, to] = parts.map(datetimeBound);
  if (from === undefined || to === undefined) return undefined;
  if (from !== null && to !== null && to < from) return undefined;
  // Bounds are whole seconds, so anything that begins at the end begins before the next second.
  return from === to || to === null ? { from, to } : { from, to: secondAfter(to) };
}

/** A bound of `datetime`; null if it is open, undefined if it is not an instant. */
function datetimeBound(text: string): Instant | null | undefined {
  if (text === '' || text === '..') return null;
  return parseInstant(text) ?? undefined;
}

/** The next second; null after the last one that an instant can name. */
const secondAfter = (instant: Instant): Instant | null =>
  instant === LAST_INSTANT ? null : instantAt(Date.parse(instant) + SECOND);

/**
 * Parses `bbox`. Of six numbers, the third and the last are heights, and have no effect.
 * @throws {RequestRefused} if it is not a box
 */
function flatBoxOf(text: string | undefined): SiteFilter['box'] {
  const numbers = text?.split(',', 7);
  if (numbers?.length !== 6) return boxOf(text);
  if (numbers.some((each) => !/^-?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i.test(each))) {
    throw invalidParameter({
      name: 'bbox',
      value: text!,
      reason: 'is not a bounding box',
      allowed: `${BOX_FORM}.`,
    });
  }
  return boxOf([numbers[0], numbers[1], numbers[3], numbers[4]].join(','));
}

/** A request for a page of items. */
export type ItemsRequest = Static<typeof ItemsQuery>;

/** The items that a request asks for. */
export const searchOf = ({ bbox, datetime }: ItemsRequest): ExportSearch => ({
  ...EVERYTHING,
  sites: { ...ALL_SITES, box: flatBoxOf(bbox) },
  during: datetimeOf(datetime),
});

/** The part of the items that a page needs: one more shows that there is a next page. */
export const partOf = ({ after = 0, offset = 0 }: ItemsRequest, limit: number): Part => ({
  after: Math.min(after, Number.MAX_SAFE_INTEGER),
  skipped: Math.min(offset, Number.MAX_SAFE_INTEGER),
  most: limit + 1,
});
