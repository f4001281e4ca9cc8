import type { Logger } from 'pino';
import { Health, type NewestLog, Readiness } from '../../../schemas/index.js';
import { PATHS } from '../../links.js';
import { recordTimeInFuture } from '../../store/clock.js';
import { StoreBusy, type Store, StoreUnusable } from '../../store/store.js';
import { type App, JSON_MEDIA_TYPE } from '../contract/operations.js';
import { ProblemError } from '../wire/problems.js';
import { requestIdOf } from '../wire/request-id.js';
import { DAY } from '../../requests/units-of-time.js';

/**
 * The newest log, with its age. A log may be dated tomorrow, in another time zone; its age is then
 * 0 days.
 */
function newestLogOf(datePrepared: string, now: Date): NewestLog {
  return {
    datePrepared,
    ageInDays: Math.max(0, Math.floor((now.getTime() - Date.parse(datePrepared)) / DAY)),
  };
}

/** What a build is called; null if unknown. */
export interface BuildNames {
  version: string | null;
  revision: string | null;
}

/**
 * Adds the state of the service: whether the process is up, and whether the database can be read.
 */
export function addStatus(
  app: App,
  store: Store,
  log: Logger,
  clock: () => Date,
  { version, revision }: BuildNames,
): void {
  app.get(PATHS.health, {
    schema: { response: { 200: Health } },
    config: {
      mediaType: JSON_MEDIA_TYPE,
      operationId: 'getHealth',
      tag: 'service',
      summary: 'Whether the process is up.',
      example: {},
    },
    handler: async () => ({ status: 'up' as const }),
  });
  app.get(PATHS.ready, {
    schema: { response: { 200: Readiness } },
    config: {
      mediaType: JSON_MEDIA_TYPE,
      operationId: 'getReadiness',
      tag: 'service',
      summary:
        'Whether the database can be read, with the version of the service, the last migration, ' +
        'the number of Sites, the last import and the newest log.',
      example: {},
    },
    handler: async (request) => {
      try {
        const now = clock();
        const { newestLog, lastRecorded, ...status } = await store.status(now);
        const future = recordTimeInFuture(lastRecorded, now);
        return {
          status: 'ready' as const,
          version,
          revision,
          ...status,
          newestLog: newestLog === null ? null : newestLogOf(newestLog, now),
          ...(future !== null && { recordTimeInFuture: future }),
        };
      } catch (error) {
        if (error instanceof StoreUnusable || error instanceof StoreBusy) throw error;
        log.error({ reqId: requestIdOf(request), err: error }, 'the database cannot be read');
        throw new ProblemError(
          'not-ready',
          'The log of the service gives the reason under the id in "instance".',
          {
            instance: `urn:uuid:${requestIdOf(request)}`,
          },
        );
      }
    },
  });
}
