import sql, { raw, type Sql } from 'sql-template-tag';
import type { Instant, Setup, SetupGap } from '../../../../schemas/index.js';
import type { OfSite, UnresolvedSite } from '../../../derive/site-identity.js';
import type { SiteId } from '../../../requests/site-id.js';
import { LAST_INSTANT } from '../../../requests/units-of-time.js';
import { fromText } from '../../../serializers/json-text.js';
import { after, type Database, type Reads, repeated, type Soon } from '../../database.js';
import type { Dialect } from '../../dialect.js';
import {
  findCounted,
  type Found,
  overlapping,
  type PageSearch,
  type PageTable,
} from '../../page.js';
import { ALL_SITES, atSites, recordedSince, type SiteFilter } from '../filters.js';
import {
  gapsAsText,
  type LookupProjection,
  projected,
  readable,
  SETUP_COLUMNS,
  SETUP_PROPERTIES,
  type SetupProjection,
  type SetupRecord,
  type SetupRow,
  toSetup,
  withSites,
} from './records.js';
import { aboutSite, ofSite, onRecord, resolveEach } from '../sites/ids.js';

/** Which Setup of a Site. */
export interface SetupSearch {
  /** The instant at which the Setup is in effect; null for the current Setup. */
  at: Instant | null;
  /**
   * Search what was on record at this time, `YYYY-MM-DDThh:mm:ss.sssZ`; null for what is on record
   * now.
   */
  asOf: string | null;
  projection: LookupProjection;
}

/** The requested Setup, or why there is none. */
export type SetupAnswer =
  | { kind: 'found'; setup: SetupRecord }
  | UnresolvedSite
  /**
   * Its site log has no equipment with a date, or was withdrawn; null if that is not known, because
   * it was so at an earlier time.
   */
  | { kind: 'no-current-setup'; isWithdrawn: boolean | null }
  /** The first Setup of the Site begins later, at `first`. */
  | { kind: 'before-first-setup'; first: Instant }
  /**
   * No Site had the id on record at `asOf`. Anything recorded later does not count, so that the
   * answer stays the same.
   */
  | { kind: 'not-recorded'; asOf: string };

/** Which Setups. Superseded ones are included unless a filter excludes them. */
interface SetupPageSearch extends PageSearch {
  /**
   * Only Setups whose effective period overlaps this one; a bound may be null. Equal bounds stand
   * for that instant.
   */
  overlaps?: { from: Instant | null; to: Instant | null };
  /**
   * Only Setups that this service recorded at this time or later, `YYYY-MM-DDThh:mm:ss.sssZ`; null
   * for no bound.
   */
  recordedSince?: string | null;
  sites?: SiteFilter;
  projection: SetupProjection | null;
}

const SETUPS: PageTable = {
  from: 'setup',
  columns: SETUP_COLUMNS,
  id: 'setup.id',
  properties: SETUP_PROPERTIES,
  known: ['id', 'siteId', 'effectivePeriod.from', 'invalidated', 'current'],
  constant: ['name'],
};

/**
 * What follows the conditions on the Site and the record: of these Setups, the one in effect.
 * @param at at this instant; null for now
 */
const inEffect = (at: Instant | null): Sql =>
  at === null
    ? sql`effective_to IS NULL LIMIT 1`
    : sql`effective_from <= ${at} ORDER BY effective_from DESC LIMIT 1`;

/** Why a Site has no Setup. */
interface ReasonRow {
  /** The start of its first Setup. */
  first: Instant | null;
  /** When its current log was withdrawn. */
  withdrawn: string | null;
}

/** What a lookup finds: a Setup, or nulls and why there is none. */
type LookupRow = { [Column in keyof SetupRow]: SetupRow[Column] | null } & ReasonRow & {
    /** The number of the Site; null if present ids alone do not decide it. */
    site: number | null;
    /** Its gaps, as text; null without any. */
    gaps: string | null;
  };

/** The start of the first Setup of a Site. */
const firstOf = (site: string, asOf: string | null): Sql => sql`
  (SELECT min(effective_from) FROM setup WHERE site_id = ${raw(site)} AND ${onRecord(asOf)})`;

/** When the current log of a Site was withdrawn. */
const withdrawalOf = (site: string): Sql => sql`
  (SELECT withdrawn_at FROM site_log WHERE site_id = ${raw(site)} AND superseded_at IS NULL)`;

