import { type Provenance, type Setup, SETUP_NAME } from '../../../schemas/index.js';
import type { PropertyOf } from '../page-order.js';
import type { SetupRecord } from '../setups.js';
import { fromText } from '../written-text.js';

/** A row of `setup`. */
export interface SetupRow {
  id: number;
  site_id: number;
  effective_from: string;
  effective_to: string | null;
  superseded_at: string | null;
  equipment_in_use: string;
  written_by: number | null;
}
/** The columns of a {@link SetupRow}. */
export const SETUP_COLUMNS =
  'setup.id, setup.site_id, setup.effective_from, setup.effective_to, setup.superseded_at, setup.equipment_in_use, setup.written_by';

/** The SQL expression of each property of a Setup. */
export const SETUP_PROPERTIES = {
  id: 'setup.id',
  siteId: 'setup.site_id',
  // A constant cannot be an ORDER BY term, so make it an expression.
  name: `CASE WHEN setup.id > 0 THEN '${SETUP_NAME}' END`,
  'effectivePeriod.from': 'setup.effective_from',
  'effectivePeriod.to': 'setup.effective_to',
  invalidated: '(setup.superseded_at IS NOT NULL)',
  current: '(setup.superseded_at IS NULL AND setup.effective_to IS NULL)',
} satisfies Record<PropertyOf<Setup>, string>;

/** A Setup, without provenance. */
export function toSetup(row: SetupRow): SetupRecord {
  return {
    id: row.id,
    siteId: row.site_id,
    name: SETUP_NAME,
    effectivePeriod: { from: row.effective_from, to: row.effective_to },
    invalidated: row.superseded_at !== null,
    equipmentInUse: fromText(row.equipment_in_use, row.written_by),
    current: row.superseded_at === null && row.effective_to === null,
  };
}

/** Where a Setup comes from: columns of `setup` and of its `site_log`. */
export interface ProvenanceRow {
  name: string;
  sha256: string;
  form: string;
  date_prepared: string | null;
  imported_at: string;
  withdrawn_at: string | null;
  recorded_at: string;
  superseded_at: string | null;
}

/** The provenance of a Setup. @param asOf hides what happened after this time; null to hide nothing */
export function toProvenance(row: ProvenanceRow, asOf: string | null): Provenance {
  const known = (time: string | null): string | null => (asOf !== null && time !== null && time > asOf ? null : time);
  return {
    siteLog: {
      name: row.name,
      sha256: row.sha256,
      form: row.form,
      datePrepared: row.date_prepared,
      importedAt: row.imported_at,
      withdrawnAt: known(row.withdrawn_at),
    },
    recordedAt: row.recorded_at,
    supersededAt: known(row.superseded_at),
  };
}
