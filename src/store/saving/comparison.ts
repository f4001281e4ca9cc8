/** How the rows derived from a log differ from those on record. */
export interface Comparison<Recorded, Derived> {
  /** Derived rows that are not on record; equal rows only once. */
  added: Derived[];
  /** Recorded rows that the log no longer gives. */
  superseded: Recorded[];
}

/** Compares the rows on record with those derived from a log. @param keyOf what makes two rows equal; the same for both sides */
export function compareRows<Row, Recorded extends Row, Derived extends Row>(
  recorded: Recorded[],
  derived: Derived[],
  keyOf: (row: Row) => string,
): Comparison<Recorded, Derived> {
  const recordedByKey = new Map(recorded.map((row) => [keyOf(row), row]));
  const derivedByKey = new Map(derived.map((row) => [keyOf(row), row]));
  const missingFrom = <T>(rows: Map<string, T>, others: Map<string, unknown>): T[] =>
    [...rows].flatMap(([key, row]) => (others.has(key) ? [] : [row]));
  return { added: missingFrom(derivedByKey, recordedByKey), superseded: missingFrom(recordedByKey, derivedByKey) };
}
