import sql, { raw, type Sql } from 'sql-template-tag';
import type { FINDING_ORDERS, SiteFinding } from '../../../schemas/index.js';
import { adviceOn, type FindingCode, messageOf, type ValuesOf } from '../../findings/codes.js';
import { type Finding, firstSection } from '../../findings/findings.js';
import type { Reads } from '../database.js';
import type { Dialect } from '../dialect.js';
import {
  findCounted,
  type Found,
  ONLY_ONE,
  type PageSearch,
  type PageTable,
  selectFrom,
} from '../page.js';
import { atSites, recordedSince, type SiteFilter } from './filters.js';
import { LINKED_ID } from './sites/ids.js';
import { ALPHABETICAL } from './sites/rows.js';

/** Which findings. Null means no limit. */
export interface FindingFilter {
  sites: SiteFilter;
  codes: FindingCode[] | null;
  levels: SiteFinding['level'][] | null;
  /** Only in logs that this service imported at this time or later, `YYYY-MM-DDThh:mm:ss.sssZ`. */
  recordedSince: string | null;
}

/** A finding in the current log of a Site. */
export type FindingOfSite = Omit<SiteFinding, '_links' | 'code'> & {
  id: number;
  code: FindingCode;
};

/** What a row has of a finding itself. */
export type OwnColumns = Omit<Finding, 'file' | 'values' | 'others'> & {
  details: string;
  others: string;
};

/** A row of {@link FINDINGS}. */
export type FindingRow = OwnColumns &
  Pick<
    FindingOfSite,
    'siteId' | 'fourCharacterId' | 'nineCharacterId' | 'siteLogId' | 'recordedAt'
  > & { id: number };

/** The columns of a finding itself. */
export const OWN_COLUMNS = `line, last_line AS "lastLine", section, item, label, level, code, text,
    details, others`;

/** A finding of a row. */
export const findingOf = ({ details, others, ...row }: OwnColumns): Omit<Finding, 'file'> => ({
  ...row,
  values: JSON.parse(details) as Finding['values'],
  others: JSON.parse(others) as Finding['others'],
});

/** How many findings of a code there are, at how many Sites. */
export type CodeCount = Pick<FindingOfSite, 'code' | 'level'> & { findings: number; sites: number };

/** How many findings there are at a Site, by the id that links have. */
export interface SiteCount {
  site: string;
  /** The code of its country, or the country as its log writes it; null if unknown. */
  country: string | null;
  findings: number;
}

/** The Sites with the most findings, the most first. */
export interface WorstSites {
  sites: SiteCount[];
  /** Whether Sites that are left out have as many findings as the last one. */
  isTied: boolean;
}

/** The properties of findings that have an order. */
type Ordered = (typeof FINDING_ORDERS)[number] | 'siteId';

/**
 * Whether another Site with the DOMES number of a Site is not retired: only then is it the same.
 */
const HAS_NAMESAKE = `EXISTS (SELECT 1 FROM site AS other
  WHERE other.domes_number = site.domes_number AND other.id <> site.id
    AND other.retired_at IS NULL)`;

/** Whether a finding of a Site is shown. */
export const IS_SHOWN = `(code <> 'same-station' OR ${HAS_NAMESAKE})`;

/** The findings in the current logs. */
export const FINDINGS = {
  from: `finding
    JOIN site_log ON site_log.id = finding.site_log_id
      AND site_log.superseded_at IS NULL AND site_log.withdrawn_at IS NULL
    JOIN site ON site.id = site_log.site_id AND site.retired_at IS NULL
      AND ${IS_SHOWN}`,
  columns: `finding.site_log_id * 4096 + finding.position AS id,
    site.id AS "siteId", four_character_id AS "fourCharacterId",
    nine_character_id AS "nineCharacterId", finding.site_log_id AS "siteLogId", ${OWN_COLUMNS},
    imported_at AS "recordedAt"`,
  // A log has little more than a thousand findings.
  id: 'finding.site_log_id * 4096 + finding.position',
  properties: {
    site: 'four_character_id',
    siteId: 'site.id',
    code: 'code',
    level: 'level',
    recordedAt: 'imported_at',
    line: 'line',
  } satisfies Record<Ordered, string>,
  known: ['site', 'siteId', 'code', 'level', 'recordedAt', 'line'],
} satisfies PageTable;

/** The columns that count the findings of each Site. */
export const SITE_COUNTS = `${LINKED_ID} AS "site",
  coalesce(country_code, substr(site.country, 1, 100), substr(nine_character_id, 7)) AS country,
  count(*) AS findings`;
/** One row for each Site, the most findings first. */
export const BY_SITE = `GROUP BY site.id, nine_character_id, four_character_id, country_code,
    site.country
  ORDER BY findings DESC, ${ALPHABETICAL}`;

/** The first of some Sites. @param sites one more than these, if there are more */
export const worstOf = (sites: SiteCount[], most: number): WorstSites => ({
  sites: sites.slice(0, most),
  isTied: sites.length > most && sites[most]!.findings === sites[most - 1]!.findings,
});

