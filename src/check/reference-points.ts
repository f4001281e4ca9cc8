import type { Report } from '../findings/findings.js';
import { isAntennaReferencePoint } from '../site-log/values/antenna-reference-points.js';
import type { CheckedLog } from './checked-log.js';
import { nameAndRadomeOf, typed } from './names.js';

/**
 * The check of antenna reference points against `antenna.gra` of the IGS: drawings of antennas,
 * each below the names of the antennas that it shows. The line at the height of the reference point
 * has its code: `<--  0.0000  BPA=ARP`, or `ARP=BPA`.
 */

/** The codes of reference points by the names of antennas, without radomes. */
export type ReferencePoints = ReadonlyMap<string, string>;

/**
 * A line with the names of antennas: words in capital letters, of which one has a digit or a slash.
 */
const NAMES = /^ {0,8}[A-Z0-9][A-Z0-9/_.+-]{3,15}(?:,? {1,8}[A-Z0-9/_.+-]{2,15}){0,6}$/;
/** The code at the height of the reference point. */
const POINT = /\b([A-Z]{3})\s?=\s?ARP\b|\bARP\s?=\s?([A-Z]{3})\b/;

/** The names in a line; none if it is part of a drawing. */
function namesIn(line: string): string[] {
  if (!NAMES.test(line) || !/[0-9/]/.test(line)) return [];
  return line.trim().split(/\s{2,}|,\s*/);
}

/** Reads the reference points of `antenna.gra`; null if the text has none. */
export function readReferencePoints(text: string): ReferencePoints | null {
  const points = new Map<string, string>();
  let names: string[] = [];
  let isDrawn = false;
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trimEnd();
    const named = namesIn(trimmed);
    if (named.length > 0) {
      names = isDrawn ? named : [...names, ...named];
      isDrawn = false;
      continue;
    }
    const found = POINT.exec(trimmed);
    const code = found?.[1] ?? found?.[2];
    if (code === undefined || !isAntennaReferencePoint(code)) continue;
    for (const name of names) points.set(name, code);
    isDrawn = true;
  }
  return points.size === 0 ? null : points;
}

/** Checks that the reference point of each antenna is its own. Unknown antennas are left out. */
export function checkReferencePoints(
  { sections: { gnssAntennas } }: CheckedLog,
  points: ReferencePoints,
  report: Report,
): void {
  for (const { type, antennaReferencePoint: point, place } of typed(gnssAntennas, '4')) {
    const expected = points.get(nameAndRadomeOf(type.written).name);
    if (expected === undefined || typeof point?.value !== 'string') continue;
    const isKnown = isAntennaReferencePoint(point.value);
    if (!isKnown || point.value.trim().toUpperCase() === expected) continue;
    report(
      'other-reference-point',
      { ...place, line: point.line },
      { expected, text: point.written },
    );
  }
}
