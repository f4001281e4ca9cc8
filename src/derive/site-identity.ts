import type { SiteId } from '../requests/site-id.js';

/** The Site was retired at `since`, `YYYY-MM-DDThh:mm:ss.sssZ`. */
export type RetiredSite = { kind: 'retired-site'; since: string };

/** Why an id identifies no Site that is on record now. */
export type UnresolvedSite =
  | { kind: 'unknown-site' }
  /**
   * Several Sites share the four characters, or did before they were renamed; these are their ids.
   */
  | { kind: 'ambiguous-site'; candidates: string[] }
  | RetiredSite
  /** The Site has had the id `id` since it was renamed. */
  | { kind: 'renamed-site'; id: string };

/** What was found at the Site with an id, or why the id identifies none. */
export type OfSite<T> = { kind: 'found'; found: T } | UnresolvedSite;

/** What was found at the Sites with some ids, or why one of these identifies none. */
export type OfSites<T> = { kind: 'found'; found: T } | (UnresolvedSite & { asked: SiteId });

/** What decides whether an id names a Site. */
export interface NamedSite {
  /** The number of the Site. */
  id: number;
  /** The nine-character id; null if unknown. */
  nine: string | null;
  retiredAt: string | null;
}

/** Whether a retired Site counts as one that is not. */
export type IsHere = (retiredAt: string) => boolean;

/**
 * Decides which Site an id names, by its number. `unknown-site` may mean that the Site was renamed,
 * see {@link renamedTo}.
 * @param sharing the Sites with the four characters of the id
 * @param isHere for retired Sites; by default none counts
 */
export function siteAmong(
  sharing: NamedSite[],
  id: SiteId,
  isHere: IsHere = () => false,
): OfSite<number> {
  // Any nine characters name a Site that is known by their first four only.
  const named = sharing.filter(
    ({ nine }) => nine === null || id.nineCharacterId === null || nine === id.nineCharacterId,
  );
  const here = named.filter(({ retiredAt }) => retiredAt === null || isHere(retiredAt));
  if (here.length > 1)
    return { kind: 'ambiguous-site', candidates: here.map(({ nine }) => nine!).sort() };
  if (here.length === 1) return { kind: 'found', found: here[0]!.id };
  const since = named
    .map(({ retiredAt }) => retiredAt!)
    .sort()
    .at(-1);
  return since === undefined ? { kind: 'unknown-site' } : { kind: 'retired-site', since };
}

/**
 * Why an id names no Site, if no Site has it.
 * @param current the present ids of the Sites that had it before, each once
 */
export function renamedTo(current: string[]): UnresolvedSite {
  if (current.length > 1) return { kind: 'ambiguous-site', candidates: current.toSorted() };
  return current[0] === undefined
    ? { kind: 'unknown-site' }
    : { kind: 'renamed-site', id: current[0] };
}

/**
 * How the former ids of a Site change: an operator renames it, or a log gives the nine characters
 * of one that was known by four.
 */
export type FormerIdChange =
  { kind: 'rename'; from: SiteId; to: SiteId } | { kind: 'import'; formerId: string };

/** The former ids of a Site after a change. @param former those before */
export function formerIdsAfter(former: string[], change: FormerIdChange): string[] {
  if (change.kind === 'import')
    return former.map((id) => (id === change.formerId.slice(0, 4) ? change.formerId : id));
  const { from, to } = change;
  const id = from.nineCharacterId ?? from.fourCharacterId;
  const others = former.filter(
    (each) => each !== to.fourCharacterId && each !== to.nineCharacterId,
  );
  return id === to.fourCharacterId ? others : [...others, id];
}

/** What decides whether a log belongs to a Site. */
export interface PossibleOwner {
  /** The four characters. */
  four: string;
  /** The nine-character id; null if unknown. */
  nine: string | null;
  /**
   * The ids that it had before it was renamed: of nine characters, or of four if no log has given
   * the nine.
   */
  former: string[];
}

/**
 * The Sites that a log may be of; none if it is of a new one. Four characters may mean every Site
 * that has or had them. Nine mean the Site that has or had them, or else one of which only their
 * first four are known.
 * @param sharing the Sites that have the four characters of the log, or had them before they were
 *   renamed
 */
export function ownersAmong<Site extends PossibleOwner>(
  sharing: Site[],
  { fourCharacterId: four, nineCharacterId: nine }: SiteId,
): Site[] {
  if (nine === null) return sharing;
  const incomplete = sharing.filter((site) => site.nine === null);
  const inTurn = [
    sharing.filter((site) => site.nine === nine),
    sharing.filter(({ former }) => former.includes(nine)),
    incomplete.filter((site) => site.four === four),
    // A Site takes one station: none under a former id if another one has given the nine
    // characters.
    incomplete.filter(
      ({ former }) => former.includes(four) && former.every((id) => id.length === 4),
    ),
  ];
  return inTurn.find((sites) => sites.length > 0) ?? [];
}
