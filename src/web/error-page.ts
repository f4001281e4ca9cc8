import type { Problem } from '../../schemas/index.js';
import { href, PATHS } from '../links.js';
import { html } from './html.js';
import { type JsonLink, renderPage } from './layout.js';

/**
 * The page of an error: what a problem document says, to read.
 * @param root the way from the page to the root of the service
 * @param json what to ask for the same as JSON
 */
export function renderErrorPage(
  root: string,
  { title, status, detail, invalidParameters = [], instance }: Problem,
  json: JsonLink[],
): string {
  return renderPage({
    root,
    title,
    section: null,
    json,
    content: html`<p>${detail}</p>
      ${
        invalidParameters.length > 0 &&
        html`<ul>
          ${invalidParameters.map(
            ({ name, value, allowed }) =>
              html`<li><code>${name}</code>${value !== null && html`: “${[value].flat().join('”, “')}”`}. ${allowed}</li> `,
          )}
        </ul>`
      }
      ${instance !== undefined && html`<p>The log of the service has it as <code>${instance}</code>.</p>`}
      <p>Status ${status}. <a href="${href(root, PATHS.sites)}">All sites</a></p>`,
  });
}
