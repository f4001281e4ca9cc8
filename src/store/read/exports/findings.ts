import sql, { raw } from 'sql-template-tag';
import type { ExportedFinding } from '../../../../schemas/index.js';
import type { Database } from '../../database.js';
import { allOf } from '../../dialect.js';
import { selectFrom } from '../../page.js';
import {
  type FindingFilter,
  FINDINGS,
  type FindingRow,
  logConditions,
  ownConditions,
  toFinding,
} from '../findings.js';
import { type SiteOfRow, toSite } from './tables.js';

/** How many logs are read at once. Most have fewer than ten findings. */
const LOGS_AT_ONCE = 20;

/**
 * The findings in windows: at least one, which is empty if there are none. They are read by log,
 * so that no read takes long, and in the order of their ids.
 */
export async function* findingWindows(
  db: Database,
  filter: FindingFilter,
): AsyncGenerator<ExportedFinding[]> {
  const logs = await db.all<{ id: number }>(sql`
    SELECT site_log.id FROM site_log
    JOIN site ON site.id = site_log.site_id AND site.retired_at IS NULL
    WHERE ${allOf([
      sql`site_log.superseded_at IS NULL AND site_log.withdrawn_at IS NULL`,
      ...logConditions(db.dialect, filter),
    ])}
    ORDER BY site_log.id`);
  const columns = raw(`${FINDINGS.columns}, site.name AS "siteName", latitude, longitude`);
  const conditions = ownConditions(db.dialect, filter);
  if (logs.length === 0) yield [];
  for (let first = 0; first < logs.length; first += LOGS_AT_ONCE) {
    const ids = logs.slice(first, first + LOGS_AT_ONCE).map(({ id }) => id);
    const some = db.dialect.isOneOf('finding.site_log_id', ids);
    const rows = await db.all<FindingRow & SiteOfRow>(sql`
      ${selectFrom(FINDINGS, columns, [some, ...conditions])}
      ORDER BY finding.site_log_id, finding.position`);
    yield rows.map(toExportedFinding);
  }
}

function toExportedFinding(row: FindingRow & SiteOfRow): ExportedFinding {
  const { id, ...finding } = toFinding(row);
  return { ...finding, id, site: toSite(row) };
}
