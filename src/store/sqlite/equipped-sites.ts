import {
  areMost,
  EQUIPPED_COLUMNS,
  type EquippedRow,
  type KindOfDevice,
  TYPES_ON_RECORD,
  typesAskedFor,
  withInstallations,
} from '../rows/equipped-sites.js';
import type { Found } from '../search.js';
import type { SiteRow } from '../rows/sites.js';
import type { EquipmentSearch, SiteWithEquipment } from '../sites.js';
import type { Connection } from './connection.js';
import { findAtOnce } from './page-search.js';
import type { Condition, Table } from './selection.js';

/** The condition that an installation is in use at some time in a period. */
function inUseDuring({ from, to }: EquipmentSearch['overlaps']): Condition {
  const conditions: Condition[] = [['superseded_at IS NULL']];
  if (to !== null) conditions.push([from === to ? 'period_from <= ?' : 'period_from < ?', to]);
  if (from !== null) conditions.push(['(period_to IS NULL OR period_to > ?)', from]);
  return [conditions.map(([sql]) => sql).join(' AND '), ...conditions.flatMap(([, ...values]) => values)];
}

/** The installations of some types: a list of pairs of a kind and a type, as JSON. */
const OF_TYPES = `
  json_each(?) AS wanted CROSS JOIN equipment
  ON listed = 1 AND equipment_type = wanted.value ->> 0 AND equipment.type = wanted.value ->> 1
  CROSS JOIN installation ON equipment_id = equipment.id`;

/** The condition that a device is of one of some types. */
const IS_OF_TYPES = '(equipment_type, type) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))';

/** The condition that a Site used equipment of some types. @param types as JSON */
function usedTypes(isBySite: boolean, types: string, [during, ...bounds]: Condition): Condition {
  if (!isBySite) return [`site.id IN (SELECT site_id FROM ${OF_TYPES} WHERE ${during})`, types, ...bounds];
  return [
    `EXISTS (
      SELECT 1 FROM installation INDEXED BY installation_at_site CROSS JOIN equipment ON equipment.id = equipment_id
      WHERE site_id = site.id AND ${during} AND listed = 1 AND ${IS_OF_TYPES})`,
    ...bounds,
    types,
  ];
}

/** A page of the Sites that used some equipment, with that equipment; several reads, within the transaction of the caller. */
export function findEquippedSites(connection: Connection, table: Table, search: EquipmentSearch): Found<SiteWithEquipment> {
  const onRecord = connection.all<KindOfDevice>(`SELECT ${TYPES_ON_RECORD}`);
  const asked = typesAskedFor(onRecord, search);
  const types = JSON.stringify(asked.map(({ equipmentType, type }) => [equipmentType, type]));
  const inPeriod = inUseDuring(search.overlaps);
  const [used, ...values] = usedTypes(areMost(asked, onRecord), types, inPeriod);
  const [during, ...bounds] = inPeriod;
  const statement = { ...table, matching: `FROM site WHERE ${used}`, order: 'four_character_id, nine_character_id', values };
  const { elements, totalElements } = findAtOnce<SiteRow>(connection, statement, search);
  const installations = connection.partsOfPage<EquippedRow>(
    ({ site_id }) => site_id,
    `SELECT ${EQUIPPED_COLUMNS}
     FROM (SELECT key AS place, value AS id FROM json_each(?)) AS chosen
     CROSS JOIN installation INDEXED BY installation_at_site ON site_id = chosen.id
     CROSS JOIN equipment ON equipment.id = equipment_id
     WHERE ${during} AND listed = 1 AND ${IS_OF_TYPES}
     ORDER BY chosen.place, period_from, period_to IS NULL, period_to, installation.id`,
    JSON.stringify(elements.map(({ id }) => id)),
    ...bounds,
    types,
  );
  return { elements: withInstallations(elements, installations), totalElements };
}
