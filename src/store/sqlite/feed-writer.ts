import type { Database, Statement } from 'better-sqlite3';
import type { DerivedChange } from '../../derive/changes.js';
import { differingChanges, feedContentOf, NOTHING, type SiteState } from '../feed.js';
import { checksumOf } from './checksums.js';

const SETUPS = 'SELECT id, effective_from, effective_to FROM setup INDEXED BY setup_valid WHERE site_id = ? AND superseded_at IS NULL';
const CHANGES =
  'SELECT id FROM change INDEXED BY change_at_site WHERE site_id = ? AND superseded_at IS NULL ORDER BY at, kind_position, id';

/** Writes the feed, within the transaction of the caller. */
export class FeedWriter {
  private readonly site: Statement<[number], Record<string, unknown>>;
  private readonly setups: Statement<[number], { id: number; effective_from: string; effective_to: string | null }>;
  private readonly changes: Statement<[number], number>;
  private readonly change: Statement<[number], string>;
  private readonly currentLog: Statement<[number], number>;
  private readonly insert: Statement<[number, number, number, string, number]>;

  constructor(db: Database) {
    this.site = db.prepare('SELECT * FROM site WHERE id = ? AND retired_at IS NULL');
    this.setups = db.prepare(`${SETUPS} ORDER BY effective_from`);
    this.changes = db.prepare<[number], number>(CHANGES).pluck();
    this.change = db.prepare<[number], string>('SELECT document FROM change WHERE id = ?').pluck();
    this.currentLog = db.prepare<[number], number>('SELECT id FROM site_log WHERE site_id = ? AND superseded_at IS NULL').pluck();
    this.insert = db.prepare('INSERT INTO feed (id, site_id, site_log_id, document, checksum) VALUES (?, ?, ?, ?, ?)');
  }

  /** What is on record about a Site. */
  stateOf(site: number): SiteState {
    const row = this.site.get(site);
    if (row === undefined) return NOTHING;
    return {
      site: JSON.stringify(row),
      setups: this.setups.all(site).map(({ id, effective_from: from, effective_to: to }) => ({ id, effectivePeriod: { from, to } })),
      changes: this.changes.all(site),
    };
  }

  /** Adds what an event of the journal has changed; nothing if the record is the same as before. */
  add(event: number, site: number, before: SiteState): void {
    const after = this.stateOf(site);
    const { added, superseded } = differingChanges(before, after);
    const changesOf = (ids: number[]) => ids.map((id) => JSON.parse(this.change.get(id)!) as DerivedChange);
    const content = feedContentOf(before, after, { added: changesOf(added), superseded: changesOf(superseded) });
    if (content !== null) this.save(event, site, JSON.stringify(content));
  }

  /** Adds everything that is on record about a Site, as it was before there was a feed. */
  addBaseline(event: number, site: number): void {
    const content = feedContentOf(NOTHING, this.stateOf(site), { added: [], superseded: [] });
    if (content !== null) this.save(event, site, JSON.stringify({ baseline: true, ...content }));
  }

  private save(event: number, site: number, document: string): void {
    const values = [event, site, this.currentLog.get(site)!, document] as const;
    this.insert.run(...values, checksumOf(values));
  }
}
