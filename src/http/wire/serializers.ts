import type { TSchema } from '@sinclair/typebox';
import fastJsonStringify from 'fast-json-stringify';
import { toPlainSchema } from '../../../schemas/index.js';

/** Writes a value as JSON. Members that the schema does not have are left out. @throws {Error} if the value does not fit a union of the schema, or lacks a required member */
export type Serialize = (value: unknown) => string;

/** The part of JSON Schema that the contract uses for responses. */
interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  patternProperties?: Record<string, JsonSchema>;
}

/** Whether all required members precede the optional ones: fast-json-stringify writes them in that order. */
function isRequiredFirst({ properties = {}, required = [] }: JsonSchema): boolean {
  return Object.keys(properties).findLastIndex((name) => required.includes(name)) < required.length;
}

/** Whether fast-json-stringify can write a schema as the contract requires: without unions, and with the members in their order. */
const isPlain = (schema: JsonSchema): boolean =>
  schema.anyOf === undefined &&
  isRequiredFirst(schema) &&
  [
    ...Object.values(schema.properties ?? {}),
    ...Object.values(schema.patternProperties ?? {}),
    ...(schema.items ? [schema.items] : []),
  ].every(isPlain);

/** The literals in an object schema, by path: `content.id.equipmentType`. */
function literalsOf(schema: JsonSchema, path = ''): Map<string, unknown> {
  if (schema.const !== undefined) return new Map([[path.slice(1), schema.const]]);
  return new Map(Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [...literalsOf(member, `${path}.${name}`)]));
}

/** The value at a path; undefined if there is none. */
const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((each, name) => (typeof each === 'object' && each !== null ? (each as Record<string, unknown>)[name] : undefined), value);

/**
 * Compiles a union of objects. A literal that differs between all variants selects the serializer; one variant may lack
 * the literal. fast-json-stringify would validate each value against each variant instead.
 */
function compileObjects(variants: JsonSchema[]): Serialize {
  if (variants.length === 1) return compile(variants[0]!);
  const literals = variants.map((variant) => literalsOf(variant));
  const path = [...new Set(literals.flatMap((each) => [...each.keys()]))].find(
    (each) => new Set(literals.map((of) => of.get(each))).size === variants.length,
  );
  if (path === undefined) throw new Error('a union of objects needs a literal that distinguishes its variants');
  const serializers = new Map(variants.map((variant, index) => [literals[index]!.get(path), compile(variant)]));
  const names = path.split('.');
  return (value) => {
    const literal = valueAt(value, names);
    const serialize = serializers.get(literal);
    if (serialize === undefined) throw new TypeError(`${path} is ${JSON.stringify(literal)}, which no variant of the schema has`);
    return serialize(value);
  };
}

const jsonTypeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** Compiles a union. The JSON type of a value selects the variant; a literal selects among objects. */
function compileUnion(variants: JsonSchema[]): Serialize {
  const all = variants.flatMap((variant) => variant.anyOf ?? [variant]);
  const serializers = new Map<string, Serialize>();
  for (const type of new Set(all.map((variant) => String(variant.type)))) {
    const alike = all.filter((variant) => variant.type === type);
    serializers.set(type, type === 'object' ? compileObjects(alike) : alike.length === 1 ? compile(alike[0]!) : compileLiterals(alike));
  }
  return (value) => {
    const serialize = serializers.get(jsonTypeOf(value));
    if (serialize === undefined)
      throw new TypeError(`a value of type ${jsonTypeOf(value)} is none of ${[...serializers.keys()].join(', ')}`);
    return serialize(value);
  };
}

/** Compiles a union of literals of one type. */
function compileLiterals(variants: JsonSchema[]): Serialize {
  const allowed = new Map(variants.map((variant) => [variant.const, JSON.stringify(variant.const)]));
  return (value) => {
    const text = allowed.get(value);
    if (text === undefined) throw new TypeError(`${JSON.stringify(value)} is none of ${[...allowed.values()].join(', ')}`);
    return text;
  };
}

function compileObject({ properties = {}, patternProperties, required = [] }: JsonSchema): Serialize {
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    label: `${JSON.stringify(name)}:`,
    serialize: compile(member),
    required: required.includes(name),
  }));
  const [others] = Object.values(patternProperties ?? {}).map(compile);
  return (value) => {
    if (jsonTypeOf(value) !== 'object') throw new TypeError(`expected an object, not ${jsonTypeOf(value)}`);
    const object = value as Record<string, unknown>;
    let text = '';
    for (const { name, label, serialize, required } of members) {
      const member = object[name];
      if (member !== undefined) text += `${text === '' ? '' : ','}${label}${serialize(member)}`;
      else if (required) throw new TypeError(`"${name}" is required`);
    }
    if (others !== undefined) {
      for (const [name, member] of Object.entries(object)) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${others(member)}`;
    }
    return `{${text}}`;
  };
}

function compileArray({ items = {} }: JsonSchema): Serialize {
  const serialize = compile(items);
  return (value) => {
    if (!Array.isArray(value)) throw new TypeError(`expected an array, not ${jsonTypeOf(value)}`);
    return `[${value.map(serialize).join(',')}]`;
  };
}

/** Compiles a schema. Uses fast-json-stringify for every part that it can write as the contract requires. */
function compile(schema: JsonSchema): Serialize {
  if (isPlain(schema)) return fastJsonStringify(schema as Parameters<typeof fastJsonStringify>[0]);
  if (schema.anyOf !== undefined) return compileUnion(schema.anyOf);
  return schema.type === 'array' ? compileArray(schema) : compileObject(schema);
}

const compiled = new WeakMap<TSchema, Serialize>();

/** The serializer of a schema. It is compiled on first use, because compiling all of them would take half of the start time. */
export function serializerOf(schema: TSchema): Serialize {
  return (value) => {
    const serialize = compiled.get(schema) ?? compile(toPlainSchema(schema));
    compiled.set(schema, serialize);
    return serialize(value);
  };
}
