import type { Instant, Setup } from '../../../schemas/index.js';
import type { SiteId } from '../../requests/site-id.js';
import { SETUP_COLUMNS, SETUP_PROPERTIES, type SetupRow, toSetup } from '../rows/setups.js';
import type { Found } from '../search.js';
import {
  readable,
  type SetupAnswer,
  type SetupPageSearch,
  type SetupProjection,
  type SetupReader,
  type SetupRecord,
  type SetupSearch,
} from '../setups.js';
import type { OfSite } from '../site-ids.js';
import type { Connection } from './connection.js';
import { findRows } from './page-search.js';
import { firstRecordedSince } from './recorded-since.js';
import type { Condition, Table } from './selection.js';
import { projected, withSites } from './setup-projections.js';
import { ofSite, ONLY_SITE, resolveSite } from './site-ids.js';

const SETUPS: Table = {
  from: 'setup',
  columns: SETUP_COLUMNS,
  id: 'setup.id',
  properties: SETUP_PROPERTIES,
  known: ['id', 'siteId', 'effectivePeriod.from', 'invalidated', 'current'],
  constant: ['name'],
  indexes: {
    id: { hint: 'INDEXED BY setup_by_id', has: ['invalidated', 'current'] },
    siteId: { hint: 'INDEXED BY setup_of_site', has: ['effectivePeriod.from', 'effectivePeriod.to', 'invalidated', 'current'] },
    'effectivePeriod.from': { hint: 'INDEXED BY setup_by_start', has: ['effectivePeriod.to', 'invalidated', 'current'] },
    'effectivePeriod.to': { hint: 'INDEXED BY setup_by_end', has: ['invalidated', 'current'] },
  },
  selective: { siteId: 'INDEXED BY setup_of_site' },
  counts: { from: 'setup_count', number: 'setups', properties: { invalidated: 'invalidated', current: 'current' } },
};

const RECORDED_AS_OF = 'recorded_at <= :asOf AND (superseded_at IS NULL OR superseded_at > :asOf)';

/**
 * The statement for one Setup of a Site. It reads one table: SQLite parses a statement anew at every call if it joins
 * tables, has a partial index to consider, and binds a value. That takes ten times as long as the read.
 */
function setupOf({ at, asOf }: Pick<SetupSearch, 'at' | 'asOf'>): string {
  const valid = asOf === null ? 'superseded_at IS NULL' : RECORDED_AS_OF;
  const chosen = at === null ? 'effective_to IS NULL' : 'effective_from <= :at ORDER BY effective_from DESC';
  // Without INDEXED BY, SQLite uses the index of all Setups and reads the superseded ones too.
  const index = at !== null && asOf === null ? 'INDEXED BY setup_valid' : '';
  return `SELECT ${SETUP_COLUMNS} FROM setup ${index} WHERE site_id = :site AND ${valid} AND ${chosen} LIMIT 1`;
}

/** The current Setup of the Site with a four-character id, in one statement. */
const CURRENT = `SELECT ${SETUP_COLUMNS} FROM setup WHERE site_id = ${ONLY_SITE} AND superseded_at IS NULL AND effective_to IS NULL`;

const RECORDED_SINCE = 'SELECT min(imported_at) AS since FROM site_log WHERE site_id = :site';
const FIRST_SETUP = 'SELECT min(effective_from) AS first FROM setup WHERE site_id = :site AND superseded_at IS NULL';
const FIRST_SETUP_AS_OF = `SELECT min(effective_from) AS first FROM setup WHERE site_id = :site AND ${RECORDED_AS_OF}`;

/** If nothing was recorded before a time, everything was recorded since then. */
const RECORDED_BEFORE = 'SELECT 1 FROM setup INDEXED BY setup_recorded WHERE recorded_at < ? LIMIT 1';
/** Without INDEXED BY, SQLite looks at all Setups in the order of the page. */
const RECORDED_SINCE_TIME = 'setup.id IN (SELECT id FROM setup INDEXED BY setup_recorded WHERE recorded_at >= ?)';

/** The Setups of a Site that are currently on record, in chronological order. */
export function setupsOfSite(connection: Connection, site: number): Setup[] {
  const sql = `SELECT ${SETUP_COLUMNS} FROM setup INDEXED BY setup_valid WHERE site_id = ? AND superseded_at IS NULL ORDER BY effective_from`;
  return connection.all<SetupRow>(sql, site).map((row) => readable(toSetup(row)));
}

/** Finds Setups in one SQLite file. */
export class SqliteSetupReader implements SetupReader {
  constructor(private readonly connection: Connection) {}

