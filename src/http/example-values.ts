import type { TSchema } from '@sinclair/typebox';

/** Examples of parameters, by name, for operations whose example request does not have them. All are valid for the sample network. */
const BY_NAME: Record<string, unknown> = {
  asOf: '2030-01-01',
  at: '2013-07-08T00:45:00Z',
  bbox: '110,-45,155,-10',
  countryCode: 'AUS',
  datetime: '2012-01-01/2012-12-31',
  effectiveFrom: '2011-12-12',
  effectiveTo: '2014-12-12',
  equipmentType: 'gnss receiver',
  fourCharacterId: 'ALIC',
  from: '2016-01-01',
  id: 'ALIC',
  limit: 10,
  manufacturer: 'Vaisala',
  mergeGaps: 'P1D',
  near: '-23.67,133.89',
  nineCharacterId: 'ALIC00AUS',
  page: 0,
  q: 'alice',
  radius: 300,
  recordedSince: '2026-01-01',
  serialNumber: '1830439',
  size: 20,
  timeFormat: 'uuuu-MM-dd',
  to: '2017-01-01',
  type: 'TRIMBLE NETRS',
};

/** The value of a text, as its schema has it. */
function typed(type: unknown, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  return type === 'integer' || type === 'number' ? Number(text) : type === 'boolean' ? text === 'true' : text;
}

/** A value that a schema allows, if its name says nothing. */
function plainExample({ type, anyOf, const: literal, minimum = 1, pattern, description }: TSchema): unknown {
  if (anyOf !== undefined) return plainExample((anyOf as TSchema[])[0]!);
  if (literal !== undefined) return literal;
  if (type === 'integer' || type === 'number') return Math.max(1, minimum as number);
  if (type === 'boolean') return true;
  // The order of a collection begins with one of its properties.
  const [, first] = /^\^\(([\w.\\]+)/.exec((pattern as string | undefined) ?? '') ?? [];
  return first?.replaceAll('\\', '') ?? description?.split(' ')[0] ?? 'text';
}

/** An example of a parameter. @param given its value in the example request of the operation */
export function exampleOf(name: string, schema: TSchema, given: unknown): unknown {
  const item = (schema.type === 'array' ? schema.items : schema) as TSchema;
  const isAllowed = (value: unknown): boolean => {
    const { anyOf, pattern, const: literal } = item;
    if (literal !== undefined) return value === literal;
    if (anyOf !== undefined) return (anyOf as TSchema[]).some((each) => each.const === value);
    if (item.type === 'integer' || item.type === 'number') return Number.isFinite(value);
    return typeof value === 'string' && (pattern === undefined || new RegExp(pattern as string).test(value));
  };
  const known = [typed(item.type, given), typed(item.type, BY_NAME[name])].find((value) => value !== undefined && isAllowed(value));
  const value = known ?? plainExample(item);
  return schema.type === 'array' ? [value] : value;
}
