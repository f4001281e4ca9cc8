import { EQUIPMENT_KINDS, type EquipmentType, type Instant } from '../../schemas/index.js';
import { isOneVisit } from '../derive/visits.js';
import { href, itemPathOf, pathOf } from '../links.js';
import type { Device } from '../store/read/devices/devices.js';
import type { Installation } from '../store/read/devices/installations.js';
import type { Found, Paging } from '../store/page.js';
import { conflict, searchForm } from './device-types-page.js';
import { renderDownloads } from './downloads.js';
import { renderFold } from './page/folding.js';
import { type Content, type Html, html, joined, list } from './page/html.js';
import { type Page, renderPageLinks, shownId, siteLink } from './page/layout.js';
import { renderAssumption } from './page/patterns.js';
import { scaleOf, spanFrom } from './page/time-scale.js';
import { type Column, table } from './page/table.js';
import { DEVICE_SECTIONS, type DeviceSection } from './device-sections.js';
import { typeText } from './type-lists.js';
import {
  capitalized,
  counted,
  kindName,
  numberWords,
  periodWords,
  shortConfiguration,
  typeWords,
} from './page/words.js';

const ROOT = '.';

/** The content of a page of devices. */
interface DevicesView {
  section: DeviceSection;
  /** Limits the devices to one type; null for devices of unknown type, undefined for all types. */
  type: string | null | undefined;
  /** Limits the devices to one serial number; undefined for all. */
  serialNumber: string | undefined;
  /** Limits them to those in conflict. */
  inConflict: boolean;
  /** The page that was read. */
  paging: Paging;
  /** The devices, with their installations. */
  found: Found<Device>;
  /** The four characters that several Sites have. */
  shared: ReadonlySet<string>;
  now: Instant;
}

/**
 * A continuous time of a device at one Site, ignoring gaps of up to a day; all its configurations
 * have the same conflicts.
 */
interface Visit {
  first: Installation;
  from: Instant;
  /** null if it has not ended. */
  to: Instant | null;
  configurations: string[];
}

/** A key that is equal for installations with the same conflicts. */
const conflictsKey = ({ conflicts, conflictsWith }: Installation): string =>
  [conflicts, ...conflictsWith].join();

function visitsOf(equipmentType: EquipmentType, installations: Installation[]): Visit[] {
  const visits: Visit[] = [];
  for (const installation of installations) {
    const { period, configuration, siteId } = installation;
    // Only instruments, which have no page, can have an unknown start.
    const from = period.from!;
    const short = shortConfiguration({ configuration }) ?? 'unknown';
    const conflicts = conflictsKey(installation);
    const current = visits.find(
      (each) =>
        each.first.siteId === siteId &&
        conflictsKey(each.first) === conflicts &&
        isOneVisit(each.to, from),
    );
    if (current === undefined) {
      visits.push({ first: installation, from, to: period.to, configurations: [short] });
      continue;
    }
    current.to = period.to;
    if (current.configurations.at(-1) !== short) current.configurations.push(short);
  }
  return visits;
}

/** From when on a visit that has not ended is assumed: no log says that the device is there. */
function assumedFrom({ from, first: { datePrepared } }: Visit): Instant {
  const known = datePrepared === null ? from : `${datePrepared}T00:00:00Z`;
  return known > from ? known : from;
}

/** The visits of a device as bars, on the same scale for all devices of the page. */
function path(
  kind: EquipmentType,
  visits: Visit[],
  { x, width }: ReturnType<typeof scaleOf>,
): Html {
  const bar = (name: string | false, from: Instant, to: Instant | null): Html =>
    html`<rect
      ${name !== false && html`class="${name}"`}
      x="${x(from)}%"
      y="1"
      width="${width(from, to)}%"
      height="8"
    />`;
  return html`<svg
    class="path ${kind.replaceAll(' ', '-')}"
    width="100%"
    height="10"
    aria-hidden="true"
  >
    <line x1="0" x2="100%" y1="5" y2="5" />
    ${visits.map((visit) => [
      bar(visit.first.conflictsWith.length > 0 && 'conflicting', visit.from, visit.to),
      visit.to === null && bar('assumed', assumedFrom(visit), null),
    ])}
  </svg>`;
}

