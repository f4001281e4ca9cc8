import type { Database, Statement } from 'better-sqlite3';
import type { SiteIdentification } from '../../site-log/site-log.js';
import { SITE_COLUMNS } from '../saving/site-columns.js';
import type { RecordedSite, SiteTable, SummaryRow } from '../saving/tables.js';

const pairs = (operator: string): string[] => Object.entries(SITE_COLUMNS).map(([member, column]) => `${column} ${operator} :${member}`);

const ADD_SITE = `
  INSERT INTO site (${Object.values(SITE_COLUMNS).join(', ')})
  VALUES (${Object.keys(SITE_COLUMNS)
    .map((member) => `:${member}`)
    .join(', ')}) RETURNING id`;
const UPDATE_SITE = `UPDATE site SET ${pairs('=').join(', ')} WHERE id = :id AND (${pairs('IS NOT').join(' OR ')})`;

const SUMMARY = 'receivers, antennas, since, asked, known, search_text, former_text';
const NEW_SUMMARY = SUMMARY.replace(/\w+/g, 'excluded.$&');
const SAVE_SUMMARY = `
  INSERT INTO site_summary (site_id, ${SUMMARY}) VALUES (:site_id, ${SUMMARY.replace(/\w+/g, ':$&')})
  ON CONFLICT (site_id) DO UPDATE SET (${SUMMARY}) = (${NEW_SUMMARY}) WHERE (${SUMMARY}) IS NOT (${NEW_SUMMARY})`;

const LAST_RECORDED = `
  SELECT max(at) FROM (SELECT max(imported_at) AS at FROM site_log WHERE site_id = :site
    UNION ALL SELECT max(withdrawn_at) FROM site_log WHERE site_id = :site
    UNION ALL SELECT max(superseded_at) FROM setup WHERE site_id = :site
    UNION ALL SELECT max(recorded_at) FROM setup WHERE site_id = :site)`;

const SITES =
  'SELECT site.id, four_character_id AS fourCharacterId, nine_character_id AS nineCharacterId, retired_at AS retiredAt FROM site';

/** The Sites in a SQLite file, within the transaction of the caller. */
export class SqliteSiteTable implements SiteTable {
  private readonly byNumber: Statement<[number], RecordedSite>;
  private readonly byFour: Statement<[string], RecordedSite>;
  private readonly content: Statement<[number], Record<string, unknown>>;
  private readonly renamed: Statement<[string], number>;
  private readonly latestRecord: Statement<[{ site: number }], string | null>;
  private readonly retire: Statement<[string | null, number]>;
  private readonly changeIds: Statement<[string, string | null, number]>;
  private readonly insertFormerId: Statement<[string, number, string]>;
  private readonly deleteFormerId: Statement<[string]>;
  private readonly insert: Statement<[SiteIdentification], number>;
  private readonly updateRow: Statement<[SiteIdentification & { id: number }]>;
  private readonly summarise: Statement<[SummaryRow]>;

  constructor(db: Database) {
    this.byNumber = db.prepare(`${SITES} WHERE site.id = ?`);
    this.byFour = db.prepare(`${SITES} WHERE four_character_id = ? ORDER BY nine_character_id`);
    this.content = db.prepare('SELECT * FROM site WHERE id = ? AND retired_at IS NULL');
    this.renamed = db.prepare<[string], number>('SELECT site_id FROM site_rename WHERE former_id = ?').pluck();
    this.latestRecord = db.prepare<[{ site: number }], string | null>(LAST_RECORDED).pluck();
    this.retire = db.prepare('UPDATE site SET retired_at = ? WHERE id = ?');
    this.changeIds = db.prepare('UPDATE site SET four_character_id = ?, nine_character_id = ? WHERE id = ?');
    this.insertFormerId = db.prepare('INSERT OR REPLACE INTO site_rename (former_id, site_id, renamed_at) VALUES (?, ?, ?)');
    this.deleteFormerId = db.prepare('DELETE FROM site_rename WHERE former_id = ?');
    this.insert = db.prepare<[SiteIdentification], number>(ADD_SITE).pluck();
    this.updateRow = db.prepare(UPDATE_SITE);
    this.summarise = db.prepare(SAVE_SUMMARY);
  }

  find(site: number): RecordedSite | undefined {
    return this.byNumber.get(site);
  }

  findSharing(fourCharacterId: string): RecordedSite[] {
    return this.byFour.all(fourCharacterId);
  }

  findRenamed(formerId: string): number | undefined {
    return this.renamed.get(formerId);
  }

  contentOf(site: number): string | null {
    const row = this.content.get(site);
    return row === undefined ? null : JSON.stringify(row);
  }

  lastRecorded(site: number): string | null {
    return this.latestRecord.get({ site })!;
  }

  add(identification: SiteIdentification): number {
    return this.insert.get(identification)!;
  }

  setIds(site: number, fourCharacterId: string, nineCharacterId: string | null): void {
    this.changeIds.run(fourCharacterId, nineCharacterId, site);
  }

  update(site: number, identification: SiteIdentification): void {
    this.updateRow.run({ ...identification, id: site });
  }

  setRetired(site: number, at: string | null): void {
    this.retire.run(at, site);
  }

  addFormerId(formerId: string, site: number, at: string): void {
    this.insertFormerId.run(formerId, site, at);
  }

  dropFormerId(formerId: string): void {
    this.deleteFormerId.run(formerId);
  }

  saveSummary(summary: SummaryRow): void {
    this.summarise.run(summary);
  }
}
