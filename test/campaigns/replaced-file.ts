import { copyFileSync, mkdirSync, renameSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { AnswerChecks } from './answers.js';
import type { Given } from './campaign.js';
import { Connection, get } from './connection.js';
import { startService } from './processes.js';
import { randomOf } from './random.js';
import { SyntheticImports } from './synthetic-imports.js';

/** Ways to put another file in place of the database. */
const WAYS: Record<string, (backup: string, database: string) => void> = {
  'cp over it': copyFileSync,
  'mv over it': (backup, database) => {
    copyFileSync(backup, `${database}.new`);
    renameSync(`${database}.new`, database);
  },
  'cut off and written again': (backup, database) => {
    truncateSync(database, 0);
    copyFileSync(backup, database);
  },
};
/** How long the service is asked after the replacement, in milliseconds. */
const ASKED = 500;
const CLIENTS = 4;
/** How long to wait whether a lost connection is the end of the service, in milliseconds. */
const DEATH = 2000;

/** The states that are allowed: as before, as the new file has it, or that the database cannot be read. */
const ALLOWED = [200, 404, 503];

/** Replaces the database while the service is asked. It must live, answer with the states above, and `/ready` must agree with the answers. */
export async function replaceFile(given: Given<string>, rounds: number): Promise<void> {
  const { tally, seed, repeat, only } = given;
  const imports = await SyntheticImports.create(join(given.folder, 'replaced'));
  const checks = new AnswerChecks();
  const one = async (round: number): Promise<void> => {
    const random = randomOf(seed, 'replaced', round);
    const way = Object.keys(WAYS)[round % Object.keys(WAYS).length]!;
    const row = `database replaced: ${way}`;
    const fail = (what: string): void => tally.failed(row, what, repeat('replaced', round));
    const folder = join(given.folder, `replaced-${round}`);
    mkdirSync(folder);
    const database = join(folder, 'serving.sqlite');
    const backup = join(folder, 'backup.sqlite');
    copyFileSync(imports.old, database);
    copyFileSync(imports.old, backup);
    const service = await startService(database);
    tally.tried(row);
    let running = true;
    const clients = Array.from({ length: CLIENTS }, async () => {
      const connection = new Connection(service.port);
      while (running && service.end() === null) {
        const id = `K${String(random.below(40)).padStart(3, '0')}`;
        const target = random.pick([
          `/setups/search/findCurrentByFourCharacterId?id=${id}`,
          '/setups?size=100',
          '/gnssReceivers?type=R1',
          '/ready',
          `/sites/${id}`,
        ]);
        try {
          const answer = await get(connection, target);
          if (!ALLOWED.includes(answer.status)) fail(`${target}: ${answer.status}: ${answer.body.toString().slice(0, 200)}`);
          else
            for (const finding of checks.findings({ method: 'GET', target }, answer).filter((each) => !each.startsWith('status 503')))
              fail(`${target}: ${finding}`);
        } catch (error) {
          // The end of a process is known a little later than that of its connections.
          await Promise.race([service.ended, rest(DEATH)]);
          if (service.end() === null) fail(`${target}: ${(error as Error).message}`);
        }
      }
      connection.close();
    });
    await rest(random.below(100));
    WAYS[way]!(backup, database);
    await rest(ASKED);
    running = false;
    await Promise.all(clients);
    const end = service.end();
    if (end !== null) return fail(`the service died: ${end.signal ?? end.code}: ${service.output.stderr.slice(-300)}`);
    const connection = new Connection(service.port);
    const ready = await get(connection, '/ready');
    const lookup = await get(connection, '/setups/search/findCurrentByFourCharacterId?id=K001');
    connection.close();
    if (ready.status === 200 && lookup.status !== 200) fail(`/ready is 200, but a lookup is ${lookup.status}`);
    await service.stop();
  };
  if (only !== null) return one(only.number);
  for (let round = 0; round < rounds; round++) await one(round);
}
