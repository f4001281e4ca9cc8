import type { Database, Statement } from 'better-sqlite3';
import { EQUIPMENT_TYPES } from '../../../schemas/index.js';
import type { DerivedChange } from '../../derive/changes.js';
import { checksumOf } from '../saving/checksums.js';
import { compareRows } from '../saving/comparison.js';
import type { Saving } from '../saving/saving.js';

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

  constructor(db: Database) {
    this.recorded = db.prepare('SELECT id, document FROM change WHERE site_id = ? AND superseded_at IS NULL');
    this.add = db.prepare(
      'INSERT INTO change (site_id, at, equipment_type, kind_position, recorded_at, document, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.supersede = db.prepare('UPDATE change SET superseded_at = ? WHERE id = ?');
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
  }
}
