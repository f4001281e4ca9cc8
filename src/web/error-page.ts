import type { Problem } from '../../schemas/index.js';
import { href, PATHS } from '../links.js';
import { html } from './html.js';
import { type JsonLink, renderPage } from './layout.js';

/**
 * The HTML version of a problem document.
 * @param root the relative path from the page to the root of the service
 * @param json links to the same content as JSON
 */
export function renderErrorPage(
  root: string,
  { title, status, detail, candidates, renamedTo, invalidParameters = [], instance }: Problem,
  json: JsonLink[],
): string {
  const others = candidates?.map(({ nineCharacterId }) => nineCharacterId) ?? (renamedTo === undefined ? [] : [renamedTo.id]);
  return renderPage({
    root,
    title,
    section: null,
    json,
    content: html`<p>${detail}</p>
      ${
        others.length > 0 &&
        html`<ul>
          ${others.map((id) => html`<li><a href="${href(root, PATHS.site, { site: id })}">${id}</a></li> `)}
        </ul>`
      }
      ${
        invalidParameters.length > 0 &&
        html`<ul>
          ${invalidParameters.map(
            ({ name, value, allowed }) =>
              html`<li><code>${name}</code>${value !== null && html`: “${[value].flat().join('”, “')}”`}. ${allowed}</li> `,
          )}
        </ul>`
      }
      ${instance !== undefined && html`<p>Request id in the service log: <code>${instance}</code></p>`}
      <p>Status ${status}. <a href="${href(root, PATHS.sites)}">All sites</a></p>`,
  });
}
