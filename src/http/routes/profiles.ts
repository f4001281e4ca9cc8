import { type Collection, COLLECTIONS, collectionQuery, toJsonSchema } from '../../../schemas/index.js';
import { href, PATHS, profilePathOf } from '../../links.js';
import { prefers } from '../accept.js';
import { OtherBody, type Resource } from '../resources.js';

const ALPS_MEDIA_TYPE = 'application/alps+json';
const SCHEMA_MEDIA_TYPE = 'application/schema+json';

const doc = (value: string) => ({ doc: { format: 'text', value } });

/** The profile of a collection in ALPS (draft-amundsen-richardson-foster-alps): what its members mean, what can be asked. */
function alps(base: string, collection: Collection): string {
  const { name, item, title, properties, projections } = collection;
  const representation = `${item}-representation`;
  const parameters = Object.entries(collectionQuery(collection).properties);
  return JSON.stringify({
    alps: {
      version: '1.0',
      ...doc(`The ${title}.`),
      link: [{ rel: 'self', href: href(base, profilePathOf(collection)) }],
      descriptor: [
        {
          id: representation,
          type: 'semantic',
          descriptor: [
            ...properties.map((property) => ({ name: property.name, type: 'semantic', ...doc(property.description) })),
            ...projections.map((projection) => ({
              name: projection.name,
              type: 'semantic',
              ...doc(`With projection=${projection.name}: ${projection.description}.`),
            })),
          ],
        },
        {
          id: `get-${name}`,
          name,
          type: 'safe',
          rt: `#${representation}`,
          descriptor: parameters.map(([parameter, { description }]) => ({ name: parameter, type: 'semantic', ...doc(description ?? '') })),
        },
        { id: `get-${item}`, name: item, type: 'safe', rt: `#${representation}` },
      ],
    },
  });
}

function profileOf(collection: Collection): Resource {
  return {
    path: profilePathOf(collection),
    operationId: `get${collection.typeName}Profile`,
    tag: 'profile',
    summary: `What the members of the ${collection.title} mean.`,
    description: 'As ALPS; as JSON Schema with Accept: application/schema+json.',
    response: null,
    mediaType: ALPS_MEDIA_TYPE,
    otherMediaTypes: [SCHEMA_MEDIA_TYPE],
    cacheable: false,
    example: {},
    read: async ({ base, request }) =>
      prefers(request.headers.accept, SCHEMA_MEDIA_TYPE, [ALPS_MEDIA_TYPE])
        ? new OtherBody(SCHEMA_MEDIA_TYPE, JSON.stringify(toJsonSchema(collection.typeName)))
        : new OtherBody(ALPS_MEDIA_TYPE, alps(base, collection)),
  };
}

/** The list of profiles, and the profile of each collection. */
export const profileResources: Resource[] = [
  {
    path: PATHS.profiles,
    operationId: 'listProfiles',
    tag: 'profile',
    summary: 'The profiles of the collections.',
    response: 'LinkIndex',
    example: {},
    read: async ({ base }) => ({
      _links: {
        self: { href: href(base, PATHS.profiles) },
        ...Object.fromEntries(COLLECTIONS.map((collection) => [collection.name, { href: href(base, profilePathOf(collection)) }])),
      },
    }),
  },
  ...COLLECTIONS.map(profileOf),
];
