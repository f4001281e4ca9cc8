import sql, { raw } from 'sql-template-tag';
import type { SiteFinding } from '../../../schemas/index.js';
import { adviceOn } from '../../check/checks.js';
import type { Reads } from '../database.js';
import { findCounted, type Found, type PageTable, type Paging } from '../page.js';
import { atSites, recordedSince, type SiteFilter } from './filters.js';

/** Which findings. Null means no limit. */
export interface FindingFilter {
  sites: SiteFilter;
  codes: string[] | null;
  levels: SiteFinding['level'][] | null;
  /** Only in logs that this service imported at this time or later, `YYYY-MM-DDThh:mm:ss.sssZ`. */
  recordedSince: string | null;
}

/** A finding in the current log of a Site. */
export type FindingOfSite = Omit<SiteFinding, '_links'>;

type FindingRow = Omit<FindingOfSite, 'advice'> & { id: number };

/** How many findings of a code there are, at how many Sites. */
export type CodeCount = Pick<SiteFinding, 'code' | 'level'> & { findings: number; sites: number };

/** How many findings there are at a Site, by its id. */
export type SiteCount = { site: string; findings: number };

const FINDINGS: PageTable = {
  from: `finding
    JOIN site_log ON site_log.id = finding.site_log_id
      AND site_log.superseded_at IS NULL AND site_log.withdrawn_at IS NULL
    JOIN site ON site.id = site_log.site_id AND site.retired_at IS NULL`,
  columns: `finding.site_log_id * 4096 + finding.position AS id,
    site.id AS "siteId", four_character_id AS "fourCharacterId",
    nine_character_id AS "nineCharacterId", finding.site_log_id AS "siteLogId", code, level, line,
    last_line AS "lastLine", section, message, text, imported_at AS "recordedAt"`,
  // A log has little more than a thousand findings.
  id: 'finding.site_log_id * 4096 + finding.position',
  properties: { site: 'four_character_id', siteId: 'site.id', line: 'line' },
  known: ['site', 'siteId', 'line'],
};
const IN_ORDER = ['site', 'siteId', 'line'].map((property) => ({ property, descending: false }));

/** Finds the findings in the current logs. */
export class SiteFindings {
  constructor(private readonly reads: Reads) {}

  /** A page of findings, by the id of the Site and the line. */
  findPage({
    page,
    size,
    sites,
    codes,
    levels,
    recordedSince: time,
  }: FindingFilter & Paging): Promise<Found<FindingOfSite>> {
    const paging = { sort: IN_ORDER, page, size };
    const { dialect } = this.reads;
    const conditions = [
      ...atSites(dialect, 'site_log.site_id', sites),
      ...(codes === null ? [] : [dialect.isOneOf('code', codes)]),
      ...(levels === null ? [] : [dialect.isOneOf('level', levels)]),
      ...recordedSince('imported_at', time),
    ];
    return this.reads.inOneState(async (db) => {
      const { elements, totalElements } = await findCounted<FindingRow>(
        db,
        FINDINGS,
        paging,
        conditions,
      );
      return {
        elements: elements.map(({ id: _, ...finding }) => ({
          ...finding,
          advice: adviceOn(finding.code),
        })),
        totalElements,
      };
    });
  }

  /** The number of findings and Sites of each code in the current logs, the most frequent first. */
  countByCode(): Promise<CodeCount[]> {
    return this.reads.all<CodeCount>(sql`
      SELECT code, level, count(*) AS findings, count(DISTINCT site_log_id) AS sites
      FROM ${raw(FINDINGS.from)}
      GROUP BY code, level ORDER BY findings DESC, code, level`);
  }

  /** The Sites with the most findings. */
  countBySite(most: number): Promise<SiteCount[]> {
    return this.reads.all<SiteCount>(sql`
      SELECT coalesce(nine_character_id, four_character_id) AS "site", count(*) AS findings
      FROM ${raw(FINDINGS.from)}
      GROUP BY site.id, nine_character_id, four_character_id
      ORDER BY findings DESC, site.id LIMIT ${most}`);
  }
}
