import { ask, lookupUrl } from './lookup-request.js';
import type { Server } from './processes.js';
import { compare, interleave } from './rounds.js';
import type { Servers } from './servers.js';
import { SITE_IDS } from './synthetic-logs.js';
import type { Row } from './table.js';

const ROUNDS = 9;
/** In milliseconds. */
const TARGET = 400;

/** Milliseconds from the start of the process to the first answer. */
async function toFirstAnswer(start: () => Promise<Server>): Promise<number> {
  const begin = performance.now();
  const server = await start();
  await ask(lookupUrl(server.url, SITE_IDS[0]!));
  const milliseconds = performance.now() - begin;
  await server.stop();
  return milliseconds;
}

/** How long the service takes to be of use, against the bare server. */
export async function measureStart({ startService, startBare }: Servers): Promise<Row[]> {
  const rounds = await interleave(
    ROUNDS,
    () => toFirstAnswer(startService),
    () => toFirstAnswer(startBare),
  );
  const time = compare(rounds, (milliseconds) => milliseconds);
  return [
    {
      name: 'start to first answer',
      result: `${time.ours.toFixed(0)} ms`,
      raw: `median of ${ROUNDS} rounds, ${Math.min(...rounds.ours).toFixed(0)}–${Math.max(...rounds.ours).toFixed(0)} ms`,
      target: { text: `at most ${TARGET} ms`, met: time.ours <= TARGET },
    },
    {
      name: 'start, compared',
      result: `${time.ratio.toFixed(2)} × node:http`,
      raw: `${time.ours.toFixed(0)} / ${time.theirs.toFixed(0)} ms (rounds ${time.spread})`,
    },
  ];
}
