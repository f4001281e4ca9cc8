import type { TSchema } from '@sinclair/typebox';
import {
  COLLECTIONS,
  listedParameters,
  opened,
  PUBLISHED,
  publishedNameOf,
  toPlainSchema,
} from '../../../schemas/index.js';
import { NDJSON_MEDIA_TYPE } from '../../formats/tables.js';
import { exampleOf } from './example-values.js';
import { type DescribedRoute, PLAIN_JSON_MEDIA_TYPE } from './operations.js';
import {
  PROBLEM_MEDIA_TYPE,
  type ProblemKind,
  problemStatus,
  problemTitle,
} from '../wire/problems.js';

/** An answer of the service over the sample network. */
interface Example {
  /** The request: `GET /setups/1`. */
  request: string;
  answer: unknown;
}

/** Example answers, by operation id and status. */
export type Examples = Record<string, Record<number, Example>>;

const DESCRIPTION = `What equipment is, or was, at a GNSS station: the Setups of each Site (receivers, antennas, humidity sensors and clocks,
each with its identity, configuration and period of use), the changes between them, and a catalogue of all devices. The data come from the
site logs that station operators publish.

The service is read-only. Resources are HAL documents, errors are problem documents (RFC 9457), and every response has the same header fields.
All times are UTC. All periods are half-open, [from, to): at an instant of change the newer Setup applies. Null means unknown: the site log
does not give the value; as the end of a period, it means open. Unknown, misspelt and wrongly repeated parameters are rejected. Pages count from 0; links to other pages keep filters,
size, order and projection.`;

/** The groups of operations. */
const TAGS = [
  ...COLLECTIONS.map(({ name, title }) => ({ name, description: `The ${title}.` })),
  { name: 'changes', description: 'The equipment changes.' },
  { name: 'ogc', description: 'OGC API Features 1.0, for GIS programs.' },
  { name: 'exports', description: 'Everything at once, as tables.' },
  { name: 'citations', description: 'What to state about an answer, to have it again.' },
  { name: 'skeletonFiles', description: 'RINEX skeletons.' },
  { name: 'feed', description: 'What imports and corrections changed, in the order of recording.' },
  { name: 'profile', description: 'What the members of the collections mean.' },
  { name: 'service', description: 'The service itself: its root, its description and its state.' },
];

/** Whether a media type is JSON, or based on it (RFC 6838, section 4.2.8). */
const isJson = (mediaType: string): boolean => /[/+]json\b/.test(mediaType);

const refer = (name: string): string => `#/components/schemas/${name}`;

/** A parameter object of OpenAPI. */
interface ParameterObject {
  name: string;
  in: 'query' | 'path';
}

/** An object that refers to a component. */
interface Reference {
  $ref: string;
}

/** @param given an example; left out, one that suits all operations with such a parameter */
function parameterOf(
  path: string,
  where: ParameterObject['in'],
  name: string,
  schema: TSchema,
  required: boolean,
  given: unknown,
) {
  const { description, ...plain } = toPlainSchema(schema, refer);
  const examples = [exampleOf(path, name, schema, given)];
  return {
    name,
    in: where,
    ...(required && { required }),
    description: description ?? name,
    schema: { ...plain, examples },
  };
}

function parametersOf({ path, query, parameters, example }: DescribedRoute): ParameterObject[] {
  return [
    ...Object.entries(parameters.properties).map(([name, schema]) =>
      parameterOf(path, 'path', name, schema, true, example.parameters?.[name]),
    ),
    ...Object.entries(listedParameters(query.properties)).map(([name, schema]) => {
      const required = query.required?.includes(name) ?? false;
      const given = required ? example.query?.[name] : undefined;
      return parameterOf(path, 'query', name, schema, required, given);
    }),
  ];
}

/**
 * The names of the parameters that several operations share, by their text. Of parameters with the
 * same name, those of most operations have just this name; the others are numbered.
 */
function sharedParameters(routes: DescribedRoute[]): Map<string, string> {
  const all = routes
    .flatMap(parametersOf)
    .map((each) => ({ name: `${each.in}.${each.name}`, text: JSON.stringify(each) }));
  const shared = new Map<string, string>();
  for (const [name, sameName] of Map.groupBy(all, (each) => each.name)) {
    const groups = [...Map.groupBy(sameName, ({ text }) => text)]
      .filter(([, same]) => same.length > 1)
      .sort(([, same], [, others]) => others.length - same.length);
    for (const [index, [text]] of groups.entries())
      shared.set(text, index === 0 ? name : `${name}.${index + 1}`);
  }
  return shared;
}

