import type { InvalidParameter, Problem } from '../../schemas/index.js';
import { href, PATHS } from '../links.js';
import type { ToldApart } from '../store/read/sites/sites.js';
import { type Html, html, list } from './page/html.js';
import { field, type JsonLink, type Page, siteLink } from './page/layout.js';

/** What is wrong with a parameter, and what it accepts. */
const invalidWords = ({ name, value, reason, allowed }: InvalidParameter): Html =>
  html`<code>${name}</code>${value !== null && html`: “${[value].flat().join('”, “')}”`}
    ${reason}${allowed !== '' && `; allowed: ${allowed}`}`;

/** Name, country and date of the site log of a Site, behind its id. */
const words = (site: ToldApart | undefined): string => {
  if (site === undefined) return '';
  const { name, country, datePrepared } = site;
  const log = `site log of ${datePrepared ?? 'an unknown date'}`;
  return ` · ${[name, country, log].filter((each) => each !== null).join(', ')}`;
};

/**
 * The HTML version of a problem document. What is wrong with parameters is said of each of them,
 * and so not in the words of the problem.
 * @param root the relative path from the page to the root of the service
 * @param json links to the same content as JSON
 * @param similar the ids of Sites that may have been meant
 * @param told what tells the candidates of the problem apart
 */
export function renderErrorPage(
  root: string,
  { title, status, detail, candidates, renamedTo, invalidParameters = [], instance }: Problem,
  json: JsonLink[],
  similar: string[],
  told: readonly ToldApart[],
): Page {
  const others =
    candidates?.map(({ nineCharacterId }) => nineCharacterId) ??
    (renamedTo === undefined ? similar : [renamedTo.id]);
  return {
    root,
    title,
    section: null,
    json,
    content: html`${invalidParameters.length === 0 && html`<p>${detail}</p>`}
      ${
        others.length > 0 && [
          others === similar && html`<p>Similar:</p>`,
          ' ',
          list(
            others.map((id) => [siteLink(root, id), words(told.find((each) => each.id === id))]),
          ),
        ]
      }
      ${invalidParameters.length > 0 && list(invalidParameters.map(invalidWords))}
      ${
        instance !== undefined &&
        html`<p>Request id in the service log: <code>${instance}</code></p>`
      }
      <form class="search" method="get" action="${href(root, PATHS.sites)}" role="search">
        ${field('q', 'Search for a site or equipment', '', html`type="search" maxlength="200"`)}
        <button>Search</button>
      </form>
      <p>Status ${status}. <a href="${href(root, PATHS.sites)}">All sites</a></p>`,
  };
}
