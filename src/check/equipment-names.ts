import { splitAntennaType } from '../site-log/antenna-type.js';
import type { Place } from '../findings/finding.js';
import type { Report } from '../findings/findings.js';
import type { CheckedLog } from './checked-log.js';
import { isNearMiss } from '../site-log/near-miss.js';
import { nameAndRadomeOf, saysNone, typed } from './names.js';
import type { GnssEquipmentType } from '../../schemas/index.js';

/** The checks of types against the list of the IGS, `rcvr_ant.tab`. */

/** The names of the list. */
export interface EquipmentNames {
  receivers: Set<string>;
  antennas: Set<string>;
  radomes: Set<string>;
  /** The present names of those that are no longer valid. */
  successors: Map<string, string[]>;
  /** The day of its last change, `YYYY-MM-DD`; null if the list does not state it. */
  changed: string | null;
}

/** A change that the list has: `| 20 DEC 2018  Added …`. */
const CHANGE = /^\| (\d{1,2} [A-Z]{3} \d{4}) /;

/** The day of a change; null if it does not exist. */
function dayOfChange(date: string): string | null {
  const time = Date.parse(`${date} UTC`);
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}

const ROW = /^\| (.{20}) \|\s*(.*?)\s*\|?\s*$/;

/** What rows are about. */
type Kind = 'receivers' | 'antennas' | 'successors';

/** The row that ends the headings of a block, with the kind of the rows behind it. */
const KINDS: Record<string, Kind> = {
  ['X'.repeat(20)]: 'receivers',
  [`${'X'.repeat(15)} DOME`]: 'antennas',
  'Previously valid': 'successors',
};

/** A name that stands for others, such as `JPS xxxxxxxx`. */
const PLACEHOLDER = /x{4}/;

/**
 * Reads the list.
 * @param text the content of `rcvr_ant.tab`
 * @returns null if the text has no names
 */
export function readEquipmentNames(text: string): EquipmentNames | null {
  const names: EquipmentNames = {
    receivers: new Set(),
    antennas: new Set(),
    radomes: new Set(['NONE']),
    successors: new Map(),
    changed: null,
  };
  /** Of the rows before the next line, which are headings unless they follow a line of X. */
  let kind: Kind | null = null;
  /** Of the rows behind the next line. */
  let next: Kind | null = null;
  let isOfSatellites = false;
  let previous = '';
  for (const line of text.split(/\r?\n/)) {
    const date = CHANGE.exec(line)?.[1];
    const day = date === undefined ? null : dayOfChange(date);
    if (day !== null && day > (names.changed ?? '')) names.changed = day;
    if (/^\|\s*Abbreviations/.test(line)) break;
    if (line.startsWith('+')) {
      kind = next;
      next = null;
      isOfSatellites = false;
      previous = '';
      continue;
    }
    const [, column = '', rest = ''] = ROW.exec(line) ?? [];
    const name = column.trim();
    if (kind === null) {
      isOfSatellites ||= /^Satellite/i.test(name);
      next ??= isOfSatellites ? null : (KINDS[name] ?? null);
    } else if (kind === 'successors') {
      previous = name === '' ? previous : name;
      const codes = rest.split('|').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
      if (previous !== '')
        names.successors.set(previous, [...(names.successors.get(previous) ?? []), ...codes]);
    } else if (kind === 'antennas' && /^x{15} \S{4}$/.test(name))
      names.radomes.add(splitAntennaType(name).radome);
    else if (name === '' || PLACEHOLDER.test(name)) continue;
    else if (kind === 'receivers') names.receivers.add(name);
    else names.antennas.add(column.slice(0, 15).trim());
  }
  return names.receivers.size === 0 || names.antennas.size === 0 ? null : names;
}

/** A type in a log. */
interface GivenType {
  kind: GnssEquipmentType;
  name: string;
  place: Place;
}

const lettersIn = (name: string): number => name.replace(/[^A-Z]/g, '').length;

/**
 * The name that was probably meant: a near miss with the same digits and as many letters. A letter
 * more or less, as in `TRM59800.00C`, is another model.
 */
const nameMeant = (known: Set<string>, name: string): string | null =>
  [...known].find(
    (each) => each === name || (lettersIn(each) === lettersIn(name) && isNearMiss(each, name)),
  ) ?? null;

/** Checks one type. */
function checkType({ kind, name, place }: GivenType, names: EquipmentNames, report: Report): void {
  const known = kind === 'gnss receiver' ? names.receivers : names.antennas;
  const newer = names.successors.get(name);
  if (newer !== undefined) {
    report('deprecated-type', place, { kind, newer, text: name });
    return;
  }
  if (known.has(name)) return;
  const meant = nameMeant(known, name.toUpperCase());
  report('unknown-type', place, { kind, meant, listDate: names.changed, text: name });
}

/** Checks the types and radomes of a log against the list. */
export function checkEquipmentNames(
  { sections: { gnssReceivers, gnssAntennas } }: CheckedLog,
  names: EquipmentNames,
  report: Report,
): void {
  for (const { type, place } of typed(gnssReceivers, '3')) {
    if (saysNone(type.written)) continue;
    const name = type.written.trim();
    checkType({ kind: 'gnss receiver', name, place }, names, report);
  }
  for (const { type, place } of typed(gnssAntennas, '4')) {
    if (saysNone(type.written)) continue;
    const { name, radome } = nameAndRadomeOf(type.written);
    checkType({ kind: 'gnss antenna', name, place }, names, report);
    if (radome === null || names.radomes.has(radome)) continue;
    report('unknown-radome', place, { listDate: names.changed, text: radome });
  }
}
