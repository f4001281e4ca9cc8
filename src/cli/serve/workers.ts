import cluster, { type Worker } from 'node:cluster';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import { changedFlags, type SettingValues } from '../settings.js';
import type { ServeSetting } from '../serve.js';
import { onStop } from '../terminal.js';
import { passedMessage, passedSockets, placesOf } from './listening.js';
import { metricsPlace, serveMetrics } from './metrics-server.js';
import type { Service } from './service.js';
import { removeStaleSocket } from './sockets.js';
import { findSupervisor } from './supervisor.js';

type Settings = SettingValues<ServeSetting>;
/** What tells a worker to drain, and how long it may take, in milliseconds. Then it hangs, and is killed. */
const DRAINS = { stop: ['SIGTERM', 12_000], replacement: ['SIGUSR2', 65_000] } as const;
/** A worker that ends sooner than this has had a short life, in milliseconds. */
const SHORT_LIFE = 60_000;
/** The longest pause before another start, in milliseconds. */
const LONGEST_PAUSE = 30_000;
/** The settings that the primary process uses, so that new workers cannot change them. */
const KEPT = ['host', 'port', 'socket', 'workers', 'metricsPort', 'metricsHost', 'metricsSocket'] as const satisfies ServeSetting[];

/** Logs as the app does, which the primary process does not load. */
function logAt(level: string): (level: 'info' | 'warn' | 'error', msg: string) => void {
  const levels: Record<string, number> = { info: 30, warn: 40, error: 50, fatal: 60, silent: Infinity };
  return (name, msg) => {
    if (levels[name]! < (levels[level] ?? 0)) return;
    const line = { level: levels[name], time: Date.now(), pid: process.pid, hostname: hostname(), msg };
    process.stderr.write(`${JSON.stringify(line)}\n`);
  };
}

/** The workers, which share the port. */
class Workers {
  /** The oldest first. */
  private readonly listening = new Set<Worker>();
  /** How many in a row have had a short life. */
  private shortLives = 0;
  private isReplacing = false;
  private isEnding = false;
  private resolveEnded!: (code: number) => void;
  /** Resolves to the exit code when all have ended. */
  readonly ended = new Promise<number>((resolve) => (this.resolveEnded = resolve));

  /** @param places in how many places each worker listens */
  constructor(
    private readonly count: number,
    private readonly places: number,
    private readonly log: ReturnType<typeof logAt>,
  ) {}

  /** Starts all. The first starts alone, so that whatever prevents a start is reported once. */
  async start(): Promise<void> {
    await this.fill();
    await Promise.all(Array.from({ length: this.count - 1 }, () => this.fill()));
  }

  /** Replaces those that listen now, one after the other. A new one listens before an old one drains. */
  async replaceAll(): Promise<void> {
    if (this.isReplacing) return;
    this.isReplacing = true;
    this.log('info', 'SIGHUP: replacing the workers');
    let hasFailed = false;
    for (let done = 0; done < this.count && !this.isEnding && !hasFailed; done++) {
      hasFailed = (await this.add()) !== null;
      const [oldest] = this.listening;
      if (this.listening.size > this.count) await this.drain(oldest!, 'replacement');
    }
    this.isReplacing = false;
    if (this.isEnding) return;
    if (hasFailed) this.log('error', 'a new worker does not start: kept the old ones');
    else this.log('info', 'replaced the workers: the certificate, the log level and other settings are read anew');
  }

  /** Drains all. */
  end(code: number): void {
    if (this.isEnding) return;
    this.isEnding = true;
    const alive = Object.values(cluster.workers!).filter((worker) => !worker!.isDead());
    void Promise.all(alive.map((worker) => this.drain(worker!, 'stop'))).then(() => this.resolveEnded(code));
  }

