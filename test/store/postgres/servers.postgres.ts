import { setTimeout as rest } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { openReader, openWriter } from '../../../src/store/open.js';
import { openServers, openWrites } from '../../../src/store/postgres/open.js';
import type { Servers } from '../../../src/store/postgres/servers.js';
import { Cluster, type PostgresServer } from '../../postgres/cluster.js';

/** What the servers need to know which state they read, and a number to read. */
const TABLES = `
  CREATE TABLE gnss_site_setups (migration integer);
  CREATE TABLE revision (number bigint); INSERT INTO revision VALUES (0);
  CREATE TABLE counted (number integer); INSERT INTO counted VALUES (0);
  GRANT ALL ON gnss_site_setups, revision, counted TO gnss`;
const PORT = 'SELECT inet_server_port() AS port';

const cluster = await Cluster.create();
t.teardown(() => cluster.stop());
const { primary } = cluster;
const database = await cluster.createDatabase();
await primary.query(TABLES, database);
const [first, second] = [await cluster.addReplica(), await cluster.addReplica()];
const urlOf = (servers: PostgresServer[], parameters = ''): string => cluster.url(database, servers, parameters);

async function open(t: Test, servers = cluster.servers, parameters = '', maxReplicaLag: number | null = null): Promise<Servers> {
  const opened = await openServers(urlOf(servers, parameters), { maxReplicaLag });
  t.teardown(() => opened.close());
  return opened;
}

/** Commits the next number. Replicas that follow have it when this resolves. */
async function count(...followers: PostgresServer[]): Promise<void> {
  const writes = await openWrites(urlOf(cluster.servers.filter(({ isRunning }) => isRunning)));
  await writes.transaction((transaction) => transaction.run('UPDATE counted SET number = number + 1'));
  await writes.close();
  for (const follower of followers) await follower.catchUp(cluster.primary);
}

const numberOf = async (servers: Servers): Promise<number> => (await servers.get<{ number: number }>('SELECT number FROM counted'))!.number;
const portOf = async (servers: Servers): Promise<number> => (await servers.get<{ port: number }>(PORT))!.port;
/** The ports that answer many reads at once. */
const portsOf = async (servers: Servers): Promise<Set<number>> =>
  new Set(await Promise.all(Array.from({ length: 30 }, () => portOf(servers))));
const replay = (replica: PostgresServer, verb: 'pause' | 'resume') => replica.query(`SELECT pg_wal_replay_${verb}()`);

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await condition()); waited += 50) {
    if (waited > 30_000) throw new Error(`never: ${what}`);
    await rest(50);
  }
}

t.test('a statement, or several in one state, with parameters and values of each type', async (t) => {
  const servers = await open(t);
  const sql =
    'SELECT $1::text AS a, $2::bigint AS b, $3::boolean AS c, $4::bytea AS d, $5::double precision AS e, $6::text[] AS f, $7::jsonb AS g';
  const bytes = Buffer.from([0, 255, 92]);
  const awkward = ['a"b\\c', '{,}', 'é\u{1f6f0}\n', null, ''];
  const row = await servers.get(`${sql}, NULL::text AS h`, 'x', 2 ** 40, true, bytes, -0.1, awkward, '{"x":[1]}');
  const found = {
    a: 'x',
    b: 2 ** 40,
    c: true,
    d: bytes,
    e: -0.1,
    f: `{"a\\"b\\\\c","{,}","é\u{1f6f0}\n",NULL,""}`,
    g: { x: [1] },
    h: null,
  };
  t.strictSame({ ...row }, found);
  t.strictSame(await servers.all('SELECT n FROM unnest($1::bigint[]) AS n WHERE n = ANY($2) ORDER BY n DESC', [1, 2, 3], [3, 1]), [
    { n: 3 },
    { n: 1 },
  ]);
  t.strictSame(await servers.all('SELECT 1 AS n WHERE false'), []);
  t.equal(await servers.get('SELECT 1 AS n WHERE false'), undefined);
  t.strictSame(
    await servers.inOneState((snapshot) => Promise.all([snapshot.get('SELECT 1 AS n'), snapshot.all('SELECT $1::int AS n', 2)])),
    [{ n: 1 }, [{ n: 2 }]],
  );
  await t.rejects(servers.get('SELECT nothing'), {
    name: 'StoreUnusable',
    message: /cannot be used: column "nothing" does not exist \(42703\)$/,
  });
  await t.rejects(
    servers.inOneState(() => Promise.reject(new RangeError('our own'))),
    { name: 'RangeError' },
  );
  await t.rejects(
    servers.inOneState((snapshot) => snapshot.all('DELETE FROM counted')),
    { name: 'StoreUnusable' },
  );
  t.equal(await numberOf(servers), 0, 'the connections are still of use');
});

