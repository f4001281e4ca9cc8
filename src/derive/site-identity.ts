import { exactSiteId, type SiteId } from '../requests/site-id.js';

/** The Site was retired at `since`, `YYYY-MM-DDThh:mm:ss.sssZ`. */
export type RetiredSite = { kind: 'retired-site'; since: string };

/** Why an id identifies no Site that is on record now. */
export type UnresolvedSite =
  | { kind: 'unknown-site' }
  /**
   * Several Sites share the four characters, or did before they were renamed; these are ids that
   * name one of them each.
   */
  | { kind: 'ambiguous-site'; candidates: string[] }
  | RetiredSite
  /** The Site has had the id `id` since it was renamed. */
  | { kind: 'renamed-site'; id: string };

/** What was found at the Site with an id, or why the id identifies none. */
export type OfSite<T> = { kind: 'found'; found: T } | UnresolvedSite;

/** What was found at the Sites with some ids, or why one of these identifies none. */
export type OfSites<T> = { kind: 'found'; found: T } | (UnresolvedSite & { asked: SiteId });

/** An id of a Site, present or former. */
export interface HeldId {
  four: string;
  /** The nine characters; null if unknown. */
  nine: string | null;
  /** Who gave the nine characters; null if they are unknown. */
  nineGivenBy: 'log' | 'operator' | null;
}

/** An id of a Site on record. */
export interface RecordedId extends HeldId {
  site: number;
  role: 'present' | 'former';
  /** When the Site was retired, if it is; of the present id. */
  retiredAt: string | null;
}

/** A Site with the ids that it has and had at one time. */
export interface KnownSite {
  /** The number of the Site. */
  id: number;
  present: HeldId;
  /** The ids that it had before it was renamed. */
  former: HeldId[];
  retiredAt: string | null;
}

/** The id with as many characters as are known, as text. */
export const textOf = ({ four, nine }: Pick<HeldId, 'four' | 'nine'>): string => nine ?? four;

/** Groups ids on record by Site; all ids of each Site have to be given. */
export function toKnownSites(ids: readonly RecordedId[]): KnownSite[] {
  const bySite = Map.groupBy(ids, ({ site }) => site);
  return [...bySite].flatMap(([id, own]) => {
    const present = own.find(({ role }) => role === 'present');
    if (present === undefined) return [];
    const former = own.filter(({ role }) => role === 'former');
    return [{ id, present, former, retiredAt: present.retiredAt }];
  });
}

/** Whether a Site has or had some four characters. */
export const isKnownAs = ({ present, former }: KnownSite, four: string): boolean =>
  present.four === four || former.some((each) => each.four === four);

/**
 * The Sites that an id can mean. Imports, lookups and corrections all use this function. Four
 * characters mean every Site that has or had them. Nine mean the Site that has or had them, or else
 * one of which only their first four are known. Retired Sites are among them: an import
 * treats them like all others.
 * @param known at least the Sites that have or had the four characters of the id
 */
export function ownersAmong(
  known: readonly KnownSite[],
  { fourCharacterId: four, nineCharacterId: nine }: SiteId,
): KnownSite[] {
  const sharing = known.filter((site) => isKnownAs(site, four));
  if (nine === null) return sharing;
  const incomplete = sharing.filter(({ present }) => present.nine === null);
  const inTurn = [
    sharing.filter(({ present }) => present.nine === nine),
    sharing.filter(({ former }) => former.some((each) => each.nine === nine)),
    incomplete.filter(({ present }) => present.four === four),
    // Two stations must not end up in one Site: once a log gave a Site nine characters under a
    // former id, no other station may join it by that id.
    sharing.filter(
      ({ present, former }) =>
        present.four !== four &&
        present.nineGivenBy !== 'log' &&
        former.every((each) => each.nine === null),
    ),
  ];
  return inTurn.find((sites) => sites.length > 0) ?? [];
}

/** Whether an id is the present one of a Site, as far as both are known. */
const isPresentId = (
  { present: { four, nine } }: KnownSite,
  { fourCharacterId, nineCharacterId }: SiteId,
): boolean =>
  four === fourCharacterId &&
  (nine === null || nineCharacterId === null || nine === nineCharacterId);

/**
 * Decides which Site an id names in a lookup or a correction, by its number. Of the Sites that the
 * id can mean, those that are not retired decide; retired ones count only if all of them are.
 * @param known at least the Sites that have or had the four characters of the id
 * @param findsRetired whether a retired Site is found, if no other one is meant, and of Sites that
 *   share four characters, the one that is known by these alone: for corrections
 */
export function siteAmong(
  known: readonly KnownSite[],
  id: SiteId,
  findsRetired: boolean,
): OfSite<number> {
  const owners = ownersAmong(known, id);
  const here = owners.filter(({ retiredAt }) => retiredAt === null);
  const all = here.length > 0 ? here : owners;
  const exact = all.filter(
    ({ present }) => present.nine === null && present.four === id.fourCharacterId,
  );
  // No longer id of such a Site is known by which a correction could name it.
  const meant = findsRetired && id.nineCharacterId === null && exact.length === 1 ? exact : all;
  const [only] = meant;
  if (only === undefined) return { kind: 'unknown-site' };
  if (meant.length > 1) {
    if (here.length > 0 || findsRetired) {
      return {
        kind: 'ambiguous-site',
        candidates: meant
          .map(({ present: { four, nine } }) =>
            four === id.fourCharacterId ? exactSiteId(four, nine) : textOf({ four, nine }),
          )
          .sort(),
      };
    }
    const since = meant.map(({ retiredAt }) => retiredAt!).sort();
    return { kind: 'retired-site', since: since.at(-1)! };
  }
  if (!isPresentId(only, id)) return { kind: 'renamed-site', id: textOf(only.present) };
  if (only.retiredAt !== null && !findsRetired)
    return { kind: 'retired-site', since: only.retiredAt };
  return { kind: 'found', found: only.id };
}

/** The former ids of a Site after it was renamed. @param former those before */
export function formerIdsAfter(former: HeldId[], from: HeldId, to: HeldId): HeldId[] {
  const others = former.filter((each) => ![to.four, to.nine].includes(textOf(each)));
  // Nine characters that complete the four make no former id.
  return textOf(from) === to.four ? others : [...others, from];
}

/**
 * An id of a Site as the logs in force have it. They complete one that is known by four characters;
 * nine that a log gave and none in force gives are forgotten.
 * @param given the ids that the logs in force give, in the order of the logs
 */
export function idByLogs(id: HeldId, given: readonly string[]): HeldId {
  const nines = given.filter((each) => each.length === 9 && each.startsWith(id.four));
  if (id.nineGivenBy === 'operator') return id;
  if (id.nine !== null && nines.includes(id.nine)) return id;
  const [nine = null] = nines;
  return { four: id.four, nine, nineGivenBy: nine === null ? null : 'log' };
}
