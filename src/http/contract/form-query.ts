import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { isForPage } from '../wire/accept.js';

/** The values of a field that was filled in. The field for Sites may hold several ids. */
function valuesOf(name: string, sent: string | string[]): string[] {
  const texts = [sent].flat();
  const values = name === 'site' ? texts.flatMap((text) => text.split(/[\s,]+/)) : texts;
  return values.map((value) => value.trim()).filter((value) => value !== '');
}

/**
 * Reads the query of a page as a form sends it, so that it has the schema of the API: empty fields
 * and blanks around a value do not count, and one field names several Sites. A hook before the
 * query is validated.
 */
export function readForm(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  if (isForPage(request)) {
    const sent = Object.entries(request.query as Record<string, string | string[]>);
    const filledIn = sent
      .map(([name, value]) => [name, valuesOf(name, value)] as const)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => [name, values.length === 1 ? values[0] : values]);
    request.query = Object.fromEntries(filledIn);
  }
  done();
}
