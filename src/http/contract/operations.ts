import { Readable } from 'node:stream';
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preSerializationHookHandler,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteOptions,
} from 'fastify';
import type { Sendable } from '../../serializers/json-text.js';
import type { IsWanted } from '../../turns.js';
import type { Network, Page } from '../../web/page/layout.js';
import { noteStreamed } from '../wire/client-errors.js';
import { HTML_MEDIA_TYPE } from '../wire/accept.js';
import { HAL_MEDIA_TYPE } from '../wire/header-fields.js';
import { PROBLEM_KINDS, type ProblemKind, SITE_PROBLEMS } from '../wire/problems.js';

/**
 * An answer that no schema serializes. A handler returns it, and the hook of its route sends it.
 */
export class Content {
  /** @param body as it is; or in pieces, each of which is made when the client is ready for it */
  constructor(
    readonly mediaType: string,
    readonly body: string | Buffer | AsyncIterable<string | Buffer>,
  ) {}
}

/**
 * The type provider of TypeBox, made strict: without a TypeBox schema, only {@link Content}
 * compiles.
 */
export interface SchemaTypes extends TypeBoxTypeProvider {
  serializer: this['schema'] extends TSchema ? Sendable<Static<this['schema']>> | Content : Content;
}

/**
 * The app. The schemas of a route are the types of its query, path parameters and response in the
 * handler.
 */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  SchemaTypes
>;

/** The media type of a HAL document for clients that ask for JSON. */
export const PLAIN_JSON_MEDIA_TYPE = 'application/json';
/** The media type of JSON that is not HAL. */
export const JSON_MEDIA_TYPE = 'application/json;charset=UTF-8';
/** The media type of JSON Schema. */
export const SCHEMA_MEDIA_TYPE = 'application/schema+json';

/** What the OpenAPI document says about a route of the contract besides its schemas. */
export interface Operation {
  /** A unique name, which generated clients use. */
  operationId: string;
  /** The group of the operation in the document. Default: the first part of its path. */
  tag?: string;
  summary: string;
  description?: string;
  /** Further media types, for clients that request them with `Accept`. */
  otherMediaTypes?: string[];
  /** The schema of each line as NDJSON. */
  line?: TSchema;
  /** Its problems, besides those of every operation and those that follow from its parameters. */
  problems?: ProblemKind[];
  /** The parameters of an example request to the sample network. */
  example: { parameters?: Record<string, string | number>; query?: Record<string, string> };
  /** The operation whose example of an answer stands for this one. Default: its own. */
  exampleOf?: string;
}

declare module 'fastify' {
  /** A route without an `operationId` is not part of the contract. */
  interface FastifyContextConfig extends Partial<Operation> {
    /** The media type of the response. Default: {@link HAL_MEDIA_TYPE}. */
    mediaType?: string;
    /**
     * Whether the route is a page, whose errors are pages too; `if-preferred` for clients that ask
     * for HTML only.
     */
    page?: true | 'if-preferred';
  }
  interface FastifyInstance {
    /** The operations of the contract, in the order of their routes. */
    operations: DescribedRoute[];
    /** The paths of all routes, as patterns. */
    paths: string[];
    /** Whose network the pages show. */
    network: Network;
    /** The routes that answer from an earlier record. */
    recorded: RouteOptions[];
  }
}

/** A route of the contract, as declared. */
export interface DescribedRoute extends Operation {
  /** A route pattern, such as `/setups/:id`. */
  path: string;
  query: TObject;
  parameters: TObject;
  /** The schema of the response; null if the handler sends text. */
  response: TSchema | null;
  mediaType: string;
  tag: string;
  /** All of its problems. */
  problems: ProblemKind[];
}

/** The problems that every operation may answer with. */
const COMMON_PROBLEMS: ProblemKind[] = [
  'invalid-parameter',
  'bad-request',
  'internal-error',
  'not-ready',
  'service-busy',
];

