import type { Finding } from '../../site-log/site-log.js';
import type { SiteLogRecord } from '../logs.js';
import { LOGS, type SiteLogRow, toSiteLogRecord } from '../rows/logs.js';
import type { Snapshot } from './client.js';

/** The current log of a Site. */
export const CURRENT_LOG = `SELECT ${LOGS} WHERE site_id = $1 AND superseded_at IS NULL`;
const FINDINGS = `
  SELECT line, level, message, text FROM finding
  WHERE site_log_id = (SELECT id FROM site_log WHERE site_id = $1 AND superseded_at IS NULL) ORDER BY line, position`;

/** The current log of a Site with its findings. */
export async function currentLogOfSite(
  snapshot: Snapshot,
  site: number,
): Promise<{ siteLog: SiteLogRecord; findings: Omit<Finding, 'file'>[] }> {
  const [row, findings] = await Promise.all([
    snapshot.get<SiteLogRow>(CURRENT_LOG, site),
    snapshot.all<Omit<Finding, 'file'>>(FINDINGS, site),
  ]);
  return { siteLog: toSiteLogRecord(row!), findings };
}
