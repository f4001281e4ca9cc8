import { Type, type Static } from '@sinclair/typebox';

/** A HAL link (draft-kelly-json-hal, section 5). */
export const Link = Type.Object(
  { href: Type.String({ description: 'The URI of the linked resource.' }) },
  { additionalProperties: false, description: 'Link to a resource.' },
);
export type Link = Static<typeof Link>;

/** A HAL link to a page for people. Pages are not in the OpenAPI document. */
export const HtmlLink = Type.Object(
  {
    href: Type.String({ description: 'The URI of the page.' }),
    type: Type.Literal('text/html', { description: 'The media type of the page.' }),
  },
  { additionalProperties: false, description: 'Link to a page for people.' },
);

/** A HAL link whose `href` is a URI Template (RFC 6570). */
export const TemplatedLink = Type.Object(
  {
    href: Type.String({ description: 'The URI Template (RFC 6570) of the linked resource.' }),
    templated: Type.Literal(true, { description: 'Always true: `href` is a URI Template.' }),
  },
  { additionalProperties: false, description: 'Link with variables for the client to expand.' },
);
export type TemplatedLink = Static<typeof TemplatedLink>;

/** The position of a page in its collection. */
export const Page = Type.Object(
  {
    size: Type.Integer({ minimum: 1, maximum: 1000, description: 'Maximum number of elements per page.' }),
    totalElements: Type.Integer({ minimum: 0, description: 'Number of elements on all pages.' }),
    totalPages: Type.Integer({ minimum: 0, description: 'Number of pages; 0 if nothing matches.' }),
    number: Type.Integer({ minimum: 0, description: 'The number of this page, starting at 0.' }),
  },
  { additionalProperties: false, description: 'Position in a paged collection.' },
);
export type Page = Static<typeof Page>;

/** The links of one page of a collection. `first` and `last` are present only if there is more than one page. */
export const PageLinks = Type.Object(
  {
    first: Type.Optional(Link),
    prev: Type.Optional(Link),
    self: Link,
    next: Type.Optional(Link),
    last: Type.Optional(Link),
    profile: Link,
    search: Type.Optional(Link),
  },
  {
    additionalProperties: false,
    description: 'Links from this page. Links to other pages repeat the filters, size, sort order and projection of the request.',
  },
);
export type PageLinks = Static<typeof PageLinks>;

/** A document that contains only links: the root, the search index and the profile index. */
export const LinkIndex = Type.Object(
  {
    _links: Type.Record(Type.String(), Type.Union([Link, TemplatedLink]), {
      description: 'The links, by relation. A templated link has variables for the client to expand (RFC 6570).',
    }),
  },
  { additionalProperties: false, description: 'A document that contains only links.' },
);
export type LinkIndex = Static<typeof LinkIndex>;
