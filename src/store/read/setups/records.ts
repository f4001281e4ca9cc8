import sql, { raw, type Sql } from 'sql-template-tag';
import {
  type EquipmentInUse,
  GNSS_EQUIPMENT_TYPES,
  isGnssEquipment,
  type ProjectionOf,
  type Provenance,
  type Setup,
  SETUP_NAME,
  type SetupGap,
  type SETUPS,
  type SiteOfSetup,
} from '../../../../schemas/index.js';
import type { DerivedChange } from '../../../derive/changes.js';
import { isOneVisit, LONGEST_GAP } from '../../../derive/visits.js';
import { fromText, type JsonText, parsedValue } from '../../../serializers/json-text.js';
import { type Database, repeated } from '../../database.js';
import { allOf, type Dialect } from '../../dialect.js';
import type { PropertyOf } from '../../page.js';
import type { RowOf } from '../../schema.js';
import { toChange } from '../changes.js';
import { withGapsAt } from '../gaps.js';
import { type PublishedRow, siteRowsAt } from '../sites/rows.js';

/**
 * A Setup, with its provenance, its Site or its gaps if requested. The store may have its equipment
 * and its gaps as text, as it is sent.
 */
export type SetupRecord = Omit<Setup, 'equipmentInUse'> & {
  equipmentInUse: EquipmentInUse[] | JsonText<EquipmentInUse[]>;
  provenance?: Provenance;
  site?: SiteOfSetup;
  /** null if they are not known: of a superseded Setup, and of an earlier record. */
  gaps?: SetupGap[] | JsonText<SetupGap[]> | null;
};

/** What can be added to Setups on request. */
export type SetupProjection = ProjectionOf<typeof SETUPS>;

/** What a lookup adds: a projection, or gaps of receivers and antennas where there are any. */
export type LookupProjection = SetupProjection | 'gaps-if-any' | null;

/** A Setup to read from, rather than to send. */
export const readable = <S extends SetupRecord>(
  setup: S,
): Omit<S, 'equipmentInUse'> & { equipmentInUse: EquipmentInUse[] } => ({
  ...setup,
  equipmentInUse: parsedValue(setup.equipmentInUse),
});

/** What is read of a row of `setup`. */
export type SetupRow = Pick<
  RowOf<'setup'>,
  'id' | 'site_id' | 'effective_from' | 'effective_to' | 'superseded_at' | 'equipment_in_use'
>;
/** The columns of a {@link SetupRow}. */
export const SETUP_COLUMNS = `setup.id, setup.site_id, setup.effective_from, setup.effective_to,
  setup.superseded_at, setup.equipment_in_use`;

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

/**
 * A Setup, without what a projection adds.
 * @param isOfThisVersion whether the serializers of this version wrote its text
 */
export const toSetup = (row: SetupRow, isOfThisVersion: boolean): SetupRecord => ({
  id: row.id,
  siteId: row.site_id,
  name: SETUP_NAME,
  effectivePeriod: { from: row.effective_from, to: row.effective_to },
  invalidated: row.superseded_at !== null,
  equipmentInUse: fromText(row.equipment_in_use, isOfThisVersion),
  current: row.superseded_at === null && row.effective_to === null,
});

/**
 * When those logs of some Sites were withdrawn that were withdrawn at a given time, by log number.
 * A log itself records only its last withdrawal.
 */
async function withdrawnThen(
  db: Database,
  sites: readonly number[],
  asOf: string,
): Promise<Map<number, string>> {
  const events = await db.all<{ at: string; correction: string }>(sql`
    SELECT at, correction FROM event
    WHERE ${db.dialect.isOneOf('site_id', sites)} AND kind IN ('withdraw', 'restore')
      AND at <= ${asOf}
    ORDER BY id`);
  const withdrawn = new Map<number, string>();
  for (const { at, correction } of events) {
    const { kind, log } = JSON.parse(correction) as { kind: string; log: number };
    if (kind === 'withdraw') withdrawn.set(log, at);
    else withdrawn.delete(log);
  }
  return withdrawn;
}

/**
 * Adds the log that each Setup comes from.
 * @param asOf hides what happened after this time; null to hide nothing
 */
