/**
 * Compares the rows on record with those derived from a log; rows with the same key are equal. A
 * row can be there several times: a log can have one device without a serial number twice.
 * @returns the derived rows that are not on record; the recorded rows that the log no longer gives;
 *   and the pairs of rows that are equal
 */
export function compareRows<Recorded, Derived>(
  recorded: readonly Recorded[],
  derived: readonly Derived[],
  keyOfRecorded: (row: Recorded) => string,
  keyOfDerived: (row: Derived) => string,
): { added: Derived[]; superseded: Recorded[]; same: [Recorded, Derived][] } {
  if (recorded.length === 0) return { added: [...derived], superseded: [], same: [] };
  const unmatched = Map.groupBy(recorded, keyOfRecorded);
  const added: Derived[] = [];
  const same: [Recorded, Derived][] = [];
  for (const row of derived) {
    const equal = unmatched.get(keyOfDerived(row))?.pop();
    if (equal === undefined) added.push(row);
    else same.push([equal, row]);
  }
  const staying = new Set(same.map(([row]) => row));
  return { added, superseded: recorded.filter((row) => !staying.has(row)), same };
}
