import type { TObject, TSchema } from '@sinclair/typebox';
import type { FastifyServerOptions } from 'fastify';
import type { InvalidParameter } from '../../../schemas/index.js';
import { compileParameters } from '../../exports/query-validator.js';
import { invalidParameters } from '../../exports/refusals.js';
import { serializerOf } from '../../serializers/serializers.js';
import { likelyFile } from './likely-path.js';
import { ProblemError } from './problems.js';

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>;
type Factories = Required<NonNullable<SchemaController['compilersFactory']>>;

/** The values of a closed list; null if the schema is none. */
function valuesOf({ anyOf }: TSchema): string[] | null {
  return anyOf === undefined ? null : (anyOf as TSchema[]).map((each) => String(each.const));
}

/**
 * Refuses a path. It names no resource (404) if a value is not in the closed list of its parameter.
 */
function invalidPath(schema: TObject, invalid: InvalidParameter[]): Error {
  const { name, value } = invalid[0]!;
  const values = valuesOf(schema.properties[name]!);
  if (values === null) return invalidParameters(invalid);
  const detail = `There is no ${name} "${String(value)}" here. There are: ${values.join(', ')}.`;
  const hint = name === 'format' ? likelyFile(String(value)) : null;
  return new ProblemError('not-found', hint === null ? detail : `${detail} ${hint}`);
}

/**
 * A validator as Fastify takes it. It is compiled on first use: together, all validators take 1 MB.
 */
function compileValidator(
  schema: TObject,
  isPath: boolean,
): (raw: unknown) => { value: object } | { error: Error } {
  let validate: ReturnType<typeof compileParameters> | undefined;
  return (raw) => {
    validate ??= compileParameters(schema);
    const checked = validate(raw);
    if ('value' in checked) return checked;
    const { invalid } = checked;
    return { error: isPath ? invalidPath(schema, invalid) : invalidParameters(invalid) };
  };
}

/**
 * Our validator and serializer, for the options of a Fastify instance. Setting them later, with
 * `setValidatorCompiler` and `setSerializerCompiler`, would load Ajv and fast-json-stringify first:
 * a fifth of the start time, for nothing.
 */
export const SCHEMA_COMPILERS: SchemaController = {
  compilersFactory: {
    // Fastify declares the types of Ajv and fast-json-stringify here, although it asks for less.
    buildValidator: (() =>
      ({ schema, httpPart }: { schema: TObject; httpPart?: string }) =>
        compileValidator(schema, httpPart === 'params')) as unknown as Factories['buildValidator'],
    buildSerializer: (() =>
      ({ schema }: { schema: TSchema }) =>
        serializerOf(schema)) as unknown as Factories['buildSerializer'],
  },
};
