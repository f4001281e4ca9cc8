import { MIGRATIONS } from '../../../src/store/migrations.js';
import { setTimeout as rest } from 'node:timers/promises';
import pg from 'pg';
import sql, { raw } from 'sql-template-tag';
import t, { type Test } from 'tap';
import { openReads, openWrites, readSnapshot } from '../../../src/store/postgres/open.js';
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

async function open(t: Test, url = cluster.url(database)): Promise<PostgresReads> {
  const reads = await openReads(url);
  t.teardown(() => reads.close());
  return reads;
}

/** Commits the next number. */
async function count(): Promise<void> {
  const writes = await openWrites(cluster.url(database));
  await writes.transaction((transaction) => transaction.run(ADD));
  await writes.close();
}

const numberOf = async (reads: PostgresReads): Promise<number> =>
  (await reads.get<{ number: number }>(NUMBER))!.number;

/** Ends sessions of the service. @param condition which ones */
const terminate = (condition: string) =>
  primary.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'gnss' AND ${condition}`,
  );

/** Waits until a session of the service sleeps. */
async function untilAsleep(): Promise<void> {
  const asleep = "SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
  for (let waited = 0; (await primary.query(asleep)).length === 0; waited += 50) {
    if (waited > 30_000) throw new Error('no session sleeps');
    await rest(50);
  }
}

/** Waits until no session of the service runs a statement. */
async function untilIdle(): Promise<void> {
  const active = `SELECT pid FROM pg_stat_activity WHERE usename = 'gnss' AND state <> 'idle'`;
  for (let waited = 0; (await primary.query(active)).length > 0; waited += 50) {
    if (waited > 30_000) throw new Error('statements still run');
    await rest(50);
  }
}

t.test(
  'a statement, or several in one state, with parameters and values of each type',
  async (t) => {
    const own = await cluster.createDatabase();
    await (await openWrites(cluster.url(own))).close();
    await primary.query(`ALTER DATABASE ${own} SET bytea_output = 'escape'`);
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const awkward = ['a"b\\c', '{,}', 'é\u{1f6f0}\n', null, ''];
    for (const url of [cluster.url(own), cluster.url(own, 'prepare=true')]) {
      const reads = await openReads(url);
      t.teardown(() => reads.close());
      const row =
        await reads.get(sql`SELECT ${'x'}::text AS a, ${2 ** 40}::bigint AS b, ${true}::boolean AS c, ${bytes}::bytea AS d,
      ${-23.670123456789}::float8 AS e, ${awkward}::text[] AS f, ${'{"x":[1]}'}::jsonb AS g, ${null}::text AS h, 1.5::numeric AS i`);
      const found = {
        a: 'x',
        b: 2 ** 40,
        c: true,
        d: bytes,
        e: -23.670123456789,
        f: awkward,
        g: { x: [1] },
        h: null,
        i: 1.5,
      };
      t.strictSame({ ...row }, found);
      t.strictSame(
        await reads.all(
          sql`SELECT n FROM unnest(${[1, 2, 3]}::bigint[]) AS n WHERE n = ANY (${[3, 1]}) ORDER BY n DESC`,
        ),
        [{ n: 3 }, { n: 1 }],
      );
      t.strictSame(await reads.all(sql`SELECT 1 AS n WHERE false`), []);
      t.equal(await reads.get(sql`SELECT 1 AS n WHERE false`), undefined);
      const now = sql`SELECT txid_current_snapshot()::text AS state, current_setting('transaction_read_only') AS only`;
      const [one, other] = await reads.inOneState((db) => Promise.all([db.get(now), db.get(now)]));
      t.strictSame(one, other);
      t.match(one, { only: 'on' });
      await t.rejects(
        reads.inOneState(() => Promise.reject(new RangeError('our own'))),
        { name: 'RangeError' },
      );
      await t.rejects(reads.get(sql`SELECT nothing`), {
        name: 'StoreUnusable',
        message: /column "nothing" does not exist \(42703\)$/,
      });
      t.equal(await reads.check(), MIGRATIONS.length);
      t.equal(await reads.version(), reads.seenVersion());
      t.equal(reads.hasTextsOfThisVersion(), true);
    }
    await primary.query('UPDATE gnss_site_setups SET text_version = 0', own);
    const reads = await open(t, cluster.url(own));
    t.equal(reads.hasTextsOfThisVersion(), false);
  },
);

t.test('each read has limits of its own, and leaves none to the session', async (t) => {
  const reads = await open(t, cluster.url(database, 'pool_size=1'));
  const limits = sql`SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement,
    current_setting('jit') AS jit, current_setting('transaction_read_only') AS only`;
  t.strictSame(
    { ...(await reads.get<object>(limits)) },
    {
      lock: '2s',
      statement: '9s',
      jit: 'off',
      only: 'on',
    },
  );
  await reads.check();
  const plain = new pg.Client({ connectionString: cluster.url(database) });
  await plain.connect();
  t.teardown(() => plain.end());
  const own = `SELECT current_setting('lock_timeout') AS lock, txid_current_if_assigned() AS id`;
  t.match((await plain.query(own)).rows, [{ lock: '0', id: null }]);
});

t.test(
  'a read of a locked table is refused soon, others go on, and nothing waits afterwards',
  async (t) => {
    const reads = await open(t);
    const client = new pg.Client({ connectionString: primary.url(database, 'postgres') });
    await client.connect();
    t.teardown(() => client.end());
    await client.query('BEGIN; LOCK TABLE setup IN ACCESS EXCLUSIVE MODE');
    const locked = [
      reads.get(raw('SELECT count(*) AS n FROM setup')),
      reads.inOneState(async (db) => [
        await db.get(NUMBER),
        await db.get(sql`SELECT max(id) AS n FROM setup`),
      ]),
    ];
    let refused = 0;
    for (const each of locked) each.catch(() => refused++);
    t.type(await numberOf(reads), 'number');
    t.equal(await reads.check(), MIGRATIONS.length);
    t.equal(refused, 0, 'others do not wait for what is locked');
    for (const each of locked)
      await t.rejects(each, {
        name: 'StoreBusy',
        message: 'the database takes too long to answer',
      });
    await untilIdle();
    await client.query('ROLLBACK');
    t.match(await reads.get(sql`SELECT count(*) AS n FROM setup`), { n: 0 });
  },
);

t.test('a mark that somebody locks does not collect sessions that wait', async (t) => {
  const reads = await open(t);
  const client = new pg.Client({ connectionString: primary.url(database, 'postgres') });
  await client.connect();
  t.teardown(() => client.end());
  await client.query('BEGIN; LOCK TABLE gnss_site_setups IN ACCESS EXCLUSIVE MODE');
  await t.rejects(reads.version(), { name: 'StoreBusy' });
  await untilIdle();
  await client.query('ROLLBACK');
  t.type(await reads.version(), 'number');
});

t.test('a read that takes too long is refused, and the server ends it', async (t) => {
  const one = await open(t, cluster.url(database, 'pool_size=1'));
  const other = await open(t);
  const expected = { name: 'StoreBusy', message: 'the database takes too long to answer' };
  const long = one.get(sql`SELECT 1 AS n, pg_sleep(60)`);
  const several = other.inOneState(async (db) => {
    await db.get(sql`SELECT pg_sleep(6)`);
    await db.get(sql`SELECT pg_sleep(6)`);
  });
  long.catch(() => undefined);
  several.catch(() => undefined);
  await t.rejects(numberOf(one), {
    name: 'StoreBusy',
    message: 'no connection to the database became free in time',
  });
  await t.rejects(long, expected);
  await t.rejects(several, expected);
  await untilIdle();
  t.type(await numberOf(one), 'number');
});

t.test('a read whose connection breaks is run once more', async (t) => {
  const reads = await open(t);
  let runs = 0;
  const read = (times: number) =>
    reads.inOneState(async (db) => {
      runs++;
      if (runs <= times) await terminate("query LIKE 'BEGIN%SELECT migration%'");
      return db.get<{ number: number }>(NUMBER);
    });
  t.type((await read(1))!.number, 'number');
  t.equal(runs, 2);
  runs = 0;
  await t.rejects(read(2), { name: 'StoreUnusable', message: /" cannot be reached: / });
  t.equal(runs, 2, 'not a third time');

  const killed = reads.get(sql`SELECT 2 AS n, pg_sleep(4)`);
  await untilAsleep();
  await terminate("query LIKE '%pg_sleep(4)%'");
  t.match(await killed, { n: 2 });

  const many = (): Promise<number[]> =>
    Promise.all(Array.from({ length: 30 }, () => numberOf(reads)));
  await many();
  await terminate('true');
  t.equal((await many()).length, 30, 'all connections at once');
});

t.test('an error of our own is not a broken connection', async (t) => {
  const reads = await open(t);
  let runs = 0;
  await t.rejects(
    reads.inOneState(async () => {
      runs++;
      throw new TypeError('our own');
    }),
    { name: 'TypeError' },
  );
  t.equal(runs, 1);
});

t.test(
  'what is left of a failed read does not run in the transaction of another one',
  async (t) => {
    const reads = await open(t, cluster.url(database, 'pool_size=1'));
    let left: (() => unknown) | undefined;
    const failed = reads.inOneState((db) => {
      left = () => db.get(NUMBER);
      return db.get(sql`SELECT nothing`) as Promise<unknown>;
    });
    await t.rejects(failed, { name: 'StoreUnusable', message: /"nothing" does not exist/ });
    const other = reads.get(sql`SELECT 1 AS n, pg_sleep(4)`);
    await untilAsleep();
    await t.rejects(async () => left!(), { message: 'the transaction has ended' });
    t.match(await other, { n: 1 });

    const thrown = reads.inOneState(() => {
      throw new RangeError('at once');
    });
    await t.rejects(thrown, { name: 'RangeError' });
    t.type(await numberOf(reads), 'number');
  },
);

t.test('an answer that a commit overtakes counts, and does not hide that commit', async (t) => {
  const reads = await open(t);
  const before = await numberOf(reads);
  const long = reads.get(sql`SELECT saved AS number, pg_sleep(2) FROM last_import`);
  await untilAsleep();
  await count();
  t.equal(await numberOf(reads), before + 1);
  const seen = reads.seenVersion();
  t.match(await long, { number: before });
  t.equal(reads.seenVersion(), seen);
  t.equal(await reads.version(), seen);
});

t.test(
  'a database that has gone back is read as it is, and each loss is reported once',
  async (t) => {
    const reads = await open(t);
    const losses: string[] = [];
    reads.onLoss = (message) => losses.push(message);
    const goBack = () =>
      primary.query('UPDATE gnss_site_setups SET revision = revision - 1000', database);
    await count();
    const newest = await reads.version();
    await goBack();
    const found = await Promise.all(Array.from({ length: 20 }, () => reads.version()));
    t.same([...new Set(found)], [newest - 1000]);
    t.equal(reads.seenVersion(), newest - 1000);
    t.match(losses, [
      /^the database has gone back to an earlier state: .*import the site logs again$/,
    ]);
    await primary.query('UPDATE gnss_site_setups SET revision = revision + 1000', database);
    t.equal(await reads.version(), newest);
    await goBack();
    t.equal(await reads.version(), newest - 1000);
    t.equal(losses.length, 1, 'the same commits');
    await count();
    t.ok((await reads.version()) > newest);
    await goBack();
    await numberOf(reads);
    t.equal(losses.length, 2, 'others');
  },
);

t.test(
  'a database whose tables were restored without rows is damaged, and one of another version is refused',
  async (t) => {
    const own = await cluster.createDatabase();
    const url = cluster.url(own);
    const writes = await openWrites(url);
    const reads = await openReads(url);
    t.teardown(() => Promise.all([writes.close(), reads.close()]));
    const cases: [change: string, name: string, RegExp][] = [
      [
        'UPDATE gnss_site_setups SET migration = 999',
        'WrongDatabase',
        /is from a newer version \(migration 999; this version has \d+\)/,
      ],
      [
        'DELETE FROM gnss_site_setups',
        'StoreUnusable',
        /is damaged: its table gnss_site_setups is empty/,
      ],
    ];
    for (const [change, name, message] of cases) {
      await primary.query(change, own);
      const expected = { name, message };
      await t.rejects(reads.all(sql`SELECT 1 AS n`), expected);
      await t.rejects(
        reads.inOneState(() => Promise.resolve()),
        expected,
      );
      await t.rejects(reads.check(), expected);
      await t.rejects(openReads(url), expected);
      await t.rejects(openWrites(url), expected);
      await t.rejects(
        readSnapshot(url, () => Promise.resolve()),
        expected,
      );
    }
    await t.rejects(
      writes.transaction(() => Promise.resolve()),
      { message: /is damaged/ },
    );
    await primary.query(
      'DROP TABLE gnss_site_setups; CREATE TABLE gnss_site_setups (migration integer); GRANT ALL ON gnss_site_setups TO gnss',
      own,
    );
    const expected = {
      name: 'WrongDatabase',
      message: /was made by a development version; import/,
    };
    await t.rejects(openReads(url), expected);
    await t.rejects(openWrites(url), expected);
  },
);

t.test('messages say what to grant', async (t) => {
  await primary.query('CREATE ROLE stranger LOGIN');
  const url = cluster.url(database).replace('gnss@', 'stranger@');
  await t.rejects(openReads(url), {
    message: /permission denied for table gnss_site_setups \(42501\); grant the role .* SELECT/,
  });
  const empty = cluster.url(await cluster.createDatabase());
  await t.rejects(openWrites(empty.replace('gnss@', 'stranger@')), {
    message: /permission denied for schema public \(42501\); .* GRANT CREATE/,
  });
  await primary.query('ALTER ROLE stranger SET search_path = nowhere');
  await t.rejects(openWrites(empty.replace('gnss@', 'stranger@')), {
    message: /no schema has been selected .* SET search_path = …$/,
  });
  await t.rejects(openReads(empty), {
    name: 'StoreUnusable',
    message: /^database ".*" is empty; create its tables with/,
  });
  await t.rejects(openWrites(empty, { create: false }), {
    message: /is empty; create its tables with/,
  });
});

t.test('a database that is not in UTF-8 is refused before it gets tables', async (t) => {
  const own = `${database}_latin1`;
  await primary.query(
    `CREATE DATABASE ${own} OWNER gnss ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
  );
  await t.rejects(openWrites(cluster.url(own)), {
    name: 'WrongDatabase',
    message:
      /has the encoding LATIN1; expected UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0$/,
  });
  t.same(
    await primary.query("SELECT FROM pg_tables WHERE tablename = 'gnss_site_setups'", own),
    [],
  );
});

