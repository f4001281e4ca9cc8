import type { Database, Statement } from 'better-sqlite3';
import type { EquipmentInUse } from '../../../schemas/index.js';
import type { DerivedSetup } from '../../derive/setups.js';
import { documentsVersion, writeEquipmentInUse, writeItem } from '../../serializers/documents.js';
import { JsonText } from '../../serializers/json-text.js';
import type { Serialize } from '../../serializers/serializers.js';
import { checksumOf } from '../saving/checksums.js';
import { compareRows } from '../saving/comparison.js';
import type { Saving } from '../saving/saving.js';
import { inThisForm } from '../written-text.js';

/** What a Setup is compared by. */
interface SetupContent {
  effective_from: string;
  effective_to: string | null;
  equipment_in_use: string;
}
type RecordedSetup = SetupContent & { id: number; written_by: number | null };
const keyOf = (row: SetupContent): string => `${row.effective_from} ${row.effective_to} ${row.equipment_in_use}`;

/** What saving the Setups of a log changed. */
export interface SavedSetups {
  /** The new Setups. */
  added: DerivedSetup[];
  /** How many stayed the same. */
  kept: number;
  /** How many were superseded. */
  invalidated: number;
}

/** Writes the Setups of a Site, within the transaction of the caller. */
export class SetupWriter {
  private readonly recorded: Statement<[number], RecordedSetup>;
  private readonly add: Statement<[SetupContent & Saving & { version: number; checksum: number }]>;
  private readonly supersede: Statement<[string, number]>;

  constructor(db: Database) {
    this.recorded = db.prepare(
      'SELECT id, effective_from, effective_to, equipment_in_use, written_by FROM setup WHERE site_id = ? AND superseded_at IS NULL',
    );
    this.add = db.prepare(
      `INSERT INTO setup (site_id, site_log_id, effective_from, effective_to, recorded_at, equipment_in_use, written_by, checksum)
       VALUES (:site, :log, :effective_from, :effective_to, :recordedAt, :equipment_in_use, :version, :checksum)`,
    );
    this.supersede = db.prepare('UPDATE setup SET superseded_at = ? WHERE id = ?');
  }

  /** Saves the Setups of a log. Those that stay the same keep their ids. */
  save(saving: Saving, setups: DerivedSetup[]): SavedSetups {
    // An item is in many Setups, as the same object.
    const texts = new Map<EquipmentInUse, JsonText<EquipmentInUse>>();
    const textOf = (item: EquipmentInUse): JsonText<EquipmentInUse> => {
      const known = texts.get(item);
      if (known !== undefined) return known;
      const text = new JsonText<EquipmentInUse>(writeItem(item));
      texts.set(item, text);
      return text;
    };
    const derived = setups.map((setup) => ({
      setup,
      effective_from: setup.effectivePeriod.from,
      effective_to: setup.effectivePeriod.to,
      equipment_in_use: writeEquipmentInUse(setup.equipmentInUse.map(textOf)),
    }));
    const recorded = this.recorded.all(saving.site).map((row) => ({
      ...row,
      equipment_in_use: inThisForm(row.equipment_in_use, row.written_by, writeEquipmentInUse as Serialize),
    }));
    const { added, superseded } = compareRows(recorded, derived, keyOf);
    // Supersede first: only one valid Setup may begin at an instant.
    for (const { id } of superseded) this.supersede.run(saving.recordedAt, id);
    const { site, log, recordedAt } = saving;
    for (const { setup: _, ...content } of added) {
      const { effective_from, effective_to, equipment_in_use } = content;
      const checksum = checksumOf([site, log, effective_from, effective_to, recordedAt, equipment_in_use]);
      this.add.run({ ...saving, ...content, version: documentsVersion(), checksum });
    }
    return { added: added.map(({ setup }) => setup), kept: setups.length - added.length, invalidated: superseded.length };
  }
}
