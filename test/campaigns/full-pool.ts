import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import pg from 'pg';
import type { Given } from './campaign.js';
import { Connection, get } from './connection.js';
import { ReplicatedNetwork } from './replicated-network.js';

const PART = 'pool';
const ROW = 'all connections of the pool busy';
/** More requests at once than a pool and its queue take. */
const REQUESTS = 1500;
/** How many of them connect at the same time. */
const AT_ONCE = 100;
/** How long a client waits for an answer, in milliseconds: longer than the service lets it. */
const PATIENCE = 20_000;
/** How long the connections are busy, in milliseconds: less than a statement may take. */
const BUSY = 1000;
const TARGET = '/setups/search/findCurrentByFourCharacterId?id=V001';

/**
 * Makes all statements of a service wait, and sends it more requests than it may queue. Those in the queue are answered
 * afterwards, the others refused at once, with `Retry-After`.
 */
export async function fillPool(given: Given<string>): Promise<void> {
  const { tally, repeat } = given;
  const fail = (what: string, count = 1): void => tally.failed(ROW, what, repeat(PART, 0), count);
  const network = await ReplicatedNetwork.create(join(given.folder, PART), { replicas: 0, services: 1, flags: ['--cache-megabytes', '0'] });
  const locking = new pg.Client(network.url());
  try {
    await locking.connect();
    const [service] = network.services as [(typeof network.services)[number]];
    const connections = Array.from({ length: REQUESTS }, () => new Connection(service.port, PATIENCE));
    // All requests come at once only if they need not connect first, for which the system has a queue of its own.
    for (let first = 0; first < REQUESTS; first += AT_ONCE) {
      await Promise.all(connections.slice(first, first + AT_ONCE).map((connection) => get(connection, '/health')));
    }
    const begin = performance.now();
    const lock = async (): Promise<void> => {
      // One table only: a lookup that has another one already must not wait for us while we wait for it.
      await locking.query('BEGIN; LOCK TABLE setup IN ACCESS EXCLUSIVE MODE');
      await rest(BUSY);
      await locking.query('ROLLBACK');
    };
    const locked = lock();
    const asked = Promise.all(
      connections.map(async (connection) => {
        try {
          const { status, headers } = await get(connection, TARGET);
          return { status, retryAfter: headers.find(([name]) => name === 'retry-after')?.[1], after: performance.now() - begin };
        } catch (error) {
          fail((error as Error).message);
          return undefined;
        }
      }),
    );
    const [answers] = await Promise.all([asked, locked]);
    const all = answers.filter((answer) => answer !== undefined);
    const answered = all.filter(({ status }) => status === 200);
    const refused = all.filter(({ status }) => status === 503);
    tally.tried(ROW, REQUESTS);
    const others = all.length - answered.length - refused.length;
    if (others > 0) fail('another status than 200 and 503', others);
    const unsaid = refused.filter(({ retryAfter }) => !/^\d+$/.test(retryAfter ?? '')).length;
    if (unsaid > 0) fail('a 503 without Retry-After', unsaid);
    if (answered.length === 0) fail('no request waited in the queue');
    if (refused.length === 0) fail(`none of ${REQUESTS} requests was refused`);
    tally.slowest(ROW, Math.max(...all.map(({ after }) => after)));
    tally.note(ROW, `${answered.length} waited, ${refused.length} refused with Retry-After`);
    const again = await get(connections[0]!, TARGET);
    if (again.status !== 200) fail(`afterwards: ${again.status}`);
    for (const connection of connections) connection.close();
  } catch (error) {
    fail((error as Error).message);
  } finally {
    await locking.end();
    for (const finding of await network.stop()) fail(finding);
  }
}
