import { isDeepStrictEqual } from 'node:util';

/**
 * Compares two exports of the contract as their clients see it.
 *
 * What the service sends (responses, headers, published types) and what clients send (parameters, request bodies) are
 * judged in opposite directions: a client cannot cope with values it was not told of, and the service must go on taking
 * every value it took. Where a change is not understood, it counts as a break: better one warning too many.
 *
 * Three choices, that theory alone does not make:
 * - A new member is no break, although published types are closed (`additionalProperties: false`): clients ignore what
 *   they do not know. For the same reason a type that is opened merely adds.
 * - A type that is narrowed (number to integer, a variant of a union gone) breaks in responses too: clients generated
 *   from the contract change their types, and what could be read is no longer sent. Null that is sent no more, a value
 *   of an enumeration that is, or a narrower bound breaks no reader.
 * - The names by which generated clients call (`operationId`, parameters of paths) are part of the contract.
 */

/** A JSON object as it was read. */
export type Json = { readonly [key: string]: unknown };

/** An export as it was read. */
export interface Contract {
  /** What messages call it: its folder. */
  name: string;
  /** openapi.json */
  openapi: Json;
  /** The JSON Schema of each published type, by the name of the type. */
  types: Readonly<Record<string, Json>>;
}

/** One difference. */
export interface Change {
  /** The file (`Clock.json`) or operation (`GET /setups`). */
  where: string;
  /** The place there: of a value the JSON path (`$._embedded.clocks[*].type`), after the part of the operation that it is in. */
  path: string;
  /** In plain words, old -> new. */
  what: string;
}

/** What differs. */
export interface Comparison {
  breaks: Change[];
  /** What clients can do without noticing: new offers, and promises that became stricter. */
  additions: Change[];
  /** The operations that both exports have. */
  operations: string[];
}

/** An export that cannot be compared; the message is one line that names it and says why. */
export class ContractUnusable extends Error {
  override readonly name = 'ContractUnusable';
}

/** Who receives a value: of a response the client, of a request the service. */
type Direction = 'response' | 'request';

/** A schema (or another object of OpenAPI) and the document that its local references are of. */
interface Located {
  schema: unknown;
  root: Json;
}

/** What is left when references are followed. */
interface Followed {
  schema: Json;
  root: Json;
  /** The published type that was referred to. */
  type: string | null;
}

/** One of the kinds of values a schema allows: an object, a string, one of three numbers ... */
interface Kind extends Followed {
  /** The JSON types but null; null: any. */
  types: string[] | null;
  /** The only values but null; null: any of the types. */
  values: unknown[] | null;
}

