import { type EquipmentType, INSTRUMENT_TYPES, type InstalledEquipment, type InstalledInstrument } from '../../../schemas/index.js';
import { compileTypePattern } from '../../requests/type-pattern.js';
import type { EquipmentSearch, SiteWithEquipment } from '../sites.js';
import { periodOf } from './installations.js';
import { type SiteRow, toCorsSite } from './sites.js';

/** A kind and a type of equipment. */
export interface KindOfDevice {
  equipmentType: EquipmentType;
  type: string;
}

/** Those of the types on record that a search asks for. */
export function typesAskedFor(onRecord: KindOfDevice[], { types, equipmentType }: EquipmentSearch): KindOfDevice[] {
  const patterns = types.map(compileTypePattern);
  return onRecord.filter(
    (each) => (equipmentType === null || each.equipmentType === equipmentType) && patterns.some((matches) => matches(each.type)),
  );
}

/** An installation at a Site, with the identity of its device. */
export interface EquippedRow {
  site_id: number;
  document: string;
  period_from: string;
  period_to: string | null;
  configuration: string;
}

const toItem = ({ document, configuration, period_from, period_to }: EquippedRow): InstalledEquipment =>
  ({
    content: {
      id: JSON.parse(document) as unknown,
      configuration: JSON.parse(configuration) as unknown,
      period: periodOf({ period_from, period_to }),
    },
  }) as InstalledEquipment;

/** Puts installations to the rows of their Sites. */
export function withInstallations<Row extends SiteRow>(sites: Row[], installations: EquippedRow[]): SiteWithEquipment[] {
  const rows = new Map<number, EquippedRow[]>(sites.map(({ id }) => [id, []]));
  for (const each of installations) rows.get(each.site_id)!.push(each);
  return sites.map((site) => ({
    ...toCorsSite(site),
    // Parsing those of a thousand Sites at once would block other requests.
    get installations() {
      return rows.get(site.id)!.map(toItem);
    },
  }));
}

/** Installations of instruments, in the order of the kinds. @param rows in chronological order */
export function toInstruments(rows: EquippedRow[]): InstalledInstrument[] {
  const items = rows.map(toItem) as InstalledInstrument[];
  return INSTRUMENT_TYPES.flatMap((kind) => items.filter(({ content: { id } }) => id.equipmentType === kind));
}
