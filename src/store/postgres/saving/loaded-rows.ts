/** Counts changes of rows. */
export interface ChangeCount {
  changes: number;
}

/**
 * Rows of a table in memory: some of those on record, and those that were added. The writer saves what was added and
 * changed when all rules have run, in a few statements.
 * @typeParam Row what the rules read of a row
 * @typeParam Added a row with all columns
 */
export class LoadedRows<Row extends { id: number }, Added extends Row> {
  readonly added: Added[] = [];
  /** The rows on record that were changed. */
  readonly changed = new Set<Row>();
  private readonly rows: Map<number, Row>;
  private readonly recordedLast: number;

  /** @param last the last id of the table */
  constructor(
    recorded: Row[],
    private last: number,
    private readonly count: ChangeCount,
  ) {
    this.recordedLast = last;
    this.rows = new Map(recorded.map((row) => [row.id, row]));
  }

  /** The last id of the table. */
  get lastId(): number {
    return this.last;
  }

  get(id: number): Row | undefined {
    return this.rows.get(id);
  }

  filter(condition: (row: Row) => boolean): Row[] {
    return [...this.rows.values()].filter(condition);
  }

  /** Adds a row with the next id. */
  add(row: Omit<Added, 'id'>): Added {
    const added = { ...row, id: ++this.last } as Added;
    this.added.push(added);
    this.rows.set(added.id, added);
    this.count.changes++;
    return added;
  }

  /** Changes some columns of a row. */
  change(id: number, values: Partial<Omit<Row, 'id'>>): void {
    const row = this.rows.get(id)!;
    Object.assign(row, values);
    // A row that was added is saved as it is in the end.
    if (id <= this.recordedLast) this.changed.add(row);
    this.count.changes++;
  }
}
