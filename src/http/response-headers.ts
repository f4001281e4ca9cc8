import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { HTML_MEDIA_TYPE } from '../web/layout.js';
import { PROBLEM_MEDIA_TYPE } from './problems.js';

/** The header fields that the contract sets itself: those helmet does not know, and those it writes otherwise. */
const OWN: Record<string, string> = {
  'x-xss-protection': '1; mode=block',
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: '0',
  'strict-transport-security': 'max-age=31536000 ; includeSubDomains',
};

/** Of helmet, the fields that the contract has and helmet writes as the contract wants them. */
const HELMET: FastifyHelmetOptions = {
  contentSecurityPolicy: false,
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: false,
  crossOriginResourcePolicy: false,
  dnsPrefetchControl: false,
  frameguard: { action: 'deny' },
  hidePoweredBy: false,
  hsts: false,
  ieNoOpen: false,
  noSniff: true,
  originAgentCluster: false,
  permittedCrossDomainPolicies: false,
  referrerPolicy: false,
  xssFilter: false,
};

/**
 * What helmet sets, asked of it once over a stub of an app and of a response: it builds its middleware anew for every
 * request, which costs a quarter of the service's speed, for values that do not depend on the request.
 */
async function helmetHeaders(options: FastifyHelmetOptions): Promise<Record<string, string>> {
  const headers: Record<string, string> = {};
  const request = { raw: {}, routeOptions: { config: {} } };
  const reply = {
    raw: { setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value), removeHeader: () => undefined },
  };
  const hooks: ((...hook: unknown[]) => unknown)[] = [];
  const app = {
    hasReplyDecorator: () => true,
    addHook: (name: string, hook: (typeof hooks)[number]) => name === 'onRequest' && hooks.push(hook),
  };
  await (helmet as unknown as (app: object, options: FastifyHelmetOptions) => Promise<void>)(app, options);
  for (const hook of hooks) await hook(request, reply);
  return headers;
}

/** The fixed header fields of every response, errors included; Content-Type and Content-Length complete the contract's nine. */
export async function securityHeaders(): Promise<Record<string, string>> {
  return { ...(await helmetHeaders(HELMET)), ...OWN };
}

/** What a page may do: show the style and the images of the service, and send its forms there; no script, nothing from elsewhere. */
const POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
};

/** The header fields that pages have beside the fixed ones. */
export async function pageHeaders(): Promise<Record<string, string>> {
  return helmetHeaders({ ...HELMET, contentSecurityPolicy: POLICY });
}

/** Sets the fixed header fields on every response, and those of pages on pages and on whatever is HTML. */
export function addSecurityHeaders(app: FastifyInstance, headers: Record<string, string>, ofPages: Record<string, string>): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.headers(headers);
    const isHtml = reply.getHeader('content-type') === HTML_MEDIA_TYPE;
    if (isHtml || request.routeOptions.config?.page === true) reply.headers(ofPages);
    // Fastify adds a charset to every JSON media type; that of a problem document has no such parameter (RFC 9457).
    if (!isHtml && reply.statusCode >= 400) reply.header('content-type', PROBLEM_MEDIA_TYPE);
    done(null, payload);
  });
}
