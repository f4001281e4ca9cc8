import type { Finding } from '../findings/findings.js';
import { linesInWords, sectionWords } from '../findings/findings.js';
import { findingsSections, meaningsSection } from './findings-sheet.js';
import { fact } from './page/folding.js';
import { type Content, type Html, html, styleElement } from './page/html.js';
import { STYLE } from './page/style.js';
import { counted, numberWords } from './page/words.js';

/** The sheets of findings of logs that were never imported, as one file to send by mail. */

/** The findings of one log. */
export interface MailedSheet {
  /** The name of its file. */
  file: string;
  /** The id of the Site; null if the file was rejected. */
  site: string | null;
  /** Date Prepared, `YYYY-MM-DD`; null if it is unknown, or the file was rejected. */
  datePrepared: string | null;
  findings: Omit<Finding, 'file'>[];
  /** How many findings of lower levels are left out. */
  hidden: number;
  /** The lines of the log that may be shown, by their numbers. */
  lines: ReadonlyMap<number, string>;
}

/** Where a finding is, in words: nothing on a sheet that is mailed can be followed. */
function where(finding: Omit<Finding, 'file'>): Content {
  const sections = sectionWords(finding);
  const others = finding.others.length;
  const more = others > 0 && ` and ${numberWords(others)} more`;
  return [sections !== null && `Section ${sections}, `, linesInWords(finding), more];
}

/** The sheet of one log. */
function renderSheet(
  { file, site, datePrepared, findings, hidden, lines }: MailedSheet,
  index: number,
): Html {
  const prefix = `log-${index + 1}-`;
  const isNone = findings.length + hidden === 0;
  const found = isNone ? 'No findings' : counted(findings.length, 'finding');
  const more = hidden > 0 && `; ${numberWords(hidden)} more of lower levels not shown`;
  return html`<article>
    <h1>${site === null ? file : `Findings in the site log of ${site}`}</h1>
    <dl class="facts">
      ${fact('File', file)} ${site !== null && fact('Prepared', datePrepared ?? 'date unknown')}
    </dl>
    <p>${found}${more}. Lines are those of the file. Contacts are not quoted.</p>
    ${findingsSections(findings, { lines, where, prefix })}
    ${findings.length > 0 && meaningsSection(findings, prefix)}
  </article>`;
}

/** Begins each log on a page of its own. */
const OWN_PAGES = '@media print { article + article { break-before: page; } }';

/** The sheets as one HTML document without links, scripts or other files. */
export const renderMailedSheets = (sheets: MailedSheet[]): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Findings in site logs</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${styleElement(STYLE + OWN_PAGES)}
      </head>
      <body>
        <main>${sheets.map(renderSheet)}</main>
      </body>
    </html> `.text;
