import type { FastifyRequest } from 'fastify';

/** The media type of a page. */
export const HTML_MEDIA_TYPE = 'text/html;charset=UTF-8';

/** The media types that clients of the contract request. */
const JSON_MEDIA_TYPES = [
  'application/hal+json',
  'application/prs.hal-forms+json',
  'application/json',
  'application/problem+json',
];

/** A media range of an `Accept` header field, without its parameters (RFC 9110, section 12.5.1). */
interface Range {
  type: string;
  quality: number;
}

function rangesOf(accept: string): Range[] {
  return accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return { type, quality: Number(quality) };
  });
}

/**
 * Whether a request prefers a media type that it names. If it also names one of `others`, the
 * quality must be higher than theirs; otherwise it must not be lower than that of a wildcard.
 * @param accept the header field; without it, no type is preferred
 */
export function prefers(accept: string | undefined, type: string, others: string[]): boolean {
  const ranges = rangesOf(accept ?? '');
  const qualityOf = (name: string): number | undefined =>
    ranges.find((range) => range.type === name)?.quality;
  const wanted = qualityOf(type) ?? 0;
  const named = others.map(qualityOf).filter((quality) => quality !== undefined);
  return (
    wanted > 0 &&
    (named.length === 0
      ? wanted >= (qualityOf('application/*') ?? qualityOf('*/*') ?? 0)
      : wanted > Math.max(...named))
  );
}

/**
 * Whether a browser requests a page. By default, Java programs send
 * `text/html, image/gif, image/jpeg` and a bare asterisk, which is not a media range; browsers
 * never send that.
 */
export const prefersPage = (accept: string | undefined): boolean =>
  prefers(accept, 'text/html', JSON_MEDIA_TYPES) &&
  !rangesOf(accept ?? '').some(({ type }) => type === '*');

/** Whether a client requests text rather than JSON; browsers do. */
export const prefersText = (accept: string | undefined): boolean =>
  prefersPage(accept) || prefers(accept, 'text/plain', JSON_MEDIA_TYPES);

/** Whether a request is answered with a page: by its route, or because its client prefers one. */
export function isForPage({ routeOptions, headers }: FastifyRequest): boolean {
  const { page } = routeOptions.config;
  return page === true || (page === 'if-preferred' && prefersPage(headers.accept));
}
