import type { FastifyRequest } from 'fastify';
import type { CitedRequest } from '../../exports/citation.js';
import { CITATION, type QueryValues } from '../../links.js';

/** The request whose answer is cited: this one, or the one that it asks for the citation of. */
export const citedRequest = ({
  baseUrl,
  routeOptions,
  params,
  query,
}: FastifyRequest): CitedRequest => ({
  base: baseUrl,
  path: routeOptions.url!.replace(CITATION, ''),
  parameters: params as object,
  query: query as QueryValues,
});
