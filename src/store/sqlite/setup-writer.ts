import type { Database, Statement } from 'better-sqlite3';
import type { DerivedSetup } from '../../derive/setups.js';
import { compareRows } from './comparison.js';
import type { Saving } from './saving.js';

/** What makes a Setup the same as one of a newer log. */
interface SetupContent {
  effective_from: string;
  effective_to: string | null;
  equipment_in_use: string;
}
const keyOf = (row: SetupContent): string => JSON.stringify([row.effective_from, row.effective_to, row.equipment_in_use]);

/** What became of the Setups of a log. */
export interface SavedSetups {
  added: DerivedSetup[];
  kept: number;
  invalidated: number;
}

/** Writes the Setups of a Site; in the transaction of the caller. */
export class SetupWriter {
  private readonly recorded: Statement<[number], SetupContent & { id: number }>;
  private readonly add: Statement<[SetupContent & Saving]>;
  private readonly supersede: Statement<[string, number]>;

  constructor(db: Database) {
    this.recorded = db.prepare(
      'SELECT id, effective_from, effective_to, equipment_in_use FROM setup WHERE site_id = ? AND superseded_at IS NULL',
    );
    this.add = db.prepare(
      `INSERT INTO setup (site_id, site_log_id, effective_from, effective_to, recorded_at, equipment_in_use)
       VALUES (:site, :log, :effective_from, :effective_to, :at, :equipment_in_use)`,
    );
    this.supersede = db.prepare('UPDATE setup SET superseded_at = ? WHERE id = ?');
  }

  /** Saves the Setups of a log; those that stay the same keep their id. */
  save(saving: Saving, setups: DerivedSetup[]): SavedSetups {
    const said = setups.map((setup) => ({
      setup,
      effective_from: setup.effectivePeriod.from,
      effective_to: setup.effectivePeriod.to,
      equipment_in_use: JSON.stringify(setup.equipmentInUse),
    }));
    const { added, superseded } = compareRows(this.recorded.all(saving.site), said, keyOf);
    // Of Setups that begin at one instant only one may be on record.
    for (const { id } of superseded) this.supersede.run(saving.at, id);
    for (const { setup: _, ...content } of added) this.add.run({ ...saving, ...content });
    return { added: added.map(({ setup }) => setup), kept: setups.length - added.length, invalidated: superseded.length };
  }
}
