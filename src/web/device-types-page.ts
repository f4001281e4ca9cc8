import { EQUIPMENT_KINDS, MAXIMUM_PAGE_SIZE } from '../../schemas/index.js';
import { isNoDevice } from '../derive/devices.js';
import type { TypeSort } from '../exports/pages/devices.js';
import { href, pathOf } from '../links.js';
import type { DeviceType } from '../store/read/devices/devices.js';
import { renderDownloads } from './downloads.js';
import { type Content, type Html, html, joined } from './page/html.js';
import { field, type Page } from './page/layout.js';
import { type Column, sortableHead, table } from './page/table.js';
import { DEVICE_SECTIONS, type DeviceSection } from './device-sections.js';
import { typeLink } from './type-lists.js';
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
export interface DeviceTypesView {
  section: DeviceSection;
  types: DeviceType[];
  /** The order of the types. */
  sort: TypeSort;
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
export function renderDeviceTypesPage({ section, types, sort, asked }: DeviceTypesView): Page {
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
      asked === null ? typesTable(section, types, sort) : notFound(section, asked),
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
    the logs of two sites list the same device as in use at the same time, now or in the past.
  </p>`;
}

/** The number of devices of a type in conflict, as a link to them; nothing if there are none. */
function conflictsOfType(section: DeviceSection, { type, conflicts }: DeviceType): Content {
  if (conflicts === 0) return false;
  const words = counted(conflicts, 'conflict');
  const url = conflictsUrl(section, type ?? '');
  return conflict(html`<a href="${url}">${words}</a>`);
}

/** Types in an order. Those that are equal stay as they are, and an unknown type comes last. */
function sortedTypes(types: DeviceType[], { by, descending }: TypeSort): DeviceType[] {
  const sign = descending ? -1 : 1;
  if (by !== 'type') return types.toSorted((a, b) => sign * (a[by] - b[by]));
  return types.toSorted((a, b) => {
    if (a.type === null || b.type === null)
      return Number(a.type === null) - Number(b.type === null);
    return sign * a.type.localeCompare(b.type, 'en');
  });
}

/** The columns of the types, each with what it sorts by. */
const typeColumns = (section: DeviceSection): [by: TypeSort['by'], Column<DeviceType>][] => {
  const { equipmentType } = DEVICE_SECTIONS[section];
  const number = { name: 'number second labelled' };
  return [
    ['type', ['Type', ({ type }) => typeLink(ROOT, equipmentType, type), { isHeader: true }]],
    ['devices', ['Devices', ({ devices }) => numberWords(devices), number]],
    ['inUse', ['In use', ({ inUse }) => numberWords(inUse), number]],
    ['sites', ['Sites', ({ sites }) => numberWords(sites), number]],
    ['conflicts', ['Conflicts', (type) => conflictsOfType(section, type)]],
  ];
};

/** How many makers are named. */
const MOST_MAKERS = 8;

/** The receivers in use by their makers: types of receivers begin with the maker. */
function makersWords(types: DeviceType[]): Content {
  const makers = new Map<string, number>();
  for (const { type, inUse } of types) {
    const [maker = ''] = (type ?? '').split(' ');
    if (maker !== '' && inUse > 0) makers.set(maker, (makers.get(maker) ?? 0) + inUse);
  }
  const most = [...makers].sort(([, a], [, b]) => b - a).slice(0, MOST_MAKERS);
  if (most.length === 0) return null;
  const words = most.map(([maker, inUse]) => `${maker} ${numberWords(inUse)}`).join(', ');
  return html`<p>In use by maker, the first word of the type: ${words}.</p>`;
}

/** States what is left out: types by which logs say that there is no device. */
const noDeviceWords = (section: DeviceSection, types: DeviceType[]): Content =>
  types
    .filter(({ type }) => isNoDevice(type))
    .map(
      ({ type, devices }) =>
        html`Left out: ${counted(devices, 'item')} of the logs with the type
        ${typeLink(ROOT, DEVICE_SECTIONS[section].equipmentType, type)}.`,
    );

/** How many devices of how many types there are, and what a conflict is. */
function typesWords(section: DeviceSection, all: DeviceType[], types: DeviceType[]): Html {
  const name = kindName(DEVICE_SECTIONS[section].equipmentType);
  const sum = (count: (type: DeviceType) => number): number =>
    types.reduce((total, each) => total + count(each), 0);
  const devices = sum((type) => type.devices);
  return html`<p>
      ${counted(devices, name)} of ${counted(types.length, 'type')},
      ${numberWords(sum(({ inUse }) => inUse))} of them in use now. ${noDeviceWords(section, all)} A
      conflict is a device that the logs of two sites list as in use at the same time, now or in the
      past, judging by its type and serial number.
      ${
        types.some(({ conflicts }) => conflicts > 0) &&
        html`<a href="${conflictsUrl(section)}">All ${name}s in conflict</a>`
      }
    </p>
    ${section === 'receivers' && makersWords(types)}`;
}

/** The types with their counts, with links to other orders. */
function typesTable(section: DeviceSection, all: DeviceType[], sort: TypeSort): Html {
  const types = all.filter(({ type }) => !isNoDevice(type));
  const { equipmentType, path } = DEVICE_SECTIONS[section];
  const columns = typeColumns(section);
  /** The URL of the types in the order of a column: numbers from the most on. */
  const to = (by: TypeSort['by']): string => {
    const descending = by === sort.by ? !sort.descending : by !== 'type';
    return href(ROOT, path, { query: { sort: `${by}${descending ? ',desc' : ''}` } });
  };
  const head = (label: string, index: number): Html => {
    const [by, [, , special]] = columns[index]!;
    return sortableHead(label, to(by), by === sort.by ? sort : null, special?.name);
  };
  // Narrow screens have no heads.
  const links = columns.map(([by, [label]]) => html`<a href="${to(by)}">${label}</a>`);
  const caption = html`Devices and sites include those of the past.
    <span class="orders">Order by: ${joined(links, ', ')}</span>`;
  return html`${typesWords(section, all, types)}
  ${table(
    columns.map(([, column]) => column),
    sortedTypes(types, sort),
    { name: 'rows types', caption, head },
  )}
  ${renderDownloads(
    ROOT,
    'installations',
    { equipmentType },
    `all ${kindName(equipmentType)}s and where they have been`,
  )}`;
}
