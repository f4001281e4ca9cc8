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

/**
 * A TypeBox schema as plain JSON Schema: without TypeBox's own symbols, and a union of a simple type with null as
 * one schema of both types, which reads better and serializes faster.
 */
export function toPlainSchema(schema: TSchema): Record<string, unknown> {
  return plain(JSON.parse(JSON.stringify(schema))) as Record<string, unknown>;
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const { anyOf, ...rest } = value as { anyOf?: Record<string, unknown>[] };
  const [simple, none, ...more] = anyOf ?? [];
  if (none?.type === 'null' && more.length === 0 && (simple?.type === 'string' || simple?.type === 'number')) {
    return { ...rest, ...simple, type: [simple.type, 'null'] };
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}

/** A published schema as a JSON Schema document (2020-12), with its stable `$id`. */
export function toJsonSchema(name: string): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:gnss-site-setups:schema:${name}`,
    title: name,
    ...toPlainSchema(PUBLISHED[name]!),
  };
}
