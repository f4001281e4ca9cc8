import { once } from 'node:events';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Worker } from 'node:worker_threads';
import t, { type Test } from 'tap';
import {
  findSiteLogFiles,
  type ImportedFile,
  importSiteLogs,
  type ImportSummary,
  type SiteLogFile,
} from '../../src/import-site-logs.js';
import type { ImportOptions } from '../../src/import-site-logs/reading-threads.js';
import { isOf } from '../../src/findings/findings.js';
import { LARGEST_FILE } from '../../src/site-log/read.js';
import { openWriter } from '../../src/store/open.js';
import type { StoreWriter } from '../../src/store/save/writer.js';
import { newDatabase } from '../databases.js';
import { SAMPLE } from '../project-files.js';
import { logText } from '../synthetic-log.js';
import { contentsOf } from '../raw-database.js';

interface Imported {
  summary: ImportSummary;
  files: ImportedFile[];
  /** All rows of each table. */
  tables: Record<string, unknown[]>;
}

/**
 * Imports files into a new database, at one instant. The first transaction waits until the threads
 * are ready, so that they read.
 */
async function importFiles(
  t: Test,
  folder: string,
  files: SiteLogFile[],
  options: ImportOptions,
): Promise<Imported> {
  const database = await newDatabase(t, join(folder, `with-${options.jobs}.sqlite`));
  const store = await openWriter(database);
  const imported: ImportedFile[] = [];
  const threadsReady: Promise<unknown>[] = [];
  const onWorker = (worker: Worker): unknown => threadsReady.push(once(worker, 'message'));
  process.on('worker', onWorker);
  const saveSiteLogs: StoreWriter['saveSiteLogs'] = async (siteLogs, now, date) => {
    process.off('worker', onWorker);
    await Promise.all(threadsReady);
    return store.saveSiteLogs(siteLogs, now, date);
  };
  const late = Object.create(store, { saveSiteLogs: { value: saveSiteLogs } }) as StoreWriter;
  const summary = await importSiteLogs(
    files,
    late,
    () => new Date('2026-01-01'),
    (file) => imported.push(file),
    options,
  );
  await store.close();
  const tables = await contentsOf(database);
  return { summary, files: imported, tables };
}

const ITEM = { type: 'R0', from: '2001-01-01' };

/** Writes synthetic logs of other Sites to a folder, and returns their paths. */
function writeLogs(folder: string, count: number): string[] {
  mkdirSync(folder, { recursive: true });
  return Array.from({ length: count }, (_, number) => {
    const path = join(folder, `log${number}.log`);
    // The same device at two Sites, a log without a date, and dates in the future are what order
    // matters for.
    const receivers = [{ ...ITEM, serial: String(number >> 1) }];
    const prepared = number % 7 === 0 ? '2090-01-01' : '2020-01-01';
    writeFileSync(
      path,
      logText({
        id: `T${String(number % 90).padStart(3, '0')}`,
        prepared,
        receivers,
        antennas: [ITEM],
      }),
    );
    return path;
  });
}

t.test('several threads save, number and report the same as one', async (t) => {
  const folder = t.testdir({
    'not-a-log.log': 'text',
    'no-id.log': logText({ id: '' }),
    folder: {},
    'too-large.log': '',
    'empty.log': '',
  });
  const logs = await findSiteLogFiles([
    ...writeLogs(join(folder, 'a'), 60),
    SAMPLE,
    ...writeLogs(join(folder, 'b'), 100),
  ]);
  const strange = await findSiteLogFiles([folder]);
  truncateSync(join(folder, 'too-large.log'), LARGEST_FILE + 1);
  const files: SiteLogFile[] = [
    ...strange.filter(({ path }) => !/^[ab]\//.test(relative(folder, path))),
    ...logs,
    { path: join(folder, 'missing.log'), named: true },
    { path: join(folder, 'missing-too.log'), named: false },
    { path: join(folder, 'folder'), named: true },
    { path: join(folder, 'no-id.log'), named: true },
    { path: join(folder, 'no-id.log'), named: true, bytes: Buffer.from(join(folder, 'no-id.log')) },
    {
      path: 'unreadable',
      named: false,
      unreadable: { code: 'EACCES', message: 'EACCES: permission denied' },
    },
    {
      path: 'unreadable',
      named: false,
      unreadable: { code: 'ENOENT', message: 'ENOENT: no such file' },
    },
    ...logs.slice(-30),
  ];
  const alone = await importFiles(t, folder, files, { jobs: 1 });
  t.match(alone.summary, { saved: Number, unchanged: Number, rejected: 6, skipped: 5 });
  t.same(await importFiles(t, folder, files, { jobs: 3 }), alone);
});

t.test(
  'a log that takes all memory of a thread is rejected; those after it are imported',
  async (t) => {
    const folder = t.testdir({ 'large.xml': `<a>${'<a/>'.repeat(LARGEST_FILE / 4 - 10)}</a>` });
    const large = { path: join(folder, 'large.xml'), named: true };
    const logs = await findSiteLogFiles(writeLogs(join(folder, 'a'), 150));
    const files = [
      ...logs.slice(0, 130),
      large,
      ...logs.slice(130, 140),
      large,
      ...logs.slice(140),
    ];
    const { files: imported, summary } = await importFiles(t, folder, files, { jobs: 2, heap: 40 });
    t.same(
      // Logs of one station are imported together.
      imported.map(({ path }) => path).sort(),
      files.map(({ path }) => path).sort(),
    );
    t.equal(summary.rejected, 2);
    const reasons = imported
      .filter(({ outcome }) => outcome === 'rejected')
      .map(({ findings: [finding] }) => finding!);
    const outOfMemory = reasons.filter(
      (reason) => isOf(reason, 'cannot-be-read') && /memory/.test(reason.values.reason),
    );
    // While a thread starts anew, the thread that saves reads by itself, with memory enough.
    t.ok(outOfMemory.length >= 1, JSON.stringify(reasons));
    t.strictSame(
      reasons.filter((reason) => !outOfMemory.includes(reason) && !isOf(reason, 'not-a-site-log')),
      [],
    );
  },
);