t.test('settings of the database change no value and stop no import', async (t) => {
  const own = await cluster.createDatabase();
  await primary.query(`${TABLES}; ALTER DATABASE ${own} SET bytea_output = 'escape'`, own);
  await primary.query(`ALTER DATABASE ${own} SET extra_float_digits = -10`);
  const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const values = [all, Buffer.from('\\x41'), Buffer.alloc(0)];
  for (const parameters of ['prepare=true', 'prepare=false']) {
    const servers = await openServers(cluster.url(own, [primary], parameters), {});
    t.teardown(() => servers.close());
    for (const bytes of values) t.same(await servers.get('SELECT $1::bytea AS bytes', bytes), { bytes }, parameters);
    if (parameters === 'prepare=true')
      t.same(await servers.get('SELECT $1::float8 AS number', -23.670123456789), { number: -23.670123456789 });
  }
  await primary.query(`ALTER DATABASE ${own} SET statement_timeout = 100`);
  const writes = await openWrites(cluster.url(own, [primary]));
  t.teardown(() => writes.close());
  t.equal(await writes.transaction((transaction) => transaction.run('SELECT pg_sleep(0.2)')), 1);
});

t.test('a database whose tables were restored without rows is damaged', async (t) => {
  const own = await cluster.createDatabase();
  await (await openWriter(cluster.url(own, [primary]))).close();
  const url = cluster.url(own, [primary]);
  const servers = await openServers(url, {});
  t.teardown(() => servers.close());
  const expected = (table: string) => ({ name: 'StoreUnusable', message: new RegExp(`its table ${table} is empty$`) });
  await primary.query('DELETE FROM revision', own);
  await t.rejects(servers.all('SELECT 1 AS n'), expected('revision'));
  await t.rejects(
    servers.inOneState(() => Promise.resolve()),
    expected('revision'),
  );
  await t.rejects(servers.revision(), expected('revision'));
  await t.rejects(openServers(url, {}), expected('revision'));
  const writes = await openWrites(url);
  t.teardown(() => writes.close());
  await t.rejects(
    writes.transaction(() => Promise.resolve()),
    expected('revision'),
  );
  await primary.query('INSERT INTO revision (number) VALUES (1); DELETE FROM gnss_site_setups', own);
  await t.rejects(openReader(url, {}), expected('gnss_site_setups'));
  await t.rejects(openWriter(url), expected('gnss_site_setups'));
});

t.test('a database that is not in UTF-8 is refused before it gets tables', async (t) => {
  const own = `${database}_latin1`;
  await primary.query(`CREATE DATABASE ${own} OWNER gnss ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`);
  await t.rejects(openWriter(cluster.url(own, [primary])), {
    name: 'StoreUnusable',
    message: /has the encoding LATIN1; expected UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0$/,
  });
  t.same(await primary.query("SELECT FROM pg_tables WHERE tablename = 'gnss_site_setups'", own), []);
});

t.test('reads go to the servers that target_session_attrs names, by default to replicas', async (t) => {
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
    t.same(
      servers.states().map(({ role }) => role),
      ['primary', 'replica', 'replica'],
    );
  }
  t.equal(await portOf(await open(t, [primary])), main);
  t.equal(await portOf(await open(t, [primary], 'target_session_attrs=any')), main);
  await t.rejects(open(t, [primary], 'target_session_attrs=standby'), { message: /a primary that the settings exclude/ });
  await t.rejects(open(t, [first, second], 'target_session_attrs=read-write'), { message: /a replica that the settings exclude/ });
});

