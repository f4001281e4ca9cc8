import type { QueryValues } from '../../links.js';
import { type Html, html } from './html.js';
import { field } from './layout.js';

/** The parts of forms with filters. */

/** A field for a text. @param placeholder an example */
export const textField = (
  name: string,
  label: string,
  value: string | undefined,
  placeholder: string,
): Html => field(name, label, value, html`size="14" maxlength="100" placeholder="${placeholder}"`);

/** A choice of one value. @param chosen undefined for the empty value */
export const select = (
  name: string,
  label: string,
  chosen: string | undefined,
  options: [value: string, words: string][],
): Html =>
  html`<span class="field"
    ><label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${options.map(([value, words]) => {
        const selected = value === (chosen ?? '') && html`selected`;
        return html`<option value="${value}" ${selected}>${words}</option>`;
      })}
    </select></span
  > `;

/** Fields that keep the values of a parameter, which the form does not show. */
export const hiddenFields = ([name, value]: [string, QueryValues[string]]): Html[] =>
  [value ?? []]
    .flat()
    .map((each) => html`<input type="hidden" name="${name}" value="${String(each)}" />`);
