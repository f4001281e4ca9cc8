import type { EquipmentType } from '../../schemas/index.js';
import { href } from '../links.js';
import { devicesPathOf } from './device-sections.js';
import { foldedLines } from './page/folding.js';
import { type Content, type Html, html } from './page/html.js';
import { typeWords } from './page/words.js';

/** Types of equipment in a monospaced face, as links to their devices. */

/**
 * The most characters of a type that is never broken: the 20 columns of the IGS list, and some more
 * for what logs add.
 */
const LONGEST_UNBROKEN = 24;

const typeClass = (type: string | null): string =>
  typeWords(type).length > LONGEST_UNBROKEN ? 'type long' : 'type';

/** A type as text, whose columns are kept. */
export const typeText = (type: string | null): Html =>
  html`<span class="${typeClass(type)}">${typeWords(type)}</span>`;

/**
 * A type as a link to the devices of this type, if its kind has a page.
 * @param shown what to show of the type; all by default
 */
export function typeLink(
  root: string,
  equipmentType: EquipmentType,
  type: string | null,
  shown = typeWords(type),
): Html {
  const path = devicesPathOf(equipmentType);
  if (path === undefined) return typeText(type);
  return html`<a
    class="${typeClass(type)}"
    href="${href(root, path, { query: { type: type ?? '' } })}"
    >${shown}</a
  >`;
}

/** How many types a cell shows before it folds the others. */
const MOST_SHOWN = 2;

/** The types of a cell, one per line; a long list is folded. */
export const typeList = (
  root: string,
  equipmentType: EquipmentType,
  types: (string | null)[],
): Content =>
  types.length === 0
    ? 'none'
    : foldedLines(
        types.map((type) => typeLink(root, equipmentType, type)),
        MOST_SHOWN,
      );
