import { AnswerChecks } from './answers.js';
import type { Given } from './campaign.js';
import { runCases } from './cases.js';
import { Connection } from './connection.js';
import { createHostileNetwork } from './networks.js';
import { startService } from './processes.js';
import { peakMemoryOf } from './process-memory.js';
import { randomOf } from './random.js';
import { requestBytes } from './requests.js';
import { readKnownValues } from './request-fuzz.js';

const ROW = 'different URLs with a small heap';
const HEAP_MEGABYTES = 64;
const WORKERS = 8;

/** Sends many different URLs, with many different hosts, to a service with a small heap. */
export async function fillHeap(given: Given<string>, urls: number): Promise<void> {
  const { tally, seed, repeat } = given;
  const service = await startService(await createHostileNetwork(given.folder), [], {
    nodeFlags: [`--max-old-space-size=${HEAP_MEGABYTES}`],
  });
  const checks = new AnswerChecks();
  const known = await readKnownValues(service, checks);
  const ids = known.of('fourCharacterId');
  const connections = Array.from({ length: WORKERS }, () => new Connection(service.port));
  await runCases(given, { cases: urls, seconds: Infinity }, WORKERS, async (number, worker) => {
    const random = randomOf(seed, 'heap', number);
    const target = random.pick([
      () => `/clocks?type=z${number}`,
      () => `/gnssReceivers?type=x&type=${number}`,
      () => `/setups/search/findCurrentByFourCharacterId?id=${random.pick(ids)}&asOf=2100-01-01T00:00:00.${number}Z`,
      () => `/setups/search/findCurrentByFourCharacterId?id=${random.pick(ids)}`,
      () => `/sites?q=${number}`,
      () => `/nothing/${number}`,
    ])();
    tally.tried(ROW);
    try {
      const answer = await connections[worker]!.ask(requestBytes('GET', target, [['Host', `host-${number}.example`]]));
      if (answer.status >= 500) tally.failed(ROW, `${target}: ${answer.status}`, repeat('heap', number));
    } catch (error) {
      const end = service.end();
      tally.failed(ROW, `${target}: ${(error as Error).message}`, repeat('heap', number));
      if (end !== null)
        throw new Error(`the service died after ${number} URLs: ${end.signal ?? end.code}: ${service.output.stderr.slice(-500)}`, {
          cause: error,
        });
    }
  });
  for (const connection of connections) connection.close();
  tally.note(ROW, `heap of ${HEAP_MEGABYTES} MB, peak resident memory ${(peakMemoryOf(service.pid) / 1e6).toFixed(0)} MB`);
  for (const problem of await service.stop()) tally.failed(ROW, problem, repeat('heap', 0));
}
