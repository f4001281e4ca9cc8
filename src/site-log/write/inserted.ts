import { KINDS, periodEnds } from '../kinds.js';
import type { Values } from './loss.js';

/** When a block was entered, as GeodesyML has it, if the log does not say: when what it is about began. Empty if unknown. */
export function insertedByDefault({ dateInstalled, dateMeasured, effectiveDates }: Values): string {
  const start = dateInstalled ?? dateMeasured ?? null;
  if (start !== null) return KINDS.instant.toXml(start.written) ?? '';
  return effectiveDates === null || effectiveDates === undefined ? '' : periodEnds(effectiveDates.written)[0];
}
