import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

const ids = new WeakMap<FastifyRequest, string>();

/**
 * The id of a request, under which the log has it. It is made when it is first asked for, because
 * nobody asks for most of them.
 */
export function requestIdOf(request: FastifyRequest): string {
  const id = ids.get(request) ?? randomUUID();
  ids.set(request, id);
  return id;
}
