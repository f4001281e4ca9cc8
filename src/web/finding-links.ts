import { adviceOn } from '../check/checks.js';
import { href, PATHS } from '../links.js';
import { linesInWords } from '../site-log/site-log.js';
import type { SiteRecord } from '../store/read/sites/sites.js';
import { type Html, html } from './page/html.js';
import { capitalized } from './page/words.js';

/** Links from findings to the log that they are about. */

type Finding = SiteRecord['findings'][number];

/**
 * The URL of the line of a finding if pages show the file as it was imported, otherwise that of its
 * section in the published text.
 */
export function findingHref(
  root: string,
  site: string,
  { line, section }: Pick<Finding, 'line' | 'section'>,
  isFileShown: boolean,
): string {
  if (isFileShown) return `${href(root, PATHS.siteLog, { site, query: { line } })}#L${line}`;
  return `${href(root, PATHS.siteLog, { site })}${section == null ? '' : `#section-${section}`}`;
}

/** The place of a finding, as a link. */
export const findingPlace = (
  url: string,
  { section, ...lines }: Pick<Finding, 'line' | 'lastLine' | 'section'>,
): Html =>
  html`<a href="${url}">${section == null ? 'Log' : `Section ${section}`}</a>,
    ${linesInWords(lines)} of the file`;

/** A finding in a paragraph, with what to do about it. */
export const findingText = (url: string, finding: Finding): Html =>
  html`<p class="finding">
    <strong>${capitalized(finding.level)}:</strong>
    ${finding.message}${finding.text !== '' && html`: <q>${finding.text}</q>`}.
    ${adviceOn(finding.code ?? 'other')} ${findingPlace(url, finding)}.
  </p>`;
