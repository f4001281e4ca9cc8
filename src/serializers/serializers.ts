import { createHash } from 'node:crypto';
import type { TSchema } from '@sinclair/typebox';
import { toPlainSchema } from '../../schemas/index.js';
import { JsonText } from './json-text.js';

/**
 * Writes a value as JSON, exactly as its schema has it, members in the order of the schema. Members
 * that the schema does not have are left out. A {@link JsonText} is written as it is.
 * fast-json-stringify is not used: it coerces wrong types, writes required members first, and
 * validates each value of a union against each variant.
 * @throws {TypeError} if a value has another type than its schema, or lacks a required member
 */
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

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const wrong = (value: unknown, expected: string): TypeError =>
  new TypeError(`expected ${expected}, not a value of type ${jsonTypeOf(value)}`);

/** Writes a value of a simple type; undefined if it is not of that type. */
const SIMPLE: Record<string, (value: unknown) => string | undefined> = {
  string: (value) => (typeof value === 'string' ? JSON.stringify(value) : undefined),
  integer: (value) => (Number.isInteger(value) ? String(value) : undefined),
  number: (value) => (Number.isFinite(value) ? String(value) : undefined),
  boolean: (value) => (typeof value === 'boolean' ? String(value) : undefined),
  null: (value) => (value === null ? 'null' : undefined),
};

/** Compiles one simple type, or two: `["string", "null"]`. */
function compileSimple(types: string[]): Serialize {
  const [first, second] = types.map((type) => SIMPLE[type]);
  if (first === undefined || types.length > 2)
    throw new Error(`no serializer for the type ${types.join(', ')}`);
  return (value) => {
    const text = first(value) ?? second?.(value);
    if (text === undefined) throw wrong(value, types.join(' or '));
    return text;
  };
}

/** Compiles a literal. */
function compileLiteral(literal: unknown): Serialize {
  const text = JSON.stringify(literal);
  return (value) => {
    if (value !== literal) throw wrong(value, text);
    return text;
  };
}

/** The literals in an object schema, by path: `content.id.equipmentType`. */
function literalsOf(schema: JsonSchema, path = ''): Map<string, unknown> {
  if (schema.const !== undefined) return new Map([[path.slice(1), schema.const]]);
  return new Map(
    Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
      ...literalsOf(member, `${path}.${name}`),
    ]),
  );
}

/** The value at a path; undefined if there is none. */
const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce(
    (each, name) =>
      typeof each === 'object' && each !== null
        ? (each as Record<string, unknown>)[name]
        : undefined,
    value,
  );

/**
 * Compiles a union of two objects: a member that only the first one requires selects its
 * serializer.
 */
function compileTwoObjects([first, second]: JsonSchema[]): Serialize {
  const own = first!.required?.find((name) => second!.properties?.[name] === undefined);
  if (own === undefined)
    throw new Error(
      'a union of objects needs a literal or a member that distinguishes its variants',
    );
  const serializeFirst = compile(first!);
  const serializeSecond = compile(second!);
  return (value) => (valueAt(value, [own]) === undefined ? serializeSecond : serializeFirst)(value);
}

/**
 * Compiles a union of objects. A literal that differs between all variants selects the serializer;
 * one variant may lack the literal.
 */
function compileObjects(variants: JsonSchema[]): Serialize {
  if (variants.length === 1) return compile(variants[0]!);
  const literals = variants.map((variant) => literalsOf(variant));
  const path = [...new Set(literals.flatMap((each) => [...each.keys()]))].find(
    (each) => new Set(literals.map((of) => of.get(each))).size === variants.length,
  );
  if (path === undefined) return compileTwoObjects(variants);
  const serializers = new Map(
    variants.map((variant, index) => [literals[index]!.get(path), compile(variant)]),
  );
  const names = path.split('.');
  return (value) => {
    const literal = valueAt(value, names);
    const serialize = serializers.get(literal);
    if (serialize === undefined)
      throw new TypeError(
        `${path} is ${JSON.stringify(literal)}, which no variant of the schema has`,
      );
    return serialize(value);
  };
}

/** Compiles the variants of a union that have one JSON type. */
function compileAlike(type: string, variants: JsonSchema[]): Serialize {
  if (type === 'object') return compileObjects(variants);
  return variants.length === 1 ? compile(variants[0]!) : compileLiterals(variants);
}

/**
 * Compiles a union. The JSON type of a value selects the variant; a literal selects among objects.
 */
