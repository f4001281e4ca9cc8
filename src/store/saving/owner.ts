import type { SiteId } from '../../requests/site-id.js';
import type { SiteIdentification } from '../../site-log/site-log.js';
import { type OfSite, renamedTo, siteAmong } from '../site-ids.js';
import type { RecordedSite, SiteTable } from './tables.js';

/** The id of a Site, as complete as it is known. */
export const idOf = ({ fourCharacterId, nineCharacterId }: Pick<RecordedSite, 'fourCharacterId' | 'nineCharacterId'>): string =>
  nineCharacterId ?? fourCharacterId;

/**
 * The Site that a log belongs to, retired or not; null if it is a new one. Nine characters identify it, and complete the
 * id of a Site that is known by four; four identify it if only one Site has them.
 * @returns several Sites if the log gives four characters that they share
 */
export function ownerOf(sites: SiteTable, identification: SiteIdentification): RecordedSite | RecordedSite[] | null {
  const { fourCharacterId, nineCharacterId } = identification;
  const sharing = sites.findSharing(fourCharacterId);
  if (nineCharacterId === null && sharing.length > 1) return sharing;
  const same = sharing.find((site) => [nineCharacterId, site.nineCharacterId].includes(null) || site.nineCharacterId === nineCharacterId);
  return same ?? findRenamed(sites, nineCharacterId ?? fourCharacterId);
}

/** The Site that had an id before it was renamed. A log of nine characters may be of a Site that was known by four. */
function findRenamed(sites: SiteTable, id: string): RecordedSite | null {
  const exactly = sites.findRenamed(id);
  if (exactly !== undefined) return sites.find(exactly)!;
  const byFour = id.length === 4 ? undefined : sites.findRenamed(id.slice(0, 4));
  const site = byFour === undefined ? null : sites.find(byFour)!;
  return site?.nineCharacterId === null ? site : null;
}

/** The ids by which {@link ownerOf} looks for a Site that was renamed. */
export const formerIdsOf = ({ fourCharacterId, nineCharacterId }: SiteId): string[] =>
  nineCharacterId === null ? [fourCharacterId] : [nineCharacterId, fourCharacterId];

/** The number of the Site that a correction names. A retired Site can be corrected too, if no other Site has the id. */
export function siteToCorrect(sites: SiteTable, id: SiteId): OfSite<number> {
  const sharing = sites.findSharing(id.fourCharacterId).map((site) => ({ ...site, nine: site.nineCharacterId }));
  const here = siteAmong(sharing, id);
  if (here.kind === 'retired-site') return siteAmong(sharing, id, () => true);
  if (here.kind !== 'unknown-site') return here;
  const renamed = sites.findRenamed(idOf(id));
  return renamedTo(renamed === undefined ? undefined : idOf(sites.find(renamed)!));
}

/** Completes the id of a Site that is known by four characters only, if a log gives nine. */
export function completeId(sites: SiteTable, site: RecordedSite, { fourCharacterId, nineCharacterId }: SiteIdentification): void {
  if (site.nineCharacterId !== null || nineCharacterId === null || fourCharacterId !== site.fourCharacterId) return;
  sites.setIds(site.id, fourCharacterId, nineCharacterId);
}

/** Updates a Site from its current log. It keeps its id, which the log may give in part, or from before a renaming. */
export function updateSite(sites: SiteTable, site: number, identification: SiteIdentification): void {
  const { fourCharacterId, nineCharacterId } = sites.find(site)!;
  sites.update(site, { ...identification, fourCharacterId, nineCharacterId });
}

/** Gives a Site another id, and remembers those that it no longer has. */
export function renameSite(
  sites: SiteTable,
  site: RecordedSite,
  { fourCharacterId: four, nineCharacterId: nine }: SiteId,
  at: string,
): void {
  sites.setIds(site.id, four, nine);
  for (const each of [four, nine]) if (each !== null) sites.dropFormerId(each);
  if (site.fourCharacterId !== four) sites.addFormerId(site.fourCharacterId, site.id, at);
  if (site.nineCharacterId !== null && site.nineCharacterId !== nine) sites.addFormerId(site.nineCharacterId, site.id, at);
}

/** The record time: now, but never before the last record time of the Site, even if the clock was set back. */
export function recordTime(sites: SiteTable, site: number, now: Date): string {
  const latest = sites.lastRecorded(site) ?? '';
  const time = now.toISOString();
  return time > latest ? time : latest;
}
