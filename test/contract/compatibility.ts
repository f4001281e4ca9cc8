import { isDeepStrictEqual } from 'node:util';

/**
 * Compares two OpenAPI documents of the service as their clients see them. It knows the keywords
 * that the export uses, and refuses any other: extend it when the export needs one.
 *
 * Clients read responses, so a response that allows more values than before breaks them. Clients
 * write parameters, so a parameter that allows fewer values breaks them. New members of a response
 * do not: clients ignore what they do not know.
 */

export type Node = Record<string, unknown>;

/** A difference: where it is, and what changed there. */
export interface Change {
  where: string;
  what: string;
}

export interface Comparison {
  breaks: Change[];
  additions: Change[];
}

/** A document that cannot be compared; the message says why. */
export class NotComparable extends Error {
  override readonly name = 'NotComparable';
}

/** Who reads a value: clients read responses, the service reads requests. */
type Direction = 'response' | 'request';
/** What happened to the set of allowed values. */
type Effect = 'widened' | 'narrowed' | 'changed';

/** Keywords that do not constrain. */
const ANNOTATIONS = ['description', 'summary', 'title', 'example', 'examples', 'tags'];
const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems'];
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems'];
const KEYWORDS = {
  document: ['openapi', 'info', 'servers', 'security', 'paths', 'components'],
  components: ['headers', 'schemas'],
  path: ['get'],
  operation: ['operationId', 'parameters', 'responses'],
  parameter: ['name', 'in', 'required', 'style', 'explode', 'schema'],
  response: ['headers', 'content'],
  header: ['$ref', 'required', 'schema'],
  media: ['schema'],
  schema: [
    ...[
      '$ref',
      'type',
      'const',
      'anyOf',
      'items',
      'properties',
      'patternProperties',
      'required',
      'additionalProperties',
      'pattern',
    ],
    ...LOWER_BOUNDS,
    ...UPPER_BOUNDS,
  ],
};

const asNode = (value: unknown): Node =>
  typeof value === 'object' && value !== null ? (value as Node) : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const shown = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));

/** An object of the document, all of whose keywords are known. */
function known(value: unknown, kind: keyof typeof KEYWORDS, where: string): Node {
  if (value !== undefined && typeof value !== 'object')
    throw new NotComparable(`${where}: a ${kind} that is not an object is not supported`);
  const node = asNode(value);
  const unknown = Object.keys(node).find(
    (key) => !KEYWORDS[kind].includes(key) && !ANNOTATIONS.includes(key),
  );
  if (unknown !== undefined)
    throw new NotComparable(`${where}: the keyword "${unknown}" of a ${kind} is not supported`);
  return node;
}

/**
 * A document in which shared parameters and responses stand where they are used, and each value of
 * a closed list is a variant.
 */
export function inlined(document: Node): Node {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, enum: values, type, ...rest } = value as Node;
    const shared = /^#\/components\/(parameters|responses)\/(.+)$/.exec(String($ref));
    if (shared !== null)
      return walk(asNode(asNode(asNode(document.components)[shared[1]!])[shared[2]!]));
    if (Array.isArray(values))
      return { ...rest, anyOf: values.map((each: unknown) => ({ const: each, type })) };
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each)]));
  };
  const {
    parameters: _parameters,
    responses: _responses,
    examples: _examples,
    ...components
  } = asNode(document.components);
  return walk({ ...document, components }) as Node;
}

/**
 * Compares a newer document with an older one.
 * @throws {NotComparable} where one has an unsupported keyword
 */
export function compare(older: Node, newer: Node): Comparison {
  const old = inlined(older);
  const now = inlined(newer);
  // A document compared with itself is visited as a whole, so that a new part with an unsupported
  // keyword is refused at once.
  new Comparer(now, now).compareDocuments();
  const comparer = new Comparer(old, now);
  comparer.compareDocuments();
  return comparer.result;
}

class Comparer {
  readonly result: Comparison = { breaks: [], additions: [] };

  constructor(
    private readonly old: Node,
    private readonly now: Node,
  ) {}

