import { Ajv2020 } from 'ajv/dist/2020.js';
import { PUBLISHED, schemaId, toJsonSchema } from '../schemas/index.js';

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
for (const name of Object.keys(PUBLISHED)) ajv.addSchema(toJsonSchema(name));

/** Validates a body against a published schema with Ajv. Returns the violations. */
export function violations(name: keyof typeof PUBLISHED, body: unknown): string[] {
  const validate = ajv.getSchema(schemaId(String(name)))!;
  void validate(body);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}
