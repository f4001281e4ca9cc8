import { EQUIPMENT_KINDS, MAXIMUM_PAGE_SIZE } from '../../schemas/index.js';
import { href, pathOf } from '../links.js';
import type { DeviceType } from '../store/read/devices/devices.js';
import { renderDownloads } from './downloads.js';
import { type Content, type Html, html } from './page/html.js';
import { field, type Page } from './page/layout.js';
import { table } from './page/table.js';
import { DEVICE_SECTIONS, type DeviceSection, typeLink } from './type-lists.js';
import { capitalized, counted, kindName, numberWords, several } from './page/words.js';

const ROOT = '.';

/** Marks a conflict with a shape and words, so that it does not depend on colour. */
export const conflict = (words: Content): Html =>
  html`<span class="conflict"
    ><svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <path d="M6,1L11.5,11H0.5Z" />
    </svg>
    ${words}</span
  >`;

/** What was asked for in the fields of a page of devices. */
interface Asked {
  type?: string | undefined;
  serialNumber?: string | undefined;
  /** Whether only devices in conflict are asked for. */
  inConflict?: boolean;
}

/** The fields for type, serial number and conflicts. @param types to choose from */
export function searchForm(
  section: DeviceSection,
  { type, serialNumber, inConflict = false }: Asked,
  types: DeviceType[] = [],
): Html {
  return html`<form
    class="search"
    method="get"
    action="${href(ROOT, DEVICE_SECTIONS[section].path)}"
  >
    ${field('type', 'Type', type, html`size="22" maxlength="200" list="types"`)}
    ${field('serialNumber', 'Serial number', serialNumber, html`size="14" maxlength="200"`)}
    <label class="field"
      ><input type="checkbox" name="conflicts" value="true" ${inConflict && html`checked`} /> Only
      in conflict</label
    >
    <button>Show</button>
    <datalist id="types">
      ${types.map(({ type: each }) => each !== null && html`<option value="${each}"></option>`)}
    </datalist>
  </form>`;
}

/** The content of the page of types. */
interface DeviceTypesView {
  section: DeviceSection;
  types: DeviceType[];
  /** A search that found no device. */
  asked: Asked | null;
}

/** What to say about a search that found no device. */
function notFound(section: DeviceSection, { type, serialNumber, inConflict = false }: Asked): Html {
  const { equipmentType, path } = DEVICE_SECTIONS[section];
  const what = [
    type !== undefined && `of type “${type}”`,
    serialNumber !== undefined && `with serial number “${serialNumber}”`,
    inConflict && 'in conflict',
  ];
  return html`<p role="status">
      No ${kindName(equipmentType)} ${what.filter((each) => each !== false).join(' ')}.
    </p>
    <p><a href="${href(ROOT, path)}">All ${kindName(equipmentType)} types</a></p>`;
}

/** The page that lists the types of one kind of equipment, with counts. */
export function renderDeviceTypesPage({ section, types, asked }: DeviceTypesView): Page {
  const { equipmentType } = DEVICE_SECTIONS[section];
  const name = kindName(equipmentType);
  const collection = { name: EQUIPMENT_KINDS[equipmentType].collection };
  return {
    root: ROOT,
    title: capitalized(section),
    section,
    json: [
      {
        title: `All ${name}s`,
        href: href(ROOT, pathOf(collection), {
          query: { size: MAXIMUM_PAGE_SIZE, sort: 'type,asc' },
        }),
      },
    ],
    content: [
      searchForm(section, asked ?? {}, types),
      asked === null ? typesTable(section, types) : notFound(section, asked),
    ],
  };
}

/** The devices of a kind in conflict. @param type of this type; undefined for all types */
const conflictsUrl = (section: DeviceSection, type?: string): string =>
  href(ROOT, DEVICE_SECTIONS[section].path, { query: { type, conflicts: true } });

/**
 * States how many devices are in conflict, with links to them; nothing if none are. Zero has no
 * link.
 */
export function renderConflicts(receivers: number, antennas: number): Content {
  if (receivers + antennas === 0) return null;
  const linked = (section: DeviceSection, count: number): Content =>
    count === 0 ? '0' : html`<a href="${conflictsUrl(section)}">${numberWords(count)}</a>`;
  return html`<p>
    ${conflict([
      linked('receivers', receivers),
      ` ${several(receivers, 'receiver')} and `,
      linked('antennas', antennas),
      ` ${several(antennas, 'antenna')} in conflict`,
    ])}:
    the logs of two sites list the same device as in use at the same time.
  </p>`;
}

/** The number of devices of a type in conflict, as a link to them; nothing if there are none. */
function conflictsOfType(section: DeviceSection, { type, conflicts }: DeviceType): Content {
  if (conflicts === 0) return false;
  const words = counted(conflicts, 'conflict');
  const url = conflictsUrl(section, type ?? '');
  return conflict(html`<a href="${url}">${words}</a>`);
}

/** The types with their counts. */
function typesTable(section: DeviceSection, types: DeviceType[]): Html {
  const { equipmentType } = DEVICE_SECTIONS[section];
  const hasConflicts = types.some(({ conflicts }) => conflicts > 0);
  const sum = (count: (type: DeviceType) => number): number =>
    types.reduce((total, each) => total + count(each), 0);
  return html`<p>
      ${counted(
        sum(({ devices }) => devices),
        kindName(equipmentType),
      )}
      of ${counted(types.length, 'type')}, ${numberWords(sum(({ inUse }) => inUse))} of them in use
      now. A conflict is a device that the logs of two sites list as in use at the same time,
      judging by its type and serial number.
      ${
        hasConflicts &&
        html`<a href="${conflictsUrl(section)}">All ${kindName(equipmentType)}s in conflict</a>`
      }
    </p>
    ${table(
      [
        ['Type', ({ type }) => typeLink(ROOT, equipmentType, type), { isHeader: true }],
        ['Devices', ({ devices }) => numberWords(devices), { name: 'number second labelled' }],
        ['In use', ({ inUse }) => numberWords(inUse), { name: 'number second labelled' }],
        ['Sites', ({ sites }) => numberWords(sites), { name: 'number second labelled' }],
        ['Conflicts', (type) => conflictsOfType(section, type)],
      ],
      types,
      { name: 'rows' },
    )}
    ${renderDownloads(
      ROOT,
      'installations',
      { equipmentType },
      `all ${kindName(equipmentType)}s and where they have been`,
    )}`;
}