/** A schema by the kinds of values it allows. */
interface Shape {
  nullable: boolean;
  kinds: Kind[];
  /** What a union says of all its kinds. */
  base: Kind | null;
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Says nothing of which values are allowed; `default` is looked at on its own. */
const ANNOTATIONS = new Set(
  (
    '$schema $id $comment $defs definitions title summary description example examples default deprecated externalDocs ' +
    'readOnly writeOnly xml'
  ).split(' '),
);
const isAnnotation = (key: string): boolean => ANNOTATIONS.has(key) || key.startsWith('x-');

/** The keywords with a comparison of their own. */
const WEIGHED = new Set(
  (
    '$ref type const enum anyOf oneOf allOf properties required additionalProperties patternProperties items prefixItems ' +
    'minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems minProperties maxProperties ' +
    'pattern format multipleOf uniqueItems not'
  ).split(' '),
);

/** The bounds, by keyword, in plain words. */
const LOWER_BOUNDS: Record<string, string> = {
  minimum: 'least value',
  exclusiveMinimum: 'value that all exceed',
  minLength: 'least length',
  minItems: 'least number of elements',
  minProperties: 'least number of members',
};
const UPPER_BOUNDS: Record<string, string> = {
  maximum: 'greatest value',
  exclusiveMaximum: 'value that all stay below',
  maxLength: 'greatest length',
  maxItems: 'greatest number of elements',
  maxProperties: 'greatest number of members',
};

/** A value in a message, in one line that can be read. */
function shown(value: unknown): string {
  if (value === undefined) return 'none';
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

const includes = (values: unknown[], value: unknown): boolean => values.some((each) => isDeepStrictEqual(each, value));

/** A part of a JSON Pointer in a URL as the key that it stands for (RFC 6901, 4 and 6). */
function unescapePointer(part: string): string {
  const key = /%(?![0-9A-Fa-f]{2})/.test(part) ? part : decodeURIComponent(part);
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The step from an object to a member, as JSON paths are written. */
const step = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);

const COMPONENT_SCHEMA = /^#\/components\/schemas\/([^/]+)$/;
/** The `$id` of a type ends with its name. */
const TYPE_ID = /^[^#]*[:/]([^:/#]+)$/;

/** One of the two exports, with its references. */
class Export {
  readonly name: string;
  readonly openapi: Json;
  readonly types: ReadonlyMap<string, Json>;
  readonly #typesById = new Map<string, string>();

  constructor({ name, openapi, types }: Contract) {
    this.name = name;
    this.openapi = openapi;
    this.types = new Map(Object.entries(types));
    for (const [type, { $id }] of this.types) {
      if (typeof $id !== 'string') continue;
      if (this.#typesById.has($id)) throw new ContractUnusable(`${name}: "${$id}" is the $id of two types`);
      this.#typesById.set($id, type);
    }
  }

  /**
   * The object at a key; an empty one where there is none.
   * @throws {ContractUnusable} when something else is there
   */
  part(object: Json, key: string): Json {
    const value = Object.hasOwn(object, key) ? object[key] : {};
    if (!isObject(value)) throw new ContractUnusable(`${this.name}: ${key} is ${shown(value)}, expected an object`);
    return value;
  }

  /** The members of the object at a key. */
  parts(object: Json, key: string): Map<string, unknown> {
    return new Map(Object.entries(this.part(object, key)));
  }

  /**
   * The elements of the array at a key; none where there is no array.
   * @throws {ContractUnusable} when something else is there
   */
  list(object: Json, key: string): unknown[] {
    const value = object[key] ?? [];
    if (!Array.isArray(value)) throw new ContractUnusable(`${this.name}: ${key} is ${shown(value)}, expected an array`);
    return value;
  }

  /** What a reference leads to: a JSON Pointer into the same document, the `$id` of a type, or both; null: nowhere. */
  locate(ref: string, root: Json): (Located & { type: string | null }) | null {
    const [id, pointer = ''] = ref.split('#', 2) as [string, string?];
    const named = this.#typesById.get(id) ?? null;
    const target = id === '' ? root : named === null ? undefined : this.types.get(named);
    let schema: unknown = target;
    for (const part of pointer.split('/').slice(1)) {
      const key = unescapePointer(part);
      schema = typeof schema === 'object' && schema !== null && Object.hasOwn(schema, key) ? (schema as Json)[key] : undefined;
    }
    if (schema === undefined || target === undefined) return null;
    const component = target === this.openapi ? COMPONENT_SCHEMA.exec(ref)?.[1] : undefined;
    return { schema, root: target, type: component ?? (pointer === '' ? named : null) };
  }

  /**
   * Follows references until there is something else. What a schema says beside a reference holds too. Where a reference
   * leads nowhere nothing is allowed; it keeps the name of the type, which is told to be gone once and not at each use.
   * @throws {ContractUnusable} when a reference leads in a circle, or what is there is no schema
   */
  follow({ schema, root }: Located): Followed {
    const seen = new Set<unknown>();
    let type: string | null = null;
    for (;;) {
      if (schema === undefined || schema === true) return { schema: {}, root, type };
      if (schema === false) return { schema: { not: {} }, root, type };
      if (!isObject(schema)) throw new ContractUnusable(`${this.name}: ${shown(schema)} stands where a schema is expected`);
      const { $ref, ...beside } = schema;
      if (typeof $ref !== 'string') return { schema, root, type };
      if (Object.keys(beside).some((key) => !isAnnotation(key))) return { schema: { allOf: [{ $ref }, beside] }, root, type };
      if (seen.has(schema)) throw new ContractUnusable(`${this.name}: the $ref "${$ref}" leads in a circle`);
      seen.add(schema);
      const target = this.locate($ref, root);
      if (target === null)
        return { schema: { not: {} }, root, type: type ?? (COMPONENT_SCHEMA.exec($ref) ?? TYPE_ID.exec($ref))?.[1] ?? null };
      ({ schema, root } = target);
      type ??= target.type;
    }
  }

  /** The published types within a union that are unions themselves. */
  unionsWithin({ schema, root }: Followed): string[] {
    const union = schema.anyOf ?? schema.oneOf;
    if (!Array.isArray(union)) return [];
    return union
      .map((each) => this.follow({ schema: each, root }))
      .flatMap((each) => (each.type !== null && Array.isArray(each.schema.anyOf ?? each.schema.oneOf) ? [each.type] : []));
  }

  /**
   * The kinds of values that a schema allows; the same for every way of writing a union or null.
   * @param except published types to leave out of a union
   */
  shapeOf(located: Located, except: readonly string[] = [], enclosing: readonly unknown[] = []): Shape {
    const followed = this.follow(located);
    const { schema, root, type } = followed;
    const union = schema.anyOf ?? schema.oneOf;
    if (!Array.isArray(union)) {
      const { kind, nullable } = this.#kindOf(followed);
      return { nullable, kinds: kind === null ? [] : [kind], base: null };
    }
    if (enclosing.includes(schema)) throw new ContractUnusable(`${this.name}: the union ${type ?? shown(schema)} is part of itself`);
    const shapes = union
      .map((each) => ({ schema: each, root }))
      .filter((each) => !except.includes(this.follow(each).type ?? ''))
      .map((each) => this.shapeOf(each, except, [...enclosing, schema]));
    const { anyOf: _, oneOf: __, ...rest } = schema;
    const constrained = Object.keys(rest).some((key) => !isAnnotation(key));
    return {
      nullable: shapes.some(({ nullable }) => nullable),
      kinds: this.#withMergedValues(shapes.flatMap(({ kinds }) => kinds)),
      base: constrained ? this.#kindOf({ schema: rest, root, type: null }).kind : null,
    };
  }

  #kindOf({ schema, root, type }: Followed): { kind: Kind | null; nullable: boolean } {
    const values = Object.hasOwn(schema, 'const') ? [schema.const] : Object.hasOwn(schema, 'enum') ? this.list(schema, 'enum') : null;
    const types = this.#typesOf(schema, values);
    const nullable = (types === null || types.includes('null')) && (values === null || values.includes(null));
    const kind = {
      schema,
      root,
      type,
      types: types?.filter((each) => each !== 'null') ?? null,
      values: values?.filter((value) => value !== null) ?? null,
    };
    return { kind: kind.types?.length === 0 || kind.values?.length === 0 ? null : kind, nullable };
  }

  /** The JSON types that a schema or its only values are of; null: any. */
  #typesOf(schema: Json, values: unknown[] | null): string[] | null {
    if (typeof schema.type === 'string') return [schema.type];
    if (Array.isArray(schema.type)) return schema.type.map(String);
    return values === null ? null : [...new Set(values.map(typeOfValue))];
  }

  /** A union of single values is an enumeration, which may as well be written as one. */
  #withMergedValues(kinds: Kind[]): Kind[] {
    const plain = kinds.filter(({ schema, values }) => values !== null && Object.keys(schema).every(isValueKeyword));
    const [first, ...more] = plain;
    if (first === undefined || more.length === 0) return kinds;
    const merged: Kind = {
      ...first,
      type: null,
      types: [...new Set(plain.flatMap(({ types }) => types ?? []))],
      values: plain.flatMap(({ values }) => values ?? []),
    };
    return kinds.flatMap((kind) => (kind === first ? [merged] : plain.includes(kind) ? [] : [kind]));
  }

  /** A schema in plain words. */
  describe(located: Located, depth = 0): string {
    const { type } = this.follow(located);
    if (type !== null) return type;
    const { kinds, nullable } = this.shapeOf(located);
    // Null is part of anything.
    if (kinds.length === 1 && kinds[0]!.types === null && kinds[0]!.values === null) return this.describeKind(kinds[0]!, depth);
    return [...kinds.map((kind) => this.describeKind(kind, depth)), ...(nullable ? ['null'] : [])].join(' or ');
  }

  describeKind({ schema, root, type, types, values }: Kind, depth = 0): string {
    if (type !== null) return type;
    if (values !== null) return values.map(shown).join(' or ');
    if (Array.isArray(schema.allOf) && depth < 3)
      return schema.allOf.map((each) => this.describe({ schema: each, root }, depth + 1)).join(' and ');
    if (types === null) return 'not' in schema ? 'nothing' : 'anything';
    return types
      .map((each) => (each === 'array' && depth < 3 ? `array of ${this.describe({ schema: schema.items, root }, depth + 1)}` : each))
      .join(' or ');
  }

  /** The members that can have one value only, by their path below an object. */
  constantsOf(kind: Kind, depth = 3, above = ''): Map<string, string> {
    const found = new Map<string, string>();
    for (const [name, schema] of this.parts(kind.schema, 'properties')) {
      const { kinds, nullable } = this.shapeOf({ schema, root: kind.root });
      const [only] = kinds;
      if (only === undefined || kinds.length > 1 || nullable) continue;
      const path = `${above}${name}`;
      if (only.values?.length === 1) found.set(path, JSON.stringify(only.values[0]));
      else if (depth > 1) for (const [below, value] of this.constantsOf(only, depth - 1, `${path}.`)) found.set(below, value);
    }
    return found;
  }
}

const covers = (types: string[], type: string): boolean => types.includes(type) || (type === 'integer' && types.includes('number'));

const overlap = (some: string[], others: string[]): boolean =>
  some.some((type) => covers(others, type)) || others.some((type) => covers(some, type));

const OBJECT_KEYWORDS = ['properties', 'required', 'additionalProperties', 'patternProperties'];
const ARRAY_KEYWORDS = ['items', 'prefixItems'];

/** Whether a schema says something of objects, or of arrays: it may do so without a type. */
const speaksOf = ({ schema, types }: Kind, type: string, keywords: string[]): boolean =>
  types?.includes(type) ?? keywords.some((keyword) => Object.hasOwn(schema, keyword));

const isValueKeyword = (key: string): boolean => isAnnotation(key) || ['const', 'enum', 'type'].includes(key);

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** Where differences are written down. */
interface Findings {
  breaks: (path: string, what: string) => void;
  adds: (path: string, what: string) => void;
}

/**
 * Whether one pattern matches all that another does. Answered for patterns that differ in lists of alternatives only,
 * such as the properties to sort by; null: not to be told.
 */
function compareAlternatives(old: string, now: string): 'same' | 'wider' | 'narrower' | null {
  if ([old, now].some((pattern) => /\\[()|1-9]|\(\?|\[[^\]]*[()|]/.test(pattern))) return null;
  const list = /\(([^()]*)\)/g;
  if (old.replace(list, '()') !== now.replace(list, '()')) return null;
  const lists = (pattern: string): string[][] => [...pattern.matchAll(list)].map(([, alternatives]) => alternatives!.split('|'));
  const within = (some: string[][], all: string[][]): boolean =>
    some.every((alternatives, index) => alternatives.every((each) => all[index]!.includes(each)));
  const [wider, narrower] = [within(lists(old), lists(now)), within(lists(now), lists(old))];
  if (wider) return narrower ? 'same' : 'wider';
  return narrower ? 'narrower' : null;
}

/** Whether single values (null: there are none) are within the bounds and the pattern of a schema, as far as that is all it asks. */
function meets(values: unknown[] | null, schema: Json): boolean {
  const known = ['type', 'pattern', ...Object.keys(LOWER_BOUNDS), ...Object.keys(UPPER_BOUNDS)];
  if (values === null || !Object.keys(schema).every((key) => known.includes(key) || isAnnotation(key))) return false;
  const bound = (key: string, none: number): number => (typeof schema[key] === 'number' ? schema[key] : none);
  const pattern = typeof schema.pattern === 'string' ? schema.pattern : '';
  return values.every((value) => {
    if (typeof value === 'string') {
      // JSON Schema counts characters, not UTF-16 units.
      const { length } = [...value];
      return length >= bound('minLength', 0) && length <= bound('maxLength', Infinity) && matches(pattern, value);
    }
    if (typeof value !== 'number') return typeof value === 'boolean';
    return (
      value >= bound('minimum', -Infinity) &&
      value <= bound('maximum', Infinity) &&
      value > bound('exclusiveMinimum', -Infinity) &&
      value < bound('exclusiveMaximum', Infinity)
    );
  });
}

/** Whether a text matches a pattern; one that is no regular expression matches nothing. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}

/** Compares schemas of one direction. */
class SchemaComparison {
  readonly #old: Export;
  readonly #now: Export;
  readonly #direction: Direction;
  readonly #findings: Findings;
  /** The pairs being compared: a type that contains itself is compared once. */
  readonly #active: [Json, Json][] = [];

  constructor(old: Export, now: Export, direction: Direction, findings: Findings) {
    this.#old = old;
    this.#now = now;
    this.#direction = direction;
    this.#findings = findings;
  }

  /** Values come that did not: the receiver must know them. */
  #wider(path: string, what: string): void {
    if (this.#direction === 'response') this.#findings.breaks(path, what);
    else this.#findings.adds(path, what);
  }

  /** Values that came no longer do: the sender must stop sending them. */
  #narrower(path: string, what: string): void {
    if (this.#direction === 'request') this.#findings.breaks(path, what);
    else this.#findings.adds(path, what);
  }

  /** Compares two schemas, except two references to one published type: that is compared as itself. */
  compare(old: Located, now: Located, path: string): void {
    const before = this.#old.follow(old);
    const after = this.#now.follow(now);
    if (before.type !== null && before.type === after.type) return;
    this.#compareOnce(before, after, path);
  }

  /** Compares two schemas, of a published type too. */
  compareType(old: Located, now: Located): void {
    this.#compareOnce(this.#old.follow(old), this.#now.follow(now), '$');
  }

  #compareOnce(old: Followed, now: Followed, path: string): void {
    if (this.#active.some(([before, after]) => before === old.schema && after === now.schema)) return;
    this.#active.push([old.schema, now.schema]);
    this.#compareShapes(old, now, path);
    this.#active.pop();
  }

  #compareShapes(old: Followed, now: Followed, path: string): void {
    const shared = this.#old.unionsWithin(old).filter((type) => this.#now.unionsWithin(now).includes(type));
    const before = this.#old.shapeOf(old, shared);
    const after = this.#now.shapeOf(now, shared);
    const words = (): string => `${old.type ?? this.#old.describe(old)} -> ${now.type ?? this.#now.describe(now)}`;
    if (this.#direction === 'request' && !isDeepStrictEqual(old.schema.default, now.schema.default)) {
      const what = `value when left out: ${shown(old.schema.default)} -> ${shown(now.schema.default)}`;
      if (old.schema.default === undefined) this.#findings.adds(path, what);
      else this.#findings.breaks(path, what);
    }
    const [oldKind, ...oldMore] = before.kinds;
    const [nowKind, ...nowMore] = after.kinds;
    const single = oldKind !== undefined && nowKind !== undefined && oldMore.length === 0 && nowMore.length === 0;
    const same = single && oldKind.type !== null && oldKind.type === nowKind.type;
    if (single && !same && !this.#compareTypes(oldKind, nowKind, words, path)) return;
    const any = [...before.kinds, ...after.kinds].some(({ types, values }) => types === null && values === null);
    if (!any && !before.nullable && after.nullable) this.#wider(path, `null where there was none: ${words()}`);
    if (!any && before.nullable && !after.nullable) this.#narrower(path, `null no more: ${words()}`);
    if (single && !same) this.#compareKinds(oldKind, nowKind, path);
    else if (!same) this.#compareUnions(before.kinds, after.kinds, path);
    const none: Kind = { schema: {}, root: old.root, type: null, types: null, values: null };
    if (before.base !== null || after.base !== null) this.#compareKinds(before.base ?? none, after.base ?? none, path);
  }

  /** Compares the JSON types; false: so different that nothing more is to be compared. */
  #compareTypes({ types: old }: Kind, { types: now }: Kind, words: () => string, path: string): boolean {
    if (old === null && now === null) return true;
    if (old === null || now === null) {
      if (old === null) this.#narrower(path, `type restricted: ${words()}`);
      else this.#wider(path, `type no longer restricted: ${words()}`);
      return true;
    }
    const gone = old.some((type) => !covers(now, type));
    const added = now.some((type) => !covers(old, type));
    if (gone && added) this.#findings.breaks(path, `type changed: ${words()}`);
    else if (gone) this.#findings.breaks(path, `type narrowed: ${words()}`);
    else if (added) this.#wider(path, `type widened: ${words()}`);
    return overlap(old, now);
  }

  #compareKinds(old: Kind, now: Kind, path: string): void {
    this.#compareValues(old, now, path);
    // Where single values became a range or the reverse, the bounds say nothing more unless a value is out of them.
    if (!(now.values === null && meets(old.values, now.schema)) && !(old.values === null && meets(now.values, old.schema))) {
      this.#compareBounds(old.schema, now.schema, path);
      this.#compareRestrictions(old.schema, now.schema, path);
    }
    this.#compareAllOf(old, now, path);
    if ([old, now].every((kind) => speaksOf(kind, 'object', OBJECT_KEYWORDS))) this.#compareMembers(old, now, path);
    if ([old, now].every((kind) => speaksOf(kind, 'array', ARRAY_KEYWORDS))) this.#compareElements(old, now, path);
  }

