import { Type } from '@sinclair/typebox';
import {
  EQUIPMENT_KINDS,
  type EquipmentInUse,
  EquipmentInUse as EquipmentInUseSchema,
  type EquipmentType,
  INSTRUMENT_TYPES,
  type InstalledEquipment,
} from '../../schemas/index.js';
import type { Sendable } from './json-text.js';
import { type Serialize, serializerOf, versionOf } from './serializers.js';

/** What the store keeps as the text that responses contain. */

const EquipmentList = Type.Array(EquipmentInUseSchema);

/** Writes `equipmentInUse` of a Setup. */
export const writeEquipmentInUse: (equipment: readonly Sendable<EquipmentInUse>[]) => string = serializerOf(EquipmentList);

/** Writes one element of `equipmentInUse`. */
export const writeItem: (item: EquipmentInUse) => string = serializerOf(EquipmentInUseSchema);

/** The serializers of a part of each kind of equipment. */
const ofEachKind = (part: 'id' | 'configuration' | 'inUse') =>
  Object.fromEntries(Object.entries(EQUIPMENT_KINDS).map(([equipmentType, kind]) => [equipmentType, serializerOf(kind[part])])) as Record<
    EquipmentType,
    Serialize
  >;
const IDENTITIES = ofEachKind('id');
const INSTALLED = ofEachKind('inUse');

type Content = InstalledEquipment['content'];

/** Writes the identity of a device: the members of `content.id`. */
export const writeIdentity = (identity: Content['id']): string => IDENTITIES[identity.equipmentType](identity);

/** Writes an installation of a kind of equipment. The serializer of the union of all kinds cannot choose one if the identity was written before. */
export const writeInstalled = (equipmentType: EquipmentType, content: { [Name in keyof Content]: Sendable<Content[Name]> }): string =>
  INSTALLED[equipmentType]({ content });

let version: number | undefined;

/** The version of these texts. A text of another version, or of none, is parsed and written anew before it is sent. */
export const documentsVersion = (): number =>
  (version ??= versionOf(EquipmentList, ...INSTRUMENT_TYPES.map((type) => EQUIPMENT_KINDS[type].id)));
