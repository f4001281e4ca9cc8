import { COLLECTIONS, collectionQuery, EXPORTS, LinkIndex } from '../../../schemas/index.js';
import { TABLE_FORMATS } from '../../formats/tables.js';
import { changesParameters, feedParameters, findingsParameters } from '../../exports/parameters.js';
import { EXPORT_QUERIES } from '../../exports/tables.js';
import { exportPathOf, href, PATHS, pathOf, template } from '../../links.js';
import type { App } from '../contract/operations.js';
import { prefersPage } from '../wire/accept.js';

/**
 * The links of the root: all collections, the changes, the feed, the exports, OGC API Features, the
 * profiles, the OpenAPI document, the schemas, and the state of the service.
 */
const rootLinks = (base: string) => ({
  self: { href: href(base, PATHS.root) },
  ...Object.fromEntries(
    COLLECTIONS.map((collection) => {
      const { properties } = collectionQuery(collection);
      return [
        collection.name,
        { href: template(base, pathOf(collection), properties), templated: true as const },
      ];
    }),
  ),
  changes: { href: template(base, PATHS.changes, changesParameters), templated: true as const },
  findings: { href: template(base, PATHS.findings, findingsParameters), templated: true as const },
  feed: { href: template(base, PATHS.feed, feedParameters), templated: true as const },
  'feed.atom': { href: template(base, PATHS.atomFeed, feedParameters), templated: true as const },
  ...Object.fromEntries(
    EXPORTS.flatMap((name) =>
      TABLE_FORMATS.map((format) => {
        const { properties } = EXPORT_QUERIES[name];
        return [
          `${name}.${format}`,
          {
            href: template(base, exportPathOf(name, format), properties),
            templated: true as const,
          },
        ];
      }),
    ),
  ),
  ogc: { href: href(base, PATHS.ogc) },
  profile: { href: href(base, PATHS.profiles) },
  openapi: { href: href(base, PATHS.openApi) },
  schemas: { href: href(base, PATHS.schemas) },
  schema: { href: `${href(base, PATHS.schemas)}/{name}.json`, templated: true as const },
  health: { href: href(base, PATHS.health) },
  ready: { href: href(base, PATHS.ready) },
});

/** Adds `/`, which links to everything in the service and redirects browsers to the pages. */
export function addRoot(app: App): void {
  app.get(PATHS.root, {
    schema: { response: { 200: LinkIndex } },
    config: {
      operationId: 'getRoot',
      tag: 'service',
      summary: 'Links to everything in the service.',
      example: {},
    },
    handler: async ({ headers, baseUrl }, reply) => {
      if (prefersPage(headers.accept)) return reply.redirect(href('.', PATHS.overview));
      return { _links: rootLinks(baseUrl) };
    },
  });
}
