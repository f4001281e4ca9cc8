import sql, { empty, join, raw, Sql } from 'sql-template-tag';
import type { Database, Reads, Soon, Statement } from './database.js';
import { columnKind, columnsOf, type TableName } from './schema.js';

/**
 * What was on record at an earlier time. Each table of a statement is replaced with a query of the
 * same name that has its rows as they were then, so that all statements work as they are.
 */

/** A gap between two changes that were on record. Their rows have only the gaps of now. */
export interface GapThen {
  /** The ids of the two changes. */
  removed: number;
  installed: number;
  seconds: number;
  /** The kind of the change that the two become if the gap is merged. */
  mergedKind: string;
}

/** What the queries are made of. */
interface Then {
  db: Database;
  /** The record time. */
  time: string;
  /** The gaps of the changes that are read; none if no statement needs them. */
  gaps: readonly GapThen[];
}

/** The columns of a table, some with the values that they had then. */
const columnsWith = (table: TableName, others: Readonly<Record<string, Sql>> = {}): Sql =>
  join(
    columnsOf(table).map((column) => {
      const other = others[column];
      return other === undefined ? raw(`stored.${column}`) : sql`${other} AS ${raw(column)}`;
    }),
    ', ',
  );

/** A table itself, even if a query of the statement has its name. */
const stored = ({ db }: Then, table: TableName): Sql => raw(db.dialect.stored(table));

/** The condition that a row was on record then. */
const wasOnRecord = ({ time }: Then, alias: string): Sql =>
  sql`${raw(alias)}.recorded_at <= ${time}
    AND (${raw(alias)}.superseded_at IS NULL OR ${raw(alias)}.superseded_at > ${time})`;

/** When a row was superseded, as far as that was on record then. */
const supersededThen = ({ time }: Then): Sql =>
  sql`CASE WHEN stored.superseded_at <= ${time} THEN stored.superseded_at END`;

/** The rows recorded until then; those that were superseded later are not superseded yet. */
const recordedRows = (then: Then, table: TableName): Sql => sql`
  SELECT ${columnsWith(table, { superseded_at: supersededThen(then) })}
  FROM ${stored(then, table)} AS stored WHERE stored.recorded_at <= ${then.time}`;

/** The columns of a Site that are not in the content of its identity. */
const columnsOfSite = (then: Then): Record<string, Sql> => ({
  id: raw('stored.site_id'),
  four_character_id: raw('stored.four_character_id'),
  nine_character_id: raw('stored.nine_character_id'),
  retired_at: raw('stored.retired_at'),
  last_event: sql`(SELECT max(event.id) FROM ${stored(then, 'event')} AS event
    WHERE event.site_id = stored.site_id AND event.at <= ${then.time})`,
});

function sites(then: Then): Sql {
  const { dialect } = then.db;
  const own = columnsOfSite(then);
  const columns = columnsOf('site').map((column) => {
    if (own[column] !== undefined) return sql`${own[column]} AS ${raw(column)}`;
    const member = dialect.member('stored.content', column);
    const isNumber = columnKind('site', column) === 'number';
    return raw(`${isNumber ? `CAST(${member} AS ${dialect.types.number})` : member} AS ${column}`);
  });
  return sql`
    SELECT ${join(columns, ', ')} FROM ${stored(then, 'site_identity')} AS stored
    WHERE stored.role = 'present' AND ${wasOnRecord(then, 'stored')}`;
}

/** The logs that had been imported. The last event of a Site says which log was current. */
function logs(then: Then): Sql {
  const { time, db } = then;
  const event = stored(then, 'event');
  const current = sql`(SELECT event.site_log_id FROM ${event} AS event
    WHERE event.site_id = stored.site_id AND event.at <= ${time} ORDER BY event.id DESC LIMIT 1)`;
  const isOfLog = raw(`CAST(${db.dialect.member('event.correction', 'log')} AS
    ${db.dialect.types.integer}) = stored.id`);
  const withdrawn = sql`(SELECT CASE event.kind WHEN 'withdraw' THEN event.at END
    FROM ${event} AS event
    WHERE event.site_id = stored.site_id AND event.kind IN ('withdraw', 'restore')
      AND event.at <= ${time} AND ${isOfLog} ORDER BY event.id DESC LIMIT 1)`;
  const superseded = sql`CASE WHEN stored.id = ${current} THEN NULL
    ELSE coalesce(stored.superseded_at, stored.imported_at) END`;
  const columns = columnsWith('site_log', { superseded_at: superseded, withdrawn_at: withdrawn });
  return sql`SELECT ${columns} FROM ${stored(then, 'site_log')} AS stored
    WHERE stored.imported_at <= ${time}`;
}

/** The changes, with their gaps if these are known. */
function changes(then: Then): Sql {
  const { gaps, time } = then;
  const has = gaps.length > 0;
  const columns = columnsWith('change', {
    superseded_at: supersededThen(then),
    counterpart_id: has
      ? sql`coalesce(begun.installed, ended.removed)`
      : sql`CAST(NULL AS ${raw(then.db.dialect.types.integer)})`,
    gap_before: has ? sql`ended.seconds` : sql`CAST(NULL AS ${raw(then.db.dialect.types.integer)})`,
    merged_kind: has ? sql`begun.merged_kind` : sql`CAST(NULL AS ${raw('text')})`,
  });
  const joined = has
    ? sql`LEFT JOIN gap_then AS begun ON begun.removed = stored.id
        LEFT JOIN gap_then AS ended ON ended.installed = stored.id`
    : empty;
  return sql`SELECT ${columns} FROM ${stored(then, 'change')} AS stored ${joined}
    WHERE stored.recorded_at <= ${time}`;
}

