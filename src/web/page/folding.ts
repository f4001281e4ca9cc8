import { type Content, type Html, html, joined } from './html.js';
import { numberWords } from './words.js';

/** Folds what would push the rest of a page away. It opens without a script. */

/** Content behind a line that opens it. */
export const renderFold = (summary: Content, content: Content, isOpen = false): Html =>
  html`<details class="fold" ${isOpen && html`open`}>
    <summary>${summary}</summary>
    <div>${content}</div>
  </details>`;

/** The most lines that are folded; the pages of the items list all. */
const MOST_FOLDED = 20;

/** Contents in lines; if there are many, all but the first ones are folded. */
export function foldedLines(lines: Content[], shown: number): Content {
  const written = (some: Content[]): Html => joined(some, html` <br />`);
  const rest = lines.length - shown;
  // One more than the limit takes no more space than the line that would fold it.
  if (rest <= 1) return written(lines);
  const folded = written(lines.slice(shown, shown + MOST_FOLDED));
  const hidden = rest > MOST_FOLDED && html`<br />and ${numberWords(rest - MOST_FOLDED)} more`;
  return [
    written(lines.slice(0, shown)),
    renderFold(`${numberWords(rest)} more`, [folded, hidden]),
  ];
}

/** The most characters of a text that is not folded. */
const LONGEST = 260;
/** How many characters of a folded text are shown. */
const SHOWN = 160;

/** A text, of which only the beginning is shown if it is long. */
export function renderLongText(text: string): Content {
  if (text.length <= LONGEST) return text;
  const words = text.slice(0, SHOWN).replace(/\s+\S*$/, '');
  return html`<details class="fold text">
    <summary>
      <span class="start">${words === '' ? text.slice(0, SHOWN) : words}… </span
      ><span class="verb">More</span>
    </summary>
    <div>${text}</div>
  </details>`;
}

/** Facts with more characters than this get a line of their own. */
const LONG_FACT = 90;

/** An entry of a definition list; nothing if the value is unknown. */
export const fact = (
  term: string,
  value: Content,
  isLong = typeof value === 'string' && value.length > LONG_FACT,
): Content =>
  value !== null &&
  value !== '' &&
  value !== false &&
  html`<div ${isLong && html`class="wide"`}>
    <dt>${term}</dt>
    <dd>${typeof value === 'string' ? renderLongText(value) : value}</dd>
  </div> `;
