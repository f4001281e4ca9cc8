import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';
import type { Cell, Row } from '../saving/checksums.js';
import { siteName } from './recorded-tables.js';

/** The column of each table whose text the serializers write. Its mark may differ. */
const TEXTS: Record<string, string> = { setup: 'equipment_in_use', equipment: 'document' };

/** How much of a value a message shows, in characters. */
const SHOWN = 40;

/** The tables that are compared, all but those of SQLite, the index of positions, and the mark of the serializers' version, which changes no answer. */
export function tablesOf(db: Database.Database): string[] {
  return db
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND name NOT LIKE 'site\\_position%' ESCAPE '\\' AND name <> 'documents_version' ORDER BY name`,
    )
    .pluck()
    .all();
}

/** The columns that identify a row. */
const keyOf = (db: Database.Database, table: string): string[] =>
  (db.pragma(`table_info(${table})`) as { name: string; pk: number }[])
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map(({ name }) => name);

/** A value as a message shows it, around the first character that differs. */
function shown(value: Cell | undefined, from: number): string {
  if (Buffer.isBuffer(value)) return `${value.length} bytes`;
  if (typeof value !== 'string') return String(value ?? null);
  const start = Math.max(0, from - 10);
  return JSON.stringify(value.slice(start, start + SHOWN));
}

function firstDifference(one: Cell, other: Cell): number {
  if (typeof one !== 'string' || typeof other !== 'string') return 0;
  let index = 0;
  while (index < one.length && one[index] === other[index]) index++;
  return index;
}

const parsed = (text: Cell | undefined): unknown => {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
};

/** The columns in which two rows differ. */
function differences(table: string, recorded: Row, replayed: Row): string[] {
  const columns = Object.keys(replayed).filter(
    (column) => column !== 'written_by' && !isDeepStrictEqual(recorded[column], replayed[column]),
  );
  const text = TEXTS[table];
  if (text === undefined || recorded.written_by === replayed.written_by || !columns.includes(text)) return columns;
  // Another version of the serializers wrote the text. Only its value counts.
  const value = parsed(recorded[text]);
  if (value === undefined || !isDeepStrictEqual(value, parsed(replayed[text]))) return columns;
  return columns.filter((column) => column !== text && column !== 'checksum');
}

/** Compares the rows of a table in two databases. @returns a sentence for each difference */
export function* compareTable(recorded: Database.Database, replayed: Database.Database, table: string): Generator<string> {
  const key = keyOf(replayed, table);
  const sql = `SELECT * FROM ${table} NOT INDEXED ORDER BY ${key.join(', ')}`;
  const describe = (row: Row): string => {
    const site = table === 'site' ? row.id : row.site_id;
    const id = key.map((column) => String(row[column])).join(', ');
    return `${table} ${id}${site === undefined ? '' : ` of ${siteName(replayed, site)}`}`;
  };
  const order = (a: Row, b: Row): number => {
    for (const column of key) {
      const [one, other] = [a[column]!, b[column]!];
      if (one === other) continue;
      if (typeof one === 'string' && typeof other === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(other));
      return one < other ? -1 : 1;
    }
    return 0;
  };
  const counted = (row: Row): boolean =>
    table !== 'equipment_type_count' || [row.devices, row.in_use, row.conflicts, row.sites].some((count) => count !== 0);
  const left = recorded.prepare<[], Row>(sql).iterate();
  const right = replayed.prepare<[], Row>(sql).iterate();
  const next = (rows: IterableIterator<Row>): Row | undefined => {
    for (;;) {
      const { value, done } = rows.next() as IteratorResult<Row, undefined>;
      if (done === true || counted(value)) return value;
    }
  };
  try {
    let [one, other] = [next(left), next(right)];
    while (one !== undefined || other !== undefined) {
      const compared = one === undefined ? 1 : other === undefined ? -1 : order(one, other);
      if (compared < 0) {
        yield `${describe(one!)} should not exist`;
        one = next(left);
      } else if (compared > 0) {
        yield `${describe(other!)} is missing`;
        other = next(right);
      } else {
        for (const column of differences(table, one!, other!)) {
          const [is, expected] = [one![column]!, other![column]!];
          const at = firstDifference(is, expected);
          yield `${describe(other!)}: ${column} is ${shown(is, at)}; expected ${shown(expected, at)}`;
        }
        [one, other] = [next(left), next(right)];
      }
    }
  } finally {
    left.return?.();
    right.return?.();
  }
}
