import Database, { type Statement } from 'better-sqlite3';
import { checksumOf, LAST_IMPORT, type Row } from '../saving/checksums.js';
import type { NUMBERED } from '../saving/journal.js';

type Numbered = (typeof NUMBERED)[number];

/** Copies rows as they are from one database into another with the same tables. */
export class RecordedTables {
  private readonly inserts = new Map<string, Statement<[Row]>>();
  /** The ids of the rows of each Site, in order, by table. */
  private readonly ids = new Map<Numbered, Map<number, number[]>>();

  constructor(
    private readonly recorded: Database.Database,
    private readonly copied: Database.Database,
  ) {}

  /** The id of a Site as text, for messages. */
  nameOf(site: number): string {
    return siteName(this.recorded, site);
  }

  /** The numbers of all Sites, in order. */
  siteIds(): number[] {
    return this.recorded.prepare<[], number>('SELECT id FROM site NOT INDEXED ORDER BY id').pluck().all();
  }

  /** Adds a row. */
  insert(table: string, row: Row): void {
    let statement = this.inserts.get(table);
    if (statement === undefined) {
      const columns = Object.keys(row);
      statement = this.copied.prepare<[Row]>(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')})`,
      );
      this.inserts.set(table, statement);
    }
    statement.run(row);
  }

  /** Copies the rows of a Site up to an id, unless they were copied before. Devices belong to no Site: all up to the id are copied. */
  copyUpTo(table: Numbered, site: number, last: number): void {
    const ids = this.idsOf(table).get(table === 'equipment' ? 0 : site);
    const row = this.recorded.prepare<[number], Row>(`SELECT * FROM ${table} WHERE id = ?`);
    const isThere = this.copied.prepare<[number], number>(`SELECT 1 FROM ${table} WHERE id = ?`).pluck();
    // The list is in order, and shared by all calls.
    while (ids !== undefined && ids.length > 0 && ids[0]! <= last) {
      const id = ids.shift()!;
      if (isThere.get(id) === undefined) this.insert(table, row.get(id)!);
    }
  }

  /** The Sites that an earlier version saved, and no import of this one has completed. */
  sitesToRead(): number[] {
    return this.recorded.prepare<[], number>('SELECT site_id FROM site_to_read').pluck().all();
  }

  /** Removes the rows of a Site that are about to be copied instead. */
  remove(site: number): void {
    this.copied.prepare('DELETE FROM finding WHERE site_log_id IN (SELECT id FROM site_log WHERE site_id = ?)').run(site);
    for (const table of ['site_summary', 'site_rename', 'site_to_read', 'setup', 'installation', 'change', 'site_log'])
      this.copied.prepare(`DELETE FROM ${table} WHERE site_id = ?`).run(site);
    this.copied.prepare('DELETE FROM site WHERE id = ?').run(site);
  }

  /** Copies the rest of Sites: findings, summaries, former ids, devices. @returns the ids of the devices that these Sites have or had */
  completeCarried(sites: Set<number>): Set<number> {
    const copied = (table: string, where: (row: Row) => boolean): void => {
      for (const row of this.recorded.prepare<[], Row>(`SELECT * FROM ${table}`).all()) if (where(row)) this.insert(table, row);
    };
    const logs = new Set(
      this.copied
        .prepare<[], { id: number; site_id: number }>('SELECT id, site_id FROM site_log')
        .all()
        .flatMap(({ id, site_id }) => (sites.has(site_id) ? [id] : [])),
    );
    copied('finding', ({ site_log_id }) => logs.has(site_log_id as number));
    for (const table of ['site_summary', 'site_rename', 'site_to_read']) copied(table, ({ site_id }) => sites.has(site_id as number));
    this.copied.exec('DELETE FROM documents_version');
    copied('documents_version', () => true);
    const devices = new Set<number>();
    for (const row of this.recorded.prepare<[], Row>('SELECT site_id, equipment_id FROM installation NOT INDEXED').all()) {
      if (sites.has(row.site_id as number)) devices.add(row.equipment_id as number);
    }
    const find = this.recorded.prepare<[number], Row>('SELECT * FROM equipment WHERE id = ?');
    const drop = this.copied.prepare('DELETE FROM equipment WHERE id = ?');
    for (const id of devices) {
      const row = find.get(id);
      if (row === undefined) continue;
      drop.run(id);
      this.insert('equipment', row);
    }
    return devices;
  }

  /** Copies what does not follow from logs: the rejected files, which persons the remarks were searched for, and the last import if it matches its checksum. */
  copyNotes(): void {
    const isIntact = (row: Row): boolean => row.checksum === checksumOf(LAST_IMPORT.map((column) => row[column] as string | number | null));
    const copies = {
      rejected_file: (row: Row) => this.insert('rejected_file', row),
      person: (row: Row) => this.insert('person', row),
      // The checksum does not cover the id, which is always 1.
      last_import: (row: Row) => isIntact(row) && this.insert('last_import', { ...row, id: 1 }),
    };
    for (const [table, copy] of Object.entries(copies)) {
      try {
        for (const row of this.recorded.prepare<[], Row>(`SELECT * FROM ${table}`).all()) copy(row);
      } catch (error) {
        // Unreadable and duplicate rows are left out. The comparison reports them.
        if (!(error instanceof Database.SqliteError)) throw error;
      }
    }
  }

  /**
   * Copies the entries of the feed that do not follow from the journal: those of Sites that were carried over, and those
   * that say what was on record before there was a feed. These stand for everything up to the last of them.
   */
  copyFeed(carried: ReadonlySet<number>): void {
    const baselines = 'SELECT max(id) FROM feed WHERE document LIKE \'{"baseline":true%\'';
    const drop = this.copied.prepare('DELETE FROM feed WHERE id <= ? OR site_id IN (SELECT value FROM json_each(?))');
    try {
      const origin = this.recorded.prepare<[], number | null>(baselines).pluck().get() ?? 0;
      drop.run(origin, JSON.stringify([...carried]));
      for (const row of this.recorded.prepare<[], Row>('SELECT * FROM feed NOT INDEXED').all())
        if ((row.id as number) <= origin || carried.has(row.site_id as number)) this.insert('feed', row);
    } catch (error) {
      // Unreadable entries are left out. The comparison reports them.
      if (!(error instanceof Database.SqliteError)) throw error;
    }
  }

  private idsOf(table: Numbered): Map<number, number[]> {
    const known = this.ids.get(table);
    if (known !== undefined) return known;
    const owner = { site: 'id', equipment: '0' }[table as string] ?? 'site_id';
    const bySite = new Map<number, number[]>();
    const rows = this.recorded.prepare<[], [number, number]>(`SELECT id, ${owner} FROM ${table} NOT INDEXED ORDER BY id`).raw();
    for (const [id, site] of rows.iterate()) {
      const ids = bySite.get(site);
      if (ids === undefined) bySite.set(site, [id]);
      else ids.push(id);
    }
    this.ids.set(table, bySite);
    return bySite;
  }
}

/** The id of a Site as text, for messages. */
export function siteName(db: Database.Database, site: unknown): string {
  try {
    const id = db
      .prepare<[unknown], string>('SELECT coalesce(nine_character_id, four_character_id) FROM site WHERE id = ?')
      .pluck()
      .get(site);
    return `Site ${id ?? String(site)}`;
  } catch {
    return `Site ${String(site)}`;
  }
}
