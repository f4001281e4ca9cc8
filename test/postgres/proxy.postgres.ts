import { setTimeout as rest } from 'node:timers/promises';
import sql from 'sql-template-tag';
import t from 'tap';
import { openReads, openWrites } from '../../src/store/postgres/open.js';
import { Cluster, ROLE } from './cluster.js';
import { startProxy, timeToGiveUp, withoutProxy } from './proxy.js';

const ADD = sql`UPDATE last_import SET saved = saved + 1`;
const PORT = sql`SELECT inet_server_port() AS port`;

t.test(
  'HAProxy, as the guide configures it, leads to the primary, and to the standby once that is promoted',
  { skip: withoutProxy },
  async (t) => {
    const cluster = await Cluster.create({ settings: { log_connections: 'on' } });
    t.teardown(() => cluster.stop());
    const standby = await cluster.addReplica();
    const { primary } = cluster;
    const database = await cluster.createDatabase();
    const url = `postgres://${ROLE}@127.0.0.1:${await startProxy(cluster)}/${database}`;
    const count = async (): Promise<void> => {
      const writes = await openWrites(url);
      await writes.transaction((transaction) => transaction.run(ADD)).finally(() => writes.close());
    };
    await count();
    const reads = await openReads(url);
    t.teardown(() => reads.close());
    const answers = () =>
      reads.get<{ port: number }>(PORT).then(
        (row) => row!.port,
        (error: Error) => error.name,
      );
    const untilAnswer = async (expected: unknown, within: number): Promise<void> => {
      const began = performance.now();
      let answer = await answers();
      while (answer !== expected && performance.now() - began < within) {
        await rest(100);
        answer = await answers();
      }
      t.equal(answer, expected);
    };
    // Long enough for each server to be checked.
    await rest(timeToGiveUp());
    t.equal(await answers(), primary.port);

    await standby.catchUp(primary);
    await primary.kill();
    t.equal(await answers(), 'StoreUnusable');
    await t.rejects(count(), { name: 'StoreUnusable', message: /" cannot be reached: / });
    // The standby answers, but is none to lead to.
    await rest(timeToGiveUp() + 1000);
    t.equal(await answers(), 'StoreUnusable');
    await cluster.promote(standby);
    await untilAnswer(standby.port, 60_000);
    await count();

    // As the guide wants it, the former primary comes back as a standby.
    await cluster.restart(primary);
    await rest(timeToGiveUp());
    t.equal(await answers(), standby.port);
    t.match(await reads.get(sql`SELECT saved FROM last_import`), { saved: 2 });
    t.notMatch(standby.log + primary.log, /unexpected EOF|could not receive data from client/);
    t.match(standby.log, /connection authorized: user=haproxy database=postgres/);
  },
);