  #compareValues(old: Kind, now: Kind, path: string): void {
    if (old.values === null && now.values === null) return;
    const words = `${this.#old.describeKind({ ...old, type: null })} -> ${this.#now.describeKind({ ...now, type: null })}`;
    if (old.values === null) return this.#narrower(path, `restricted to certain values: ${words}`);
    if (now.values === null) return this.#wider(path, `no longer restricted to certain values: ${words}`);
    const { values } = now;
    const gone = old.values.filter((value) => !includes(values, value));
    const added = values.filter((value) => !includes(old.values!, value));
    if (gone.length > 0 && added.length > 0) this.#findings.breaks(path, `value changed: ${words}`);
    else if (gone.length > 0) this.#narrower(path, `value gone: ${words}`);
    else if (added.length > 0) this.#wider(path, `new value: ${words}`);
  }

  #compareBounds(old: Json, now: Json, path: string): void {
    const compare = (bounds: Record<string, string>, isTighter: (before: number, after: number) => boolean, none: number): void => {
      for (const [keyword, name] of Object.entries(bounds)) {
        // A length or number of less than none says nothing.
        const absent = keyword.startsWith('min') && keyword !== 'minimum' ? 0 : none;
        const [before, after] = [old, now].map((schema) => (typeof schema[keyword] === 'number' ? schema[keyword] : absent));
        if (before === undefined || after === undefined || before === after) continue;
        const what = `${name}: ${shown(old[keyword])} -> ${shown(now[keyword])}`;
        if (isTighter(before, after)) this.#narrower(path, what);
        else this.#wider(path, what);
      }
    };
    compare(LOWER_BOUNDS, (before, after) => after > before, -Infinity);
    compare(UPPER_BOUNDS, (before, after) => after < before, Infinity);
  }

  /** What is not ordered: a pattern is there, or another, or none. */
  #compareRestrictions(old: Json, now: Json, path: string): void {
    for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
      const weighed = WEIGHED.has(key) && !['pattern', 'format', 'multipleOf', 'uniqueItems', 'not'].includes(key);
      if (weighed || isAnnotation(key)) continue;
      const [before, after] = [old, now].map((schema) => (key === 'uniqueItems' && schema[key] === false ? undefined : schema[key]));
      if (isDeepStrictEqual(before, after)) continue;
      const what = `${key}: ${shown(before)} -> ${shown(after)}`;
      const order =
        key === 'pattern' && before !== undefined && after !== undefined ? compareAlternatives(String(before), String(after)) : null;
      if (order === 'same') continue;
      if (!WEIGHED.has(key)) this.#findings.breaks(path, `${what} (a keyword whose weight is not known)`);
      else if (order === 'narrower' || before === undefined) this.#narrower(path, what);
      else if (order === 'wider' || after === undefined) this.#wider(path, what);
      else this.#findings.breaks(path, what);
    }
  }

  #compareAllOf(old: Kind, now: Kind, path: string): void {
    const before = this.#old.list(old.schema, 'allOf');
    const after = this.#now.list(now.schema, 'allOf');
    if (before.length !== after.length) {
      this.#findings.breaks(path, `allOf: ${before.length} schemas -> ${after.length} schemas`);
      return;
    }
    before.forEach((schema, index) => this.compare({ schema, root: old.root }, { schema: after[index], root: now.root }, path));
  }

  #compareMembers(old: Kind, now: Kind, path: string): void {
    const before = this.#old.parts(old.schema, 'properties');
    const after = this.#now.parts(now.schema, 'properties');
    const required = new Set(this.#old.list(old.schema, 'required'));
    const requiredNow = new Set(this.#now.list(now.schema, 'required'));
    for (const [name, schema] of before) {
      if (!after.has(name))
        this.#findings.breaks(`${path}${step(name)}`, `member gone: was ${this.#old.describe({ schema, root: old.root })}`);
    }
    for (const [name, schema] of after) {
      if (before.has(name)) continue;
      const what = `new member: ${this.#now.describe({ schema, root: now.root })}`;
      if (this.#direction === 'request' && requiredNow.has(name)) this.#findings.breaks(`${path}${step(name)}`, `${what}, required`);
      else this.#findings.adds(`${path}${step(name)}`, what);
    }
    for (const name of new Set([...required, ...requiredNow])) {
      if (required.has(name) === requiredNow.has(name) || before.has(String(name)) !== after.has(String(name))) continue;
      const at = `${path}${step(String(name))}`;
      if (required.has(name)) this.#wider(at, 'required -> optional');
      else this.#narrower(at, 'optional -> required');
    }
    for (const [name, schema] of before) {
      if (after.has(name)) this.compare({ schema, root: old.root }, { schema: after.get(name), root: now.root }, `${path}${step(name)}`);
    }
    this.#comparePatternMembers(old, now, path);
    this.#compareOtherMembers(old, now, path);
  }

  #comparePatternMembers(old: Kind, now: Kind, path: string): void {
    const before = this.#old.parts(old.schema, 'patternProperties');
    const after = this.#now.parts(now.schema, 'patternProperties');
    for (const [pattern, schema] of before) {
      const at = `${path}[/${pattern}/]`;
      if (after.has(pattern)) this.compare({ schema, root: old.root }, { schema: after.get(pattern), root: now.root }, at);
      else this.#findings.breaks(at, `members gone: were ${this.#old.describe({ schema, root: old.root })}`);
    }
    for (const [pattern, schema] of after) {
      if (!before.has(pattern))
        this.#findings.adds(`${path}[/${pattern}/]`, `new members: ${this.#now.describe({ schema, root: now.root })}`);
    }
  }

  /** The members that are not named. */
  #compareOtherMembers(old: Kind, now: Kind, path: string): void {
    const at = `${path}.*`;
    const [before, after] = [old, now].map(({ schema }) => schema.additionalProperties ?? true);
    if (isDeepStrictEqual(before, after) && !isObject(before)) return;
    if (before === false) {
      this.#findings.adds(at, `members beyond those named: none -> ${this.#now.describe({ schema: after, root: now.root })}`);
    } else if (after === false) {
      const what = `members beyond those named: ${this.#old.describe({ schema: before, root: old.root })} -> none`;
      // A reader cannot have relied on members of which nothing was said.
      if (before === true) this.#narrower(at, what);
      else this.#findings.breaks(at, what);
    } else {
      this.compare({ schema: before, root: old.root }, { schema: after, root: now.root }, at);
    }
  }

  #compareElements(old: Kind, now: Kind, path: string): void {
    this.compare({ schema: old.schema.items, root: old.root }, { schema: now.schema.items, root: now.root }, `${path}[*]`);
    const before = this.#old.list(old.schema, 'prefixItems');
    const after = this.#now.list(now.schema, 'prefixItems');
    if (before.length !== after.length) {
      this.#findings.breaks(path, `elements with a schema of their own: ${before.length} -> ${after.length}`);
      return;
    }
    before.forEach((schema, index) =>
      this.compare({ schema, root: old.root }, { schema: after[index], root: now.root }, `${path}[${index}]`),
    );
  }

  #compareUnions(old: Kind[], now: Kind[], path: string): void {
    const { pairs, gone, added } = this.#matchKinds(old, now);
    for (const { kind, label } of gone) this.#findings.breaks(`${path}(${label})`, `variant gone: was ${this.#old.describeKind(kind)}`);
    for (const { kind, label } of added) this.#wider(`${path}(${label})`, `new variant: ${this.#now.describeKind(kind)}`);
    for (const { before, after, label } of pairs) {
      const at = `${path}(${label})`;
      if (before.type !== null && before.type === after.type) continue;
      if (this.#active.some(([active, activeNow]) => active === before.schema && activeNow === after.schema)) continue;
      this.#active.push([before.schema, after.schema]);
      const words = (): string =>
        `${this.#old.describeKind({ ...before, type: null })} -> ${this.#now.describeKind({ ...after, type: null })}`;
      if (this.#compareTypes(before, after, words, at)) this.#compareKinds(before, after, at);
      this.#active.pop();
    }
  }

  /** Which variant became which: by name, and by the value that tells them apart; where there is none by equality, type and position. */
  #matchKinds(old: Kind[], now: Kind[]): Matched {
    const told = this.#tell(old, now);
    const left = now.map((kind, index) => ({ kind, index }));
    const matched: Matched = { pairs: [], gone: [], added: [] };
    const rules: ((before: Kind, after: Kind, index: number, indexNow: number) => boolean)[] = [
      (before, after) => before.type !== null && before.type === after.type,
      ...(told !== null
        ? [(before: Kind, after: Kind) => told(before, this.#old) === told(after, this.#now)]
        : [
            (before: Kind, after: Kind) => isDeepStrictEqual(before.schema, after.schema),
            (before: Kind, after: Kind, index: number, indexNow: number) =>
              index === indexNow && isDeepStrictEqual(before.types, after.types),
            (before: Kind, after: Kind) => isDeepStrictEqual(before.types, after.types),
            (before: Kind, after: Kind) => overlap(before.types ?? [], after.types ?? []),
          ]),
    ];
    const partners = new Map<Kind, Kind>();
    for (const rule of rules) {
      for (const [index, before] of old.entries()) {
        if (partners.has(before)) continue;
        const found = left.findIndex((each) => rule(before, each.kind, index, each.index));
        if (found >= 0) partners.set(before, left.splice(found, 1)[0]!.kind);
      }
    }
    const label = (kind: Kind, side: Export, index: number): string => told?.(kind, side) ?? kind.type ?? `variant ${index + 1}`;
    for (const [index, before] of old.entries()) {
      const after = partners.get(before);
      if (after === undefined) matched.gone.push({ kind: before, label: label(before, this.#old, index) });
      else matched.pairs.push({ before, after, label: label(before, this.#old, index) });
    }
    for (const { kind, index } of left) matched.added.push({ kind, label: label(kind, this.#now, index) });
    return matched;
  }

  /** What tells the variants of both unions apart: a member that has another value in each (and none in one at most). */
  #tell(old: Kind[], now: Kind[]): ((kind: Kind, side: Export) => string) | null {
    const before = old.map((kind) => this.#old.constantsOf(kind));
    const after = now.map((kind) => this.#now.constantsOf(kind));
    const distinct = (path: string) => (found: Map<string, string>[]) => new Set(found.map((each) => each.get(path))).size === found.length;
    const paths = [...new Set([...before, ...after].flatMap((each) => [...each.keys()]))]
      .filter((path) => [before, after].every(distinct(path)) && [before, after].every((side) => side.some((each) => each.has(path))))
      .sort((a, b) => a.split('.').length - b.split('.').length);
    const [path] = paths;
    if (path === undefined) return null;
    return (kind, side) => {
      const value = side.constantsOf(kind).get(path);
      return value === undefined ? `no ${path}` : `${path}: ${value}`;
    };
  }
}

/** The variants of two unions, by what became of them. */
interface Matched {
  pairs: { before: Kind; after: Kind; label: string }[];
  gone: { kind: Kind; label: string }[];
  added: { kind: Kind; label: string }[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** An operation, with what its path says of all operations. */
interface Operation {
  title: string;
  operation: Json;
  parameters: Map<string, Json>;
  servers: string[];
  /** Each a set of credentials that will do. */
  security: string[][];
}

/** Compares two exports. */
class ContractComparison {
  readonly #old: Export;
  readonly #now: Export;
  readonly #breaks: Change[] = [];
  readonly #additions: Change[] = [];
  readonly #operations: string[] = [];

  constructor(old: Contract, now: Contract) {
    this.#old = new Export(old);
    this.#now = new Export(now);
  }

  run(): Comparison {
    const uses = usesOfComponents(this.#old);
    this.#compareTypes(uses);
    this.#compareComponents(uses);
    this.#compareOperations();
    this.#compareRest(this.#old.openapi, this.#now.openapi, ROOT_PARTS, '', this.#at('openapi.json'));
    const keys = new Set(this.#breaks.map(keyOf));
    return {
      breaks: unique(this.#breaks),
      additions: unique(this.#additions).filter((change) => !keys.has(keyOf(change))),
      operations: this.#operations,
    };
  }

  #at(where: string): Findings {
    return {
      breaks: (path, what) => this.#breaks.push({ where, path, what }),
      adds: (path, what) => this.#additions.push({ where, path, what }),
    };
  }

  /** Each published type as itself: as the file of that name, and as the component unless the same is to be said. */
  #compareTypes(uses: Map<string, Set<Direction>>): void {
    const components = (side: Export): Map<string, unknown> => side.parts(side.part(side.openapi, 'components'), 'schemas');
    const sides = [
      { file: true, old: this.#old.types, now: this.#now.types },
      { file: false, old: components(this.#old), now: components(this.#now) },
    ];
    const said = { breaks: new Set<string>(), adds: new Set<string>() };
    for (const { file, old, now } of sides) {
      for (const name of new Set([...old.keys(), ...now.keys()])) {
        const here = this.#at(file ? `${name}.json` : `openapi.json#/components/schemas/${name}`);
        const once = (how: 'breaks' | 'adds') => (path: string, what: string) => {
          const key = JSON.stringify([name, path, what]);
          if (file || !said[how].has(key)) here[how](path, what);
          said[how].add(key);
        };
        const findings = { breaks: once('breaks'), adds: once('adds') };
        const before = old.get(name);
        const after = now.get(name);
        if (after === undefined) findings.breaks('$', 'published type gone');
        else if (before === undefined) findings.adds('$', 'new published type');
        else {
          if (file) this.#compareIdentities(before, after, findings);
          const oldRoot = file ? (before as Json) : this.#old.openapi;
          const nowRoot = file ? (after as Json) : this.#now.openapi;
          for (const direction of uses.get(`#/components/schemas/${name}`) ?? (['response'] as const)) {
            const comparison = new SchemaComparison(this.#old, this.#now, direction, findings);
            comparison.compareType({ schema: before, root: oldRoot }, { schema: after, root: nowRoot });
          }
        }
      }
    }
  }

  /** By these a client refers to the type, and chooses how to read it. */
  #compareIdentities(old: unknown, now: unknown, { breaks }: Findings): void {
    if (!isObject(old) || !isObject(now)) return;
    for (const key of ['$id', '$schema']) {
      if (old[key] !== now[key]) breaks('$', `${key} changed: ${shown(old[key])} -> ${shown(now[key])}`);
    }
  }

  /** What operations share is compared once, not at each. */
  #compareComponents(uses: Map<string, Set<Direction>>): void {
    const findings = this.#at('openapi.json');
    const root = this.#old.openapi;
    const nowRoot = this.#now.openapi;
    const usesNow = usesOfComponents(this.#now);
    for (const ref of uses.keys()) {
      const [, kind, name] = /^#\/components\/([^/]+)\/([^/]+)$/.exec(ref) ?? [];
      if (kind === undefined || kind === 'schemas') continue;
      const path = `components.${kind}${step(name!)}`;
      if (!Object.hasOwn(this.#now.part(this.#now.part(nowRoot, 'components'), kind), name!)) {
        // What is no longer referred to either, is looked at where it was.
        if (usesNow.has(ref)) findings.breaks(path, 'gone, although it is referred to');
        continue;
      }
      const old = this.#old.follow({ schema: { $ref: ref }, root }).schema;
      const now = this.#now.follow({ schema: { $ref: ref }, root: nowRoot }).schema;
      if (kind === 'headers') this.#compareHeader(old, now, path, findings);
      else if (kind === 'parameters') this.#compareParameter(old, now, path, findings);
      else if (kind === 'requestBodies') this.#compareRequestBody(old, now, path, findings);
      else if (kind === 'responses') this.#compareResponse(old, now, path, findings);
      else if (!isDeepStrictEqual(old, now)) findings.breaks(path, `${shown(old)} -> ${shown(now)}`);
    }
    const schemes = (side: Export): Map<string, unknown> => side.parts(side.part(side.openapi, 'components'), 'securitySchemes');
    for (const [name, scheme] of schemes(this.#old)) {
      const now = schemes(this.#now).get(name);
      if (isObject(scheme) && isObject(now)) {
        this.#compareRest(scheme, now, [], `components.securitySchemes${step(name)}`, findings);
      }
    }
  }

  #compareOperations(): void {
    const before = operationsOf(this.#old);
    const after = operationsOf(this.#now);
    for (const [key, old] of before) {
      const now = after.get(key);
      const findings = this.#at(old.title);
      if (now === undefined) {
        findings.breaks('', 'operation gone');
        continue;
      }
      this.#operations.push(old.title);
      this.#compareOperation(old, now, findings);
    }
    for (const [key, { title }] of after) if (!before.has(key)) this.#at(title).adds('', 'new operation');
  }

  #compareOperation(old: Operation, now: Operation, findings: Findings): void {
    const id = old.operation.operationId;
    const idNow = now.operation.operationId;
    if (id === undefined && idNow !== undefined) findings.adds('operationId', `none -> ${shown(idNow)}`);
    else if (id !== idNow) findings.breaks('operationId', `the name in generated clients: ${shown(id)} -> ${shown(idNow)}`);
    this.#compareServers(old, now, findings);
    this.#compareSecurity(old, now, findings);
    this.#compareParameters(old.parameters, now.parameters, findings);
    this.#compareRequestBodies(old.operation, now.operation, findings);
    this.#compareResponses(old.operation, now.operation, findings);
    this.#compareRest(old.operation, now.operation, OPERATION_PARTS, '', findings);
  }

  #compareServers({ servers: old }: Operation, { servers: now }: Operation, { breaks, adds }: Findings): void {
    for (const url of old) if (!now.includes(url)) breaks('servers', `server gone: ${url}`);
    for (const url of now) if (!old.includes(url)) adds('servers', `new server: ${url}`);
  }

  /** Whoever has the credentials that did must get in. */
  #compareSecurity({ security: old }: Operation, { security: now }: Operation, { breaks, adds }: Findings): void {
    const words = (credentials: string[]): string => (credentials.length === 0 ? 'none' : credentials.join(' and '));
    const admits = (credentials: string[]) => (asked: string[]) => asked.every((each) => credentials.includes(each));
    for (const credentials of old) {
      if (!now.some(admits(credentials)))
        breaks('security', `credentials asked for: ${words(credentials)} -> ${now.map(words).join(' or ')}`);
    }
    for (const credentials of now) {
      if (!old.some(admits(credentials))) adds('security', `new credentials that do: ${words(credentials)}`);
    }
  }

  #compareParameters(old: Map<string, Json>, now: Map<string, Json>, findings: Findings): void {
    for (const [key, reference] of old) {
      const after = now.get(key);
      const parameter = this.#old.follow({ schema: reference, root: this.#old.openapi }).schema;
      const path = `${String(parameter.in)} parameter ${String(parameter.name)}`;
      if (after === undefined) findings.breaks(path, 'parameter gone');
      else if (!sameReference(reference, after)) {
        this.#compareParameter(parameter, this.#now.follow({ schema: after, root: this.#now.openapi }).schema, path, findings);
      }
    }
    for (const [key, reference] of now) {
      if (old.has(key)) continue;
      const parameter = this.#now.follow({ schema: reference, root: this.#now.openapi }).schema;
      const path = `${String(parameter.in)} parameter ${String(parameter.name)}`;
      if (parameter.required === true) findings.breaks(path, 'new parameter, required');
      else findings.adds(path, 'new parameter, optional');
    }
  }

  #compareParameter(old: Json, now: Json, path: string, findings: Findings): void {
    const required = old.required === true;
    if (!required && now.required === true) findings.breaks(path, 'optional -> required');
    if (required && now.required !== true) findings.adds(path, 'required -> optional');
    const [form, formNow] = [old, now].map(styleOf);
    if (form !== formNow) findings.breaks(path, `written otherwise: ${form} -> ${formNow}`);
    this.#compareSchemas(old, now, path, 'request', findings);
    this.#compareContent(old, now, path, 'request', findings);
    this.#compareRest(old, now, ['name', 'in', 'required', 'style', 'explode', 'schema', 'content'], path, findings);
  }

  #compareRequestBodies({ requestBody: old }: Json, { requestBody: now }: Json, findings: Findings): void {
    if (old === undefined && now === undefined) return;
    if (now === undefined) return findings.breaks('request', 'request body gone');
    const after = this.#now.follow({ schema: now, root: this.#now.openapi }).schema;
    if (old === undefined) {
      if (after.required === true) findings.breaks('request', 'new request body, required');
      else findings.adds('request', 'new request body, optional');
    } else if (!sameReference(old, now)) {
      this.#compareRequestBody(this.#old.follow({ schema: old, root: this.#old.openapi }).schema, after, 'request', findings);
    }
  }

  #compareRequestBody(old: Json, now: Json, path: string, findings: Findings): void {
    if (old.required !== true && now.required === true) findings.breaks(path, 'optional -> required');
    if (old.required === true && now.required !== true) findings.adds(path, 'required -> optional');
    this.#compareContent(old, now, path, 'request', findings);
    this.#compareRest(old, now, ['required', 'content'], path, findings);
  }

  #compareResponses(old: Json, now: Json, findings: Findings): void {
    const before = this.#old.parts(old, 'responses');
    const after = this.#now.parts(now, 'responses');
    for (const [status, response] of before) {
      const path = `response ${status}`;
      if (!after.has(status)) findings.breaks(path, 'response status gone');
      else if (!sameReference(response, after.get(status))) {
        this.#compareResponse(
          this.#old.follow({ schema: response, root: this.#old.openapi }).schema,
          this.#now.follow({ schema: after.get(status), root: this.#now.openapi }).schema,
          path,
          findings,
        );
      }
    }
    for (const status of after.keys()) if (!before.has(status)) findings.adds(`response ${status}`, 'new response status');
  }

  #compareResponse(old: Json, now: Json, path: string, findings: Findings): void {
    const headers = (side: Export, response: Json): Map<string, [string, unknown]> =>
      new Map([...side.parts(response, 'headers')].map(([name, header]) => [name.toLowerCase(), [name, header]]));
    const before = headers(this.#old, old);
    const after = headers(this.#now, now);
    for (const [key, [name, header]] of before) {
      const at = `${path} header ${name}`;
      const found = after.get(key);
      if (found === undefined) findings.breaks(at, 'header field gone');
      else if (!sameReference(header, found[1])) {
        this.#compareHeader(
          this.#old.follow({ schema: header, root: this.#old.openapi }).schema,
          this.#now.follow({ schema: found[1], root: this.#now.openapi }).schema,
          at,
          findings,
        );
      }
    }
    for (const [key, [name]] of after) if (!before.has(key)) findings.adds(`${path} header ${name}`, 'new header field');
    this.#compareContent(old, now, path, 'response', findings);
    this.#compareRest(old, now, ['headers', 'content'], path, findings);
  }

  #compareHeader(old: Json, now: Json, path: string, findings: Findings): void {
    if (old.required === true && now.required !== true) findings.breaks(path, 'always there -> optional');
    if (old.required !== true && now.required === true) findings.adds(path, 'optional -> always there');
    this.#compareSchemas(old, now, path, 'response', findings);
    this.#compareContent(old, now, path, 'response', findings);
    this.#compareRest(old, now, ['required', 'schema', 'content'], path, findings);
  }

  #compareContent(old: Json, now: Json, path: string, direction: Direction, findings: Findings): void {
    const before = this.#old.parts(old, 'content');
    const after = this.#now.parts(now, 'content');
    for (const type of before.keys()) {
      const at = `${path} ${type}`;
      if (after.has(type)) {
        const content = this.#old.part(this.#old.part(old, 'content'), type);
        const contentNow = this.#now.part(this.#now.part(now, 'content'), type);
        this.#compareSchemas(content, contentNow, `${at} $`, direction, findings);
        this.#compareRest(content, contentNow, ['schema'], at, findings);
      } else findings.breaks(at, 'media type gone');
    }
    for (const type of after.keys()) if (!before.has(type)) findings.adds(`${path} ${type}`, 'new media type');
  }

  /** Compares what two objects of OpenAPI have as `schema`. */
  #compareSchemas(old: Json, now: Json, path: string, direction: Direction, findings: Findings): void {
    new SchemaComparison(this.#old, this.#now, direction, findings).compare(
      { schema: old.schema, root: this.#old.openapi },
      { schema: now.schema, root: this.#now.openapi },
      path,
    );
  }

  /** What has no comparison of its own counts as a break. */
  #compareRest(old: Json, now: Json, known: string[], path: string, { breaks }: Findings): void {
    for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
      if (known.includes(key) || isAnnotation(key) || isDeepStrictEqual(old[key], now[key])) continue;
      breaks(path, `${key}: ${shown(old[key])} -> ${shown(now[key])}`);
    }
  }
}

const ROOT_PARTS = ['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'components'];
const OPERATION_PARTS = ['operationId', 'tags', 'parameters', 'requestBody', 'responses', 'security', 'servers'];

const keyOf = (change: Change): string => JSON.stringify([change.where, change.path, change.what]);
const unique = (changes: Change[]): Change[] => [...new Map(changes.map((change) => [keyOf(change), change])).values()];

/** Two references to one shared component, which is compared as itself. */
const sameReference = (old: unknown, now: unknown): boolean =>
  isObject(old) && isObject(now) && typeof old.$ref === 'string' && old.$ref.startsWith('#/components/') && old.$ref === now.$ref;

/** How a parameter is written, with what OpenAPI takes for granted. */
function styleOf(parameter: Json): string {
  const style = parameter.style ?? (['query', 'cookie'].includes(String(parameter.in)) ? 'form' : 'simple');
  return `${String(style)}${(parameter.explode ?? style === 'form') === true ? ', exploded' : ''}`;
}

/** The operations of an export, by method and path; what the variables of a path are called makes no other path. */
function operationsOf(side: Export): Map<string, Operation> {
  const operations = new Map<string, Operation>();
  const { openapi } = side;
  for (const [path, reference] of side.parts(openapi, 'paths')) {
    if (!path.startsWith('/')) continue;
    const item = side.follow({ schema: reference, root: openapi }).schema;
    for (const method of METHODS.filter((each) => Object.hasOwn(item, each))) {
      const operation = side.part(item, method);
      const parameters = new Map<string, Json>();
      for (const each of [...side.list(item, 'parameters'), ...side.list(operation, 'parameters')]) {
        const { name, in: place } = side.follow({ schema: each, root: openapi }).schema;
        parameters.set(`${String(place)} ${place === 'header' ? String(name).toLowerCase() : String(name)}`, each as Json);
      }
      const from = [operation, item, openapi].find(({ servers }) => servers !== undefined) ?? {};
      const servers = side.list(from, 'servers').map((server) => String(isObject(server) ? server.url : server));
      operations.set(`${method} ${path.replace(/\{[^}]*\}/g, '{}')}`, {
        title: `${method.toUpperCase()} ${path}`,
        operation,
        parameters,
        servers: servers.length === 0 ? ['/'] : servers,
        security: securityOf(side, operation.security === undefined ? openapi : operation),
      });
    }
  }
  return operations;
}

/** The components that the operations of an export use, and who receives them. */
function usesOfComponents(side: Export): Map<string, Set<Direction>> {
  const uses = new Map<string, Set<Direction>>();
  const visit = (node: unknown, root: Json, direction: Direction): void => {
    if (Array.isArray(node)) for (const each of node) visit(each, root, direction);
    if (!isObject(node)) return;
    if (typeof node.$ref === 'string') {
      const target = side.locate(node.$ref, root);
      const ref = typeof target?.type === 'string' ? `#/components/schemas/${target.type}` : node.$ref;
      const directions = uses.get(ref) ?? new Set();
      uses.set(ref, directions);
      if (directions.has(direction)) return;
      directions.add(direction);
      visit(target?.schema, target?.root ?? root, direction);
    }
    for (const [key, value] of Object.entries(node)) {
      // Among names that are chosen freely "default" or "example" is no annotation.
      if (['properties', 'patternProperties', 'responses', 'headers', 'content'].includes(key) && isObject(value)) {
        visit(Object.values(value), root, direction);
      } else if (!isAnnotation(key) && key !== 'const' && key !== 'enum') visit(value, root, direction);
    }
  };
  for (const { operation, parameters } of operationsOf(side).values()) {
    visit([...parameters.values(), operation.requestBody], side.openapi, 'request');
    visit(Object.values(side.part(operation, 'responses')), side.openapi, 'response');
  }
  return uses;
}

/** The sets of credentials that will do; one empty set where none are asked for. */
function securityOf(side: Export, from: Json): string[][] {
  const sets = side.list(from, 'security').map((each) =>
    Object.entries(isObject(each) ? each : {}).flatMap(([scheme, scopes]) => {
      const list = Array.isArray(scopes) ? scopes : [];
      return [scheme, ...list.map((scope) => `${scheme} (${String(scope)})`)];
    }),
  );
  return sets.length === 0 ? [[]] : sets;
}

/**
 * What breaks clients of the old export, and what merely adds. What is described or exemplified otherwise is neither.
 * @throws {ContractUnusable} when one of the two is no export of a contract
 */
export function compareContracts(old: Contract, now: Contract): Comparison {
  return new ContractComparison(old, now).run();
}

/**
 * The version of an export: what its openapi.json says.
 * @throws {ContractUnusable} when that is no semantic version
 */
export function versionOf({ name, openapi }: Contract): string {
  const version = isObject(openapi.info) ? openapi.info.version : undefined;
  if (typeof version !== 'string' || !/^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/.test(version)) {
    throw new ContractUnusable(`${name}: info.version of openapi.json is ${shown(version)}, expected a semantic version such as 1.2.0`);
  }
  return version;
}

/** Whether a newer version may break what the older promised; below 1.0.0 the second number counts as the first (semver.org, 4). */
export function isMajorBump(old: string, now: string): boolean {
  const [major = 0, minor = 0] = old.split('.').map(Number);
  const [majorNow = 0, minorNow = 0] = now.split('.').map(Number);
  return majorNow > major || (major === 0 && majorNow === 0 && minorNow > minor);
}
