import { EQUIPMENT_KINDS, SETUPS } from '../../schemas/index.js';
import { href, PATHS, pathOf, searchPathOf } from '../../src/links.js';
import { RECEIVER_TYPES, siteIdOf } from './synthetic-logs.js';

/** What the load generators ask for, drawn at random; the same at every run. */

let state = 1;

/** A whole number below `limit`; of a generator with a seed (mulberry32). */
function random(limit: number): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
}

/** Paths of one kind in a load: enough that a server sees no pattern in them. */
const COUNT = 20_000;
const several = (make: () => string, count = COUNT): string[] => Array.from({ length: count }, make);

/** As the service writes instants. */
const instantOf = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('.000Z', 'Z');

function randomInstant(from: string, to: string): number {
  const begin = Date.parse(from);
  return begin + 1000 * random((Date.parse(to) - begin) / 1000);
}

/** The current Setup of a Site. */
export const currentPath = (id: string): string => href('', searchPathOf(SETUPS, 'findCurrentByFourCharacterId'), { query: { id } });

/** The current Setups of Sites. */
export const currentPaths = (sites: number): string[] => several(() => currentPath(siteIdOf(random(sites))));

/** The Setups of Sites at instants between the two days. */
export const atPaths = (sites: number, from: string, to: string): string[] =>
  several(() =>
    href('', searchPathOf(SETUPS, 'findAtByFourCharacterId'), {
      query: { id: siteIdOf(random(sites)), at: instantOf(randomInstant(from, to)) },
    }),
  );

/** In milliseconds. */
const YEAR = 365 * 24 * 3600 * 1000;

/** First pages of the changes of a year that begins at an instant between the two days. */
export const changesPaths = (from: string, to: string): string[] =>
  several(() => {
    const begin = randomInstant(from, to);
    return href('', PATHS.changes, { query: { from: instantOf(begin), to: instantOf(begin + YEAR) } });
  });

/** The first page of the receivers of a type. */
export const receiversPath = (type: string): string =>
  href('', pathOf({ name: EQUIPMENT_KINDS['gnss receiver'].collection }), { query: { type } });

/** First pages of the receivers of types. */
export const receiversPaths = (): string[] => several(() => receiversPath(RECEIVER_TYPES[random(RECEIVER_TYPES.length)]!));

/** A page of all Setups. */
export const setupsPath = (page?: number): string => href('', pathOf(SETUPS), page === undefined ? {} : { query: { page } });

/** All Setups of a Site, on one page. */
export const setupsOfSitePath = (id: string): string =>
  href('', searchPathOf(SETUPS, 'findByFourCharacterId'), { query: { id, size: 1000 } });

/** Types of devices that nobody has, and Sites by nine-character ids of which the log gives only the first four: no path twice. */
export function differentPaths(sites: number, count: number): string[] {
  const { clock } = EQUIPMENT_KINDS;
  let number = 0;
  return several(() => {
    const own = number++;
    if (own % 3 === 0) return currentPath(`${siteIdOf(random(sites))}${nineCharacterEnd(own / 3)}`);
    return own % 3 === 1 ? receiversPath(`z${own}`) : href('', pathOf({ name: clock.collection }), { query: { type: `z${own}` } });
  }, count);
}

/** The monument, receiver and country of a nine-character id: two digits and three letters, another for each number. */
function nineCharacterEnd(number: number): string {
  const letter = (place: number): string => String.fromCharCode(65 + (Math.floor(number / (100 * 26 ** place)) % 26));
  return `${String(number % 100).padStart(2, '0')}${letter(2)}${letter(1)}${letter(0)}`;
}
