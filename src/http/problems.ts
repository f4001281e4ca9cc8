import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { InvalidParameter, Problem } from '../../schemas/index.js';
import { HTML_MEDIA_TYPE } from '../web/layout.js';
import { prefersPage } from './accept.js';

/** The media type of a problem document (RFC 9457, section 3). */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** The kinds of problems: for each its type, its title and its status. */
const KINDS = {
  'invalid-parameter': ['A query or path parameter is not as it should be', 400],
  'bad-request': ['The request is no HTTP request that is understood', 400],
  'unknown-site': ['There is no such Site', 404],
  'no-current-setup': ['The Site has no current Setup', 404],
  'before-first-setup': ['The first Setup of the Site begins later', 404],
  'not-recorded': ['The Site was not on record then', 404],
  'not-found': ['There is no such resource', 404],
  'method-not-allowed': ['The resource does not support the method', 405],
  'internal-error': ['The service failed', 500],
  'not-ready': ['The store does not answer', 503],
} as const satisfies Record<string, readonly [string, number]>;

/** The kind of a problem; its `type` on the wire is `urn:gnss-site-setups:problem:` and this. */
export type ProblemKind = keyof typeof KINDS;

/** The type of a kind of problem on the wire. */
export const problemType = (kind: ProblemKind): string => `urn:gnss-site-setups:problem:${kind}`;

/** The title of a kind of problem. */
export const titleOf = (kind: ProblemKind): string => KINDS[kind][0];
/** The HTTP status of a kind of problem. */
export const statusOf = (kind: ProblemKind): number => KINDS[kind][1];

/** An answer that is a problem document. What it says is shown to the client. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;
  /** Header fields that go with it, such as `Allow`. */
  readonly headers: Record<string, string>;

  constructor(
    kind: ProblemKind,
    detail: string,
    {
      headers = {},
      ...members
    }: { headers?: Record<string, string>; instance?: string; firstSetupFrom?: string; invalidParameters?: InvalidParameter[] } = {},
  ) {
    super(detail);
    const [title, status] = KINDS[kind];
    this.problem = { type: problemType(kind), title, status, detail, ...members };
    this.headers = headers;
  }
}

/** Makes a page of a problem, for people. */
export type ProblemPage = (request: FastifyRequest, problem: Problem) => string;

/** Whether a problem is read by a person: that of a page, or, in a browser, that there is nothing. */
const isForPeople = (request: FastifyRequest, { status }: Problem): boolean =>
  request.is404 ? status === statusOf('not-found') && prefersPage(request.headers.accept) : request.routeOptions.config.page === true;

/** The one place where an error becomes an answer. What is not a {@link ProblemError} stays in the log. */
function toProblem(error: FastifyError | ProblemError, request: FastifyRequest): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ProblemError('bad-request', 'The request cannot be understood; see RFC 9110 and the README of the service.');
  }
  request.log.error({ reqId: request.id, err: error }, 'request failed');
  return new ProblemError('internal-error', 'The service failed to answer; its log has the reason under the id named by "instance".', {
    instance: `urn:uuid:${request.id}`,
  });
}

/** Sends an error as a problem document, or as a page. */
function sendProblem(error: FastifyError | ProblemError, request: FastifyRequest, reply: FastifyReply, page: ProblemPage): void {
  const { problem, headers } = toProblem(error, request);
  reply.code(problem.status).headers(headers);
  if (isForPeople(request, problem)) {
    reply
      .type(HTML_MEDIA_TYPE)
      .serializer((text: string) => text)
      .send(page(request, problem));
  } else reply.type(PROBLEM_MEDIA_TYPE).send(problem);
}

/** Makes every error of the app a problem document, or a page where a person reads it. */
export function addProblems(app: FastifyInstance, page: ProblemPage): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => sendProblem(error, request, reply, page));
}