  compareDocuments(): void {
    const old = known(this.old, 'document', 'document');
    const now = known(this.now, 'document', 'document');
    if (!isDeepStrictEqual(old.security, now.security)) this.breaks('document', 'security changed');
    const from = known(old.components, 'components', 'components');
    const to = known(now.components, 'components', 'components');
    this.each(from.schemas, to.schemas, '', (a, b, where) =>
      this.compareSchemas(a, b, where, 'response'),
    );
    this.each(getsOf(old), getsOf(now), 'GET ', (a, b, where) =>
      this.compareOperations(a, b, where),
    );
  }

  private compareOperations(a: unknown, b: unknown, where: string): void {
    const old = known(a, 'operation', where);
    const now = known(b, 'operation', where);
    if (old.operationId !== now.operationId)
      this.breaks(where, `operationId: ${shown(old.operationId)} -> ${shown(now.operationId)}`);
    this.compareParameters(
      listOf(old.parameters).map(asNode),
      listOf(now.parameters).map(asNode),
      where,
    );
    this.each(old.responses, now.responses, `${where} `, (one, other, at) =>
      this.compareResponses(one, other, at),
    );
  }

  private compareParameters(old: Node[], now: Node[], where: string): void {
    const find = (all: Node[], { name, in: place }: Node): Node | undefined =>
      all.find((each) => each.name === name && each.in === place);
    for (const each of now.filter((parameter) => find(old, parameter) === undefined)) {
      const at = `${where} ${String(each.in)} parameter ${String(each.name)}`;
      if (each.required === true) this.breaks(at, 'added and required');
      else this.adds(at, 'added');
    }
    for (const each of old) {
      const at = `${where} ${String(each.in)} parameter ${String(each.name)}`;
      const other = find(now, each);
      if (other === undefined) {
        this.breaks(at, 'removed');
        continue;
      }
      const a = known(each, 'parameter', at);
      const b = known(other, 'parameter', at);
      if (a.required !== true && b.required === true) this.breaks(at, 'now required');
      if (a.required === true && b.required !== true) this.adds(at, 'no longer required');
      for (const key of ['style', 'explode'])
        if (a[key] !== b[key]) this.breaks(at, `${key}: ${shown(a[key])} -> ${shown(b[key])}`);
      this.compareSchemas(a.schema, b.schema, at, 'request');
    }
  }

  private compareResponses(a: unknown, b: unknown, where: string): void {
    const old = known(a, 'response', where);
    const now = known(b, 'response', where);
    this.each(old.headers, now.headers, `${where} header `, (one, other, at) => {
      const from = known(this.follow(this.old, known(one, 'header', at)), 'header', at);
      const to = known(this.follow(this.now, known(other, 'header', at)), 'header', at);
      if (from.required === true && to.required !== true) this.breaks(at, 'no longer required');
      if (from.required !== true && to.required === true) this.adds(at, 'now required');
      this.compareSchemas(from.schema, to.schema, at, 'response');
    });
    const usual = Object.keys(asNode(old.content))[0];
    const usualNow = Object.keys(asNode(now.content))[0];
    this.each(old.content, now.content, `${where} `, (one, other, at) => {
      this.compareSchemas(
        known(one, 'media', at).schema,
        known(other, 'media', at).schema,
        at,
        'response',
      );
    });
    // A client without an Accept header field gets the first one.
    if (usual !== usualNow)
      this.breaks(where, `default media type: ${shown(usual)} -> ${shown(usualNow)}`);
  }

  private compareSchemas(a: unknown, b: unknown, where: string, direction: Direction): void {
    const old = known(a, 'schema', where);
    const now = known(b, 'schema', where);
    const target = this.follow(this.old, old);
    const targetNow = this.follow(this.now, now);
    // The schemas of the components are compared on their own, as responses.
    if (direction === 'response' && old.$ref !== undefined && old.$ref === now.$ref) return;
    const from = variantsOf(known(target, 'schema', where), where);
    const to = variantsOf(known(targetNow, 'schema', where), where);
    for (const [key, variant] of from) {
      const other = to.get(key);
      const at = from.size + to.size > 2 ? `${where} (${key})` : where;
      if (other === undefined) {
        if (!isCovered(variant, to))
          this.report(where, `${key} is no longer allowed`, 'narrowed', direction);
      } else if (variant.$ref !== undefined) this.compareSchemas(variant, other, at, direction);
      else this.compareVariants(variant, other, at, direction);
    }
    for (const [key, variant] of to) {
      if (!from.has(key) && !isCovered(variant, from))
        this.report(where, `${key} is now allowed`, 'widened', direction);
    }
  }