async function withProvenance(
  db: Database,
  setups: SetupRecord[],
  asOf: string | null,
): Promise<SetupRecord[]> {
  const rows = await db.all<
    { id: number; log: number } & Provenance['siteLog'] & Omit<Provenance, 'siteLog'>
  >(sql`
    SELECT setup.id, site_log.id AS log, name, sha256, form, date_prepared AS "datePrepared",
      imported_at AS "importedAt", withdrawn_at AS "withdrawnAt",
      setup.recorded_at AS "recordedAt", setup.superseded_at AS "supersededAt"
    FROM ${db.dialect.rows(setups.map(({ id }) => id))} AS asked
    JOIN setup ON setup.id = asked.value JOIN site_log ON site_log.id = setup.site_log_id`);
  const sites = [...new Set(setups.map(({ siteId }) => siteId))];
  const withdrawn = asOf === null ? null : await withdrawnThen(db, sites, asOf);
  const byId = new Map<number, Provenance>();
  for (const { id, log, recordedAt, supersededAt, withdrawnAt, ...siteLog } of rows) {
    byId.set(id, {
      siteLog: {
        ...siteLog,
        withdrawnAt: withdrawn === null ? withdrawnAt : (withdrawn.get(log) ?? null),
      },
      recordedAt,
      // A row on record at that time was not superseded then.
      supersededAt: asOf === null ? supersededAt : null,
    });
  }
  return setups.map((setup) => ({ ...setup, provenance: byId.get(setup.id)! }));
}

/**
 * Adds which Site each Setup belongs to.
 * @param asOf shows the Site as it was at this time; null for now
 */
export async function withSites(
  db: Database,
  setups: SetupRecord[],
  asOf: string | null,
): Promise<SetupRecord[]> {
  if (setups.length === 0) return [];
  const ids = [...new Set(setups.map(({ siteId }) => siteId))];
  const sites = asOf === null ? await siteRowsNow(db, ids) : await siteRowsAt(db, ids, asOf);
  return setups.map((setup) => ({ ...setup, site: toSiteOfSetup(sites.get(setup.siteId)!) }));
}

type SiteOfSetupRow = Pick<PublishedRow, 'four_character_id' | 'nine_character_id' | 'name'>;

/** What Setups show of their Sites, by the numbers of these. */
async function siteRowsNow(
  db: Database,
  numbers: readonly number[],
): Promise<Map<number, SiteOfSetupRow>> {
  const rows = await db.all<SiteOfSetupRow & { id: number }>(sql`
    SELECT id, four_character_id, nine_character_id, name
    FROM site WHERE ${db.dialect.isOneOf('id', numbers)}`);
  return new Map(rows.map((row) => [row.id, row]));
}

const toSiteOfSetup = (row: SiteOfSetupRow): SiteOfSetup => ({
  fourCharacterId: row.four_character_id,
  nineCharacterId: row.nine_character_id,
  name: row.name,
});

function toSetupGap(removed: DerivedChange, installed: DerivedChange): SetupGap {
  return { from: removed.at, to: installed.at, before: removed.before!, after: installed.after! };
}

/** What `removed` and `installed` are, joined: the changes around each gap that a Setup is in. */
const AROUND_GAP = allOf([
  sql`installed.site_id = setup.site_id AND installed.at > setup.effective_from`,
  sql`removed.at <= setup.effective_from`,
  sql`installed.gap_before <= ${raw(String(LONGEST_GAP))}`,
  sql`installed.superseded_at IS NULL AND removed.superseded_at IS NULL`,
]);
const OF_GNSS = sql`
  removed.equipment_type IN (${raw(GNSS_EQUIPMENT_TYPES.map((type) => `'${type}'`).join(', '))})`;
const IN_ORDER = sql`removed.kind_position, removed.at, removed.id`;

/** The changes that begin and end the gaps of some Setups. */
const gapsOf = (setups: Sql, conditions: readonly Sql[]): Sql => sql`
  SELECT setup.id, removed.document AS removed, installed.document AS installed
  FROM ${setups}
  JOIN change AS installed ON installed.site_id = setup.site_id
  JOIN change AS removed ON removed.id = installed.counterpart_id
  WHERE ${allOf([...conditions, AROUND_GAP])}
  ORDER BY setup.id, ${IN_ORDER}`;

