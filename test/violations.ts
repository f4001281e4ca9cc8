import { Ajv2020 } from 'ajv/dist/2020.js';
import { PUBLISHED, schemaId, toPlainSchema } from '../schemas/index.js';

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
// The closed schemas, not the open ones that are published: no other member may appear by mistake.
for (const [name, schema] of Object.entries(PUBLISHED))
  ajv.addSchema({ $id: schemaId(name), ...toPlainSchema(schema, schemaId) });

/** Validates a body against a published schema with Ajv. Returns the violations. */
export function violations(name: keyof typeof PUBLISHED, body: unknown): string[] {
  const validate = ajv.getSchema(schemaId(String(name)))!;
  void validate(body);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}
