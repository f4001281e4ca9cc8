import type { EquipmentInUse, EquipmentType, InstalledEquipment } from '../../schemas/index.js';
import { unknownMembers } from '../derive/completeness.js';
import type { Stay } from '../derive/gaps.js';
import { href } from '../links.js';
import { splitAntennaType } from '../site-log/antenna-type.js';
import { enumerated } from '../words.js';
import { renderLongText } from './page/folding.js';
import { type Content, type Html, html } from './page/html.js';
import { type Column, table } from './page/table.js';
import { devicesPathOf } from './device-sections.js';
import { typeLink } from './type-lists.js';
import {
  capitalized,
  furtherSentences,
  kindName,
  labelOf,
  notesOf,
  systemName,
  valueWords,
  when,
} from './page/words.js';

/** The equipment of a Setup: a small table for each kind, and words for what has no room there. */

/** The type of an item, as a link to the devices of that type. */
const typeColumn = (root: string): Column<EquipmentInUse> => [
  'Type',
  ({ content: { id } }) => typeLink(root, id.equipmentType, id.type),
  { isHeader: true },
];

/**
 * The type of an antenna without its radome, which has a column of its own. A radome that differs
 * from that column stays visible.
 */
const antennaTypeColumn = (root: string): Column<EquipmentInUse> => [
  'Type',
  ({ content: { id, configuration } }) => {
    const { type } = id;
    const { model, radome } = splitAntennaType(type ?? '');
    const isRepeated = 'radomeType' in configuration && radome === configuration.radomeType;
    return typeLink(root, id.equipmentType, type, isRepeated ? model : undefined);
  },
  { isHeader: true },
];

/** The serial number of a device, as a link to its history, if its kind has a page. */
const serialNumberColumn = (root: string): Column<EquipmentInUse> => [
  'Serial number',
  ({ content: { id } }) => {
    const page = devicesPathOf(id.equipmentType);
    if (id.serialNumber === null || page === undefined) return id.serialNumber ?? 'unknown';
    const query = { type: id.type ?? '', serialNumber: id.serialNumber };
    const title = `History of this ${kindName(id.equipmentType)}`;
    return html`<a href="${href(root, page, { query })}" title="${title}">${id.serialNumber}</a>`;
  },
];

/** Since when a device has been there, and since when in this configuration. */
const sinceColumn = (stay: (item: EquipmentInUse) => Stay): Column<EquipmentInUse> => [
  'Since (UTC)',
  (item) => {
    const { installed, reconfigured } = stay(item);
    const isReceiver = item.content.id.equipmentType === 'gnss receiver';
    const what = isReceiver ? 'this firmware and these settings' : 'this configuration';
    const configured =
      reconfigured !== null && html`<br /><small>${what} since ${when(reconfigured)}</small>`;
    return [when(installed), configured];
  },
];

/** A column with a member of the configuration. */
const memberColumn = (label: string, member: string): Column<EquipmentInUse> => [
  label,
  ({ content: { configuration } }) =>
    valueWords(member, (configuration as Record<string, unknown>)[member] ?? null),
];

/** Satellite systems, each as a mark. @param codes as in the site log: `GPS+GLO` */
const systemMarks = (codes: string | null): Content =>
  codes === null
    ? 'unknown'
    : html`<ul class="marks">
        ${codes.split('+').map((code) => html`<li>${systemName(code)}</li> `)}
      </ul>`;

const systemsColumn: Column<EquipmentInUse> = [
  'Satellite systems',
  ({ content: { configuration } }) =>
    'satelliteSystem' in configuration && systemMarks(configuration.satelliteSystem),
];

/** A kind of equipment with its columns, and the members that these show. */
interface KindTable {
  kind: EquipmentType;
  /** What its columns mean, where their labels do not say it. */
  note?: string;
  columns: Column<EquipmentInUse>[];
  shown: string[];
}

const kindTables = (root: string, since: Column<EquipmentInUse>): KindTable[] => [
  {
    kind: 'gnss receiver',
    columns: [
      typeColumn(root),
      serialNumberColumn(root),
      memberColumn('Firmware', 'firmwareVersion'),
      systemsColumn,
      since,
    ],
    shown: ['serialNumber', 'firmwareVersion', 'satelliteSystem'],
  },
  {
    kind: 'gnss antenna',
    note: 'Up, north and east lead from the marker to the antenna reference point.',
    columns: [
      antennaTypeColumn(root),
      memberColumn('Radome', 'radomeType'),
      serialNumberColumn(root),
      memberColumn('Up', 'markerArpUpEccentricity'),
      memberColumn('North', 'markerArpNorthEccentricity'),
      memberColumn('East', 'markerArpEastEccentricity'),
      memberColumn('Azimuth', 'alignmentFromTrueNorth'),
      since,
    ],
    shown: [
      'radomeType',
      'serialNumber',
      'markerArpUpEccentricity',
      'markerArpNorthEccentricity',
      'markerArpEastEccentricity',
      'alignmentFromTrueNorth',
    ],
  },
];

/** What a table has no room for, in words. @param shown the members that it shows */
export function furtherWords(
  equipment: InstalledEquipment,
  shown: readonly string[],
  unknown: string[] = [],
): Content[] {
  const sentences = furtherSentences(equipment, shown);
  const notes = notesOf(equipment);
  const words: Content[] = [];
  if (sentences.length > 0) words.push(html`<p>${sentences.join(' ')}</p>`);
  if (notes !== null) words.push(html`<div class="notes">${renderLongText(notes)}</div>`);
  if (unknown.length > 0) words.push(html`<p class="unknown">Unknown: ${enumerated(unknown)}.</p>`);
  return words;
}

/**
 * The tables of the equipment of a Setup: the receivers, the antennas, and all else.
 * @param stay since when a device has been there
 * @param after what else to say below an item; nothing for most
 */
export function equipmentTables(
  root: string,
  equipment: EquipmentInUse[],
  stay: (item: EquipmentInUse) => Stay,
  after: (item: EquipmentInUse) => Content[],
): Html[] {
  const below =
    (shown: readonly string[]) =>
    (item: EquipmentInUse): Content[] => {
      const unknown = unknownMembers(item).filter((member) => !shown.includes(member));
      return [...furtherWords(item, shown, unknown.map(labelOf)), ...after(item)];
    };
  const since = sinceColumn(stay);
  const kinds = kindTables(root, since);
  const tables = kinds.map(({ kind, note, columns, shown }) => ({
    caption: html`${capitalized(kindName(kind))}
    ${note !== undefined && html`<small>${note}</small>`}`,
    items: equipment.filter(({ content: { id } }) => id.equipmentType === kind),
    columns,
    shown,
  }));
  const isOther = ({ content: { id } }: EquipmentInUse): boolean =>
    kinds.every(({ kind }) => kind !== id.equipmentType);
  tables.push({
    caption: html`Other equipment`,
    items: equipment.filter(isOther),
    columns: [
      ['Kind', ({ content: { id } }) => capitalized(kindName(id.equipmentType))],
      typeColumn(root),
      since,
    ],
    shown: [],
  });
  return tables.flatMap(({ caption, items, columns, shown }) =>
    items.length === 0
      ? []
      : [table(columns, items, { name: 'stack equipment', caption, after: below(shown) })],
  );
}
