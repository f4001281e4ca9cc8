import { splitAntennaType } from '../site-log/antenna-type.js';
import type { CheckedLog, Report } from './checks.js';
import { isNearMiss } from './near-miss.js';
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
  /** As messages name it. */
  what: 'receiver' | 'antenna';
  name: string;
  line: number;
  /** When the item was installed; null if that is unknown. */
  installed: string | null;
}

/** States the date of the list if an item is newer than the list. */
function ageOfList({ changed }: EquipmentNames, installed: string | null): string {
  const isNewer = changed !== null && installed !== null && installed.slice(0, 10) > changed;
  return isNewer ? `; the list is of ${changed}, older than this item` : '';
}

/** Checks one type. */
function checkType(
  { what, name, line, installed }: GivenType,
  names: EquipmentNames,
  report: Report,
): void {
  const known = what === 'receiver' ? names.receivers : names.antennas;
  const newer = names.successors.get(name);
  if (newer !== undefined) {
    report(
      'deprecated-type',
      line,
      `the ${what} type is no longer valid; now ${newer.join(' or ')}`,
      name,
    );
    return;
  }
  if (known.has(name)) return;
  const near = [...known].find(
    (each) => each === name.toUpperCase() || isNearMiss(each, name.toUpperCase()),
  );
  const suggestion = near === undefined ? '' : `; perhaps ${near}`;
  const age = ageOfList(names, installed);
  const message = `the ${what} type is not in the list of equipment names${suggestion}${age}`;
  report('unknown-type', line, message, name);
}

/** Checks the types and radomes of a log against the list. */
export function checkEquipmentNames(
  { sections: { gnssReceivers, gnssAntennas } }: CheckedLog,
  names: EquipmentNames,
  report: Report,
): void {
  for (const { type, dateInstalled } of typed(gnssReceivers)) {
    const installed = dateInstalled?.value ?? null;
    const name = type.written.trim();
    checkType({ what: 'receiver', name, line: type.line, installed }, names, report);
  }
  for (const { type, dateInstalled } of typed(gnssAntennas)) {
    const installed = dateInstalled?.value ?? null;
    const { name, radome } = nameAndRadomeOf(type.written);
    checkType({ what: 'antenna', name, line: type.line, installed }, names, report);
    if (radome !== null && !names.radomes.has(radome)) {
      const age = ageOfList(names, installed);
      const message = `the radome is not in the list of equipment names${age}`;
      report('unknown-radome', type.line, message, radome);
    }
  }
}
