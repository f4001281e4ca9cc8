import sql from 'sql-template-tag';
import type { SiteId } from '../../requests/site-id.js';
import type { Database } from '../database.js';
import { type RowOf, TABLES } from '../schema.js';
import { CHECKED, type CheckedTable, coveredBy, isIntact } from '../save/checksums.js';
import type { RecordedCorrection } from '../save/events.js';
import { type LoadedRow, NUMBERED, type NumberedTable } from '../save/loaded-rows.js';
import { sha256Of } from '../save/logs.js';
import { formerIdRows } from '../save/sites.js';
import { batchesOf } from '../page.js';

/** An event without its entry of the feed. */
type Event = Omit<RowOf<'event'>, 'document' | 'checksum'>;

/** What the events say about the rows of other tables. */
class History {
  private readonly lastIds: number[][];
  private readonly corrections: { site: number; at: string; made: RecordedCorrection }[];

  /** @param events in order */
  constructor(readonly events: readonly Event[]) {
    this.lastIds = events.map(({ last_ids }) => (parsed(last_ids) as number[] | null) ?? []);
    this.corrections = events.flatMap(({ site_id: site, at, correction }) => {
      const made = parsed(correction ?? 'null') as RecordedCorrection | null;
      return made === null ? [] : [{ site, at, made }];
    });
  }

  /** How many rows a table should have; undefined if no event says so. There is always a record of the last import. */
  lastIdOf(table: NumberedTable | 'last_import'): number | undefined {
    if (table === 'last_import') return 1;
    if (table === 'event') return this.events.at(-1)?.id;
    return this.lastIds.at(-1)?.[NUMBERED.indexOf(table)];
  }

  /** The event that added a row; undefined if no event did. */
  eventThatAdded(table: (typeof NUMBERED)[number], id: number): Event | undefined {
    const position = NUMBERED.indexOf(table);
    return this.events[this.lastIds.findIndex((ids) => (ids[position] ?? 0) >= id)];
  }

  /** The last event of a Site; 0 if there is none. */
  lastEventOf(site: number): number {
    return this.events.findLast(({ site_id }) => site_id === site)?.id ?? 0;
  }

  /** When a Site was retired; null if it is not. */
  retirementOf(site: number): string | null {
    const last = this.events.findLast(
      ({ site_id, kind }) => site_id === site && (kind === 'retire' || kind === 'unretire'),
    );
    return last?.kind === 'retire' ? last.at : null;
  }

  /** The ids that an operator gave a Site; undefined if none did. */
  renamingOf(site: number): SiteId | undefined {
    return this.corrections
      .flatMap(({ site: each, made }) => (each === site && made.kind === 'rename' ? [made.to] : []))
      .at(-1);
  }

  /** The ids that Sites had before they were renamed. */
  formerIds(): LoadedRow<'site_rename'>[] {
    const former = new Map<number, LoadedRow<'site_rename'>[]>();
    for (const { site, at, made } of this.corrections) {
      if (made.kind === 'rename' || made.kind === 'import')
        former.set(site, formerIdRows(former.get(site) ?? [], made, site, at));
    }
    return [...former.values()].flat();
  }
}

/** What a text of an event says; null if it is damaged. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A row of any table. */
export type AnyRow = Record<string, string | number | null> & { checksum: number };

/** What is wrong with the rows themselves, whatever the logs say. */
export interface Scan {
  history: History;
  /** The rows that do not match their checksum, by table. */
  damaged: Map<CheckedTable, AnyRow[]>;
  /** The ids that are missing, by table. Ids continue without gaps. */
  missing: Map<CheckedTable, number[]>;
  /** The ids after the last one that a table should have. */
  surplus: Map<CheckedTable, number[]>;
  /** The logs whose bytes do not match their SHA-256. */
  damagedOriginals: number[];
  logs: number;
}

/** Whether any row is damaged, missing or too much. */
export const hasDamage = ({ damaged, missing, surplus }: Scan): boolean =>
  damaged.size + missing.size + surplus.size > 0;

const add = <Value>(map: Map<CheckedTable, Value[]>, table: CheckedTable, value: Value): void => {
  const values = map.get(table);
  if (values === undefined) map.set(table, [value]);
  else values.push(value);
};

/** Checks the checksums and the ids of all rows, and the SHA-256 of all originals. */
export async function scan(db: Database): Promise<Scan> {
  const history = new History(
    await db.all<Event>(
      sql`SELECT id, kind, at, site_id, site_log_id, correction, last_ids FROM event ORDER BY id`,
    ),
  );
  const found: Scan = {
    history,
    damaged: new Map(),
    missing: new Map(),
    surplus: new Map(),
    damagedOriginals: [],
    logs: 0,
  };
  for (const table of CHECKED) {
    let next = 1;
    const isNumbered = TABLES[table].key[0] === 'id';
    const last = isNumbered ? history.lastIdOf(table as NumberedTable) : undefined;
    for await (const rows of batchesOf<AnyRow>(db, table, [...coveredBy(table), 'checksum'])) {
      for (const row of rows) {
        if (!isIntact(table, row)) add(found.damaged, table, row);
        if (!isNumbered) continue;
        const id = row.id as number;
        if (id < 1 || (last !== undefined && id > last)) add(found.surplus, table, id);
        else for (; next <= id; next++) if (next < id) add(found.missing, table, next);
      }
    }
    for (; last !== undefined && next <= last; next++) add(found.missing, table, next);
  }
  type Log = Pick<RowOf<'site_log'>, 'id' | 'sha256' | 'original'>;
  for await (const logs of batchesOf<Log>(db, 'site_log', ['id', 'sha256', 'original'])) {
    for (const { id, sha256, original } of logs)
      if (sha256Of(original) !== sha256) found.damagedOriginals.push(id);
    found.logs += logs.length;
  }
  return found;
}
