import sql from 'sql-template-tag';
import type { SiteId } from '../../requests/site-id.js';
import type { Database } from '../database.js';
import type { RowOf } from '../schema.js';
import { type LoadedRow, NUMBERED, type NumberedTable } from '../save/loaded-rows.js';
import type { RecordedCorrection } from '../save/events.js';
import { formerIdRows } from '../save/sites.js';

/** An event without its entry of the feed. */
type Event = Omit<RowOf<'event'>, 'document' | 'checksum'>;

/** What the events say about the rows of other tables. */
export class History {
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

  /** Reads all events. */
  static async read(db: Database): Promise<History> {
    return new History(await db.all<Event>(sql`SELECT id, kind, at, site_id, site_log_id, correction, last_ids FROM event ORDER BY id`));
  }

  /** How many rows a table should have; undefined if no event says so. */
  lastIdOf(table: NumberedTable): number | undefined {
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
    const last = this.events.findLast(({ site_id, kind }) => site_id === site && (kind === 'retire' || kind === 'unretire'));
    return last?.kind === 'retire' ? last.at : null;
  }

  /** The ids that an operator gave a Site; undefined if none did. */
  renamingOf(site: number): SiteId | undefined {
    return this.corrections.flatMap(({ site: each, made }) => (each === site && made.kind === 'rename' ? [made.to] : [])).at(-1);
  }

  /** The ids that Sites had before they were renamed. */
  formerIds(): LoadedRow<'site_rename'>[] {
    const former = new Map<number, LoadedRow<'site_rename'>[]>();
    for (const { site, at, made } of this.corrections) {
      if (made.kind === 'rename' || made.kind === 'import') former.set(site, formerIdRows(former.get(site) ?? [], made, site, at));
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
