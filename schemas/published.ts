import type { TSchema } from '@sinclair/typebox';
import * as equipment from './equipment.js';
import { GnssReceiver, GnssReceiverCollection } from './gnss-receiver.js';
import { Problem } from './problem.js';
import { Health, Readiness } from './service-status.js';
import { SetupResource } from './setup.js';

/** The schemas that are published for clients, by the name of their file. */
export const PUBLISHED: Record<string, TSchema> = {
  Setup: SetupResource,
  EquipmentInUse: equipment.EquipmentInUse,
  GnssReceiverInUse: equipment.GnssReceiverInUse,
  GnssAntennaInUse: equipment.GnssAntennaInUse,
  HumiditySensorInUse: equipment.HumiditySensorInUse,
  ClockInUse: equipment.ClockInUse,
  GnssReceiver,
  GnssReceiverCollection,
  Problem,
  Health,
  Readiness,
};

/** A published schema as a JSON Schema document (2020-12), with its stable `$id`. */
export function toJsonSchema(name: string): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:gnss-site-setups:schema:${name}`,
    title: name,
    // Without TypeBox's own symbols and with its order of members.
    ...(JSON.parse(JSON.stringify(PUBLISHED[name])) as object),
  };
}
