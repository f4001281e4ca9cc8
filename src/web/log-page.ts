import type { SiteLogLinks, SiteLogSections } from '../../schemas/index.js';
import { COMPARISON_PATH, href, PATHS } from '../links.js';
import { messageOf } from '../findings/codes.js';
import {
  type Finding,
  firstSection,
  linesInWords,
  placesOf,
  sectionWords,
  textsOf,
} from '../findings/findings.js';
import { EXTENSIONS, type WrittenForm } from '../site-log/write.js';
import type { LogEntry, SiteLogRecord } from '../store/read/logs/logs.js';
import type { SiteRecord, SiteThen } from '../store/read/sites/sites.js';
import { fact, renderFold } from './page/folding.js';
import { type Content, type Html, html, list, preformatted } from './page/html.js';
import { type JsonLink, type Page, recordNotice, renderSteps, section } from './page/layout.js';
import { table } from './page/table.js';
import { capitalized, counted, numberWords, siteInWords } from './page/words.js';

/** A log of the Site with its links. */
export type LinkedLog = LogEntry & { links: SiteLogLinks };

/**
 * The findings about the values that each form leaves out, without the form that the log cannot be
 * written in.
 */
export type LeftOut = Partial<Record<WrittenForm, Finding[]>>;

/** The content of the page of a site log. */
export interface LogView {
  record: Pick<SiteThen, 'site' | 'shortestId' | 'findings' | 'asOf'> & { siteLog: SiteLogRecord };
  /** The text of the log as it is published. */
  text: string;
  /**
   * Whether that is the file as it was imported. Otherwise it is written in the text form, without
   * contacts.
   */
  isOriginal: boolean;
  /** The links of the log, relative to the page. */
  links: SiteLogLinks;
  leftOut: LeftOut;
  /** What the publisher says about the log; undefined if it says nothing. */
  metadata: SiteLogSections['metadata'];
  /** The logs of the Site that were not withdrawn, the newest first. */
  logs: LinkedLog[];
  /** A line that the page shows, counted from 1. */
  line: number;
}

/** The relative path from the page to the root of the service. */
export const ROOT = '../..';

/** How many lines of a log a page shows. */
const MOST_LINES = 5000;
/** How many characters of a log a page shows. The last line may exceed it. */
const MOST_CHARACTERS = 500_000;
/** The most characters of a line that are shown. */
const LONGEST_LINE = 10_000;
/** The most logs of a Site that are listed. */
const MOST_LOGS = 100;
/** The most values that are listed for each form that leaves them out. */
const MOST_LEFT_OUT = 100;

/** A part of a text that fits on one page. */
interface Part {
  /** Its first line, counted from 1. */
  first: number;
  lines: string[];
}

/** Divides a text into the parts that fit on one page each. */
function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let characters = Infinity;
  text.split(/\r\n|\r|\n/).forEach((line, index) => {
    if (characters > MOST_CHARACTERS || parts.at(-1)!.lines.length >= MOST_LINES) {
      parts.push({ first: index + 1, lines: [] });
      characters = 0;
    }
    parts.at(-1)!.lines.push(line);
    characters += Math.min(line.length, LONGEST_LINE);
  });
  return parts;
}

/** The text of a line, up to a length. */
function renderCode(line: string): Content {
  const rest = line.length - LONGEST_LINE;
  return [
    preformatted(line.slice(0, LONGEST_LINE)),
    rest > 0 && html`<small> … ${rest} more characters</small>`,
  ];
}

/** Each finding once in each of its places. */
const inEachPlace = <Each extends Omit<Finding, 'file'>>(findings: Each[]): Each[] =>
  findings.flatMap((finding) => placesOf(finding).map((place) => ({ ...finding, ...place })));

/** The findings by each first line that they are about. */
const findingsByLine = (findings: SiteRecord['findings']): Map<number, SiteRecord['findings']> =>
  Map.groupBy(inEachPlace(findings), ({ line }) => line);

/** A finding below the line that it is about, or the first of these lines. */
function renderLineFinding(finding: SiteRecord['findings'][number]): Html {
  const { level, lastLine } = finding;
  const range = lastLine !== null && `down to line ${lastLine}: `;
  const word = html`<strong>${capitalized(level)}:</strong>`;
  return html`<li class="${level}">${word} ${range}${messageOf(finding)}</li> `;
}

