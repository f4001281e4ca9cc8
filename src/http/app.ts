import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TObject } from '@sinclair/typebox';
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';
import type { StoreReader } from '../store/store.js';
import { baseUrlOf, type TrustProxy } from './base-url.js';
import { clientErrorHandler, refuseUrl } from './client-errors.js';
import { compileParameters } from './parameters.js';
import { addProblems } from './problems.js';
import { ContractFiles } from './contract-files.js';
import { addOtherMethods, addRoute, addSerializers, type Resource } from './resources.js';
import { addResponseCache } from './response-cache.js';
import { addSecurityHeaders, pageHeaders, securityHeaders } from './response-headers.js';
import { CHANGES } from './routes/changes.js';
import { collectionResources, ROOT } from './routes/collections.js';
import { contractResources } from './routes/contract.js';
import { pageRoutes, problemPage } from './routes/pages.js';
import { profileResources } from './routes/profiles.js';
import { installationResources } from './routes/installations.js';
import { searchResources } from './routes/searches.js';
import { statusResources } from './routes/service-status.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The URL under which the client reached the service, without a slash at the end. */
    baseUrl: string;
  }
}

/** What the app needs to know. */
export interface AppOptions {
  reader: StoreReader;
  /** The URL with which links start; null: the scheme and host of the request. */
  baseUrl?: string | null;
  trustProxy?: TrustProxy;
  logger?: FastifyServerOptions['logger'];
  /** Certificate and key as PEM; null: plain HTTP. */
  tls?: { cert: Buffer; key: Buffer } | null;
  /** The folder of the exported contract. */
  contractFolder: string;
  /** The time that pages show as now. */
  clock?: () => Date;
}

/** Every resource of the contract, with its description. */
export const resources = (files: ContractFiles): Resource[] => [
  ROOT,
  ...searchResources,
  CHANGES,
  ...installationResources,
  ...collectionResources,
  ...profileResources,
  ...contractResources(files),
  ...statusResources,
];

/** How long a client may take to send a request, in milliseconds. */
const REQUEST_TIMEOUT = 30_000;

/** Builds the app over a store; it listens to nothing yet. */
export async function buildApp({
  reader,
  contractFolder,
  baseUrl = null,
  trustProxy = false,
  logger = false,
  tls = null,
  clock = () => new Date(),
}: AppOptions): Promise<FastifyInstance> {
  const headers = await securityHeaders();
  const baseOf = (request: IncomingMessage): string => baseUrlOf(request, baseUrl, trustProxy);
  const app = fastify({
    logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // A logger of its own for each request costs more than the answer; what is logged of one names its id.
    childLoggerFactory: (parent) => parent,
    requestTimeout: REQUEST_TIMEOUT,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: clientErrorHandler(headers),
    frameworkErrors: (_error, _request, reply) => {
      reply.hijack();
      refuseUrl(headers, reply.raw);
    },
    ...(tls === null ? { http: { requireHostHeader: false } } : { https: { ...tls, requireHostHeader: false } }),
  } as FastifyServerOptions) as FastifyInstance;

  // An expectation other than 100-continue is passed over (RFC 9110, 10.1.1), not answered by Node without our header set.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  addSecurityHeaders(app, headers, await pageHeaders());
  addProblems(app, problemPage);
  app.setValidatorCompiler(({ schema }) => compileParameters(schema as TObject));
  app.decorateRequest('baseUrl', '');
  app.addHook('onRequest', (request, _reply, done) => {
    request.baseUrl = baseOf(request.raw);
    done();
  });
  const logsRequests = app.log.level === 'debug' || app.log.level === 'trace';
  // What is answered from the cache passes no hook, and so would not be logged.
  if (!logsRequests) addResponseCache(app, reader, baseOf);
  if (logsRequests) {
    app.addHook('onResponse', (request, reply, done) => {
      request.log.debug(
        { reqId: request.id, method: request.method, url: request.url, status: reply.statusCode, milliseconds: reply.elapsedTime },
        'answered',
      );
      done();
    });
  }

  const routes = [...resources(new ContractFiles(contractFolder)), ...pageRoutes(clock)];
  addSerializers(app);
  addOtherMethods(app, routes);
  for (const route of routes) addRoute(app, reader, route);
  await app.ready();
  return app;
}
