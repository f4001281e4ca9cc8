import sql, { raw, type Sql } from 'sql-template-tag';
import type { CorsSite, InstalledInstrument, Setup } from '../../../../schemas/index.js';
import type { DerivedChange } from '../../../derive/changes.js';
import type { OfSite, OfSites, RetiredSite } from '../../../derive/site-identity.js';
import {
  exactSiteId,
  type LinkedId,
  type NumberedSite,
  type SiteId,
  siteIdText,
} from '../../../requests/site-id.js';
import { compileTypePattern } from '../../../requests/type-pattern.js';
import { isTextForm } from '../../../site-log/site-log.js';
import { after, type Database, type Reads, type Soon } from '../../database.js';
import { type Found, selectFrom } from '../../page.js';
import { changesOfSite } from '../changes.js';
import {
  type EquipmentSearch,
  findEquippedSites,
  instrumentsOfSite,
  type SiteWithEquipment,
} from './equipped.js';
import { currentLogOfSite, type LogOnRecord } from '../logs/logs.js';
import { setupsOfSites } from '../setups/setups.js';
import { aboutSite, IS_SHARED, LINKED_ID, ofSite, resolveSites, SHORTEST_ID } from './ids.js';
import {
  findList,
  findSummaries,
  type SiteList,
  type SiteSearch,
  type SiteSummary,
} from './list.js';
import { findSitePage, type FoundSite, type SitePageSearch } from './page.js';
import {
  ALPHABETICAL,
  LOGGED_SITE_COLUMNS,
  LOGGED_SITES,
  type LoggedSite,
  type LoggedSiteRow,
  namesOf,
  type PublishedRow,
  type SiteRow,
  siteRowsAt,
  SITES,
  toCorsSite,
  toLoggedSite,
  WRITTEN_SITE_COLUMNS,
  type WrittenSiteRow,
} from './rows.js';

/** Everything that is currently on record about a Site. */
export interface SiteRecord extends LogOnRecord {
  site: CorsSite;
  /** As in {@link SiteSummary}. */
  shortestId: string;
  /** In chronological order, without superseded ones. */
  setups: Setup[];
  /** In the order of the kinds; of a kind, in chronological order. */
  instruments: InstalledInstrument[];
  /** In chronological order. */
  changes: DerivedChange[];
}

/** What was on record about a Site at a time. */
export interface SiteThen extends SiteRecord {
  /** That record time, `YYYY-MM-DDThh:mm:ss.sssZ`; left out for now. */
  asOf?: string;
}

/** What files for software, and headers of observation files, repeat of a Site on record. */
export interface RecordedSite {
  site: CorsSite;
  /** In chronological order, without superseded ones. */
  setups: Setup[];
  /** The names and abbreviations of its agencies; none if it has no current log. */
  agencies: string[];
  /** Date Prepared of its current log, `YYYY-MM-DD`; null if it is unknown. */
  datePrepared: string | null;
  /** Whether its current log has a text form. */
  isText: boolean;
}

/** What tells a Site apart from others with the same four characters. */
export interface ToldApart extends Pick<CorsSite, 'name'>, Pick<CorsSite['location'], 'country'> {
  id: string;
  /** Date Prepared of its current log, `YYYY-MM-DD`; null if it is unknown. */
  datePrepared: string | null;
}

/** What people call a Site. */
export type SiteName = Pick<SiteSummary, 'shortestId' | 'name'> &
  Pick<CorsSite['location'], 'city' | 'state' | 'country'>;

const NAMES = sql`
  SELECT ${raw(SHORTEST_ID)} AS "shortestId", name, city, state, country FROM site
  WHERE retired_at IS NULL ORDER BY four_character_id, site.id`;

const EXAMPLE_SITE = sql`
  SELECT ${raw(SHORTEST_ID)} AS id FROM site JOIN setup ON setup.site_id = site.id
  WHERE superseded_at IS NULL AND effective_to IS NULL ORDER BY four_character_id, site.id LIMIT 1`;

/** A Site that was asked for by its id; null if present ids alone do not decide which it is. */
type AskedRow = SiteRow | { id: null };

const siteOf = aboutSite(
  (asked) => sql`
    SELECT site.* FROM ${asked} AS asked LEFT JOIN site ON site.id = asked.site`,
);

type ShortenedRow = SiteRow & { shortestId: string };

const rowOf = (db: Database, number: number): Soon<ShortenedRow | undefined> =>
  db.get<ShortenedRow>(
    sql`SELECT site.*, ${raw(SHORTEST_ID)} AS "shortestId" FROM site
      WHERE ${db.dialect.isOneOf('site.id', [number])}`,
  );

