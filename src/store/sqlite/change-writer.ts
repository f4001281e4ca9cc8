import type { Database, Statement } from 'better-sqlite3';
import { EQUIPMENT_TYPES } from '../../../schemas/index.js';
import type { DerivedChange } from '../../derive/changes.js';
import { compareRows } from './comparison.js';
import type { Saving } from './saving.js';

/** The change as JSON, which is all that makes it the same as one of a newer log. */
interface ChangeContent {
  document: string;
}
const keyOf = ({ document }: ChangeContent): string => document;

/** Writes the changes of a Site; in the transaction of the caller. */
export class ChangeWriter {
  private readonly recorded: Statement<[number], ChangeContent & { id: number }>;
  private readonly add: Statement<[number, string, string, number, string, string]>;
  private readonly supersede: Statement<[string, number]>;

  constructor(db: Database) {
    this.recorded = db.prepare('SELECT id, document FROM change WHERE site_id = ? AND superseded_at IS NULL');
    this.add = db.prepare(
      'INSERT INTO change (site_id, at, equipment_type, kind_position, recorded_at, document) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.supersede = db.prepare('UPDATE change SET superseded_at = ? WHERE id = ?');
  }

  /** Saves the changes of a log. */
  save({ site, at }: Saving, changes: DerivedChange[]): void {
    const said = changes.map((change) => ({ change, document: JSON.stringify(change) }));
    const { added, superseded } = compareRows(this.recorded.all(site), said, keyOf);
    for (const { change, document } of added) {
      this.add.run(site, change.at, change.equipmentType, EQUIPMENT_TYPES.indexOf(change.equipmentType), at, document);
    }
    for (const { id } of superseded) this.supersede.run(at, id);
  }
}
