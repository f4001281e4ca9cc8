import { Type, type Static } from '@sinclair/typebox';

/** A HAL link (draft-kelly-json-hal, section 5). */
export const Link = Type.Object(
  { href: Type.String({ description: 'The URI of the linked resource.' }) },
  { additionalProperties: false, description: 'Link to a resource.' },
);
export type Link = Static<typeof Link>;

/** A HAL link whose `href` is a URI Template (RFC 6570). */
export const TemplatedLink = Type.Object(
  {
    href: Type.String({ description: 'The URI Template (RFC 6570) of the linked resource.' }),
    templated: Type.Literal(true, { description: 'True: `href` is a template.' }),
  },
  { additionalProperties: false, description: 'Link with variables to fill in.' },
);
export type TemplatedLink = Static<typeof TemplatedLink>;

/** Where in a paged collection a body stands. */
export const Page = Type.Object(
  {
    size: Type.Integer({ minimum: 1, maximum: 1000, description: 'Elements on a full page.' }),
    totalElements: Type.Integer({ minimum: 0, description: 'Elements on all pages together.' }),
    totalPages: Type.Integer({ minimum: 0, description: 'Number of pages; 0 when nothing matches.' }),
    number: Type.Integer({ minimum: 0, description: 'The number of this page, from 0.' }),
  },
  { additionalProperties: false, description: 'Position in a paged collection.' },
);
export type Page = Static<typeof Page>;

/** The links of one page of a collection: `first` and `last` only where there is more than one page. */
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
  { additionalProperties: false, description: 'Links of a page; each that leads to a page keeps filter, size, order and projection.' },
);
export type PageLinks = Static<typeof PageLinks>;

/** A document of links only: the root, the index of searches, the index of profiles. */
export const LinkIndex = Type.Object(
  {
    _links: Type.Record(Type.String(), Type.Union([Link, TemplatedLink]), {
      description: 'The links, by relation; one that is templated has variables to fill in (RFC 6570).',
    }),
  },
  { additionalProperties: false, description: 'A document of links, by relation.' },
);
export type LinkIndex = Static<typeof LinkIndex>;
