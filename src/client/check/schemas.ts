import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { PUBLISHED, toPlainSchema } from '../../../schemas/index.js';
import { elementsOf, isObject, type Json, type JsonObject } from './json.js';

/** The beginning of a reference to a schema. */
export const COMPONENTS = '#/components/schemas/';
/** The name under which the validator knows all schemas. */
const ALL = 'schemas.json';

/** Schemas that refer to each other by name, and checks of values against them. */
export class Schemas {
  // Most schemas validate a few values. Optimizing them takes longer.
  private readonly ajv = new Ajv2020({ strict: false, code: { optimize: false } });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(private readonly schemas: JsonObject) {
    formats.default(this.ajv);
    this.ajv.addSchema({ $id: ALL, components: { schemas } }, ALL, false, false);
  }

  /** The schemas of this package, whatever a service publishes. */
  static ofThisPackage(): Schemas {
    const plain = Object.entries(PUBLISHED).map(([name, schema]) => [
      name,
      toPlainSchema(schema, (each) => COMPONENTS + each),
    ]);
    return new Schemas(Object.fromEntries(plain) as JsonObject);
  }

  /**
   * The problem of an invalid value, or of members in another order than in the schema; an empty
   * list if it has none.
   */
  problems(schema: JsonObject, value: Json): string[] {
    try {
      const validate = this.validator(schema);
      if (validate(value)) return this.misordered(schema, value, 'the body');
      const errors = validate.errors ?? [];
      // Among variants, those of other kinds differ in a constant.
      const error = errors.find(({ keyword }) => keyword !== 'const') ?? errors[0];
      return [`${error?.instancePath || 'the body'} ${error?.message ?? 'is invalid'}`];
    } catch (error) {
      return [`the schema cannot be used: ${(error as Error).message}`];
    }
  }

  /** Follows references, and chooses the first variant that a value satisfies. */
  schemaFor(schema: JsonObject, value: Json): JsonObject {
    const { $ref: reference, anyOf } = schema;
    const variants =
      typeof reference === 'string'
        ? [this.schemas[reference.slice(COMPONENTS.length)]]
        : elementsOf(anyOf);
    const objects = variants.filter(isObject);
    const variant =
      objects.length === 1 ? objects[0] : objects.find((each) => this.validator(each)(value));
    return variant === undefined ? schema : this.schemaFor(variant, value);
  }

  private validator(schema: JsonObject): ValidateFunction {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${ALL}#/`);
    const validate = this.compiled.get(text) ?? this.ajv.compile(JSON.parse(text) as JsonObject);
    this.compiled.set(text, validate);
    return validate;
  }

  private misordered(schema: JsonObject, value: Json, place: string): string[] {
    const { items, properties } = this.schemaFor(schema, value);
    if (isObject(items))
      return elementsOf(value).flatMap((each, index) =>
        this.misordered(items, each, `${place}/${index}`),
      );
    if (!isObject(value) || !isObject(properties)) return [];
    const wanted = Object.keys(properties).filter((each) => Object.hasOwn(value, each));
    const found = Object.keys(value).filter((each) => Object.hasOwn(properties, each));
    if (wanted.join() !== found.join())
      return [`${place} has ${found.join(', ')}; expected ${wanted.join(', ')}`];
    return found.flatMap((each) =>
      this.misordered(properties[each] as JsonObject, value[each]!, `${place}/${each}`),
    );
  }
}