t.test('a database with tables of another application gets none of ours', async (t) => {
  const own = await cluster.createDatabase();
  await primary.query('CREATE TABLE site (name text)', own);
  await t.rejects(openWrites(cluster.url(own)), {
    name: 'WrongDatabase',
    message: /has tables of another application; choose another database$/,
  });
  t.same(
    await primary.query("SELECT FROM pg_tables WHERE tablename = 'gnss_site_setups'", own),
    [],
  );
});

t.test('without a server, reads fail at once; they go on when it is back', async (t) => {
  const own = await Cluster.create();
  t.teardown(() => own.stop());
  const name = await own.createDatabase();
  await (await openWrites(own.url(name))).close();
  const reads = await openReads(own.url(name));
  t.teardown(() => own.primary.resume());
  await own.primary.kill();
  await rest(100);
  const read = () => reads.get(sql`SELECT 1 AS n`);
  await t.rejects(read(), {
    name: 'StoreUnusable',
    message:
      /^database "postgres:\/\/gnss@127\.0\.0\.1:\d+\/\w+" cannot be reached: the host refuses connections; .* \(ECONNREFUSED\)$/,
  });
  await own.primary.start();
  t.match(await read(), { n: 1 });

  own.primary.pause();
  await t.rejects(read(), { name: 'StoreBusy' });
  await t.rejects(read(), {
    message: /" cannot be reached: no answer within the time to connect$/,
  });
  // It ends although the server stays silent.
  await reads.close();
});
