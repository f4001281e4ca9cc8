import type { EquipmentType } from '../../../schemas/index.js';
import { comparableSerialNumber } from '../../derive/devices.js';
import type { Device } from '../../store/read/devices/devices.js';
import type { Store } from '../../store/store.js';

/** How many devices with a similar text are examined. */
const MOST_CANDIDATES = 200;
/** How many characters of a serial number are compared. */
const LONGEST_COMPARED = 60;
/** The least number of characters that must be the same. */
const SHORTEST_PART = 3;

/**
 * The devices whose serial number contains a text, or else the text without its last one or two
 * characters; all as they are compared.
 */
export async function devicesLike(
  store: Store,
  { kinds, serialNumber, most }: { kinds: EquipmentType[]; serialNumber: string; most: number },
): Promise<Device[]> {
  const text = serialNumber.slice(0, LONGEST_COMPARED);
  const written = [text, text.slice(0, -1), text.slice(0, -2)].filter(
    ({ length }) => length >= SHORTEST_PART,
  );
  for (const part of written.map(comparableSerialNumber).filter((each) => each !== '')) {
    const { elements } = await store.devices.findPage({
      text: part,
      filters: [],
      equipmentTypes: kinds,
      sort: [{ property: 'serialNumber', descending: false }],
      page: 0,
      size: MOST_CANDIDATES,
      projection: null,
    });
    // The search also finds this text in types and manufacturers.
    const similar = elements.filter(({ identity }) =>
      comparableSerialNumber(identity.serialNumber ?? '').includes(part),
    );
    if (similar.length > 0) return similar.slice(0, most);
  }
  return [];
}
