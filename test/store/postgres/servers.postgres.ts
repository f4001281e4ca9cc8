import { setTimeout as rest } from 'node:timers/promises';
import pg from 'pg';
import sql, { raw } from 'sql-template-tag';
import t, { type Test } from 'tap';
import { openReads, openWrites, readSnapshot } from '../../../src/store/postgres/open.js';
import type { Servers } from '../../../src/store/postgres/servers.js';
import { Cluster, type PostgresServer } from '../../postgres/cluster.js';

const PORT = sql`SELECT inet_server_port() AS port`;
/** Reads the number that tests count in. */
const NUMBER = sql`SELECT saved AS number FROM last_import`;
const ADD = sql`UPDATE last_import SET saved = saved + 1`;

const cluster = await Cluster.create();
t.teardown(() => cluster.stop());
const { primary } = cluster;
const database = await cluster.createDatabase();
const created = await openWrites(cluster.url(database));
await created.close();
const [first, second] = [await cluster.addReplica(), await cluster.addReplica()];
const urlOf = (servers: PostgresServer[], parameters = ''): string =>
  cluster.url(database, servers, parameters);

async function open(
  t: Test,
  servers = cluster.servers,
  parameters = '',
  maxReplicaLag: number | null = null,
): Promise<Servers> {
  const opened = await openReads(urlOf(servers, parameters), maxReplicaLag);
  t.teardown(() => opened.close());
  return opened;
}

/** Commits the next number. Replicas that follow have it when this resolves. */
async function count(...followers: PostgresServer[]): Promise<void> {
  const writes = await openWrites(urlOf(cluster.servers.filter(({ isRunning }) => isRunning)));
  await writes.transaction((transaction) => transaction.run(ADD));
  await writes.close();
  for (const follower of followers) await follower.catchUp(cluster.primary);
}

const numberOf = async (servers: Servers): Promise<number> =>
  (await servers.get<{ number: number }>(NUMBER))!.number;
const portOf = async (servers: Servers): Promise<number> =>
  (await servers.get<{ port: number }>(PORT))!.port;
/** The ports that answer many reads at once. */
const portsOf = async (servers: Servers): Promise<Set<number>> =>
  new Set(await Promise.all(Array.from({ length: 30 }, () => portOf(servers))));
const replay = (replica: PostgresServer, verb: 'pause' | 'resume') =>
  replica.query(`SELECT pg_wal_replay_${verb}()`);

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await condition()); waited += 50) {
    if (waited > 30_000) throw new Error(`never: ${what}`);
    await rest(50);
  }
}

t.test(
  'a statement, or several in one state, with parameters and values of each type',
  async (t) => {
    const own = await cluster.createDatabase();
    await (await openWrites(cluster.url(own, [primary]))).close();
    await primary.query(`ALTER DATABASE ${own} SET bytea_output = 'escape'`);
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const awkward = ['a"b\\c', '{,}', 'é\u{1f6f0}\n', null, ''];
    for (const url of [urlOf(cluster.servers), cluster.url(own, [primary], 'prepare=true')]) {
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
      t.equal(await reads.check(), 1);
      t.equal(await reads.version(), reads.seenVersion());
      t.equal(reads.hasTextsOfThisVersion(), true);
      t.match(reads.warnings, [/^the role has no lock_timeout/]);
    }
    await primary.query(
      `UPDATE gnss_site_setups SET serializers = 0; ALTER ROLE gnss SET lock_timeout = '1s'`,
      own,
    );
    t.teardown(() => primary.query('ALTER ROLE gnss RESET lock_timeout'));
    const reads = await openReads(cluster.url(own, [primary]));
    t.teardown(() => reads.close());
    t.equal(reads.hasTextsOfThisVersion(), false);
    t.same(reads.warnings, []);
  },
);

