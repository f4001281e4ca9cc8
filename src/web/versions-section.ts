import type { SiteThen } from '../store/read/sites/sites.js';
import { href, PATHS } from '../links.js';
import type { LinkedLog } from './log-page.js';
import { type Html, html } from './page/html.js';
import { section } from './page/layout.js';
import { table } from './page/table.js';
import { numberWords } from './page/words.js';

/** The section of a Site page with the versions of its site log. */

const ROOT = '..';
/** How many versions are listed; the page of the log lists more. */
const MOST_VERSIONS = 5;

/** What a version changed, as a link to the comparison with the one before. */
const renderComparison = ({ name, links: { comparison } }: LinkedLog): Html | string =>
  comparison === undefined
    ? 'first version'
    : html`<a href="${comparison.href}" aria-label="What changed in ${name}">what changed</a>`;

/** @param logs those that were not withdrawn, the newest first */
export function versionsSection({ siteLog, shortestId, asOf }: SiteThen, logs: LinkedLog[]): Html {
  const page = href(ROOT, PATHS.siteLog, { site: shortestId, query: { asOf } });
  const rest = logs.length - MOST_VERSIONS;
  const rows = table<LinkedLog>(
    [
      [
        'File',
        ({ id, name }) =>
          id === siteLog?.id ? html`<a class="file" href="${page}">${name}</a>` : name,
        { isHeader: true },
      ],
      ['Form', ({ form }) => form],
      [
        'Prepared',
        ({ datePrepared }) => datePrepared ?? 'date unknown',
        { name: 'second labelled' },
      ],
      ['Imported', ({ importedAt }) => importedAt.slice(0, 10), { name: 'rest' }],
      ['Changes', renderComparison, { name: 'second' }],
    ],
    logs.slice(0, MOST_VERSIONS),
    { name: 'rows' },
  );
  return section('logs', 'Site logs', [
    logs.length === 0 ? html`<p>The site log was withdrawn.</p>` : rows,
    rest > 0 && html`<p><a href="${page}#logs">${numberWords(rest)} older versions</a></p>`,
  ]);
}
