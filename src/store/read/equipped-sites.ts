import sql, { raw, type Sql } from 'sql-template-tag';
import { type EquipmentType, INSTRUMENT_TYPES, type InstalledEquipment, type InstalledInstrument } from '../../../schemas/index.js';
import { compileTypePattern } from '../../requests/type-pattern.js';
import { writeInstalled } from '../../serializers/documents.js';
import { fromText, JsonText } from '../../serializers/json-text.js';
import type { Database } from '../database.js';
import { allOf } from '../dialect.js';
import { findIds, overlapping, partsOf, rowsOf } from '../page.js';
import type { RowOf } from '../schema.js';
import type { Found } from '../search.js';
import { periodOf } from './installations.js';
import { ALPHABETICAL, type SiteRow, SITES, toCorsSite } from './site-rows.js';
import type { EquipmentSearch, SiteWithEquipment } from './site-searches.js';

type Content = InstalledEquipment['content'];

interface KindOfDevice {
  equipmentType: EquipmentType;
  type: string;
  devices: number;
}

/** All kinds and types on record; there are few. */
const TYPES_ON_RECORD = sql`
  SELECT equipment_type AS "equipmentType", type, devices FROM equipment_type_count
  WHERE devices > 0 AND type <> '' ORDER BY equipment_type, type`;

const devicesOf = (types: KindOfDevice[]): number => types.reduce((sum, { devices }) => sum + devices, 0);

/** An installation, with the identity of its device. */
type EquippedRow = Pick<RowOf<'installation'>, 'site_id' | 'period_from' | 'period_to' | 'configuration'> & {
  equipment_type: EquipmentType;
  document: string;
};
const COLUMNS = raw('site_id, equipment_type, document, period_from, period_to, configuration');

const INSTALLED = raw('installation JOIN equipment ON equipment.id = equipment_id');

/**
 * The condition that a Site has a matching installation.
 * @param areMost whether most devices match: then look at the installations of each Site until one matches, otherwise at those of each device
 */
const hasInstallation = (areMost: boolean, matching: Sql): Sql =>
  areMost
    ? // Without OFFSET, PostgreSQL would read all installations first.
      sql`EXISTS (SELECT 1 FROM ${INSTALLED} WHERE site_id = site.id AND ${matching} LIMIT 1 OFFSET 0)`
    : sql`site.id IN (SELECT DISTINCT site_id FROM ${INSTALLED} WHERE ${matching})`;

/** A page of the Sites that used some equipment, with that equipment; several reads, in one state. */
export async function findEquippedSites(
  db: Database,
  search: EquipmentSearch,
  areTextsOfThisVersion: boolean,
): Promise<Found<SiteWithEquipment>> {
  const onRecord = await db.all<KindOfDevice>(TYPES_ON_RECORD);
  const { equipmentType } = search;
  const ofKind = onRecord.filter((each) => equipmentType === null || each.equipmentType === equipmentType);
  const patterns = search.types.map(compileTypePattern);
  const asked = ofKind.filter(({ type }) => patterns.some((matches) => matches(type)));
  const pairs = asked.map((each) => [each.equipmentType, each.type] as const);
  const matching = allOf([
    sql`listed = 1 AND superseded_at IS NULL`,
    ...overlapping('period_from', 'period_to', search.overlaps),
    ...(equipmentType === null ? [] : [sql`equipment_type = ${equipmentType}`]),
    // Most searches for all types need no list of them.
    asked.length === ofKind.length ? sql`type IS NOT NULL` : db.dialect.isOneOfPairs(['equipment_type', 'type'], pairs),
  ]);
  const isEquipped = hasInstallation(2 * devicesOf(asked) >= devicesOf(onRecord), matching);
  const { ids, totalElements } = await findIds(db, { from: 'site', id: 'site.id' }, [isEquipped], raw(ALPHABETICAL), search);
  const [sites, installations] = await Promise.all([
    rowsOf<SiteRow>(db, SITES, ids),
    partsOf<EquippedRow>(
      ids,
      (some) =>
        // With IS TRUE, PostgreSQL begins with the Sites rather than with all devices of the types.
        db.all(sql`
          SELECT ${COLUMNS} FROM ${INSTALLED} WHERE ${db.dialect.isOneOf('site_id', some)} AND (${matching}) IS TRUE
          ORDER BY site_id, period_from, period_to NULLS LAST, installation.id`),
      ({ site_id }) => site_id,
    ),
  ]);
  const elements = sites.map((site) => ({
    ...toCorsSite(site),
    // Writing those of a thousand Sites at once would block other requests.
    get installations() {
      return installations.get(site.id)!.map((row) => toInstalled(row, areTextsOfThisVersion));
    },
  }));
  return { elements, totalElements };
}

const contentOf = (row: EquippedRow) => ({
  configuration: JSON.parse(row.configuration) as Content['configuration'],
  period: periodOf(row),
});

function toInstalled(row: EquippedRow, isOfThisVersion: boolean): JsonText<InstalledEquipment> {
  const id = fromText<Content['id']>(row.document, isOfThisVersion);
  return new JsonText(writeInstalled(row.equipment_type, { id, ...contentOf(row) }));
}

const toInstrument = (row: EquippedRow): InstalledInstrument =>
  ({ content: { id: JSON.parse(row.document) as Content['id'], ...contentOf(row) } }) as InstalledInstrument;

/** The instruments at a Site, in the order of the kinds; of a kind, in chronological order. */
export async function instrumentsOfSite(db: Database, site: number): Promise<InstalledInstrument[]> {
  const rows = await db.all<EquippedRow>(sql`
    SELECT ${COLUMNS} FROM ${INSTALLED}
    WHERE site_id = ${site} AND superseded_at IS NULL AND ${db.dialect.isOneOf('equipment_type', INSTRUMENT_TYPES)}
    ORDER BY period_from, installation.id`);
  return INSTRUMENT_TYPES.flatMap((kind) => rows.filter((row) => row.equipment_type === kind)).map(toInstrument);
}
