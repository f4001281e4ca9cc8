import { type Answer, BASE, type Request } from './http.js';

/** What is the same for browsers and programs. */
const DATA =
  /^\/(setups|corsSites|siteLogs|gnss|humidity|clocks|equipment|exports|skeletonFiles|feed|ogc|station)/;

/** Pages that have the URL of data. */
const NEGOTIATED = /^\/(|changes|findings|compare)(\?|$)/;

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) yield* stringsIn(each);
}

const decoded = (attribute: string): string =>
  attribute
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** The links in the body of an answer, as they are written. */
function* hrefsIn(type: string, body: Buffer): Generator<string> {
  if (/[+/]json/.test(type)) {
    for (const text of stringsIn(JSON.parse(body.toString())))
      // The parameters of a template are optional.
      if (text.startsWith(BASE)) yield text.replace(/\{\?[^}]*\}$/, '');
  } else if (type.includes('html') || type.includes('xml')) {
    for (const [, href] of body.toString().matchAll(/\s(?:href|src|action)="([^"]*)"/g))
      yield decoded(href!);
  }
}

/** The requests that an answer leads to, within the service. */
export function requestsIn({ url, as }: Request, { field, body }: Answer): Request[] {
  const type = field('content-type') ?? '';
  const location = field('location');
  const hrefs = location === undefined ? [...hrefsIn(type, body)] : [location];
  return [...new Set(hrefs)].flatMap((href) => {
    if (href.startsWith('#') || /[{}]/.test(href)) return [];
    const target = new URL(href, BASE + url);
    if (target.origin !== BASE) return [];
    const found = target.pathname + target.search;
    // The home page of a browser and of a program are not the same.
    if (location !== undefined) return [{ url: found, as }];
    if (!type.includes('html') || DATA.test(found)) return [{ url: found, as: 'data' as const }];
    const page = { url: found, as: 'page' as const };
    return NEGOTIATED.test(found) ? [page, { url: found, as: 'data' as const }] : [page];
  });
}

/** Path segments after which a name follows. */
const NAMED = new Set(['sites', 'skeletonFiles', 'schemas', 'profile']);

/**
 * The kind of a URL: its path without ids, with the names of its parameters. `format` and
 * `projection` have their values.
 */
export function kindOf(url: string): string {
  const [path = '', query = ''] = url.split('?', 2);
  const segments = path.split('/');
  const parts = segments.map((segment, at) => {
    if (/^\d+$/.test(segment)) return ':id';
    return NAMED.has(segments[at - 1]!) && segment !== '' ? ':name' : segment;
  });
  if (parts[1] === 'station' && parts[3] !== '' && parts.length > 3) parts[3] = ':file';
  const names = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => (/^(format|projection)=/.test(pair) ? pair : pair.split('=', 1)[0]!));
  const sorted = [...new Set(names)].sort();
  return parts.join('/') + (sorted.length === 0 ? '' : `?${sorted.join('&')}`);
}
