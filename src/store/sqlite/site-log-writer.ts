import { createHash } from 'node:crypto';
import Database, { type Statement } from 'better-sqlite3';
import { EQUIPMENT_TYPES, type EquipmentInUse } from '../../schemas/index.js';
import { deriveChanges } from '../derive-changes.js';
import type { Finding, SiteIdentification } from '../site-log/site-log.js';
import type { DerivedSetup } from '../derive-setups.js';
import { SAVE_SUMMARY, type SummaryValues, summaryOf } from './site-summary.js';
import type { SaveOutcome, SetupWriter, SiteLogImport } from './store.js';

/** The columns of `site`, in the order of its rows, by the member each holds. */
const SITE_COLUMNS: Record<keyof SiteIdentification, string> = {
  fourCharacterId: 'four_character_id',
  nineCharacterId: 'nine_character_id',
  name: 'name',
  domesNumber: 'domes_number',
  dateInstalled: 'date_installed',
  monumentDescription: 'monument_description',
  monumentFoundation: 'monument_foundation',
  monumentHeight: 'monument_height',
  markerDescription: 'marker_description',
  geologicCharacteristic: 'geologic_characteristic',
  bedrockType: 'bedrock_type',
  notes: 'notes',
  city: 'city',
  state: 'state',
  country: 'country',
  latitude: 'latitude',
  longitude: 'longitude',
  elevation: 'elevation',
};
const SITE_MEMBERS = Object.keys(SITE_COLUMNS) as (keyof SiteIdentification)[];
const NAMES = Object.values(SITE_COLUMNS).join(', ');
const VALUES = SITE_MEMBERS.map((member) => `:${member}`).join(', ');
const CHANGED = Object.entries(SITE_COLUMNS)
  .map(([member, column]) => `${column} IS NOT :${member}`)
  .join(' OR ');
const ASSIGNED = Object.entries(SITE_COLUMNS)
  .map(([member, column]) => `${column} = :${member}`)
  .join(', ');

interface SiteLogRow {
  id: number;
  name: string;
  sha256: string;
  datePrepared: string | null;
}

/** line, level, message, text */
type FindingRow = [number, string, string, string];

/** A row that is valid now, by what makes it the same as one of a newer log. */
interface ValidRow {
  id: number;
  key: string;
}

/**
 * What tells one device from another: kind, type and serial number, or the type of a clock. An item without these is
 * a device of its own, told by its Site, its start, and a number among the likes of it there.
 */
function identityOf({ content: { id, period } }: EquipmentInUse, fourCharacterId: string, seen: Map<string, number>): string {
  if ((id.equipmentType === 'clock' ? id.type : id.serialNumber) !== null) {
    return JSON.stringify([id.equipmentType, id.type, id.serialNumber]);
  }
  const place = [id.equipmentType, id.type, null, fourCharacterId, period.from];
  const number = (seen.get(place.join()) ?? 0) + 1;
  seen.set(place.join(), number);
  return JSON.stringify([...place, number]);
}

/** Writes one SQLite file through one connection. */
export class SqliteWriter implements SetupWriter {
  private readonly statements: ReturnType<typeof prepare>;
  private readonly save: Database.Transaction<(siteLog: SiteLogImport) => SaveOutcome>;

  /** @param unusable turns an error of SQLite into one that says what to do */
  constructor(
    private readonly db: Database.Database,
    private readonly unusable: (error: unknown) => Error,
  ) {
    this.statements = prepare(db);
    this.save = db.transaction((siteLog: SiteLogImport) => this.saveInTransaction(siteLog));
  }

  async saveSiteLog(siteLog: SiteLogImport): Promise<SaveOutcome> {
    try {
      return this.save.immediate(siteLog);
    } catch (error) {
      throw error instanceof Database.SqliteError ? this.unusable(error) : error;
    }
  }

  /** Closes the file; a dry run is rolled back. */
  async close(): Promise<void> {
    if (this.db.inTransaction) this.db.exec('ROLLBACK');
    this.db.close();
  }

  private saveInTransaction(siteLog: SiteLogImport): SaveOutcome {
    const { log } = siteLog;
    const sha256 = createHash('sha256').update(siteLog.original).digest('hex');
    const site = this.statements.findSite.get(log.identification.fourCharacterId);
    const known = site?.id;
    const holding = known === undefined ? undefined : this.statements.findHoldingLog.get(known);
    const sameLog = holding?.sha256 === sha256;
    if (known !== undefined && holding !== undefined && !sameLog) {
      const [ours, theirs] = [log.datePrepared ?? '', holding.datePrepared ?? ''];
      const seenBefore = this.statements.findLog.get(known, sha256) !== undefined;
      // A log seen before and not holding now was replaced by one of the same day or later.
      if (ours < theirs || seenBefore) return { kind: 'older', holding, seenBefore };
    }
    const before = this.db.prepare('SELECT total_changes()').pluck().get();
    const siteId = known ?? this.statements.addSite.get({ ...log.identification })!;
    // A log of version 1 says nothing against the nine-character id that one of version 2.0 gave.
    const nineCharacterId = log.identification.nineCharacterId ?? site?.nineCharacterId ?? null;
    if (known !== undefined) this.statements.updateSite.run({ ...log.identification, nineCharacterId, id: siteId });
    const at = this.recordTime(siteId, siteLog.importedAt);
    const logId = sameLog ? holding.id : this.addLog(siteId, holding, sha256, at, siteLog);
    this.saveFindings(logId, siteLog.findings);
    const setups = this.saveSetups(siteId, logId, at, siteLog);
    this.saveInstallations(siteId, logId, at, siteLog);
    this.saveChanges(siteId, at, siteLog);
    this.saveSummary(siteId, { ...log.identification, nineCharacterId }, siteLog.setups);
    if (this.db.prepare('SELECT total_changes()').pluck().get() === before) return { kind: 'unchanged' };
    return {
      kind: 'saved',
      replaces: sameLog ? null : (holding ?? null),
      previousNineCharacterId: site?.nineCharacterId ?? null,
      ...setups,
    };
  }

