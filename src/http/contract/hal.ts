import type { Static, TSchema } from '@sinclair/typebox';
import {
  type Collection,
  CORS_SITES,
  type Link,
  type Page,
  type PageLinks,
  SETUP_NAME,
  SETUPS,
  type SetupResource,
} from '../../../schemas/index.js';
import { JsonText, type Sendable } from '../../serializers/json-text.js';
import { serializerOf } from '../../serializers/serializers.js';
import {
  href,
  itemHref,
  pageHrefs,
  pathOf,
  profilePathOf,
  type QueryValues,
  searchPathOf,
} from '../../links.js';
import type { Found } from '../../store/page.js';
import type { SetupRecord } from '../../store/read/setups/records.js';
import { ownTurn } from '../../turns.js';
import type { PagingQuery, RequestedPage } from './paging.js';

/** The parameters of a list. Links to other pages repeat all of them except the page. */
export type ListQuery = PagingQuery &
  QueryValues & { readonly sort?: readonly string[]; readonly projection?: string };

/** How many elements of a page are written before other requests run. Most pages have fewer. */
const WRITTEN_AT_ONCE = 100;

/** Writes the elements of a page as resources. Other requests run in between. */
export async function writeInTurns<T, E extends TSchema>(
  schema: E,
  elements: readonly T[],
  toResource: (element: T) => Sendable<Static<E>>,
): Promise<JsonText<Static<E>[]>> {
  const write = serializerOf(schema);
  let written = '';
  for (const [index, element] of elements.entries()) {
    if (index > 0 && index % WRITTEN_AT_ONCE === 0) await ownTurn();
    written += (index === 0 ? '' : ',') + write(toResource(element));
  }
  return new JsonText(`[${written}]`);
}

/** A link to an element of a collection. */
export const itemLink = (base: string, collection: Pick<Collection, 'name'>, id: number): Link => ({
  href: itemHref(base, collection, id),
});

/**
 * The SHA-256 of a site log as it is published: with it, anybody could test guesses about the
 * contacts in the file.
 */
export const publishedHash = (sha256: string | null, publishContacts: boolean): string | null =>
  publishContacts ? sha256 : null;

/**
 * A Setup as JSON.
 * @param equipment as JSON
 * @param gaps as JSON; null leaves out the member
 */
function setupText(
  base: string,
  setup: SetupRecord,
  equipment: string,
  gaps: string | null,
): string {
  const { id, siteId, effectivePeriod, invalidated, current } = setup;
  const { from, to } = effectivePeriod;
  const link = `{"href":${JSON.stringify(itemHref(base, SETUPS, id))}}`;
  return (
    `{"id":${id},"siteId":${siteId},"name":"${SETUP_NAME}",` +
    `"effectivePeriod":{"from":"${from}","to":${to === null ? null : `"${to}"`}},` +
    `"invalidated":${invalidated},"equipmentInUse":${equipment},"current":${current},` +
    (gaps === null ? '' : `"gaps":${gaps},`) +
    `"_links":{"self":${link},"setup":${link}}}`
  );
}

/** A Setup with its links. @param publishContacts false withholds the SHA-256 of its site log */
export function setupResource(
  base: string,
  setup: SetupRecord,
  publishContacts: boolean,
): Sendable<SetupResource> {
  const { provenance, site, gaps, equipmentInUse } = setup;
  const isPlain = provenance === undefined && site === undefined;
  const hasText = gaps === undefined || gaps instanceof JsonText;
  if (isPlain && hasText && equipmentInUse instanceof JsonText)
    return new JsonText(setupText(base, setup, equipmentInUse.text, gaps?.text ?? null));
  const link = itemLink(base, SETUPS, setup.id);
  const links = { self: link, setup: link };
  if (provenance !== undefined) {
    const { siteLog } = provenance;
    const sha256 = publishedHash(siteLog.sha256, publishContacts);
    setup = { ...setup, provenance: { ...provenance, siteLog: { ...siteLog, sha256 } } };
  }
  return {
    ...setup,
    _links:
      site === undefined ? links : { ...links, corsSite: itemLink(base, CORS_SITES, setup.siteId) },
  };
}

type PositionLinks = Pick<PageLinks, 'first' | 'prev' | 'self' | 'next' | 'last'>;

/** What was found for a page of a list. */
interface FoundPage {
  /** The page that the request asks for. */
  paging: RequestedPage;
  /** What the store found for it. */
  found: Found<unknown>;
}

/**
 * Checks that the number of elements agrees with the page object and the links. Otherwise, a client
 * that follows the links would miss some.
 * @throws {Error} if there are more elements, or fewer
 */
function checkComplete({ paging: { page, size }, found }: FoundPage): void {
  const { elements, totalElements } = found;
  const expected = Math.min(size, Math.max(totalElements - page * size, 0));
  if (elements.length !== expected)
    throw new Error(`page ${page} has ${elements.length} elements instead of ${expected}`);
}

/**
 * The position of a page in its list, and its links. Links to other pages keep filters, size, order
 * and projection.
 * @param path the path of the list
 * @param self the URL of the page itself
 * @throws {Error} if what was found is not what the page should have
 */
export function pageOf(
  base: string,
  path: string,
  query: ListQuery,
  foundPage: FoundPage,
  self: string,
): { links: PositionLinks; page: Page } {
  checkComplete(foundPage);
  const { page: number, size } = foundPage.paging;
  const { totalElements } = foundPage.found;
  const totalPages = Math.ceil(totalElements / size);
  const hrefOf = pageHrefs(base, path, query, size);
  const to = (page: number): Link => ({ href: hrefOf(page) });
  const several = totalPages > 1;
  return {
    links: {
      ...(several && { first: to(0) }),
      ...(number > 0 && totalPages > 0 && { prev: to(Math.min(number, totalPages) - 1) }),
      self: { href: self },
      ...(number + 1 < totalPages && { next: to(number + 1) }),
      ...(several && { last: to(totalPages - 1) }),
    },
    page: { size, totalElements, totalPages, number },
  };
}

/**
 * The body of a page of a collection, or of a search over it.
 * @typeParam L the list of its elements
 */
interface PageBody<L> {
  _embedded: Record<string, L>;
  _links: PageLinks;
  page: Page;
}

/**
 * Builds the body of a page. As in the reference service, `self` of a collection is its bare path;
 * `self` of a search is the whole request.
 * @param path the path of the collection, or of a search over it
 * @param elements what was found, with links
 * @throws {Error} if what was found is not what the page should have
 */
export function pageBody<L>(
  base: string,
  collection: Collection,
  path: string,
  query: ListQuery,
  { elements, ...foundPage }: FoundPage & { elements: L },
): PageBody<L> {
  const isCollection = path === pathOf(collection);
  const self = isCollection ? href(base, path) : href(base, path, { query });
  const { links, page } = pageOf(base, path, query, foundPage, self);
  return {
    _embedded: { [collection.name]: elements },
    _links: {
      ...links,
      profile: { href: href(base, profilePathOf(collection)) },
      ...(collection.equipmentType === undefined &&
        isCollection && { search: { href: href(base, searchPathOf(collection)) } }),
    },
    page,
  };
}
