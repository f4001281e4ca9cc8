/** What clients of the contract ask for. */
const JSON_MEDIA_TYPES = ['application/hal+json', 'application/prs.hal-forms+json', 'application/json', 'application/problem+json'];

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
 * Whether a request asks for a media type by its name, and neither as much for one of the others nor more for anything:
 * named beside a range that takes anything, at the same quality, the named type is what is meant.
 * @param accept the header field; left out, nothing is asked for by name
 */
export function prefers(accept: string | undefined, type: string, others: string[]): boolean {
  const ranges = rangesOf(accept ?? '');
  const qualityOf = (name: string): number | undefined => ranges.find((range) => range.type === name)?.quality;
  const wanted = qualityOf(type) ?? 0;
  const named = others.map(qualityOf).filter((quality) => quality !== undefined);
  return wanted > 0 && (named.length === 0 ? wanted >= (qualityOf('application/*') ?? qualityOf('*/*') ?? 0) : wanted > Math.max(...named));
}

/**
 * Whether a request is a browser's that opens a page. A Java program that says nothing of what it accepts sends
 * `text/html, image/gif, image/jpeg` and a bare asterisk, which is no media range: browsers send none.
 */
export const prefersPage = (accept: string | undefined): boolean =>
  prefers(accept, 'text/html', JSON_MEDIA_TYPES) && !rangesOf(accept ?? '').some(({ type }) => type === '*');