  /** The time to record at: now, but never before what is recorded of the Site already, whatever the clock says. */
  private recordTime(siteId: number, now: Date): string {
    const latest = this.statements.latestRecord.get({ siteId }) ?? '';
    const at = now.toISOString();
    return at > latest ? at : latest;
  }

  private addLog(siteId: number, holding: SiteLogRow | undefined, sha256: string, at: string, siteLog: SiteLogImport): number {
    const { name, original, log } = siteLog;
    if (holding !== undefined) this.statements.supersedeLog.run(at, holding.id);
    const bytes = Buffer.from(original.buffer, original.byteOffset, original.byteLength);
    return this.statements.addLog.get(siteId, name, sha256, log.form, log.datePrepared, at, bytes)!;
  }

  /** Keeps what was found in a log; a version of the reader that finds other things in it replaces them. */
  private saveFindings(logId: number, findings: Finding[]): void {
    const rows = findings.map(({ line, level, message, text }): FindingRow => [line, level, message, text]);
    if (JSON.stringify(rows) === JSON.stringify(this.statements.findFindings.all(logId))) return;
    this.statements.deleteFindings.run(logId);
    rows.forEach((row, position) => this.statements.addFinding.run(logId, position, ...row));
  }

  private saveSetups(siteId: number, logId: number, at: string, { setups }: SiteLogImport) {
    const valid = new Map(this.statements.validSetups.all(siteId).map((row) => [row.key, row.id]));
    const rows = setups.map(({ effectivePeriod: { from, to }, equipmentInUse }) => {
      const document = JSON.stringify(equipmentInUse);
      return { from, to, document, key: `${from} ${to ?? ''} ${document}` };
    });
    const keys = new Set(rows.map(({ key }) => key));
    const gone = [...valid].filter(([key]) => !keys.has(key));
    const added = rows.filter(({ key }) => !valid.has(key));
    for (const [, id] of gone) this.statements.supersedeSetup.run(at, id);
    for (const { from, to, document } of added) this.statements.addSetup.run(siteId, logId, from, to, at, document);
    return { added: added.length, kept: rows.length - added.length, invalidated: gone.length };
  }

  private saveInstallations(siteId: number, logId: number, at: string, { setups, log }: SiteLogImport): void {
    const valid = new Map(this.statements.validInstallations.all(siteId).map((row) => [row.key, row]));
    const touched = new Set<number>();
    // The derivation puts one and the same object in every Setup that an item is in.
    const elements = new Set(setups.flatMap(({ equipmentInUse }) => equipmentInUse));
    const seen = new Map<string, number>();
    const keys = new Set<string>();
    for (const element of elements) {
      const { id, configuration, period } = element.content;
      const identity = identityOf(element, log.identification.fourCharacterId, seen);
      const document = JSON.stringify(configuration);
      const key = `${identity} ${period.from} ${period.to ?? ''} ${document}`;
      if (keys.has(key)) continue;
      keys.add(key);
      if (valid.has(key)) continue;
      const equipment = this.statements.saveEquipment.get(identity, id.equipmentType, id.type, id.serialNumber, JSON.stringify(id))!;
      this.statements.addInstallation.run(siteId, equipment, logId, period.from, period.to, at, document);
      touched.add(equipment);
    }
    for (const [key, row] of valid) {
      if (keys.has(key)) continue;
      this.statements.supersedeInstallation.run(at, row.id);
      touched.add(row.equipmentId);
    }
    for (const id of touched) this.statements.list.run({ id });
  }

  private saveChanges(siteId: number, at: string, { setups }: SiteLogImport): void {
    const valid = new Map(this.statements.validChanges.all(siteId).map((row) => [row.key, row.id]));
    const keys = new Set<string>();
    for (const change of deriveChanges(setups)) {
      const document = JSON.stringify(change);
      if (!keys.has(document) && !valid.has(document))
        this.statements.addChange.run(siteId, change.at, change.equipmentType, EQUIPMENT_TYPES.indexOf(change.equipmentType), at, document);
      keys.add(document);
    }
    for (const [key, id] of valid) if (!keys.has(key)) this.statements.supersedeChange.run(at, id);
  }

