import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { type Logger, pino } from 'pino';
import { CORS_SITES, EQUIPMENT, type Instant, SETUPS } from '../../schemas/index.js';
import { instantAt } from '../requests/units-of-time.js';
import type { Store } from '../store/store.js';
import { addSearchIndex } from './contract/collection-routes.js';
import { type App, listRoutes, type SchemaTypes } from './contract/operations.js';
import { addChanges } from './routes/changes.js';
import { addDescription } from './routes/description.js';
import { addAssets } from './pages/assets.js';
import { addCitations } from './routes/citations.js';
import { addComparison } from './pages/compare.js';
import { addDevicePages } from './pages/devices.js';
import { addDevices, addEquipment } from './routes/devices.js';
import { addExports } from './routes/exports.js';
import { addFindings } from './routes/findings.js';
import { addFindingsSheet } from './pages/findings-sheet.js';
import { addFeed } from './routes/feed.js';
import { addLogPage } from './pages/log-page.js';
import { addNetwork } from './pages/network.js';
import { addOgc } from './routes/ogc.js';
import { problemPage } from './pages/problem.js';
import { addSitePage } from './pages/site.js';
import { addSitesPage } from './pages/sites.js';
import { addLogComparisons } from './routes/log-comparisons.js';
import { addProfiles } from './routes/profiles.js';
import { addRoot } from './routes/root.js';
import { addSetupLookups } from './routes/setup-lookups.js';
import { addSetups } from './routes/setups.js';
import { addSiteLogs } from './routes/site-logs.js';
import { addSiteFiles } from './routes/site-files.js';
import { addSites } from './routes/sites.js';
import { addSkeletonFiles } from './routes/skeleton-files.js';
import { addStationLogs } from './routes/station-logs.js';
import { addStatus, type BuildNames } from './routes/status.js';
import type { Network } from '../web/page/layout.js';
import { type Answer, observeAnswers, type Refusal } from './wire/answers.js';
import { addBaseUrl, type TrustProxy } from './wire/base-url.js';
import { addCors } from './wire/cors.js';
import {
  answerConnect,
  answerExpectations,
  clientErrorHandler,
  refuseUrl,
} from './wire/client-errors.js';
import { addCostlyQueue } from './wire/costly-queue.js';
import { addHeaderFields } from './wire/header-fields.js';
import { addOtherMethods } from './wire/other-methods.js';
import { watchOutages } from './wire/outage.js';
import { addProblems } from './wire/problems.js';
import { addTargetChecks, pathOfTarget } from './wire/request-target.js';
import { addResponseCache } from './wire/response-cache.js';
import { SCHEMA_COMPILERS } from './wire/schema-compilers.js';

/** What the app is built from. */
export interface AppOptions {
  store: Store;
  /** The URL that links start with; null for the scheme and host of each request. Default: null. */
  baseUrl?: string | null;
  /** Which proxies to believe about client, scheme and host. Default: none. */
  trustProxy?: TrustProxy;
  /** The hosts that requests may name, as in `Origin`; null for any. Default: null. */
  allowedHosts?: readonly string[] | null;
  /** The origins whose pages may read answers in browsers; `*` for all. Default: none. */
  corsOrigins?: readonly string[];
  /** Default: no log. */
  log?: Logger;
  /** Certificate and key in PEM; null for plain HTTP. Default: null. */
  tls?: { cert: Buffer; key: Buffer } | null;
  /** The folder of the exported contract. */
  contractFolder: string;
  /** Memory for cached answers, in MiB; 0 turns the cache off. Default: 32. */
  cacheMegabytes?: number;
  /**
   * Whether to publish the personal data in site logs: names of persons, telephone numbers, email
   * addresses. Default: false.
   */
  publishContacts?: boolean;
  /** Whether to log each request with its client. Default: false. */
  accessLog?: boolean;
  /** Called after each answer. */
  onAnswer?: ((answer: Answer) => void) | null;
  /** How long a costly request may wait for others, in milliseconds. Default: 2000. */
  patience?: number;
  /** The current time. Default: that of the machine. */
  clock?: () => Date;
  /** Whose network it is. Default: unknown. */
  network?: Network;
  /** Default: unknown. */
  build?: BuildNames;
}

/** How long a client may take for a TLS handshake, and then to send a request, in milliseconds. */
const REQUEST_TIMEOUT = 25_000;
/**
 * How often Node looks for connections over that time, in milliseconds. With the sum of both, no
 * incomplete request lasts 30 seconds.
 */
const CHECKING_INTERVAL = 1000;

