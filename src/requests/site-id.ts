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

/** Stands for the last five of nine characters that no log gives: no country has this code. */
export const UNKNOWN_REST = '00XXX';

/** Nine characters that name a Site, even if only four are known and another Site has them, too. */
export const exactSiteId = (four: string, nine: string | null): string =>
  nine ?? `${four}${UNKNOWN_REST}`;

/** A Site in a list, with its number. */
export interface NumberedSite extends SiteId {
  siteId: number;
}

/** Gives the id by which links name a Site. */
export type LinkedId = (site: NumberedSite) => string;

/** The id of a Site as text, as complete as it is known. */
export const siteIdText = ({ fourCharacterId, nineCharacterId }: SiteId): string =>
  nineCharacterId ?? fourCharacterId;