/** The Setup of a Site that has no end. No row if there is none, or if present ids do not decide. */
const currentOf = aboutSite(
  (asked) => sql`
    SELECT ${raw(SETUP_COLUMNS)} FROM setup
    WHERE site_id = ${asked} AND ${onRecord(null)} AND effective_to IS NULL`,
);

/**
 * The Setup of a Site at an instant, with its gaps, or why there is none. No row if no Site has or
 * had the four characters.
 */
const atInstantOf = (dialect: Dialect) =>
  aboutSite(
    (asked) => sql`
      SELECT asked.site, ${raw(SETUP_COLUMNS)},
        CASE WHEN setup.id IS NULL THEN ${withdrawalOf('asked.site')} END AS withdrawn,
        CASE WHEN setup.id IS NULL THEN ${firstOf('asked.site', null)} END AS first,
        ${gapsAsText(dialect)} AS gaps
      FROM ${asked} AS asked LEFT JOIN setup ON setup.id = (
        SELECT id FROM setup
        WHERE site_id = asked.site AND ${onRecord(null)} AND ${inEffect('')})`,
  );

/** The valid Setups of some Sites, in chronological order, by the Site. */
export async function setupsOfSites(db: Database, sites: number[]): Promise<Map<number, Setup[]>> {
  const rows = await db.all<SetupRow>(sql`
    SELECT ${raw(SETUP_COLUMNS)} FROM setup
    WHERE ${db.dialect.isOneOf('site_id', sites)} AND superseded_at IS NULL
    ORDER BY effective_from`);
  const setups = rows.map((row) => readable(toSetup(row, false)));
  return Map.groupBy(setups, ({ siteId }) => siteId);
}

/** The Setup in effect at each of some Sites that have one. */
const findInEffect = (
  db: Database,
  sites: number[],
  { at, asOf }: Pick<SetupSearch, 'at' | 'asOf'>,
): Promise<SetupRow[]> =>
  db.all<SetupRow>(sql`
    SELECT ${raw(SETUP_COLUMNS)} FROM ${db.dialect.rows(sites)} AS asked
    JOIN setup ON setup.id = (
      SELECT id FROM setup
      WHERE site_id = asked.value AND ${onRecord(asOf)} AND ${inEffect(at)})`);

/** Says why some Sites have no such Setup, by their numbers. */
async function whyNone(
  db: Database,
  sites: number[],
  { at, asOf }: Pick<SetupSearch, 'at' | 'asOf'>,
): Promise<Map<number, SetupAnswer>> {
  if (sites.length === 0) return new Map();
  const rows = await db.all<ReasonRow & { site: number }>(sql`
    SELECT missing.value AS site, ${firstOf('missing.value', asOf)} AS first,
      ${withdrawalOf('missing.value')} AS withdrawn
    FROM ${db.dialect.rows(sites)} AS missing`);
  return new Map(rows.map((row) => [row.site, toReason(row, { at, asOf })]));
}

/** Why a Site has no such Setup. */
function toReason(
  { first, withdrawn }: ReasonRow,
  { at, asOf }: Pick<SetupSearch, 'at' | 'asOf'>,
): SetupAnswer {
  if (at !== null && first !== null) return { kind: 'before-first-setup', first };
  return { kind: 'no-current-setup', isWithdrawn: asOf === null ? withdrawn !== null : null };
}

const setupWithId = repeated(sql`SELECT ${raw(SETUP_COLUMNS)} FROM setup WHERE id = ${0}`);

/** Finds Setups. */
export class Setups {
  private readonly atInstantOf: ReturnType<typeof atInstantOf>;

  constructor(private readonly reads: Reads) {
    this.atInstantOf = atInstantOf(reads.dialect);
  }

  /** One Setup of a Site, or why there is none. */
  findOne(site: SiteId, search: SetupSearch): Soon<SetupAnswer> {
    const { at, asOf, projection } = search;
    if (asOf !== null || (projection !== null && projection !== 'gaps-if-any'))
      return this.findInOneState(site, search);
    if (at !== null) return this.lookUp(site, at, search);
    // The Setup at the last instant is the current one, which the Site may have by now.
    return after(this.reads.get<SetupRow>(currentOf(site)), (row) =>
      row === undefined
        ? this.lookUp(site, LAST_INSTANT, search)
        : { kind: 'found', setup: this.toSetup(row) },
    );
  }

