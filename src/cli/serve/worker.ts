import type { Drain } from './drains.js';
import type { Measurement } from './metrics.js';
import type { Listening, Service } from './service.js';

/** What the primary process tells a worker. */
export type ToWorker =
  { kind: 'listen'; port: number; passed: number } | { kind: 'measure' } | { kind: 'close'; reason: string; drain: Drain };
/** What a worker tells the primary process. */
export type FromWorker = { kind: 'prepared' } | ({ kind: 'listening' } & Listening) | { kind: 'metrics'; measurements: Measurement[] };

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
    const { metrics } = service;
    const report = async (measurements: Measurement[]): Promise<void> => {
      await new Promise((sent) => process.send!({ kind: 'metrics', measurements } satisfies FromWorker, sent));
    };
    const obey = async (message: ToWorker): Promise<boolean> => {
      if (message.kind === 'listen') tell({ kind: 'listening', ...(await service.listen(message.port, message.passed)) });
      else if (message.kind === 'measure') await report(await metrics!.measure());
      else {
        await service.close(message.reason, message.drain);
        // Its totals still count after its end.
        if (metrics !== null) await report(await metrics.totals());
        return true;
      }
      return false;
    };
    return await new Promise((resolve, reject) => {
      process.on('message', (message: ToWorker) => {
        obey(message).then((isEnd) => isEnd && resolve(0), reject);
      });
      tell({ kind: 'prepared' });
    });
  } finally {
    // An open channel to the primary process would keep this process alive.
    process.channel?.unref();
  }
}
