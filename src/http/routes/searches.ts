import { type Collection, CORS_SITES, EQUIPMENT, SETUPS } from '../../../schemas/index.js';
import { href, searchPathOf, template } from '../../links.js';
import type { Resource } from '../resources.js';
import { equipmentSearches, siteSearches } from './catalogue-searches.js';
import { findChangesByFourCharacterId } from './changes.js';
import { findBySiteId, setupSearches } from './setup-searches.js';

/** The searches of each collection that has any. */
const SEARCHES: [Collection, Resource[]][] = [
  [SETUPS, [...setupSearches, findChangesByFourCharacterId, findBySiteId]],
  [CORS_SITES, siteSearches],
  [EQUIPMENT, equipmentSearches],
];

/** The list of the searches of a collection, each a template. */
function searchIndex(collection: Collection, searches: Resource[]): Resource {
  const path = searchPathOf(collection);
  return {
    path,
    operationId: `list${collection.typeName}Searches`,
    tag: collection.name,
    summary: `The searches over the ${collection.title}.`,
    response: 'LinkIndex',
    example: {},
    read: async ({ base }) => ({
      _links: {
        self: { href: href(base, path) },
        ...Object.fromEntries(
          searches.map((search) => [
            search.path.slice(path.length + 1),
            { href: template(base, search.path, search.query!.properties), templated: true },
          ]),
        ),
      },
    }),
  };
}

/** The searches, and the list of them for each collection that has any. */
export const searchResources: Resource[] = SEARCHES.flatMap(([collection, searches]) => [searchIndex(collection, searches), ...searches]);
