import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import fastify, { type FastifyInstance, type onSendHookHandler } from 'fastify';
import { HTML_MEDIA_TYPE } from '../../web/layout.js';
import { PROBLEM_MEDIA_TYPE } from './problems.js';
import { SCHEMA_COMPILERS } from './schema-compilers.js';

/** The media type of HAL documents, exactly as the contract has it. */
export const HAL_MEDIA_TYPE = 'application/hal+json;charset=UTF-8';

/** The header fields of the contract that helmet does not set, or sets to other values. */
const OWN: Record<string, string> = {
  'x-xss-protection': '1; mode=block',
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: '0',
  'strict-transport-security': 'max-age=31536000 ; includeSubDomains',
};

/** Options of helmet: only the two fields whose values in the contract are those of helmet, `nosniff` and `DENY`. */
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

/** The Content-Security-Policy of pages: styles, images and form targets of this service. No scripts, nothing from elsewhere. */
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
/** Options of helmet for pages. */
const HELMET_OF_PAGES: FastifyHelmetOptions = { ...HELMET, contentSecurityPolicy: POLICY, referrerPolicy: { policy: 'no-referrer' } };

/** The fixed header fields of responses. */
export interface HeaderFields {
  /** On every response, including errors. With Content-Type and Content-Length they are the nine fields of the contract. */
  all: Record<string, string>;
  /** Additional fields of pages. */
  pages: Record<string, string>;
}

/**
 * Reads the header fields once, from helmet and the contract. helmet would build its middleware again for each request,
 * although its values never change. So a probe server answers one request, to which helmet adds each set of fields.
 */
export async function readHeaderFields(): Promise<HeaderFields> {
  const probe = fastify({ schemaController: SCHEMA_COMPILERS });
  await probe.register(helmet, { global: false });
  probe.get('/', (_request, reply) => {
    const fieldsOf = (options: FastifyHelmetOptions): Record<string, string> => {
      reply.helmet(options);
      return Object.fromEntries(Object.entries(reply.raw.getHeaders()).map(([name, value]) => [name, String(value)]));
    };
    // The fields of pages include the others, so they are added last.
    const [all, pages] = [fieldsOf(HELMET), fieldsOf(HELMET_OF_PAGES)];
    return { all: { ...all, ...OWN }, pages };
  });
  const fields = (await probe.inject('/')).json<HeaderFields>();
  await probe.close();
  return fields;
}

/**
 * Sets the fixed header fields on every response, and those of pages on all responses of pages and all HTML. Call this
 * before adding routes.
 */
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
    // Answers without content, such as a redirect, have the media type of the contract.
    if (!reply.hasHeader('content-type')) reply.header('content-type', HAL_MEDIA_TYPE);
    if (reply.getHeader('content-type') === HTML_MEDIA_TYPE) reply.headers(pages);
    // Fastify adds a charset to every JSON media type, but application/problem+json has no such parameter (RFC 9457).
    else if (reply.statusCode >= 400) reply.header('content-type', PROBLEM_MEDIA_TYPE);
    // As bytes, the body need not be encoded together with the header fields.
    done(null, typeof payload === 'string' ? Buffer.from(payload) : payload);
  });
}
