import type { OddSerialNumber } from '../findings/codes/equipment.js';
import type { Report } from '../findings/findings.js';
import { comparableValues } from '../derive/devices.js';
import { differences } from '../requests/nearest.js';
import { placeOf } from '../site-log/record.js';
import type { LogItem } from '../site-log/site-log.js';
import type { CheckedLog } from './checked-log.js';

/** The checks of serial numbers against each other, within one log. */

/** Shorter serial numbers of two devices may be equal by chance. */
const SHORTEST = 4;
/** Shorter serial numbers of two devices may be almost equal by chance. */
const SHORTEST_SLIP = 6;

/** A serial number in quotation marks of any kind. */
const QUOTED = /^(["'\u2018-\u201f\u00ab]).+["'\u2018-\u201f\u00bb]$/;
/** Words before a serial number; its first five characters are all that SINEX has. */
const PREFIX = /^(?:s\s?\/\s?n|ser(?:ial)?(?:\s?(?:no|nr|number|#))?|sn|mod)[\s.:#]/i;

/** What is odd about a serial number alone; null if nothing is. */
function oddityOf(serialNumber: string): OddSerialNumber | null {
  if (QUOTED.test(serialNumber)) return 'quotation marks';
  return PREFIX.test(serialNumber) ? 'prefix' : null;
}

/** The serial number of an item, as it is compared; null if it is unknown. */
const comparable = ({ id }: LogItem): string | null => comparableValues(id).serialNumber;

/** Whether two serial numbers differ in one character, or in two that are exchanged. */
const isSlip = (one: string, other: string): boolean =>
  one !== other &&
  one.length >= SHORTEST_SLIP &&
  one.length === other.length &&
  differences(one, other, 1) === 1;

/**
 * Reports items whose serial number is almost that of the items before and after, which have the
 * same: A, B, A. Two devices that take turns are there more often.
 */
function checkBetween(items: readonly LogItem[], report: Report): void {
  const uses = Map.groupBy(items, comparable);
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    const after = items[index + 1];
    if (before === undefined || after === undefined) continue;
    const [first, own, last] = [before, item, after].map(comparable);
    if (first == null || own == null || first !== last || !isSlip(first, own)) continue;
    if (uses.get(own)!.length > 1) continue;
    report('odd-serial-number', placeOf(item), {
      why: 'between equal',
      text: item.id.serialNumber!,
    });
  }
}

/** Reports antennas with the serial number of a receiver of the log. */
function checkAntennas(receivers: LogItem[], antennas: LogItem[], report: Report): void {
  const ofReceivers = new Set(receivers.map(comparable));
  for (const antenna of antennas) {
    const serialNumber = comparable(antenna);
    if (serialNumber === null || serialNumber.length < SHORTEST) continue;
    if (!ofReceivers.has(serialNumber)) continue;
    report('odd-serial-number', placeOf(antenna), {
      why: 'of receiver',
      text: antenna.id.serialNumber!,
    });
  }
}

/** Checks the serial numbers of receivers and antennas. */
export function checkSerialNumbers({ log: { items } }: CheckedLog, report: Report): void {
  const ofKind = (kind: string): LogItem[] => items.filter(({ id }) => id.equipmentType === kind);
  const receivers = ofKind('gnss receiver');
  const antennas = ofKind('gnss antenna');
  for (const item of [...receivers, ...antennas]) {
    const { serialNumber } = item.id;
    const why = serialNumber === null ? null : oddityOf(serialNumber);
    if (why !== null) report('odd-serial-number', placeOf(item), { why, text: serialNumber! });
  }
  checkBetween(receivers, report);
  checkBetween(antennas, report);
  checkAntennas(receivers, antennas, report);
}
