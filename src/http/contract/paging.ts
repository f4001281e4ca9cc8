import type { TObject } from '@sinclair/typebox';
import { PAGE_SIZES, type SizeParameter } from '../../../schemas/index.js';
import type { Paging } from '../../store/page.js';

/** The parameters of a validated query that choose a page. */
export interface PagingQuery {
  readonly page?: number;
  readonly size?: number;
}

/** A request to a route whose query has paging parameters. */
interface RequestWith<Query> {
  readonly query: Query;
  readonly routeOptions: { readonly schema?: { readonly querystring?: unknown } };
}

declare const isRequested: unique symbol;

/**
 * The page that a request asks for. Only {@link pagingOf} makes one. The store reads with it, and
 * the links and the page object are made from it, so that all agree.
 */
export type RequestedPage = Readonly<Paging> & { readonly [isRequested]: true };

/**
 * The size of a page that a request asks for. A size above the maximum in the schema of its route
 * means the maximum.
 * @param name the parameter
 * @param byDefault the size if the request does not specify one; by default, that of the schema
 * @throws {Error} if the parameter in the schema was not made by `sizeParameter`
 */
export function pageSizeOf<Name extends string>(
  { query, routeOptions }: RequestWith<{ readonly [N in Name]?: number }>,
  name: Name,
  byDefault?: number,
): number {
  const schema = routeOptions.schema?.querystring as TObject | undefined;
  const sizes = (schema?.properties[name] as SizeParameter | undefined)?.[PAGE_SIZES];
  if (sizes === undefined) throw new Error(`the schema of the route has no page sizes in ${name}`);
  return Math.min(query[name] ?? byDefault ?? sizes.byDefault, sizes.most);
}

/** The page that a request asks for. @param byDefault as of {@link pageSizeOf} */
export function pagingOf(request: RequestWith<PagingQuery>, byDefault?: number): RequestedPage {
  const { page = 0 } = request.query;
  const size = pageSizeOf(request, 'size', byDefault);
  return { page, size } as RequestedPage;
}

/** The same page with fewer elements, if it would have more than `most`. */
export const withAtMost = (paging: RequestedPage, most: number): RequestedPage => ({
  ...paging,
  size: Math.min(paging.size, most),
});
