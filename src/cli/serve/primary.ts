import cluster from 'node:cluster';
import type { ServeSetting } from '../serve.js';
import type { SettingValues } from '../settings.js';
import { passedMessage, takePassedSockets } from './listening.js';
import { logLines } from './log-lines.js';
import { metricsPlace, serveMetrics } from './metrics-server.js';
import { onStop } from '../signals.js';
import { removeStaleSocket } from './sockets.js';
import { findSupervisor } from './supervisor.js';
import { tell, WorkerEnded, Workers } from './workers.js';

/**
 * Serves with several workers until SIGTERM or SIGINT, and returns the exit code. This process only starts and watches them;
 * if it is killed, node:cluster ends them.
 */
export async function runWorkers(settings: SettingValues<ServeSetting>): Promise<number> {
  // Workers accept connections themselves. If this process handed them out, as is the default, a client would wait forever
  // for its answer if the worker were killed between getting the connection and confirming it.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const log = logLines(settings.logLevel);
  const supervisor = findSupervisor(process.env, log.warn);
  const passed = takePassedSockets(process.env);
  const place = metricsPlace(settings);
  const metrics =
    place === null ? null : new (await import('./worker-metrics.js')).WorkerMetrics((worker) => tell(worker, { kind: 'measure' }));
  const workers = new Workers(settings, passed, log, metrics);
  process.on('SIGHUP', () => void workers.reload());
  onStop((signal) => {
    supervisor.stopping();
    workers.stop(signal);
  });
  const server = place === null ? null : await serveMetrics(place, workers.measure, log.warn);
  try {
    if (passed === 0 && settings.socket !== null) await removeStaleSocket('--socket', settings.socket);
    if (passed > 0) log.info(passedMessage(passed));
    if (server !== null) log.info(server.greeting);
    workers.start().then(supervisor.ready, (error: unknown) => {
      if (!(error instanceof WorkerEnded)) throw error;
    });
    return await workers.ended;
  } finally {
    server?.close();
  }
}
