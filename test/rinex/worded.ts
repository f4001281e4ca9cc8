import { messageOf, type RinexFinding } from '../../src/rinex/findings.js';

/** A result with the messages of its findings. */
export type Worded<T> = T extends unknown
  ? {
      [Name in keyof T]: T[Name] extends RinexFinding
        ? string
        : T[Name] extends RinexFinding[]
          ? string[]
          : T[Name];
    }
  : never;

const isFinding = (value: unknown): value is RinexFinding =>
  typeof value === 'object' && value !== null && 'code' in value && 'values' in value;

function wordsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => (isFinding(each) ? messageOf(each) : each));
  return isFinding(value) ? messageOf(value) : value;
}

/** Puts messages in place of findings; all other values stay the same. */
export const worded = <T extends object>(result: T): Worded<T> =>
  Object.fromEntries(
    Object.entries(result).map(([name, value]) => [name, wordsOf(value)]),
  ) as Worded<T>;
