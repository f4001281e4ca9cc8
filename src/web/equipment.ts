import { type EquipmentInUse, type InstalledEquipment } from '../../schemas/index.js';
import { href } from '../links.js';
import { renderLongText } from './page/folding.js';
import { type Content, type Html, html } from './page/html.js';
import { type Column, table } from './page/table.js';
import { devicesPathOf, typeLink, typeText } from './type-lists.js';
import {
  capitalized,
  configurationSentences,
  identitySentences,
  kindName,
  listed,
  notesOf,
  unbroken,
  useWords,
  valueWords,
  when,
} from './page/words.js';

/** Equipment as a table, which analysts compare, and in words. */

/** The columns that show a member of the identity or configuration. */
const MEMBERS: [label: string, member: string][] = [
  ['Serial number', 'serialNumber'],
  ['Firmware', 'firmwareVersion'],
  ['Radome', 'radomeType'],
  ['Up', 'markerArpUpEccentricity'],
  ['North', 'markerArpNorthEccentricity'],
  ['East', 'markerArpEastEccentricity'],
];

const memberColumn = ([label, member]: (typeof MEMBERS)[number]): Column<EquipmentInUse> => [
  label,
  ({ content: { id, configuration } }) => {
    const values: Record<string, unknown> = { ...id, ...configuration };
    return member in values ? valueWords(member, values[member]) : null;
  },
];

/**
 * The table of the equipment of a Setup.
 * @param after what to say below an item; nothing for most
 */
export const equipmentTable = (
  root: string,
  equipment: EquipmentInUse[],
  after: (item: EquipmentInUse) => Content[],
): Html =>
  table<EquipmentInUse>(
    [
      [
        'Equipment',
        ({ content: { id } }) => capitalized(kindName(id.equipmentType)),
        { isHeader: true },
      ],
      ['Type', ({ content: { id } }) => typeLink(root, id.equipmentType, id.type)],
      ...MEMBERS.map(memberColumn),
      ['Since', ({ content: { period } }) => when(period.from)],
    ],
    equipment,
    {
      name: 'stack equipment',
      caption:
        'Up, North and East are the eccentricities: from the marker to the antenna reference ' +
        'point. Since: in this configuration.',
      after,
    },
  );

/**
 * One item of equipment in words, as an entry of a list of cards: its identity, its configuration,
 * and what is unknown about it.
 */
export function equipmentCard(
  root: string,
  equipment: InstalledEquipment,
  unknown: string[] = [],
): Html {
  const { id, period } = equipment.content;
  const { equipmentType, type, serialNumber } = id;
  const page = devicesPathOf(equipmentType);
  const notes = notesOf(equipment);
  const name = kindName(equipmentType);
  const query = { type: type ?? '', serialNumber: serialNumber ?? undefined };
  const isClosed = period.from !== null && period.to !== null;
  return html`<h3><span class="kind">${capitalized(name)}</span> ${typeText(type)}</h3>
    <p>
      ${[...identitySentences(equipment), ...configurationSentences(equipment)].join(' ')} In this
      configuration ${unbroken(isClosed ? `from ${useWords(period)}` : useWords(period))}.
    </p>
    ${notes !== null && html`<div class="notes">${renderLongText(notes)}</div>`}
    ${unknown.length > 0 && html`<p class="unknown">Unknown: ${listed(unknown)}.</p>`}
    ${
      page !== undefined &&
      html`<p class="history">
        <a href="${href(root, page, { query })}"
          >${serialNumber === null ? 'All devices of this type' : `History of this ${name}`}</a
        >
      </p>`
    }`;
}
