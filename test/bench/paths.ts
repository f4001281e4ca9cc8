import { EQUIPMENT_KINDS, SETUPS } from '../../schemas/index.js';
import { href, PATHS, pathOf, searchPathOf } from '../../src/links.js';
import { RECEIVER_TYPES, siteIdOf } from './synthetic-logs.js';

/** The random paths that the load generators request. They are the same in every run. */

let state = 1;

/** A random whole number below `limit`, with a fixed seed (mulberry32). */
function random(limit: number): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
}

/** How many paths of one kind a load has: enough to hide any pattern. */
const COUNT = 20_000;
const several = (make: () => string, count = COUNT): string[] => Array.from({ length: count }, make);

/** An instant as the service writes it. */
const instantOf = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('.000Z', 'Z');

function randomInstant(from: string, to: string): number {
  const begin = Date.parse(from);
  return begin + 1000 * random((Date.parse(to) - begin) / 1000);
}

/** The path of the current Setup of a Site. */
export const currentPath = (id: string): string => href('', searchPathOf(SETUPS, 'findCurrentByFourCharacterId'), { query: { id } });

/** The paths of the current Setups of random Sites. */
export const currentPaths = (sites: number): string[] => several(() => currentPath(siteIdOf(random(sites))));

/** The paths of the Setups of random Sites at random instants between two days. */
export const atPaths = (sites: number, from: string, to: string): string[] =>
  several(() =>
    href('', searchPathOf(SETUPS, 'findAtByFourCharacterId'), {
      query: { id: siteIdOf(random(sites)), at: instantOf(randomInstant(from, to)) },
    }),
  );

/** A year, in milliseconds. */
const YEAR = 365 * 24 * 3600 * 1000;

/** The paths of the first pages of the changes of a year that begins between two days. */
export const changesPaths = (from: string, to: string): string[] =>
  several(() => {
    const begin = randomInstant(from, to);
    return href('', PATHS.changes, { query: { from: instantOf(begin), to: instantOf(begin + YEAR) } });
  });

/** The path of the first page of the receivers of a type. */
export const receiversPath = (type: string): string =>
  href('', pathOf({ name: EQUIPMENT_KINDS['gnss receiver'].collection }), { query: { type } });

/** The paths of the first pages of the receivers of some types. */
export const receiversPaths = (): string[] => several(() => receiversPath(RECEIVER_TYPES[random(RECEIVER_TYPES.length)]!));

/** The path of a page of all Setups. */
export const setupsPath = (page?: number): string => href('', pathOf(SETUPS), page === undefined ? {} : { query: { page } });

/** The path of all Setups of a Site on one page. */
export const setupsOfSitePath = (id: string): string =>
  href('', searchPathOf(SETUPS, 'findByFourCharacterId'), { query: { id, size: 1000 } });

/** Different paths: types of devices that do not exist, and nine-character ids of Sites whose logs give only four characters. */
export function differentPaths(sites: number, count: number): string[] {
  const { clock } = EQUIPMENT_KINDS;
  let number = 0;
  return several(() => {
    const own = number++;
    if (own % 3 === 0) return currentPath(`${siteIdOf(random(sites))}${nineCharacterEnd(own / 3)}`);
    return own % 3 === 1 ? receiversPath(`z${own}`) : href('', pathOf({ name: clock.collection }), { query: { type: `z${own}` } });
  }, count);
}

/** The end of a nine-character id (monument, receiver and country), different for each number. */
function nineCharacterEnd(number: number): string {
  const letter = (place: number): string => String.fromCharCode(65 + (Math.floor(number / (100 * 26 ** place)) % 26));
  return `${String(number % 100).padStart(2, '0')}${letter(2)}${letter(1)}${letter(0)}`;
}
