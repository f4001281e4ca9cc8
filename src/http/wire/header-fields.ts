import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import fastify, { type FastifyInstance, type onSendHookHandler } from 'fastify';
import { HTML_MEDIA_TYPE } from '../../web/layout.js';
import { PROBLEM_MEDIA_TYPE } from './problems.js';

/** The header fields of the contract that helmet does not set, or sets to another value. */
const OWN: Record<string, string> = {
  'x-xss-protection': '1; mode=block',
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: '0',
  'strict-transport-security': 'max-age=31536000 ; includeSubDomains',
};

/** helmet's options: only the two fields that the contract has with helmet's values, `nosniff` and `DENY`. */
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

/** What a page may load: styles, images and form targets of this service. No scripts, nothing from elsewhere. */
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

/** The fixed header fields of responses. */
export interface HeaderFields {
  /** On every response, errors included. Content-Type and Content-Length complete the nine of the contract. */
  all: Record<string, string>;
  /** In addition on pages. */
  pages: Record<string, string>;
}

/**
 * The header fields as helmet and the contract have them. helmet builds its middleware anew for each request, though its
 * values do not depend on the request; so it is asked once, through a probe that answers one request for each set of options.
 */
export async function readHeaderFields(): Promise<HeaderFields> {
  const probe = fastify();
  await probe.register(helmet, { global: false });
  probe.get('/without', (_request, reply) => reply.send());
  probe.get('/all', { helmet: HELMET }, (_request, reply) => reply.send());
  probe.get('/pages', { helmet: { ...HELMET, contentSecurityPolicy: POLICY } }, (_request, reply) => reply.send());
  const fieldsOf = async (path: string): Promise<Record<string, string>> =>
    Object.fromEntries(Object.entries((await probe.inject(path)).headers).map(([name, value]) => [name, String(value)]));
  const transport = Object.keys(await fieldsOf('/without'));
  const ofHelmet = async (path: string): Promise<Record<string, string>> =>
    Object.fromEntries(Object.entries(await fieldsOf(path)).filter(([name]) => !transport.includes(name)));
  const fields = { all: { ...(await ofHelmet('/all')), ...OWN }, pages: await ofHelmet('/pages') };
  await probe.close();
  return fields;
}

/** Sets the fixed header fields on every response, and those of pages on pages and on all HTML. Call this before the routes are added. */
export function addHeaderFields(app: FastifyInstance, { all, pages }: HeaderFields): void {
  const ofPage: onSendHookHandler = (_request, reply, payload, done) => {
    reply.headers(pages);
    done(null, payload);
  };
  app.addHook('onRoute', (route) => {
    if (route.config?.page === true) route.onSend = [route.onSend ?? [], ofPage].flat();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    reply.headers(all);
    if (reply.getHeader('content-type') === HTML_MEDIA_TYPE) reply.headers(pages);
    // Fastify adds a charset to every JSON media type; that of a problem document has no such parameter (RFC 9457).
    else if (reply.statusCode >= 400) reply.header('content-type', PROBLEM_MEDIA_TYPE);
    done(null, payload);
  });
}
