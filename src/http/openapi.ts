import type { TSchema } from '@sinclair/typebox';
import { COLLECTIONS, PUBLISHED, publishedNameOf, toPlainSchema } from '../../schemas/index.js';
import { exampleOf } from './example-values.js';
import type { DescribedRoute } from './operations.js';
import { PROBLEM_MEDIA_TYPE, type ProblemKind, statusOf, titleOf } from './wire/problems.js';

/** Example answers from the sample network, by operation id and status. */
export type Examples = Record<string, Record<number, unknown>>;

/** The problems that every operation may answer with. */
const COMMON: ProblemKind[] = ['invalid-parameter', 'bad-request', 'internal-error', 'not-ready', 'service-busy'];

const DESCRIPTION = `What equipment is, or was, at a GNSS station: the Setups of each Site (receivers, antennas, humidity sensors and clocks,
each with its identity, configuration and period of use), the changes between them, and a catalogue of all devices. The data come from the
site logs that station operators publish.

The service is read-only. Resources are HAL documents, errors are problem documents (RFC 9457), and every response has the same header fields.
All times are UTC. All periods are half-open, [from, to): at an instant of change the newer Setup applies. Null means unknown: the site log
does not give the value. Unknown, misspelt and wrongly repeated parameters are rejected. Pages count from 0; links to other pages keep filters,
size, order and projection.`;

/** Whether a media type is JSON, or based on it (RFC 6838, section 4.2.8). */
const isJson = (mediaType: string): boolean => /[/+]json\b/.test(mediaType);

const refer = (name: string): string => `#/components/schemas/${name}`;

function parameterOf(path: string, where: 'query' | 'path', name: string, schema: TSchema, required: boolean, given: unknown): object {
  const { description, ...plain } = toPlainSchema(schema);
  return {
    name,
    in: where,
    required,
    description: description ?? name,
    schema: plain,
    example: exampleOf(path, name, schema, given),
    ...(plain.type === 'array' && { style: 'form', explode: true }),
  };
}

function parametersOf({ path, query, parameters, operation: { example } }: DescribedRoute): object[] {
  return [
    ...Object.entries(parameters.properties).map(([name, schema]) =>
      parameterOf(path, 'path', name, schema, true, example.parameters?.[name]),
    ),
    ...Object.entries(query.properties).map(([name, schema]) =>
      parameterOf(path, 'query', name, schema, query.required?.includes(name) ?? false, example.query?.[name]),
    ),
  ];
}

function responsesOf({ response, mediaType, operation }: DescribedRoute, headers: object, examples: Record<number, unknown>): object {
  const { otherMediaTypes = [], problems = [], summary } = operation;
  const example = (status: number) => (examples[status] === undefined ? {} : { example: examples[status] });
  const schema = response === null ? { type: isJson(mediaType) ? 'object' : 'string' } : { $ref: refer(publishedNameOf(response)!) };
  const statuses = byStatus([...COMMON, ...problems]);
  return {
    200: {
      description: summary,
      headers,
      content: {
        [mediaType]: { schema, ...example(200) },
        ...Object.fromEntries(otherMediaTypes.map((other) => [other, { schema: { type: isJson(other) ? 'object' : 'string' } }])),
      },
    },
    ...Object.fromEntries(
      [...statuses].map(([status, kinds]) => [
        status,
        {
          description: kinds.map((kind) => `${titleOf(kind)} (${kind}).`).join(' '),
          headers: kinds.includes('service-busy') ? { ...headers, 'Retry-After': { $ref: '#/components/headers/Retry-After' } } : headers,
          content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: refer('Problem') }, ...example(status) } },
        },
      ]),
    ),
    default: {
      description: 'Any other error. For example, a method other than GET, HEAD or OPTIONS gets 405 with Allow.',
      headers,
      content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: refer('Problem') } } },
    },
  };
}

function byStatus(kinds: ProblemKind[]): Map<number, ProblemKind[]> {
  const groups = new Map<number, ProblemKind[]>();
  for (const kind of kinds) groups.set(statusOf(kind), [...(groups.get(statusOf(kind)) ?? []), kind]);
  return new Map([...groups].sort(([a], [b]) => a - b));
}

/**
 * Describes the service as an OpenAPI 3.1 document.
 * @param routes the routes of the contract, in the order of the document
 * @param headers the fixed header fields of every response
 * @param version the version of the contract
 */
export function openApiDocument(routes: DescribedRoute[], headers: Record<string, string>, version: string, examples: Examples): object {
  const titled = Object.entries(headers).map(([name, value]) => [
    name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()).replace('Xss', 'XSS'),
    value,
  ]);
  const headerRefs = Object.fromEntries(titled.map(([name]) => [name, { $ref: `#/components/headers/${name}` }]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'GNSS site setups',
      version,
      summary: 'What equipment is, or was, at a GNSS station.',
      description: DESCRIPTION,
      contact: { name: 'The operator of the service' },
      license: { name: 'As agreed with the operator of the service', identifier: 'LicenseRef-Operator' },
    },
    servers: [{ url: '/', description: 'The service that serves this description.' }],
    security: [],
    tags: [
      ...COLLECTIONS.map(({ name, title }) => ({ name, description: `The ${title}.` })),
      { name: 'changes', description: 'The equipment changes.' },
      { name: 'ogc', description: 'OGC API Features 1.0, for GIS programs.' },
      { name: 'exports', description: 'Everything at once, as tables.' },
      { name: 'skeletonFiles', description: 'RINEX skeletons.' },
      { name: 'feed', description: 'What imports and corrections changed, in the order of recording.' },
      { name: 'profile', description: 'What the members of the collections mean.' },
      { name: 'service', description: 'The service itself: its root, its description and its state.' },
    ],
    paths: Object.fromEntries(
      routes.map((route) => [
        route.path.replace(/:(\w+)/g, '{$1}'),
        {
          get: {
            operationId: route.operation.operationId,
            tags: [route.operation.tag],
            summary: route.operation.summary,
            description: route.operation.description ?? route.operation.summary,
            parameters: parametersOf(route),
            responses: responsesOf(route, headerRefs, examples[route.operation.operationId] ?? {}),
          },
        },
      ]),
    ),
    components: {
      headers: {
        ...Object.fromEntries(
          titled.map(([name, value]) => [
            name,
            { description: 'The same on every response.', required: true, schema: { type: 'string', const: value } },
          ]),
        ),
        'Retry-After': {
          description: `With the problem \`service-busy\` only: the number of seconds after which to repeat the request.`,
          required: false,
          schema: { type: 'integer', minimum: 1 },
        },
      },
      schemas: Object.fromEntries(Object.entries(PUBLISHED).map(([name, schema]) => [name, toPlainSchema(schema, refer)])),
    },
  };
}