/** A device of a page with its visits. */
interface DeviceRow {
  device: Device;
  visits: Visit[];
  /** How many installations it has. */
  total: number;
  /** How many of them are not shown. */
  rest: number;
}

function deviceRow(equipmentType: EquipmentType, device: Device): DeviceRow {
  const { installations = [], totalInstallations: total = 0 } = device;
  const visits = visitsOf(equipmentType, installations);
  return { device, visits, total, rest: total - installations.length };
}

/** A kind of equipment whose devices have pages. */
type KindWithPages = (typeof DEVICE_SECTIONS)[DeviceSection]['equipmentType'];

/** The columns of a table of devices. @param isTypeShown whether the devices may differ in type */
function deviceColumns(
  equipmentType: KindWithPages,
  isTypeShown: boolean,
  scale: ReturnType<typeof scaleOf>,
  shared: DevicesView['shared'],
): Column<DeviceRow>[] {
  const collection = { name: EQUIPMENT_KINDS[equipmentType].collection };
  const installationsOf = (id: number): string =>
    href(ROOT, itemPathOf(collection), { id, query: { projection: 'installations' } });
  return [
    [
      'Serial number',
      ({ device: { identity } }) => [
        identity.value.serialNumber ?? 'unknown',
        isTypeShown && [' ', typeText(identity.value.type)],
      ],
      { isHeader: true },
    ],
    [
      'Where and when',
      ({ device: { id }, visits, total, rest }) => [
        renderFold(shortVisits(visits, shared), [
          list(visits.map((visit) => renderVisit(visit, equipmentType, shared))),
          rest > 0 &&
            html`<a href="${installationsOf(id)}"
              >${counted(total, 'installation')}, ${numberWords(rest)} of them not shown</a
            >`,
        ]),
      ],
      { name: 'visits' },
    ],
    ['Timeline', ({ visits }) => path(equipmentType, visits, scale), { name: 'main' }],
  ];
}

/** Which devices these are, in words. */
function limitWords({ serialNumber, inConflict }: DevicesView): string {
  const serial = serialNumber === undefined ? '' : ` with serial number ${serialNumber}`;
  return inConflict ? `${serial} in conflict` : serial;
}

/** Which devices of a type these are; nothing if they are all. @param all the URL of all of them */
function ofTypeWords(view: DevicesView, all: string): Content {
  const words = limitWords(view);
  return words !== '' && html`${words} (<a href="${all}">all of this type</a>)`;
}

/**
 * Links to the devices of the page that were in use at several Sites at once.
 * @param total how many devices all pages have
 */
function conflictWords(devices: DeviceRow[], total: number): Content {
  const conflicting = devices.filter(({ visits }) =>
    visits.some(({ first }) => first.conflictsWith.length > 0),
  );
  if (conflicting.length === 0) return null;
  const links = conflicting.map(
    ({ device }) => html`<a href="#device-${device.id}">${device.identity.value.serialNumber}</a>`,
  );
  const words = counted(conflicting.length, 'conflict');
  const where = devices.length < total ? ' on this page' : '';
  return [', ', conflict(words), where, ': ', joined(links, ', ')];
}

/** The title of a page of devices. */
function titleOf(view: DevicesView): string {
  const name = `${kindName(DEVICE_SECTIONS[view.section].equipmentType)}s`;
  return view.type === undefined ? `${capitalized(name)}${limitWords(view)}` : typeWords(view.type);
}

/** What the download of the installations of the devices has. */
function exportedWords({ section, type, serialNumber, inConflict }: DevicesView): string {
  const name = kindName(DEVICE_SECTIONS[section].equipmentType);
  const conflicting = inConflict ? ' in conflict' : '';
  if (type === null) return `all ${name}s${conflicting}`;
  if (serialNumber !== undefined) return 'where devices with this serial number have been';
  return type === undefined
    ? `where the ${name}s${conflicting} have been`
    : `where devices of this type${conflicting} have been`;
}