/** The order unless another is asked for, and of findings that are equal in that. */
const IN_ORDER = (['site', 'siteId', 'line'] satisfies Ordered[]).map((property) => ({
  property,
  descending: false,
}));

/** The conditions on the current logs. */
export const logConditions = (
  dialect: Dialect,
  { sites, recordedSince: time }: Pick<FindingFilter, 'sites' | 'recordedSince'>,
): Sql[] => [...atSites(dialect, 'site_log.site_id', sites), ...recordedSince('imported_at', time)];

/** The conditions on the findings themselves. */
export const ownConditions = (
  dialect: Dialect,
  { codes, levels }: Pick<FindingFilter, 'codes' | 'levels'>,
): Sql[] => [
  ...(codes === null ? [] : [dialect.isOneOf('code', codes)]),
  ...(levels === null ? [] : [dialect.isOneOf('level', levels)]),
];

/** A finding as it is published, with its message and what to do about it. */
export function toFinding(row: FindingRow): FindingOfSite {
  const { id, siteId, fourCharacterId, nineCharacterId, siteLogId, recordedAt } = row;
  const finding = findingOf(row);
  return {
    id,
    siteId,
    fourCharacterId,
    nineCharacterId,
    siteLogId,
    code: finding.code,
    level: finding.level as FindingOfSite['level'],
    line: finding.line,
    lastLine: finding.lastLine,
    section: firstSection(finding),
    message: messageOf(finding),
    text: finding.text,
    advice: adviceOn(finding),
    others: finding.others.map((other) => ({
      line: other.line,
      lastLine: other.lastLine,
      section: firstSection(other),
      text: other.text,
    })),
    recordedAt,
  };
}

/** Finds the findings in the current logs. */
export class SiteFindings {
  constructor(private readonly reads: Reads) {}

  /** A page of findings; without an order, by the id of the Site and the line. */
  findPage({
    sort,
    page,
    size,
    ...filter
  }: FindingFilter & Omit<PageSearch, 'filters'>): Promise<Found<FindingOfSite>> {
    const paging = { sort: [...sort, ...IN_ORDER], page, size };
    const conditions = this.conditions(filter);
    return this.reads.inOneState(async (db) => {
      const found = await findCounted<FindingRow>(db, FINDINGS, paging, conditions);
      return { elements: found.elements.map(toFinding), totalElements: found.totalElements };
    });
  }

  /** Any finding on record; undefined if there is none. */
  findAny(): Promise<FindingOfSite | undefined> {
    return this.findFirst([]);
  }

  /** A finding by its id; undefined if it is not on record. */
  async findById(id: number): Promise<FindingOfSite | undefined> {
    if (!Number.isSafeInteger(id)) return undefined;
    return this.findFirst([sql`${raw(FINDINGS.id)} = ${id}`]);
  }

  private findFirst(conditions: Sql[]): Promise<FindingOfSite | undefined> {
    return this.reads.inOneState(async (db) => {
      const { elements } = await findCounted<FindingRow>(db, FINDINGS, ONLY_ONE, conditions);
      return elements.map(toFinding)[0];
    });
  }

  /** The numbers of the Sites that are probably the same station as a Site. */
  async sameStations(site: number): Promise<Set<number>> {
    const rows = await this.reads.all<{ siteId: number; details: string }>(sql`
      ${selectFrom(FINDINGS, 'site.id AS "siteId", details', [
        sql`code = 'same-station'`,
        sql`site.domes_number = (SELECT domes_number FROM site WHERE id = ${site})`,
      ])}`);
    const pairs = rows.map(({ siteId, details }) => {
      const values = JSON.parse(details) as ValuesOf<'same-station'>;
      return [siteId, values.siteId];
    });
    const others = pairs.filter((pair) => pair.includes(site)).flat();
    return new Set(others.filter((each) => each !== site));
  }

  /** The number of findings and Sites of each code, the most frequent first. */
  countByCode(filter: FindingFilter): Promise<CodeCount[]> {
    const columns = `code, level, count(*) AS findings, count(DISTINCT site_log_id) AS sites`;
    return this.reads.all<CodeCount>(sql`
      ${selectFrom(FINDINGS, columns, this.conditions(filter))}
      GROUP BY code, level ORDER BY findings DESC, code, level`);
  }

  /** The Sites with the most findings. @param most how many Sites */
  async countBySite(filter: FindingFilter, most: number): Promise<WorstSites> {
    const sites = await this.reads.all<SiteCount>(sql`
      ${selectFrom(FINDINGS, SITE_COUNTS, this.conditions(filter))} ${raw(BY_SITE)}
      LIMIT ${most + 1}`);
    return worstOf(sites, most);
  }

  private conditions(filter: FindingFilter): Sql[] {
    const { dialect } = this.reads;
    return [...logConditions(dialect, filter), ...ownConditions(dialect, filter)];
  }
}
