import type { Static, TArray, TSchema } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { closed } from './values.js';

/** A HAL link (draft-kelly-json-hal, section 5). */
export const Link = closed('Link to a resource.', {
  href: Type.String({ description: 'The URI of the linked resource.' }),
});
export type Link = Static<typeof Link>;

/** A HAL link to a page for people. Pages are not in the OpenAPI document. */
export const HtmlLink = closed('Link to a page for people.', {
  href: Type.String({ description: 'The URI of the page.' }),
  type: Type.Literal('text/html', { description: 'The media type of the page.' }),
});

/** A HAL link whose `href` is a URI Template (RFC 6570). */
export const TemplatedLink = closed('Link with variables for the client to expand.', {
  href: Type.String({ description: 'The URI Template (RFC 6570) of the linked resource.' }),
  templated: Type.Literal(true, { description: 'Always true: `href` is a URI Template.' }),
});
export type TemplatedLink = Static<typeof TemplatedLink>;

/** Elements per page if the request gives no `size`. */
export const DEFAULT_PAGE_SIZE = 20;
/** The most elements per page; a larger `size` is treated as this. */
export const MAXIMUM_PAGE_SIZE = 1000;

/** The position of a page in its collection. */
export const Page = closed('Position in a paged collection.', {
  size: Type.Integer({
    minimum: 1,
    maximum: MAXIMUM_PAGE_SIZE,
    description: 'Maximum number of elements per page.',
  }),
  totalElements: Type.Integer({ minimum: 0, description: 'Number of elements on all pages.' }),
  totalPages: Type.Integer({ minimum: 0, description: 'Number of pages; 0 if nothing matches.' }),
  number: Type.Integer({ minimum: 0, description: 'The number of this page, starting at 0.' }),
});
export type Page = Static<typeof Page>;

const pages = {
  first: Type.Optional(Link),
  prev: Type.Optional(Link),
  self: Link,
  next: Type.Optional(Link),
  last: Type.Optional(Link),
};

/**
 * The links of one page of a list. `first` and `last` are present only if there is more than one
 * page.
 */
export const ListLinks = closed(
  'Links from this page. Links to other pages repeat the query parameters of the request.',
  pages,
);

/** The links of one page of a collection. */
export const PageLinks = closed(
  'Links from this page. ' +
    'Links to other pages repeat the filters, size, sort order and projection of the request.',
  { ...pages, profile: Link, search: Type.Optional(Link) },
);
export type PageLinks = Static<typeof PageLinks>;

/** The schema of one page of elements. They are the only member of `_embedded`. */
export const pageOf = <Name extends string, E extends TSchema, L extends TSchema>(
  name: Name,
  title: string,
  element: E,
  links: L,
  description = `One page of ${title}.`,
) =>
  closed(description, {
    _embedded: closed('The elements of the page.', {
      [name]: Type.Array(element, { description: `The ${title} on this page.` }),
    } as Record<Name, TArray<E>>),
    _links: links,
    page: Page,
  });

/** A document that contains only links: the root, the search index and the profile index. */
export const LinkIndex = closed('A document that contains only links.', {
  _links: Type.Record(Type.String(), Type.Union([Link, TemplatedLink]), {
    description:
      'The links, by relation. A templated link has variables for the client to expand (RFC 6570).',
  }),
});
export type LinkIndex = Static<typeof LinkIndex>;
