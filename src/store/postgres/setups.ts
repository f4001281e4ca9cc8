import type { Instant, Setup, SiteOfSetup } from '../../../schemas/index.js';
import type { SiteId } from '../../requests/site-id.js';
import {
  type GapRow,
  GAPS_OF_SETUP,
  GAPS_ORDER,
  type ProvenanceRow,
  SETUP_COLUMNS,
  SETUP_PROPERTIES,
  type SetupRow,
  toProvenance,
  toSetup,
  toSetupGap,
} from '../rows/setups.js';
import type { Found } from '../search.js';
import { readable, type SetupAnswer, type SetupPageSearch, type SetupReader, type SetupRecord, type SetupSearch } from '../setups.js';
import type { OfSite } from '../site-ids.js';
import type { Parameter, Reads, Snapshot } from './client.js';
import { findRows, findRowsIn } from './page-search.js';
import { type Condition, isId, type Table } from './selection.js';
import { formerOf, MANY_IDS, ofSite, ONLY_SITE, renamedFrom, SHARING_COLUMNS, type SharingRow, toSite } from './site-ids.js';

type Projection = SetupSearch['projection'];

/** A row of `setup`, with its provenance, its Site or its gaps if requested. */
type ProjectedRow = SetupRow & { provenance?: ProvenanceRow; ofSite?: SiteOfSetup; gaps?: GapRow[] };

/** One object, so that it does not count as text of the page. */
const PROVENANCE_COLUMN = `
  json_build_object('name', site_log.name, 'sha256', sha256, 'form', form, 'date_prepared', date_prepared, 'imported_at', imported_at,
    'withdrawn_at', withdrawn_at, 'recorded_at', setup.recorded_at, 'superseded_at', setup.superseded_at) AS provenance`;

/** The Site of a Setup, as one object too. */
const SITE_COLUMN = `
  (SELECT json_build_object('fourCharacterId', own.four_character_id, 'nineCharacterId', own.nine_character_id, 'name', own.name)
   FROM site AS own WHERE own.id = setup.site_id) AS "ofSite"`;

/** The gaps that a Setup is in, as one list. */
const GAPS_COLUMN = `
  (SELECT coalesce(json_agg(json_build_object('removed', removed.document, 'installed', installed.document) ORDER BY ${GAPS_ORDER}), '[]')
   FROM ${GAPS_OF_SETUP}) AS gaps`;

const columnsOf = (projection: Projection, withSite = projection === 'site'): string =>
  [
    SETUP_COLUMNS,
    ...(projection === 'provenance' ? [PROVENANCE_COLUMN] : []),
    ...(projection === 'gaps' ? [GAPS_COLUMN] : []),
    ...(withSite ? [SITE_COLUMN] : []),
  ].join(', ');
const tableOf = (projection: Projection): string =>
  projection === 'provenance' ? 'setup JOIN site_log ON site_log.id = setup.site_log_id' : 'setup';

const SETUPS: Omit<Table, 'columns'> = {
  from: 'setup',
  id: 'setup.id',
  size: 'octet_length(setup.equipment_in_use)',
  properties: SETUP_PROPERTIES,
  known: ['id', 'siteId', 'effectivePeriod.from', 'invalidated', 'current'],
  constant: ['name'],
  counts: { from: 'setup_count', number: 'setups', properties: { invalidated: '(invalidated = 1)', current: '(current = 1)' } },
};

/** What counts as on record. @param asOf what stands for the time in the statement; null for now */
const onRecord = (asOf: string | null): string =>
  asOf === null
    ? 'setup.superseded_at IS NULL'
    : `setup.recorded_at <= ${asOf} AND (setup.superseded_at IS NULL OR setup.superseded_at > ${asOf})`;

/** The current Setup of the Site with a four-character id, in one statement. */
const CURRENT = `
  SELECT ${SETUP_COLUMNS} FROM setup WHERE site_id = ${ONLY_SITE} AND superseded_at IS NULL AND effective_to IS NULL`;

/** What is asked about each Site, and what decides which one it is. */
type LookupRow = SharingRow & {
  /** The place of the id among those that were asked for, from 1. */
  position: number;
  /** The first record of the Site; null if a Setup was found. */
  since: string | null;
  /** The start of the first Setup of the Site; null if a Setup was found, or there is none. */
  first: Instant | null;
} & (ProjectedRow | { [Column in keyof SetupRow]: null });

/** One id. PostgreSQL plans a statement again for each array, but only once for texts. */
const ONE_ID = '(SELECT 1 AS position, $1::text AS four, $2::text AS former) AS asked';

/**
 * The statement that finds a Setup for each of some ids, and otherwise what says why there is none. Binds the ids, `at` and
 * `asOf`. @param ids {@link ONE_ID} or {@link MANY_IDS}
 */
function lookupOf(ids: string, { at, asOf, projection }: Omit<SetupSearch, 'site'>, withSite?: boolean): string {
  const [instant, time] = at === null ? [null, '$3'] : ['$3', '$4'];
  const valid = onRecord(asOf === null ? null : time);
  const chosen = instant === null ? 'setup.effective_to IS NULL' : `setup.effective_from <= ${instant} ORDER BY setup.effective_from DESC`;
  return `
    SELECT asked.position, ${SHARING_COLUMNS}, ${renamedFrom('asked.former')} AS renamed, chosen.*,
      CASE WHEN chosen.id IS NULL THEN (SELECT min(imported_at) FROM site_log WHERE site_id = site.id) END AS since,
      CASE WHEN chosen.id IS NULL THEN (SELECT min(effective_from) FROM setup WHERE site_id = site.id AND ${valid}) END AS first
    FROM ${ids}
    LEFT JOIN site ON four_character_id = asked.four
    LEFT JOIN LATERAL (
      SELECT ${columnsOf(projection, withSite)} FROM ${tableOf(projection)} WHERE setup.site_id = site.id AND ${valid} AND ${chosen} LIMIT 1
    ) AS chosen ON true
    ORDER BY asked.position, site.id`;
}