/** References to examples, for a media type. */
const examplesIn = (names: string[]): object => ({
  examples: Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/examples/${name}` }]),
  ),
});
const exampleObject = ({ request, answer }: Example): object => ({
  summary: request,
  value: answer,
});

/** The problems of an operation by status. */
const problemsOf = ({ problems }: DescribedRoute): Map<number, ProblemKind[]> =>
  Map.groupBy(problems, problemStatus);

/** The name of the component with some problems. */
const problemComponent = (kinds: ProblemKind[]): string => kinds.join('.');

/** The answers with problems, and an example of each. */
function sharedProblems(routes: DescribedRoute[], headers: object, examples: Examples) {
  const content = (example: object = {}) => ({
    [bare(PROBLEM_MEDIA_TYPE)]: { schema: { $ref: refer('Problem') }, ...example },
  });
  const all = routes.flatMap((route) =>
    [...problemsOf(route)].map(([status, kinds]) => ({
      kinds,
      example: examples[route.operationId]?.[status],
    })),
  );
  const found: Record<string, object> = {};
  const named = [...Map.groupBy(all, ({ kinds }) => problemComponent(kinds))].map(
    ([name, same]) => {
      const { kinds } = same[0]!;
      const example = same.find((each) => each.example !== undefined)?.example;
      if (example !== undefined) found[name] = exampleObject(example);
      const response = {
        description: kinds.map((kind) => `${problemTitle(kind)} (${kind}).`).join(' '),
        headers: kinds.includes('service-busy')
          ? { ...headers, 'Retry-After': { $ref: '#/components/headers/Retry-After' } }
          : headers,
        content: content(example && examplesIn([name])),
      };
      return [name, response] as const;
    },
  );
  const other = {
    description:
      'Any other error. For example, a method other than GET, HEAD or OPTIONS gets 405 with Allow.',
    headers,
    content: content(),
  };
  return { responses: { ...Object.fromEntries(named), other }, examples: found };
}

/** A media type without its parameters: generated clients know only this form. */
const bare = (mediaType: string): string => mediaType.split(';')[0]!;

/** The answer to a request that succeeds. It stands in place: generated clients need it there. */
function successOf(route: DescribedRoute, headers: object, examples: Examples): object {
  const { response, mediaType, otherMediaTypes = [], line } = route;
  const exampleName = route.exampleOf ?? route.operationId;
  const untyped = (type: string): object => ({ type: isJson(type) ? 'object' : 'string' });
  const schema =
    response === null ? untyped(mediaType) : { $ref: refer(publishedNameOf(response)!) };
  // Plain JSON is the same body, and the schema of NDJSON is that of a line. The others have no
  // schema.
  const schemaOf = (other: string): object => {
    if (other === NDJSON_MEDIA_TYPE && line !== undefined)
      return { $ref: refer(publishedNameOf(line)!) };
    return other === PLAIN_JSON_MEDIA_TYPE ? schema : untyped(other);
  };
  const hasExample = examples[exampleName]?.[200] !== undefined;
  return {
    // The summary of the operation says what it answers.
    description: 'Success.',
    headers,
    content: {
      [bare(mediaType)]: { schema, ...(hasExample && examplesIn([exampleName])) },
      ...Object.fromEntries(
        otherMediaTypes.map((other) => [bare(other), { schema: schemaOf(other) }]),
      ),
    },
  };
}

const responseTo = (name: string): Reference => ({ $ref: `#/components/responses/${name}` });

/** What the document states about the service. */
const INFO = {
  summary: 'What equipment is, or was, at a GNSS station.',
  description: DESCRIPTION,
  contact: { name: 'The operator of the service' },
  license: {
    name: 'As agreed with the operator of the service',
    identifier: 'LicenseRef-Operator',
  },
};

/** The header fields of every response, as components. */
function headerComponents(headers: Record<string, string>): Record<string, object> {
  const components: Record<string, object> = {};
  for (const [name, value] of Object.entries(headers)) {
    const title = name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()).replace('Xss', 'XSS');
    components[title] = {
      description: 'The same on every response.',
      required: true,
      schema: { type: 'string', const: value },
    };
  }
  return components;
}

/** The header field of the problem `service-busy`. */
const RETRY_AFTER = {
  description:
    'With the problem `service-busy` only: the number of seconds after which to repeat the request.',
  required: false,
  schema: { type: 'integer', minimum: 1 },
};

/**
 * Describes a route.
 * @param success the answer to a request that succeeds
 * @param shared the names of shared parameters, by their text
 */
function operationOf(
  route: DescribedRoute,
  success: object,
  shared: ReadonlyMap<string, string>,
): object {
  const refused = [...problemsOf(route)].map(([status, kinds]) => [
    status,
    responseTo(problemComponent(kinds)),
  ]);
  const parameters = parametersOf(route).map((parameter): ParameterObject | Reference => {
    const name = shared.get(JSON.stringify(parameter));
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
  });
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    // Left out where the summary says it all.
    ...(route.description !== undefined && { description: route.description }),
    parameters,
    responses: {
      200: success,
      ...Object.fromEntries(refused),
      default: responseTo('other'),
    },
  };
}

/**
 * Describes the service as an OpenAPI 3.1 document.
 * @param routes the routes of the contract, in the order of the document
 * @param headers the fixed header fields of every response
 * @param version the version of the contract
 */
export function openApiDocument(
  routes: DescribedRoute[],
  headers: Record<string, string>,
  version: string,
  examples: Examples,
): object {
  const fixed = headerComponents(headers);
  const headerRefs = Object.fromEntries(
    Object.keys(fixed).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const shared = sharedParameters(routes);
  const problems = sharedProblems(routes, headerRefs, examples);
  const answers = Object.fromEntries(
    Object.entries(examples).flatMap(([operationId, { 200: example }]) =>
      example === undefined ? [] : [[operationId, exampleObject(example)]],
    ),
  );
  const paths = Object.fromEntries(
    routes.map((route) => [
      route.path.replace(/:(\w+)/g, '{$1}'),
      { get: operationOf(route, successOf(route, headerRefs, examples), shared) },
    ]),
  );
  return {
    openapi: '3.1.0',
    info: { title: 'GNSS site setups', version, ...INFO },
    servers: [{ url: '/', description: 'The service that serves this description.' }],
    security: [],
    tags: TAGS,
    paths,
    components: {
      headers: { ...fixed, 'Retry-After': RETRY_AFTER },
      parameters: Object.fromEntries(
        [...shared].map(([text, name]) => [name, JSON.parse(text) as ParameterObject]),
      ),
      responses: problems.responses,
      examples: { ...answers, ...problems.examples },
      schemas: Object.fromEntries(
        Object.entries(PUBLISHED).map(([name, schema]) => [
          name,
          opened(toPlainSchema(schema, refer)),
        ]),
      ),
    },
  };
}
