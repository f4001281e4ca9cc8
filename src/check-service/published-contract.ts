import { type Static, type TSchema, Type } from '@sinclair/typebox';
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
  description: Type.Optional(Type.String()),
  schema: Schema,
});
/** A documented response of one status. */
const Response = Type.Object({
  headers: Type.Optional(
    named(Type.Object({ required: Type.Optional(Type.Boolean()), schema: Schema })),
  ),
  content: Type.Optional(named(Type.Object({ schema: Type.Optional(Schema) }))),
});
/** A GET of a path. */
const Operation = Type.Object({
  operationId: Type.String(),
  parameters: Type.Optional(Type.Array(Parameter)),
  responses: named(Response),
});
/** The parts of an OpenAPI document that the checks need. */
const Document = Type.Object({
  info: Type.Object({ version: Type.String() }),
  paths: named(Type.Object({ get: Type.Optional(Operation), post: Type.Optional(Type.Unknown()) })),
  components: Type.Optional(Type.Object({ schemas: Type.Optional(Schema) })),
});

export type Parameter = Static<typeof Parameter>;
export type Response = Static<typeof Response>;
/** An operation, with its path: `/setups/{id}`. */
export type Operation = Static<typeof Operation> & {
  path: string;
  pattern: RegExp;
  isReadOnly: boolean;
};

/** The schema of one value of a parameter that may be repeated. */
export const itemOf = ({ schema }: Parameter): JsonObject =>
  isObject(schema.items) ? schema.items : schema;

/** Matches a path below the base URL. Each group is the value of a parameter. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[\\^$.*+?()[\]|]/g, '\\$&').replace(/\{\w+\}/g, '([^/?{]+)')}$`);

/** Resolves references to shared parameters, responses and header fields. */
function follow(document: Json, value: Json): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    const [, kind, name] =
      /^#\/components\/(parameters|responses|headers)\/([^/]+)$/.exec(
        String(memberOf(each, '$ref')),
      ) ?? [];
    const shared = memberOf(document, `components.${kind}`);
    if (name !== undefined && isObject(shared)) Object.assign(value, { [key]: shared[name] });
    else follow(document, each);
  }
}

const isDocument = new Ajv2020({ strict: false }).compile<Static<typeof Document>>(Document);

function parseContract(text: string) {
  const document = JSON.parse(text) as Json;
  follow(document, document);
  if (!isDocument(document)) throw new Error(new Ajv2020().errorsText(isDocument.errors));
  const { paths, info, components } = document;
  const operations = Object.entries(paths).flatMap(([path, { get, post }]) =>
    get === undefined
      ? []
      : [{ ...get, path, pattern: patternOf(path), isReadOnly: post === undefined }],
  );
  return { version: info.version, operations, schemas: new Schemas(components?.schemas ?? {}) };
}

/** What a service says about itself. */
export type PublishedContract = ReturnType<typeof parseContract>;

/** How many contracts are remembered. */
const MOST_REMEMBERED = 10;
const remembered = new Map<string, PublishedContract>();

/**
 * Reads an OpenAPI document. Compiling its schemas takes most of the time of a check, so a document
 * that was read before is remembered.
 * @throws {Error} if it is not one
 */
export function readContract(bytes: Buffer): PublishedContract {
  const text = bytes.toString();
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const contract = parseContract(text);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(text, contract);
  return contract;
}
