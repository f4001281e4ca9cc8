import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { prefersPage } from '../wire/accept.js';

/**
 * Adapts the query of a form, in which fields may be empty and one field names several Sites, to
 * that of the API. A hook before the query is validated.
 */
export function readForm(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  if (prefersPage(request.headers.accept)) {
    const entries = Object.entries(request.query as Record<string, string | string[]>).filter(
      ([, value]) => value !== '',
    );
    const { site, ...others } = Object.fromEntries(entries);
    const sites = [site ?? []]
      .flat()
      .flatMap((each) => each.split(/[\s,]+/).filter((part) => part !== ''));
    request.query = sites.length === 0 ? others : { site: sites, ...others };
  }
  done();
}
