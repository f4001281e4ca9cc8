/** The id of a Site, as a request gives it. */
export interface SiteId {
  /** Upper case. */
  fourCharacterId: string;
  /** Upper case; null if the request gives only four characters. */
  nineCharacterId: string | null;
}

/**
 * Parses the id of a Site.
 * @param text four or nine characters, in either case; checked by `isSiteId` or a schema before
 */
export const parseSiteId = (text: string): SiteId => ({
  fourCharacterId: text.slice(0, 4).toUpperCase(),
  nineCharacterId: text.length === 9 ? text.toUpperCase() : null,
});

/** The id of a Site as text, as complete as it is known. */
export const siteIdText = ({ fourCharacterId, nineCharacterId }: SiteId): string =>
  nineCharacterId ?? fourCharacterId;
