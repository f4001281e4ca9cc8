import { statSync } from 'node:fs';
import Database, { type Statement } from 'better-sqlite3';
import {
  type CorsSite,
  EQUIPMENT_TYPES,
  type EquipmentType,
  type Instant,
  type Projection,
  type Provenance,
  type Source,
} from '../../schemas/index.js';
import type { DerivedChange } from '../derive-changes.js';
import type { FindingLevel } from '../site-log/site-log.js';
import { migrationOf } from './migrations.js';
import { SITE_ORDERS_SQL, SITE_SUMMARY_COLUMNS, type SiteSummaryRow, toSearchWords, toSiteSummary } from './site-summary.js';
import { SETUP_COLUMNS, type SetupRow, SOURCES, toSetup } from './sources.js';
import {
  type ChangeSearch,
  type Device,
  type DeviceType,
  type Elements,
  type Found,
  type Installation,
  type Place,
  type Scalar,
  type Search,
  type SetupAnswer,
  type SetupReader,
  type SetupSearch,
  type SiteChange,
  type SiteLogRecord,
  type SiteRecord,
  type SiteReference,
  type SiteSearch,
  type SiteSummary,
  StoreUnusable,
} from './store.js';

/** How many statements are kept prepared; each combination of filters and order is one. */
const MOST_STATEMENTS = 200;

/** name, sha256, form, date_prepared, imported_at, recorded_at, superseded_at, setup.id */
type ProvenanceRow = [string, string, string, string | null, string, string, string | null, number];

function toProvenance([name, sha256, form, datePrepared, importedAt, recordedAt, supersededAt]: ProvenanceRow): Provenance {
  return { siteLog: { name, sha256, form, datePrepared, importedAt }, recordedAt, supersededAt };
}

/** site.id, four_character_id, site.name, period_from, period_to, configuration, equipment_id, conflicts as JSON */
type InstallationRow = [number, string, string | null, string, string | null, string, number, string];

function toInstallation([siteId, fourCharacterId, siteName, from, to, configuration, , conflicts]: InstallationRow): Installation {
  return {
    siteId,
    fourCharacterId,
    siteName,
    period: { from, to },
    configuration: JSON.parse(configuration) as Installation['configuration'],
    conflictsWith: JSON.parse(conflicts) as string[],
  };
}

/** nine_character_id, city, state, country, latitude, longitude, elevation */
type PlaceRow = [string | null, string | null, string | null, string | null, number | null, number | null, number | null];

function toPlace([nineCharacterId, city, state, country, latitude, longitude, elevation]: PlaceRow): Place {
  return { nineCharacterId, city, state, country, latitude, longitude, elevation };
}

/** name, date_prepared, sha256, form, imported_at, original, site_log.id */
type SiteLogRow = [string, string | null, string, string, string, Uint8Array, number];

function toSiteLogRecord([name, datePrepared, sha256, form, importedAt, original]: SiteLogRow): SiteLogRecord {
  return { name, datePrepared, sha256, form, importedAt, original };
}

/** line, level, message, text */
type FindingRow = [number, FindingLevel, string, string];

/** site.id, nine_character_id, and the row of the Setup, all null where there is none. */
type SiteSetupRow = [number, string | null, ...(SetupRow | [null, null, null, null, null, null])];

/** What is on record now, and what was at a time given twice. */
const VALID = 'superseded_at IS NULL';
const VALID_AS_OF = 'recorded_at <= ? AND (superseded_at IS NULL OR superseded_at > ?)';

/** That another installation of the device, at another Site, overlaps with this one. */
const CONFLICTING = `other.equipment_id = installation.equipment_id AND other.superseded_at IS NULL AND other.site_id <> installation.site_id
  AND (installation.period_to IS NULL OR other.period_from < installation.period_to)
  AND (other.period_to IS NULL OR other.period_to > installation.period_from)`;

/** What SQLite binds for a value: it has no booleans. */
const bound = (value: Scalar): string | number => (typeof value === 'boolean' ? Number(value) : value);

