import { KINDS, periodEnds } from '../kinds.js';
import type { Section } from '../sections/index.js';
import type { Values } from './loss.js';

/**
 * When a block was entered, as GeodesyML has it, if the log does not say: when what it is about began, as far as all forms say that.
 * Empty if unknown.
 */
export function insertedByDefault({ rows }: Section, values: Values): string {
  const [name] = ['dateInstalled', 'dateMeasured', 'effectiveDates'].filter((each) => rows[each]?.label !== undefined);
  const start = name === undefined ? null : (values[name] ?? null);
  if (start === null) return '';
  return name === 'effectiveDates' ? periodEnds(start.written)[0] : (KINDS.instant.toXml(start.written) ?? '');
}
