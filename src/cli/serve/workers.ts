import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { AggregatorRegistry } from 'prom-client';
import { changedFlags } from '../settings.js';
import { passedSockets, placesOf } from './listening.js';
import { logOptions } from './log.js';
import type { Settings } from '../serve.js';
import { runService } from './run.js';
import type { Log, Service } from './service.js';

/** Tells a worker that it has been replaced. At the end of the service, it gets SIGTERM. */
const REPLACED = 'SIGUSR2';
// In milliseconds: a worker that ends sooner has had a short life; the longest pause before another start; how long a worker may
// take to end before it is killed, which is a little longer than it gives its requests.
const [SHORT_LIFE, LONGEST_PAUSE, PATIENCE] = [60_000, 30_000, 12_000];
/** The settings that the primary process uses, so that new workers cannot change them. */
const KEPT = [
  'host',
  'port',
  'socket',
  'workers',
  'metricsPort',
  'metricsHost',
  'metricsSocket',
] as const satisfies (keyof Settings)[];

/** The workers, which share the port. */
class Workers {
  private readonly listening = new Set<Worker>();
  /** How many in a row have had a short life. */
  private shortLives = 0;
  private isEnding = false;
  /** Resolves to the exit code when all have ended. */
  readonly ended = Promise.withResolvers<number>();

  /** @param places in how many places each worker listens */
  constructor(
    private readonly places: number,
    private readonly log: Log,
  ) {}

  /** Starts a worker, again and again. If no other listens, the first attempt must do. */
  async start(): Promise<void> {
    while (!this.isEnding) {
      const code = await this.fork();
      if (code === null) return;
      if (this.listening.size === 0) this.stop(code);
    }
  }

  /** Replaces those that listen now, one after the other. A new one listens before an old one finishes. */
  async replace(): Promise<void> {
    this.log.info('SIGHUP: replacing the workers');
    for (const old of [...this.listening]) {
      const code = await this.fork();
      if (this.isEnding) return;
      if (code !== null) return this.log.error('a new worker does not start: kept the old ones');
      if (!this.listening.delete(old)) continue;
      old.process.kill(REPLACED);
      await once(old, 'exit');
    }
    this.log.info(
      'replaced the workers: the certificate, the log level and other settings are read anew',
    );
  }

  /** Ends all. */
  stop(code: number): void {
    if (this.isEnding) return;
    this.isEnding = true;
    const alive = Object.values(cluster.workers!).filter((worker) => !worker!.isDead()) as Worker[];
    const ends = alive.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
    for (const { process } of alive) {
      process.kill('SIGTERM');
      setTimeout(() => process.kill('SIGKILL'), PATIENCE).unref();
    }
    void Promise.all(ends).then(() => this.ended.resolve(code));
  }

  /** Starts a worker, after a pause if others end soon. Resolves to null when it listens, or to its exit code if it ends before. */
  private async fork(): Promise<number | null> {
    if (this.shortLives > 1) await sleep(Math.min(LONGEST_PAUSE, 500 * 2 ** (this.shortLives - 1)));
    if (this.isEnding) return 3;
    const worker = cluster.fork();
    const started = performance.now();
    let listens = 0;
    return new Promise((resolve) => {
      worker.on('listening', () => {
        if (++listens !== this.places) return;
        this.listening.add(worker);
        this.log.info(`worker ${worker.process.pid} listens`);
        resolve(null);
      });
      worker.once('exit', (code: number | null, signal: string | null) => {
        resolve(code || 3);
        const isMissed = this.listening.delete(worker);
        if (this.isEnding || (listens >= this.places && !isMissed)) return;
        this.shortLives = performance.now() - started < SHORT_LIFE ? this.shortLives + 1 : 0;
        // If no other listens, the reason that it gave on stderr is enough.
        if (isMissed || this.listening.size > 0 || signal !== null)
          this.log.error(
            `worker ${worker.process.pid} ended ${signal === null ? `with ${code}` : `by ${signal}`}`,
          );
        if (isMissed) void this.start();
      });
    });
  }
}

/** Serves with several workers. This process only starts and watches them. @param reread reads the settings anew */
export async function runWorkers(settings: Settings, reread: () => Settings): Promise<number> {
  // Workers accept connections themselves. If this process handed them out, as is the default, a client would wait forever
  // for its answer if the worker were killed between getting the connection and confirming it.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const { stream, ...options } = logOptions(settings);
  const log: Log = pino(options, stream);
  const workers = new Workers(
    placesOf(settings, passedSockets(process.env, process.pid)).length,
    log,
  );
  const registry = new AggregatorRegistry();
  let replaced = Promise.resolve();
  return runService(settings, reread, {
    log,
    run: (ready) => {
      // The first starts alone, so that whatever prevents a start is reported once.
      void workers.start().then(() => {
        ready();
        for (let others = settings.workers - 1; others > 0; others--) void workers.start();
      });
      return workers.ended.promise;
    },
    reload: (now) => {
      const changed = changedFlags(settings, now, KEPT);
      if (changed.length === 0) replaced = replaced.then(() => workers.replace());
      else
        log.error(`SIGHUP: kept the workers; restart the service to change ${changed.join(', ')}`);
    },
    stop: () => workers.stop(0),
    readMetrics: () => registry.clusterMetrics(),
  });
}

/** Serves as one of several workers until the primary process ends it, and returns the exit code. */
export async function runAsWorker(open: () => Promise<Service>): Promise<number> {
  // A terminal sends these to all processes. The primary process answers for all.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
  try {
    const { listen, metrics, close } = await open();
    const ended = Promise.withResolvers<number>();
    const end = (reason: string, drain: 'stop' | 'replacement'): void =>
      void close(reason, drain).then(() => ended.resolve(0), ended.reject);
    process
      .on('SIGTERM', () => end('SIGTERM', 'stop'))
      .on(REPLACED, () => end('replaced', 'replacement'));
    // The second one answers when the primary process asks for the metrics.
    if (metrics !== null) AggregatorRegistry.setRegistries(metrics.registry);
    new AggregatorRegistry();
    await listen(passedSockets(process.env, process.ppid), cluster.worker!.id === 1);
    return await ended.promise;
  } finally {
    // An open channel to the primary process would keep this process alive.
    process.channel?.unref();
  }
}