/** Reads one SQLite file through one connection. */
export class SqliteReader implements SetupReader {
  private readonly setups: Statement<string[], SiteSetupRow>[] = [];
  private readonly dataVersion: Statement<[], number>;
  /** The inode of the file that is open. */
  private readonly opened: number;
  /** The types of devices by kind, as of a version of the database. */
  private deviceTypes = { version: -1, byKind: new Map<EquipmentType, DeviceType[]>() };
  /** The statements of searches, by their SQL; the one used longest ago goes first. */
  private readonly statements = new Map<string, Statement<(string | number)[], never>>();

  /**
   * @param file the path of the file, to notice when another one takes its place
   * @param unusable turns an error of SQLite into one that says what to do
   */
  constructor(
    private readonly db: Database.Database,
    private readonly file: string,
    private readonly unusable: (error: unknown) => Error,
  ) {
    this.opened = statSync(file).ino;
    this.dataVersion = db.prepare('PRAGMA data_version').pluck() as typeof this.dataVersion;
  }

  async findSetup(search: SetupSearch): Promise<SetupAnswer> {
    const { site, at, asOf, projection } = search;
    const read = (): SetupAnswer => {
      const row = this.setupStatement(at !== null, asOf !== null).get(
        ...(asOf === null ? [] : [asOf, asOf]),
        ...(at === null ? [] : [at]),
        site.fourCharacterId,
      );
      if (row === undefined) return { kind: 'unknown-site' };
      const [siteId, known, ...setupRow] = row;
      // A Site whose log gives four characters only goes by any nine-character id that begins with them.
      if (site.nineCharacterId !== null && known !== null && known !== site.nineCharacterId) return { kind: 'unknown-site' };
      if (setupRow[0] === null) return this.whyNone(siteId, at, asOf);
      const recorded = toSetup(setupRow as SetupRow);
      // What was on record then had not been superseded then.
      const setup = asOf === null ? recorded : { ...recorded, invalidated: false, current: recorded.effectivePeriod.to === null };
      return { kind: 'found', setup: projection === null ? setup : this.projected('setup', [setup], projection)[0]! };
    };
    const answer = this.inOneState(read, projection !== null);
    // A Setup alone is one read; that there is none, and why, are two, which must be of one state.
    return answer.kind === 'found' ? answer : this.inOneState(read);
  }

  /** Why a Site that is known has no such Setup. */
  private whyNone(siteId: number, at: Instant | null, asOf: string | null): SetupAnswer {
    const [since, first] = this.prepared(
      `SELECT (SELECT min(imported_at) FROM site_log WHERE site_id = ?),
         (SELECT min(effective_from) FROM setup WHERE site_id = ? AND ${asOf === null ? VALID : VALID_AS_OF})`,
    ).get(siteId, siteId, ...(asOf === null ? [] : [asOf, asOf])) as unknown as [string, Instant | null];
    if (asOf !== null && since > asOf) return { kind: 'not-recorded', since };
    return at === null || first === null ? { kind: 'no-current-setup' } : { kind: 'before-first-setup', first };
  }

  /** The statement that finds the Setup of a Site: current or at an instant, by the record of now or of then. */
  private setupStatement(at: boolean, asOf: boolean): Statement<string[], SiteSetupRow> {
    const key = Number(at) + 2 * Number(asOf);
    this.setups[key] ??= this.db
      .prepare(
        `SELECT site.id, site.nine_character_id, ${SETUP_COLUMNS} FROM site LEFT JOIN setup ON setup.id = (
           SELECT id FROM setup ${at && !asOf ? 'INDEXED BY setup_valid' : ''} WHERE site_id = site.id AND ${asOf ? VALID_AS_OF : VALID}
             AND ${at ? 'effective_from <= ? ORDER BY effective_from DESC' : 'effective_to IS NULL'} LIMIT 1
         ) WHERE site.four_character_id = ?`,
      )
      .raw() as Statement<string[], SiteSetupRow>;
    return this.setups[key];
  }