  /** The Setup of a Site at an instant, or why there is none; with one statement for most ids. */
  private lookUp(site: SiteId, at: Instant, search: SetupSearch): Soon<SetupAnswer> {
    return after(this.reads.get<LookupRow>(this.atInstantOf(site, at)), (row) => {
      if (row === undefined) return { kind: 'unknown-site' };
      if (row.site === null) return this.findInOneState(site, search);
      if (row.id === null) return toReason(row, search);
      const setup = this.toSetup(row as SetupRow);
      if (search.projection === null || row.gaps === null) return { kind: 'found', setup };
      const gaps = fromText<SetupGap[]>(`[${row.gaps}]`, this.reads.hasTextsOfThisVersion());
      return { kind: 'found', setup: { ...setup, gaps } };
    });
  }

  /** The same with several statements, which see one state. */
  private findInOneState(site: SiteId, search: SetupSearch): Promise<SetupAnswer> {
    return this.reads.inOneState(async (db) => (await this.answers(db, [site], search))[0]!);
  }

  /**
   * An answer for each Site, in the order of `sites`, all from one committed state. Each Setup is
   * with its Site.
   */
  findMany(sites: SiteId[], search: SetupSearch): Promise<SetupAnswer[]> {
    return this.reads.inOneState(async (db) => {
      const answers = await this.answers(db, sites, search);
      const found = answers.flatMap((answer) => (answer.kind === 'found' ? [answer.setup] : []));
      const setups = (await withSites(db, found, search.asOf)).values();
      return answers.map((answer) =>
        answer.kind === 'found' ? { kind: 'found', setup: setups.next().value! } : answer,
      );
    });
  }

  /** A page of all Setups. */
  findPage(search: SetupPageSearch): Promise<Found<SetupRecord>> {
    return this.reads.inOneState((db) => this.readPage(db, search));
  }

  /** A page of the Setups of one Site. */
  findPageOfSite(site: SiteId, search: SetupPageSearch): Promise<OfSite<Found<SetupRecord>>> {
    return this.reads.inOneState((db) =>
      ofSite(db, site, (number) =>
        this.readPage(db, {
          ...search,
          filters: [{ property: 'siteId', values: [number] }, ...search.filters],
        }),
      ),
    );
  }

  /** A Setup by its id; undefined if there is none. */
  findById(id: number, projection: SetupProjection | null): Soon<SetupRecord | undefined> {
    if (!Number.isSafeInteger(id)) return undefined;
    if (projection === null)
      return after(this.reads.get<SetupRow>(setupWithId(id)), (row) => row && this.toSetup(row));
    return this.reads.inOneState(async (db) => {
      const row = await db.get<SetupRow>(setupWithId(id));
      return row && (await projected(db, [this.toSetup(row)], projection))[0];
    });
  }

  private toSetup(row: SetupRow): SetupRecord {
    return toSetup(row, this.reads.hasTextsOfThisVersion());
  }

  private async readPage(db: Database, search: SetupPageSearch): Promise<Found<SetupRecord>> {
    const {
      overlaps = { from: null, to: null },
      recordedSince: time = null,
      sites = ALL_SITES,
      projection,
    } = search;
    const { elements, totalElements } = await findCounted<SetupRow>(db, SETUPS, search, [
      ...overlapping('setup.effective_from', 'setup.effective_to', overlaps),
      ...recordedSince('setup.recorded_at', time),
      ...atSites(db.dialect, 'setup.site_id', sites),
    ]);
    const setups = elements.map((row) => this.toSetup(row));
    return { elements: await projected(db, setups, projection), totalElements };
  }

  /**
   * An answer for each of some Sites. The number of statements does not depend on how many there
   * are.
   */
  private async answers(db: Database, ids: SiteId[], search: SetupSearch): Promise<SetupAnswer[]> {
    const { asOf, projection } = search;
    const sites = await resolveEach(db, ids, { asOf });
    const numbers = [
      ...new Set(sites.flatMap((site) => (site.kind === 'found' ? [site.found] : []))),
    ];
    const rows = numbers.length === 0 ? [] : await findInEffect(db, numbers, search);
    // Whatever was on record at that time had not been superseded yet.
    const found = rows.map((row) =>
      this.toSetup(asOf === null ? row : { ...row, superseded_at: null }),
    );
    const setups = new Map(
      (await projected(db, found, projection, asOf)).map((setup) => [setup.siteId, setup]),
    );
    const missing = numbers.filter((number) => !setups.has(number));
    const reasons = await whyNone(db, missing, search);
    return sites.map((site) => {
      if (site.kind === 'unknown-site' && asOf !== null) return { kind: 'not-recorded', asOf };
      if (site.kind !== 'found') return site;
      const setup = setups.get(site.found);
      return setup === undefined ? reasons.get(site.found)! : { kind: 'found', setup };
    });
  }
}
