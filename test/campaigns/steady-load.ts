import { setTimeout as rest } from 'node:timers/promises';
import { type Answer, Connection, get } from './connection.js';

/** How often requests that are due are sent, in milliseconds. */
const TICK = 5;
/** How many requests a service may have at once. */
const CONNECTIONS = 100;

/** What to ask, and what to expect. */
export interface Requests {
  /** The target of the next request. */
  next: () => string;
  /**
   * What is wrong with the body of an answer with 200.
   * @param service the index of the service
   * @param askedAt when it was asked, in milliseconds, as `performance.now()`
   */
  findings: (service: number, body: string, askedAt: number) => string[];
}

/** What the clients of a load saw. */
export interface Seen {
  requests: number;
  /** From the time when a request was due to its answer, in milliseconds. */
  slowest: number;
  /** How many answers had each status; 0 for none. */
  statuses: Map<number, number>;
  /** What was wrong, the first of each kind. */
  findings: Map<string, number>;
}

interface LoadOptions {
  /** Requests a second, to all services together. */
  rate: number;
  /** How long an answer may take, in milliseconds. */
  timeout: number;
  /** The statuses that are no failure. */
  allowed: number[];
}

/**
 * Sends requests to services at a fixed rate, as many clients do that know nothing of each other: it does not wait for
 * answers, and a request that has to wait for a connection is as slow as its client sees it.
 */
export class SteadyLoad {
  private readonly services: { port: number; idle: Connection[]; open: number; due: number[] }[];
  private seen: Seen = nothingSeen();
  private running: Promise<void> | null = null;
  private stopping = false;
  private readonly pending = new Set<Promise<void>>();

  private readonly requests: Requests;
  private readonly options: LoadOptions;

  constructor(ports: number[], requests: Requests, options: LoadOptions) {
    this.services = ports.map((port) => ({ port, idle: [], open: 0, due: [] }));
    this.requests = requests;
    this.options = options;
  }

  start(): void {
    this.running = this.run();
  }

  /** What was seen since the start, or since the last call. Answers that are still to come count for the next. */
  take(): Seen {
    const { seen } = this;
    this.seen = nothingSeen();
    return seen;
  }

  /** Sends no more requests, and waits for the answers to all. */
  async drain(): Promise<void> {
    this.stopping = true;
    await this.running;
    while (this.pending.size > 0) await Promise.all(this.pending);
    for (const { idle } of this.services) for (const connection of idle) connection.close();
  }

  /** Does both, {@link drain} and {@link take}. */
  async stop(): Promise<Seen> {
    await this.drain();
    return this.take();
  }

  private async run(): Promise<void> {
    const begin = performance.now();
    for (let sent = 0; !this.stopping; await rest(TICK)) {
      const until = ((performance.now() - begin) / 1000) * this.options.rate;
      for (; sent < until; sent++) this.ask(sent % this.services.length, begin + (sent / this.options.rate) * 1000);
    }
  }

  /** Sends a request, now or once a connection is free. @param due when it should be sent */
  private ask(index: number, due: number): void {
    const service = this.services[index]!;
    let connection = service.idle.pop();
    if (connection === undefined && service.open < CONNECTIONS) {
      connection = new Connection(service.port, this.options.timeout);
      service.open++;
    }
    if (connection === undefined) return void service.due.push(due);
    const asked = this.send(index, connection, due).then(() => {
      this.pending.delete(asked);
      service.idle.push(connection);
      const next = service.due.shift();
      if (next !== undefined) this.ask(index, next);
    });
    this.pending.add(asked);
  }

  private async send(service: number, connection: Connection, due: number): Promise<void> {
    const askedAt = performance.now();
    const target = this.requests.next();
    let answer: Answer | null = null;
    let finding: string | undefined;
    try {
      answer = await get(connection, target);
      if (!this.options.allowed.includes(answer.status)) finding = `${answer.status}: ${answer.body.toString().slice(0, 300)}`;
      else if (answer.status === 200) finding = this.requests.findings(service, answer.body.toString(), askedAt)[0];
    } catch (error) {
      finding = (error as Error).message;
    }
    const { seen } = this;
    seen.requests++;
    seen.slowest = Math.max(seen.slowest, performance.now() - due);
    const status = answer?.status ?? 0;
    seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
    if (finding !== undefined) seen.findings.set(finding, (seen.findings.get(finding) ?? 0) + 1);
  }
}

const nothingSeen = (): Seen => ({ requests: 0, slowest: 0, statuses: new Map(), findings: new Map() });
