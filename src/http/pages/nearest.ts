import { isSiteId } from '../../../schemas/index.js';
import { nearestTo } from '../../requests/nearest.js';
import type { Device } from '../../store/read/devices/devices.js';
import type { SiteName } from '../../store/read/sites/sites.js';
import type { Store } from '../../store/store.js';
import { ownTurn } from '../../turns.js';
import type { Nearest } from '../../web/sites/view.js';
import { devicesLike } from './similar-devices.js';

/** How many similar Sites, devices and types are offered. */
const MOST_NEAREST = 5;
/** How many names are compared with a text at once. It takes a few milliseconds. */
const COMPARED_AT_ONCE = 200;

/** The kinds of equipment whose types and devices are offered. */
const KINDS = ['gnss receiver', 'gnss antenna'] as const;

/** The types of receivers and antennas that are similar to a text. */
async function nearestTypes(store: Store, text: string): Promise<Nearest['types']> {
  const types: Nearest['types'] = [];
  for (const equipmentType of KINDS) {
    for (const { type } of await store.devices.findTypes(equipmentType)) {
      if (type !== null) types.push({ equipmentType, type });
    }
  }
  return nearestTo(text, types, ({ type }) => [type], MOST_NEAREST);
}

/** The receivers and antennas with a similar serial number, if a text may be one. */
async function nearestDevices(store: Store, text: string): Promise<Device[]> {
  const mayBeSerialNumber = !/\s/.test(text) && /\d/.test(text);
  if (!mayBeSerialNumber) return [];
  return devicesLike(store, { kinds: [...KINDS], serialNumber: text, most: MOST_NEAREST });
}

/** The Sites whose ids, names or places are similar to a text. */
export async function nearestSites(store: Store, text: string): Promise<SiteName[]> {
  const textsOf = ({ shortestId, name, city, state, country }: SiteName) =>
    [shortestId, name, city, state, country].filter((each) => each !== null);
  // The last five characters of a nine-character id say little about the Site.
  const asked = isSiteId(text) ? text.slice(0, 4) : text;
  const names = await store.sites.findNames();
  let sites: SiteName[] = [];
  for (let begin = 0; begin < names.length; begin += COMPARED_AT_ONCE) {
    // Let other requests run.
    await ownTurn();
    const compared = [...sites, ...names.slice(begin, begin + COMPARED_AT_ONCE)];
    sites = nearestTo(asked, compared, textsOf, MOST_NEAREST);
  }
  return sites;
}

/** The Sites, devices and types that may have been meant by a text that finds nothing. */
export async function nearestIn(store: Store, text: string): Promise<Nearest> {
  return {
    sites: await nearestSites(store, text),
    devices: await nearestDevices(store, text),
    types: await nearestTypes(store, text),
  };
}
