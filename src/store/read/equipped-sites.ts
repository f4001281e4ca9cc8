import sql, { raw, type Sql } from 'sql-template-tag';
import { type EquipmentType, INSTRUMENT_TYPES, type InstalledEquipment, type InstalledInstrument } from '../../../schemas/index.js';
import type { Database } from '../database.js';
import { allOf } from '../dialect.js';
import { findIds, type Found, overlapping, partsOf, rowsOf } from '../page.js';
import type { RowOf } from '../schema.js';
import { siteConditions, type TypeAtSites, typesLike, withRadome } from './filters.js';
import { periodOf } from './installations.js';
import { ALPHABETICAL, type SiteRow, SITES, toCorsSite } from './site-rows.js';
import type { EquipmentSearch, SiteWithEquipment } from './site-searches.js';

const sitesOf = (types: TypeAtSites[]): number => types.reduce((sum, { sites }) => sum + sites, 0);

type EquippedRow = Pick<RowOf<'installation'>, 'site_id' | 'period_from' | 'period_to' | 'configuration' | 'identity'> & {
  equipment_type: EquipmentType;
};
const COLUMNS = raw('site_id, equipment_type, identity, period_from, period_to, configuration');

/** The condition that a Site has a matching installation. @param areMost whether most match: then go through the Sites, otherwise through the types */
const hasInstallation = (areMost: boolean, matching: Sql): Sql =>
  areMost
    ? // Without OFFSET, PostgreSQL would read all installations first.
      sql`EXISTS (SELECT 1 FROM installation WHERE site_id = site.id AND ${matching} LIMIT 1 OFFSET 0)`
    : sql`site.id IN (SELECT DISTINCT site_id FROM installation WHERE ${matching})`;

/** A page of the Sites that used some equipment, with that equipment; several reads, in one state. */
export async function findEquippedSites(db: Database, search: EquipmentSearch): Promise<Found<SiteWithEquipment>> {
  const { types, equipmentTypes, radomeTypes } = search;
  const { onRecord, ofKinds, asked } = await typesLike(db, search);
  const pairs = asked.map((each) => [each.equipmentType, each.type] as const);
  const matching = allOf([
    sql`superseded_at IS NULL`,
    ...overlapping('period_from', 'period_to', search.overlaps),
    ...(equipmentTypes === null ? [] : [db.dialect.isOneOf('equipment_type', equipmentTypes)]),
    // Most searches for all types need no list of them.
    ...(types === null
      ? []
      : [asked.length === ofKinds.length ? sql`type IS NOT NULL` : db.dialect.isOneOfPairs(['equipment_type', 'type'], pairs)]),
    ...(radomeTypes === null ? [] : [withRadome(db.dialect, radomeTypes)]),
  ]);
  const isEquipped = hasInstallation(2 * sitesOf(asked) >= sitesOf(onRecord), matching);
  const conditions = [isEquipped, ...siteConditions(db.dialect, search.sites)];
  const { ids, totalElements } = await findIds(db, { from: 'site', id: 'site.id' }, conditions, raw(ALPHABETICAL), search);
  const [sites, installations] = await Promise.all([
    rowsOf<SiteRow>(db, SITES, ids),
    partsOf<EquippedRow>(
      ids,
      (some) =>
        // With IS TRUE, PostgreSQL begins with the Sites rather than with all installations of the types.
        db.all(sql`
          SELECT ${COLUMNS} FROM installation WHERE ${db.dialect.isOneOf('site_id', some)} AND (${matching}) IS TRUE
          ORDER BY site_id, period_from, period_to NULLS LAST, installation.id`),
      ({ site_id }) => site_id,
    ),
  ]);
  const elements = sites.map((site) => ({
    ...toCorsSite(site),
    // Parsing those of a thousand Sites at once would block other requests.
    get installations() {
      return installations.get(site.id)!.map(toInstalled);
    },
  }));
  return { elements, totalElements };
}

const toInstalled = ({ identity, configuration, ...row }: EquippedRow): InstalledEquipment =>
  ({
    content: { id: JSON.parse(identity) as unknown, configuration: JSON.parse(configuration) as unknown, period: periodOf(row) },
  }) as InstalledEquipment;

/** The instruments at a Site, in the order of the kinds; of a kind, in chronological order. */
export async function instrumentsOfSite(db: Database, site: number): Promise<InstalledInstrument[]> {
  const rows = await db.all<EquippedRow>(sql`
    SELECT ${COLUMNS} FROM installation
    WHERE site_id = ${site} AND superseded_at IS NULL AND ${db.dialect.isOneOf('equipment_type', INSTRUMENT_TYPES)}
    ORDER BY period_from, installation.id`);
  return INSTRUMENT_TYPES.flatMap((kind) => rows.filter((row) => row.equipment_type === kind)).map(toInstalled) as InstalledInstrument[];
}
