import type { SiteOfSetup } from '../../../schemas/index.js';
import { type ProvenanceRow, toProvenance } from '../rows/setups.js';
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
  }
}
