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
export type ChangeRow = { id: number; document: string; counterpart_id: number | null; gap_before: number | null } & OfSite;

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

  periodsOf(site: number): RecordedSetup[] {
    return this.validOf(site);
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

  idsOf(site: number): number[] {
    return this.validOf(site).map(({ id }) => id);
  }

  documentOf(id: number): string {
    return this.rows.get(id)!.document;
  }

  add(row: NewChange): number {
    return this.rows.add({ ...row, superseded_at: null, counterpart_id: null, gap_before: null }).id;
  }

  supersede(id: number, at: string): void {
    this.rows.change(id, { superseded_at: at, counterpart_id: null, gap_before: null });
  }

  saveGap(id: number, counterpart: number | null, seconds: number | null): void {
    const { counterpart_id, gap_before } = this.rows.get(id)!;
    if (counterpart_id !== counterpart || gap_before !== seconds)
      this.rows.change(id, { counterpart_id: counterpart, gap_before: seconds });
  }
}
