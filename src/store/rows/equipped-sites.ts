import { type EquipmentType, INSTRUMENT_TYPES, type InstalledEquipment, type InstalledInstrument } from '../../../schemas/index.js';
import { compileTypePattern } from '../../requests/type-pattern.js';
import { writeConfiguration, writeInstalled } from '../../serializers/documents.js';
import { JsonText } from '../../serializers/json-text.js';
import type { EquipmentSearch, SiteWithEquipment } from '../sites.js';
import { periodOf } from './installations.js';
import { type SiteRow, toCorsSite } from './sites.js';
import { fromText } from '../written-text.js';

type Content = InstalledEquipment['content'];

/** A kind and a type of equipment, and how many such devices are listed. */
export interface KindOfDevice {
  equipmentType: EquipmentType;
  type: string;
  devices: number;
}

/** The columns and the source of all kinds and types on record; there are few. The rows are {@link KindOfDevice}. */
export const TYPES_ON_RECORD = `
  equipment_type AS "equipmentType", type, devices FROM equipment_type_count
  WHERE devices > 0 AND type <> '' ORDER BY equipment_type, type`;

/** Those of the types on record that a search asks for. */
export function typesAskedFor(onRecord: KindOfDevice[], { types, equipmentType }: EquipmentSearch): KindOfDevice[] {
  const patterns = types.map(compileTypePattern);
  return onRecord.filter(
    (each) => (equipmentType === null || each.equipmentType === equipmentType) && patterns.some((matches) => matches(each.type)),
  );
}

const devicesOf = (types: KindOfDevice[]): number => types.reduce((sum, { devices }) => sum + devices, 0);

/**
 * Whether most devices are of some types. Then a search looks at the installations of each Site until one matches; otherwise at
 * those of each device of these types.
 */
export const areMost = (types: KindOfDevice[], onRecord: KindOfDevice[]): boolean => 2 * devicesOf(types) >= devicesOf(onRecord);

/** An installation, with the identity of its device. */
export interface ItemRow {
  document: string;
  period_from: string;
  period_to: string | null;
  configuration: string;
}

/** An installation at a Site that a search found. */
export interface EquippedRow extends ItemRow {
  site_id: number;
  equipment_type: EquipmentType;
  written_by: number | null;
}

/** The columns of an {@link EquippedRow}. */
export const EQUIPPED_COLUMNS = 'site_id, equipment_type, document, written_by, period_from, period_to, configuration';

/** Adds their installations to Sites. @param installations in chronological order at each Site */
export function withInstallations(sites: SiteRow[], installations: EquippedRow[]): SiteWithEquipment[] {
  const rows = Map.groupBy(installations, ({ site_id }) => site_id);
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
    const id = fromText<Content['id']>(row.document, row.written_by);
    return new JsonText(writeInstalled(row.equipment_type, { id, configuration: configurationOf(row), period: periodOf(row) }));
  };
  return sites.map((site) => ({
    ...toCorsSite(site),
    // Writing those of a thousand Sites at once would block other requests.
    get installations() {
      return rows.get(site.id)!.map(toWritten);
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

/** Installations of instruments, in the order of the kinds. @param rows in chronological order */
export function toInstruments(rows: ItemRow[]): InstalledInstrument[] {
  const items = rows.map(toItem) as InstalledInstrument[];
  return INSTRUMENT_TYPES.flatMap((kind) => items.filter(({ content: { id } }) => id.equipmentType === kind));
}
