import sql, { raw, type Sql } from 'sql-template-tag';
import { type EquipmentType, INSTRUMENT_TYPES, type InstalledEquipment, type InstalledInstrument } from '../../../schemas/index.js';
import { compileTypePattern } from '../../requests/type-pattern.js';
import { writeConfiguration, writeInstalled } from '../../serializers/documents.js';
import { JsonText } from '../../serializers/json-text.js';
import type { Database } from '../database.js';
import { allOf } from '../dialect.js';
import { findIds, overlapping, partsOf, rowsOf } from '../page.js';
import type { Found } from '../search.js';
import { periodOf } from './installations.js';
import { ALPHABETICAL, type SiteRow, SITES, toCorsSite } from './site-rows.js';
import type { EquipmentSearch, SiteWithEquipment } from './site-searches.js';
import { fromText } from './texts.js';

type Content = InstalledEquipment['content'];

/** A kind and a type of equipment, and how many such devices are listed. */
interface KindOfDevice {
  equipmentType: EquipmentType;
  type: string;
  devices: number;
}

/** All kinds and types on record; there are few. */
const TYPES_ON_RECORD = sql`
  SELECT equipment_type AS "equipmentType", type, devices FROM equipment_type_count
  WHERE devices > 0 AND type <> '' ORDER BY equipment_type, type`;

/** Those of the types on record that a search asks for. */
function typesAskedFor(onRecord: KindOfDevice[], { types, equipmentType }: EquipmentSearch): KindOfDevice[] {
  const patterns = types.map(compileTypePattern);
  return onRecord.filter(
    (each) => (equipmentType === null || each.equipmentType === equipmentType) && patterns.some((matches) => matches(each.type)),
  );
}

const devicesOf = (types: KindOfDevice[]): number => types.reduce((sum, { devices }) => sum + devices, 0);

/** An installation, with the identity of its device. */
interface ItemRow {
  document: string;
  period_from: string;
  period_to: string | null;
  configuration: string;
}

/** An installation at a Site that a search found. */
interface EquippedRow extends ItemRow {
  site_id: number;
  equipment_type: EquipmentType;
}

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
  const asked = typesAskedFor(onRecord, search);
  const pairs = asked.map(({ equipmentType, type }) => [equipmentType, type] as const);
  const matching = allOf([
    sql`listed = 1 AND superseded_at IS NULL`,
    ...overlapping('period_from', 'period_to', search.overlaps),
    db.dialect.isOneOfPairs(['equipment_type', 'type'], pairs),
  ]);
  const isEquipped = hasInstallation(2 * devicesOf(asked) >= devicesOf(onRecord), matching);
  const { ids, totalElements } = await findIds(db, { from: 'site', id: 'site.id' }, [isEquipped], raw(ALPHABETICAL), search);
  const columns = raw('site_id, equipment_type, document, period_from, period_to, configuration');
  const [sites, installations] = await Promise.all([
    rowsOf<SiteRow>(db, SITES, ids),
    partsOf<EquippedRow>(
      ids,
      (some) =>
        db.all(sql`
          SELECT ${columns} FROM ${INSTALLED} WHERE ${db.dialect.isOneOf('site_id', some)} AND ${matching}
          ORDER BY site_id, period_from, period_to NULLS LAST, installation.id`),
      ({ site_id }) => site_id,
    ),
  ]);
  return { elements: withInstallations(sites, installations, areTextsOfThisVersion), totalElements };
}

/** Adds their installations to Sites. @param installations in chronological order at each Site */
function withInstallations(
  sites: SiteRow[],
  installations: Map<number, EquippedRow[]>,
  areTextsOfThisVersion: boolean,
): SiteWithEquipment[] {
  // Most configurations are those of many devices.
  const configurations = new Map<string, JsonText<Content['configuration']>>();
  const configurationOf = ({ equipment_type, configuration }: EquippedRow) => {
    const key = `${equipment_type} ${configuration}`;
    let known = configurations.get(key);
    if (known === undefined) {
      known = new JsonText(writeConfiguration(equipment_type, JSON.parse(configuration) as Content['configuration']));
      configurations.set(key, known);
    }
    return known;
  };
  const toWritten = (row: EquippedRow): JsonText<InstalledEquipment> => {
    const id = fromText<Content['id']>(row.document, areTextsOfThisVersion);
    return new JsonText(writeInstalled(row.equipment_type, { id, configuration: configurationOf(row), period: periodOf(row) }));
  };
  return sites.map((site) => ({
    ...toCorsSite(site),
    // Writing those of a thousand Sites at once would block other requests.
    get installations() {
      return installations.get(site.id)!.map(toWritten);
    },
  }));
}

const toItem = ({ document, configuration, period_from, period_to }: ItemRow): InstalledEquipment =>
  ({
    content: {
      id: JSON.parse(document) as unknown,
      configuration: JSON.parse(configuration) as unknown,
      period: periodOf({ period_from, period_to }),
    },
  }) as InstalledEquipment;

/** The instruments at a Site, in the order of the kinds; of a kind, in chronological order. */
export async function instrumentsOfSite(db: Database, site: number): Promise<InstalledInstrument[]> {
  const rows = await db.all<ItemRow>(sql`
    SELECT document, period_from, period_to, configuration FROM ${INSTALLED}
    WHERE site_id = ${site} AND superseded_at IS NULL AND ${db.dialect.isOneOf('equipment_type', INSTRUMENT_TYPES)}
    ORDER BY period_from, installation.id`);
  const items = rows.map(toItem) as InstalledInstrument[];
  return INSTRUMENT_TYPES.flatMap((kind) => items.filter(({ content: { id } }) => id.equipmentType === kind));
}
