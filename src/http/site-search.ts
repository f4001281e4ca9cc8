import type { Static, TObject } from '@sinclair/typebox';
import type { siteParameters } from '../../schemas/index.js';
import type { PageSearch } from '../store/search.js';
import type { SitePageSearch } from '../store/read/site-searches.js';
import { boxOf, nearOf } from './parameters.js';

/** Adds the parameters of the Sites to a search. @throws {ProblemError} if a box or point is not one, or there is a radius without a point */
export function siteSearchOf(
  { filters, sort, page, size }: PageSearch,
  { q = '', bbox, near, radius, countryCode }: Static<TObject<typeof siteParameters>>,
): SitePageSearch {
  const codes = countryCode?.map((code) => code.toUpperCase());
  return {
    filters: codes === undefined ? filters : [...filters, { property: 'location.countryCode', values: codes }],
    sort,
    page,
    size,
    text: q,
    box: boxOf(bbox),
    near: nearOf(near, radius),
  };
}