function compileUnion(variants: JsonSchema[]): Serialize {
  const all = variants.flatMap((variant) => variant.anyOf ?? [variant]);
  const serializers = new Map<string, Serialize>();
  for (const type of new Set(all.map((variant) => String(variant.type)))) {
    const alike = all.filter((variant) => variant.type === type);
    // An integer is a number in JSON; its own serializer checks that it is whole.
    serializers.set(type === 'integer' ? 'number' : type, compileAlike(type, alike));
  }
  return (value) => {
    const serialize = serializers.get(jsonTypeOf(value));
    if (serialize === undefined) throw wrong(value, [...serializers.keys()].join(' or '));
    return serialize(value);
  };
}

/** Compiles a union of literals of one type. */
function compileLiterals(variants: JsonSchema[]): Serialize {
  const allowed = new Map(
    variants.map((variant) => [variant.const, JSON.stringify(variant.const)]),
  );
  return (value) => {
    const text = allowed.get(value);
    if (text === undefined)
      throw new TypeError(
        `${JSON.stringify(value)} is none of ${[...allowed.values()].join(', ')}`,
      );
    return text;
  };
}

function compileObject({
  properties = {},
  patternProperties,
  required = [],
}: JsonSchema): Serialize {
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    label: `${JSON.stringify(name)}:`,
    next: `,${JSON.stringify(name)}:`,
    serialize: compile(member),
    required: required.includes(name),
  }));
  const [others] = Object.values(patternProperties ?? {}).map(compile);
  return (value) => {
    if (jsonTypeOf(value) !== 'object') throw wrong(value, 'an object');
    const object = value as Record<string, unknown>;
    let text = '';
    for (const { name, label, next, serialize, required } of members) {
      const member = object[name];
      if (member !== undefined) text += (text === '' ? label : next) + serialize(member);
      else if (required) throw new TypeError(`"${name}" is required`);
    }
    if (others !== undefined) {
      for (const [name, member] of Object.entries(object))
        text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${others(member)}`;
    }
    return `{${text}}`;
  };
}

function compileArray({ items = {} }: JsonSchema): Serialize {
  const serialize = compile(items);
  return (value) => {
    if (!Array.isArray(value)) throw wrong(value, 'an array');
    return `[${value.map(serialize).join(',')}]`;
  };
}

/** Compiles a union, an object or an array. */
function compileParts(schema: JsonSchema): Serialize {
  if (schema.anyOf !== undefined) return compileUnion(schema.anyOf);
  return schema.type === 'object' ? compileObject(schema) : compileArray(schema);
}

function compile(schema: JsonSchema): Serialize {
  const { type, anyOf, const: literal } = schema;
  if (literal !== undefined) return compileLiteral(literal);
  if (anyOf === undefined && type !== 'object' && type !== 'array')
    return compileSimple([type ?? 'unknown'].flat());
  const serialize = compileParts(schema);
  return (value) => (value instanceof JsonText ? value.text : serialize(value));
}

const compiled = new WeakMap<TSchema, Serialize>();

/**
 * The serializer of a schema. It is compiled on first use, because compiling all of them would take
 * half of the start time.
 */
export function serializerOf(schema: TSchema): Serialize {
  let serialize: Serialize | undefined;
  return (value) => {
    if (serialize === undefined) {
      serialize = compiled.get(schema) ?? compile(toPlainSchema(schema));
      compiled.set(schema, serialize);
    }
    return serialize(value);
  };
}

/**
 * Keeps what determines the output of a serializer: objects, lists with their elements, and the
 * values of two keywords.
 */
const decisive = (key: string, value: unknown): unknown =>
  typeof value === 'object' || /^(type|const|\d+)$/.test(key) ? value : undefined;

/** What determines the output of the serializers of schemas. */
const decisiveText = (schemas: readonly TSchema[]): string =>
  JSON.stringify(
    schemas.map((schema) => toPlainSchema(schema)),
    decisive,
  );

/** A number for a text: 48 bits of a hash. */
const numberFor = (text: string): number =>
  createHash('sha256').update(text).digest().readUIntBE(0, 6);

/**
 * A number that identifies what the serializers of schemas write. It changes with the schemas, but
 * not with their descriptions.
 */
export const schemasVersion = (...schemas: TSchema[]): number => numberFor(decisiveText(schemas));

/** The same for texts that another build may write with other values. */
export const buildVersion = (build: string, ...schemas: TSchema[]): number =>
  numberFor(build + decisiveText(schemas));
