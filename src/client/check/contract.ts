import type { Static, TSchema } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject, type Json, type JsonObject, memberOf } from './json.js';
import { Schemas } from './schemas.js';

const named = <T extends TSchema>(values: T) => Type.Record(Type.String(), values);
const Schema = Type.Unsafe<JsonObject>(Type.Object({}));
/** A parameter of an operation. */
const Parameter = Type.Object({
  name: Type.String(),
  in: Type.String(),
  required: Type.Optional(Type.Boolean()),
  schema: Schema,
});
/** A documented response of one status. */
const Response = Type.Object({
  headers: Type.Optional(
    named(Type.Object({ required: Type.Optional(Type.Boolean()), schema: Schema })),
  ),
  content: Type.Optional(named(Type.Object({ schema: Type.Optional(Schema) }))),
});
/** The parts of an OpenAPI document that the checks need. */
const Document = Type.Object({
  info: Type.Object({ version: Type.String() }),
  paths: named(
    Type.Object({
      get: Type.Optional(
        Type.Object({
          parameters: Type.Optional(Type.Array(Parameter)),
          responses: named(Response),
        }),
      ),
    }),
  ),
  components: Type.Optional(Type.Object({ schemas: Type.Optional(Schema) })),
});

export type Parameter = Static<typeof Parameter>;
export type Response = Static<typeof Response>;

/** The GET of a path. */
export interface Operation {
  /** The path, with the names of its parameters: `/setups/{id}`. */
  path: string;
  /** Matches a path. Each group is the value of a parameter. */
  pattern: RegExp;
  parameters: Parameter[];
  /** By status, or `default`. */
  responses: Record<string, Response>;
}

const isDocument = new Ajv2020({ strict: false }).compile<Static<typeof Document>>(Document);

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[\\^$.*+?()[\]|]/g, '\\$&').replace(/\{\w+\}/g, '([^/?{]+)')}$`);

/** Puts shared parameters, responses and header fields in place of the references to them. */
function resolveReferences(document: Json, value: Json): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    const reference = String(memberOf(each, '$ref'));
    const [, kind, name] =
      /^#\/components\/(parameters|responses|headers)\/([^/]+)$/.exec(reference) ?? [];
    const shared = memberOf(document, `components.${kind}`);
    if (name !== undefined && isObject(shared)) Object.assign(value, { [key]: shared[name] });
    else resolveReferences(document, each);
  }
}

/**
 * Closes published schemas, which are open for clients: a service sends only the members that its
 * own document has.
 */
function close(value: Json): void {
  if (typeof value !== 'object' || value === null) return;
  Object.values(value).forEach(close);
  if (isObject(value) && value.type === 'object' && isObject(value.properties))
    value.additionalProperties ??= false;
}

/** What a service says about itself in its OpenAPI document. */
export class Contract {
  readonly version: string;
  readonly operations: Operation[];
  readonly schemas: Schemas;

  /** @throws {Error} if the text is not an OpenAPI document */
  constructor(text: string) {
    const document = JSON.parse(text) as Json;
    resolveReferences(document, document);
    if (!isDocument(document)) throw new Error(new Ajv2020().errorsText(isDocument.errors));
    this.version = document.info.version;
    const schemas = document.components?.schemas ?? {};
    close(schemas);
    this.schemas = new Schemas(schemas);
    this.operations = Object.entries(document.paths).flatMap(([path, { get }]) => {
      if (get === undefined) return [];
      const { parameters = [], responses } = get;
      return [{ path, pattern: patternOf(path), parameters, responses }];
    });
  }

  /** The operation of a path such as `/setups/1`. */
  operationOf(path: string): Operation | undefined {
    // `/setups/search` is not the Setup whose id is "search".
    const exact = this.operations.find((each) => each.path === path);
    return exact ?? this.operations.find(({ pattern }) => pattern.test(path));
  }
}