const toProjected = (row: ProjectedRow, asOf: string | null = null): SetupRecord => {
  // Whatever was on record at that time had not been superseded yet.
  const setup = toSetup(asOf === null ? row : { ...row, superseded_at: null });
  const { provenance, ofSite: site, gaps } = row;
  return {
    ...setup,
    ...(provenance !== undefined && { provenance: toProvenance(provenance, asOf) }),
    ...(site !== undefined && { site }),
    ...(gaps !== undefined && { gaps: asOf !== null || row.superseded_at !== null ? null : gaps.map(toSetupGap) }),
  };
};

/** The Setup of a Site, or why there is none. @param rows all that were found for the id */
function toAnswer(rows: LookupRow[], { site: id, at, asOf }: Pick<SetupSearch, 'site' | 'at' | 'asOf'>): SetupAnswer {
  // What was on record before a Site was retired stays on record.
  const site = toSite(rows, id, (retiredAt) => asOf !== null && asOf < retiredAt);
  if (site.kind !== 'found') return site;
  const row = rows.find((each) => each.site === site.found)!;
  if (row.id !== null) return { kind: 'found', setup: toProjected(row, asOf) };
  const { since, first } = row;
  if (asOf !== null && since! > asOf) return { kind: 'not-recorded', since: since! };
  return at === null || first === null ? { kind: 'no-current-setup' } : { kind: 'before-first-setup', first };
}

/** The Setups of a Site that are currently on record, in chronological order. */
export async function setupsOfSite(snapshot: Snapshot, site: number): Promise<Setup[]> {
  const sql = `SELECT ${SETUP_COLUMNS} FROM setup WHERE site_id = $1 AND superseded_at IS NULL ORDER BY effective_from`;
  return (await snapshot.all<SetupRow>(sql, site)).map((row) => readable(toSetup(row)));
}

/** The page of a search as rows of a table. */
function pageOf({ overlaps = { from: null, to: null }, recordedSince = null, projection }: SetupPageSearch): {
  table: Table;
  conditions: Condition[];
} {
  const conditions: Condition[] = [];
  const { from, to } = overlaps;
  if (to !== null) conditions.push((bindings) => `setup.effective_from ${from === to ? '<=' : '<'} ${bindings.add(to)}`);
  if (from !== null) conditions.push((bindings) => `(setup.effective_to IS NULL OR setup.effective_to > ${bindings.add(from)})`);
  if (recordedSince !== null) conditions.push((bindings) => `setup.recorded_at >= ${bindings.add(recordedSince)}`);
  return { table: { ...SETUPS, columns: columnsOf(projection), source: tableOf(projection) }, conditions };
}

/** Finds Setups in a PostgreSQL database. */
export class PostgresSetupReader implements SetupReader {
  constructor(private readonly reads: Reads) {}

  async findOne(search: SetupSearch): Promise<SetupAnswer> {
    const { site, at, asOf, projection } = search;
    // The most frequent lookup needs less, unless it finds nothing.
    if (site.nineCharacterId === null && at === null && asOf === null && projection === null) {
      const row = await this.reads.get<SetupRow>(CURRENT, site.fourCharacterId);
      if (row !== undefined) return { kind: 'found', setup: toSetup(row) };
    }
    const { fourCharacterId } = site;
    return toAnswer(await this.lookUp(ONE_ID, [fourCharacterId, formerOf(site)], search), search);
  }

  async findMany(sites: SiteId[], search: Omit<SetupSearch, 'site'>): Promise<SetupAnswer[]> {
    const ids = [sites.map(({ fourCharacterId }) => fourCharacterId), sites.map(formerOf)];
    const rows = await this.lookUp(MANY_IDS, ids, search, true);
    const byPosition = Map.groupBy(rows, ({ position }) => position);
    return sites.map((site, index) => toAnswer(byPosition.get(index + 1)!, { ...search, site }));
  }

  /** @param withSite whether each Setup is with its Site, whatever the projection */
  private lookUp(ids: string, values: Parameter[], search: Omit<SetupSearch, 'site'>, withSite?: boolean): Promise<LookupRow[]> {
    const times = [search.at, search.asOf].filter((time) => time !== null);
    return this.reads.all<LookupRow>(lookupOf(ids, search, withSite), ...values, ...times);
  }

  async findPage(search: SetupPageSearch): Promise<Found<SetupRecord>> {
    const { table, conditions } = pageOf(search);
    const { elements, totalElements } = await findRows<ProjectedRow>(this.reads, table, search, conditions);
    return { elements: elements.map((row) => toProjected(row)), totalElements };
  }

  findPageOfSite(id: SiteId, search: SetupPageSearch): Promise<OfSite<Found<SetupRecord>>> {
    const { table, conditions } = pageOf(search);
    return this.reads.inOneState((snapshot) =>
      ofSite(snapshot, id, async (site) => {
        const ofThis = { ...search, filters: [{ property: 'siteId', values: [site] }, ...search.filters] };
        const { elements, totalElements } = await findRowsIn<ProjectedRow>(snapshot, table, ofThis, conditions);
        return { elements: elements.map((row) => toProjected(row)), totalElements };
      }),
    );
  }

  async findById(id: number, projection: Projection): Promise<SetupRecord | undefined> {
    if (!isId(id)) return undefined;
    const sql = `SELECT ${columnsOf(projection)} FROM ${tableOf(projection)} WHERE setup.id = $1`;
    const row = await this.reads.get<ProjectedRow>(sql, id);
    return row && toProjected(row);
  }
}
