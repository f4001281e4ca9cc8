import { type Html, html } from './html.js';
import type { Mark } from './timeline-layout.js';

/** The shape and the legend of each mark. */
export const SHAPES: Record<Mark['kind'], [path: string, words: string]> = {
  installed: ['M-4,0H4M0,-4V4', 'installed'],
  removed: ['M-4,-4L4,4M-4,4L4,-4', 'removed'],
  replaced: ['M-5,-4H5L0,5Z', 'replaced by another device'],
  firmware: ['M0,-4A4,4 0 1 1 -0.01,-4Z', 'firmware changed'],
  reconfigured: ['M-3.5,-3.5H3.5V3.5H-3.5Z', 'settings changed'],
  reinstalled: ['M-2.5,-4V4M2.5,-4V4', 'removed and reinstalled'],
};

/** The shape of a mark. */
export const shape = (kind: Mark['kind']): Html => html`<path class="mark ${kind}" d="${SHAPES[kind][0]}" />`;

/** The patterns of gaps and of what is assumed. Their ids are used once in a page. */
export const HATCHING = html`<defs>
  <pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect width="7" height="7" />
    <path d="M0,0V7" />
  </pattern>
  <pattern id="assumption" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
    <path d="M0,0V6" />
  </pattern>
</defs>`;