t.test(
  'a locked table delays neither reads of other tables nor the check, and leaves nothing that waits',
  async (t) => {
    const reads = await open(t, [primary]);
    const client = new pg.Client({ connectionString: primary.url(database, 'postgres') });
    await client.connect();
    t.teardown(() => client.end());
    await client.query('BEGIN; LOCK TABLE setup IN ACCESS EXCLUSIVE MODE');
    const slowest = { quick: 0, locked: 0 };
    const failures = new Set<string>();
    const timed = async (kind: keyof typeof slowest, read: Promise<unknown>): Promise<void> => {
      const started = performance.now();
      await read.catch((error: Error) => failures.add(`${kind}: ${error.name}`));
      slowest[kind] = Math.max(slowest[kind], performance.now() - started);
    };
    const asked: Promise<void>[] = [];
    for (let index = 0; index < 300; index++) {
      asked.push(
        timed('locked', reads.get(raw(`SELECT count(*) AS n FROM setup WHERE id > ${index % 3}`))),
      );
      asked.push(
        timed(
          'locked',
          reads.inOneState(async (db) => [
            await db.get(NUMBER),
            await db.get(sql`SELECT max(id) AS n FROM setup`),
          ]),
        ),
      );
      asked.push(timed('quick', numberOf(reads)));
      asked.push(timed('quick', reads.check()));
      await rest(20);
    }
    await Promise.all(asked);
    t.ok(slowest.quick < 2000, `${slowest.quick} ms`);
    t.ok(slowest.locked < 12_500, `${slowest.locked} ms`);
    t.same([...failures], ['locked: StoreBusy']);
    const waiting = `SELECT pid FROM pg_stat_activity WHERE usename = 'gnss' AND wait_event_type = 'Lock'`;
    await until('no statement waits', async () => (await primary.query(waiting)).length === 0);
    await client.query('ROLLBACK');
    t.match(await reads.get(sql`SELECT count(*) AS n FROM setup`), { n: 0 });
  },
);

