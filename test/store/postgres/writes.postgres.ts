import sql from 'sql-template-tag';
import t from 'tap';
import { openReads, openWrites } from '../../../src/store/postgres/open.js';
import type { PostgresReads } from '../../../src/store/postgres/reads.js';
import { Cluster } from '../../postgres/cluster.js';

/** Reads the number that tests count in. */
const NUMBER = sql`SELECT saved AS number FROM last_import`;
const ADD = sql`UPDATE last_import SET saved = saved + 1`;

const cluster = await Cluster.create();
t.teardown(() => cluster.stop());
const { primary } = cluster;
const database = await cluster.createDatabase();
const created = await openWrites(cluster.url(database));
await created.close();

const numberOf = async (reads: PostgresReads): Promise<number> =>
  (await reads.get<{ number: number }>(NUMBER))!.number;

t.test('an import does not wait for a silent primary for ever', async (t) => {
  const writes = await openWrites(cluster.url(database), { longest: 5000 });
  t.teardown(() => writes.close());
  const written = writes.transaction(async (transaction) => {
    primary.pause();
    await transaction.run(ADD);
  });
  await t.rejects(written, {
    name: 'StoreUnusable',
    message: /cannot be reached: no answer in time$/,
  });
  primary.resume();
  t.equal(
    await writes.transaction((transaction) => transaction.run(ADD)),
    1,
    'it has connected again',
  );
});

t.test('imports exclude each other, and roll back what fails', async (t) => {
  const writes = await openWrites(cluster.url(database));
  const other = await openWrites(cluster.url(database), { patience: 300 });
  t.teardown(() => Promise.all([writes.close(), other.close()]));
  const reads = await openReads(cluster.url(database));
  t.teardown(() => reads.close());
  const before = await numberOf(reads);
  await writes.transaction(async (transaction) => {
    t.equal(await transaction.run(ADD), 1);
    await t.rejects(
      other.transaction(() => Promise.resolve()),
      {
        name: 'StoreUnusable',
        message: /" is locked by another process; try again when that process has finished$/,
      },
    );
    t.equal(await numberOf(reads), before);
  });
  t.equal(await numberOf(reads), before + 1);

  await t.rejects(
    writes.transaction(async (transaction) => {
      await transaction.run(ADD);
      throw new RangeError('our own');
    }),
    { name: 'RangeError' },
  );
  await t.rejects(
    writes.transaction(async (transaction) => {
      await transaction.run(ADD);
      await transaction.run(sql`SELECT nothing`).catch(() => undefined);
    }),
    { message: /rolled back/ },
    'an error that somebody has swallowed',
  );
  await t.rejects(
    writes.transaction(async (transaction) => {
      await transaction.run(ADD);
      await transaction.run(sql`SELECT pg_terminate_backend(pg_backend_pid())`);
    }),
    { name: 'StoreUnusable' },
  );
  t.equal(await numberOf(reads), before + 1);
  await writes.transaction((transaction) => transaction.run(ADD));
  t.equal(await numberOf(reads), before + 2, 'it has connected again');

  const rehearsed = await openWrites(cluster.url(database), { dryRun: true });
  t.equal(await rehearsed.transaction((transaction) => transaction.run(ADD)), 1);
  await t.rejects(
    rehearsed.transaction(() => Promise.reject(new RangeError('our own'))),
    { name: 'RangeError' },
  );
  t.match(await rehearsed.transaction(async (transaction) => transaction.get(NUMBER)), {
    number: before + 3,
  });
  await rehearsed.close();
  t.equal(await numberOf(reads), before + 2);
});

t.test('a standby takes no imports, and is not changed by trying; it can be read', async (t) => {
  const standby = await cluster.addReplica();
  const writes = await openWrites(standby.url(database));
  t.teardown(() => writes.close());
  const expected = {
    name: 'StoreUnusable',
    message: /" cannot be written: this server is a standby; name the primary, or a proxy/,
  };
  await t.rejects(
    writes.transaction((transaction) => transaction.run(ADD)),
    expected,
  );
  const empty = await cluster.createDatabase();
  await standby.catchUp(primary);
  await t.rejects(openWrites(standby.url(empty)), expected);
  const reads = await openReads(standby.url(database));
  t.teardown(() => reads.close());
  t.type(await numberOf(reads), 'number');
});