  private saveSummary(siteId: number, site: SiteIdentification, setups: DerivedSetup[]): void {
    const last = setups.at(-1);
    const current = last === undefined ? null : { from: last.effectivePeriod.from, equipmentInUse: last.equipmentInUse };
    this.statements.saveSummary.run(siteId, ...summaryOf(site, current));
  }
}

function prepare(db: Database.Database) {
  const pluck = <P extends unknown[] | object, R>(sql: string) => db.prepare(sql).pluck() as Statement<P extends unknown[] ? P : [P], R>;
  return {
    findSite: db.prepare<[string], { id: number; nineCharacterId: string | null }>(
      'SELECT id, nine_character_id AS nineCharacterId FROM site WHERE four_character_id = ?',
    ),
    addSite: pluck<object, number>(`INSERT INTO site (${NAMES}) VALUES (${VALUES}) RETURNING id`),
    updateSite: db.prepare<object>(`UPDATE site SET ${ASSIGNED} WHERE id = :id AND (${CHANGED})`),
    latestRecord: pluck<{ siteId: number }, string | null>(
      `SELECT max(at) FROM (SELECT max(imported_at) AS at FROM site_log WHERE site_id = :siteId
       UNION ALL SELECT max(superseded_at) FROM setup WHERE site_id = :siteId
       UNION ALL SELECT max(recorded_at) FROM setup WHERE site_id = :siteId)`,
    ),
    findHoldingLog: db.prepare<[number], SiteLogRow>(
      'SELECT id, name, sha256, date_prepared AS datePrepared FROM site_log WHERE site_id = ? AND superseded_at IS NULL',
    ),
    findLog: pluck<[number, string], number>('SELECT id FROM site_log WHERE site_id = ? AND sha256 = ?'),
    addLog: pluck<[number, string, string, string, string | null, string, Buffer], number>(
      'INSERT INTO site_log (site_id, name, sha256, form, date_prepared, imported_at, original) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id',
    ),
    supersedeLog: db.prepare<[string, number]>('UPDATE site_log SET superseded_at = ? WHERE id = ?'),
    findFindings: db
      .prepare<[number], FindingRow>('SELECT line, level, message, text FROM finding WHERE site_log_id = ? ORDER BY position')
      .raw(),
    deleteFindings: db.prepare<[number]>('DELETE FROM finding WHERE site_log_id = ?'),
    addFinding: db.prepare<[number, number, ...FindingRow]>(
      'INSERT INTO finding (site_log_id, position, line, level, message, text) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    validSetups: db.prepare<[number], ValidRow>(
      `SELECT id, effective_from || ' ' || coalesce(effective_to, '') || ' ' || equipment_in_use AS key
       FROM setup WHERE site_id = ? AND superseded_at IS NULL`,
    ),
    addSetup: db.prepare<[number, number, string, string | null, string, string]>(
      'INSERT INTO setup (site_id, site_log_id, effective_from, effective_to, recorded_at, equipment_in_use) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    supersedeSetup: db.prepare<[string, number]>('UPDATE setup SET superseded_at = ? WHERE id = ?'),
    // What the newest log says of a device replaces what others said; what it leaves open stays.
    saveEquipment: pluck<[string, string, string | null, string | null, string], number>(
      `INSERT INTO equipment (identity, equipment_type, type, serial_number, document) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (identity) DO UPDATE SET document = (
         SELECT json_group_object(key, coalesce(value, equipment.document ->> key)) FROM json_each(excluded.document)
       ) RETURNING id`,
    ),
    validInstallations: db.prepare<[number], ValidRow & { equipmentId: number }>(
      `SELECT installation.id, equipment_id AS equipmentId,
         identity || ' ' || period_from || ' ' || coalesce(period_to, '') || ' ' || configuration AS key
       FROM installation JOIN equipment ON equipment.id = equipment_id WHERE site_id = ? AND superseded_at IS NULL`,
    ),
    addInstallation: db.prepare<[number, number, number, string, string | null, string, string]>(
      'INSERT INTO installation (site_id, equipment_id, site_log_id, period_from, period_to, recorded_at, configuration) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    supersedeInstallation: db.prepare<[string, number]>('UPDATE installation SET superseded_at = ? WHERE id = ?'),
    validChanges: db.prepare<[number], ValidRow>('SELECT id, document AS key FROM change WHERE site_id = ? AND superseded_at IS NULL'),
    addChange: db.prepare<[number, string, string, number, string, string]>(
      'INSERT INTO change (site_id, at, equipment_type, kind_position, recorded_at, document) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    supersedeChange: db.prepare<[string, number]>('UPDATE change SET superseded_at = ? WHERE id = ?'),
    saveSummary: db.prepare<[number, ...SummaryValues]>(SAVE_SUMMARY),
    list: db.prepare<{ id: number }>(
      `UPDATE equipment SET listed = EXISTS (SELECT 1 FROM installation WHERE equipment_id = :id AND superseded_at IS NULL) WHERE id = :id`,
    ),
  };
}
