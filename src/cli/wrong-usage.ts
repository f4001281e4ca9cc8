import type { InvalidParameter } from '../../schemas/index.js';
import { nearestTo } from '../requests/nearest.js';

/** ` did you mean X?` after a word that is none of those expected, or nothing. */
export function didYouMean(word: string, expected: readonly string[]): string {
  const [nearest] = nearestTo(word, expected, (each) => [each], 1);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}

/** What the parameters of a request expect, as a command line says it. */
const EXPECTED: Record<string, string> = {
  countryCode: 'three letters, such as AUS',
  site: 'four characters (ALIC) or nine (ALIC00AUS)',
  near: 'latitude,longitude in degrees, such as -23.67,133.89',
  bbox: 'west,south,east,north in degrees, such as 110,-45,155,-10',
  radius: 'a number of kilometres up to 20100, together with near',
};

/** What is expected instead of the value of a parameter. */
export function expectedOf({ name, allowed }: InvalidParameter): string {
  const [guess = ''] = /^Did you mean [^?]*\?/.exec(allowed) ?? [];
  const [properties] = /Properties: .*/s.exec(allowed) ?? [];
  const expected = properties === undefined ? EXPECTED[name] : `a property, or property,desc. ${properties}`;
  if (expected === undefined) return allowed;
  return guess === '' ? `expected ${expected}` : `d${guess.slice(1)} Expected ${expected}`;
}
