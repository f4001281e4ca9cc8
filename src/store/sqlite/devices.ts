import { type CorsSite, type EquipmentInUse, type Setup, SETUP_NAME, type Source } from '../../schemas/index.js';
import type { Device, Elements } from './store.js';

/** How the elements of a source are read: where from, which columns, and what each property is in SQL. */
interface SourceSql<E> {
  from: string;
  /** What is an element at all. */
  where: string;
  id: string;
  columns: string;
  /** What a property is in SQL; one that is not named here is none. */
  properties: Record<string, string>;
  toElement: (row: never) => E;
}

/** id, site_id, effective_from, effective_to, superseded_at, equipment_in_use */
export type SetupRow = [number, number, string, string | null, string | null, string];
export const SETUP_COLUMNS =
  'setup.id, setup.site_id, setup.effective_from, setup.effective_to, setup.superseded_at, setup.equipment_in_use';

export function toSetup([id, siteId, from, to, supersededAt, equipmentInUse]: SetupRow): Setup {
  return {
    id,
    siteId,
    name: SETUP_NAME,
    effectivePeriod: { from, to },
    invalidated: supersededAt !== null,
    equipmentInUse: JSON.parse(equipmentInUse) as EquipmentInUse[],
    current: supersededAt === null && to === null,
  };
}

type Text = string | null;
type SiteRow = [number, Text, Text, Text, string, Text, Text, Text, Text, number | null, Text, Text];

function toCorsSite([
  id,
  name,
  notes,
  dateInstalled,
  fourCharacterId,
  domesNumber,
  description,
  foundation,
  markerDescription,
  height,
  geologicCharacteristic,
  bedrockType,
]: SiteRow): CorsSite {
  return {
    id,
    name,
    description: notes,
    dateInstalled,
    fourCharacterId,
    domesNumber,
    monument: { description, foundation, markerDescription, height },
    geologicCharacteristic,
    bedrockType,
    siteStatus: null,
  };
}

function toDevice([id, identity]: [number, string]): Device {
  return { id, identity: JSON.parse(identity) as Device['identity'] };
}

export const SOURCES: { [S in Source]: SourceSql<Elements[S]> } = {
  setup: {
    from: 'setup',
    where: 'TRUE',
    id: 'setup.id',
    columns: SETUP_COLUMNS,
    properties: {
      id: 'setup.id',
      siteId: 'setup.site_id',
      // Not a plain constant, which SQLite would take for the number of a column to sort by.
      name: `iif(setup.id, '${SETUP_NAME}', NULL)`,
      'effectivePeriod.from': 'setup.effective_from',
      'effectivePeriod.to': 'setup.effective_to',
      invalidated: '(setup.superseded_at IS NOT NULL)',
      current: '(setup.superseded_at IS NULL AND setup.effective_to IS NULL)',
    },
    toElement: toSetup,
  },
  site: {
    from: 'site',
    where: 'TRUE',
    id: 'site.id',
    columns: `id, name, notes, date_installed, four_character_id, domes_number, monument_description, monument_foundation,
      marker_description, monument_height, geologic_characteristic, bedrock_type`,
    properties: {
      id: 'site.id',
      name: 'site.name',
      description: 'site.notes',
      dateInstalled: 'site.date_installed',
      fourCharacterId: 'site.four_character_id',
      domesNumber: 'site.domes_number',
      'monument.description': 'site.monument_description',
      'monument.foundation': 'site.monument_foundation',
      'monument.markerDescription': 'site.marker_description',
      'monument.height': 'site.monument_height',
      geologicCharacteristic: 'site.geologic_characteristic',
      bedrockType: 'site.bedrock_type',
      siteStatus: 'iif(site.id, NULL, NULL)',
    },
    toElement: toCorsSite,
  },
  equipment: {
    from: 'equipment',
    where: 'equipment.listed = 1',
    id: 'equipment.id',
    columns: 'equipment.id, equipment.document',
    properties: {
      type: 'equipment.type',
      equipmentType: 'equipment.equipment_type',
      manufacturer: "equipment.document ->> '$.manufacturer'",
      serialNumber: 'equipment.serial_number',
      aspiration: "equipment.document ->> '$.aspiration'",
    },
    toElement: toDevice,
  },
};
