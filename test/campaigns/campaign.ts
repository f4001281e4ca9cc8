import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killAll } from './processes.js';
import { Tally } from './tally.js';

/** An option with a number. */
export interface NumberOption {
  argument: string;
  about: string;
}

interface Campaign<O extends string> {
  /** The name of the npm script. */
  name: string;
  about: string;
  options: Record<O, NumberOption>;
  /** Parts that can be run alone, by name; none if it has only one. */
  parts: Record<string, string>;
}

/** What a campaign was started with. */
export interface Given<O extends string> {
  options: Partial<Record<O, number>>;
  seed: number;
  /** The parts to run. */
  parts: string[];
  /** The only case to run. */
  only: { part: string; number: number } | null;
  /** A folder that is deleted in the end. */
  folder: string;
  tally: Tally;
  /** The command that repeats one case. */
  repeat: (part: string, number: number) => string;
}

const OWN = {
  seed: { argument: 'N', about: 'The seed of all random choices; printed in each run. Default: another one each time.' },
} satisfies Record<string, NumberOption>;

function helpOf<O extends string>({ name, about, options, parts }: Campaign<O>): string {
  const rows = [
    ...Object.entries<string>(parts).map(([part, what]) => [part, what]),
    ...Object.entries<NumberOption>({ ...options, ...OWN }).map(([flag, option]) => [`--${flag} ${option.argument}`, option.about]),
    ['--only PART:N', 'Repeat one case, as printed with a failure. Give the same seed.'],
    ['--strict', 'Count known defects as failures.'],
    ['--help', 'Show this help.'],
  ];
  const partsUsage = Object.keys(parts).length === 0 ? '' : '[PART...] ';
  return `Usage: npm run ${name} -- ${partsUsage}[OPTION...]\n\n${about}\n\n${rows.map(([flag, what]) => `  ${flag!.padEnd(16)}${what}\n`).join('')}`;
}

/** A whole number of a flag. @throws {Error} if it is none */
function numberOf(flag: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${flag} "${text}": expected a whole number`);
  return Number(text);
}

function read<O extends string>({ options, parts }: Campaign<O>) {
  const flags = Object.fromEntries(Object.keys({ ...options, ...OWN, only: 0 }).map((flag) => [flag, { type: 'string' as const }]));
  const parsed = parseArgs({
    allowPositionals: true,
    options: { ...flags, strict: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  const { positionals } = parsed;
  const values: Record<string, unknown> = parsed.values;
  const strange = positionals.find((part) => !Object.hasOwn(parts, part));
  if (strange !== undefined) throw new Error(`"${strange}" is not a part; expected one of ${Object.keys(parts).join(', ')}`);
  const numbers = Object.entries(values).filter(([flag, value]) => flag !== 'only' && typeof value === 'string');
  const only = /^([\w-]+):(\d{1,9})$/.exec(String(values.only ?? ''));
  if (values.only !== undefined && only === null) throw new Error('--only: expected PART:NUMBER, as printed with a failure');
  return {
    help: values.help === true,
    strict: values.strict === true,
    options: Object.fromEntries(numbers.map(([flag, value]) => [flag, numberOf(flag, String(value))])) as Partial<
      Record<O | 'seed', number>
    >,
    parts: positionals.length > 0 ? positionals : Object.keys(parts),
    only: only === null ? null : { part: only[1]!, number: Number(only[2]) },
  };
}

async function start<O extends string>(campaign: Campaign<O>, run: (given: Given<O>) => Promise<void>): Promise<number> {
  let given: ReturnType<typeof read<O>>;
  try {
    given = read(campaign);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nSee npm run ${campaign.name} -- --help\n`);
    return 2;
  }
  if (given.help) {
    process.stdout.write(helpOf(campaign));
    return 0;
  }
  const { options, parts, only, strict } = given;
  const seed = options.seed ?? Math.floor(Math.random() * 1e9);
  process.stdout.write(`${campaign.name}: seed ${seed}, Node ${process.version}\n`);
  const folder = mkdtempSync(join(tmpdir(), `gnss-site-setups-${campaign.name}-`));
  process.once('exit', () => {
    killAll();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  const tally = new Tally(strict);
  const repeat = (part: string, number: number): string => `npm run ${campaign.name} -- --seed ${seed} --only ${part}:${number}`;
  await run({ options, seed, parts, only, folder, tally, repeat });
  process.stdout.write(`\n${tally.table()}\n${tally.passed ? 'passed' : 'FAILED'}: ${campaign.name} with seed ${seed}\n`);
  return tally.passed ? 0 : 1;
}

/** Runs a campaign with the command line of this process, prints its table, and sets the exit code: 1 if anything failed. */
export async function runCampaign<O extends string>(campaign: Campaign<O>, run: (given: Given<O>) => Promise<void>): Promise<void> {
  try {
    process.exitCode = await start(campaign, run);
  } catch (error) {
    process.stderr.write(`${(error as Error).stack}\n`);
    process.exit(1);
  }
}
