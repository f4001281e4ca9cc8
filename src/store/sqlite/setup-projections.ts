import type { SiteOfSetup } from '../../../schemas/index.js';
import { type GapRow, GAPS_OF_SETUP, GAPS_ORDER, type ProvenanceRow, toProvenance, toSetupGap } from '../rows/setups.js';
import type { SetupProjection, SetupRecord } from '../setups.js';
import type { Connection } from './connection.js';

const PROVENANCE = `
  SELECT setup.id, site_log.name, sha256, form, date_prepared, imported_at, withdrawn_at, setup.recorded_at, setup.superseded_at
  FROM setup JOIN site_log ON site_log.id = site_log_id WHERE setup.id IN (SELECT value FROM json_each(?))`;

/** Adds the log that each Setup comes from. @param asOf hides what happened after this time */
function withProvenance(connection: Connection, setups: SetupRecord[], asOf: string | null): SetupRecord[] {
  const rows = connection.all<ProvenanceRow & { id: number }>(PROVENANCE, JSON.stringify(setups.map(({ id }) => id)));
  const byId = new Map(rows.map((row) => [row.id, toProvenance(row, asOf)]));
  return setups.map((setup) => ({ ...setup, provenance: byId.get(setup.id)! }));
}

const SITES = `
  SELECT id, four_character_id AS fourCharacterId, nine_character_id AS nineCharacterId, name
  FROM site WHERE id IN (SELECT value FROM json_each(?))`;

/** Adds which Site each Setup belongs to. */
export function withSites(connection: Connection, setups: SetupRecord[]): SetupRecord[] {
  if (setups.length === 0) return [];
  const ids = [...new Set(setups.map(({ siteId }) => siteId))];
  const sites = new Map(
    connection.all<SiteOfSetup & { id: number }>(SITES, JSON.stringify(ids)).map(({ id, ...site }): [number, SiteOfSetup] => [id, site]),
  );
  return setups.map((setup) => ({ ...setup, site: sites.get(setup.siteId)! }));
}

const GAPS = `
  SELECT setup.id, removed.document AS removed, installed.document AS installed
  FROM (SELECT id, site_id, effective_from FROM setup WHERE id IN (SELECT value FROM json_each(?))) AS setup
  JOIN ${GAPS_OF_SETUP} ORDER BY setup.id, ${GAPS_ORDER}`;

/** Adds the gaps that each Setup is in. @param asOf the record that they are of; null for the present one */
function withGaps(connection: Connection, setups: SetupRecord[], asOf: string | null): SetupRecord[] {
  if (asOf !== null) return setups.map((setup) => ({ ...setup, gaps: null }));
  const rows = connection.all<GapRow & { id: number }>(GAPS, JSON.stringify(setups.map(({ id }) => id)));
  const byId = Map.groupBy(rows, ({ id }) => id);
  return setups.map((setup) => ({ ...setup, gaps: setup.invalidated ? null : (byId.get(setup.id) ?? []).map(toSetupGap) }));
}

/** Adds what a projection adds to Setups, within the transaction of the caller. @param asOf hides what happened after this time */
export function projected(
  connection: Connection,
  setups: SetupRecord[],
  projection: SetupProjection | null,
  asOf: string | null = null,
): SetupRecord[] {
  switch (projection) {
    case null:
      return setups;
    case 'provenance':
      return withProvenance(connection, setups, asOf);
    case 'site':
      return withSites(connection, setups);
    case 'gaps':
      return withGaps(connection, setups, asOf);
  }
}
