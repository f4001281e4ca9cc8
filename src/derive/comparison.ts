/**
 * Compares the rows on record with those derived from a log; rows with the same key are equal.
 * @returns the derived rows that are not on record, without duplicates; the recorded rows that the
 *   log no longer gives; and the pairs of rows that are equal
 */
export function compareRows<Recorded, Derived>(
  recorded: readonly Recorded[],
  derived: readonly Derived[],
  keyOfRecorded: (row: Recorded) => string,
  keyOfDerived: (row: Derived) => string,
): { added: Derived[]; superseded: Recorded[]; same: [Recorded, Derived][] } {
  const recordedByKey = new Map(recorded.map((row) => [keyOfRecorded(row), row]));
  const derivedByKey = new Map(derived.map((row) => [keyOfDerived(row), row]));
  const added: Derived[] = [];
  const same: [Recorded, Derived][] = [];
  for (const [key, row] of derivedByKey) {
    const equal = recordedByKey.get(key);
    if (equal === undefined) added.push(row);
    else same.push([equal, row]);
  }
  const staying = new Set(same.map(([row]) => row));
  // Two equal rows on record are damage; only one of them is kept.
  return { added, superseded: recorded.filter((row) => !staying.has(row)), same };
}
