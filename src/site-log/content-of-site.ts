/** The ids that the Site of a log replaces. */
export const NO_IDS = { fourCharacterId: '', nineCharacterId: null };

// A quotation mark inside a JSON text has a backslash before it, so these are members.
const IDS = JSON.stringify(NO_IDS).slice(1, -1);
const COUNTRY_CODE = '"countryCode":';

/** The ids of the Site of a log. */
interface SiteIds {
  fourCharacterId: string;
  nineCharacterId: string | null;
}

/**
 * The members of the content of a log, with the ids of its Site. These also give the country that
 * the log does not.
 * @param text as `contentText` writes it
 */
export function contentOfSite(text: string, { fourCharacterId, nineCharacterId }: SiteIds): string {
  const ids = text.indexOf(IDS);
  const afterIds = ids + IDS.length;
  const country = text.indexOf(COUNTRY_CODE, afterIds) + COUNTRY_CODE.length;
  const afterCountry = text.indexOf(',', country);
  const own = text.slice(country, afterCountry);
  const ofSite = JSON.stringify(nineCharacterId?.slice(6) ?? null);
  return (
    text.slice(1, ids) +
    JSON.stringify({ fourCharacterId, nineCharacterId }).slice(1, -1) +
    text.slice(afterIds, country) +
    (own === 'null' ? ofSite : own) +
    text.slice(afterCountry, -1)
  );
}