  async findChanges({ siteId, from, to, equipmentType, page, size }: ChangeSearch): Promise<Found<SiteChange>> {
    const conditions: [string, string | number | null][] = [
      ['site_id = ?', siteId],
      ['at >= ?', from],
      ['at < ?', to],
      ['equipment_type = ?', equipmentType],
    ];
    const asked = conditions.filter(([, value]) => value !== null);
    const values = asked.map(([, value]) => value!);
    const matching = `FROM change WHERE ${[VALID, ...asked.map(([condition]) => condition)].join(' AND ')}`;
    return this.inOneState(() => {
      const rows = this.prepared(
        `SELECT document, site_id, four_character_id FROM (SELECT * ${matching} ORDER BY at, site_id, kind_position, id LIMIT ? OFFSET ?) AS change
         JOIN site ON site.id = site_id ORDER BY at, site_id, kind_position, change.id`,
      ).all(...values, size, page * size) as unknown as [string, number, string][];
      const [totalElements] = this.prepared(`SELECT count(*) ${matching}`).get(...values) as unknown as [number];
      const elements = rows.map(([document, id, fourCharacterId]) => ({
        ...(JSON.parse(document) as DerivedChange),
        siteId: id,
        fourCharacterId,
      }));
      return { elements, totalElements };
    });
  }

  async findSitesWithType({ type, at, page, size }: { type: string; at: Instant; page: number; size: number }): Promise<Found<CorsSite>> {
    const { columns, toElement } = SOURCES.site;
    const matching = `FROM site WHERE id IN (
      SELECT site_id FROM equipment JOIN installation ON equipment_id = equipment.id
      WHERE listed = 1 AND equipment_type IN (SELECT value FROM json_each(?)) AND type = ? AND ${VALID} AND period_from <= ? AND (period_to IS NULL OR period_to > ?))`;
    const values = [JSON.stringify(EQUIPMENT_TYPES), type, at, at];
    return this.inOneState(() => {
      const rows = this.prepared(`SELECT ${columns} ${matching} ORDER BY four_character_id LIMIT ? OFFSET ?`).all(
        ...values,
        size,
        page * size,
      );
      const [totalElements] = this.prepared(`SELECT count(*) ${matching}`).get(...values) as unknown as [number];
      return { elements: rows.map(toElement), totalElements };
    });
  }

  async findSite(reference: SiteReference): Promise<CorsSite | undefined> {
    return this.siteOf(reference);
  }

  private siteOf({ fourCharacterId, nineCharacterId }: SiteReference): CorsSite | undefined {
    const { columns, toElement } = SOURCES.site;
    const row = this.prepared(
      `SELECT ${columns} FROM site WHERE four_character_id = ? AND (nine_character_id IS NULL OR coalesce(?, nine_character_id) = nine_character_id)`,
    ).get(...([fourCharacterId, nineCharacterId] as string[]));
    return row && toElement(row);
  }

  async findSiteSummaries({ text, sort, page, size }: SiteSearch): Promise<Found<SiteSummary>> {
    const words = toSearchWords(text);
    const matching = `FROM site LEFT JOIN site_summary ON site_id = site.id WHERE ${['TRUE', ...words.map(() => 'instr(search_text, ?) > 0')].join(' AND ')}`;
    const by = SITE_ORDERS_SQL[sort.by];
    const order = `${by} IS NULL, ${by} COLLATE NOCASE ${sort.descending ? 'DESC' : 'ASC'}, four_character_id`;
    return this.inOneState(() => {
      const rows = this.prepared(`SELECT ${SITE_SUMMARY_COLUMNS} ${matching} ORDER BY ${order} LIMIT ? OFFSET ?`).all(
        ...words,
        size,
        page * size,
      ) as unknown as SiteSummaryRow[];
      const [totalElements] = this.prepared(`SELECT count(*) ${matching}`).get(...words) as unknown as [number];
      return { elements: rows.map(toSiteSummary), totalElements };
    });
  }

  async findSiteRecord(reference: SiteReference): Promise<SiteRecord | undefined> {
    return this.inOneState(() => {
      const site = this.siteOf(reference);
      if (site === undefined) return undefined;
      const place = this.prepared(
        'SELECT nine_character_id, city, state, country, latitude, longitude, elevation FROM site WHERE id = ?',
      ).get(site.id) as unknown as PlaceRow;
      const setups = this.prepared(
        `SELECT ${SETUP_COLUMNS} FROM setup INDEXED BY setup_valid WHERE site_id = ? AND ${VALID} ORDER BY effective_from`,
      ).all(site.id) as unknown as SetupRow[];
      const changes = this.prepared(`SELECT document FROM change WHERE site_id = ? AND ${VALID} ORDER BY at, kind_position, id`).all(
        site.id,
      ) as unknown as [string][];
      const log = this.prepared(
        `SELECT name, date_prepared, sha256, form, imported_at, original, id FROM site_log WHERE site_id = ? AND ${VALID}`,
      ).get(site.id) as unknown as SiteLogRow;
      const findings = this.prepared('SELECT line, level, message, text FROM finding WHERE site_log_id = ? ORDER BY line, position').all(
        log[6],
      ) as unknown as FindingRow[];
      return {
        site,
        place: toPlace(place),
        setups: setups.map(toSetup),
        changes: changes.map(([document]) => JSON.parse(document) as DerivedChange),
        siteLog: toSiteLogRecord(log),
        findings: findings.map(([line, level, message, text]) => ({ line, level, message, text })),
      };
    });
  }

