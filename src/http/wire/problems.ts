import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Problem } from '../../../schemas/index.js';
import type { UnresolvedSite } from '../../derive/site-identity.js';
import {
  invalidParameter,
  RequestRefused,
  sentenceAbout,
  sentenceNotRecorded,
} from '../../exports/refusals.js';
import { href, type QueryValues } from '../../links.js';
import { PageTooLarge } from '../../store/page.js';
import { StoreBusy, StoreUnusable } from '../../store/store.js';
import { HTML_MEDIA_TYPE, isForPage, prefersPage } from './accept.js';
import { meantResources, type RefusedRequest } from './meant-resources.js';
import { requestIdOf } from './request-id.js';
import { serializerOf } from '../../serializers/serializers.js';

/** The media type of a problem document (RFC 9457, section 3). */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** The kinds of problems, with title and status, in the order in which the contract lists them. */
const KINDS = {
  'invalid-parameter': ['Invalid parameter', 400],
  'bad-request': ['Malformed HTTP request', 400],
  'contacts-withheld': ['The file has contacts, which are not published', 403],
  'not-found': ['Not found', 404],
  'unknown-site': ['Unknown Site', 404],
  'retired-site': ['The Site was retired', 404],
  'renamed-site': ['The Site was renamed', 404],
  'no-current-setup': ['The Site has no current Setup', 404],
  'no-previous-log': ['The site log is the first of its Site', 404],
  'not-recorded': ['Not on record then', 404],
  'before-first-setup': ['The Site had no Setup yet', 404],
  'before-first-log': ['The Site had no site log yet', 404],
  'method-not-allowed': ['Method not allowed', 405],
  'ambiguous-site': ['Several Sites have this id', 409],
  'unknown-cursor': ['No entry of this feed has this cursor', 410],
  'misdirected-request': ['Misdirected request', 421],
  'internal-error': ['Internal error', 500],
  'not-ready': ['The database cannot be read', 503],
  'service-busy': ['The service is busy', 503],
} as const satisfies Record<string, readonly [string, number]>;

/**
 * After how many seconds to repeat a request that the service is too busy for: by then, a full
 * queue has been worked off.
 */
const RETRY_AFTER = 1;

/**
 * The kind of a problem. On the wire, `type` is `urn:gnss-site-setups:problem:` followed by this.
 */
export type ProblemKind = keyof typeof KINDS;
export const PROBLEM_KINDS = Object.keys(KINDS) as ProblemKind[];

/** The problems of a request that names a Site by its id. */
export const SITE_PROBLEMS = [
  'unknown-site',
  'ambiguous-site',
  'retired-site',
  'renamed-site',
] as const satisfies ProblemKind[];

/** The `type` of a kind of problem on the wire. */
export const problemType = (kind: ProblemKind): string => `urn:gnss-site-setups:problem:${kind}`;

/** The title of a kind of problem. */
export const problemTitle = (kind: ProblemKind): string => KINDS[kind][0];
/** The HTTP status of a kind of problem. */
export const problemStatus = (kind: ProblemKind): number => KINDS[kind][1];

/** The optional members of a problem document, apart from `detail`. */
type ProblemMembers = Pick<
  Problem,
  | 'instance'
  | 'firstSetupFrom'
  | 'candidates'
  | 'retiredAt'
  | 'renamedTo'
  | 'links'
  | 'invalidParameters'
>;

/** An error that is answered with a problem document. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  /**
   * @param detail what went wrong with this request; the client sees it
   * @param headers additional header fields of the response, such as `Allow`
   */
  constructor(
    kind: ProblemKind,
    detail: string,
    members: ProblemMembers = {},
    readonly headers: Record<string, string> = {},
  ) {
    // Nobody reads the stack of a problem, and taking it would cost as much as a lookup.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail);
    Error.stackTraceLimit = stackTraceLimit;
    const [title, status] = KINDS[kind];
    this.problem = { type: problemType(kind), title, status, detail, ...members };
  }
}

/** Builds the URL of the same request for another id of a Site. */
export type UrlOfSite = (id: string) => string;

/** The members of a problem that lead to the Sites that may have been meant. */
function membersFor(answer: UnresolvedSite, urlOf: UrlOfSite): ProblemMembers {
  switch (answer.kind) {
    case 'unknown-site':
      return {};
    case 'ambiguous-site':
      return {
        candidates: answer.candidates.map((id) => ({ nineCharacterId: id, href: urlOf(id) })),
      };
    case 'retired-site':
      return { retiredAt: answer.since };
    case 'renamed-site':
      return { renamedTo: { id: answer.id, href: urlOf(answer.id) } };
  }
}

/**
 * The problem that an id identifies no Site that is on record now.
 * @param asked the id, for people
 * @param urlOf gives the links in the problem
 */
export const siteProblem = (
  answer: UnresolvedSite,
  asked: string,
  urlOf: UrlOfSite,
): ProblemError =>
  new ProblemError(answer.kind, sentenceAbout(answer, asked), membersFor(answer, urlOf));

