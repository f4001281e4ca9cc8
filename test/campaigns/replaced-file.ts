import { copyFileSync, mkdirSync, renameSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { AnswerChecks } from './answers.js';
import type { Campaign } from './campaign.js';
import { Client } from './client.js';
import { startService } from './processes.js';
import { SyntheticImports } from './synthetic-imports.js';

/** Ways to put another file in place of the database. */
const WAYS: ((backup: string, database: string) => void)[] = [
  copyFileSync,
  (backup, database) => {
    copyFileSync(backup, `${database}.new`);
    renameSync(`${database}.new`, database);
  },
  (backup, database) => {
    truncateSync(database, 0);
    copyFileSync(backup, database);
  },
];
/** How long the service is asked after the replacement, in milliseconds. */
const ASKED = 500;
const CLIENTS = 4;
/** The states that are allowed: as before, as the new file has it, or that the database cannot be read. */
const ALLOWED = [200, 404, 503];

/** Replaces the database while the service is asked. It must live, answer with the states above, and `/ready` must agree with the answers. */
export async function replaceFile(campaign: Campaign, rounds: number): Promise<void> {
  const imports = await SyntheticImports.create(join(campaign.folder, 'replaced'));
  const checks = new AnswerChecks();
  const lookup = '/setups/search/findCurrentByFourCharacterId?id=K001';
  const targets = [lookup, '/setups?size=100', '/gnssReceivers?type=R1', '/ready', '/sites/K002'];
  await campaign.cases('replaced', { cases: rounds }, async (random, round) => {
    const folder = join(campaign.folder, `replaced-${round}`);
    mkdirSync(folder);
    const [database, backup] = ['serving', 'backup'].map((name) => join(folder, `${name}.sqlite`)) as [string, string];
    for (const file of [database, backup]) copyFileSync(imports.old, file);
    const service = await startService(database);
    const findings: string[] = [];
    const ask = async (client: Client, target: string): Promise<void> => {
      const answer = await client.get(target);
      const isAllowed = ALLOWED.includes(answer.status);
      const wrong = checks.findings('GET', target, answer).filter((each) => !isAllowed || !each.startsWith('status 503'));
      findings.push(...wrong.map((each) => `${target}: ${each}`));
    };
    let running = true;
    const clients = Array.from({ length: CLIENTS }, async () => {
      const client = new Client(service.port);
      while (running) await ask(client, random.pick(targets));
      client.close();
    });
    const asked = Promise.all(clients);
    await Promise.race([rest(random.below(100)), asked]);
    WAYS[round % WAYS.length]!(backup, database);
    await Promise.race([rest(ASKED), asked]);
    running = false;
    await asked;
    const client = new Client(service.port);
    const states = [(await client.get('/ready')).status, (await client.get(lookup)).status];
    client.close();
    if (states[0] === 200 && states[1] !== 200) findings.push(`/ready is 200, but a lookup is ${states[1]}`);
    // The log has errors of the time without a database.
    return [...findings, ...(await service.stop()).filter((finding) => !finding.includes('in the log'))];
  });
}
