import { type Provenance, type Setup, SETUP_NAME, type SetupGap } from '../../../schemas/index.js';
import { LONGEST_GAP } from '../../derive/gaps.js';
import type { PropertyOf } from '../page-order.js';
import type { SetupRecord } from '../setups.js';
import { fromText } from '../written-text.js';
import { toChange } from './changes.js';

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

/**
 * The removals before a Setup of the present record, each with the installation after it, as SQL joins them. The columns
 * are `removed.document` and `installed.document`.
 */
export const GAPS_OF_SETUP = `change AS removed JOIN change AS installed ON installed.id = removed.counterpart_id
  WHERE removed.site_id = setup.site_id AND removed.superseded_at IS NULL AND removed.at <= setup.effective_from
  AND installed.at > setup.effective_from AND installed.gap_before <= ${LONGEST_GAP}`;
export const GAPS_ORDER = 'removed.kind_position, removed.at, removed.id';

/** The documents of a removal and of the installation that ends its gap. */
export interface GapRow {
  removed: string;
  installed: string;
}

/** A gap that a Setup is in. */
export function toSetupGap({ removed, installed }: GapRow): SetupGap {
  const [{ at: from, before }, { at: to, after }] = [removed, installed].map((document) => toChange({ document })) as [
    ReturnType<typeof toChange>,
    ReturnType<typeof toChange>,
  ];
  return { from, to, before: before!, after: after! };
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