  async findDeviceTypes(equipmentType: EquipmentType): Promise<DeviceType[]> {
    // It reads every installation there is, so that it is read once for each state of the database.
    const version = this.dataVersion.get()!;
    if (this.deviceTypes.version !== version) this.deviceTypes = { version, byKind: new Map() };
    const known = this.deviceTypes.byKind.get(equipmentType) ?? this.readDeviceTypes(equipmentType);
    this.deviceTypes.byKind.set(equipmentType, known);
    return known;
  }

  private readDeviceTypes(equipmentType: EquipmentType): DeviceType[] {
    const rows = this.prepared(
      `SELECT type, count(DISTINCT equipment.id), count(DISTINCT iif(period_to IS NULL, equipment.id, NULL)), count(DISTINCT site_id),
         count(DISTINCT iif(serial_number IS NOT NULL AND EXISTS (SELECT 1 FROM installation AS other WHERE ${CONFLICTING}), equipment.id, NULL))
       FROM equipment JOIN installation ON equipment_id = equipment.id AND installation.superseded_at IS NULL
       WHERE equipment_type = ? AND listed = 1 GROUP BY type ORDER BY 2 DESC, type`,
    ).all(equipmentType) as unknown as [string | null, number, number, number, number][];
    return rows.map(([type, devices, inUse, sites, conflicts]) => ({ type, devices, inUse, sites, conflicts }));
  }

  async find<S extends Source>(source: S, { filters, sort, page, size, projection, meets }: Search): Promise<Found<Elements[S]>> {
    const { from, where, id, columns, properties, toElement } = SOURCES[source];
    const conditions = [where];
    const values: (string | number)[] = [];
    for (const filter of filters) {
      const wanted = filter.values.map(bound);
      if (wanted.length === 0) {
        conditions.push(`${properties[filter.property]} IS NULL`);
        continue;
      }
      conditions.push(
        wanted.length === 1 ? `${properties[filter.property]} = ?` : `${properties[filter.property]} IN (SELECT value FROM json_each(?))`,
      );
      values.push(wanted.length === 1 ? wanted[0]! : JSON.stringify(wanted));
    }
    if (meets?.to != null) {
      conditions.push(meets.from === meets.to ? 'setup.effective_from <= ?' : 'setup.effective_from < ?');
      values.push(meets.to);
    }
    if (meets?.from != null) {
      conditions.push('(setup.effective_to IS NULL OR setup.effective_to > ?)');
      values.push(meets.from);
    }
    const order = sort.flatMap(({ property, descending }) => {
      const sql = properties[property]!;
      return [`${sql} IS NULL`, descending ? `${sql} DESC` : sql];
    });
    const matching = `FROM ${from} WHERE ${conditions.join(' AND ')}`;
    return this.inOneState(() => {
      const rows = this.prepared(`SELECT ${columns} ${matching} ORDER BY ${[...order, id].join(', ')} LIMIT ? OFFSET ?`).all(
        ...values,
        size,
        page * size,
      );
      const [totalElements] = this.prepared(`SELECT count(*) ${matching}`).get(...values) as unknown as [number];
      const elements = rows.map(toElement) as Elements[S][];
      return { elements: this.projected(source, elements, projection), totalElements };
    });
  }

  async get<S extends Source>(source: S, id: number, projection: Projection['name'] | null): Promise<Elements[S] | undefined> {
    const { from, where, id: idColumn, columns, toElement } = SOURCES[source];
    return this.inOneState(() => {
      const row = this.prepared(`SELECT ${columns} FROM ${from} WHERE ${idColumn} = ? AND ${where}`).get(id);
      return row && this.projected(source, [toElement(row) as Elements[S]], projection)[0];
    }, projection !== null);
  }

