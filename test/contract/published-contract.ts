import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member of a value; one inside another is told by a dot: `effectivePeriod.from`. */
export const memberOf = (value: Json | undefined, path: string): Json | undefined =>
  path.split('.').reduce<Json | undefined>((each, name) => (isObject(each) ? each[name] : undefined), value);

/** What is JSON in UTF-8 as a value; a text says why it is none. */
export function parseJson(bytes: Buffer): { value: Json } | string {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) as Json };
  } catch (error) {
    return `${bytes.length} bytes that are no JSON in UTF-8 (${(error as Error).message})`;
  }
}

/** What is percent-encoded in a URL as text; undefined where it is encoded wrong. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** An object that must be there: the exported contract is ours, and what it lacks is no finding about a deployment. */
function objectAt(value: Json | undefined, what: string): JsonObject {
  if (!isObject(value)) throw new Error(`${what} of the exported contract is no object`);
  return value;
}

/** A parameter of an operation. */
export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  schema: JsonObject;
  /** Whether its values are times, of which the schema says nothing. */
  isTime: boolean;
  /** The value that the description shows, if any. */
  example: Json | undefined;
}

/** An operation of the OpenAPI document: a path that is read. */
export interface Operation {
  id: string;
  /** `/setups/{id}` */
  path: string;
  parameters: Parameter[];
  /** For each documented status, and `default`: the media types, each with the name of its schema; null: any object. */
  responses: Map<string, Map<string, string | null>>;
  /** Of an answer with elements: the key in `_embedded`, and the name of the schema of an element; null where it has none. */
  list: { key: string; element: string | null } | null;
  /** Whether these come a page at a time. */
  paged: boolean;
}

/** The names of the parameters of a page that are no filters. */
const PAGING = ['page', 'size', 'sort', 'projection'];

/** The parameters that filter a page by a property of its elements. */
export const filtersOf = ({ parameters }: Operation): Parameter[] =>
  parameters.filter((each) => each.in === 'query' && !each.required && each.schema.type === 'array' && !PAGING.includes(each.name));

/** The known values of `projection`, none where an operation has no such parameter. */
export function projectionsOf({ parameters }: Operation): string[] {
  const schema = parameters.find(({ name }) => name === 'projection')?.schema ?? {};
  const variants = [schema, ...(Array.isArray(schema.anyOf) ? schema.anyOf : [])].filter((each) => isObject(each));
  const values = variants.flatMap((each) => [each.const, ...(Array.isArray(each.enum) ? each.enum : [])]);
  return values.filter((each) => typeof each === 'string');
}

/** The value that a text in a URL stands for; undefined where it is none of the type. */
function coerce(schema: JsonObject, text: string): Json | undefined {
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (schema.type === 'integer' || schema.type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
  return text;
}

/** The schema of one value of a parameter that may be given several times. */
export const itemOf = (schema: JsonObject): JsonObject => (isObject(schema.items) ? schema.items : schema);

/** The folder of the exported contract: `schemas/json` of the project that this file is part of. */
export function exportedContract(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'schemas', 'json', 'openapi.json'))) {
    if (dirname(folder) === folder) throw new Error('there is no schemas/json/openapi.json above this file');
    folder = dirname(folder);
  }
  return join(folder, 'schemas', 'json');
}

