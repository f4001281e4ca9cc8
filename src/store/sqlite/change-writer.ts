import type { Database, Statement } from 'better-sqlite3';
import { EQUIPMENT_TYPES } from '../../../schemas/index.js';
import type { DerivedChange } from '../../derive/changes.js';
import { gapsBetween } from '../../derive/gaps.js';
import { checksumOf } from './checksums.js';
import { compareRows } from './comparison.js';
import type { Saving } from './saving.js';

/** What a change is compared by: its JSON. */
interface ChangeContent {
  document: string;
}
const keyOf = ({ document }: ChangeContent): string => document;

/** Writes the changes of a Site, within the transaction of the caller. */
export class ChangeWriter {
  private readonly recorded: Statement<[number], ChangeContent & { id: number }>;
  private readonly add: Statement<[number, string, string, number, string, string, number]>;
  private readonly supersede: Statement<[string, number]>;
  private readonly swaps: Statement<[number], ChangeContent & { id: number }>;
  private readonly saveGap: Statement<[{ id: number; counterpart: number | null; seconds: number | null }]>;

  constructor(db: Database) {
    this.recorded = db.prepare('SELECT id, document FROM change WHERE site_id = ? AND superseded_at IS NULL');
    this.add = db.prepare(
      'INSERT INTO change (site_id, at, equipment_type, kind_position, recorded_at, document, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.supersede = db.prepare('UPDATE change SET superseded_at = ?, counterpart_id = NULL, gap_before = NULL WHERE id = ?');
    this.swaps = db.prepare(
      `SELECT id, document FROM change WHERE site_id = ? AND superseded_at IS NULL
       AND document ->> '$.kind' IN ('removed', 'installed') ORDER BY at, kind_position, id`,
    );
    this.saveGap = db.prepare(
      `UPDATE change SET counterpart_id = :counterpart, gap_before = :seconds
       WHERE id = :id AND (counterpart_id, gap_before) IS NOT (:counterpart, :seconds)`,
    );
  }

  /** Saves the changes of a log. */
  save({ site, recordedAt }: Saving, changes: DerivedChange[]): void {
    const derived = changes.map((change) => ({ change, document: JSON.stringify(change) }));
    const { added, superseded } = compareRows(this.recorded.all(site), derived, keyOf);
    for (const { change, document } of added) {
      const { at, equipmentType } = change;
      const values = [site, at, equipmentType, EQUIPMENT_TYPES.indexOf(equipmentType), recordedAt, document] as const;
      this.add.run(...values, checksumOf(values));
    }
    for (const { id } of superseded) this.supersede.run(recordedAt, id);
    if (added.length + superseded.length > 0) this.saveGaps(site);
  }

  /** Saves which installations of a Site end the gap after which removal. */
  saveGaps(site: number): void {
    const swaps = this.swaps.all(site).map(({ id, document }) => ({ ...(JSON.parse(document) as DerivedChange), id }));
    const gaps = gapsBetween(swaps);
    const counterparts = new Map(
      gaps.flatMap(({ removed, installed }) => [[removed.id, installed.id] as const, [installed.id, removed.id] as const]),
    );
    const lengths = new Map(gaps.map(({ installed, seconds }) => [installed.id, seconds]));
    for (const { id } of swaps) this.saveGap.run({ id, counterpart: counterparts.get(id) ?? null, seconds: lengths.get(id) ?? null });
  }
}
