import type { Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Measurement } from './metrics.js';

/** How long a worker may take to answer, in milliseconds. After that, its last answer counts. */
const PATIENCE = 2000;

const isTotal = ({ type }: Measurement): boolean => type === 'counter' || type === 'histogram';

const aggregate = (measurements: Measurement[][]): Registry => AggregatorRegistry.aggregate(measurements);

/** The metrics of all workers together, including workers that have ended: totals must not shrink. */
export class WorkerMetrics {
  private readonly last = new Map<Worker, Measurement[]>();
  private readonly waiting = new Map<Worker, () => void>();
  /** The totals of workers that have ended. */
  private ended: Measurement[] = [];
  private forgetting = Promise.resolve();

  /** @param ask asks a worker for its metrics, which arrive in {@link hear} */
  constructor(private readonly ask: (worker: Worker) => void) {}

  /** A worker has sent its metrics. */
  hear(worker: Worker, measurements: Measurement[]): void {
    // The newest are last.
    this.last.delete(worker);
    this.last.set(worker, measurements);
    this.waiting.get(worker)?.();
  }

  /** A worker has ended. */
  forget(worker: Worker): void {
    this.waiting.get(worker)?.();
    this.forgetting = this.forgetting.then(async () => {
      const sums = await aggregate([this.ended, (this.last.get(worker) ?? []).filter(isTotal)]).getMetricsAsJSON();
      this.ended = sums as unknown as Measurement[];
      this.last.delete(worker);
    });
  }

  /** The metrics of all workers, as Prometheus reads them. @param workers those that listen */
  async text(workers: Worker[]): Promise<string> {
    await Promise.all(workers.map((worker) => this.refresh(worker)));
    await this.forgetting;
    // A worker that drains still has totals.
    const all = [...this.last].reverse().map(([worker, each]) => (workers.includes(worker) ? each : each.filter(isTotal)));
    const count: Measurement = {
      name: 'gnss_workers',
      help: 'The number of workers that listen.',
      type: 'gauge',
      aggregator: 'sum',
      values: [{ value: workers.length, labels: {} }],
    };
    return aggregate([[count], ...all, this.ended]).metrics();
  }

  private async refresh(worker: Worker): Promise<void> {
    const abort = new AbortController();
    const heard = new Promise<void>((resolve) => this.waiting.set(worker, resolve));
    this.ask(worker);
    await Promise.race([heard, sleep(PATIENCE, undefined, { signal: abort.signal }).catch(() => undefined)]);
    abort.abort();
    this.waiting.delete(worker);
  }
}
