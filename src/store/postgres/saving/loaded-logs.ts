import type { FindingRow, LogTable, NewLog, RecordedLog } from '../../saving/tables.js';
import { type ChangeCount, LoadedRows } from './loaded-rows.js';

/** What the rules read of a log. */
export interface LogRow extends Omit<RecordedLog, 'withdrawnAt' | 'supersededAt' | 'datePrepared'> {
  site_id: number;
  date_prepared: string | null;
  withdrawn_at: string | null;
  superseded_at: string | null;
}

/** What is on record about logs. */
export interface RecordedLogs {
  logs: LogRow[];
  /** The findings of some of them. */
  findings: { site_log_id: number; line: number; level: string; message: string; text: string }[];
  /** The bytes of those that a correction may make current. */
  originals: { id: number; original: Uint8Array }[];
}

const toRecordedLog = ({ id, name, sha256, date_prepared, withdrawn_at, superseded_at }: LogRow): RecordedLog => ({
  id,
  name,
  sha256,
  datePrepared: date_prepared,
  withdrawnAt: withdrawn_at,
  supersededAt: superseded_at,
});

/** Site logs in memory. */
export class LoadedLogs implements LogTable {
  readonly rows: LoadedRows<LogRow, LogRow & NewLog>;
  /** The findings that replace those on record, by log. */
  readonly savedFindings = new Map<number, FindingRow[]>();
  private readonly findings = new Map<number, FindingRow[]>();
  private readonly originals: Map<number, Uint8Array>;

  /** @param touch notes that something was recorded about a Site */
  constructor(
    recorded: RecordedLogs,
    last: number,
    private readonly count: ChangeCount,
    private readonly touch: (site: number, at: string) => void,
  ) {
    this.rows = new LoadedRows(recorded.logs, last, count);
    this.originals = new Map(recorded.originals.map(({ id, original }) => [id, original]));
    for (const { site_log_id, line, level, message, text } of recorded.findings) {
      const row: FindingRow = [line, level, message, text];
      const rows = this.findings.get(site_log_id);
      if (rows === undefined) this.findings.set(site_log_id, [row]);
      else rows.push(row);
    }
  }

  ofSite(site: number): RecordedLog[] {
    return this.rows.filter(({ site_id }) => site_id === site).map(toRecordedLog);
  }

  currentOf(site: number): number | undefined {
    return this.ofSite(site).find(({ supersededAt }) => supersededAt === null)?.id;
  }

  originalOf(log: number): Uint8Array {
    const original = this.originals.get(log);
    if (original === undefined) throw new Error(`the bytes of log ${log} were not loaded`);
    return original;
  }

  add(row: NewLog): number {
    this.touch(row.site_id, row.imported_at);
    return this.rows.add({ ...row, withdrawn_at: null }).id;
  }

  supersedeCurrent(site: number, at: string): void {
    const [current] = this.rows.filter(({ site_id, superseded_at }) => site_id === site && superseded_at === null);
    if (current !== undefined) this.rows.change(current.id, { superseded_at: at });
  }

  revive(log: number): void {
    this.rows.change(log, { superseded_at: null });
  }

  setWithdrawn(log: number, at: string | null): void {
    this.rows.change(log, { withdrawn_at: at });
    if (at !== null) this.touch(this.rows.get(log)!.site_id, at);
  }

  findingsOf(log: number): FindingRow[] {
    return this.savedFindings.get(log) ?? this.findings.get(log) ?? [];
  }

  replaceFindings(log: number, findings: FindingRow[]): void {
    this.savedFindings.set(log, findings);
    this.count.changes++;
  }
}
