import type { EquipmentType } from '../../schemas/index.js';
import { href, PATHS } from '../links.js';
import { foldedLines } from './page/folding.js';
import { type Content, type Html, html } from './page/html.js';
import { typeWords } from './page/words.js';

/** Types of equipment in a monospaced face, as links to their devices. */

/** The kinds of equipment that have pages, by navigation section. */
export const DEVICE_SECTIONS = {
  receivers: { equipmentType: 'gnss receiver', path: PATHS.receivers },
  antennas: { equipmentType: 'gnss antenna', path: PATHS.antennas },
} as const satisfies Record<string, { equipmentType: EquipmentType; path: string }>;
export type DeviceSection = keyof typeof DEVICE_SECTIONS;

/** The path of the page of a kind of equipment; undefined if it has none. */
export const devicesPathOf = (equipmentType: EquipmentType): string | undefined =>
  Object.values(DEVICE_SECTIONS).find((section) => section.equipmentType === equipmentType)?.path;

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