  async findOne(search: SetupSearch): Promise<SetupAnswer> {
    const { site, at, asOf, projection } = search;
    // The most frequent lookup needs neither a transaction nor a second statement, unless it finds nothing.
    if (site.nineCharacterId === null && at === null && asOf === null && projection === null) {
      const row = this.connection.get<SetupRow>(CURRENT, site.fourCharacterId);
      if (row !== undefined) return { kind: 'found', setup: toSetup(row) };
    }
    return this.connection.inOneTransaction(() => this.answer(search));
  }

  async findMany(sites: SiteId[], search: Omit<SetupSearch, 'site'>): Promise<SetupAnswer[]> {
    return this.connection.inOneTransaction(() => {
      const answers = sites.map((site) => this.answer({ ...search, site }));
      const setups = withSites(
        this.connection,
        answers.flatMap((answer) => (answer.kind === 'found' ? [answer.setup] : [])),
      );
      return answers.map((answer) => (answer.kind === 'found' ? { kind: 'found', setup: setups.shift()! } : answer));
    });
  }

  async findPage(search: SetupPageSearch): Promise<Found<SetupRecord>> {
    return this.connection.inOneTransaction(() => this.readPage(search));
  }

  async findPageOfSite(site: SiteId, search: SetupPageSearch): Promise<OfSite<Found<SetupRecord>>> {
    return this.connection.inOneTransaction(() =>
      ofSite(this.connection, site, (number) =>
        this.readPage({ ...search, filters: [{ property: 'siteId', values: [number] }, ...search.filters] }),
      ),
    );
  }

  /** Reads a page; two reads or more, within the transaction of the caller. */
  private readPage(search: SetupPageSearch): Found<SetupRecord> {
    const { overlaps = { from: null, to: null }, recordedSince = null, projection } = search;
    const conditions: Condition[] = [];
    if (overlaps.to !== null)
      conditions.push([overlaps.from === overlaps.to ? 'setup.effective_from <= ?' : 'setup.effective_from < ?', overlaps.to]);
    if (overlaps.from !== null) conditions.push(['(setup.effective_to IS NULL OR setup.effective_to > ?)', overlaps.from]);
    let table: Table = SETUPS;
    if (recordedSince !== null && this.connection.get(RECORDED_BEFORE, recordedSince) !== undefined) {
      const firstId = firstRecordedSince(this.connection, 'setup', recordedSince, 0);
      if (firstId === null) conditions.push([RECORDED_SINCE_TIME, recordedSince]);
      else table = { ...SETUPS, firstId };
    }
    const { elements, totalElements } = findRows<SetupRow>(this.connection, table, search, conditions);
    return { elements: projected(this.connection, elements.map(toSetup), projection), totalElements };
  }

  async findById(id: number, projection: SetupProjection | null): Promise<SetupRecord | undefined> {
    return this.connection.inOneTransaction(() => {
      const row = this.connection.get<SetupRow>(`SELECT ${SETUP_COLUMNS} FROM setup WHERE id = ?`, id);
      return row && projected(this.connection, [toSetup(row)], projection)[0];
    });
  }

  /** Finds one Setup; several reads, within the transaction of the caller. */
  private answer(search: SetupSearch): SetupAnswer {
    const { at, asOf, projection } = search;
    // What was on record before a Site was retired stays on record.
    const site = resolveSite(this.connection, search.site, (retiredAt) => asOf !== null && asOf < retiredAt);
    if (site.kind !== 'found') return site;
    const row = this.connection.get<SetupRow>(setupOf(search), { site: site.found, at, asOf });
    if (row === undefined) return this.whyNone(site.found, at, asOf);
    // Whatever was on record at that time had not been superseded yet.
    const setup = toSetup(asOf === null ? row : { ...row, superseded_at: null });
    return { kind: 'found', setup: projected(this.connection, [setup], projection, asOf)[0]! };
  }

  /** Says why a Site has no such Setup. */
  private whyNone(site: number, at: Instant | null, asOf: string | null): SetupAnswer {
    if (asOf !== null) {
      const { since } = this.connection.get<{ since: string }>(RECORDED_SINCE, { site })!;
      if (since > asOf) return { kind: 'not-recorded', since };
    }
    if (at === null) return { kind: 'no-current-setup' };
    const { first } = this.connection.get<{ first: Instant | null }>(asOf === null ? FIRST_SETUP : FIRST_SETUP_AS_OF, { site, asOf })!;
    return first === null ? { kind: 'no-current-setup' } : { kind: 'before-first-setup', first };
  }
}
