import cluster, { type Worker } from 'node:cluster';
import { DRAINS, type Drain } from './drains.js';
import type { logLines } from './log-lines.js';
import type { ServeSetting } from '../serve.js';
import type { Listening } from './service.js';
import type { SettingValues } from '../settings.js';
import type { FromWorker, ToWorker } from './worker.js';
import type { WorkerMetrics } from './worker-metrics.js';

/** A worker that ends sooner than this after its start has had a short life, in milliseconds. */
const SHORT_LIFE = 60_000;
/** The longest pause before another start, in milliseconds. */
const LONGEST_PAUSE = 30_000;
/** How much longer than its own limit a worker may take to drain, in milliseconds. Then it hangs, and is killed. */
const GRACE = 2000;

/** The pause before the next start, after so many short lives in a row. The first of them has no consequence. */
const pauseAfter = (shortLives: number): number => (shortLives < 2 ? 0 : Math.min(LONGEST_PAUSE, 1000 * 2 ** (shortLives - 2)));

/** A worker ended before it said what was expected. */
export class WorkerEnded extends Error {}

/** The next message of a kind from a worker. @throws {WorkerEnded} */
function heard<K extends FromWorker['kind']>(worker: Worker, kind: K): Promise<FromWorker & { kind: K }> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === kind) resolve(message as FromWorker & { kind: K });
    });
    worker.once('exit', () => reject(new WorkerEnded()));
  });
}

/** If the worker has ended, the message is lost; the exit of a worker is an event of its own. */
export const tell = (worker: Worker, message: ToWorker): boolean => worker.send(message, () => undefined);

/** The processes that share the port. Each starts, then listens, then drains. */
export class Workers {
  private readonly starting = new Set<Worker>();
  private readonly listening = new Set<Worker>();
  /** With the timers that kill them. */
  private readonly draining = new Map<Worker, NodeJS.Timeout>();
  private readonly startedAt = new WeakMap<Worker, number>();
  private readonly count: number;
  private toldPort: number;
  private actualPort: number;
  private hasStarted = false;
  private shortLives = 0;
  private pause: NodeJS.Timeout | undefined;
  private isReloading = false;
  private reloadAgain = false;
  /** The exit code, as soon as the service is to end. */
  private exitCode: number | null = null;
  private resolveEnded!: (code: number) => void;
  /** Resolves to the exit code when all workers have ended. */
  readonly ended = new Promise<number>((resolve) => (this.resolveEnded = resolve));

  /** @param passed how many sockets systemd has passed */
  constructor(
    { workers, port }: SettingValues<ServeSetting>,
    private readonly passed: number,
    private readonly log: ReturnType<typeof logLines>,
    private readonly metrics: WorkerMetrics | null,
  ) {
    this.count = workers;
    this.toldPort = this.actualPort = port;
  }

  /** The metrics of all. */
  readonly measure = (): Promise<string> => this.metrics!.text([...this.listening]);

  /**
   * Starts all workers. The first starts alone, so that whatever prevents a start is reported once. None listens before all
   * have opened the database, so that whoever can connect finds all of them ready. @throws {WorkerEnded}
   */
  async start(): Promise<void> {
    const first = await this.prepare();
    const others = await Promise.all(Array.from({ length: this.count - 1 }, () => this.prepare()));
    const { greeting, warnings } = await this.open(first);
    await Promise.allSettled(others.map((worker) => this.open(worker)));
    this.hasStarted = true;
    for (const warning of warnings) this.log.warn(warning);
    process.stdout.write(greeting);
  }

  /** Replaces all workers that listen now, one after the other. A new one listens before an old one drains. */
  async reload(): Promise<void> {
    if (!this.hasStarted) return;
    this.reloadAgain = true;
    if (this.isReloading) return;
    this.isReloading = true;
    while (this.reloadAgain && this.exitCode === null) {
      this.reloadAgain = false;
      this.log.info('replacing the workers');
      await this.replaceAll();
    }
    this.isReloading = false;
  }

  /** Drains all workers. */
  stop(signal: string): void {
    this.log.info(`${signal}: stopping the workers`);
    this.end(0, signal);
  }