/** The part of a Site that is published now, or was published at a given time. */
async function publishedRow(
  db: Database,
  number: number,
  asOf: string | null,
): Promise<PublishedRow> {
  if (asOf === null) return (await rowOf(db, number))!;
  return (await siteRowsAt(db, [number], asOf)).get(number)!;
}

async function recordOf(db: Database, number: number): Promise<SiteRecord> {
  const [row, setups, changes, instruments, log] = await Promise.all([
    rowOf(db, number),
    setupsOfSites(db, [number]),
    changesOfSite(db, number),
    instrumentsOfSite(db, number),
    currentLogOfSite(db, number),
  ]);
  const { shortestId } = row!;
  return {
    site: toCorsSite(row!),
    shortestId,
    setups: setups.get(number) ?? [],
    instruments,
    changes,
    ...log,
  };
}

/** The Sites that meet a condition; several reads, in one state. */
export async function recordedSites(
  db: Database,
  condition: Sql,
  order: string,
): Promise<RecordedSite[]> {
  const found = selectFrom(SITES, WRITTEN_SITE_COLUMNS, [condition]);
  const rows = await db.all<WrittenSiteRow>(sql`${found} ORDER BY ${raw(order)}`);
  const numbers = rows.map(({ id }) => id);
  const setups = await setupsOfSites(db, numbers);
  return rows.map((row) => ({
    site: toCorsSite(row),
    setups: setups.get(row.id) ?? [],
    agencies: namesOf(row.agencies),
    datePrepared: row.datePrepared,
    isText: isTextForm(row.form),
  }));
}

/** A retired Site, and when it was retired: `YYYY-MM-DDThh:mm:ss.sssZ`. */
export type RetiredCorsSite = CorsSite & { retiredAt: string };

/** Finds Sites. */
export class Sites {
  constructor(private readonly reads: Reads) {}

  /**
   * A Site by its four-character or nine-character id.
   * @param asOf the Site that had the id on record at this time, `YYYY-MM-DDThh:mm:ss.sssZ`, as it
   *   was then; null for now
   */
  findOne(id: SiteId, asOf: string | null): Soon<OfSite<CorsSite>> {
    if (asOf !== null) return this.findInOneState(id, asOf);
    return after(this.reads.get<AskedRow>(siteOf(id)), (row) => {
      if (row === undefined) return { kind: 'unknown-site' };
      if (row.id === null) return this.findInOneState(id, null);
      return { kind: 'found', found: toCorsSite(row) };
    });
  }

  /** The same with several statements. */
  private findInOneState(id: SiteId, asOf: string | null): Promise<OfSite<CorsSite>> {
    return this.reads.inOneState((db) =>
      ofSite(db, id, async (number) => toCorsSite(await publishedRow(db, number, asOf)), { asOf }),
    );
  }

  /** The numbers of the Sites with some ids, each once. */
  findNumbers(ids: SiteId[]): Promise<OfSites<number[]>> {
    return this.reads.inOneState((db) => resolveSites(db, ids));
  }

  /** The agencies of Sites on record that match one of some patterns of `compileTypePattern`. */
  async findAgencies(patterns: string[]): Promise<string[]> {
    const rows = await this.reads.all<{ agency: string }>(
      sql`SELECT DISTINCT agency FROM site WHERE agency IS NOT NULL ORDER BY agency`,
    );
    const isLike = patterns.map(compileTypePattern);
    return rows.map(({ agency }) => agency).filter((agency) => isLike.some((is) => is(agency)));
  }

  /** A page of all Sites. */
  async findPage(search: SitePageSearch): Promise<Found<FoundSite>> {
    const { elements, totalElements } = await this.reads.inOneState((db) =>
      findSitePage<SiteRow>(db, SITES, search),
    );
    return {
      elements: elements.map(({ row, ...found }) => ({ ...toCorsSite(row), ...found })),
      totalElements,
    };
  }

  /** As {@link findPage}, with what the current log of each Site says about itself. */
  async findLoggedPage(search: SitePageSearch): Promise<Found<FoundSite & LoggedSite>> {
    const { elements, totalElements } = await this.reads.inOneState((db) =>
      findSitePage<LoggedSiteRow>(db, LOGGED_SITES, search),
    );
    return {
      elements: elements.map(({ row, ...found }) => ({ ...toLoggedSite(row), ...found })),
      totalElements,
    };
  }

  /** A Site by the number in its URL; undefined if there has never been one. */
  async findById(id: number): Promise<LoggedSite | RetiredSite | undefined> {
    const row = await this.reads.get<LoggedSiteRow>(sql`
      SELECT ${raw(LOGGED_SITE_COLUMNS)} FROM site
      WHERE ${this.reads.dialect.isOneOf('site.id', [id])}`);
    if (row === undefined) return undefined;
    return row.retired_at === null
      ? toLoggedSite(row)
      : { kind: 'retired-site', since: row.retired_at };
  }

