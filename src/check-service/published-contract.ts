import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { isObject, type Json, type JsonObject, memberOf } from './json.js';

/** A parameter of an operation. */
export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  schema: JsonObject;
  /** Whether its values are instants. The schema only says that they are text. */
  isTime: boolean;
  /** The example value in the description, if any. */
  example: Json | undefined;
}

/** An operation of the OpenAPI document: a path with a GET. */
export interface Operation {
  id: string;
  /** `/setups/{id}` */
  path: string;
  parameters: Parameter[];
  /** For each documented status, and `default`: the media types, each with the name of its schema; null: any object. */
  responses: Map<string, Map<string, string | null>>;
  /** For a response with elements: the key in `_embedded` and the name of the schema of an element, null where it has none. */
  list: { key: string; element: string | null } | null;
  /** Whether the elements come in pages. */
  paged: boolean;
  /** Whether the body is streamed, and so has no Content-Length. */
  isStreamed: boolean;
}

/** The parameters of a page that are not filters. */
const PAGING = ['page', 'size', 'sort', 'projection'];
/** The parameters whose values are instants. */
const INSTANTS = ['at', 'asOf', 'from', 'to', 'effectiveFrom', 'effectiveTo'];

/** The parameters that filter a page by a property of its elements. */
export const filtersOf = ({ parameters }: Operation): Parameter[] =>
  parameters.filter((each) => each.in === 'query' && !each.required && each.schema.type === 'array' && !PAGING.includes(each.name));

/** The values that `projection` accepts; none where the operation has no such parameter. */
export function projectionsOf({ parameters }: Operation): string[] {
  const schema = parameters.find(({ name }) => name === 'projection')?.schema ?? {};
  const variants = [schema, ...(Array.isArray(schema.anyOf) ? schema.anyOf : [])].filter((each) => isObject(each));
  const values = variants.flatMap((each) => [each.const, ...(Array.isArray(each.enum) ? each.enum : [])]);
  return values.filter((each) => typeof each === 'string');
}

/** The schema of one value of a parameter that may be repeated. */
export const itemOf = (schema: JsonObject): JsonObject => (isObject(schema.items) ? schema.items : schema);

/** The name at the end of a reference or a schema id: `#/components/schemas/Setup`, `urn:…:Setup`. */
export const referencedName = (reference: Json | undefined): string | null =>
  typeof reference === 'string' ? reference.split(/[/:]/).at(-1)! : null;