/** A line with its number, and the findings about it. */
const renderLine = (
  line: string,
  number: number,
  findings: SiteRecord['findings'],
  section: string | null,
): Html =>
  html`<div id="L${number}" ${findings.length > 0 && html`class="found"`}>
    <a href="#L${number}" tabindex="-1"
      >${section !== null && html`<span id="section-${section}"></span>`}${number}</a
    ><code>${renderCode(line)}</code>${
      findings.length > 0 &&
      html`<ul>
        ${findings.map(renderLineFinding)}
      </ul>`
    }
  </div> `;

/** The titles of the forms that a log can be written in. */
const FORM_NAMES = {
  text1: 'Text form, version 1',
  text2: 'Text form, version 2.0',
  geodesyml04: 'GeodesyML 0.4',
  geodesyml05: 'GeodesyML 0.5',
  geodesyml06: 'GeodesyML 0.6',
} as const satisfies Record<WrittenForm, string>;
const FORMS = Object.entries(FORM_NAMES) as [WrittenForm, string][];

/** The link that downloads a log as it was imported. */
const renderOriginal = (url: string, name: string, form: string): Html =>
  html`<li><a href="${url}" rel="nofollow" download="${name}">Original</a> (${form})</li>`;

/** The links that download a log in each form. */
const renderForms = ({ name, form, links }: Pick<LinkedLog, 'name' | 'form' | 'links'>): Html =>
  html`<ul class="forms">
    ${links.original !== undefined && renderOriginal(links.original.href, name, form)}
    ${FORMS.map(([written, title]) => {
      const file = name.replace(/\.[^.]*$/, '') + EXTENSIONS[written];
      const link = links[written];
      return (
        link !== undefined &&
        html`<li><a href="${link.href}" rel="nofollow" download="${file}">${title}</a></li> `
      );
    })}
    <li><a href="${links.self.href}" rel="nofollow">JSON</a></li>
  </ul>`;

/** What a form leaves out, collapsed at first. */
function renderLeftOut(
  title: string,
  findings: Finding[],
  isOriginal: boolean,
  hrefOf: (line: number) => string,
): Content {
  // The last one may say that there are more.
  const notes = findings.filter(({ level }) => level === 'info');
  const values = inEachPlace(notes).sort((a, b) => a.line - b.line);
  const moreThan = notes.length < findings.length ? 'more than ' : '';
  const count = moreThan + counted(values.length, 'value');
  const rest = values.length - MOST_LEFT_OUT;
  return (
    values.length > 0 &&
    renderFold(`${title} has no place for ${count}`, [
      list(
        values.slice(0, MOST_LEFT_OUT).map((finding) => {
          const { line, text } = finding;
          const place = `Line ${line}`;
          return html`${isOriginal ? html`<a href="${hrefOf(line)}">${place}</a>` : place}:
            ${messageOf(finding)}: <q>${text}</q>`;
        }),
      ),
      rest > 0 && html`<p>and ${moreThan}${numberWords(rest)} more</p>`,
    ])
  );
}

/** The findings of the import, by the lines of the file. */
function renderFindings(findings: SiteRecord['findings']): Html {
  const words = (finding: SiteRecord['findings'][number]): Html => {
    const { level } = finding;
    const texts = textsOf(finding);
    const place = firstSection(finding);
    return html`<strong>${capitalized(level)}:</strong> ${
        place !== null && html`<a href="#section-${place}">section ${sectionWords(finding)}</a>, `
      }${linesInWords(finding)}
      of the file: ${messageOf(finding)}${texts !== '' && html`: <q>${texts}</q>`}`;
  };
  return section('findings', 'Findings of the import', list(findings.map(words)));
}

/** Links to what a log changed, and to what has changed since. */
function renderComparisons({ id, links }: LinkedLog, current: number): Html {
  const toCurrent = href(ROOT, COMPARISON_PATH, { id: current, query: { with: id } });
  return html`${
      links.comparison !== undefined &&
      html`<a href="${links.comparison.href}">since the previous log</a><br />`
    } <a href="${toCurrent}" rel="nofollow">up to the current log</a>`;
}

/** The other logs of the Site. */
const renderOthers = (others: LinkedLog[], current: number): Html =>
  section('logs', 'Other logs of this Site', [
    others.length === 0
      ? html`<p>There are none.</p>`
      : table(
          [
            ['File', ({ name }) => name, { isHeader: true }],
            [
              'Prepared',
              ({ datePrepared }) => datePrepared ?? 'date unknown',
              { name: 'labelled' },
            ],
            ['Imported', ({ importedAt }) => importedAt.slice(0, 10), { name: 'rest' }],
            ['Changes', (log) => renderComparisons(log, current), { name: 'second' }],
            ['Download', renderForms, { name: 'rest' }],
          ],
          others.slice(0, MOST_LOGS),
          { name: 'rows' },
        ),
    others.length > MOST_LOGS &&
      html`<p>
        ${numberWords(others.length - MOST_LOGS)} older logs are listed only in the JSON linked
        below.
      </p>`,
  ]);

