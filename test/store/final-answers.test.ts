import { Worker } from 'node:worker_threads';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import t, { type Test } from 'tap';
import { readAsImported, readStoredLog } from '../../src/import-site-logs.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import { openReader, openWriter } from '../../src/store/open.js';
import type { SiteLogImport } from '../../src/store/save/site-log-import.js';
import type { StoreWriter } from '../../src/store/save/writer.js';
import { newDatabase } from '../databases.js';
import { logText } from '../synthetic-log.js';
import { rawDatabase } from '../raw-database.js';

/** An answer for an `asOf` at least a minute old stays, whatever is saved meanwhile or later. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const IS_POSTGRES = process.env.TEST_DATABASE !== undefined;

/** A log with one receiver. */
function logOf(id: string, prepared: string, serial: string): SiteLogImport {
  const receivers = [{ type: 'R', serial, from: '2001-01-01' }];
  const original = Buffer.from(logText({ id, prepared, receivers, name: `Site of ${serial}` }));
  return readAsImported({ name: `${serial}.log`, original, importedAt: new Date(0) });
}

const saveLog = (writer: StoreWriter, log: SiteLogImport, now: () => Date) =>
  writer.saveSiteLogs([log], now, (siteLog, importedAt) => ({ ...siteLog, importedAt }));

t.test('a reader that asks throughout 300 imports gets final answers', async (t) => {
  const database = await newDatabase(t, t.testdir() + '/final.sqlite');
  const writer = await openWriter(database);
  const reader = await openReader(database);
  let time = Date.UTC(2020, 0, 1);
  const now = (): Date => new Date(time);
  const begin = time;
  const ids = ['ABCD', 'ABCD00AUS', 'ABCD00NZL', 'WXYZ', 'EFGH'];
  const answerFor = async (asOf: string): Promise<string> => {
    const sites = ids.map(parseSiteId);
    const setups = await reader.setups.findMany(sites, { at: null, asOf, projection: null });
    const site = await reader.sites.findOne(sites[0]!, asOf);
    return JSON.stringify([setups, site]);
  };
  const asked: { asOf: string; answer: string }[] = [];
  let isImporting = true;
  const read = async (): Promise<void> => {
    while (isImporting) {
      time += SECOND;
      // Every third time, the youngest answer that is final.
      const age = MINUTE + (asked.length % 3) * 7 * SECOND;
      const asOf = new Date(time - age).toISOString();
      asked.push({ asOf, answer: await answerFor(asOf) });
      await setImmediate();
    }
  };
  const write = async (): Promise<void> => {
    const correct = async (
      id: string,
      correction: Parameters<StoreWriter['correct']>[1],
    ): Promise<void> => {
      const { kind } = await writer.correct(parseSiteId(id), correction, now, readStoredLog);
      t.equal(kind, 'corrected', `${correction.kind} ${id}`);
    };
    for (let count = 0; count < 300; count++) {
      const id = count < 150 ? 'EFGH' : oneInTurn(['ABCD00AUS', 'EFGH', 'ABCD00NZL'], count);
      const day = new Date(Date.UTC(2019, 0, 1 + count)).toISOString().slice(0, 10);
      const log = logOf(count === 0 ? 'ABCD' : id, day, String(count));
      const [outcome] = await saveLog(writer, log, now);
      if (outcome!.kind !== 'saved') throw new Error(`log ${count} is ${outcome!.kind}`);
      if (count === 100) await correct('ABCD', { kind: 'withdraw', log: 1 });
      if (count === 110) await correct('ABCD', { kind: 'restore', log: 1 });
      if (count === 120) await correct('ABCD', { kind: 'rename', to: parseSiteId('WXYZ') });
      if (count === 200) await correct('EFGH', { kind: 'retire' });
      if (count === 201) await correct('EFGH', { kind: 'unretire' });
      await setImmediate();
    }
    isImporting = false;
  };
  await Promise.all([write(), read()]);
  const different: string[] = [];
  for (const { asOf, answer } of asked)
    if ((await answerFor(asOf)) !== answer) different.push(asOf);
  await reader.close();
  await writer.close();
  t.same(different, []);
  const answers = new Set(asked.map(({ answer }) => answer));
  t.ok(time - begin > 5 * MINUTE && answers.size > 50, `${answers.size} answers`);
});

