import type { SiteId } from '../requests/site-id.js';

/** Why an id identifies no Site that is on record now. */
export type UnresolvedSite =
  | { kind: 'unknown-site' }
  /** Several Sites share the four characters; these are their nine-character ids. */
  | { kind: 'ambiguous-site'; candidates: string[] }
  /** The Site was retired at `since`, `YYYY-MM-DDThh:mm:ss.sssZ`. */
  | { kind: 'retired-site'; since: string }
  /** The Site has had the id `id` since it was renamed. */
  | { kind: 'renamed-site'; id: string };

/** What was found at the Site with an id, or why the id identifies none. */
export type OfSite<T> = { kind: 'found'; found: T } | UnresolvedSite;

/** What was found at the Sites with some ids, or why one of these identifies none. */
export type OfSites<T> = { kind: 'found'; found: T } | (UnresolvedSite & { asked: SiteId });

/** The numbers of Sites, each once, from what their ids identify; the first id that identifies none decides. */
export function numbersOf(ids: SiteId[], sites: OfSite<number>[]): OfSites<number[]> {
  const numbers = new Set<number>();
  for (const [index, site] of sites.entries()) {
    if (site.kind !== 'found') return { ...site, asked: ids[index]! };
    numbers.add(site.found);
  }
  return { kind: 'found', found: [...numbers] };
}

/** What decides whether an id names a Site. */
export interface NamedSite {
  /** The number of the Site. */
  id: number;
  /** The nine-character id; null if unknown. */
  nine: string | null;
  retiredAt: string | null;
}

/**
 * Decides which Site an id names, by its number. `unknown-site` may mean that the Site was renamed, see {@link renamedTo}.
 * @param sharing the Sites with the four characters of the id
 * @param isHere whether a retired Site counts as one that is not; by default it does not
 */
export function siteAmong(sharing: NamedSite[], id: SiteId, isHere = (_retiredAt: string): boolean => false): OfSite<number> {
  // Any nine characters name a Site that is known by their first four only.
  const named = sharing.filter(({ nine }) => nine === null || id.nineCharacterId === null || nine === id.nineCharacterId);
  const here = named.filter(({ retiredAt }) => retiredAt === null || isHere(retiredAt));
  if (here.length > 1) return { kind: 'ambiguous-site', candidates: here.map(({ nine }) => nine!).sort() };
  if (here.length === 1) return { kind: 'found', found: here[0]!.id };
  const since = named
    .map(({ retiredAt }) => retiredAt!)
    .sort()
    .at(-1);
  return since === undefined ? { kind: 'unknown-site' } : { kind: 'retired-site', since };
}

/** Why an id names no Site, if no Site has it. @param current the present id of the Site that had it before; undefined if there is none */
export const renamedTo = (current: string | undefined): UnresolvedSite =>
  current === undefined ? { kind: 'unknown-site' } : { kind: 'renamed-site', id: current };