t.test('an answer is never older than one before, though a replica is', async (t) => {
  const servers = await open(t);
  const before = await numberOf(servers);
  await replay(first, 'pause');
  await replay(second, 'pause');
  await count();
  t.equal(await numberOf(servers), before, 'a state is shown for as long as no newer one was');
  t.match(servers.states(), [{ lagSeconds: null }, { used: true }, { used: true }]);

  await replay(second, 'resume');
  await second.catchUp(primary);
  await until('the new state', async () => (await numberOf(servers)) === before + 1);
  const revision = servers.seen;
  t.equal(await servers.revision(), revision);
  for (let round = 0; round < 20; round++) {
    const numbers = await Promise.all(Array.from({ length: 10 }, () => numberOf(servers)));
    t.ok(numbers.every((number) => number === before + 1));
    const [inOne] = await servers.inOneState((snapshot) => snapshot.all<{ number: number }>('SELECT number FROM counted'));
    t.equal(inOne!.number, before + 1);
  }
  t.equal(servers.seen, revision);

  await replay(second, 'pause');
  await count();
  const other = await open(t, [primary]);
  t.equal(await numberOf(other), before + 2);
  const behind = await open(t);
  t.equal(await numberOf(behind), before + 1, 'another process may still show the older state');
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
  await until('a lag of a second', () => (limited.states()[1]!.lagSeconds ?? 0) > 1);
  t.match(limited.states(), [
    { role: 'primary', used: true, lagSeconds: null },
    { role: 'replica', used: false },
  ]);
  t.equal(await numberOf(limited), before + 1);
  t.match(unlimited.states()[1], { used: true });
  t.equal(await numberOf(unlimited), before);
  await t.rejects(open(t, [primary, first], 'target_session_attrs=standby', 1000), {
    name: 'StoreUnusable',
    message: /a primary that the settings exclude; .* a replica that the settings exclude$/,
  });
  await replay(first, 'resume');
  await until('it is used again', () => limited.states()[1]!.used);
  t.equal(await portOf(limited), first.port);
});

t.test('a session prepares each statement once, and is replaced before it has prepared too many', async (t) => {
  const servers = await open(t, [first], 'pool_size=1');
  const prepared = async (from: Servers): Promise<number> =>
    (await from.get<{ number: number }>('SELECT count(*) AS number FROM pg_prepared_statements WHERE statement LIKE $1', '%$1 + %'))!
      .number;
  const read = async (from: Servers, first: number, end: number): Promise<void> => {
    for (let index = first; index < end; index++) {
      const { value } = (await from.get<{ value: number }>(`SELECT $1 + ${index}::int AS value`, index))!;
      if (value !== 2 * index) t.equal(value, 2 * index);
    }
  };
  for (let round = 0; round < 3; round++) {
    await read(servers, 0, 150);
    t.equal(await prepared(servers), 150);
  }
  await read(servers, 150, 500);
  t.ok((await prepared(servers)) <= 200);
  const unnamed = await open(t, [first], 'pool_size=1&prepare=false');
  await read(unnamed, 0, 3);
  t.equal(await prepared(unnamed), 0);
});

t.test('so many reads may wait for a connection; one more is refused', async (t) => {
  const servers = await open(t, [first], 'pool_size=1');
  const reads = Array.from({ length: 101 }, (_, index) => servers.get('SELECT $1::int AS n, pg_sleep($2)', index, index === 0 ? 0.5 : 0));
  await t.rejects(servers.get('SELECT 1 AS n'), { name: 'StoreBusy', message: '100 reads wait for the database already' });
  t.match(
    await Promise.all(reads),
    Array.from({ length: 101 }, (_, n) => ({ n })),
  );
  t.match(await servers.get('SELECT 1 AS n'), { n: 1 });
});

t.test('a long statement does not count as silence, and a broken connection does not count as a dead server', async (t) => {
  const servers = await open(t, [first]);
  const long = servers.get('SELECT 1 AS n, pg_sleep(4)');
  const killed = servers.get(`SELECT 2 AS n, pg_sleep(0.5)`);
  await rest(200);
  await first.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(0.5)%' AND pid <> pg_backend_pid()`,
  );
  t.match(await killed, { n: 2 }, 'it is read again');
  t.match(await long, { n: 1 });
});

t.test('an answer that a commit overtakes counts, and does not hide that commit', async (t) => {
  for (const server of [primary, first]) {
    const servers = await open(t, [server]);
    const before = await numberOf(servers);
    const long = servers.get('SELECT number, pg_sleep(2) FROM counted');
    await rest(500);
    await count(first, second);
    t.equal(await numberOf(servers), before + 1);
    const { seen } = servers;
    t.match(await long, { number: before }, 'it is not read again');
    t.equal(servers.seen, seen);
    t.equal(await servers.revision(), seen);
  }
});

