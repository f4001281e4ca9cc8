import type { DerivedRecord } from '../../../derive/record.js';
import { keyAtSite } from '../../../derive/devices.js';
import type { SiteId } from '../../../requests/site-id.js';
import { NUMBERED } from '../../saving/journal.js';
import { formerIdsOf } from '../../saving/owner.js';
import type { SummaryRow } from '../../saving/tables.js';
import type { Snapshot } from '../client.js';
import type { DeviceRow, InstallationRow } from './loaded-devices.js';
import type { LogRow, RecordedLogs } from './loaded-logs.js';
import type { ChangeRow, SetupRow } from './loaded-setups.js';
import type { RecordedSites, SiteRow } from './loaded-sites.js';
import type { LastIds, Recorded } from './loaded-tables.js';

const LAST_IDS = `SELECT ${['journal', ...NUMBERED].map((table) => `(SELECT coalesce(max(id), 0) FROM ${table}) AS ${table}`).join(', ')}`;

const RENAMES = 'SELECT former_id, site_id FROM site_rename WHERE former_id = ANY($1)';
const SITES = `
  SELECT * FROM site WHERE four_character_id = ANY($1)
  UNION SELECT site.* FROM site JOIN site_rename ON site_id = site.id WHERE former_id = ANY($2)`;

const LAST_RECORDED = `
  SELECT site_id, max(at) AS at FROM (
    SELECT site_id, imported_at AS at FROM site_log WHERE site_id = ANY($1)
    UNION ALL SELECT site_id, withdrawn_at FROM site_log WHERE site_id = ANY($1)
    UNION ALL SELECT site_id, superseded_at FROM setup WHERE site_id = ANY($1)
    UNION ALL SELECT site_id, recorded_at FROM setup WHERE site_id = ANY($1)) AS time GROUP BY site_id`;
const SUMMARIES =
  'SELECT site_id, receivers, antennas, since, asked, known, search_text, former_text FROM site_summary WHERE site_id = ANY($1)';

const LOGS =
  'SELECT id, site_id, name, sha256, date_prepared, withdrawn_at, superseded_at FROM site_log WHERE site_id = ANY($1) ORDER BY id';
const ORIGINALS = 'SELECT id, original FROM site_log WHERE id = ANY($1)';
const FINDINGS = `
  SELECT site_log_id, line, level, message, text FROM finding
  WHERE site_log_id IN (SELECT id FROM site_log WHERE site_id = ANY($1) AND sha256 = ANY($2)) ORDER BY site_log_id, position`;

const SETUPS = `
  SELECT id, site_id, effective_from, effective_to, superseded_at, equipment_in_use, written_by
  FROM setup WHERE site_id = ANY($1) AND superseded_at IS NULL`;
const CHANGES =
  'SELECT id, site_id, superseded_at, document, counterpart_id, gap_before FROM change WHERE site_id = ANY($1) AND superseded_at IS NULL';

const DEVICE = 'id, identity, equipment_type, type, serial_number, document';
const DEVICES = `SELECT ${DEVICE} FROM equipment WHERE identity = ANY($1)`;
const INSTALLATIONS = `
  SELECT installation.id, site_id, equipment_id, identity, period_from, period_to, superseded_at, configuration
  FROM installation JOIN equipment ON equipment.id = equipment_id WHERE site_id = ANY($1) AND superseded_at IS NULL`;

/** The Sites that ids may name, and the last ids; one round trip. */
export interface SitesToLoad extends Pick<RecordedSites, 'sites' | 'renames'> {
  lastIds: LastIds;
}

/** Reads the Sites that ids may name, or may have named. */
export async function loadSites(snapshot: Snapshot, ids: SiteId[]): Promise<SitesToLoad> {
  const fours = [...new Set(ids.map(({ fourCharacterId }) => fourCharacterId))];
  const formerIds = [...new Set(ids.flatMap(formerIdsOf))];
  const [sites, renames, lastIds] = await Promise.all([
    snapshot.all<SiteRow>(SITES, fours, formerIds),
    snapshot.all<RecordedSites['renames'][number]>(RENAMES, formerIds),
    snapshot.get<LastIds>(LAST_IDS),
  ]);
  return { sites, renames, lastIds: lastIds! };
}

/** What is going to be saved. */
export interface ToSave {
  records: Pick<DerivedRecord, 'devices' | 'instruments'>[];
  /** The SHA-256 of each log. */
  sha256s: string[];
  originals: RecordedLogs['originals'];
}

/** Reads what is on record about Sites, as far as saving compares with it; one round trip. */
export async function loadRecord(snapshot: Snapshot, loaded: SitesToLoad, { records, sha256s, originals }: ToSave): Promise<Recorded> {
  const ids = loaded.sites.map(({ id }) => id);
  const devices = new Set(records.flatMap((record) => [...record.devices, ...record.instruments]));
  // Which of the Sites a log belongs to is decided later.
  const identities = [...devices].flatMap((device) => (device.ofSite ? ids.map((site) => keyAtSite(device, site)) : [device.key]));
  const [lastRecorded, summaries, logs, findings, setups, changeRows, recordedDevices, installations] = await Promise.all([
    snapshot.all<RecordedSites['lastRecorded'][number]>(LAST_RECORDED, ids),
    snapshot.all<SummaryRow>(SUMMARIES, ids),
    loadLogs(snapshot, ids),
    snapshot.all<RecordedLogs['findings'][number]>(FINDINGS, ids, sha256s),
    snapshot.all<SetupRow>(SETUPS, ids),
    snapshot.all<ChangeRow>(CHANGES, ids),
    snapshot.all<DeviceRow>(DEVICES, identities),
    snapshot.all<InstallationRow>(INSTALLATIONS, ids),
  ]);
  return { ...loaded, lastRecorded, summaries, logs, findings, originals, setups, changeRows, devices: recordedDevices, installations };
}

/** Reads the logs of Sites, without their bytes. */
export const loadLogs = (snapshot: Snapshot, sites: number[]): Promise<LogRow[]> => snapshot.all<LogRow>(LOGS, sites);

/** Reads the bytes of logs. */
export const loadOriginals = (snapshot: Snapshot, logs: number[]): Promise<RecordedLogs['originals']> =>
  snapshot.all<RecordedLogs['originals'][number]>(ORIGINALS, logs);
