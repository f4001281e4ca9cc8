import type { TSchema } from '@sinclair/typebox';
import { compileValue } from '../../exports/query-validator.js';

/**
 * Examples of parameters, by name, for operations whose example request does not have them. All are
 * valid for the sample network, except `after` of the feed, which differs between databases.
 */
const BY_NAME: Record<string, unknown> = {
  agency: 'Geoscience*',
  after: 'MS4xNzM0ODI5NTYx',
  asOf: '2030-01-01',
  at: '2013-07-08T00:45:00Z',
  bbox: '110,-45,155,-10',
  code: 'site-date',
  countryCode: 'AUS',
  datetime: '2012-01-01/2012-12-31',
  domesNumber: '50137M001',
  effectiveFrom: '2011-12-12',
  effectiveTo: '2014-12-12',
  equipmentType: 'gnss receiver',
  fourCharacterId: 'ALIC',
  format: 'geodesyml',
  from: '2016-01-01',
  id: 'ALIC',
  invalidated: false,
  kind: 'replaced',
  limit: 10,
  manufacturer: 'VAISALA',
  mergeGaps: 'P1D',
  near: '-23.67,133.89',
  nineCharacterId: 'BOR100POL',
  page: 0,
  q: 'alice',
  radius: 300,
  radomeType: 'NONE',
  recordedSince: '2026-01-01',
  satelliteSystem: 'GAL',
  serialNumber: '1830439',
  site: 'ALIC',
  size: 20,
  organisation: 'GEO',
  timeFormat: 'uuuu-MM-dd',
  to: '2017-01-01',
  type: 'TRIMBLE NETRS',
};

/** Examples for one collection only. */
const OF_COLLECTION: Record<string, Record<string, unknown>> = {
  installations: { radomeType: 'SCIS' },
  changes: { sort: 'at,desc' },
  gnssAntennas: { type: 'LEIAR25.R3      NONE' },
  humiditySensors: { type: 'PAROSCIENTIFIC MET3A', serialNumber: '98850' },
  clocks: { type: 'INTERNAL' },
  siteLogs: { form: 'IGS site log 1', datePrepared: '2017-02-23' },
};

/** A value that a schema allows, if its name says nothing. */
function plainExample({ type, anyOf, const: literal, minimum = 1, pattern }: TSchema): unknown {
  if (anyOf !== undefined) return plainExample((anyOf as TSchema[])[0]!);
  if (literal !== undefined) return literal;
  if (type === 'integer' || type === 'number') return Math.max(1, minimum as number);
  if (type === 'boolean') return true;
  // The order of a collection begins with one of its properties.
  const [, first] = /^\^\(([\w.\\]+)/.exec((pattern as string | undefined) ?? '') ?? [];
  return first?.replaceAll('\\', '') ?? 'text';
}

/** The collection that a path lists or exports: its last part without a format. */
const collectionOf = (path: string): string => path.split('/').at(-1)!.split('.')[0]!;

/** An example of a parameter. @param given its value in the example request of the operation */
export function exampleOf(path: string, name: string, schema: TSchema, given: unknown): unknown {
  const item = (schema.type === 'array' ? schema.items : schema) as TSchema;
  const parse = compileValue(item);
  const candidates = [given, OF_COLLECTION[collectionOf(path)]?.[name], BY_NAME[name]].filter(
    (each) => each !== undefined,
  );
  const value =
    candidates.map((each) => parse(String(each))).find((each) => each !== undefined) ??
    plainExample(item);
  return schema.type === 'array' ? [value] : value;
}
