import type { Load } from './load.js';
import { compare, type Rounds } from './rounds.js';
import type { Row } from './table.js';

/** A time in a unit that suits it. */
export const micro = (microseconds: number): string =>
  microseconds < 10_000 ? `${microseconds.toFixed(0)} µs` : `${(microseconds / 1e3).toFixed(1)} ms`;

/**
 * The cost of our request as a multiple of the other. There are two ratios, and each can flatter us: that of elapsed time
 * if the generator is the slower side, that of processor time if a server waits. The larger one counts.
 */
function costOf(rounds: Rounds<Load>): { ratio: number; raw: string } {
  const passed = compare(rounds, ({ requestsPerSecond }) => 1e6 / requestsPerSecond);
  const raw = `${micro(passed.ours)} / ${micro(passed.theirs)} per request (rounds ${passed.spread})`;
  if ([...rounds.ours, ...rounds.theirs].some(({ processorTime }) => processorTime === null)) return { ratio: passed.ratio, raw };
  const processor = compare(rounds, ({ processorTime }) => processorTime!);
  return {
    ratio: Math.max(passed.ratio, processor.ratio),
    raw: `${raw}, processor ${micro(processor.ours)} / ${micro(processor.theirs)} (rounds ${processor.spread})`,
  };
}

/** The speed of the service relative to the bare server. @param least the target */
export function speedRow(name: string, rounds: Rounds<Load>, least: number): Row {
  const { ratio, raw } = costOf(rounds);
  return {
    name,
    result: `${(1 / ratio).toFixed(2)} of node:http`,
    raw,
    target: { text: `at least ${least.toFixed(2)}`, met: 1 / ratio >= least },
  };
}

/** The cost of a request as a multiple of another one. @param most the target */
export function costRow(name: string, of: string, rounds: Rounds<Load>, most: number): Row {
  const { ratio, raw } = costOf(rounds);
  return { name, result: `${ratio.toFixed(2)} × ${of}`, raw, target: { text: `at most ${most}`, met: ratio <= most } };
}

/** The 99th percentile of the response time as a multiple of that of the bare server. @param most the target */
export function p99Row(name: string, rounds: Rounds<Load>, most: number): Row {
  const { ours, theirs, ratio, spread } = compare(rounds, ({ p99 }) => p99);
  return {
    name: `${name}, p99`,
    result: `${ratio.toFixed(2)} × node:http`,
    raw: `${ours.toFixed(1)} / ${theirs.toFixed(1)} ms (rounds ${spread})`,
    target: { text: `at most ${most}`, met: ratio <= most },
  };
}