  /** Starts a worker, after a pause if others end soon. Resolves to null when it listens, or to its exit code if it ends before. */
  private async add(): Promise<number | null> {
    if (this.shortLives > 1) await sleep(Math.min(LONGEST_PAUSE, 500 * 2 ** (this.shortLives - 1)));
    if (this.isEnding) return 3;
    const worker = cluster.fork();
    const started = performance.now();
    let listens = 0;
    return new Promise((resolve) => {
      worker.on('listening', () => {
        if (++listens !== this.places) return;
        this.listening.add(worker);
        this.log('info', `worker ${worker.process.pid} listens`);
        resolve(null);
      });
      worker.on('error', ({ message }) => {
        this.log('error', `a worker cannot be started or reached: ${message}`);
        // Without a process there is no other event.
        if (worker.process.pid === undefined) worker.emit('exit', 3, null);
      });
      worker.once('exit', (code: number | null, signal: string | null) => {
        resolve(code || 3);
        const hasListened = this.listening.delete(worker);
        if (this.isEnding || (!hasListened && listens >= this.places)) return;
        this.shortLives = performance.now() - started < SHORT_LIFE ? this.shortLives + 1 : 0;
        const how = code === null ? `by ${signal}` : `with ${code}`;
        // If no other listens, the reason that it gave on stderr is enough.
        if (hasListened || this.listening.size > 0 || code === null) this.log('error', `worker ${worker.process.pid} ended ${how}`);
        if (hasListened) void this.fill();
      });
    });
  }

  /** Starts a worker that is missing, again and again. If no other listens, the first attempt must do. */
  private async fill(): Promise<void> {
    while (!this.isEnding && this.listening.size < this.count) {
      const code = await this.add();
      if (code === null) return;
      if (this.listening.size === 0) this.end(code);
    }
  }

  /** Lets a worker finish open requests and end. */
  private async drain(worker: Worker, drain: keyof typeof DRAINS): Promise<void> {
    this.listening.delete(worker);
    const [signal, limit] = DRAINS[drain];
    const timer = setTimeout(() => {
      this.log('error', `worker ${worker.process.pid} hangs: killed it`);
      worker.process.kill('SIGKILL');
    }, limit);
    worker.process.kill(signal);
    await new Promise((resolve) => worker.once('exit', resolve));
    clearTimeout(timer);
  }
}

/**
 * Serves with several workers until SIGTERM or SIGINT, and returns the exit code. This process only starts and watches them;
 * if it is killed, node:cluster ends them.
 * @param reread reads the settings anew
 */
export async function runWorkers(settings: Settings, reread: () => Settings): Promise<number> {
  // Workers accept connections themselves. If this process handed them out, as is the default, a client would wait forever
  // for its answer if the worker were killed between getting the connection and confirming it.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const log = logAt(settings.logLevel);
  const warn = (message: string): void => log('warn', message);
  const supervisor = findSupervisor(process.env, warn);
  const passed = passedSockets(process.env, process.pid);
  const workers = new Workers(settings.workers, placesOf(settings, passed).length, log);
  process.on('SIGHUP', () => {
    try {
      const changed = changedFlags(settings, reread(), KEPT);
      if (changed.length === 0) void workers.replaceAll();
      else log('error', `SIGHUP: kept the workers; restart the service to change ${changed.join(', ')}`);
    } catch (error) {
      log('error', `SIGHUP: kept the workers: ${(error as Error).message}`);
    }
  });
  onStop((signal) => {
    log('info', `${signal}: stopping the workers`);
    supervisor.stopping();
    workers.end(0);
  });
  const place = metricsPlace(settings);
  const registry = new AggregatorRegistry();
  const server = place === null ? null : await serveMetrics(place, () => registry.clusterMetrics(), warn);
  try {
    if (passed === 0 && settings.socket !== null) await removeStaleSocket('--socket', settings.socket);
    if (passed > 0) log('info', passedMessage(passed));
    if (server !== null) log('info', server.greeting);
    void workers.start().then(supervisor.ready);
    return await workers.ended;
  } finally {
    server?.close();
  }
}

/** Serves as one of several workers until the primary process ends it, and returns the exit code. */
export async function runAsWorker(open: () => Promise<Service>): Promise<number> {
  // A terminal sends these to all processes. The primary process answers for all.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
  try {
    const { listen, log, metrics, close } = await open();
    const ended = new Promise<number>((resolve, reject) => {
      for (const drain of ['stop', 'replacement'] as const) {
        const [signal] = DRAINS[drain];
        process.on(signal, () => void close(drain === 'stop' ? signal : 'replaced', drain).then(() => resolve(0), reject));
      }
    });
    if (metrics !== null) AggregatorRegistry.setRegistries(metrics.registry);
    // Answers when the primary process asks for the metrics.
    new AggregatorRegistry();
    const { greeting, warnings } = await listen(passedSockets(process.env, process.ppid));
    if (cluster.worker!.id === 1) {
      for (const each of warnings) log.warn(each);
      process.stdout.write(greeting);
    }
    return await ended;
  } finally {
    // An open channel to the primary process would keep this process alive.
    process.channel?.unref();
  }
}
