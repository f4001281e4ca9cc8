import type { SiteLogSections } from '../../../schemas/index.js';
import { countryCode, isIn } from '../values/country.js';
import type { Findings } from '../../findings/findings.js';
import { titleId } from './form.js';
import { isHint } from '../values/hints.js';
import type { ScannedLog } from './scanner.js';

/**
 * The nine characters that the title of a log in version 1 of the text form may give, above a field
 * of four: `ABCD00NZL Site Information Form`. They count as the `gml:id` of GeodesyML does.
 */

/** A title with nine characters. */
const TITLE = /^ {0,80}([A-Z0-9_]{4}\d{2}[A-Z]{3}) {1,20}site information form\b/i;

/**
 * What contradicts the country of nine characters; null if nothing does. A country that section 2
 * does not give, or that is unknown, contradicts nothing; neither does that of which it is a part,
 * such as France for Réunion.
 * @param country as section 2 has it
 * @returns the country of the nine characters, and that of section 2; null for the latter if the
 *   former is no country at all
 */
function countryContradiction(
  nine: string,
  country: string,
): { country: string; other: string | null } | null {
  const code = nine.slice(6).toUpperCase();
  if (countryCode(code) !== code) return { country: code, other: null };
  const other = countryCode(country) ?? code;
  return isIn(code, other) ? null : { country: code, other };
}

const beginsWith = (nine: string, four: string): boolean =>
  nine.slice(0, 4).toUpperCase() === four.toUpperCase();

/**
 * Whether nine characters in the title count.
 * @param four the four-character id of the field
 * @param country as section 2 has it
 */
export const countsInTitle = (nine: string, four: string, country: string): boolean =>
  beginsWith(nine, four) && countryContradiction(nine, country) === null;

/**
 * Adds the nine characters of the title to what a log in version 1 gives. Where they contradict it,
 * its field counts, with a finding; {@link reportOtherTitle} finds a title that names another Site.
 */
export function addTitleId(
  { siteIdentification: site, siteLocation: place }: SiteLogSections,
  { parts }: ScannedLog,
  findings: Findings,
): void {
  const four = site.fourCharacterId?.written ?? '';
  if (!/^[A-Z0-9_]{4}$/i.test(four)) return;
  // The title is above the first section.
  for (const { text, number } of parts[0]!.lines) {
    const id = TITLE.exec(text)?.[1];
    if (id === undefined) continue;
    if (!beginsWith(id, four)) return;
    const contradiction = countryContradiction(id, place.country?.written ?? '');
    if (contradiction === null) site.nineCharacterId = { written: id, value: id, line: number };
    else findings.add('title-differs', { line: number }, { ...contradiction, text: id });
    return;
  }
}

/** Whether two ids of four or nine characters can be those of one Site. */
export function canBeSame(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).toUpperCase() === other.slice(0, length).toUpperCase();
}

/** The id that a title names instead of that of the log; null if none does. */
export function otherIdInTitle(id: string, { parts }: ScannedLog): string | null {
  for (const { text } of parts[0]!.lines) {
    const named = titleId(text.trim());
    if (named !== null && !isHint(named, true) && !canBeSame(named, id)) return named;
  }
  return null;
}

/** Reports each title that names another Site than the id of the log. */
export function reportOtherTitle(
  { siteIdentification: site }: SiteLogSections,
  { parts }: ScannedLog,
  findings: Findings,
): void {
  const id = (site.nineCharacterId ?? site.fourCharacterId)?.written.toUpperCase() ?? '';
  if (!/^[A-Z0-9_]{4}(?:\d{2}[A-Z]{3})?$/.test(id)) return;
  for (const { text, number } of parts[0]!.lines) {
    const named = titleId(text.trim());
    // The blank form has XXXX.
    if (named === null || isHint(named, true) || canBeSame(named, id)) continue;
    findings.add('title-differs', { line: number }, { id, text: named });
  }
}
