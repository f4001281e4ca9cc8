import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Instant } from '../../../schemas/index.js';
import { isHost } from '../../requests/host.js';
import { INSTANT_FORMS, parseInstant, whyNoInstant } from '../../requests/instant.js';
import { isOtherUrl, isPostgres, parseDatabaseUrl } from '../../store/address.js';

/**
 * Each function parses the value of a setting or flag. It throws an Error that says what was
 * expected.
 */

/** The log levels. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** The formats of the log. */
export const LOG_FORMATS = ['text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** More threads than this in one import are probably a mistake. */
const MOST_AT_ONCE = 64;

/**
 * The longest path that a Unix socket can have, in bytes: the kernel has 108, with a null at the
 * end.
 */
const LONGEST_SOCKET_PATH = 107;

/**
 * A SQLite file, or the URL of a PostgreSQL database. The file with passwords that the environment
 * names, as for libpq, becomes a parameter of the URL.
 */
export function parseDatabase(text: string, { PGPASSFILE = '' }: NodeJS.ProcessEnv): string {
  if (isOtherUrl(text))
    throw new Error('expected a SQLite file, or a URL that begins with postgres://');
  if (!isPostgres(text)) return text;
  const { passFile, passwordFile, password } = parseDatabaseUrl(text);
  if (PGPASSFILE === '' || passFile + passwordFile + password !== '') return text;
  return `${text}${text.includes('?') ? '&' : '?'}passfile=${encodeURIComponent(PGPASSFILE)}`;
}

/** Parses one of several words. @param expected the words, as a message lists them */
export const parseOneOf =
  <const T extends string>(words: readonly T[], expected = words.join(', ')) =>
  (text: string): T => {
    const word = words.find((each) => each === text);
    if (word === undefined) throw new Error(`expected ${expected}`);
    return word;
  };

/** Parses a whole number. @param what what a message calls it */
export const wholeNumber =
  (least: number, most: number, what = 'a number') =>
  (text: string): number => {
    const number = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
    if (!(number >= least && number <= most))
      throw new Error(`expected ${what} from ${least} to ${most}`);
    return number;
  };

/** A port, or 0 for any. */
export const parsePort = wholeNumber(0, 65_535);

/** A list of addresses or names of this machine. */
export function parseHosts(text: string): string[] {
  const hosts = text.split(',').map((each) => each.trim());
  if (hosts.includes(''))
    throw new Error('expected addresses, separated by commas, such as 127.0.0.1,::1');
  const bracketed = hosts.find((each) => each.startsWith('['));
  if (bracketed !== undefined)
    throw new Error(`expected "${bracketed}" without brackets, such as ::1`);
  if (new Set(hosts).size < hosts.length) throw new Error('expected each address once');
  return hosts;
}

/** The path of a Unix socket. */
export function parseSocketPath(text: string): string {
  if (Buffer.byteLength(resolve(text)) > LONGEST_SOCKET_PATH)
    throw new Error(`expected a path of at most ${LONGEST_SOCKET_PATH} bytes, folders included`);
  return text;
}

/** A number of threads, up to {@link MOST_AT_ONCE}. */
export function parseParallelism(text: string): number {
  if (text === 'auto') return Math.min(availableParallelism(), MOST_AT_ONCE);
  if (!/^[1-9]\d?$/.test(text) || Number(text) > MOST_AT_ONCE)
    throw new Error(`expected auto, or a number from 1 to ${MOST_AT_ONCE}`);
  return Number(text);
}

/** An instant. */
export function parseTime(text: string): Instant {
  const instant = parseInstant(text);
  if (instant !== null) return instant;
  const why = whyNoInstant(text);
  throw new Error(`${why === null ? '' : `not a time (${why}); `}expected ${INSTANT_FORMS}`);
}

/**
 * Parses the URL of a service.
 * @throws {Error} if it is not a plain http or https URL
 */
function parseServiceUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && url.search === '' && url.hash === '' && url.username === '';
  if (isPlain && /^https?:$/.test(url.protocol)) return url;
  throw new Error(
    'expected an http or https URL without query, fragment or user, such as ' +
      'https://gnss.example.org/equipment',
  );
}

/** The URL of a service, without a slash at its end. */
export const parseBaseUrl = (text: string): string =>
  parseServiceUrl(text).href.replace(/\/+$/, '');

/** The longest name of a network that fits above a page, in characters. */
const LONGEST_NETWORK_NAME = 80;

/** The name of a network. */
export function parseNetworkName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > LONGEST_NETWORK_NAME || /\p{Cc}/u.test(name))
    throw new Error(`expected a name on one line, of 1 to ${LONGEST_NETWORK_NAME} characters`);
  return name;
}

/** The web page of a network: an http or https URL without a user. */
export function parseNetworkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '')
    return url.href;
  throw new Error('expected an http or https URL, such as https://www.example.org/gnss');
}

/** A switch. */
export const parseSwitch = (text: string): boolean =>
  parseOneOf(['true', 'false'], 'true or false')(text) === 'true';

/**
 * Parses `true`, `false`, or a list of addresses and networks such as `127.0.0.1,10.0.0.0/8`.
 * @throws {Error} if an entry is neither an address nor a network; the message names it
 */
export function parseTrustProxy(
  text: string,
): boolean | string[] | ((address: string, hop: number) => boolean) {
  // Only the peer: what it received from others could be forged.
  if (/^(true|1|yes)$/i.test(text)) return (_address, hop) => hop === 0;
  if (/^(false|0|no|)$/i.test(text)) return false;
  const entries = text.split(',').map((each) => each.trim());
  for (const entry of entries) {
    const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    const most = isIP(address) === 6 ? 128 : 32;
    const length = Number(bits ?? most);
    if (isIP(address) === 0 || length < 1 || length > most)
      throw new Error(`"${entry}" is not an IP address or network such as 10.0.0.0/8`);
  }
  return entries;
}

/**
 * Parses a list of hosts such as `gnss.example.org,localhost:8080`. A host without a port stands
 * for all of its ports.
 * @returns the hosts in lower case
 * @throws {Error} if an entry is not a host; the message names it
 */
export function parseAllowedHosts(text: string): string[] {
  return text.split(',').map((each) => {
    const host = each.trim().toLowerCase();
    if (!isHost(host))
      throw new Error(`"${host}" is not a host such as gnss.example.org or gnss.example.org:8443`);
    return host;
  });
}

/** An origin as browsers send it. No path, not even a slash. */
const ORIGIN = /^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/;

/**
 * Parses a list of origins such as `https://map.example.org,http://localhost:3000`, or `*` for all.
 * @throws {Error} if an entry is not an origin; the message names it
 */
export function parseOrigins(text: string): string[] {
  return text.split(',').map((each) => {
    const origin = each.trim();
    if (origin !== '*' && !ORIGIN.test(origin)) {
      throw new Error(
        `"${origin}" is not an origin such as https://map.example.org (scheme and host in ` +
          'lower case, no path), nor *',
      );
    }
    return origin;
  });
}
