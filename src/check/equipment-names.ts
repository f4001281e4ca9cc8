import type { CheckedLog, Report } from './checks.js';
import { isNearMiss } from './near-miss.js';
import { splitAntennaType, typed } from './names.js';

/** The checks of types against the list of the IGS, `rcvr_ant.tab`. */

/** The names of the list. */
export interface EquipmentNames {
  receivers: Set<string>;
  antennas: Set<string>;
  radomes: Set<string>;
  /** The present names of those that are no longer valid. */
  successors: Map<string, string[]>;
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
  };
  let kind: 'receivers' | 'antennas' | 'successors' | null = null;
  let previous = '';
  for (const line of text.split(/\r?\n/)) {
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
    else if (kind === 'antennas' && /^x{15} \S{4}$/.test(name)) names.radomes.add(name.slice(16));
    else if (kind === 'antennas' && name !== '') names.antennas.add(column.slice(0, 15).trim());
  }
  return names.receivers.size === 0 || names.antennas.size === 0 ? null : names;
}

/** Checks one type. @param what as messages name it */
function checkType(
  what: string,
  name: string,
  line: number,
  known: Set<string>,
  { successors }: EquipmentNames,
  report: Report,
): void {
  const newer = successors.get(name);
  if (newer !== undefined) {
    report(
      'deprecated-type',
      line,
      `the ${what} type is no longer valid; now ${newer.join(' or ')}`,
      name,
    );
  } else if (!known.has(name)) {
    const near = [...known].find(
      (each) => each === name.toUpperCase() || isNearMiss(each, name.toUpperCase()),
    );
    const suggestion = near === undefined ? '' : `; perhaps ${near}`;
    report(
      'unknown-type',
      line,
      `the ${what} type is not in the list of equipment names${suggestion}`,
      name,
    );
  }
}

/** Checks the types and radomes of a log against the list. */
export function checkEquipmentNames(
  { sections: { gnssReceivers, gnssAntennas } }: CheckedLog,
  names: EquipmentNames,
  report: Report,
): void {
  for (const { type } of typed(gnssReceivers))
    checkType('receiver', type.written.trim(), type.line, names.receivers, names, report);
  for (const { type } of typed(gnssAntennas)) {
    const { name, radome } = splitAntennaType(type.written);
    checkType('antenna', name, type.line, names.antennas, names, report);
    if (radome !== null && !names.radomes.has(radome))
      report(
        'unknown-radome',
        type.line,
        'the radome is not in the list of equipment names',
        radome,
      );
  }
}