/** The problem that no Site had an id on record at an earlier time. @param asked for people */
export const notRecorded = (asked: string, asOf: string): ProblemError =>
  new ProblemError('not-recorded', sentenceNotRecorded(asked, asOf));

/** Builds the URL of a request with one of its ids replaced. */
function urlWithSite(request: FastifyRequest, parameter: string, asked: string): UrlOfSite {
  const query = request.query as Record<string, string | string[]>;
  const ids = [query[parameter] ?? []].flat();
  return (id) =>
    href(request.baseUrl, request.routeOptions.url!, {
      ...(request.params as object),
      query: {
        ...query,
        [parameter]: ids.map((each) => (each.toUpperCase() === asked ? id : each)),
      } satisfies QueryValues,
    });
}

/** Links to what a refused request probably meant. */
export function linksFor(request: FastifyRequest): Pick<ProblemMembers, 'links'> {
  const links = meantResources({
    baseUrl: request.baseUrl,
    route: request.routeOptions.url ?? request.url.split('?', 1)[0]!,
    id: (request.params as { id?: string } | null)?.id,
    query: request.query as RefusedRequest['query'],
  });
  return Object.keys(links).length === 0 ? {} : { links };
}

/** The problem for a request that is refused. */
function problemOf({ reason, message }: RequestRefused, request: FastifyRequest): ProblemError {
  switch (reason.kind) {
    case 'invalid-parameters':
      return new ProblemError('invalid-parameter', message, {
        invalidParameters: reason.parameters,
        ...linksFor(request),
      });
    case 'unresolved-site': {
      const { answer, asked, parameter, asOf } = reason;
      if (answer.kind === 'unknown-site' && asOf !== null) return notRecorded(asked, asOf);
      return siteProblem(answer, asked, urlWithSite(request, parameter, asked));
    }
    case 'nothing-recorded':
      return new ProblemError('not-recorded', message);
  }
}

/** Renders a problem as a page. */
type ProblemPage = (request: FastifyRequest, problem: Problem) => Promise<string>;

/** Whether to send a problem as a page: on the route of a page, and for a 404 in a browser. */
function isForPeople(request: FastifyRequest, { status }: Problem): boolean {
  if (request.is404)
    return status === problemStatus('not-found') && prefersPage(request.headers.accept);
  return isForPage(request);
}

/** Called with the error of each request that finds the database unreadable. */
type OnOutage = (error: StoreUnusable, reqId: string) => void;

/**
 * Converts any error to a problem. The reason for an unexpected error goes to the log, not to the
 * client.
 */
function toProblem(
  error: FastifyError | ProblemError | RequestRefused,
  request: FastifyRequest,
  log: Logger,
  onOutage: OnOutage,
): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof RequestRefused) return problemOf(error, request);
  if (error instanceof StoreUnusable) {
    onOutage(error, requestIdOf(request));
    return new ProblemError(
      'not-ready',
      'The database cannot be read. The log of the service gives the reason.',
    );
  }
  if (error instanceof StoreBusy) {
    const detail =
      'Too many requests are waiting for the database, or it takes too long to answer. ' +
      'Repeat the request a little later.';
    return new ProblemError('service-busy', detail, {}, { 'retry-after': String(RETRY_AFTER) });
  }
  if (error instanceof PageTooLarge) {
    const { size } = request.query as { size?: number };
    const refused = invalidParameter({
      name: 'size',
      value: size === undefined ? '' : String(size),
      reason: 'is too large: the elements of this page have more than 8 MiB',
      allowed: `at most ${error.fits}.`,
    });
    return problemOf(refused, request);
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ProblemError('bad-request', 'This is not a valid HTTP request (RFC 9110).');
  }
  log.error({ reqId: requestIdOf(request), err: error }, 'request failed');
  return new ProblemError(
    'internal-error',
    'The request failed. The log of the service gives the reason under the id in "instance".',
    {
      instance: `urn:uuid:${requestIdOf(request)}`,
    },
  );
}

const serializeProblem = serializerOf(Problem);

/** Sends text as it is. */
const same = (text: string): string => text;

/** Sends the text of a problem. */
function sendProblem(
  reply: FastifyReply,
  { problem, headers }: ProblemError,
  mediaType: string,
  text: string,
): void {
  reply.code(problem.status).headers(headers).type(mediaType).serializer(same).send(text);
}

/** Sends every error of the app as a problem document, or as a page where people read it. */
export function addProblems(
  app: FastifyInstance,
  log: Logger,
  page: ProblemPage,
  onOutage: OnOutage,
): void {
  const sendPage = async (
    problem: ProblemError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const text = await page(request, problem.problem);
    sendProblem(reply, problem, HTML_MEDIA_TYPE, text);
    return reply;
  };
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const problem = toProblem(error, request, log, onOutage);
    if (isForPeople(request, problem.problem)) return sendPage(problem, request, reply);
    sendProblem(reply, problem, PROBLEM_MEDIA_TYPE, serializeProblem(problem.problem));
    return undefined;
  });
}
