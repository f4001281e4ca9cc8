import { type Content, type Html, html } from './html.js';

/** Folds what would push the rest of a page away. It opens without a script. */

/** Content behind a line that opens it. */
export const renderFold = (summary: Content, content: Content): Html =>
  html`<details class="fold">
    <summary>${summary}</summary>
    <div>${content}</div>
  </details>`;

/** The most characters of a text that is not folded. */
const LONGEST = 260;
/** How many characters of a folded text are shown. */
const SHOWN = 160;

/** A text, of which only the beginning is shown if it is long. */
export function renderLongText(text: string): Content {
  if (text.length <= LONGEST) return text;
  const words = text.slice(0, SHOWN).replace(/\s+\S*$/, '');
  return html`<details class="fold text">
    <summary><span class="start">${words === '' ? text.slice(0, SHOWN) : words}… </span><span class="verb">More</span></summary>
    <div>${text}</div>
  </details>`;
}

/** Facts with more characters than this get a line of their own. */
const LONG_FACT = 90;

/** An entry of a definition list; nothing if the value is unknown. */
export const fact = (term: string, value: Content, isLong = typeof value === 'string' && value.length > LONG_FACT): Content =>
  value !== null &&
  value !== '' &&
  value !== false &&
  html`<div ${isLong && html`class="wide"`}>
    <dt>${term}</dt>
    <dd>${typeof value === 'string' ? renderLongText(value) : value}</dd>
  </div> `;