const oneInTurn = <T>(values: readonly T[], index: number): T => values[index % values.length]!;

/**
 * Takes the write lock for a while, in another thread or session.
 * @returns when it was released; the promise resolves as soon as it is taken
 */
async function holdLock(t: Test, database: string): Promise<() => Promise<number>> {
  if (IS_POSTGRES) {
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    await client.query('BEGIN; UPDATE gnss_site_setups SET revision = revision');
    const released = (async (): Promise<number> => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      const time = Date.now();
      await client.query('COMMIT');
      await client.end();
      return time;
    })();
    return () => released;
  }
  // better-sqlite3 waits for a lock without returning to the event loop.
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     const Database = require('better-sqlite3');
     const db = new Database(workerData);
     db.exec('BEGIN IMMEDIATE');
     parentPort.postMessage('locked');
     Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
     const time = Date.now();
     db.exec('COMMIT');
     db.close();
     parentPort.postMessage(time);`,
    { eval: true, workerData: database },
  );
  const messages: (string | number)[] = [];
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<number>();
  worker.on('message', (message: string | number) => {
    messages.push(message);
    if (typeof message === 'number') released.resolve(message);
    else locked.resolve();
  });
  worker.on('error', (error) => t.fail(error.message));
  await locked.promise;
  return () => released.promise;
}

t.test('the record time is taken behind the write lock', async (t) => {
  const database = await newDatabase(t, t.testdir() + '/locked.sqlite');
  const writer = await openWriter(database);
  await saveLog(writer, logOf('ABCD', '2020-01-01', '1'), () => new Date('2020-01-02'));
  const now = () => new Date();
  const ofImport = await holdLock(t, database);
  await saveLog(writer, logOf('ABCD', '2020-02-01', '2'), now);
  const ofCorrection = await holdLock(t, database);
  await writer.correct(parseSiteId('ABCD'), { kind: 'withdraw', log: 1 }, now, readStoredLog);
  const ofMany = await holdLock(t, database);
  await writer.correctSince({ kind: 'restore', since: '2020-01-01' }, now, readStoredLog);
  await writer.close();
  const events = await rawDatabase(database).all<{ at: string }>(
    'SELECT at FROM event ORDER BY id',
  );
  const released = [await ofImport(), await ofCorrection(), await ofMany()];
  t.equal(events.length, 4);
  for (const [index, time] of released.entries())
    t.ok(events[index + 1]!.at >= new Date(time).toISOString(), String(index));
});

t.test('a transaction that takes too long saves nothing', async (t) => {
  const database = await newDatabase(t, t.testdir() + '/late.sqlite');
  const writer = await openWriter(database);
  t.teardown(() => writer.close());
  const now = (): Date => new Date('2020-03-01');
  await saveLog(writer, logOf('ABCD', '2020-01-01', '1'), now);
  const real = performance.now.bind(performance);
  const late = (seconds: number): (() => void) => {
    let extra = 0;
    performance.now = () => real() + extra;
    return () => (extra = seconds * SECOND);
  };
  t.teardown(() => (performance.now = real));
  const save = (seconds: number) => {
    const pass = late(seconds);
    return writer.saveSiteLogs([logOf('ABCD', '2020-02-01', '2')], now, (log, importedAt) => {
      pass();
      return { ...log, importedAt };
    });
  };
  await t.rejects(save(51), { message: /more than 50 seconds/ });
  const withdraw = (seconds: number) => {
    const pass = late(seconds);
    const since = { kind: 'withdraw', since: '2020-01-01' } as const;
    return writer.correctSince(since, now, (log) => {
      pass();
      return readStoredLog(log);
    });
  };
  t.match(await withdraw(51), { message: /more than 50 seconds/ });
  const logs = 'SELECT name, withdrawn_at FROM site_log ORDER BY id';
  t.same(await rawDatabase(database).all(logs), [{ name: '1.log', withdrawn_at: null }]);
  t.match(await save(49), [{ kind: 'saved' }]);
  t.match(await withdraw(49), { length: 2 });
});
