import { splitAntennaType } from '../site-log/antenna-type.js';
import type { Place } from '../findings/finding.js';
import type { Report } from '../findings/findings.js';
import type { CheckedLog } from './checked-log.js';
import { isNearMiss } from '../site-log/near-miss.js';
import { nameAndRadomeOf, typed } from './names.js';

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
  let kind: 'receivers' | 'antennas' | 'successors' | null = null;
  let previous = '';
  for (const line of text.split(/\r?\n/)) {
    const date = CHANGE.exec(line)?.[1];
    const day = date === undefined ? null : dayOfChange(date);
    if (day !== null && day > (names.changed ?? '')) names.changed = day;
    const [, column = '', rest = ''] = ROW.exec(line) ?? [];
    const name = column.trim();
    if (/^\|\s*Abbreviations/.test(line)) break;
    if (line.startsWith('+')) previous = '';
    else if (name === 'X'.repeat(20)) kind = 'receivers';
    else if (name === `${'X'.repeat(15)} DOME`) kind = 'antennas';
    else if (name === 'Previously valid') kind = 'successors';
    else if (/IGS Codes|^(?=.*[a-z]).* (Receivers|Antennas|Antenna Domes)$/i.test(name))
      kind = null;
    else if (kind === 'successors') {
      previous = name === '' ? previous : name;
      const codes = rest.split('|').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
      if (previous !== '')
        names.successors.set(previous, [...(names.successors.get(previous) ?? []), ...codes]);
    } else if (kind === 'receivers' && name !== '') names.receivers.add(name);
    else if (kind === 'antennas' && /^x{15} \S{4}$/.test(name))
      names.radomes.add(splitAntennaType(name).radome);
    else if (kind === 'antennas' && name !== '') names.antennas.add(column.slice(0, 15).trim());
  }
  return names.receivers.size === 0 || names.antennas.size === 0 ? null : names;
}

/** A type in a log. */
interface GivenType {
  kind: 'gnss receiver' | 'gnss antenna';
  name: string;
  place: Place;
  /** When the item was installed; null if that is unknown. */
  installed: string | null;
}

/** The date of the list if an item is newer than the list; null if it is not. */
function dateIfOlder({ changed }: EquipmentNames, installed: string | null): string | null {
  const isNewer = changed !== null && installed !== null && installed.slice(0, 10) > changed;
  return isNewer ? changed : null;
}

/** Checks one type. */
function checkType(
  { kind, name, place, installed }: GivenType,
  names: EquipmentNames,
  report: Report,
): void {
  const known = kind === 'gnss receiver' ? names.receivers : names.antennas;
  const newer = names.successors.get(name);
  if (newer !== undefined) {
    report('deprecated-type', place, { kind, newer, text: name });
    return;
  }
  if (known.has(name)) return;
  const near = [...known].find(
    (each) => each === name.toUpperCase() || isNearMiss(each, name.toUpperCase()),
  );
  const listDate = dateIfOlder(names, installed);
  report('unknown-type', place, { kind, meant: near ?? null, listDate, text: name });
}

/** Checks the types and radomes of a log against the list. */
export function checkEquipmentNames(
  { sections: { gnssReceivers, gnssAntennas } }: CheckedLog,
  names: EquipmentNames,
  report: Report,
): void {
  for (const { type, dateInstalled, place } of typed(gnssReceivers, '3')) {
    const installed = dateInstalled?.value ?? null;
    const name = type.written.trim();
    checkType({ kind: 'gnss receiver', name, place, installed }, names, report);
  }
  for (const { type, dateInstalled, place } of typed(gnssAntennas, '4')) {
    const installed = dateInstalled?.value ?? null;
    const { name, radome } = nameAndRadomeOf(type.written);
    checkType({ kind: 'gnss antenna', name, place, installed }, names, report);
    if (radome === null || names.radomes.has(radome)) continue;
    report('unknown-radome', place, { listDate: dateIfOlder(names, installed), text: radome });
  }
}