/** The contract as it was exported: the operations, the schemas, and the bytes of both. */
export class PublishedContract {
  /** The bytes of each file by its name: `Setup.json`. */
  readonly schemaFiles = new Map<string, Buffer>();
  readonly openApi: Buffer;
  readonly version: string;
  readonly operations: Operation[];
  /** The fixed header fields of every answer, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  private readonly schemas = new Map<string, JsonObject>();
  private readonly ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  private readonly compiled = new WeakMap<JsonObject, ValidateFunction>();

  /** @param folder what export-schemas wrote */
  constructor(folder: string) {
    formats.default(this.ajv);
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.json') && each !== 'openapi.json')) {
      const bytes = readFileSync(join(folder, name));
      const schema = JSON.parse(bytes.toString()) as JsonObject;
      this.schemaFiles.set(name, bytes);
      this.schemas.set(name.replace(/\.json$/, ''), schema);
      this.ajv.addSchema(schema);
    }
    this.openApi = readFileSync(join(folder, 'openapi.json'));
    const document = JSON.parse(this.openApi.toString()) as JsonObject;
    this.version = String(memberOf(document, 'info.version'));
    const headers = objectAt(memberOf(document, 'components.headers'), 'components.headers');
    this.headers = new Map(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), String(memberOf(header, 'schema.const'))]));
    this.operations = Object.entries(objectAt(document.paths, 'paths')).flatMap(([path, item]) => {
      const operation = memberOf(item, 'get');
      return isObject(operation) ? [this.toOperation(path, operation)] : [];
    });
  }

  private toOperation(path: string, operation: JsonObject): Operation {
    const parameters = (Array.isArray(operation.parameters) ? operation.parameters : []).filter(isObject).map((each): Parameter => ({
      name: String(each.name),
      in: each.in === 'path' ? 'path' : 'query',
      required: each.required === true,
      schema: objectAt(each.schema, `parameter ${String(each.name)} of ${path}`),
      isTime: / an instant \(/.test(String(each.description)),
      example: each.example ?? memberOf(each.schema, 'example'),
    }));
    const responses = new Map(
      Object.entries(objectAt(operation.responses, `responses of ${path}`)).map(([status, response]) => {
        const types = Object.entries(objectAt(memberOf(response, 'content'), `content of ${status} of ${path}`));
        return [status, new Map(types.map(([type, content]) => [type, this.nameOf(memberOf(content, 'schema'))] as const))] as const;
      }),
    );
    const [name] = responses.get('200')?.values() ?? [];
    const members = name == null ? undefined : this.schema(name).properties;
    const embedded = memberOf(members, '_embedded.properties');
    const [list] = isObject(embedded) ? Object.entries(embedded) : [];
    const element = list === undefined ? undefined : memberOf(list[1], 'items.$ref');
    return {
      id: String(operation.operationId),
      path,
      parameters,
      responses,
      list: list === undefined ? null : { key: list[0], element: typeof element === 'string' ? element.split(':').at(-1)! : null },
      paged: list !== undefined && memberOf(members, 'page') !== undefined,
    };
  }

  /** The collection whose pages have such elements, at a path of its own. */
  collectionOf(element: string | null | undefined): Operation | undefined {
    return this.operations.find(
      ({ list, paged, path }) => paged && element != null && list?.element === element && path.lastIndexOf('/') === 0,
    );
  }

  private nameOf(schema: Json | undefined): string | null {
    const reference = memberOf(schema, '$ref');
    return typeof reference === 'string' ? reference.split('/').at(-1)! : null;
  }

  /** A published schema by its name. */
  schema(name: string): JsonObject {
    return objectAt(this.schemas.get(name), `schema ${name}`);
  }

  private validator(schema: JsonObject): ValidateFunction {
    // A published schema is known to the validator under its $id, and is not to be added again.
    const validate =
      this.compiled.get(schema) ?? (typeof schema.$id === 'string' ? this.ajv.getSchema(schema.$id)! : this.ajv.compile(schema));
    this.compiled.set(schema, validate);
    return validate;
  }

  /** What the validator has against a value as a published schema; empty: nothing. */
  violations(name: string, value: Json): string[] {
    const validate = this.validator(this.schema(name));
    return validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'the body'} ${message ?? ''}`);
  }

  /** Where the members of a valid value are in another order than its schema has them; empty: nowhere. */
  misordered(name: string, value: Json): string[] {
    return this.misorderedIn(this.schema(name), value, '');
  }

  private misorderedIn(schema: JsonObject, value: Json, path: string): string[] {
    if (typeof schema.$ref === 'string') return this.misorderedIn(this.schema(schema.$ref.split(':').at(-1)!), value, path);
    if (Array.isArray(schema.anyOf)) {
      const branch = schema.anyOf.filter(isObject).find((each) => this.validator(each)(value));
      return branch === undefined ? [] : this.misorderedIn(branch, value, path);
    }
    if (Array.isArray(value)) {
      const { items } = schema;
      return isObject(items) ? value.flatMap((each, index) => this.misorderedIn(items, each, `${path}/${index}`)) : [];
    }
    if (!isObject(value) || !isObject(schema.properties)) return [];
    const { properties } = schema;
    const wanted = Object.keys(properties).filter((each) => Object.hasOwn(value, each));
    const found = Object.keys(value).filter((each) => Object.hasOwn(properties, each));
    return [
      ...(wanted.join() === found.join() ? [] : [`${path || 'the body'} has ${found.join(', ')}; expected ${wanted.join(', ')}`]),
      ...found.flatMap((each) => this.misorderedIn(objectAt(properties[each], each), value[each]!, `${path}/${each}`)),
    ];
  }

  /** Whether a text in a URL is a value of a parameter, by its schema. */
  accepts(parameter: Parameter, text: string): boolean {
    const schema = itemOf(parameter.schema);
    const value = coerce(schema, text);
    return value !== undefined && this.validator(schema)(value);
  }

  /** The operation of a path below the base URL, and the values of the path's parameters. */
  operationAt(path: string): { operation: Operation; values: Record<string, string> } | undefined {
    const found = this.operations.flatMap((operation) => {
      const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      const pattern = operation.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([^/]+)');
      const match = new RegExp(`^${pattern}$`).exec(path)?.slice(1).map(decode);
      if (match === undefined || match.includes(undefined)) return [];
      return [{ operation, values: Object.fromEntries(names.map((name, index) => [name, match[index]!])) }];
    });
    // `/setups/search` is its own, not the Setup whose id is "search".
    return found.sort((a, b) => Object.keys(a.values).length - Object.keys(b.values).length)[0];
  }
}
