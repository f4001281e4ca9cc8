/** How the rows derived from a log differ from those on record. */
export interface Comparison<Recorded, Derived> {
  /** Derived rows that are not on record; equal rows only once. */
  added: Derived[];
  /** Recorded rows that the log no longer gives. */
  superseded: Recorded[];
  /** The pairs that are the same. */
  same: [Recorded, Derived][];
}

/** Compares the rows on record with those derived from a log. @param keyOf what makes two rows equal */
export function compareRows<Recorded, Derived>(
  recorded: readonly Recorded[],
  derived: readonly Derived[],
  keyOfRecorded: (row: Recorded) => string,
  keyOfDerived: (row: Derived) => string,
): Comparison<Recorded, Derived> {
  const recordedByKey = new Map(recorded.map((row) => [keyOfRecorded(row), row]));
  const derivedByKey = new Map(derived.map((row) => [keyOfDerived(row), row]));
  const comparison: Comparison<Recorded, Derived> = { added: [], superseded: [], same: [] };
  for (const [key, row] of derivedByKey) {
    const same = recordedByKey.get(key);
    if (same === undefined) comparison.added.push(row);
    else comparison.same.push([same, row]);
  }
  for (const row of recorded) {
    const key = keyOfRecorded(row);
    // Two equal rows on record are damage; one of them stays.
    if (!derivedByKey.has(key) || recordedByKey.get(key) !== row) comparison.superseded.push(row);
  }
  return comparison;
}