/** The options of the server that concern every app. */
const SERVER_OPTIONS = {
  requireHostHeader: false,
  headersTimeout: REQUEST_TIMEOUT,
  connectionsCheckingInterval: CHECKING_INTERVAL,
};

/**
 * Makes an app without routes.
 * @param onRefusal called for each request that is refused before Fastify sees it
 */
function createInstance(
  trustProxy: TrustProxy,
  tls: Exclude<AppOptions['tls'], undefined>,
  onRefusal: (refusal: Refusal) => void,
): FastifyInstance {
  const options: FastifyServerOptions = {
    // The log is our own, and its entries about a request name its id: for a logger, Fastify
    // listens for the end of each answer, which costs 1 µs. Its own entries, about a handler that
    // sends two answers, are not logged.
    logger: false,
    schemaController: SCHEMA_COMPILERS,
    // Each route answers HEAD itself (`listRoutes`). Another one for it would take as much memory.
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_TIMEOUT,
    rewriteUrl: pathOfTarget,
    trustProxy,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: clientErrorHandler(onRefusal),
    frameworkErrors: (_error, _request, reply) => {
      reply.hijack();
      refuseUrl(reply.raw, onRefusal);
    },
  };
  if (tls === null) return fastify({ ...options, http: SERVER_OPTIONS } as FastifyServerOptions);
  const https = { ...tls, ...SERVER_OPTIONS, handshakeTimeout: REQUEST_TIMEOUT };
  return fastify({ ...options, https } as FastifyServerOptions);
}

/** Builds the app over a store. It is ready for requests but does not listen. */
export async function buildApp({
  store,
  contractFolder,
  baseUrl = null,
  trustProxy = false,
  allowedHosts = null,
  corsOrigins = [],
  log = pino({ enabled: false }),
  tls = null,
  cacheMegabytes = 32,
  publishContacts = false,
  accessLog = false,
  onAnswer = null,
  patience = 2000,
  clock = () => new Date(),
  network = { name: null, url: null },
  build = { version: null, revision: null },
}: AppOptions): Promise<FastifyInstance> {
  let observeRefusal: (refusal: Refusal) => void;
  const instance = createInstance(trustProxy, tls, (refusal) => observeRefusal(refusal));
  answerExpectations(instance.server);
  answerConnect(instance.server);
  instance.decorate('network', network);
  listRoutes(instance);
  addHeaderFields(instance);
  addCors(instance, corsOrigins);
  addProblems(
    instance,
    log,
    (request, problem) => problemPage(store, request, problem),
    watchOutages(instance, log, () => store.database.check()),
  );
  store.database.onLoss = (message) => log.warn(message);
  observeRefusal = observeAnswers(instance, log, { onAnswer, accessLog });
  addTargetChecks(instance);
  addBaseUrl(instance, { baseUrl, allowedHosts });
  addOtherMethods(instance);
  if (cacheMegabytes > 0) addResponseCache(instance, store.database, cacheMegabytes);
  addCostlyQueue(instance, log, store.database.costlyAtOnce, patience);

  const app: App = instance.withTypeProvider<SchemaTypes>();
  const now = (): Instant => instantAt(clock());
  addRoot(app);
  addSearchIndex(app, SETUPS);
  addSetupLookups(app, store, clock, publishContacts);
  addSetups(app, store, clock, publishContacts);
  addChanges(app, store, clock);
  addFindings(app, store, publishContacts);
  addFeed(app, store, publishContacts);
  addExports(app, store, clock);
  addSiteFiles(app, store, clock);
  addOgc(app, store);
  addSearchIndex(app, CORS_SITES);
  addSites(app, store, clock);
  addSiteLogs(app, store, clock, publishContacts);
  addLogComparisons(app, store, clock, publishContacts);
  addDevices(app, store);
  addSearchIndex(app, EQUIPMENT);
  addEquipment(app, store);
  addSkeletonFiles(app, store, clock);
  addStationLogs(app, store, publishContacts);
  addProfiles(app);
  addDescription(app, store, contractFolder);
  addStatus(app, store, log, clock, build);
  addSitesPage(app, store, now);
  addSitePage(app, store, clock, publishContacts);
  addAssets(app);
  addLogPage(app, store, clock, publishContacts);
  addFindingsSheet(app, store, publishContacts);
  addDevicePages(app, store, now);
  addNetwork(app, store, now);
  addComparison(app, store, clock);
  addCitations(app, store, clock, { version: build.version, network: network.name });
  await app.ready();
  return instance;
}