  /** Compares two schemas of one type. */
  private compareVariants(old: Node, now: Node, where: string, direction: Direction): void {
    if (old.type !== now.type) {
      this.report(
        where,
        `${String(old.type)} -> ${String(now.type)}`,
        now.type === 'number' ? 'widened' : 'narrowed',
        direction,
      );
    }
    for (const key of [...LOWER_BOUNDS, ...UPPER_BOUNDS]) {
      const sign = LOWER_BOUNDS.includes(key) ? 1 : -1;
      const [from, to] = [old[key], now[key]].map((bound) =>
        typeof bound === 'number' ? sign * bound : -Infinity,
      ) as [number, number];
      const text = `${key}: ${shown(old[key])} -> ${shown(now[key])}`;
      if (from !== to) this.report(where, text, to > from ? 'narrowed' : 'widened', direction);
    }
    const effect = patternEffect(old.pattern, now.pattern);
    if (effect !== null)
      this.report(
        where,
        `pattern: ${shown(old.pattern)} -> ${shown(now.pattern)}`,
        effect,
        direction,
      );
    if (old.items !== undefined || now.items !== undefined)
      this.compareSchemas(old.items, now.items, `${where}[]`, direction);
    this.compareMembers(old, now, where, direction);
  }

  private compareMembers(old: Node, now: Node, where: string, direction: Direction): void {
    const compareMember = (a: unknown, b: unknown, at: string): void =>
      this.compareSchemas(a, b, at, direction);
    this.each(old.properties, now.properties, `${where}.`, compareMember);
    this.each(old.patternProperties, now.patternProperties, `${where}.`, compareMember);
    for (const name of Object.keys(asNode(now.properties))) {
      const [required, requiredNow] = [old, now].map((each) =>
        listOf(each.required).includes(name),
      );
      if (required && !requiredNow)
        this.report(`${where}.${name}`, 'no longer required', 'widened', direction);
      if (!required && requiredNow)
        this.report(`${where}.${name}`, 'now required', 'narrowed', direction);
    }
    const [open, openNow] = [old, now].map((each) => each.additionalProperties ?? true);
    if (typeof open !== 'boolean' || typeof openNow !== 'boolean')
      throw new NotComparable(`${where}: "additionalProperties" is a schema`);
    // Clients ignore members that they do not know, so an open response does not break them.
    if (open !== openNow)
      this.report(
        where,
        `additionalProperties: ${openNow}`,
        openNow && direction === 'request' ? 'widened' : 'narrowed',
        direction,
      );
  }

  /**
   * Compares the entries of two objects by name. A removed one breaks clients; an added one does
   * not.
   */
  private each(
    old: unknown,
    now: unknown,
    prefix: string,
    visit: (old: unknown, now: unknown, where: string) => void,
  ): void {
    const from = asNode(old);
    const to = asNode(now);
    for (const name of Object.keys(from)) {
      if (Object.hasOwn(to, name)) visit(from[name], to[name], prefix + name);
      else this.breaks(prefix + name, 'removed');
    }
    for (const name of Object.keys(to))
      if (!Object.hasOwn(from, name)) this.adds(prefix + name, 'added');
  }

  private follow(document: Node, node: Node): Node {
    if (node.$ref === undefined) return node;
    const path = /^#\/(components)\/(schemas|headers)\/([^/]+)$/.exec(String(node.$ref))?.slice(1);
    const target = path?.reduce<unknown>((each, key) => asNode(each)[key], document);
    if (target === undefined)
      throw new NotComparable(`the reference ${shown(node.$ref)} leads nowhere`);
    return this.follow(document, asNode(target));
  }

  private report(where: string, what: string, effect: Effect, direction: Direction): void {
    const compatible: Effect = direction === 'response' ? 'narrowed' : 'widened';
    if (effect === compatible) this.adds(where, what);
    else this.breaks(where, what);
  }

  private breaks(where: string, what: string): void {
    this.result.breaks.push({ where, what });
  }

  private adds(where: string, what: string): void {
    this.result.additions.push({ where, what });
  }
}

