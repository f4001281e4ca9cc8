import type { ChangeTable, NewChange, NewSetup, RecordedSetup, SetupTable } from '../../saving/tables.js';
import { type ChangeCount, LoadedRows } from './loaded-rows.js';

/** A row of a Site that can be superseded. */
export interface OfSite {
  site_id: number;
  superseded_at: string | null;
}
/** What the rules read of a Setup. */
export type SetupRow = RecordedSetup & OfSite;
/** What the rules read of a change. */
export type ChangeRow = { id: number; document: string } & OfSite;

/** Setups in memory. */
export class LoadedSetups implements SetupTable {
  readonly rows: LoadedRows<SetupRow, SetupRow & NewSetup>;

  /** @param touch notes that something was recorded about a Site */
  constructor(
    recorded: SetupRow[],
    last: number,
    count: ChangeCount,
    private readonly touch: (site: number, at: string) => void,
  ) {
    this.rows = new LoadedRows(recorded, last, count);
  }

  validOf(site: number): RecordedSetup[] {
    return this.rows.filter(({ site_id, superseded_at }) => site_id === site && superseded_at === null);
  }

  add(row: NewSetup): void {
    this.touch(row.site_id, row.recorded_at);
    this.rows.add({ ...row, superseded_at: null });
  }

  supersede(id: number, at: string): void {
    this.rows.change(id, { superseded_at: at });
    this.touch(this.rows.get(id)!.site_id, at);
  }
}

/** Changes in memory. */
export class LoadedChanges implements ChangeTable {
  readonly rows: LoadedRows<ChangeRow, ChangeRow & NewChange>;

  constructor(recorded: ChangeRow[], last: number, count: ChangeCount) {
    this.rows = new LoadedRows(recorded, last, count);
  }

  validOf(site: number): { id: number; document: string }[] {
    return this.rows.filter(({ site_id, superseded_at }) => site_id === site && superseded_at === null);
  }

  add(row: NewChange): void {
    this.rows.add({ ...row, superseded_at: null });
  }

  supersede(id: number, at: string): void {
    this.rows.change(id, { superseded_at: at });
  }
}
