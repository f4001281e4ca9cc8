import type { SiteLogSections } from '../../schemas/index.js';
import { countryCode, isIn } from './country.js';
import type { Findings } from './site-log.js';
import type { ScannedLog } from './text-scanner.js';

/**
 * The nine characters that the title of a log in version 1 of the text form may give, above a field
 * of four: `ABCD00NZL Site Information Form`. They count as the `gml:id` of GeodesyML does.
 */

/** A title with nine characters. */
const TITLE = /^ {0,80}([A-Z0-9_]{4}\d{2}[A-Z]{3}) {1,20}site information form\b/i;

/**
 * What contradicts the country of nine characters, in the words of a finding; null if nothing does.
 * A country that section 2 does not give, or that is unknown, contradicts nothing; neither does that
 * of which it is a part, such as France for Réunion.
 * @param country as section 2 has it
 */
function countryContradiction(nine: string, country: string): string | null {
  const code = nine.slice(6).toUpperCase();
  if (countryCode(code) !== code) return `${code} is not a country of ISO 3166`;
  const other = countryCode(country) ?? code;
  return isIn(code, other) ? null : `${code} is not the country of section 2, ${other}`;
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
 * Adds the nine characters of the title to what a log in version 1 gives. If they contradict the
 * log, the field counts, and a finding says so; the checks report a title that names another Site.
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
    else findings.add(number, 'warning', `title: ${contradiction}; title ignored`, id);
    return;
  }
}
