import sql, { raw } from 'sql-template-tag';
import {
  type EquipmentInUse,
  type ProjectionOf,
  type Provenance,
  type Setup,
  SETUP_NAME,
  type SetupGap,
  type SETUPS,
  type SiteOfSetup,
} from '../../../schemas/index.js';
import { LONGEST_GAP } from '../../derive/gaps.js';
import { type JsonText, valueOf } from '../../serializers/json-text.js';
import type { Database } from '../database.js';
import type { PropertyOf } from '../page.js';
import { toChange } from './changes.js';
import { fromText } from './texts.js';

/** A Setup, with its provenance, its Site or its gaps if requested. The store may have its equipment as text, as it is sent. */
export type SetupRecord = Omit<Setup, 'equipmentInUse'> & {
  equipmentInUse: EquipmentInUse[] | JsonText<EquipmentInUse[]>;
  provenance?: Provenance;
  site?: SiteOfSetup;
  /** null if they are not known: of a superseded Setup, and of an earlier record. */
  gaps?: SetupGap[] | null;
};

/** What can be added to Setups on request. */
export type SetupProjection = ProjectionOf<typeof SETUPS>;

/** A Setup to read from, rather than to send. */
export const readable = <S extends SetupRecord>(setup: S): Omit<S, 'equipmentInUse'> & { equipmentInUse: EquipmentInUse[] } => ({
  ...setup,
  equipmentInUse: valueOf(setup.equipmentInUse),
});

/** A row of `setup`. */
export interface SetupRow {
  id: number;
  site_id: number;
  effective_from: string;
  effective_to: string | null;
  superseded_at: string | null;
  equipment_in_use: string;
}
/** The columns of a {@link SetupRow}. */
export const SETUP_COLUMNS =
  'setup.id, setup.site_id, setup.effective_from, setup.effective_to, setup.superseded_at, setup.equipment_in_use';

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

/** A Setup, without what a projection adds. @param isOfThisVersion whether the serializers of this version wrote its text */
export const toSetup = (row: SetupRow, isOfThisVersion: boolean): SetupRecord => ({
  id: row.id,
  siteId: row.site_id,
  name: SETUP_NAME,
  effectivePeriod: { from: row.effective_from, to: row.effective_to },
  invalidated: row.superseded_at !== null,
  equipmentInUse: fromText(row.equipment_in_use, isOfThisVersion),
  current: row.superseded_at === null && row.effective_to === null,
});

/** The log that a Setup comes from, and when it was recorded. */
interface ProvenanceRow {
  id: number;
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
function toProvenance(row: ProvenanceRow, asOf: string | null): Provenance {
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

/** Adds the log that each Setup comes from. */
async function withProvenance(db: Database, setups: SetupRecord[], asOf: string | null): Promise<SetupRecord[]> {
  const rows = await db.all<ProvenanceRow>(sql`
    SELECT setup.id, name, sha256, form, date_prepared, imported_at, withdrawn_at, setup.recorded_at, setup.superseded_at
    FROM setup JOIN site_log ON site_log.id = setup.site_log_id WHERE ${db.dialect.isOneOf(
      'setup.id',
      setups.map(({ id }) => id),
    )}`);
  const byId = new Map(rows.map((row) => [row.id, toProvenance(row, asOf)]));
  return setups.map((setup) => ({ ...setup, provenance: byId.get(setup.id)! }));
}

/** Adds which Site each Setup belongs to. */
export async function withSites(db: Database, setups: SetupRecord[]): Promise<SetupRecord[]> {
  if (setups.length === 0) return [];
  const ids = [...new Set(setups.map(({ siteId }) => siteId))];
  const rows = await db.all<SiteOfSetup & { id: number }>(sql`
    SELECT id, four_character_id AS "fourCharacterId", nine_character_id AS "nineCharacterId", name
    FROM site WHERE ${db.dialect.isOneOf('id', ids)}`);
  const sites = new Map(rows.map(({ id, ...site }): [number, SiteOfSetup] => [id, site]));
  return setups.map((setup) => ({ ...setup, site: sites.get(setup.siteId)! }));
}

/** The documents of a removal and of the installation that ends its gap. */
interface GapRow {
  id: number;
  removed: string;
  installed: string;
}

/** A gap that a Setup is in. */
function toSetupGap({ removed, installed }: GapRow): SetupGap {
  const { at: from, before } = toChange({ document: removed });
  const { at: to, after } = toChange({ document: installed });
  return { from, to, before: before!, after: after! };
}

/** Adds the gaps that each Setup is in: those between a removal before it and the installation after it. They are of the present record. */
async function withGaps(db: Database, setups: SetupRecord[], asOf: string | null): Promise<SetupRecord[]> {
  const valid = asOf === null ? setups.filter(({ invalidated }) => !invalidated).map(({ id }) => id) : [];
  const rows =
    valid.length === 0
      ? []
      : await db.all<GapRow>(sql`
          SELECT setup.id, removed.document AS removed, installed.document AS installed
          FROM setup JOIN change AS removed ON removed.site_id = setup.site_id AND removed.at <= setup.effective_from
          JOIN change AS installed ON installed.id = removed.counterpart_id AND installed.at > setup.effective_from
          WHERE ${db.dialect.isOneOf('setup.id', valid)} AND removed.superseded_at IS NULL AND installed.gap_before <= ${raw(String(LONGEST_GAP))}
          ORDER BY setup.id, removed.kind_position, removed.at, removed.id`);
  const bySetup = Map.groupBy(rows, ({ id }) => id);
  return setups.map((setup) => ({
    ...setup,
    gaps: asOf !== null || setup.invalidated ? null : (bySetup.get(setup.id) ?? []).map(toSetupGap),
  }));
}

/** Adds what a projection adds to Setups. @param asOf hides what happened after this time; null to hide nothing */
export async function projected(
  db: Database,
  setups: SetupRecord[],
  projection: SetupProjection | null,
  asOf: string | null = null,
): Promise<SetupRecord[]> {
  if (setups.length === 0) return [];
  switch (projection) {
    case null:
      return setups;
    case 'provenance':
      return withProvenance(db, setups, asOf);
    case 'site':
      return withSites(db, setups);
    case 'gaps':
      return withGaps(db, setups, asOf);
  }
}