/** The gaps as a table. */
function gapRows({ db: { dialect }, gaps }: Then): Sql {
  const rows = dialect.rows(
    gaps.map((gap) => JSON.stringify([gap.removed, gap.installed, gap.seconds, gap.mergedKind])),
  );
  const number = (place: number): Sql =>
    raw(`CAST(${dialect.member('given.value', place)} AS ${dialect.types.integer})`);
  return sql`SELECT ${number(0)} AS removed, ${number(1)} AS installed, ${number(2)} AS seconds,
      ${raw(dialect.member('given.value', 3))} AS merged_kind
    FROM ${rows} AS given`;
}

/**
 * The devices. Those of the installations on record are listed. The newest current log that lists a
 * device gives its manufacturer.
 */
function devices(then: Then): Sql {
  const { db, time } = then;
  const manufacturer = raw(db.dialect.member('installed.identity', 'manufacturer'));
  const newest = sql`(SELECT ${manufacturer}
    FROM ${stored(then, 'installation')} AS installed
    JOIN ${stored(then, 'site_log')} AS log ON log.id = (
      SELECT event.site_log_id FROM ${stored(then, 'event')} AS event
      WHERE event.site_id = installed.site_id AND event.at <= ${time}
      ORDER BY event.id DESC LIMIT 1)
    WHERE installed.equipment_id = stored.id AND ${wasOnRecord(then, 'installed')}
    ORDER BY coalesce(log.date_prepared, '') DESC, log.id DESC,
      CASE WHEN ${manufacturer} IS NULL THEN 1 ELSE 0 END,
      installed.period_from DESC, installed.id DESC
    LIMIT 1)`;
  const columns = columnsWith('equipment', { listed: sql`1`, manufacturer: newest });
  return sql`SELECT ${columns} FROM ${stored(then, 'equipment')} AS stored`;
}

/** The types that were on record. Nothing that reads them then needs the counts. */
const types = (then: Then): Sql => sql`
  SELECT DISTINCT stored.equipment_type, coalesce(stored.type, '') AS type,
    1 AS devices, 0 AS in_use, 0 AS conflicts, 0 AS sites
  FROM ${stored(then, 'installation')} AS stored WHERE ${wasOnRecord(then, 'stored')}`;

/**
 * The rows of a table then. Other tables are read as they are now. A query comes before those whose
 * names it uses, so that it reads the tables themselves.
 */
const ROWS_THEN: Partial<Record<TableName, (then: Then) => Sql>> = {
  equipment: devices,
  equipment_type_count: types,
  site: sites,
  site_log: logs,
  site_identity: (then) => recordedRows(then, 'site_identity'),
  setup: (then) => recordedRows(then, 'setup'),
  installation: (then) => recordedRows(then, 'installation'),
  change: changes,
  event: (then) =>
    sql`SELECT ${columnsWith('event')} FROM ${stored(then, 'event')} AS stored
      WHERE stored.at <= ${then.time}`,
};
const NAMES = Object.keys(ROWS_THEN) as (keyof typeof ROWS_THEN)[];
const NAME_PATTERNS = new Map(NAMES.map((name) => [name, new RegExp(`\\b${name}\\b`)]));

/** A statement that reads what was on record then. */
function statementThen(statement: Statement, then: Then): Statement {
  const text = statement.sql;
  const used = NAMES.filter((name) => NAME_PATTERNS.get(name)!.test(text));
  const queries = used.map(
    (name) => sql`${raw(name)} AS NOT MATERIALIZED (${ROWS_THEN[name]!(then)})`,
  );
  if (used.includes('change') && then.gaps.length > 0)
    queries.unshift(sql`gap_then AS MATERIALIZED (${gapRows(then)})`);
  if (queries.length === 0) return statement;
  return sql`WITH ${join(queries, ', ')} ${new Sql(statement.strings, statement.values)}`;
}

/** A state of the database, with what was on record at an earlier time. */
export class DatabaseThen implements Database {
  /** @param time the record time, `YYYY-MM-DDThh:mm:ss.sssZ` */
  constructor(
    readonly db: Database,
    readonly time: string,
    readonly gaps: readonly GapThen[] = [],
  ) {}

  get dialect(): Database['dialect'] {
    return this.db.dialect;
  }

  all<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.db.all<Row>(statementThen(statement, this));
  }

  get<Row extends object>(statement: Statement): Soon<Row | undefined> {
    return this.db.get<Row>(statementThen(statement, this));
  }
}

/** Reads what was on record at an earlier time. */
export class ReadsThen extends DatabaseThen implements Reads {
  constructor(
    readonly reads: Reads,
    time: string,
    gaps: readonly GapThen[] = [],
  ) {
    super(reads, time, gaps);
  }

  inOneState<T>(read: (db: Database) => Promise<T>): Promise<T> {
    return this.reads.inOneState((db) => read(new DatabaseThen(db, this.time, this.gaps)));
  }

  version(): number | Promise<number> {
    return this.reads.version();
  }

  seenVersion(): number {
    return this.reads.seenVersion();
  }

  check(): Promise<number> {
    return this.reads.check();
  }

  hasTextsOfThisVersion(): boolean {
    return this.reads.hasTextsOfThisVersion();
  }

  get costlyAtOnce(): number {
    return this.reads.costlyAtOnce;
  }

  get onLoss(): Reads['onLoss'] {
    return this.reads.onLoss;
  }

  /** Does nothing: the store of now is still open. */
  async close(): Promise<void> {}
}
