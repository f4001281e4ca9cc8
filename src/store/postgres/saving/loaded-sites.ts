import type { SiteIdentification } from '../../../site-log/site-log.js';
import type { RowOf } from '../../columns.js';
import { SITE_COLUMNS } from '../../saving/site-columns.js';
import type { RecordedSite, SiteTable, SummaryRow } from '../../saving/tables.js';
import { type ChangeCount, LoadedRows } from './loaded-rows.js';

/** A row of `site`. */
export type SiteRow = RowOf<'site'> & { id: number; four_character_id: string };

/** What is on record about Sites. */
export interface RecordedSites {
  sites: SiteRow[];
  renames: { former_id: string; site_id: number }[];
  summaries: SummaryRow[];
  lastRecorded: { site_id: number; at: string | null }[];
}

const toRecordedSite = ({ id, four_character_id, nine_character_id, retired_at }: SiteRow): RecordedSite => ({
  id,
  fourCharacterId: four_character_id,
  nineCharacterId: nine_character_id,
  retiredAt: retired_at,
});

const toColumns = (identification: SiteIdentification): Omit<SiteRow, 'id' | 'retired_at'> =>
  Object.fromEntries(
    Object.entries(SITE_COLUMNS).map(([member, column]) => [column, identification[member as keyof SiteIdentification]]),
  ) as unknown as Omit<SiteRow, 'id' | 'retired_at'>;

/** Whether all values of one object are the same in another. */
const isIn = (values: object, row: object): boolean =>
  Object.entries(values).every(([column, value]) => (row as Record<string, unknown>)[column] === value);

/** Sites in memory. */
export class LoadedSites implements SiteTable {
  readonly rows: LoadedRows<SiteRow, SiteRow>;
  /** The former ids that were added, and those that were dropped. */
  readonly addedFormerIds = new Map<string, RowOf<'site_rename'>>();
  readonly droppedFormerIds = new Set<string>();
  /** The summaries that were added or changed, by Site. */
  readonly savedSummaries = new Map<number, SummaryRow>();
  private readonly renames: Map<string, number>;
  private readonly summaries: Map<number, SummaryRow>;
  private readonly recordTimes: Map<number, string | null>;

  constructor(
    recorded: RecordedSites,
    last: number,
    private readonly count: ChangeCount,
  ) {
    this.rows = new LoadedRows(recorded.sites, last, count);
    this.renames = new Map(recorded.renames.map(({ former_id, site_id }) => [former_id, site_id]));
    this.summaries = new Map(recorded.summaries.map((summary) => [summary.site_id, summary]));
    this.recordTimes = new Map(recorded.lastRecorded.map(({ site_id, at }) => [site_id, at]));
  }

  find(site: number): RecordedSite | undefined {
    const row = this.rows.get(site);
    return row && toRecordedSite(row);
  }

  findSharing(fourCharacterId: string): RecordedSite[] {
    return this.rows
      .filter(({ four_character_id }) => four_character_id === fourCharacterId)
      .map(toRecordedSite)
      .sort((a, b) => ((a.nineCharacterId ?? '') < (b.nineCharacterId ?? '') ? -1 : 1));
  }

  findRenamed(formerId: string): number | undefined {
    return this.renames.get(formerId);
  }

  contentOf(site: number): string | null {
    const row = this.rows.get(site);
    return row?.retired_at === null ? JSON.stringify(row) : null;
  }

  lastRecorded(site: number): string | null {
    return this.recordTimes.get(site) ?? null;
  }

  /** Notes that something was recorded about a Site. */
  touch(site: number, at: string): void {
    if (at > (this.recordTimes.get(site) ?? '')) this.recordTimes.set(site, at);
  }

  add(identification: SiteIdentification): number {
    return this.rows.add({ ...toColumns(identification), retired_at: null }).id;
  }

  setIds(site: number, fourCharacterId: string, nineCharacterId: string | null): void {
    this.rows.change(site, { four_character_id: fourCharacterId, nine_character_id: nineCharacterId });
  }

  update(site: number, identification: SiteIdentification): void {
    const columns = toColumns(identification);
    if (!isIn(columns, this.rows.get(site)!)) this.rows.change(site, columns);
  }

  setRetired(site: number, at: string | null): void {
    this.rows.change(site, { retired_at: at });
  }

  addFormerId(formerId: string, site: number, at: string): void {
    this.renames.set(formerId, site);
    this.addedFormerIds.set(formerId, { former_id: formerId, site_id: site, renamed_at: at });
    this.count.changes++;
  }

  dropFormerId(formerId: string): void {
    if (!this.renames.delete(formerId)) return;
    this.droppedFormerIds.add(formerId);
    this.addedFormerIds.delete(formerId);
    this.count.changes++;
  }

  saveSummary(summary: SummaryRow): void {
    const recorded = this.summaries.get(summary.site_id);
    if (recorded !== undefined && isIn(summary, recorded)) return;
    this.summaries.set(summary.site_id, summary);
    this.savedSummaries.set(summary.site_id, summary);
    this.count.changes++;
  }
}
