import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { PUBLISHED } from '../../../schemas/index.js';
import { href, PATHS } from '../../links.js';
import { HTML_MEDIA_TYPE } from '../../web/layout.js';
import { type ApiDocument, type ExampleRequest, renderReferencePage } from '../../web/reference-page.js';
import { type App, type DescribedRoute, JSON_MEDIA_TYPE, sendText } from '../operations.js';
import { only } from '../parameters.js';
import { ProblemError } from '../wire/problems.js';

const SCHEMA_MEDIA_TYPE = 'application/schema+json';

const NameParameters = only({
  name: Type.String({ pattern: '^[A-Za-z]{1,60}\\.json$', description: 'The name of a published type, followed by ".json".' }),
});

/** The request that shows an operation, relative to the root of the service. */
const exampleOf = ({ path, operation: { operationId, example } }: DescribedRoute): ExampleRequest => {
  const { parameters = {}, query = {} } = example;
  return { operationId, target: href('', path, { ...parameters, query }) };
};

/** Adds the reference of the API for people. @param read reads a file of the contract */
function addReference(app: App, read: (name: string) => Promise<string>): void {
  app.get(PATHS.reference, { config: { page: true, mediaType: HTML_MEDIA_TYPE } }, async (_request, reply) => {
    const document = JSON.parse(await read('openapi.json')) as ApiDocument;
    return sendText(reply, HTML_MEDIA_TYPE, renderReferencePage(document, app.operations.map(exampleOf)));
  });
}

/** Adds the published contract. @param folder the folder that `export-schemas` wrote */
export function addDescription(app: App, folder: string): void {
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  addReference(app, read);
  app.get(
    PATHS.openApi,
    {
      config: {
        mediaType: JSON_MEDIA_TYPE,
        operation: { operationId: 'getOpenApi', tag: 'service', summary: 'This description of the service (OpenAPI 3.1).', example: {} },
      },
    },
    async (_request, reply) => sendText(reply, JSON_MEDIA_TYPE, await read('openapi.json')),
  );
  app.get(
    PATHS.schema,
    {
      schema: { params: NameParameters },
      config: {
        mediaType: SCHEMA_MEDIA_TYPE,
        operation: {
          operationId: 'getSchema',
          tag: 'service',
          summary: 'A published type as JSON Schema (2020-12).',
          description: `The types: ${Object.keys(PUBLISHED).join(', ')}.`,
          problems: ['not-found'],
          example: { parameters: { name: 'Setup.json' } },
        },
      },
    },
    async ({ params: { name } }, reply) => {
      if (!Object.hasOwn(PUBLISHED, name.replace(/\.json$/, '')))
        throw new ProblemError('not-found', `There is no published type ${name}.`);
      return sendText(reply, SCHEMA_MEDIA_TYPE, await read(name));
    },
  );
}
