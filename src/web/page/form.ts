import type { QueryValues } from '../../links.js';
import { type Html, html } from './html.js';
import { field } from './layout.js';

/** The parts of forms with filters. */

/** A field for a text, with an example in {@link examples}. */
export const textField = (name: string, label: string, value: string | undefined): Html =>
  field(name, label, value, html`size="11" maxlength="100" aria-describedby="examples"`);

/** The line below a form with what its fields may hold. */
export const examples = (texts: string[]): Html =>
  html`<small id="examples">Examples: ${texts.join('; ')}.</small>`;

/**
 * A choice. It allows several values if several are chosen, so that it shows and keeps all of them.
 * @param chosen none for the empty value
 */
export function select(
  name: string,
  label: string,
  chosen: readonly string[],
  options: [value: string, words: string][],
): Html {
  const one = html`id="${name}" name="${name}"`;
  const attributes = chosen.length > 1 ? html`${one} multiple` : one;
  const isChosen = (value: string): boolean =>
    chosen.length === 0 ? value === '' : chosen.includes(value);
  return html`<span class="field"
    ><label for="${name}">${label}</label>
    <select ${attributes}>
      ${options.map(
        ([value, words]) =>
          html`<option value="${value}" ${isChosen(value) && html`selected`}>${words}</option>`,
      )}
    </select></span
  > `;
}

/**
 * The choice of an order; one that has no words is shown as it was asked for.
 * @param chosen empty for the usual order
 */
export function orderSelect(
  chosen: string,
  orders: readonly [sort: string, words: string][],
): Html {
  const isKnown = orders.some(([sort]) => sort === chosen);
  const all = isKnown ? [...orders] : [...orders, [chosen, chosen] satisfies [string, string]];
  return select('sort', 'Order', [chosen], all);
}

/** Fields that keep the values of a parameter, which the form does not show. */
export const hiddenFields = ([name, value]: [string, QueryValues[string]]): Html[] =>
  [value ?? []]
    .flat()
    .map((each) => html`<input type="hidden" name="${name}" value="${String(each)}" />`);