  async status(): Promise<{ migration: number; sites: number }> {
    if (statSync(this.file, { throwIfNoEntry: false })?.ino !== this.opened) {
      throw new StoreUnusable(`database "${this.file}" was moved away or replaced; start the service again`);
    }
    return this.guarded(() => {
      const sites = this.db.prepare<[], number>('SELECT count(*) FROM site').pluck().get()!;
      return { migration: migrationOf(this.db), sites };
    });
  }

  async findExample(equipmentType: EquipmentType): Promise<{ fourCharacterId: string | null; type: string | null }> {
    return this.guarded(() => {
      const fourCharacterId = this.db
        .prepare<[], string>(
          `SELECT four_character_id FROM site JOIN setup ON setup.site_id = site.id
           WHERE superseded_at IS NULL AND effective_to IS NULL ORDER BY four_character_id LIMIT 1`,
        )
        .pluck()
        .get();
      const type = this.db
        .prepare<[string], string>(
          `SELECT type FROM equipment WHERE equipment_type = ? AND listed = 1 AND type IS NOT NULL
           GROUP BY type ORDER BY count(*) DESC, type LIMIT 1`,
        )
        .pluck()
        .get(equipmentType);
      return { fourCharacterId: fourCharacterId ?? null, type: type ?? null };
    });
  }

  async version(): Promise<number> {
    return this.dataVersion.get()!;
  }

  async close(): Promise<void> {
    this.db.close();
  }

  /** Runs reads with which the service starts: what is wrong with the file is said so that one can mend it. */
  private guarded<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw error instanceof Database.SqliteError ? this.unusable(error) : error;
    }
  }

  /** Runs several reads in one transaction, so that they see one state; a single one needs none. */
  private inOneState<T>(read: () => T, several = true): T {
    return several ? this.db.transaction(read)() : read();
  }

  private prepared(sql: string): Statement<(string | number)[], never> {
    const known = this.statements.get(sql);
    this.statements.delete(sql);
    const statement = known ?? (this.db.prepare(sql).raw() as Statement<(string | number)[], never>);
    this.statements.set(sql, statement);
    const [oldest] = this.statements.keys();
    if (this.statements.size > MOST_STATEMENTS) this.statements.delete(oldest!);
    return statement;
  }

  /** The elements with what a projection adds. */
  private projected<S extends Source>(source: S, elements: Elements[S][], projection: Projection['name'] | null): Elements[S][] {
    const ids = JSON.stringify(elements.map(({ id }) => id));
    if (projection === 'provenance' && source === 'setup') {
      const rows = this.prepared(
        `SELECT site_log.name, sha256, form, date_prepared, imported_at, setup.recorded_at, setup.superseded_at, setup.id
         FROM setup JOIN site_log ON site_log.id = site_log_id WHERE setup.id IN (SELECT value FROM json_each(?))`,
      ).all(ids) as unknown as ProvenanceRow[];
      const byId = new Map(rows.map((row) => [row[7], toProvenance(row)]));
      return elements.map((element) => ({ ...element, provenance: byId.get(element.id)! }));
    }
    if (projection === 'installations' && source === 'equipment') {
      const rows = this.prepared(
        `SELECT site.id, four_character_id, site.name, period_from, period_to, configuration, equipment_id, CASE WHEN identity_shared THEN '[]' ELSE (
           SELECT json_group_array(DISTINCT other_site.four_character_id) FROM installation AS other JOIN site AS other_site ON other_site.id = other.site_id
           WHERE ${CONFLICTING}
         ) END
         FROM installation JOIN site ON site.id = site_id
         JOIN (SELECT id AS device, serial_number IS NULL AS identity_shared FROM equipment) ON device = equipment_id
         WHERE equipment_id IN (SELECT value FROM json_each(?)) AND superseded_at IS NULL ORDER BY period_from, period_to IS NULL, period_to, site_id`,
      ).all(ids) as unknown as InstallationRow[];
      const byId = new Map<number, Installation[]>(elements.map(({ id }) => [id, []]));
      for (const row of rows) byId.get(row[6])!.push(toInstallation(row));
      return elements.map((element) => ({ ...(element as Device), installations: byId.get(element.id)! }) as Elements[S]);
    }
    return elements;
  }
}
