import { hash } from 'node:crypto';
import type { Database, Statement } from 'better-sqlite3';
import type { EquipmentInUse } from '../../../schemas/index.js';
import type { SiteLogImport } from '../logs.js';
import { checksumOf } from './checksums.js';

/** The tables with ids, in the order of `last_ids`. */
export const NUMBERED = ['site', 'site_log', 'setup', 'installation', 'change', 'equipment'] as const;

/** Something that changed the record of a Site. */
export interface Event {
  /** `import`, or the kind of a correction. */
  kind: string;
  /** When, by the clock; `YYYY-MM-DDThh:mm:ss.sssZ`. */
  at: string;
  site: number;
  /** The number of an imported log. */
  log: number | null;
  /** The file name of an imported log; a correction as JSON. */
  detail: string | null;
  /** Of the bytes of an imported log. */
  sha256: string | null;
  /** Of what was derived from the log that was read; see {@link digestOf}. */
  digest: string | null;
}

/** A row of `journal`. */
export interface JournalRow {
  id: number;
  kind: string;
  at: string;
  site_id: number;
  site_log_id: number | null;
  detail: string | null;
  sha256: string | null;
  digest: string | null;
  last_ids: string;
  checksum: number;
}

/** The checksum that a row should have. */
export const checksumOfEntry = ({ id, kind, at, site_id, site_log_id, detail, sha256, digest, last_ids }: Omit<JournalRow, 'checksum'>) =>
  checksumOf([id, kind, at, site_id, site_log_id, detail, sha256, digest, last_ids]);

/** The last id of each numbered table. */
export const lastIdsOf = (db: Database): number[] =>
  NUMBERED.map((table) => db.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${table} NOT INDEXED`).pluck().get()!);

/** An entry for a Site whose content cannot be derived again. */
export function baselineOf(id: number, site: number, at: string, lastIds: string): JournalRow {
  const row = { id, kind: 'baseline', at, site_id: site, site_log_id: null, detail: null, sha256: null, digest: null, last_ids: lastIds };
  return { ...row, checksum: checksumOfEntry(row) };
}

/** Digests everything that was derived from a log. If it is the same, so is everything that the store saves of the log. */
export function digestOf({ log, findings, setups, changes, devices, summary }: Omit<SiteLogImport, 'name' | 'original' | 'importedAt'>) {
  // Many Setups and changes share the same item object. It is digested once.
  const items = new Map<EquipmentInUse, number>();
  const numberOf = (item: EquipmentInUse): number => {
    const known = items.get(item);
    if (known !== undefined) return known;
    items.set(item, items.size);
    return items.size - 1;
  };
  const derived = [
    [log.form, log.datePrepared, log.identification],
    findings.map(({ line, level, message, text }) => [line, level, message, text]),
    setups.map(({ effectivePeriod, equipmentInUse }) => [effectivePeriod, equipmentInUse.map(numberOf)]),
    devices.map(({ key, ofSite, identity, inUse }) => [key, ofSite, identity, inUse.map(numberOf)]),
    changes.map(({ before, after, ...change }) => [change, before && numberOf(before), after && numberOf(after)]),
    summary,
  ];
  return hash('sha256', JSON.stringify([derived, [...items.keys()]]));
}

/** Writes the journal, within the transaction of the caller. */
export class Journal {
  private readonly lastIds: Statement<[], number[]>;
  private readonly insert: Statement<[JournalRow]>;

  constructor(db: Database) {
    const maxima = ['journal', ...NUMBERED].map((table) => `(SELECT coalesce(max(id), 0) FROM ${table})`);
    this.lastIds = db.prepare<[], number[]>(`SELECT ${maxima.join(', ')}`).raw();
    this.insert = db.prepare(
      `INSERT INTO journal (id, kind, at, site_id, site_log_id, detail, sha256, digest, last_ids, checksum)
       VALUES (:id, :kind, :at, :site_id, :site_log_id, :detail, :sha256, :digest, :last_ids, :checksum)`,
    );
  }

  /** Adds an event that has just happened. @returns its number */
  add({ site, log, ...event }: Event): number {
    const [last, ...ids] = this.lastIds.get()!;
    const row = { ...event, id: last! + 1, site_id: site, site_log_id: log, last_ids: JSON.stringify(ids) };
    this.insert.run({ ...row, checksum: checksumOfEntry(row) });
    return row.id;
  }
}
