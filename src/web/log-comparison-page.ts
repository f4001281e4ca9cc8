import { type LogChange, type LogComparison, SITE_LOGS } from '../../schemas/index.js';
import { isDrawing } from '../formats/log-comparison.js';
import { COMPARISON_PATH, href, itemHref, PATHS } from '../links.js';
import { AGENCIES } from '../site-log/sections/parties.js';
import { SECTIONS } from '../site-log/sections/index.js';
import type { Paging } from '../store/page.js';
import type { LogEntry, SiteLogRecord } from '../store/read/logs/logs.js';
import { fact, renderFold, renderLongText } from './page/folding.js';
import { type Content, type Html, html, joined, LINE_FEED, preformatted } from './page/html.js';
import { type Page, renderPageLinks, section } from './page/layout.js';
import { table } from './page/table.js';
import { capitalized } from './page/words.js';

/** The content of the page that shows what changed between two versions of a site log. */
interface LogComparisonView {
  /** The logs, and the changes of one page. */
  comparison: Omit<LogComparison, '_links' | 'page'>;
  /** How much changed, in words. */
  counted: string;
  /** The page of the changes, and how many there are on all pages. */
  paging: Paging;
  totalChanges: number;
  /** The log that the request asks to compare with; undefined: the one before. */
  with: number | undefined;
  /** The Site of the logs, with the id by which links name it. */
  site: Pick<SiteLogRecord, 'fourCharacterId'> & { linkedId: string };
  /** The logs of the Site that were not withdrawn, the newest first. */
  logs: LogEntry[];
  /** The URL of the same as JSON. */
  json: string;
}

/** The relative path from the page to the root of the service. */
export const ROOT = '../..';

/** The most logs of a Site that can be chosen. */
const MOST_LOGS = 200;
/** The most characters of a drawing that are shown. */
const LONGEST_DRAWING = 20_000;

type Compared = LogComparison['older'];

const preparedWords = ({ datePrepared }: Pick<Compared, 'datePrepared'>): string =>
  datePrepared === null ? 'date unknown' : `prepared ${datePrepared}`;

/** A log as a fact of the page, with a link to its text. */
function renderLog({ id, ...log }: Compared): Html {
  const text = `${itemHref(ROOT, SITE_LOGS, id!)}?format=text`;
  return html`<a class="file" href="${text}" rel="nofollow">${log.name}</a>, ${preparedWords(log)}`;
}

/** A drawing, line by line, which opens. */
function renderDrawing(drawing: string): Html {
  const lines = drawing.slice(0, LONGEST_DRAWING).split('\n').map(preformatted);
  return renderFold('Drawing', html`<pre tabindex="0">${joined(lines, LINE_FEED)}</pre>`);
}

/** A value of a change; null if there is none. */
function renderValue(change: LogChange, text: string | null): Content {
  if (text === null) return change.change === 'changed' ? 'blank' : null;
  return isDrawing(change) ? renderDrawing(text) : renderLongText(text.replace(/\s+/g, ' '));
}

const itemWords = ({ number, item }: LogChange): string =>
  number === null ? item : `${number} ${item}`;

/** The changes of a section in a table. */
const changesTable = (changes: LogChange[]): Html =>
  table<LogChange>(
    [
      ['Item', itemWords, { isHeader: true }],
      ['Change', ({ change, value }) => capitalized(value ?? change)],
      ['Before', (change) => renderValue(change, change.before)],
      ['After', (change) => renderValue(change, change.after)],
    ],
    changes,
    { name: 'stack differences' },
  );

/** The number of the main section that a change is in: 8 for 8.1. */
const mainNumberOf = ({ number }: LogChange): string => number?.split('.')[0] ?? '';

/** The headings of the main sections in the form, by their numbers. */
const HEADINGS = new Map(
  [...Object.values(SECTIONS), ...Object.values(AGENCIES)].flatMap(({ number, heading }) =>
    heading === undefined ? [] : [[number.split('.')[0]!, heading]],
  ),
);

/** The changes of a main section. */
function renderSection(number: string, changes: LogChange[]): Html {
  const heading = HEADINGS.get(number);
  const words = heading === undefined ? 'Other agencies' : `${number}. ${heading}`;
  return section(`section-${number === '' ? 'other' : number}`, words, changesTable(changes));
}

/** A form that chooses another log to compare with. */
function renderChoice(
  { newer, older }: LogComparisonView['comparison'],
  logs: LogEntry[],
): Content {
  const others = logs.filter(({ id }) => id !== newer.id).slice(0, MOST_LOGS);
  if (others.length < 2) return null;
  const path = href(ROOT, COMPARISON_PATH, { id: newer.id! });
  return html`<form class="search" method="get" action="${path}">
    <span class="field"
      ><label for="with">Compare with</label>
      <select id="with" name="with">
        ${others.map(
          (log) =>
            html`<option value="${log.id}" ${log.id === older.id && html`selected`}>
              ${log.name}, ${preparedWords(log)}
            </option>`,
        )}
      </select></span
    >
    <button>Compare</button>
  </form>`;
}

/** The page that shows what changed between two versions of a site log, by section. */
export function renderLogComparisonPage(view: LogComparisonView): Page {
  const { comparison, site, logs, json, paging } = view;
  const { older, newer, changes, contactsCompared } = comparison;
  const id = site.linkedId;
  const bySection = Map.groupBy(changes, mainNumberOf);
  const pageHref = (page: number): string =>
    href(ROOT, COMPARISON_PATH, {
      id: newer.id!,
      query: { with: view.with, page, size: paging.size },
    });
  return {
    root: ROOT,
    title: `What changed in the site log of ${site.fourCharacterId}`,
    section: 'sites',
    json: [{ title: 'This comparison, for clients that do not ask for HTML', href: json }],
    content: html`<dl class="facts">
        ${fact(
          'Site',
          html`<a href="${href(ROOT, PATHS.site, { site: id })}">${id}</a>,
            <a href="${href(ROOT, PATHS.siteLog, { site: id })}">all site logs</a>`,
        )}
        ${fact('Before', renderLog(older))} ${fact('After', renderLog(newer))}
      </dl>
      ${renderChoice(comparison, logs)}
      <p role="status">${capitalized(view.counted)}.</p>
      ${[...bySection].map(([number, some]) => renderSection(number, some))}
      ${renderPageLinks(
        'Pages of changes',
        paging,
        { elements: changes, totalElements: view.totalChanges },
        pageHref,
      )}
      <p>
        Section 0${!contactsCompared && ', persons, telephone numbers, email addresses'} and values
        that only one of the two forms has are not compared. A new place or number of an item alone
        is not a change.
      </p>`,
  };
}
