import { type Html, html } from './html.js';

/** The pattern of what is assumed: the time after the last log. Its id is used once in a page. */
export const ASSUMPTION = html`<pattern
  id="assumption"
  width="6"
  height="6"
  patternUnits="userSpaceOnUse"
  patternTransform="rotate(-45)"
>
  <path d="M0,0V6" />
</pattern>`;

/** The pattern of what is assumed, for the drawings of a page that come after it. */
export const renderAssumption = (): Html =>
  html`<svg class="patterns" width="0" height="0" aria-hidden="true">
    <defs>${ASSUMPTION}</defs>
  </svg>`;
