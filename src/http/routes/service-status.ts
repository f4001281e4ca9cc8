import type { FastifyInstance } from 'fastify';
import { Health, Readiness } from '../../../schemas/index.js';
import { PATHS } from '../../links.js';
import type { SetupReader } from '../../store/store.js';
import { ProblemError } from '../problems.js';
import { addResource, JSON_MEDIA_TYPE } from '../resources.js';

/** Whether the process lives, and whether the store answers. */
export function addServiceStatus(app: FastifyInstance, reader: SetupReader): void {
  addResource(app, {
    path: PATHS.health,
    response: Health,
    mediaType: JSON_MEDIA_TYPE,
    cacheable: false,
    read: async (): Promise<Health> => ({ status: 'up' }),
  });
  addResource(app, {
    path: PATHS.ready,
    response: Readiness,
    mediaType: JSON_MEDIA_TYPE,
    cacheable: false,
    read: async (request): Promise<Readiness> => {
      try {
        return { status: 'ready', ...(await reader.status()) };
      } catch (error) {
        request.log.error({ reqId: request.id, err: error }, 'the store does not answer');
        throw new ProblemError('not-ready', 'The database cannot be read; the log of the service has the reason.', {
          instance: `urn:uuid:${request.id}`,
        });
      }
    },
  });
}