  /** A page of the Sites that used some equipment, sorted by four-character id. */
  findByEquipment(search: EquipmentSearch): Promise<Found<SiteWithEquipment>> {
    return this.reads.inOneState((db) => findEquippedSites(db, search));
  }

  /** A page of the summaries of Sites. */
  findSummaries(search: SiteSearch): Promise<Found<SiteSummary>> {
    return this.reads.inOneState((db) => findSummaries(db, search));
  }

  /** The list of the Sites. @param most how many places and Sites with former equipment are read */
  findList(
    search: Omit<SiteSearch, 'former'>,
    most: { places: number; former: number },
  ): Promise<SiteList> {
    return findList(this.reads, search, most);
  }

  /** Everything that is currently on record about a Site. */
  findRecord(site: SiteId): Promise<OfSite<SiteRecord>> {
    return this.reads.inOneState((db) => ofSite(db, site, (number) => recordOf(db, number)));
  }

  /** All Sites with some four-character ids, in the order of their numbers. */
  findRecorded(fourCharacterIds: string[]): Promise<RecordedSite[]> {
    return this.reads.inOneState((db) => {
      const ofIds = db.dialect.isOneOf('four_character_id', fourCharacterIds);
      return recordedSites(db, ofIds, 'site.id');
    });
  }

  /**
   * How links name some Sites. Only those of which four characters alone are known, or were, are
   * looked up.
   */
  linkedIds(sites: readonly NumberedSite[]): Soon<LinkedId> {
    const incomplete = sites.filter(({ nineCharacterId }) => nineCharacterId === null);
    if (incomplete.length === 0) return siteIdText;
    const numbers = incomplete.map(({ siteId }) => siteId);
    const found = this.reads.all<{ id: number; linked: string }>(sql`
      SELECT site.id, ${raw(LINKED_ID)} AS linked FROM site
      WHERE ${this.reads.dialect.isOneOf('site.id', numbers)} AND ${raw(IS_SHARED)}`);
    return after(found, (rows) => {
      const byNumber = new Map(rows.map(({ id, linked }) => [id, linked]));
      return (site) => site.nineCharacterId ?? byNumber.get(site.siteId) ?? site.fourCharacterId;
    });
  }

  /** The four characters that several Sites share, or did before they were renamed. */
  async findSharedFours(): Promise<ReadonlySet<string>> {
    const rows = await this.reads.all<{ four: string }>(sql`
      SELECT held.four_character_id AS four
      FROM site_identity AS held JOIN site ON site.id = held.site_id
      WHERE held.superseded_at IS NULL AND site.retired_at IS NULL
      GROUP BY held.four_character_id HAVING count(DISTINCT site.id) > 1`);
    return new Set(rows.map(({ four }) => four));
  }

  /**
   * What tells Sites with some ids apart, sorted by id.
   * @param ids the candidates of an ambiguous id
   */
  findTold(ids: readonly string[]): Promise<ToldApart[]> {
    return this.reads.inOneState(async (db) => {
      const fours = ids.map((id) => id.slice(0, 4));
      const rows = await db.all<LoggedSiteRow>(sql`
        SELECT ${raw(LOGGED_SITE_COLUMNS)} FROM site
        WHERE retired_at IS NULL AND ${db.dialect.isOneOf('four_character_id', fours)}
        ORDER BY ${raw(ALPHABETICAL)}`);
      return rows.flatMap((row) => {
        const { four_character_id: four, nine_character_id: nine, name, country } = row;
        const own = [exactSiteId(four, nine), nine ?? four];
        const id = ids.find((each) => own.includes(each));
        return id === undefined ? [] : [{ id, name, country, datePrepared: row.datePrepared }];
      });
    });
  }

  /** The names and places of all Sites, sorted by id. */
  findNames(): Promise<SiteName[]> {
    return this.reads.all<SiteName>(NAMES);
  }

  /** All retired Sites, sorted by id. */
  async findRetired(): Promise<RetiredCorsSite[]> {
    const rows = await this.reads.all<SiteRow>(
      sql`SELECT * FROM site WHERE retired_at IS NOT NULL ORDER BY ${raw(ALPHABETICAL)}`,
    );
    return rows.map((row) => ({ ...toCorsSite(row), retiredAt: row.retired_at! }));
  }

  /** The shortest id of a Site with a current Setup, for an example; null if there is none. */
  async findExample(): Promise<string | null> {
    return (await this.reads.get<{ id: string }>(EXAMPLE_SITE))?.id ?? null;
  }
}
