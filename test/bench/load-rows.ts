import type { Load } from './load.js';
import { compare, type Rounds } from './rounds.js';
import type { Row } from './table.js';

const micro = (microseconds: number): string =>
  microseconds < 10_000 ? `${microseconds.toFixed(0)} µs` : `${(microseconds / 1e3).toFixed(1)} ms`;

/**
 * How many times as much a request costs of ours. Of two ratios, each of which can flatter: of the time that passed,
 * where the generator is the slower end; of processor time, where a server waits. The larger one counts.
 */
function costOf(rounds: Rounds<Load>): { ratio: number; raw: string } {
  const passed = compare(rounds, ({ requestsPerSecond }) => 1e6 / requestsPerSecond);
  const raw = `${micro(passed.ours)} / ${micro(passed.theirs)} a request (rounds ${passed.spread})`;
  if ([...rounds.ours, ...rounds.theirs].some(({ processorTime }) => processorTime === null)) return { ratio: passed.ratio, raw };
  const processor = compare(rounds, ({ processorTime }) => processorTime!);
  return {
    ratio: Math.max(passed.ratio, processor.ratio),
    raw: `${raw}, processor ${micro(processor.ours)} / ${micro(processor.theirs)} (rounds ${processor.spread})`,
  };
}

/** The speed of the service as a part of that of the bare server. @param least the least that it should be */
export function speedRow(name: string, rounds: Rounds<Load>, least: number): Row {
  const { ratio, raw } = costOf(rounds);
  return {
    name,
    result: `${(1 / ratio).toFixed(2)} of node:http`,
    raw,
    target: { text: `at least ${least.toFixed(2)}`, met: 1 / ratio >= least },
  };
}

/** What a request costs, as a multiple of what another one does. @param most the most that it should be */
export function costRow(name: string, of: string, rounds: Rounds<Load>, most: number): Row {
  const { ratio, raw } = costOf(rounds);
  return { name, result: `${ratio.toFixed(2)} × ${of}`, raw, target: { text: `at most ${most}`, met: ratio <= most } };
}

/** The time within which 99 of 100 answers come, against the bare server. @param most the most that it should be */
export function p99Row(name: string, rounds: Rounds<Load>, most: number): Row {
  const { ours, theirs, ratio, spread } = compare(rounds, ({ p99 }) => p99);
  return {
    name: `${name}, p99`,
    result: `${ratio.toFixed(2)} × node:http`,
    raw: `${ours.toFixed(1)} / ${theirs.toFixed(1)} ms (rounds ${spread})`,
    target: { text: `at most ${most}`, met: ratio <= most },
  };
}
