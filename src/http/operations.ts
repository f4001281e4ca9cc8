import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  preSerializationHookHandler,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ProblemKind } from './wire/problems.js';

/** TypeBox's type provider, but strict: a handler cannot answer with something that is not a schema. */
export interface SchemaTypes extends TypeBoxTypeProvider {
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : { 'this response has no schema': never };
}

/** The app. The schemas of a route give the types of its handler's query, parameters and answer. */
export type App = FastifyInstance<RawServerDefault, RawRequestDefaultExpression, RawReplyDefaultExpression, FastifyBaseLogger, SchemaTypes>;

/** The media type of the contract's documents, to the letter. */
export const HAL_MEDIA_TYPE = 'application/hal+json;charset=UTF-8';
/** The media type of JSON that is not HAL. */
export const JSON_MEDIA_TYPE = 'application/json;charset=UTF-8';

/** What OpenAPI says of a route beside its schemas. Routes without it are not part of the contract. */
export interface Operation {
  /** Identifies the operation, for generated clients. */
  operationId: string;
  /** The group in which the operation is shown. */
  tag: string;
  summary: string;
  description?: string;
  /** Further media types, for clients that ask for them. */
  otherMediaTypes?: string[];
  /** The problems of its own, beside those that every operation may answer. */
  problems?: ProblemKind[];
  /** A request over the sample network, for the description; parameters of the path and query. */
  example: { parameters?: Record<string, string | number>; query?: Record<string, string> };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
    /** The media type of the answer; {@link HAL_MEDIA_TYPE} when left out. */
    mediaType?: string;
    /** Whether it is a page: people read its errors, too. */
    page?: boolean;
  }
  interface FastifyInstance {
    /** The operations of the contract, in the order of their routes. */
    operations: DescribedRoute[];
    /** The paths of all routes, as patterns. */
    paths: string[];
  }
}

/** A route of the contract, as its declaration has it. */
export interface DescribedRoute {
  /** As a route pattern. */
  path: string;
  query: TObject;
  parameters: TObject;
  /** The schema of the answer; null: a finished text. */
  response: TSchema | null;
  mediaType: string;
  operation: Operation;
}

/** The schema of a query or of the parameters of a path where there are none. */
export const NoParameters = Type.Object({}, { additionalProperties: false });

/** Lists the routes that are added from here on. A route that declares no query takes no parameters. */
export function listRoutes(app: FastifyInstance): void {
  const operations: DescribedRoute[] = [];
  const paths: string[] = [];
  app.decorate('operations', operations);
  app.decorate('paths', paths);
  app.addHook('onRoute', (route) => {
    const {
      querystring = NoParameters,
      params = NoParameters,
      response,
    } = (route.schema ?? {}) as {
      querystring?: TObject;
      params?: TObject;
      response?: { 200: TSchema };
    };
    route.schema = { ...route.schema, querystring, params };
    if (route.method !== 'GET') return;
    paths.push(route.url);
    const { operation, mediaType = HAL_MEDIA_TYPE } = route.config ?? {};
    if (operation !== undefined) {
      operations.push({ path: route.url, query: querystring, parameters: params, response: response?.[200] ?? null, mediaType, operation });
    }
  });
}

/** Sends a finished text. Without a serializer Fastify would add a charset to JSON media types. */
export const sendText = (reply: FastifyReply, mediaType: string, text: string): FastifyReply =>
  reply
    .type(mediaType)
    .serializer((finished: string) => finished)
    .send(text);

/** Sets the media type of what a schema serializes; a finished text has its own. Call this before the routes are added. */
export function addMediaTypes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { mediaType = HAL_MEDIA_TYPE } = route.config ?? {};
    const setType: preSerializationHookHandler = (_request, reply, payload, done) => {
      reply.type(mediaType);
      done(null, payload);
    };
    route.preSerialization = [route.preSerialization ?? [], setType].flat();
  });
}
