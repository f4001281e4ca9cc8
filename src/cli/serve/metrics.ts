import { statSync } from 'node:fs';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
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

/** Makes a metric with the value of the last reading. */
type MakeGauge = <L extends string>(name: string, help: string, ...labelNames: L[]) => Gauge<L>;

/** Adds the metrics of the database. */
function addRecord(measured: Registry, store: Store, database: string): void {
  let reading: Promise<void> | null = null;
  // All are read at once, from one state of the database.
  const collect = (): Promise<void> => (reading ??= refresh().finally(() => (reading = null)));
  const gauge: MakeGauge = (name, help, ...labelNames) =>
    new Gauge({ name, help, labelNames, registers: [measured], collect });
  const readable = gauge('gnss_database_readable', 'Whether the database can be read: 1 or 0.');
  const bytes = isPostgres(database)
    ? null
    : gauge(
        'gnss_database_bytes',
        'The size of the database file, and of the file with the newest commits (wal).',
        'file',
      );
  const migration = gauge(
    'gnss_database_migration',
    'The number of the last migration of the database.',
  );
  const sites = gauge('gnss_sites', 'The number of Sites.');
  const findings = gauge(
    'gnss_findings',
    'The number of findings in the current site logs.',
    'level',
    'code',
  );
  const newest = gauge(
    'gnss_newest_log_timestamp_seconds',
    'Date Prepared of the newest current site log.',
  );
  const imported = gauge(
    'gnss_last_import_timestamp_seconds',
    'The time of the last completed import.',
  );
  const files = gauge(
    'gnss_last_import_files',
    'The number of files with each outcome in the last import.',
    'outcome',
  );
  const rejected = gauge(
    'gnss_rejected_files',
    'The number of files that the last import of their path rejected.',
  );
  /**
   * The counts of findings, and the version of the database that they are from. They are kept
   * because counting reads all findings.
   */
  let counted: { version: number; counts: FindingCount[] } | null = null;

  /** What is on record; null if the database cannot be read. */
  const read = async (): Promise<{ status: StoreStatus; counts: FindingCount[] } | null> => {
    try {
      const version = await store.database.version();
      const status = await store.status();
      if (version !== counted?.version)
        counted = { version, counts: await store.logs.countFindings() };
      return { status, counts: counted.counts };
    } catch (error) {
      if (error instanceof StoreUnusable || error instanceof StoreBusy) return null;
      throw error;
    }
  };
  const refresh = async (): Promise<void> => {
    const found = await read();
    for (const [file, end] of [
      ['database', ''],
      ['wal', '-wal'],
    ] as const)
      bytes?.set({ file }, sizeOf(database + end));
    readable.set(found === null ? 0 : 1);
    // An unknown value must not look like 0.
    for (const each of [migration, sites, newest, imported, rejected]) each.remove();
    for (const each of [files, findings]) each.reset();
    if (found === null) return;
    const { status, counts } = found;
    migration.set(status.migration);
    sites.set(status.sites);
    rejected.set(status.rejectedFiles);
    if (status.newestLog !== null) newest.set(secondsOf(status.newestLog));
    if (status.lastImport !== null) {
      const { finishedAt, ...outcomes } = status.lastImport;
      imported.set(secondsOf(finishedAt));
      for (const [outcome, number] of Object.entries(outcomes)) files.set({ outcome }, number);
    }
    for (const { level, code, findings: number } of counts) findings.set({ level, code }, number);
  };
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
  const build = { version, revision: revision ?? 'unknown', node: process.versions.node };
  new Gauge({
    name: 'gnss_build_info',
    help: 'Which build this is. Always 1.',
    labelNames: Object.keys(build),
    registers: [measured],
  }).set(build, 1);
  addRecord(measured, store, database);
  return {
    onAnswer: ({ route, method, status, cache, milliseconds }) => {
      const known = method !== null && METHODS.includes(method) ? method : 'other';
      durations.observe(
        { route: route ?? 'none', method: known, status, cache },
        milliseconds / 1000,
      );
    },
    registry: measured,
  };
}
