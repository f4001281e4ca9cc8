import type { FastifyHelmetOptions } from '@fastify/helmet';
import fastify, { type FastifyInstance, type FastifyReply, type onSendHookHandler } from 'fastify';
import { HTML_MEDIA_TYPE } from './accept.js';
import { PROBLEM_MEDIA_TYPE } from './problems.js';
import { SCHEMA_COMPILERS } from './schema-compilers.js';

/** The media type of HAL documents, exactly as the contract has it. */
export const HAL_MEDIA_TYPE = 'application/hal+json;charset=UTF-8';

/**
 * The header fields of every response, including errors. With Content-Type and Content-Length they
 * are the nine fields of the contract.
 */
export const FIXED_FIELDS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-xss-protection': '1; mode=block',
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: '0',
  'strict-transport-security': 'max-age=31536000 ; includeSubDomains',
};

/**
 * What helmet adds to pages: styles, images and form targets of this service; no scripts, nothing
 * from elsewhere.
 */
const OF_PAGES: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  referrerPolicy: { policy: 'no-referrer' },
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: false,
  crossOriginResourcePolicy: false,
  dnsPrefetchControl: false,
  frameguard: { action: 'deny' },
  hidePoweredBy: false,
  hsts: false,
  ieNoOpen: false,
  originAgentCluster: false,
  permittedCrossDomainPolicies: false,
  xssFilter: false,
};

/**
 * The header fields that helmet adds to pages, besides the fixed ones. They never change, but
 * helmet adds two hooks to every request, and builds the fields anew for each page: so it is asked
 * once, in an app of its own.
 */
async function askHelmet(): Promise<Record<string, string>> {
  const { default: helmet } = await import('@fastify/helmet');
  const app = fastify({ schemaController: SCHEMA_COMPILERS });
  await app.register(helmet, OF_PAGES);
  app.get('/', async () => '');
  const { headers } = await app.inject('/');
  const ofHelmet = ['content-security-policy', 'referrer-policy'];
  return Object.fromEntries(ofHelmet.map((name) => [name, String(headers[name])]));
}

let fieldsOfPages: Record<string, string> | undefined;

/** Sets the header fields of pages. Helmet is loaded with the first page: it takes 1 MB. */
async function setFieldsOfPages(reply: FastifyReply): Promise<void> {
  fieldsOfPages ??= await askHelmet();
  reply.headers(fieldsOfPages);
}

const addFieldsOfPages: onSendHookHandler = (_request, reply, payload, done) => {
  setFieldsOfPages(reply).then(() => done(null, payload), done);
};

/**
 * Sets the fixed header fields on every response, and those of pages on all responses of pages and
 * all HTML. The hook runs on every request, because errors have the fields, too, also without a
 * route. It costs 0.4 µs. Call this before adding hooks and routes.
 */
export function addHeaderFields(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.page === true) route.onSend = [route.onSend ?? [], addFieldsOfPages].flat();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.headers(FIXED_FIELDS);
    const mediaType = reply.getHeader('content-type');
    if (mediaType === HTML_MEDIA_TYPE) {
      setFieldsOfPages(reply).then(() => done(null, payload), done);
      return;
    }
    // Answers without content, such as a redirect, have the media type of the contract.
    if (mediaType === undefined) {
      reply.header('content-type', HAL_MEDIA_TYPE);
      // Fastify adds the length for GET only.
      if (request.method === 'HEAD' && reply.hasHeader('location'))
        reply.header('content-length', '0');
    }
    // Fastify adds a charset to every JSON media type, but application/problem+json has no such
    // parameter (RFC 9457).
    else if (reply.statusCode >= 400) reply.header('content-type', PROBLEM_MEDIA_TYPE);
    done(null, payload);
  });
}