/**
 * The gaps of receivers and antennas of one Setup as the text of their list is sent, without its
 * brackets; NULL without any. A gap is at most a day, so only a Setup that begins and ends in one
 * month, or ends on the first day of one, can be in one.
 */
export const gapsAsText = ({ member }: Dialect): Sql => sql`
  CASE WHEN substr(setup.effective_from, 1, 7) = substr(setup.effective_to, 1, 7)
    OR substr(setup.effective_to, 9, 2) = '01'
  THEN (
    SELECT string_agg('{"from":"' || removed.at || '","to":"' || installed.at ||
      '","before":' || ${raw(member('removed.document', 'before'))} ||
      ',"after":' || ${raw(member('installed.document', 'after'))} || '}', ','
      ORDER BY ${IN_ORDER})
    FROM change AS installed JOIN change AS removed ON removed.id = installed.counterpart_id
    WHERE ${allOf([AROUND_GAP, OF_GNSS])}) END`;

const gapsOfSetup = repeated(gapsOf(sql`setup`, [sql`setup.id = ${0}`]));

/**
 * The gaps that each of some valid Setups is in, by their ids: those between a removal before it
 * and the installation after it. They are of the present record.
 */
async function gapsOfSetups(
  db: Database,
  setups: readonly SetupRecord[],
): Promise<Map<number, SetupGap[]>> {
  const ids = setups.map(({ id }) => id);
  const sites = [...new Set(setups.map(({ siteId }) => siteId))];
  const state = await withGapsAt(db, sites);
  const rows = await state.all<{ id: number; removed: string; installed: string }>(
    ids.length === 1
      ? gapsOfSetup(ids[0])
      : gapsOf(sql`${db.dialect.rows(ids)} AS asked JOIN setup ON setup.id = asked.value`, []),
  );
  const gaps = new Map<number, SetupGap[]>(ids.map((id) => [id, []]));
  for (const { id, removed, installed } of rows)
    gaps.get(id)!.push(toSetupGap(toChange(removed), toChange(installed)));
  return gaps;
}

/** Adds the gaps that each Setup is in; null if they are not known. */
async function withGaps(
  db: Database,
  setups: SetupRecord[],
  asOf: string | null,
): Promise<SetupRecord[]> {
  const valid = asOf === null ? setups.filter(({ invalidated }) => !invalidated) : [];
  const gaps = await gapsOfSetups(db, valid);
  return setups.map((setup) => ({ ...setup, gaps: gaps.get(setup.id) ?? null }));
}

/** Whether a Setup may be in a gap: it is not longer than the gap. */
const mayBeInGap = ({ effectivePeriod: { from, to } }: SetupRecord): boolean =>
  to !== null && isOneVisit(from, to);

/** The gaps of receivers and antennas; undefined if there are none. */
function shownOf(gaps: readonly SetupGap[]): SetupGap[] | undefined {
  const shown = gaps.filter(({ before }) => isGnssEquipment(before.content.id.equipmentType));
  return shown.length === 0 ? undefined : shown;
}

/** Adds the gaps of receivers and antennas to the Setups that are in some. */
async function withGapsIfAny(db: Database, setups: SetupRecord[]): Promise<SetupRecord[]> {
  const short = setups.filter(mayBeInGap);
  if (short.length === 0) return setups;
  const found = await gapsOfSetups(db, short);
  return setups.map((setup) => {
    const gaps = shownOf(found.get(setup.id) ?? []);
    return gaps === undefined ? setup : { ...setup, gaps };
  });
}

/**
 * Adds what a projection adds to Setups.
 * @param asOf hides what happened after this time; null to hide nothing
 */
export async function projected(
  db: Database,
  setups: SetupRecord[],
  projection: LookupProjection,
  asOf: string | null = null,
): Promise<SetupRecord[]> {
  if (setups.length === 0) return [];
  if (projection === 'provenance') return withProvenance(db, setups, asOf);
  if (projection === 'site') return withSites(db, setups, asOf);
  if (projection === 'gaps') return withGaps(db, setups, asOf);
  return projection === 'gaps-if-any' ? withGapsIfAny(db, setups) : setups;
}