/** The schema of a query or path without parameters. */
const NoParameters = Type.Object({}, { additionalProperties: false });

/**
 * All problems of an operation, in the order of the contract.
 * @param own those that do not follow from its path and query
 */
function allProblems(path: string, query: TObject, own: ProblemKind[]): ProblemKind[] {
  const all = new Set<ProblemKind>([...COMMON_PROBLEMS, ...own]);
  if (namesSite(query)) SITE_PROBLEMS.forEach((kind) => all.add(kind));
  if (path.includes(':')) all.add('not-found');
  return PROBLEM_KINDS.filter((kind) => all.has(kind));
}

/** Whether a query has the id of a Site: in `site`, or in an `id` that is not a number. */
function namesSite({ properties }: TObject): boolean {
  const { site, id } = properties;
  return site !== undefined || id?.type === 'string';
}

/** What a route of this app declares in its schema. */
interface RouteSchema {
  querystring?: TObject;
  params?: TObject;
  response?: { 200: TSchema };
}

/**
 * Collects in `app.operations` and `app.paths` all routes that are added after this call, lets them
 * answer HEAD as well as GET, and sets the media types of their answers. A route without a query
 * schema accepts no parameters.
 */
export function listRoutes(app: FastifyInstance): void {
  const operations: DescribedRoute[] = [];
  const paths: string[] = [];
  const recorded: RouteOptions[] = [];
  app.decorate('operations', operations);
  app.decorate('paths', paths);
  app.decorate('recorded', recorded);
  app.addHook('onRoute', (route) => {
    const {
      querystring = NoParameters,
      params = NoParameters,
      response,
    } = (route.schema ?? {}) as RouteSchema;
    const {
      operationId,
      summary,
      example,
      problems = [],
      mediaType = HAL_MEDIA_TYPE,
      ...about
    } = route.config ?? {};
    const setType: preSerializationHookHandler = (_request, reply, payload, done) => {
      if (payload instanceof Content) prepareContent(reply, payload);
      else reply.type(mediaType);
      done(null, payload);
    };
    route.preSerialization = [route.preSerialization ?? [], setType].flat();
    route.schema = { ...route.schema, querystring };
    route.method = ['GET', 'HEAD'];
    paths.push(route.url);
    if ('asOf' in querystring.properties) recorded.push(route);
    if (operationId === undefined) return;
    if (summary === undefined || example === undefined)
      throw new Error(`${operationId} needs a summary and an example`);
    operations.push({
      tag: route.url.split(/[/.]/)[1]!,
      ...about,
      operationId,
      summary,
      example,
      path: route.url,
      query: querystring,
      parameters: params,
      response: response?.[200] ?? null,
      mediaType,
      problems: allProblems(route.url, querystring, problems),
    });
  });
}

/** What is sent of an answer. Pieces are a stream, which is empty for HEAD. */
function bodyOf({ body }: Content, reply: FastifyReply): string | Buffer | Readable {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  noteStreamed(reply.raw);
  // A stream for HEAD too: a text would have a Content-Length, which the answer to GET does not
  // have.
  return Readable.from(reply.request.method === 'HEAD' ? [] : body, { highWaterMark: 1 });
}

/**
 * Sends an answer as it is. It sets a serializer because Fastify otherwise adds a charset to JSON
 * media types.
 */
function prepareContent(reply: FastifyReply, { mediaType }: Content): void {
  // The types of Fastify know serializers of texts only.
  reply.type(mediaType).serializer((content: Content) => bodyOf(content, reply) as string);
}

/** A page, with the name of the network. What pages need is loaded with the first. */
export async function pageContent(app: FastifyInstance | App, page: Page): Promise<Content> {
  const { renderPage } = await import('../../web/page/layout.js');
  return new Content(HTML_MEDIA_TYPE, renderPage(page, app.network));
}

/** Tells whether the client of a request still has its connection open. */
export const isWantedBy =
  ({ raw }: FastifyRequest): IsWanted =>
  () =>
    raw.socket.writable !== false;
