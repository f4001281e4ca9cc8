import { connect, type Socket } from 'node:net';
import { setTimeout as rest } from 'node:timers/promises';
import { AnswerChecks } from './answers.js';
import type { Given } from './campaign.js';
import { Connection, get } from './connection.js';
import { createHostileNetwork } from './networks.js';
import { startService } from './processes.js';

const ROW = 'descriptors used up';
/** How many descriptors the service has, and how many connections are opened. */
const DESCRIPTORS = 100;
const CONNECTIONS = 150;

/** Uses up the descriptors of the service. Afterwards, everything must work as before. */
export async function useUpDescriptors({ tally, folder }: Given<string>): Promise<void> {
  const service = await startService(await createHostileNetwork(folder), [], { shell: `ulimit -n ${DESCRIPTORS}` });
  const repeat = 'npm run faults -- descriptors';
  const checks = new AnswerChecks();
  const targets = [
    '/sites',
    '/openapi.json',
    '/schemas/Setup.json',
    '/profile/setups',
    '/receivers',
    '/setups',
    '/changes',
    '/ready',
    '/style.css',
  ];
  // These are connected before the descriptors are used up.
  const early = targets.map(() => new Connection(service.port, 3000));
  for (const connection of early) await get(connection, '/health');
  const sockets: Socket[] = [];
  for (let count = 0; count < CONNECTIONS; count++) {
    sockets.push(connect({ port: service.port, host: '127.0.0.1' }).on('error', () => undefined));
  }
  await rest(500);
  let failedMeanwhile = 0;
  for (const [index, target] of targets.entries()) {
    // What needs a file may fail now.
    const answer = await get(early[index]!, target).catch(() => null);
    if (answer === null || answer.status >= 500) failedMeanwhile++;
  }
  for (const socket of sockets) socket.destroy();
  for (const connection of early) connection.close();
  await rest(500);
  const connection = new Connection(service.port);
  for (const target of targets) {
    tally.tried(ROW);
    try {
      const answer = await get(connection, target);
      for (const finding of checks.findings({ method: 'GET', target }, answer))
        tally.failed(ROW, `afterwards, ${target}: ${finding}`, repeat);
    } catch (error) {
      tally.failed(ROW, `afterwards, ${target}: ${(error as Error).message}`, repeat);
    }
  }
  connection.close();
  const end = service.end();
  if (end !== null) tally.failed(ROW, `the service died: ${end.signal ?? end.code}: ${service.output.stderr.slice(-300)}`, repeat);
  // Its log may have errors from the time without descriptors.
  await service.stop();
  tally.note(
    ROW,
    `${DESCRIPTORS} descriptors, ${CONNECTIONS} connections; ${failedMeanwhile} of ${targets.length} requests failed meanwhile`,
  );
}
