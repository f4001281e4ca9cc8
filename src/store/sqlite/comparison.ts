/** What a newer log changes of the rows that are on record. */
export interface Comparison<Recorded, Said> {
  /** What the log says and is not on record; equal rows once. */
  added: Said[];
  /** What is on record and the log no longer says. */
  superseded: Recorded[];
}

/** Compares what is on record with what a log says, by a key that has one definition for both. */
export function compareRows<Row, Recorded extends Row, Said extends Row>(
  recorded: Recorded[],
  said: Said[],
  keyOf: (row: Row) => string,
): Comparison<Recorded, Said> {
  const recordedByKey = new Map(recorded.map((row) => [keyOf(row), row]));
  const saidByKey = new Map(said.map((row) => [keyOf(row), row]));
  const missingFrom = <T>(rows: Map<string, T>, others: Map<string, unknown>): T[] =>
    [...rows].flatMap(([key, row]) => (others.has(key) ? [] : [row]));
  return { added: missingFrom(saidByKey, recordedByKey), superseded: missingFrom(recordedByKey, saidByKey) };
}
