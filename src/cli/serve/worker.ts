import type { Drain } from './drains.js';
import type { Listening, Service } from './service.js';

/** What the primary process tells a worker. */
export type ToWorker = { kind: 'listen'; port: number } | { kind: 'close'; reason: string; drain: Drain };
/** What a worker tells the primary process. */
export type FromWorker = { kind: 'prepared' } | ({ kind: 'listening' } & Listening);

const tell = (message: FromWorker): boolean => process.send!(message);

/**
 * Serves as one of several workers, as the primary process says, and returns the exit code. If the primary process ends,
 * node:cluster ends this one.
 */
export async function runAsWorker(open: () => Promise<Service>): Promise<number> {
  // A terminal or a supervisor sends its signals to all processes. The primary process answers them for all.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
  try {
    const service = await open();
    return await new Promise((resolve, reject) => {
      process.on('message', (message: ToWorker) => {
        if (message.kind === 'listen') service.listen(message.port).then((listening) => tell({ kind: 'listening', ...listening }), reject);
        else service.close(message.reason, message.drain).then(() => resolve(0), reject);
      });
      tell({ kind: 'prepared' });
    });
  } finally {
    // An open channel to the primary process would keep this process alive.
    process.channel?.unref();
  }
}
