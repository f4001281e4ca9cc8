import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PUBLISHED, toPlainSchema } from '../../schemas/index.js';
import type { StoreReader } from '../store/store.js';
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
    /** Whether it is a page: people read its errors, too. */
    page?: boolean;
  }
}

/** What a resource is read with. */
export interface Reading<Query = Record<string, unknown>, Parameters = { id: number }> {
  reader: StoreReader;
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

/** That what is asked for is elsewhere. */
export class Elsewhere {
  constructor(readonly url: string) {}
}

/** What can be read under a path. */
export interface Route {
  /** The path, as a route pattern. */
  path: string;
  /** The schema of the query; none: no parameters are known. */
  query?: TObject;
  /** The schema of the path's parameters. */
  parameters?: TObject;
  /** The name of the published schema that serializes the answer; null: the answer is a finished text. */
  response: keyof typeof PUBLISHED | null;
  mediaType?: string;
  /** Whether the answer depends on the URL and the database only, and may be kept; true when left out. */
  cacheable?: boolean;
  /** Whether it is a page for people; false when left out. */
  page?: boolean;
  /** Makes the body of the answer; throws a {@link ProblemError} for any other answer. */
  read: (reading: Reading) => Promise<unknown>;
}

/** A resource of the contract: its route, and its description. */
export interface Resource extends Route {
  /** Identifies the operation, for generated clients. */
  operationId: string;
  /** The group it is shown in. */
  tag: string;
  summary: string;
  description?: string;
  /** Further media types in which the resource is had by asking for them. */
  otherMediaTypes?: string[];
  /** The problems of its own, beside those that every resource may answer. */
  problems?: ProblemKind[];
  /** A request over the sample network, for the description; parameters of the path and query. */
  example: { parameters?: Record<string, string | number>; query?: Record<string, string> };
}

/** The methods that every resource supports. */
const ALLOW = 'GET, HEAD, OPTIONS';

/**
 * The schema as the serializer wants it. It writes required members before optional ones; where the order of the
 * contract is another, `required` is left out, and the members come in the order of the schema.
 */
function inOrder<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(inOrder) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  // A union of objects is written as it is: to tell its variants apart the serializer would have to compile a validator for
  // each, which costs a quarter of the start, and what the store holds is in the order of the contract.
  if ('anyOf' in schema && (schema.anyOf as TSchema[]).every(({ type }) => type === 'object')) return {} as T;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inOrder(value)])) as Partial<TObject>;
  const required = copy.required ?? [];
  const names = Object.keys(copy.properties ?? {});
  if (names.findLastIndex((name) => required.includes(name)) >= required.length) delete copy.required;
  return copy as T;
}

/** A serializer for each schema, made when it is first needed: together they would take half of the start. */
function serializerOf(schema: TSchema): (body: unknown) => string {
  let serialize: ((body: unknown) => string) | null = null;
  return (body) => {
    serialize ??= fastJsonStringify(inOrder<object>(toPlainSchema(schema)) as Parameters<typeof fastJsonStringify>[0]);
    return serialize(body);
  };
}

const serializers = new Map(Object.entries(PUBLISHED).map(([name, schema]) => [name, serializerOf(schema)]));

/** Makes the published schemas serialize the answers: a route names the schema of its answer. */
export function addSerializers(app: FastifyInstance): void {
  app.setSerializerCompiler(({ schema }) => serializers.get((schema as { published: string }).published)!);
}

const published = (name: string): { published: string } => ({ published: name });

/** Adds a route, which GET and HEAD read. */
export function addRoute(app: FastifyInstance, reader: StoreReader, route: Route): void {
  const { path, query = NoParameters, parameters = NoParameters, response, mediaType = HAL_MEDIA_TYPE } = route;
  const { cacheable = true, page = false, read } = route;
  const problem = published('Problem');
  app.route({
    method: 'GET',
    url: path,
    config: { cacheable, page },
    schema: {
      querystring: query,
      params: parameters,
      response: { ...(response !== null && { 200: published(String(response)) }), '4xx': problem, '5xx': problem },
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const body = await read({
        reader,
        base: request.baseUrl,
        query: request.query as Record<string, unknown>,
        parameters: request.params as { id: number },
        request,
      });
      if (body instanceof Elsewhere) return reply.redirect(body.url);
      if (body instanceof OtherBody) {
        reply.type(body.mediaType).serializer((text: string) => text);
        return body.body;
      }
      reply.type(mediaType);
      return body;
    },
  });
}

/**
 * Answers what no route takes: OPTIONS on a resource with what it supports, any other method on it with a 405 that says
 * so, and a path that is no resource's with a 404; before a body is looked at, for whatever it is, it is not wanted.
 */
export function addOtherMethods(app: FastifyInstance, routes: Route[]): void {
  const paths = new RegExp(`^(${routes.map(({ path }) => path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')).join('|')})$`);
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const path = request.url.split('?')[0]!;
    if (!paths.test(path)) return done(new ProblemError('not-found', `There is nothing at ${path.slice(0, 200)}.`));
    if (request.method === 'OPTIONS') return void reply.code(204).header('allow', ALLOW).send();
    return done(
      new ProblemError('method-not-allowed', `${request.method} is not supported; only ${ALLOW} are.`, { headers: { allow: ALLOW } }),
    );
  });
}
