import type { Health, Readiness } from '../../../schemas/index.js';
import { PATHS } from '../../links.js';
import { ProblemError } from '../problems.js';
import { JSON_MEDIA_TYPE, type Resource } from '../resources.js';

/** Whether the process lives, and whether the store answers. */
export const statusResources: Resource[] = [
  {
    path: PATHS.health,
    operationId: 'getHealth',
    tag: 'service',
    summary: 'Whether the process lives.',
    response: 'Health',
    mediaType: JSON_MEDIA_TYPE,
    cacheable: false,
    example: {},
    read: async (): Promise<Health> => ({ status: 'up' }),
  },
  {
    path: PATHS.ready,
    operationId: 'getReadiness',
    tag: 'service',
    summary: 'Whether the store answers, with which migration and how many Sites.',
    response: 'Readiness',
    mediaType: JSON_MEDIA_TYPE,
    cacheable: false,
    problems: ['not-ready'],
    example: {},
    read: async ({ reader, request }): Promise<Readiness> => {
      try {
        return { status: 'ready', ...(await reader.status()) };
      } catch (error) {
        request.log.error({ reqId: request.id, err: error }, 'the store does not answer');
        throw new ProblemError('not-ready', 'The database cannot be read; the log of the service has the reason.', {
          instance: `urn:uuid:${request.id}`,
        });
      }
    },
  },
];
