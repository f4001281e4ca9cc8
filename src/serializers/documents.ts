import * as Type from '@sinclair/typebox';
import {
  EQUIPMENT_KINDS,
  EQUIPMENT_TYPES,
  type EquipmentInUse,
  EquipmentInUse as EquipmentInUseSchema,
  INSTRUMENT_TYPES,
  type InstalledEquipment,
} from '../../schemas/index.js';
import type { Sendable } from './json-text.js';
import { serializerOf, schemasVersion } from './serializers.js';

/** What the store keeps as the text that responses contain. */

const EquipmentList = Type.Array(EquipmentInUseSchema);

/** Writes `equipmentInUse` of a Setup. */
export const writeEquipmentInUse: (equipment: readonly Sendable<EquipmentInUse>[]) => string =
  serializerOf(EquipmentList);

/** Writes one element of `equipmentInUse`. */
export const writeItem: (item: EquipmentInUse) => string = serializerOf(EquipmentInUseSchema);

const IDENTITIES = Object.fromEntries(
  EQUIPMENT_TYPES.map((type) => [type, serializerOf(EQUIPMENT_KINDS[type].id)]),
);

/** Writes the identity of a device: the members of `content.id`. */
export const writeIdentity = (identity: InstalledEquipment['content']['id']): string =>
  IDENTITIES[identity.equipmentType]!(identity);

let version: number | undefined;

/**
 * The version of these texts. A text of another version, or of none, is parsed and written anew
 * before it is sent.
 */
export const documentsVersion = (): number =>
  (version ??= schemasVersion(
    EquipmentList,
    ...INSTRUMENT_TYPES.map((type) => EQUIPMENT_KINDS[type].id),
  ));