  private async replaceAll(): Promise<void> {
    for (const old of [...this.listening]) {
      if (!this.listening.has(old)) continue;
      if (!(await this.add())) {
        if (this.exitCode === null) this.log.error('a new worker does not start: kept the old ones');
        return;
      }
      // Meanwhile it may have ended by itself.
      if (!this.listening.has(old)) continue;
      this.drain(old, 'replaced', 'replacement');
      await new Promise((resolve) => old.once('exit', resolve));
    }
    if (this.exitCode === null) this.log.info('replaced the workers');
  }

  /** Starts a worker, and waits until it can listen. @throws {WorkerEnded} */
  private async prepare(): Promise<Worker> {
    const worker = cluster.fork();
    this.starting.add(worker);
    this.startedAt.set(worker, performance.now());
    worker.once('exit', (code, signal) => this.onExit(worker, code, signal));
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'metrics') this.metrics?.hear(worker, message.measurements);
    });
    worker.on('error', (error) => {
      // A process that could not be started emits no other event.
      if (worker.process.pid !== undefined) return;
      this.log.error(`a worker cannot be started: ${error.message}`);
      worker.emit('exit', 3, null);
    });
    await heard(worker, 'prepared');
    return worker;
  }

  /** Makes a prepared worker listen. @throws {WorkerEnded} */
  private async open(worker: Worker): Promise<Listening> {
    // When no worker listens any more, node:cluster forgets which port it picked for 0, and would pick another. While some
    // listen, all must be told the same.
    if (this.listening.size === 0) this.toldPort = this.actualPort;
    tell(worker, { kind: 'listen', port: this.toldPort, passed: this.passed });
    const listening = await heard(worker, 'listening');
    this.starting.delete(worker);
    this.listening.add(worker);
    this.actualPort = listening.port;
    this.log.info(`worker ${worker.process.pid} listens`);
    return listening;
  }

  /** Adds a worker that listens. Returns false if it ended before. */
  private async add(): Promise<boolean> {
    try {
      await this.open(await this.prepare());
      return true;
    } catch (error) {
      if (error instanceof WorkerEnded) return false;
      throw error;
    }
  }

  private drain(worker: Worker, reason: string, drain: Drain): void {
    this.listening.delete(worker);
    clearTimeout(this.draining.get(worker));
    const { linger, limit } = DRAINS[drain];
    const kill = (): void => {
      this.log.error(`worker ${worker.process.pid} hangs: killed it`);
      worker.process.kill('SIGKILL');
    };
    this.draining.set(worker, setTimeout(kill, linger + limit + GRACE));
    tell(worker, { kind: 'close', reason, drain });
  }

  private onExit(worker: Worker, code: number | null, signal: string | null): void {
    const started = this.starting.delete(worker);
    const listened = this.listening.delete(worker);
    clearTimeout(this.draining.get(worker));
    this.draining.delete(worker);
    this.metrics?.forget(worker);
    if (this.exitCode !== null) return this.endIfNoneIsLeft();
    // On stderr, the worker has said why.
    if (started && this.listening.size === 0 && code !== null) return this.end(code || 3, 'a worker does not start');
    if (started || listened) {
      this.log.error(`worker ${worker.process.pid} ended ${signal === null ? `with ${code}` : `by ${signal}`}`);
      const isShort = performance.now() - this.startedAt.get(worker)! < SHORT_LIFE;
      this.shortLives = isShort ? this.shortLives + 1 : 0;
    }
    if (started && this.listening.size === 0) return this.end(3, 'a worker does not start');
    // node:cluster has closed the sockets from systemd with the last worker. systemd still has them, so no connection is lost.
    if (this.passed > 0 && this.listening.size === 0) return this.end(3, 'no worker is left');
    if (this.missing() > 0) this.pause ??= setTimeout(() => void this.fill(), pauseAfter(this.shortLives));
  }

  private readonly missing = (): number => this.count - this.starting.size - this.listening.size;

  /** Starts the workers that are missing. */
  private async fill(): Promise<void> {
    this.pause = undefined;
    while (this.exitCode === null && this.missing() > 0) {
      if (!(await this.add())) return;
    }
  }

  private end(code: number, reason: string): void {
    this.exitCode = code;
    clearTimeout(this.pause);
    for (const worker of this.starting) worker.process.kill('SIGKILL');
    for (const worker of [...this.listening, ...this.draining.keys()]) this.drain(worker, reason, 'stop');
    this.endIfNoneIsLeft();
  }

  private endIfNoneIsLeft(): void {
    if (this.starting.size + this.listening.size + this.draining.size === 0) this.resolveEnded(this.exitCode!);
  }
}
