import { statSync } from 'node:fs';
import Database, { type Statement } from 'better-sqlite3';
import type { CorsSite, EquipmentType, Projection, Provenance, Source } from '../../schemas/index.js';
import { migrationOf } from './migrations.js';
import { SETUP_COLUMNS, type SetupRow, SOURCES, toSetup } from './sources.js';
import {
  type Device,
  type Elements,
  type Found,
  type Installation,
  type Scalar,
  type Search,
  type SetupReader,
  type SiteReference,
  StoreUnusable,
} from './store.js';

/** How many statements are kept prepared; each combination of filters and order is one. */
const MOST_STATEMENTS = 200;

/** name, sha256, form, date_prepared, imported_at, recorded_at, superseded_at, setup.id */
type ProvenanceRow = [string, string, string, string | null, string, string, string | null, number];

function toProvenance([name, sha256, form, datePrepared, importedAt, recordedAt, supersededAt]: ProvenanceRow): Provenance {
  return { siteLog: { name, sha256, form, datePrepared, importedAt }, recordedAt, supersededAt };
}

/** site.id, four_character_id, site.name, period_from, period_to, configuration, equipment_id */
type InstallationRow = [number, string, string | null, string, string | null, string, number];

function toInstallation([siteId, fourCharacterId, siteName, from, to, configuration]: InstallationRow): Installation {
  return {
    siteId,
    fourCharacterId,
    siteName,
    period: { from, to },
    configuration: JSON.parse(configuration) as Installation['configuration'],
  };
}

/** What SQLite binds for a value: it has no booleans. */
const bound = (value: Scalar): string | number => (typeof value === 'boolean' ? Number(value) : value);

/** Reads one SQLite file through one connection. */
export class SqliteReader implements SetupReader {
  private readonly currentSetup: Statement<[string], [...(SetupRow | [null, null, null, null, null, null]), string | null]>;
  private readonly dataVersion: Statement<[], number>;
  /** The inode of the file that is open. */
  private readonly opened: number;
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
    this.currentSetup = db
      .prepare(
        `SELECT ${SETUP_COLUMNS}, site.nine_character_id FROM site
         LEFT JOIN setup ON setup.site_id = site.id AND setup.superseded_at IS NULL AND setup.effective_to IS NULL
         WHERE site.four_character_id = ?`,
      )
      .raw() as typeof this.currentSetup;
  }

  async findCurrentSetup(site: SiteReference, projection: Projection['name'] | null): Promise<Elements['setup'] | null | undefined> {
    const { fourCharacterId, nineCharacterId } = site;
    return this.inOneState(() => {
      const row = this.currentSetup.get(fourCharacterId);
      if (row === undefined) return undefined;
      const [id, siteId, from, to, supersededAt, equipmentInUse, known] = row;
      // A Site whose log gives four characters only goes by any nine-character id that begins with them.
      if (nineCharacterId !== null && known !== null && known !== nineCharacterId) return undefined;
      if (id === null) return null;
      const setup = toSetup([id, siteId, from, to, supersededAt, equipmentInUse]);
      return projection === null ? setup : this.projected('setup', [setup], projection)[0]!;
    }, projection !== null);
  }

  async findSite({ fourCharacterId, nineCharacterId }: SiteReference): Promise<CorsSite | undefined> {
    const { columns, toElement } = SOURCES.site;
    const row = this.prepared(
      `SELECT ${columns} FROM site WHERE four_character_id = ? AND (nine_character_id IS NULL OR coalesce(?, nine_character_id) = nine_character_id)`,
    ).get(...([fourCharacterId, nineCharacterId] as string[]));
    return row && toElement(row);
  }

  async find<S extends Source>(source: S, { filters, sort, page, size, projection }: Search): Promise<Found<Elements[S]>> {
    const { from, where, id, columns, properties, toElement } = SOURCES[source];
    const conditions = [where];
    const values: (string | number)[] = [];
    for (const filter of filters) {
      const wanted = filter.values.map(bound);
      conditions.push(
        wanted.length === 1 ? `${properties[filter.property]} = ?` : `${properties[filter.property]} IN (SELECT value FROM json_each(?))`,
      );
      values.push(wanted.length === 1 ? wanted[0]! : JSON.stringify(wanted));
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
        `SELECT site.id, four_character_id, site.name, period_from, period_to, configuration, equipment_id
         FROM installation JOIN site ON site.id = site_id
         WHERE equipment_id IN (SELECT value FROM json_each(?)) AND superseded_at IS NULL ORDER BY period_from, period_to IS NULL, period_to, site_id`,
      ).all(ids) as unknown as InstallationRow[];
      const byId = new Map<number, Installation[]>(elements.map(({ id }) => [id, []]));
      for (const row of rows) byId.get(row[6])!.push(toInstallation(row));
      return elements.map((element) => ({ ...(element as Device), installations: byId.get(element.id)! }) as Elements[S]);
    }
    return elements;
  }
}