/**
 * The page of the current site log of a Site: downloads, the text with the findings of the import,
 * and the other logs.
 */
export function renderLogPage({
  record,
  text,
  isOriginal,
  links,
  leftOut,
  metadata,
  logs,
  line,
}: LogView): Page {
  const { site, shortestId, siteLog, findings, asOf } = record;
  const hrefOf = (at: number, anchor: string): string =>
    `${href(ROOT, PATHS.siteLog, { site: shortestId, query: { line: at, asOf } })}#${anchor}`;
  const parts = partsOf(text);
  const shown = parts.findLastIndex(({ first }) => first <= line);
  const { first, lines } = parts[shown]!;
  const step = (words: string, part: Part | undefined): [string, string] | null =>
    part === undefined ? null : [hrefOf(part.first, 'text'), words];
  const seen = new Set<string>();
  /** The section or item that begins on a line, for links to it; null if none does. */
  const sectionOf = (each: string): string | null => {
    const section = isOriginal
      ? undefined
      : /^ {0,4}(\d{1,2}(?:\.\d{1,4}){0,2})\.? /.exec(each)?.[1];
    if (section === undefined || seen.has(section)) return null;
    seen.add(section);
    return section;
  };
  // The lines of findings are those of the file.
  const found = findingsByLine(isOriginal ? findings : []);
  const page = href(ROOT, PATHS.site, { site: shortestId, query: { asOf } });
  const logNow = href(ROOT, PATHS.siteLog, { site: shortestId });
  const siteWords = siteInWords(shortestId, site.name);
  const json: JsonLink[] = [
    { title: 'The site log', href: links.self.href },
    { title: 'All site logs of the Site', href: links.siteLogs.href },
  ];
  return {
    root: ROOT,
    title: `Site log of ${shortestId}`,
    section: 'sites',
    json,
    content: html`${asOf !== undefined && recordNotice(asOf, logNow)}
      <dl class="facts">
        ${fact('Site', html`<a href="${page}">${siteWords}</a>`)}
        ${fact('File', html`${siteLog.name}, ${siteLog.form}`)}
        ${fact('Prepared', siteLog.datePrepared ?? 'date unknown')}
        ${fact('Imported', siteLog.importedAt.slice(0, 10))}
        ${fact('License', metadata?.license?.value ?? null)}
        ${fact('DOI', metadata?.doi?.value ?? null)}
        ${
          links.comparison !== undefined &&
          fact('Changes', html`<a href="${links.comparison.href}">since the previous log</a>`)
        }
        ${
          isOriginal &&
          html`<div class="wide">
            <dt>SHA-256</dt>
            <dd><code class="hash">${siteLog.sha256}</code></dd>
          </div>`
        }
      </dl>
      ${
        !isOriginal &&
        html`<p id="withheld">
          The contacts of the log are withheld on this page and in the downloads: persons, telephone
          numbers and email addresses.
        </p>`
      }
      ${section('downloads', 'Download', [
        renderForms({ ...siteLog, links }),
        FORMS.map(([name, title]) =>
          renderLeftOut(title, leftOut[name] ?? [], isOriginal, (at) => hrefOf(at, `L${at}`)),
        ),
      ])}
      ${!isOriginal && findings.length > 0 && renderFindings(findings)}
      ${section('text', 'Text', [
        isOriginal &&
          findings.length > 0 &&
          html`<p>
            ${counted(findings.length, 'finding')} of the import, shown beside the lines.
          </p>`,
        parts.length > 1 &&
          renderSteps(
            'Parts of the site log',
            step('Previous', parts[shown - 1]),
            html`<span
              >Lines ${numberWords(first)} to ${numberWords(first + lines.length - 1)}</span
            >`,
            step('Next', parts[shown + 1]),
          ),
        html`<div class="lines">
          ${lines.map((each, index) => {
            const number = first + index;
            return renderLine(each, number, found.get(number) ?? [], sectionOf(each));
          })}
        </div>`,
      ])}
      ${renderOthers(
        logs.filter(({ id }) => id !== siteLog.id),
        siteLog.id,
      )}`,
  };
}