t.test(
  'a database whose tables were restored without rows is damaged, and one of another version is refused',
  async (t) => {
    const own = await cluster.createDatabase();
    const url = cluster.url(own, [primary]);
    const writes = await openWrites(url);
    const reads = await openReads(url);
    t.teardown(() => Promise.all([writes.close(), reads.close()]));
    const cases: [string, RegExp][] = [
      [
        'UPDATE gnss_site_setups SET migration = 999',
        /is from a newer version \(migration 999; this version has \d+\)/,
      ],
      ['DELETE FROM gnss_site_setups', /is damaged: its table gnss_site_setups is empty/],
    ];
    for (const [change, message] of cases) {
      await primary.query(change, own);
      const expected = { name: 'StoreUnusable', message };
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
    const expected = { message: /was made by a development version; import/ };
    await t.rejects(openReads(url), expected);
    await t.rejects(openWrites(url), expected);
  },
);

t.test('messages say what to grant', async (t) => {
  await primary.query('CREATE ROLE stranger LOGIN');
  const url = urlOf([primary]).replace('gnss@', 'stranger@');
  await t.rejects(openReads(url), {
    message: /permission denied for table gnss_site_setups \(42501\); grant the role .* SELECT/,
  });
  const empty = cluster.url(await cluster.createDatabase(), [primary]);
  await t.rejects(openWrites(empty.replace('gnss@', 'stranger@')), {
    message: /permission denied for schema public \(42501\); .* GRANT CREATE/,
  });
  await primary.query('ALTER ROLE stranger SET search_path = nowhere');
  await t.rejects(openWrites(empty.replace('gnss@', 'stranger@')), {
    message: /no schema has been selected .* SET search_path = …$/,
  });
  await t.rejects(openReads(empty), { message: /is empty; create its tables with/ });
  await t.rejects(openWrites(empty, { create: false }), {
    message: /is empty; create its tables with/,
  });
});

t.test('a database that is not in UTF-8 is refused before it gets tables', async (t) => {
  const own = `${database}_latin1`;
  await primary.query(
    `CREATE DATABASE ${own} OWNER gnss ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
  );
  await t.rejects(openWrites(cluster.url(own, [primary])), {
    name: 'StoreUnusable',
    message:
      /has the encoding LATIN1; expected UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0$/,
  });
  t.same(
    await primary.query("SELECT FROM pg_tables WHERE tablename = 'gnss_site_setups'", own),
    [],
  );
});

t.test(
  'reads go to the servers that target_session_attrs names, by default to replicas',
  async (t) => {
    const [main, one, two] = cluster.servers.map(({ port }) => port);
    const cases: [string, number[]][] = [
      ['any', [one!, two!]],
      ['prefer-standby', [one!, two!]],
      ['standby', [one!, two!]],
      ['read-only', [one!, two!]],
      ['primary', [main!]],
      ['read-write', [main!]],
    ];
    for (const [target, ports] of cases) {
      const servers = await open(t, cluster.servers, `target_session_attrs=${target}`);
      t.strictSame([...(await portsOf(servers))].sort(), ports.toSorted(), target);
      const roles = servers.servers().map(({ role }) => role);
      t.same(roles, ['primary', 'replica', 'replica']);
    }
    t.equal(await portOf(await open(t, [primary])), main);
    t.equal(await portOf(await open(t, [primary], 'target_session_attrs=any')), main);
    await t.rejects(open(t, [primary], 'target_session_attrs=standby'), {
      message: /a primary that the settings exclude/,
    });
    await t.rejects(open(t, [first, second], 'target_session_attrs=read-write'), {
      message: /a replica that the settings exclude/,
    });
  },
);

t.test('an answer is never older than one before, though a replica is', async (t) => {
  const servers = await open(t);
  const before = await numberOf(servers);
  await replay(first, 'pause');
  await replay(second, 'pause');
  await count();
  t.equal(await numberOf(servers), before, 'a state is shown for as long as no newer one was');
  t.match(servers.servers(), [{ lagSeconds: null }, { used: true }, { used: true }]);

  await replay(second, 'resume');
  await second.catchUp(primary);
  await until('the new state', async () => (await numberOf(servers)) === before + 1);
  const revision = servers.seenVersion();
  t.equal(await servers.version(), revision);
  for (let round = 0; round < 20; round++) {
    const numbers = await Promise.all(Array.from({ length: 10 }, () => numberOf(servers)));
    t.ok(numbers.every((number) => number === before + 1));
    const [inOne] = await servers.inOneState((db) => db.all<{ number: number }>(NUMBER));
    t.equal(inOne!.number, before + 1);
  }
  t.equal(servers.seenVersion(), revision);

  await replay(second, 'pause');
  await count();
  const other = await open(t, [primary]);
  t.equal(await numberOf(other), before + 2);
  const behind = await open(t);
  t.ok(
    [before, before + 1].includes(await numberOf(behind)),
    'another process may still show an older state',
  );
  await replay(first, 'resume');
  await replay(second, 'resume');
  await first.catchUp(primary);
  await second.catchUp(primary);
});

t.test('a replica that lags for too long is not used, until it has caught up', async (t) => {
  const limited = await open(t, [primary, first], '', 1000);
  const unlimited = await open(t, [primary, first]);
  const before = await numberOf(limited);
  await replay(first, 'pause');
  await count();
  await until('a lag of a second', () => (limited.servers()[1]!.lagSeconds ?? 0) > 1);
  t.match(limited.servers(), [
    { role: 'primary', used: true, lagSeconds: null },
    { role: 'replica', used: false },
  ]);
  t.equal(await numberOf(limited), before + 1);
  t.match(unlimited.servers()[1], { used: true });
  t.equal(await numberOf(unlimited), before);
  await t.rejects(open(t, [primary, first], 'target_session_attrs=standby', 1000), {
    name: 'StoreUnusable',
    message: /a primary that the settings exclude; .* a replica that the settings exclude$/,
  });
  await replay(first, 'resume');
  await until('it is used again', () => limited.servers()[1]!.used);
  t.equal(await portOf(limited), first.port);
});

t.test(
  'a long statement does not count as silence, and a broken connection does not count as a dead server',
  async (t) => {
    const servers = await open(t, [first]);
    const long = servers.get(sql`SELECT 1 AS n, pg_sleep(4)`);
    const killed = servers.get(sql`SELECT 2 AS n, pg_sleep(0.5)`);
    await rest(200);
    await first.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(0.5)%' AND pid <> pg_backend_pid()`,
    );
    t.match(await killed, { n: 2 }, 'it is read again');
    t.match(await long, { n: 1 });
  },
);

t.test('an answer that a commit overtakes counts, and does not hide that commit', async (t) => {
  for (const server of [primary, first]) {
    const servers = await open(t, [server]);
    const before = await numberOf(servers);
    const long = servers.get(sql`SELECT saved AS number, pg_sleep(2) FROM last_import`);
    await rest(500);
    await count(first, second);
    t.equal(await numberOf(servers), before + 1);
    const seen = servers.seenVersion();
    t.match(await long, { number: before }, 'it is not read again');
    t.equal(servers.seenVersion(), seen);
    t.equal(await servers.version(), seen);
  }
});

t.test('an import does not wait for a silent primary for ever', async (t) => {
  const writes = await openWrites(urlOf(cluster.servers), { silence: 500 });
  t.teardown(() => writes.close());
  const written = writes.transaction(async (transaction) => {
    primary.pause();
    await transaction.run(ADD);
  });
  await t.rejects(written, { name: 'StoreUnusable', message: /no answer within 0\.5 s/ });
  primary.resume();
  t.equal(
    await writes.transaction((transaction) => transaction.run(ADD)),
    1,
    'it looks for the primary again',
  );
});

t.test('imports look for the primary, and exclude each other', async (t) => {
  await t.rejects(openWrites(urlOf([first, second])), {
    name: 'StoreUnusable',
    message: /cannot be written; .*: is a replica; .*: is a replica$/,
  });
  const writes = await openWrites(urlOf(cluster.servers));
  const other = await openWrites(urlOf(cluster.servers), { patience: 300 });
  t.teardown(() => Promise.all([writes.close(), other.close()]));
  const servers = await open(t, [primary]);
  const before = await numberOf(servers);
  await writes.transaction(async (transaction) => {
    t.equal(await transaction.run(ADD), 1);
    await t.rejects(
      other.transaction(() => Promise.resolve()),
      {
        name: 'StoreUnusable',
        message: /" is locked by another process; try again when that process has finished$/,
      },
    );
    t.equal(await numberOf(servers), before);
  });
  t.equal(await numberOf(servers), before + 1);

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
  t.equal(await numberOf(servers), before + 1);
  await writes.transaction((transaction) => transaction.run(ADD));
  t.equal(await numberOf(servers), before + 2, 'it has connected again');

  const rehearsed = await openWrites(urlOf(cluster.servers), { dryRun: true });
  t.equal(await rehearsed.transaction((transaction) => transaction.run(ADD)), 1);
  await t.rejects(
    rehearsed.transaction(() => Promise.reject(new RangeError('our own'))),
    { name: 'RangeError' },
  );
  t.match(await rehearsed.transaction((transaction) => transaction.get(NUMBER)), {
    number: before + 3,
  });
  await rehearsed.close();
  t.equal(await numberOf(servers), before + 2);
});

t.test(
  'no read fails while servers are killed, as long as one is left; without any, all fail until one is back',
  async (t) => {
    await count(first, second);
    const servers = await open(t);
    const stop = new AbortController();
    let [reads, failures] = [0, 0];
    const read = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        await numberOf(servers).then(
          () => reads++,
          () => failures++,
        );
      }
    };
    const readers = Promise.all([read(), read(), read(), read()]);
    const untilRead = async (): Promise<void> => {
      const goal = reads + 50;
      await until('reads', () => reads >= goal);
    };
    await untilRead();
    await primary.kill();
    await untilRead();
    // The only one that is known to answer is killed, when another has just become able to.
    first.pause();
    await until('the silence is known', () => !servers.servers()[1]!.used);
    first.resume();
    await second.kill();
    await untilRead();
    t.equal(failures, 0);
    stop.abort();
    await readers;

    await first.kill();
    const [one, two] = await Promise.allSettled([numberOf(servers), numberOf(servers)]);
    t.match(one, {
      status: 'rejected',
      reason: {
        name: 'StoreUnusable',
        message: /cannot be read; 127\.0\.0\.1:\d+: .*ECONNREFUSED/,
      },
    });
    t.equal(
      (one as PromiseRejectedResult).reason,
      (two as PromiseRejectedResult).reason,
      'one outage is one error',
    );
    for (const server of cluster.servers) await cluster.restart(server);
    t.type(await numberOf(servers), 'number');
    await until('all are used', () => servers.servers().every(({ used }) => used));
  },
);

t.test(
  'a state that was lost with the primary is forgotten, once another server has been promoted',
  async (t) => {
    await first.catchUp(primary);
    const servers = await open(t, [primary, first]);
    const before = await numberOf(servers);
    await first.kill();
    await second.kill();
    await count();
    t.equal(await numberOf(servers), before + 1);
    await primary.kill();
    await first.start();
    await t.rejects(numberOf(servers), {
      name: 'StoreUnusable',
      message: /does not have the newest state yet$/,
    });
    await first.promote();
    await until(
      'the new primary answers',
      async () => (await numberOf(servers).catch(() => null)) === before,
    );
    await second.start();
    await second.promote();
    await t.rejects(openWrites(urlOf([first, second])), {
      message: /has several primaries; stop all but one; .*accepts writes; .*accepts writes$/,
    });
  },
);