t.test('reads from a silent server are answered by another, and it is used again when it answers', async (t) => {
  const servers = await open(t, [first, second]);
  await portsOf(servers);
  first.pause();
  const answers = await Promise.all(Array.from({ length: 20 }, () => portOf(servers)));
  t.same(new Set(answers), new Set([second.port]));
  t.match(servers.states(), [{ used: false }, { used: true }]);
  first.resume();
  await until('it is used again', async () => (await portsOf(servers)).has(first.port));
});

t.test('an import does not wait for a silent primary for ever', async (t) => {
  const writes = await openWrites(urlOf(cluster.servers), { silence: 500 });
  t.teardown(() => writes.close());
  const add = 'UPDATE counted SET number = number + 1';
  const written = writes.transaction(async (transaction) => {
    primary.pause();
    await transaction.run(add);
  });
  await t.rejects(written, { name: 'StoreUnusable', message: /no answer within 0\.5 s/ });
  primary.resume();
  t.equal(await writes.transaction((transaction) => transaction.run(add)), 1, 'it looks for the primary again');
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
  const add = 'UPDATE counted SET number = number + 1';
  await writes.transaction(async (transaction) => {
    t.equal(await transaction.run(add), 1);
    await t.rejects(
      other.transaction(() => Promise.resolve()),
      { name: 'StoreUnusable', message: /" is locked by another process; try again when that process has finished$/ },
    );
    t.equal(await numberOf(servers), before);
  });
  t.equal(await numberOf(servers), before + 1);

  await t.rejects(
    writes.transaction(async (transaction) => {
      await transaction.run(add);
      throw new RangeError('our own');
    }),
    { name: 'RangeError' },
  );
  await t.rejects(
    writes.transaction(async (transaction) => {
      await transaction.run(add);
      await transaction.run('SELECT nothing').catch(() => undefined);
    }),
    { message: /rolled back/ },
    'an error that somebody has swallowed',
  );
  await t.rejects(
    writes.transaction(async (transaction) => {
      await transaction.run(add);
      await transaction.run('SELECT pg_terminate_backend(pg_backend_pid())');
    }),
    { name: 'StoreUnusable' },
  );
  t.equal(await numberOf(servers), before + 1);
  await writes.transaction((transaction) => transaction.run(add));
  t.equal(await numberOf(servers), before + 2, 'it has connected again');

  const rehearsed = await openWrites(urlOf(cluster.servers), { dryRun: true });
  t.equal(await rehearsed.transaction((transaction) => transaction.run(add)), 1);
  await t.rejects(rehearsed.transaction((transaction) => transaction.run('SELECT nothing')));
  t.match(await rehearsed.transaction((transaction) => transaction.get('SELECT number FROM counted')), { number: before + 3 });
  await rehearsed.close();
  t.equal(await numberOf(servers), before + 2);
});

t.test('no read fails while servers are killed, as long as one is left; without any, all fail until one is back', async (t) => {
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
  await until('the silence is known', () => !servers.states()[1]!.used);
  first.resume();
  await second.kill();
  await untilRead();
  t.equal(failures, 0);
  stop.abort();
  await readers;

  await first.kill();
  const [one, two] = await Promise.allSettled([numberOf(servers), numberOf(servers)]);
  t.match(one, { status: 'rejected', reason: { name: 'StoreUnusable', message: /cannot be read; 127\.0\.0\.1:\d+: .*ECONNREFUSED/ } });
  t.equal((one as PromiseRejectedResult).reason, (two as PromiseRejectedResult).reason, 'one outage is one error');
  for (const server of cluster.servers) await cluster.restart(server);
  t.type(await numberOf(servers), 'number');
  await until('all are used', () => servers.states().every(({ used }) => used));
});

t.test('a state that was lost with the primary is forgotten, once another server has been promoted', async (t) => {
  await first.catchUp(primary);
  const servers = await open(t, [primary, first]);
  const before = await numberOf(servers);
  await first.kill();
  await second.kill();
  await count();
  t.equal(await numberOf(servers), before + 1);
  await primary.kill();
  await first.start();
  await t.rejects(numberOf(servers), { name: 'StoreUnusable', message: /has not the newest state yet$/ });
  await first.promote();
  await until('the new primary answers', async () => (await numberOf(servers).catch(() => null)) === before);
  await second.start();
  await second.promote();
  await t.rejects(openWrites(urlOf([first, second])), {
    message: /has several primaries; stop all but one; .*accepts writes; .*accepts writes$/,
  });
});