/** Converts a text from a URL to the type of a schema; undefined where it does not fit. */
function coerce(schema: JsonObject, text: string): Json | undefined {
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (schema.type === 'integer' || schema.type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
  return text;
}

/** What the path of an operation looks like in a URL. */
interface PathPattern {
  operation: Operation;
  names: string[];
  pattern: RegExp;
}

function toPattern(operation: Operation): PathPattern {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const pattern = operation.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([^/]+)');
  return { operation, names, pattern: new RegExp(`^${pattern}$`) };
}

/** Decodes a percent-encoded text; undefined where the encoding is malformed. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** An object that the published contract must have. It is our own file, so a gap in it is not a finding about the service. */
function objectAt(value: Json | undefined, what: string): JsonObject {
  if (!isObject(value)) throw new Error(`The published contract has no ${what}`);
  return value;
}

/** The published contract: its operations, its schemas, and the bytes of its files. */
export class PublishedContract {
  /** The bytes of each schema by file name: `Setup.json`. */
  readonly schemaFiles = new Map<string, Buffer>();
  readonly openApi: Buffer;
  readonly version: string;
  readonly operations: Operation[];
  /** The fixed header fields of every response, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  private readonly patterns: PathPattern[];
  private readonly schemas = new Map<string, JsonObject>();
  private readonly ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  private readonly compiled = new WeakMap<JsonObject, ValidateFunction>();

  /** @param folder the folder that `export-schemas` wrote */
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
    // Those without one value belong to some responses only.
    this.headers = new Map(
      Object.entries(headers).flatMap(([name, header]) => {
        const value = memberOf(header, 'schema.const');
        return typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [];
      }),
    );
    this.operations = Object.entries(objectAt(document.paths, 'paths')).flatMap(([path, item]) => {
      const operation = memberOf(item, 'get');
      return isObject(operation) ? [this.toOperation(path, operation)] : [];
    });
    // `/setups/search` is a resource of its own, not the Setup whose id is "search".
    this.patterns = this.operations.map(toPattern).sort((a, b) => a.names.length - b.names.length);
  }

  private toOperation(path: string, operation: JsonObject): Operation {
    const parameters = (Array.isArray(operation.parameters) ? operation.parameters : []).filter(isObject).map((each): Parameter => ({
      name: String(each.name),
      in: each.in === 'path' ? 'path' : 'query',
      required: each.required === true,
      schema: objectAt(each.schema, `schema of the parameter ${String(each.name)} of ${path}`),
      isTime: INSTANTS.includes(String(each.name)),
      example: each.example ?? memberOf(each.schema, 'example'),
    }));
    const responses = new Map(
      Object.entries(objectAt(operation.responses, `responses of ${path}`)).map(([status, response]) => {
        const types = Object.entries(objectAt(memberOf(response, 'content'), `content of ${status} of ${path}`));
        const named = types.map(([type, content]) => [type, referencedName(memberOf(content, 'schema.$ref'))] as const);
        return [status, new Map(named)] as const;
      }),
    );
    const [name] = responses.get('200')?.values() ?? [];
    const members = name == null ? undefined : this.schema(name).properties;
    const embedded = memberOf(members, '_embedded.properties');
    const [list] = isObject(embedded) ? Object.entries(embedded) : [];
    return {
      id: String(operation.operationId),
      path,
      parameters,
      responses,
      list: list === undefined ? null : { key: list[0], element: referencedName(memberOf(list[1], 'items.$ref')) },
      isStreamed: path.startsWith('/exports/') || path === '/siteLogs',
      paged: list !== undefined && memberOf(members, 'page') !== undefined,
    };
  }

  /** The operation of a path template, if there is one. */
  operationOf(path: string): Operation | undefined {
    return this.operations.find((each) => each.path === path);
  }

  /** The operation of a path below the base URL, with the values of the parameters in the path. */
  operationAt(path: string): { operation: Operation; values: Record<string, string> } | undefined {
    for (const { operation, names, pattern } of this.patterns) {
      const match = pattern.exec(path)?.slice(1).map(decode);
      if (match === undefined || match.includes(undefined)) continue;
      return { operation, values: Object.fromEntries(names.map((name, index) => [name, match[index]!])) };
    }
    return undefined;
  }

  /** The top-level collection with elements of a schema. */
  collectionOf(element: string | null | undefined): Operation | undefined {
    return this.operations.find(
      ({ list, paged, path }) => paged && element != null && list?.element === element && path.lastIndexOf('/') === 0,
    );
  }

  /** A published schema by name. */
  schema(name: string): JsonObject {
    return objectAt(this.schemas.get(name), `schema ${name}`);
  }

  /** Compiles a schema once. Published schemas are already known to the validator by their `$id`. */
  validator(schema: JsonObject): ValidateFunction {
    const validate =
      this.compiled.get(schema) ?? (typeof schema.$id === 'string' ? this.ajv.getSchema(schema.$id)! : this.ajv.compile(schema));
    this.compiled.set(schema, validate);
    return validate;
  }

  /** Validates a value against a published schema. Returns the violations. */
  violations(name: string, value: Json): string[] {
    const validate = this.validator(this.schema(name));
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'the body'} ${message ?? ''}`);
  }

  /** Whether a parameter accepts a text from a URL, by its schema. */
  accepts(parameter: Parameter, text: string): boolean {
    const schema = itemOf(parameter.schema);
    const value = coerce(schema, text);
    return value !== undefined && this.validator(schema)(value);
  }
}
