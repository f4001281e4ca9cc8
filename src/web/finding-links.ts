import { adviceOn, messageOf } from '../findings/codes.js';
import { href, PATHS } from '../links.js';
import { firstSection, linesInWords, sectionWords, textsOf } from '../findings/findings.js';
import type { WorstSites } from '../store/read/findings.js';
import type { SiteRecord, SiteThen } from '../store/read/sites/sites.js';
import { type Content, type Html, html } from './page/html.js';
import { capitalized, numberWords } from './page/words.js';

/** Links from findings to the log that they are about. */

type Finding = SiteRecord['findings'][number];

/** Where a finding is, and how to get there. */
interface FindingPlace extends Pick<Finding, 'line' | 'lastLine'> {
  /** The section or item of the first place: 3.2; null outside of all sections. */
  within: string | null;
  /** All sections or items of the finding in words; null outside of all sections. */
  sections: string | null;
  /** How many further places there are. */
  others: number;
  /** The id of the Site. */
  site: string;
  /** Whether the page of the log shows the file as it was imported. */
  isFileShown: boolean;
  /** The record time that the page is about; left out for now. */
  asOf?: string | undefined;
}

/** The place of a finding of a Site. */
export const placeOfFinding = (
  finding: Finding,
  { shortestId, asOf }: Pick<SiteThen, 'shortestId' | 'asOf'>,
  isFileShown: boolean,
): FindingPlace => ({
  line: finding.line,
  lastLine: finding.lastLine,
  within: firstSection(finding),
  sections: sectionWords(finding),
  others: finding.others.length,
  site: shortestId,
  isFileShown,
  asOf,
});

/**
 * The URL of the line of a finding if pages show the file as it was imported, otherwise that of its
 * section in the published text.
 */
function findingHref(
  root: string,
  { line, within, site, isFileShown, asOf }: FindingPlace,
): string {
  if (isFileShown) return `${href(root, PATHS.siteLog, { site, query: { line, asOf } })}#L${line}`;
  const page = href(root, PATHS.siteLog, { site, query: { asOf } });
  return within === null ? page : `${page}#section-${within}`;
}

/** The place of a finding, as a link. @param root the relative path to the root of the service */
export function findingLink(root: string, place: FindingPlace): Html {
  const { sections, others } = place;
  const url = findingHref(root, place);
  const more = others > 0 && ` and ${numberWords(others)} more`;
  return html`<a href="${url}">${sections === null ? 'Log' : `Section ${sections}`}</a
    ><span class="aside">, ${linesInWords(place)}${more} of the file</span>`;
}

/** A finding in a paragraph, with what to do about it. */
export function findingText(root: string, finding: Finding, place: FindingPlace): Html {
  const texts = textsOf(finding);
  return html`<p class="finding">
    <strong>${capitalized(finding.level)}:</strong>
    ${messageOf(finding)}${texts !== '' && html`: <q>${texts}</q>`}. ${adviceOn(finding)}
    ${findingLink(root, place)}.
  </p>`;
}

/** States that Sites that are not named have as many findings as the last that is. */
export const tieWords = ({ sites, isTied }: WorstSites): Content =>
  isTied && `Other sites have ${numberWords(sites.at(-1)!.findings)}, too.`;
