import { Type } from '@sinclair/typebox';
import type { EquipmentType, Instant } from '../../../schemas/index.js';
import { comparableType } from '../../derive/devices.js';
import { onlyParameters, PageParameter } from '../../exports/parameters.js';
import { invalidParameter } from '../../exports/refusals.js';
import { href } from '../../links.js';
import { foldType } from '../../requests/type-pattern.js';
import type { Found, PageSearch, Paging } from '../../store/page.js';
import type { Device } from '../../store/read/devices/devices.js';
import type { Store } from '../../store/store.js';
import { renderDeviceTypesPage } from '../../web/device-types-page.js';
import { renderDevicesPage } from '../../web/devices-pages.js';
import { HTML_MEDIA_TYPE } from '../../web/page/layout.js';
import { DEVICE_SECTIONS, type DeviceSection } from '../../web/type-lists.js';
import { type App, sendText } from '../contract/operations.js';

/** How many devices are on one page. */
const DEVICES_PAGE = 200;

/** The longest type or serial number, in characters. Site logs set no limit. */
const LONGEST = 4000;

const DevicesQuery = onlyParameters({
  type: Type.Optional(
    Type.String({
      maxLength: LONGEST,
      description:
        'The type, as in the API; empty for devices of unknown type. ' +
        'With serialNumber, the radome does not count.',
    }),
  ),
  serialNumber: Type.Optional(
    Type.String({
      maxLength: LONGEST,
      description: 'The serial number; empty for all. Case, blanks and hyphens do not count.',
    }),
  ),
  conflicts: Type.Optional(
    Type.Literal('true', {
      description: 'true: only devices that the logs of several Sites list at the same time.',
    }),
  ),
  page: PageParameter,
});

/** @throws {RequestRefused} if a page of all types is asked for: there is only one */
function checkNoPage(page: number | undefined): void {
  if (page === undefined) return;
  throw invalidParameter({
    name: 'page',
    value: String(page),
    reason: 'is given without type, serialNumber or conflicts (all types are on one page)',
    allowed: 'a number together with type, serialNumber or conflicts.',
  });
}

/** Which devices a page is about: an empty type stands for devices of unknown type. */
interface AskedDevices {
  type: string | undefined;
  serialNumber: string | undefined;
  inConflict: boolean;
}

/** A page of the devices of a kind with a type or a serial number, or in conflict. */
function findDevices(
  store: Store,
  equipmentType: EquipmentType,
  { type, serialNumber, inConflict }: AskedDevices,
  paging: Paging,
): Promise<Found<Device>> {
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

/** Adds the page of a kind of equipment: its types, or the devices with a type or serial number. */
function addDevicesPage(app: App, store: Store, section: DeviceSection, now: () => Instant): void {
  const { path, equipmentType } = DEVICE_SECTIONS[section];
  app.get(path, {
    schema: { querystring: DevicesQuery },
    config: { page: true, costly: true },
    handler: async ({ query }, reply) => {
      const paging = { page: query.page ?? 0, size: DEVICES_PAGE };
      const serialNumber = query.serialNumber?.trim() || undefined;
      // The form sends both fields. An empty type means "unknown type" only in links, which send no
      // serial number with it.
      const type = query.type === '' && query.serialNumber !== undefined ? undefined : query.type;
      const types = await store.devices.findTypes(equipmentType);
      const inConflict = query.conflicts !== undefined;
      if (type === undefined && serialNumber === undefined && !inConflict) {
        checkNoPage(query.page);
        const view = { section, types, asked: null };
        return sendText(reply, HTML_MEDIA_TYPE, renderDeviceTypesPage(view));
      }
      const spellings = types.filter((each) => foldType(each.type ?? '') === foldType(type ?? ''));
      if (type && spellings.length === 1 && spellings[0]!.type !== type) {
        const asked = { type: spellings[0]!.type!, serialNumber, conflicts: query.conflicts };
        return reply.redirect(href('.', path, { query: asked }));
      }
      const asked = { type, serialNumber, inConflict };
      const found = await findDevices(store, equipmentType, asked, paging);
      if (found.totalElements === 0 && type !== '') {
        const view = { section, types, asked };
        return sendText(reply, HTML_MEDIA_TYPE, renderDeviceTypesPage(view));
      }
      const [first] = found.elements;
      const newest =
        type === undefined || serialNumber === undefined || first === undefined
          ? type
          : first.identity.type;
      const shown = {
        section,
        type: newest === '' ? null : newest,
        serialNumber,
        inConflict,
        paging,
        found,
        now: now(),
      };
      return sendText(reply, HTML_MEDIA_TYPE, renderDevicesPage(shown));
    },
  });
}

/** Adds the pages of receivers and antennas. @param now the current time, as pages show it */
export function addDevicePages(app: App, store: Store, now: () => Instant): void {
  addDevicesPage(app, store, 'receivers', now);
  addDevicesPage(app, store, 'antennas', now);
}