/** The page of devices with their installations: of a type or serial number, or in conflict. */
export function renderDevicesPage(view: DevicesView): Page {
  const { section, type, serialNumber, inConflict, paging, found, shared, now } = view;
  const { equipmentType, path: pagePath } = DEVICE_SECTIONS[section];
  const { elements, totalElements } = found;
  const { page, size } = paging;
  const collection = { name: EQUIPMENT_KINDS[equipmentType].collection };
  const devices = elements.map((device) => deviceRow(equipmentType, device));
  const begins = devices.flatMap(({ visits }) => visits.map(({ from }) => from)).sort();
  const span = spanFrom(begins[0] ?? now, now, begins.at(-1));
  const scale = scaleOf(span);
  const years = `${span.from.slice(0, 4)} to ${span.to.slice(0, 4)}`;
  const name = kindName(equipmentType);
  const conflicts = inConflict || undefined;
  const filters = { type: type === null ? '' : type, serialNumber, conflicts };
  const to = (number: number): string =>
    href(ROOT, pagePath, { query: { ...filters, page: number } });
  // In an export, an installation has the type that its device had then.
  const exported = serialNumber === undefined ? { type: type ?? undefined } : { serialNumber };
  const columns = deviceColumns(equipmentType, type === undefined, scale, shared);
  return {
    root: ROOT,
    title: titleOf(view),
    section,
    json: [
      {
        // The API cannot filter for unknown values. The same page of the list of all devices would
        // show other devices.
        title: `${type === null ? `All ${name}s` : 'These devices'} with their installations`,
        href: href(ROOT, pathOf(collection), {
          query: {
            type: type ?? undefined,
            serialNumber,
            conflicts,
            page: page > 0 && type !== null ? page : undefined,
            size,
            sort: 'serialNumber,asc',
            projection: 'installations',
          },
        }),
      },
    ],
    content: html`${renderAssumption()}
      ${searchForm(section, { type: type ?? undefined, serialNumber, inConflict })}
      <p>
        <a href="${href(ROOT, pagePath)}">All ${name} types</a>.
        ${counted(totalElements, name)}${
          type === undefined
            ? inConflict && ' in conflict'
            : ofTypeWords(view, href(ROOT, pagePath, { query: { type: type ?? '' } }))
        }${!inConflict && conflictWords(devices, totalElements)}.
      </p>
      ${
        elements.length > 0 && [
          table(columns, devices, {
            name: 'rows devices',
            caption: `Where each device has been in use. The bars cover ${years}.`,
            row: ({ device }) => html`id="device-${device.id}"`,
          }),
          renderDownloads(
            ROOT,
            'installations',
            { equipmentType, ...exported, conflicts },
            exportedWords(view),
          ),
        ]
      }
      ${renderPageLinks('Pages of devices', paging, found, to)}`,
  };
}

/** The most places that are named where there is little room. */
const MOST_NAMED = 3;

/** "METH → PAWA until 2018-07-10", for a screen with one line for it. */
function shortVisits(visits: Visit[], shared: DevicesView['shared']): Content {
  const last = visits.at(-1)!;
  const ids = visits.map(({ first: { fourCharacterId: four, nineCharacterId: nine } }) =>
    shownId(four, nine, shared),
  );
  const places = ids.filter((id, index) => id !== ids[index - 1]);
  const named =
    places.length > MOST_NAMED
      ? `${places.length} places, last ${places.at(-1)}`
      : places.join(' → ');
  const since = last.to === null ? `since ${shortDay(last.from)}` : `until ${shortDay(last.to)}`;
  const inConflict = visits.some(({ first }) => first.conflictsWith.length > 0);
  return [inConflict && [conflict('conflict'), ' '], `${named} ${since}`];
}

/** The day of an instant. */
const shortDay = (instant: Instant): string => instant.slice(0, 10);

function renderVisit(
  { first, from, to, configurations }: Visit,
  equipmentType: EquipmentType,
  shared: DevicesView['shared'],
): Html {
  const { conflicts, conflictsWith, fourCharacterId: four, nineCharacterId: nine } = first;
  const label = equipmentType === 'gnss receiver' ? 'firmware' : 'up eccentricity';
  return html`${siteLink(ROOT, shownId(four, nine, shared), nine)} ${first.siteName},
  ${periodWords({ from, to })}; ${label} ${configurations.join(' → ')}
  ${
    conflicts > 0 &&
    conflict([
      'also listed in this period at ',
      joined(
        conflictsWith.map((id) => siteLink(ROOT, id)),
        ', ',
      ),
      conflicts > conflictsWith.length &&
        ` and ${numberWords(conflicts - conflictsWith.length)} others`,
    ])
  }`;
}
