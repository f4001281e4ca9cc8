import { METHODS } from 'node:http';
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem, PUBLISHED, toPlainSchema } from '../../schemas/index.js';
import type { SetupReader } from '../store/store.js';
import { ProblemError, type ProblemKind } from './problems.js';

/** The media type of the contract's documents, to the letter. */
export const HAL_MEDIA_TYPE = 'application/hal+json;charset=UTF-8';
/** The media type of what is not HAL. */
export const JSON_MEDIA_TYPE = 'application/json;charset=UTF-8';

/** The parameters of a path with an id. */
export const IdParameters = Type.Object(
  { id: Type.Integer({ minimum: 1, description: 'The number that identifies the resource.' }) },
  { additionalProperties: false },
);

const NoParameters = Type.Object({}, { additionalProperties: false });

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the answer depends on the URL and the database only. */
    cacheable?: boolean;
  }
}

/** What a resource is read with. */
export interface Reading<Query = Record<string, unknown>, Parameters = { id: number }> {
  reader: SetupReader;
  /** The URL with which links start. */
  base: string;
  query: Query;
  parameters: Parameters;
  request: FastifyRequest;
}

/** A body in another media type than the resource's own. */
export class OtherBody {
  constructor(
    readonly mediaType: string,
    readonly body: string,
  ) {}
}

/** A resource that can be read: its route, and its description. */
export interface Resource {
  /** The path, as a route pattern. */
  path: string;
  /** Identifies the operation, for generated clients. */
  operationId: string;
  /** The group it is shown in. */
  tag: string;
  summary: string;
  description?: string;
  /** The schema of the query; none: no parameters are known. */
  query?: TObject;
  /** The schema of the path's parameters. */
  parameters?: TObject;
  /** The name of the published schema that serializes the answer; null: the answer is a finished text. */
  response: keyof typeof PUBLISHED | null;
  mediaType?: string;
  /** Further media types in which the resource is had by asking for them. */
  otherMediaTypes?: string[];
  /** Whether the answer depends on the URL and the database only, and may be kept; true when left out. */
  cacheable?: boolean;
  /** The problems of its own, beside those that every resource may answer. */
  problems?: ProblemKind[];
  /** A request over the sample network, for the description; parameters of the path and query. */
  example: { parameters?: Record<string, string | number>; query?: Record<string, string> };
  /** Makes the body of the answer; throws a {@link ProblemError} for any other answer. */
  read: (reading: Reading) => Promise<unknown>;
}

const READ_METHODS = ['GET', 'HEAD'];
/** The methods that every resource supports. */
export const ALLOW = 'GET, HEAD, OPTIONS';

/** Lets the router know every method of HTTP, so that a wrong one is told from a wrong path. */
export function addMethods(app: FastifyInstance): void {
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
}

/**
 * The schema as the serializer wants it. It writes required members before optional ones; where the order of the
 * contract is another, `required` is left out, and the members come in the order of the schema.
 */
function inOrder<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(inOrder) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inOrder(value)])) as Partial<TObject>;
  const required = copy.required ?? [];
  const names = Object.keys(copy.properties ?? {});
  if (names.findLastIndex((name) => required.includes(name)) >= required.length) delete copy.required;
  return copy as T;
}

const serialized = (schema: TSchema): unknown => inOrder(toPlainSchema(schema));

/** Adds the route of a resource: GET and HEAD read it, OPTIONS tells so, any other method is a 405 that says so. */
export function addResource(app: FastifyInstance, reader: SetupReader, resource: Resource): void {
  const { path, query = NoParameters, parameters = NoParameters, response, mediaType = HAL_MEDIA_TYPE, cacheable = true, read } = resource;
  app.route({
    method: 'GET',
    url: path,
    config: { cacheable },
    schema: {
      querystring: query,
      params: parameters,
      response: {
        ...(response !== null && { 200: serialized(PUBLISHED[response]!) }),
        '4xx': serialized(Problem),
        '5xx': serialized(Problem),
      },
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const body = await read({
        reader,
        base: request.baseUrl,
        query: request.query as Record<string, unknown>,
        parameters: request.params as { id: number },
        request,
      });
      if (body instanceof OtherBody) {
        reply.type(body.mediaType).serializer((text: string) => text);
        return body.body;
      }
      reply.type(mediaType);
      return body;
    },
  });
  app.route({
    method: 'OPTIONS',
    url: path,
    handler: (_request, reply) => reply.code(204).header('allow', ALLOW).send(),
  });
  app.route({
    method: app.supportedMethods.filter((method) => !READ_METHODS.includes(method) && method !== 'OPTIONS'),
    url: path,
    // Before the body is looked at: whatever it is, the method is wrong.
    onRequest: async (request) => {
      throw new ProblemError('method-not-allowed', `${request.method} is not supported; only ${ALLOW} are.`, { headers: { allow: ALLOW } });
    },
    handler: () => undefined,
  });
}
