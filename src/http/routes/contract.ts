import { Type } from '@sinclair/typebox';
import { PUBLISHED } from '../../../schemas/index.js';
import { PATHS } from '../../links.js';
import type { ContractFiles } from '../contract-files.js';
import { ProblemError } from '../problems.js';
import { JSON_MEDIA_TYPE, OtherBody, type Resource } from '../resources.js';

const SCHEMA_MEDIA_TYPE = 'application/schema+json';

const NameParameters = Type.Object(
  { name: Type.String({ pattern: '^[A-Za-z]{1,60}\\.json$', description: 'The name of a published type, and ".json".' }) },
  { additionalProperties: false },
);

/** The published contract, the bytes that export-schemas writes. */
export const contractResources = (files: ContractFiles): Resource[] => [
  {
    path: PATHS.openApi,
    operationId: 'getOpenApi',
    tag: 'service',
    summary: 'This description of the service (OpenAPI 3.1).',
    response: null,
    mediaType: JSON_MEDIA_TYPE,
    cacheable: false,
    example: {},
    read: async () => new OtherBody(JSON_MEDIA_TYPE, await files.read('openapi.json')),
  },
  {
    path: PATHS.schema,
    operationId: 'getSchema',
    tag: 'service',
    summary: 'A published type as JSON Schema (2020-12).',
    description: `The types: ${Object.keys(PUBLISHED).join(', ')}.`,
    parameters: NameParameters,
    response: null,
    mediaType: SCHEMA_MEDIA_TYPE,
    cacheable: false,
    problems: ['not-found'],
    example: { parameters: { name: 'Setup.json' } },
    read: async ({ parameters }) => {
      const { name } = parameters as unknown as { name: string };
      if (!Object.hasOwn(PUBLISHED, name.replace(/\.json$/, '')))
        throw new ProblemError('not-found', `There is no published type ${name}.`);
      return new OtherBody(SCHEMA_MEDIA_TYPE, await files.read(name));
    },
  },
];
