import { statSync } from 'node:fs';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Answer } from '../../http/wire/answers.js';
import type { FindingCount } from '../../store/read/logs/logs.js';
import type { Build } from '../line/package-files.js';
import { isPostgres } from '../../store/address.js';
import { StoreBusy, type Store, type StoreStatus, StoreUnusable } from '../../store/store.js';

/** The metrics of this process. */
export interface Metrics {
  /** Counts an answer. */
  onAnswer: (answer: Answer) => void;
  /** Reads the database whenever it is read. */
  registry: Registry;
}

/**
 * The bounds of the buckets of durations, in seconds. A lookup takes less than a millisecond, a
 * large page up to a few hundred.
 */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/**
 * The methods that resources have. Other methods share one label, so that clients cannot invent
 * labels.
 */
const METHODS = ['GET', 'HEAD', 'OPTIONS'];

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
const secondsOf = (date: string): number => Date.parse(date) / 1000;

/** What the metrics of the database show. */
interface ReadRecord {
  status: StoreStatus;
  counts: FindingCount[];
}

/** Reads what the metrics of the database show. */
class RecordReader {
  /**
   * The counts of findings, and the version of the database that they are from. They are kept
   * because counting reads all findings.
   */
  private counted: { version: number; counts: FindingCount[] } | null = null;

  constructor(private readonly store: Store) {}

  /** What is on record; null if the database cannot be read. */
  async read(): Promise<ReadRecord | null> {
    try {
      const version = await this.store.database.version();
      const status = await this.store.status();
      if (version !== this.counted?.version)
        this.counted = { version, counts: await this.store.logs.countFindings() };
      return { status, counts: this.counted.counts };
    } catch (error) {
      if (error instanceof StoreUnusable || error instanceof StoreBusy) return null;
      throw error;
    }
  }
}

/**
 * Makes the metrics of the database.
 * @param collect gives them their values, before they are read
 */
function recordGauges(measured: Registry, collect: () => Promise<void>) {
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]): Gauge<L> =>
    new Gauge({ name, help, labelNames, registers: [measured], collect });
  return {
    readable: gauge('gnss_database_readable', 'Whether the database can be read: 1 or 0.'),
    migration: gauge(
      'gnss_database_migration',
      'The number of the last migration of the database.',
    ),
    sites: gauge('gnss_sites', 'The number of Sites.'),
    findings: gauge(
      'gnss_findings',
      'The number of findings in the current site logs.',
      'level',
      'code',
    ),
    newest: gauge(
      'gnss_newest_log_timestamp_seconds',
      'Date Prepared of the newest current site log.',
    ),
    imported: gauge('gnss_last_import_timestamp_seconds', 'The time of the last completed import.'),
    recorded: gauge(
      'gnss_last_record_timestamp_seconds',
      'The last record time. If it lies in the future, a clock was wrong.',
    ),
    files: gauge(
      'gnss_last_import_files',
      'The number of files with each outcome in the last import.',
      'outcome',
    ),
    rejected: gauge(
      'gnss_rejected_files',
      'The number of files that the last import of their path rejected.',
    ),
  };
}

/** Gives the metrics of the database the values of the record; null if it cannot be read. */
function showRecord(gauges: ReturnType<typeof recordGauges>, record: ReadRecord | null): void {
  const { readable, migration, sites, findings, newest, imported, recorded, files, rejected } =
    gauges;
  readable.set(record === null ? 0 : 1);
  // An unknown value must not look like 0.
  for (const each of [migration, sites, newest, imported, recorded, rejected]) each.remove();
  for (const each of [files, findings]) each.reset();
  if (record === null) return;
  const { status, counts } = record;
  migration.set(status.migration);
  sites.set(status.sites);
  rejected.set(status.rejectedFiles);
  if (status.newestLog !== null) newest.set(secondsOf(status.newestLog));
  if (status.lastRecorded !== null) recorded.set(secondsOf(status.lastRecorded));
  if (status.lastImport !== null) {
    const { finishedAt, ...outcomes } = status.lastImport;
    imported.set(secondsOf(finishedAt));
    for (const [outcome, number] of Object.entries(outcomes)) files.set({ outcome }, number);
  }
  for (const { level, code, findings: number } of counts) findings.set({ level, code }, number);
}

/** Adds the metrics of what is on record. All are read at once, from one state of the database. */
function addRecord(measured: Registry, store: Store): void {
  const reader = new RecordReader(store);
  let refreshing: Promise<void> | null = null;
  const refresh = async (): Promise<void> => showRecord(gauges, await reader.read());
  const gauges = recordGauges(
    measured,
    () => (refreshing ??= refresh().finally(() => (refreshing = null))),
  );
}

/** Adds the sizes of a SQLite file and of its newest commits. */
function addFileSizes(measured: Registry, file: string): void {
  new Gauge({
    name: 'gnss_database_bytes',
    help: 'The size of the database file, and of the file with the newest commits (wal).',
    labelNames: ['file'],
    registers: [measured],
    collect() {
      this.set({ file: 'database' }, sizeOf(file));
      this.set({ file: 'wal' }, sizeOf(`${file}-wal`));
    },
  });
}

/** Collects the metrics of this process, and of the database that it serves. */
export function collectMetrics(
  store: Store,
  database: string,
  { version, revision }: Omit<Build, 'build'>,
): Metrics {
  const measured = new Registry();
  collectDefaultMetrics({ register: measured });
  const durations = new Histogram({
    name: 'gnss_http_request_duration_seconds',
    help: 'Response times by route, method, status and cache outcome.',
    labelNames: ['route', 'method', 'status', 'cache'],
    buckets: BUCKETS,
    registers: [measured],
  });
  const unavailable = new Counter({
    name: 'gnss_http_unavailable_total',
    help: 'How many requests were answered 503: the service was busy, or its database unavailable.',
    registers: [measured],
  });
  const build = { version, revision: revision ?? 'unknown', node: process.versions.node };
  new Gauge({
    name: 'gnss_build_info',
    help: 'Which build this is. Always 1.',
    labelNames: Object.keys(build),
    registers: [measured],
  }).set(build, 1);
  if (!isPostgres(database)) addFileSizes(measured, database);
  addRecord(measured, store);
  return {
    onAnswer: ({ route, method, status, cache, milliseconds }) => {
      if (status === 503) unavailable.inc();
      const known = method !== null && METHODS.includes(method) ? method : 'other';
      durations.observe(
        { route: route ?? 'none', method: known, status, cache },
        milliseconds / 1000,
      );
    },
    registry: measured,
  };
}
