import type { Instant } from '../../../schemas/index.js';
import { comparableType } from '../../derive/devices.js';
import {
  type AskedDevices,
  askedDevicesOf,
  devicesPageParameters,
  typeSortOf,
} from '../../exports/pages/devices.js';
import { onlyParameters } from '../../exports/parameters.js';
import { href } from '../../links.js';
import { foldType } from '../../requests/type-pattern.js';
import type { Found, PageSearch, Paging } from '../../store/page.js';
import type { Device, DeviceType } from '../../store/read/devices/devices.js';
import type { Store } from '../../store/store.js';
import { DEVICE_SECTIONS, type DeviceSection } from '../../web/device-sections.js';
import type { DeviceTypesView } from '../../web/device-types-page.js';
import type { Page } from '../../web/page/layout.js';
import { type App, pageContent } from '../contract/operations.js';

/** How many devices are on one page. */
const DEVICES_PAGE = 100;

/** A request for a page of devices. */
interface DevicesRequest {
  section: DeviceSection;
  asked: AskedDevices;
  /** All types of the section. */
  types: DeviceType[];
  paging: Paging;
}

/** A page of the devices of a kind with a type or a serial number, or in conflict. */
function findDevices(
  store: Store,
  { section, asked, paging }: DevicesRequest,
): Promise<Found<Device>> {
  const { equipmentType } = DEVICE_SECTIONS[section];
  const { type, serialNumber, inConflict } = asked;
  const filters: PageSearch['filters'] = [];
  let types: string[] | null = null;
  if (type === '') filters.push({ property: 'type', values: [] });
  // A link to a device may give an older type; the catalogue has the newest one.
  else if (type !== undefined)
    types = [serialNumber === undefined ? type : comparableType(equipmentType, type)];
  return store.devices.findPage({
    filters,
    equipmentTypes: [equipmentType],
    types,
    serialNumbers: serialNumber === undefined ? null : [serialNumber],
    conflicting: inConflict || null,
    sort: [{ property: 'serialNumber', descending: false }],
    ...paging,
    projection: 'installations',
  });
}

/** The only type that is spelled like the one asked for; the text itself if there is none. */
function spellingOf(type: string | undefined, types: DeviceType[]): string | undefined {
  if (type === undefined || type === '') return type;
  const known = types.flatMap((each) => each.type ?? []);
  const spellings = known.filter((each) => foldType(each) === foldType(type));
  return spellings.length === 1 ? spellings[0] : type;
}

/**
 * The type that a page of devices is about; null for an unknown one, undefined for all. A link to a
 * device may give an older type: the page has the newest one.
 */
function shownType(
  { type, serialNumber }: AskedDevices,
  [first]: Device[],
): string | null | undefined {
  const isOneDevice = type !== undefined && serialNumber !== undefined && first !== undefined;
  const shown = isOneDevice ? first.identity.value.type : type;
  return shown === '' ? null : shown;
}

/** The page of all types, or of those that may have been meant. */
async function typesPage(view: DeviceTypesView): Promise<Page> {
  const { renderDeviceTypesPage } = await import('../../web/device-types-page.js');
  return renderDeviceTypesPage(view);
}

/** The page of the devices that were asked for. */
async function devicesPage(store: Store, request: DevicesRequest, now: Instant): Promise<Page> {
  const { section, asked, paging, types } = request;
  const found = await findDevices(store, request);
  if (found.totalElements === 0 && asked.type !== '')
    return typesPage({ section, types, asked, sort: typeSortOf({}) });
  const type = shownType(asked, found.elements);
  const shared = await store.sites.findSharedFours();
  const { renderDevicesPage } = await import('../../web/devices-pages.js');
  return renderDevicesPage({ ...asked, section, type, paging, found, shared, now });
}

/** The URL of the page of some devices. */
const urlOf = (section: DeviceSection, { type, serialNumber, inConflict }: AskedDevices): string =>
  href('.', DEVICE_SECTIONS[section].path, {
    query: { type, serialNumber, conflicts: inConflict || undefined },
  });

/** Adds the page of a kind of equipment: its types, or the devices with a type or serial number. */
function addDevicesPage(app: App, store: Store, section: DeviceSection, now: () => Instant): void {
  const { path, equipmentType } = DEVICE_SECTIONS[section];
  app.get(path, {
    schema: { querystring: onlyParameters(devicesPageParameters) },
    config: { page: true, costly: true },
    handler: async ({ query }, reply) => {
      const asked = askedDevicesOf(query);
      const types = await store.devices.findTypes(equipmentType);
      if (asked === null) {
        const sort = typeSortOf(query);
        return pageContent(app, await typesPage({ section, types, asked, sort }));
      }
      const spelled = { ...asked, type: spellingOf(asked.type, types) };
      if (spelled.type !== asked.type) return reply.redirect(urlOf(section, spelled));
      const paging = { page: query.page ?? 0, size: DEVICES_PAGE };
      return pageContent(app, await devicesPage(store, { section, asked, types, paging }, now()));
    },
  });
}

/** Adds the pages of receivers and antennas. @param now the current time, as pages show it */
export function addDevicePages(app: App, store: Store, now: () => Instant): void {
  addDevicesPage(app, store, 'receivers', now);
  addDevicesPage(app, store, 'antennas', now);
}
