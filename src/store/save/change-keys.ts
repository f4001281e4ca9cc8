import { type DerivedChange, meaningOfChange, outcomeOfChange } from '../../derive/changes.js';
import type { LoadedRow } from './loaded-rows.js';
import { sha256Of } from './logs.js';

/** What follows from comparing a change with those before. */
export type ComparedChange = Pick<LoadedRow<'change'>, 'changed_at' | 'comparison_key'>;

/** How many hexadecimal digits a key has. */
const KEY_LENGTH = 32;

/** What a change says, as a key without a number. */
export const comparisonKeyOf = (change: DerivedChange): string =>
  sha256Of(meaningOfChange(change)).slice(0, KEY_LENGTH);

/** What is in use after a change, as a key. */
export const groupKeyOf = (change: DerivedChange): string =>
  sha256Of(outcomeOfChange(change)).slice(0, KEY_LENGTH);

/** A key without the number that tells changes apart which say the same. */
export const withoutNumber = (key: string): string => key.split('-')[0]!;

/** A key with the first number that no other change has. */
function numbered(key: string, taken: ReadonlySet<string | null>): string {
  let free = key;
  for (let number = 2; taken.has(free); number++) free = `${key}-${number}`;
  return free;
}

/**
 * Compares the changes that an event adds with those that it supersedes. One that says the same as
 * one of these continues it.
 * @param added the keys of the added changes, without numbers
 * @param staying the other changes of the Site that are on record
 * @param recordedAt the record time of the event
 * @returns the columns of the added changes, in their order
 */
export function continueChanges(
  added: readonly string[],
  superseded: readonly ComparedChange[],
  staying: readonly ComparedChange[],
  recordedAt: string,
): ComparedChange[] {
  const replaced = Map.groupBy(superseded, ({ comparison_key: key }) => key && withoutNumber(key));
  const taken = new Set(staying.map(({ comparison_key }) => comparison_key));
  const continued = added.map((key): ComparedChange => {
    const { changed_at = recordedAt, comparison_key = null } = replaced.get(key)?.shift() ?? {};
    taken.add(comparison_key);
    return { changed_at, comparison_key };
  });
  return continued.map(({ changed_at, comparison_key }, index) => {
    const key = comparison_key ?? numbered(added[index]!, taken);
    taken.add(key);
    return { changed_at, comparison_key: key };
  });
}
