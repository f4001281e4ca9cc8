import { Health, Readiness } from '../../../schemas/index.js';
import { PATHS } from '../../links.js';
import { type StoreReader, StoreUnusable } from '../../store/store.js';
import { type App, JSON_MEDIA_TYPE } from '../operations.js';
import { ProblemError } from '../wire/problems.js';

/** Adds the state of the service: whether the process is up, and whether the database can be read. */
export function addStatus(app: App, store: StoreReader): void {
  app.get(
    PATHS.health,
    {
      schema: { response: { 200: Health } },
      config: {
        mediaType: JSON_MEDIA_TYPE,
        operation: { operationId: 'getHealth', tag: 'service', summary: 'Whether the process is up.', example: {} },
      },
    },
    async () => ({ status: 'up' as const }),
  );
  app.get(
    PATHS.ready,
    {
      schema: { response: { 200: Readiness } },
      config: {
        mediaType: JSON_MEDIA_TYPE,
        operation: {
          operationId: 'getReadiness',
          tag: 'service',
          summary: 'Whether the database can be read, with the number of its last migration and of its Sites.',
          problems: ['not-ready'],
          example: {},
        },
      },
    },
    async (request) => {
      try {
        return { status: 'ready' as const, ...(await store.status()) };
      } catch (error) {
        if (error instanceof StoreUnusable) throw error;
        request.log.error({ reqId: request.id, err: error }, 'the database cannot be read');
        throw new ProblemError('not-ready', 'The log of the service gives the reason under the id in "instance".', {
          instance: `urn:uuid:${request.id}`,
        });
      }
    },
  );
}
