import { METHODS } from 'node:http';
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem, toPlainSchema } from '../../schemas/index.js';
import { ProblemError } from './problems.js';

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

/** A resource that can be read, and nothing else. */
export interface Resource {
  /** The path, one of PATHS. */
  path: string;
  /** The schema of the query; none: no parameters are known. */
  query?: TObject;
  /** The schema of the path's parameters. */
  parameters?: TObject;
  /** The schema that serializes the answer. */
  response: TSchema;
  mediaType?: string;
  /** Whether the answer depends on the URL and the database only, and may be kept; true when left out. */
  cacheable?: boolean;
  /** Makes the body of the answer; throws a {@link ProblemError} for any other answer. */
  read: (request: FastifyRequest) => Promise<unknown>;
}

const READ_METHODS = ['GET', 'HEAD'];
const ALLOW = READ_METHODS.join(', ');

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

/** Adds the route of a resource: GET and HEAD read it, any other method is a 405 that says so. */
export function addResource(app: FastifyInstance, resource: Resource): void {
  const { path, query = NoParameters, parameters = NoParameters, response, mediaType = HAL_MEDIA_TYPE, cacheable = true, read } = resource;
  app.route({
    method: 'GET',
    url: path,
    config: { cacheable },
    schema: { querystring: query, params: parameters, response: { 200: inOrder(toPlainSchema(response)), '4xx': Problem, '5xx': Problem } },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const body = await read(request);
      reply.type(mediaType);
      return body;
    },
  });
  app.route({
    method: app.supportedMethods.filter((method) => !READ_METHODS.includes(method)),
    url: path,
    // Before the body is looked at: whatever it is, the method is wrong.
    onRequest: async (request) => {
      throw new ProblemError('method-not-allowed', `${request.method} is not supported; only ${ALLOW} are.`, { headers: { allow: ALLOW } });
    },
    handler: () => undefined,
  });
}
