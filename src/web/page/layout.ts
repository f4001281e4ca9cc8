import { href, PATHS, type QueryValues } from '../../links.js';
import { exactSiteId } from '../../requests/site-id.js';
import type { Found, Paging } from '../../store/page.js';
import { type Content, type Html, html, joined } from './html.js';
import { numberWords, shortTime } from './words.js';

/** A link to a JSON resource of the API. */
export interface JsonLink {
  /** Its media type, if it is not HAL. */
  type?: string;
  /** A short description of the resource. */
  title: string;
  /** Relative to the page, built with {@link Page.root}. */
  href: string;
}

/** Whose network the service shows, as its operator names it. Null if unknown. */
export interface Network {
  name: string | null;
  /** The web page of the network. */
  url: string | null;
}

/** The parts of a page that differ from page to page. */
export interface Page {
  /**
   * The relative path from the page to the root of the service (`.` or `..`), so that pages work
   * behind any proxy prefix.
   */
  root: string;
  /** The heading and title of the page. */
  title: string;
  /** The navigation section of the page; null for none. */
  section: (typeof SECTIONS)[number][0] | null;
  /** The JSON resources with the content of the page. */
  json: JsonLink[];
  content: Content;
}

const SECTIONS = [
  ['overview', PATHS.overview, 'Overview'],
  ['sites', PATHS.sites, 'Sites'],
  ['receivers', PATHS.receivers, 'Receivers'],
  ['antennas', PATHS.antennas, 'Antennas'],
  ['network', PATHS.network, 'Network'],
  ['changes', PATHS.changes, 'Changes'],
  ['findings', PATHS.findings, 'Findings'],
  ['compare', PATHS.compare, 'Compare'],
  ['reference', PATHS.reference, 'API'],
] as const;

/** A field of a form. @param attributes further ones */
export const field = (
  name: string,
  label: string,
  value: string | undefined,
  attributes: Html,
): Html =>
  html`<span class="field"
    ><label for="${name}">${label}</label>
    <input id="${name}" name="${name}" value="${value}" ${attributes}
  /></span> `;

/** A link to what comes before or after; null if nothing does. */
type Step = [href: string, words: Content] | null;

/** Links to what comes before and after, with what is between the links. */
export function renderSteps(label: string, previous: Step, between: Content, next: Step): Html {
  const link = (rel: string, step: Step): Content =>
    step !== null && html`<a rel="${rel}" href="${step[0]}">${step[1]}</a> `;
  return html`<nav class="pages" aria-label="${label}">
    ${link('prev', previous)} ${between} ${link('next', next)}
  </nav>`;
}

/**
 * The links between the pages of a list; nothing if there is only one page.
 * @param paging the page that was read
 * @param found what was found for it
 * @param words of the links to both sides
 */
export function renderPageLinks(
  label: string,
  { page, size }: Paging,
  { totalElements }: Found<unknown>,
  to: (page: number) => string,
  [previous, next] = ['Previous', 'Next'],
): Content {
  const pages = Math.max(Math.ceil(totalElements / size), 1);
  if (page >= pages) {
    return html`<p>
      There is no page ${numberWords(page + 1)}.
      <a rel="prev" href="${to(pages - 1)}">Go to the last page</a>
    </p>`;
  }
  if (pages === 1) return null;
  const place = html`<span>Page ${page + 1} of ${pages}</span>`;
  return renderSteps(
    label,
    page > 0 ? [to(page - 1), previous] : null,
    place,
    page + 1 < pages ? [to(page + 1), next] : null,
  );
}

/** A path and query, which break only before their parts. */
export const pathText = (path: string): Html =>
  html`<code class="url">${joined(path.split(/(?=[/?&])/), html`<wbr />`)}</code>`;

/**
 * A link to the page of a Site.
 * @param exact an id that no other Site has, if it is known
 * @param query the times of the page
 */
export const siteLink = (
  root: string,
  id: string,
  exact: string | null = id,
  query: QueryValues = {},
): Html => html`<a href="${href(root, PATHS.site, { site: exact ?? id, query })}">${id}</a>`;

/**
 * Says that a page is about the record of an earlier time.
 * @param asOf that time
 * @param now the URL of the page about what is on record now
 * @param more further links
 */
export const recordNotice = (asOf: string, now: string, more: Content = null): Html =>
  html`<p role="note">
    What was on record at <time datetime="${asOf}">${shortTime(asOf)}</time>. Pages of devices and
    findings have only what is on record now. <a href="${now}">This page now</a>${more}
  </p>`;

/**
 * The id of a Site as a page shows it: four characters, or nine where several Sites share the four.
 * @param shared the four characters that are shared
 */
export const shownId = (four: string, nine: string | null, shared: ReadonlySet<string>): string =>
  shared.has(four) ? exactSiteId(four, nine) : four;

/** A section of a page. @param id of the section, which its heading shares */
export const section = (id: string, heading: Content, content: Content): Html =>
  html`<section id="${id}" aria-labelledby="${id}-heading">
    <h2 id="${id}-heading">${heading}</h2>
    ${content}
  </section>`;

/** A link to the JSON of a page, for programs. */
function alternateLink({ href: url, title, type }: JsonLink): Html {
  const mediaType = type ?? 'application/hal+json';
  return html`<link rel="alternate" type="${mediaType}" title="${title}" href="${url}" /> `;
}

/** A link to the JSON of a page, for people. */
function shownLink({ href: url, title }: JsonLink): Html {
  const path = pathText(url.replace(/^[./]*/, '/'));
  return html`<li>${title}: <a href="${url}">${path}</a></li> `;
}

/** The name of the network, with a link if there is one; nothing if the operator names none. */
export function networkLink({ name, url }: Network): Content {
  const words = name ?? (url === null ? null : new URL(url).host);
  return url === null ? words : html`<a href="${url}">${words}</a>`;
}

/** What follows the title of a page in the bar of a browser. */
const titleEnd = ({ name }: Network): string =>
  name === null ? 'GNSS site setups' : `${name} · GNSS site setups`;

/** The complete HTML document of a page. */
export function renderPage(
  { root, title, section, json, content }: Page,
  network: Network,
): string {
  const owner = networkLink(network);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} · ${titleEnd(network)}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="stylesheet" href="${href(root, PATHS.style)}" />
        <link rel="icon" type="image/svg+xml" href="${href(root, PATHS.icon)}" />
        ${json.map(alternateLink)}
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header class="top">
          <a class="name" href="${href(root, PATHS.overview)}">GNSS site setups</a>
          ${owner !== null && html`<span class="network">${owner}</span> `}
          <nav aria-label="Pages">
            ${SECTIONS.map(
              ([name, path, label]) =>
                html`<a href="${href(root, path)}" ${name === section && html`aria-current="page"`}
                  >${label}</a
                > `,
            )}
          </nav>
        </header>
        <main id="content">
          <h1>${title}</h1>
          ${content}
        </main>
        <footer>
          <h2>This page as JSON</h2>
          <ul>
            ${json.map(shownLink)}
          </ul>
          <p>
            Times are in UTC, and periods exclude their end. Values that a site log does not give
            are shown as unknown.
          </p>
        </footer>
      </body>
    </html> `.text;
}
