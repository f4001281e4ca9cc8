import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cost } from './path-load.js';
import { runToEnd, type Server } from './processes.js';
import { compare, type Rounds } from './rounds.js';
import type { Row } from './table.js';

/** What the server needs to answer each of the paths once. */
export async function costOf(folder: string, server: Server, paths: string[], connections: number): Promise<Cost> {
  const file = join(folder, 'paths.json');
  writeFileSync(file, JSON.stringify(paths));
  return runToEnd<Cost>('path-load', server.url, String(server.pid), file, String(connections));
}

const micro = (microseconds: number): string =>
  microseconds < 10_000 ? `${microseconds.toFixed(0)} µs` : `${(microseconds / 1e3).toFixed(1)} ms`;

/**
 * How two costs compare, as a line of the result. Of two ratios, each of which can flatter: of processor time where
 * the server waits for the disk, of time where the generator is the slower end; the larger one counts.
 * @param most the most it should be; left out where there is no target
 */
export function costRow(name: string, of: string, rounds: Rounds<Cost>, most?: number): Row {
  const time = compare(rounds, (cost) => cost.time);
  const onProcessor = [...rounds.ours, ...rounds.theirs].every(({ processorTime }) => processorTime !== null)
    ? compare(rounds, (cost) => cost.processorTime!)
    : null;
  const ratio = Math.max(time.ratio, onProcessor?.ratio ?? 0);
  const told = [
    ...(onProcessor === null ? [] : [{ what: 'processor', ...onProcessor }]),
    { what: onProcessor === null ? 'time' : 'passed', ...time },
  ].map(({ what, ours, theirs, spread }) => `${what} ${micro(ours)} / ${micro(theirs)} (rounds ${spread})`);
  return {
    name,
    result: `${ratio.toFixed(2)} × ${of}`,
    raw: told.join(', '),
    ...(most !== undefined && { target: { text: `at most ${most}`, met: ratio <= most } }),
  };
}
