import type { EquipmentInUse, EquipmentType } from '../../../schemas/index.js';
import { compileTypePattern } from '../../requests/type-pattern.js';
import type { Found } from '../search.js';
import type { EquipmentSearch } from '../sites.js';
import type { Connection } from './connection.js';
import { findAtOnce } from './page-search.js';
import type { Condition, Table } from './selection.js';

/** The types on record; there are few. */
const TYPES = "SELECT equipment_type AS equipmentType, type FROM equipment_type_count WHERE devices > 0 AND type <> ''";

/** A kind and a type of equipment. */
interface KindOfDevice {
  equipmentType: EquipmentType;
  type: string;
}

/** The types on record that a search asks for, as JSON: a list of pairs of a kind and a type. */
function matchingTypes(connection: Connection, { types, equipmentType }: EquipmentSearch): string {
  const patterns = types.map(compileTypePattern);
  const matching = connection
    .all<KindOfDevice>(TYPES)
    .filter((each) => equipmentType === null || each.equipmentType === equipmentType)
    .filter(({ type }) => patterns.some((matches) => matches(type)));
  return JSON.stringify(matching.map((each) => [each.equipmentType, each.type]));
}

/** The condition that an installation is in use at some time in a period. */
function inUseDuring({ from, to }: EquipmentSearch['overlaps']): Condition {
  const conditions: Condition[] = [['superseded_at IS NULL']];
  if (to !== null) conditions.push([from === to ? 'period_from <= ?' : 'period_from < ?', to]);
  if (from !== null) conditions.push(['(period_to IS NULL OR period_to > ?)', from]);
  return [conditions.map(([sql]) => sql).join(' AND '), ...conditions.flatMap(([, ...values]) => values)];
}

const OF_TYPES = `
  json_each(?) AS wanted CROSS JOIN equipment ON listed = 1 AND equipment_type = wanted.value ->> 0 AND equipment.type = wanted.value ->> 1
  CROSS JOIN installation ON equipment_id = equipment.id`;

/** A row of the installations on a page. */
interface InstallationRow {
  site_id: number;
  document: string;
  period_from: string;
  period_to: string | null;
  configuration: string;
}

const toItem = ({ document, configuration, period_from, period_to }: InstallationRow): EquipmentInUse =>
  ({
    content: {
      id: JSON.parse(document) as unknown,
      configuration: JSON.parse(configuration) as unknown,
      period: { from: period_from, to: period_to },
    },
  }) as EquipmentInUse;

/** A page of the Sites that used some equipment, with that equipment; several reads, within the transaction of the caller. */
export function findEquippedSites<Row extends { id: number }>(
  connection: Connection,
  table: Table,
  search: EquipmentSearch,
): Found<{ row: Row; installations: EquipmentInUse[] }> {
  const types = matchingTypes(connection, search);
  const [during, ...bounds] = inUseDuring(search.overlaps);
  const statement = {
    ...table,
    matching: `FROM site WHERE id IN (SELECT site_id FROM ${OF_TYPES} WHERE ${during})`,
    order: 'four_character_id, nine_character_id',
    values: [types, ...bounds],
  };
  const { elements, totalElements } = findAtOnce<Row>(connection, statement, search);
  const rows = connection.page<InstallationRow>(
    `SELECT site_id, document, period_from, period_to, configuration
     FROM installation INDEXED BY installation_at_site JOIN equipment ON equipment.id = equipment_id
     WHERE site_id IN (SELECT value FROM json_each(?)) AND ${during}
     AND (equipment_type, type) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))
     ORDER BY period_from, period_to IS NULL, period_to, installation.id`,
    JSON.stringify(elements.map(({ id }) => id)),
    ...bounds,
    types,
  );
  const items = new Map<number, EquipmentInUse[]>(elements.map(({ id }) => [id, []]));
  for (const row of rows) items.get(row.site_id)!.push(toItem(row));
  return { elements: elements.map((row) => ({ row, installations: items.get(row.id)! })), totalElements };
}
