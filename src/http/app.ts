import { randomUUID } from 'node:crypto';
import type { TObject, TSchema } from '@sinclair/typebox';
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';
import { CORS_SITES, EQUIPMENT, SETUPS } from '../../schemas/index.js';
import type { StoreReader } from '../store/store.js';
import { addSearchIndex } from './collection-routes.js';
import { type App, addMediaTypes, listRoutes, type SchemaTypes } from './operations.js';
import { addChanges } from './routes/changes.js';
import { addDescription } from './routes/description.js';
import { addDevices, addEquipment } from './routes/devices.js';
import { addPages, problemPage } from './routes/pages.js';
import { addProfiles } from './routes/profiles.js';
import { addRoot } from './routes/root.js';
import { addSetupLookups } from './routes/setup-lookups.js';
import { addSetups } from './routes/setups.js';
import { addSites } from './routes/sites.js';
import { addStatus } from './routes/status.js';
import { addBaseUrl, type TrustProxy } from './wire/base-url.js';
import { clientErrorHandler, refuseUrl } from './wire/client-errors.js';
import { addHeaderFields, readHeaderFields } from './wire/header-fields.js';
import { addOtherMethods } from './wire/other-methods.js';
import { addProblems } from './wire/problems.js';
import { compileParameters } from './wire/query-validator.js';
import { addRequestLog } from './wire/request-log.js';
import { addResponseCache } from './wire/response-cache.js';
import { serializerOf } from './wire/serializers.js';

/** What the app is built from. */
export interface AppOptions {
  store: StoreReader;
  /** The URL with which links start; null: the scheme and host of the request. */
  baseUrl?: string | null;
  trustProxy?: TrustProxy;
  logger?: FastifyServerOptions['logger'];
  /** Certificate and key in PEM; null: plain HTTP. */
  tls?: { cert: Buffer; key: Buffer } | null;
  /** The folder of the exported contract. */
  contractFolder: string;
  /** The most memory that cached answers take; 0: no answer is cached. */
  cacheMegabytes?: number;
  /** The time that pages show as now. */
  clock?: () => Date;
}

/** How long a client may take to send a request, in milliseconds. */
const REQUEST_TIMEOUT = 30_000;

/** Builds the app over a store. It does not listen yet. */
export async function buildApp({
  store,
  contractFolder,
  baseUrl = null,
  trustProxy = false,
  logger = false,
  tls = null,
  cacheMegabytes = 32,
  clock = () => new Date(),
}: AppOptions): Promise<FastifyInstance> {
  const headerFields = await readHeaderFields();
  const options: FastifyServerOptions = {
    logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // A logger of its own for each request would cost more than the answer; what is logged of a request names its id.
    childLoggerFactory: (parent) => parent,
    requestTimeout: REQUEST_TIMEOUT,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: clientErrorHandler(headerFields.all),
    frameworkErrors: (_error, _request, reply) => {
      reply.hijack();
      refuseUrl(headerFields.all, reply.raw);
    },
  };
  const server = { requireHostHeader: false };
  const instance = fastify({ ...options, ...(tls === null ? { http: server } : { https: { ...tls, ...server } }) } as FastifyServerOptions);

  // An expectation other than 100-continue is ignored (RFC 9110, 10.1.1). Node alone would answer it without our header fields.
  instance.server.on('checkExpectation', (request, response) => instance.server.emit('request', request, response));
  instance.setValidatorCompiler<TObject>(({ schema }) => compileParameters(schema));
  instance.setSerializerCompiler(({ schema }) => serializerOf(schema as TSchema));
  listRoutes(instance);
  addHeaderFields(instance, headerFields);
  addMediaTypes(instance);
  addProblems(instance, problemPage);
  addRequestLog(instance);
  addBaseUrl(instance, baseUrl, trustProxy);
  addOtherMethods(instance);
  if (cacheMegabytes > 0) addResponseCache(instance, () => store.version(), cacheMegabytes);

  const app: App = instance.withTypeProvider<SchemaTypes>();
  addRoot(app);
  addSearchIndex(app, SETUPS);
  addSetupLookups(app, store);
  addSetups(app, store);
  addChanges(app, store);
  addSearchIndex(app, CORS_SITES);
  addSites(app, store);
  addDevices(app, store);
  addSearchIndex(app, EQUIPMENT);
  addEquipment(app, store);
  addProfiles(app);
  addDescription(app, contractFolder);
  addStatus(app, store);
  addPages(app, store, clock);
  await app.ready();
  return instance;
}
