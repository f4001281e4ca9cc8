/** A Site as a request names it. */
export interface SiteId {
  /** Upper case. */
  fourCharacterId: string;
  /** Upper case; null where the request gives four characters only. */
  nineCharacterId: string | null;
}

/** Splits the id of a Site: four or nine characters, in either case (`isSiteId` of the contract). */
export const parseSiteId = (text: string): SiteId => ({
  fourCharacterId: text.slice(0, 4).toUpperCase(),
  nineCharacterId: text.length === 9 ? text.toUpperCase() : null,
});
