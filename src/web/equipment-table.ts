import { type EquipmentInUse, type EquipmentType, type Setup, SETUP_EQUIPMENT_TYPES } from '../../schemas/index.js';
import { type Content, type Html, html, tableHead } from './html.js';
import { typeLink } from './type-lists.js';
import { capitalized, kindName, valueWords, when } from './words.js';

/** The equipment of a Setup as a table: what analysts compare. */

/** The columns with a member of the identity or configuration. */
const MEMBERS: [label: string, member: string][] = [
  ['Serial number', 'serialNumber'],
  ['Firmware', 'firmwareVersion'],
  ['Radome', 'radomeType'],
  ['Up', 'markerArpUpEccentricity'],
  ['North', 'markerArpNorthEccentricity'],
  ['East', 'markerArpEastEccentricity'],
];

function row(root: string, { content: { id, configuration, period } }: EquipmentInUse): Html {
  const values: Record<string, unknown> = { ...id, ...configuration };
  const cell = ([label, member]: [string, string]): Html =>
    member in values
      ? html`<td data-label="${label}">${valueWords(member, values[member])}</td> `
      : html`<td class="none" data-label="${label}">–</td> `;
  return html`<tr>
    <th scope="row" data-label="Equipment">${capitalized(kindName(id.equipmentType))}</th>
    <td data-label="Type">${typeLink(root, id.equipmentType, id.type)}</td>
    ${MEMBERS.map(cell)}
    <td data-label="Since">${when(period.from)}</td>
  </tr> `;
}

/**
 * The table of the equipment of a Setup.
 * @param concerning what to say below the items of a kind; nothing for most
 */
export function equipmentTable(root: string, { equipmentInUse }: Setup, concerning: (kind: EquipmentType) => Content[]): Html {
  const ofKind = (kind: EquipmentType): EquipmentInUse[] => equipmentInUse.filter(({ content: { id } }) => id.equipmentType === kind);
  return html`<table class="stack equipment">
    <caption>
      Up, North and East are the eccentricities: from the marker to the antenna reference point. Since: in this configuration.
    </caption>
    ${tableHead('Equipment', 'Type', ...MEMBERS.map(([label]) => label), 'Since')}
    <tbody>
      ${SETUP_EQUIPMENT_TYPES.map((kind) => {
        const more = concerning(kind);
        return [
          ofKind(kind).map((each) => row(root, each)),
          more.length > 0 &&
            html`<tr class="findings">
              <td colspan="${MEMBERS.length + 3}">${more}</td>
            </tr> `,
        ];
      })}
    </tbody>
  </table>`;
}
