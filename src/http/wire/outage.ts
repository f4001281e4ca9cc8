import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { StoreUnusable } from '../../store/store.js';

/** How often to check whether the database can be read again, in milliseconds. */
const INTERVAL = 1000;

/**
 * Logs when the database cannot be read, and when it can be read again: one line each.
 * @param check fails while the database cannot be read
 * @returns a function to call with each error
 */
export function watchOutages(
  app: FastifyInstance,
  log: Logger,
  check: () => Promise<unknown>,
): (error: StoreUnusable, reqId: string) => void {
  let reason: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  const tryAgain = (): void => {
    check().then(
      () => {
        clearInterval(timer);
        reason = null;
        log.info('the database can be read again');
      },
      () => undefined,
    );
  };
  app.addHook('onClose', async () => clearInterval(timer));
  return ({ message }, reqId) => {
    if (message === reason) return;
    reason = message;
    log.error({ reqId }, `the database cannot be read: ${message}`);
    clearInterval(timer);
    timer = setInterval(tryAgain, INTERVAL).unref();
  };
}