/** The operations by path. */
const getsOf = ({ paths }: Node): Node =>
  Object.fromEntries(
    Object.entries(asNode(paths)).map(([path, item]) => [path, known(item, 'path', path).get]),
  );

/** The variants of a schema, keyed by their reference, constant or type. */
function variantsOf(schema: Node, where: string): Map<string, Node> {
  const { anyOf } = schema;
  const constraint = Object.keys(schema).find(
    (key) => key !== 'anyOf' && !ANNOTATIONS.includes(key),
  );
  if (anyOf !== undefined && constraint !== undefined)
    throw new NotComparable(`${where}: "${constraint}" beside "anyOf" is not supported`);
  const all =
    anyOf === undefined ? [schema] : listOf(anyOf).map((each) => known(each, 'schema', where));
  const variants = all.flatMap((each) =>
    Array.isArray(each.type) ? each.type.map((one) => ({ ...each, type: one as unknown })) : [each],
  );
  const keyed = new Map(variants.map((each) => [keyOf(each, anyOf !== undefined), each]));
  if (keyed.size < variants.length)
    throw new NotComparable(`${where}: two variants of the same kind are not supported`);
  return keyed;
}

/** What identifies a variant; of several objects, the constants in them. */
function keyOf({ $ref, const: only, properties, type }: Node, inUnion: boolean): string {
  if ($ref !== undefined) return String($ref).split('/').at(-1)!;
  if (only !== undefined) return shown(only);
  const constants = inUnion
    ? Object.values(asNode(properties)).flatMap((each) => asNode(each).const ?? [])
    : [];
  const kind = type === 'integer' ? 'number' : String(type ?? 'any value');
  return constants.length === 0 ? kind : `${kind} with ${constants.map(shown).join(', ')}`;
}

/** Whether a constant is among the values of a variant of its type. */
const isCovered = (variant: Node, others: Map<string, Node>): boolean =>
  variant.const !== undefined &&
  others.get(String(variant.type))?.const === undefined &&
  others.has(String(variant.type));

/**
 * What it does to a pattern that its classes, such as `[A-Z]`, allow more or fewer characters; null
 * if more than that differs.
 */
function classEffect(old: string, now: string): Effect | null {
  const CLASS = /\[[^\]^\\]*\]/g;
  if (old.replace(CLASS, '[]') !== now.replace(CLASS, '[]')) return null;
  const [from, to] = [old, now].map((pattern) =>
    (pattern.match(CLASS) ?? []).map((each) => each.match(/[^[\]](?:-[^\]])?/g) ?? []),
  );
  const within = (inner: string[][], outer: string[][]) =>
    inner.every((each, index) => each.every((range) => outer[index]!.includes(range)));
  if (within(from!, to!)) return 'widened';
  return within(to!, from!) ? 'narrowed' : 'changed';
}

/**
 * What a new pattern does to the allowed texts. Only alternatives, `^(a|b)…`, and classes can be
 * compared.
 */
function patternEffect(old: unknown, now: unknown): Effect | null {
  if (old === now) return null;
  if (old === undefined || now === undefined) return old === undefined ? 'narrowed' : 'widened';
  const classes = classEffect(String(old), String(now));
  if (classes !== null) return classes;
  const [from, to] = [old, now].map((pattern) => /^\^\(([^()]*)\)(.*)$/.exec(String(pattern)));
  if (from == null || to == null || from[2] !== to[2]) return 'changed';
  const before = from[1]!.split('|');
  const after = to[1]!.split('|');
  if (before.every((each) => after.includes(each))) return 'widened';
  return after.every((each) => before.includes(each)) ? 'narrowed' : 'changed';
}

/**
 * Whether a version may break clients of an older one: a higher major version, or below 1.0.0 a
 * higher minor version.
 */
export function mayBreak(old: string, now: string): boolean {
  const [from, to] = [old, now].map((version) => {
    const match = /^(\d+)\.(\d+)\.\d+/.exec(version);
    if (match === null)
      throw new NotComparable(`the version "${version}" is not of the form 1.2.3`);
    return { major: Number(match[1]), minor: Number(match[2]) };
  }) as [{ major: number; minor: number }, { major: number; minor: number }];
  return to.major > from.major || (from.major === 0 && to.major === 0 && to.minor > from.minor);
}
