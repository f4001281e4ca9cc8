import {
  type Collection,
  COLLECTIONS,
  collectionQuery,
  LinkIndex,
  PROJECTIONS,
  toJsonSchema,
  listedParameters,
} from '../../../schemas/index.js';
import { oneOf, onlyParameters } from '../../exports/parameters.js';
import { href, PATHS, profilePathOf } from '../../links.js';
import { type App, Content, SCHEMA_MEDIA_TYPE } from '../contract/operations.js';
import { prefers } from '../wire/accept.js';

const ALPS_MEDIA_TYPE = 'application/alps+json';

const doc = (value: string) => ({ doc: { format: 'text', value } });

/**
 * The profile of a collection in ALPS (draft-amundsen-richardson-foster-alps): the meaning of its
 * members, and its parameters.
 */
function alps(base: string, collection: Collection): string {
  const { name, item, title, properties, projections } = collection;
  const representation = `${item}-representation`;
  const parameters = Object.entries(listedParameters(collectionQuery(collection).properties));
  return JSON.stringify({
    alps: {
      version: '1.0',
      ...doc(`The ${title}.`),
      link: [{ rel: 'self', href: href(base, profilePathOf({ name })) }],
      descriptor: [
        {
          id: representation,
          type: 'semantic',
          descriptor: [
            ...properties.map((property) => ({
              name: property.name,
              type: 'semantic',
              ...doc(property.description),
            })),
            ...projections.map((projection) => ({
              name: projection,
              type: 'semantic',
              ...doc(`With projection=${projection}: ${PROJECTIONS[projection]}.`),
            })),
          ],
        },
        {
          id: `get-${name}`,
          name,
          type: 'safe',
          rt: `#${representation}`,
          descriptor: parameters.map(([parameter, { description }]) => ({
            name: parameter,
            type: 'semantic',
            ...doc(description ?? ''),
          })),
        },
        { id: `get-${item}`, name: item, type: 'safe', rt: `#${representation}` },
      ],
    },
  });
}

const NAMES = COLLECTIONS.map(({ name }) => name);
const NameParameters = onlyParameters({ name: oneOf(NAMES, 'The collection') });

/** Adds the list of profiles, and the profiles. */
export function addProfiles(app: App): void {
  app.get(PATHS.profiles, {
    schema: { response: { 200: LinkIndex } },
    config: {
      operationId: 'listProfiles',
      summary: 'The profiles of the collections.',
      example: {},
    },
    handler: async ({ baseUrl }) => ({
      _links: {
        self: { href: href(baseUrl, PATHS.profiles) },
        ...Object.fromEntries(
          NAMES.map((name) => [name, { href: href(baseUrl, profilePathOf({ name })) }]),
        ),
      },
    }),
  });
  app.get(PATHS.profile, {
    schema: { params: NameParameters },
    config: {
      mediaType: ALPS_MEDIA_TYPE,
      operationId: 'getProfile',
      summary: 'What the members of a collection mean.',
      description: 'ALPS by default; JSON Schema with Accept: application/schema+json.',
      otherMediaTypes: [SCHEMA_MEDIA_TYPE],
      example: { parameters: { name: 'gnssReceivers' } },
    },
    handler: async ({ params: { name }, headers, baseUrl }) => {
      const collection = COLLECTIONS[NAMES.indexOf(name)]!;
      return prefers(headers.accept, SCHEMA_MEDIA_TYPE, [ALPS_MEDIA_TYPE])
        ? new Content(SCHEMA_MEDIA_TYPE, JSON.stringify(toJsonSchema(collection.typeName)))
        : new Content(ALPS_MEDIA_TYPE, alps(baseUrl, collection));
    },
  });
}
