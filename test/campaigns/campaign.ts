import { parseArgs } from 'node:util';
import { createFolder } from './processes.js';
import { type Random, randomOf } from './random.js';

/** How many failures of a row are printed. */
const PRINTED = 20;

/** How long to go on: until a number of cases, or a number of seconds. */
export interface Budget {
  cases?: number;
  seconds?: number;
  /** How many cases run at once. Default: 1. */
  workers?: number;
}

/**
 * Tries numbered cases, counts what was tried and what failed, and prints each failure with the
 * command that repeats it.
 */
export class Campaign {
  private readonly rows = new Map<string, { tried: number; failed: number; notes: string[] }>();

  /**
   * @param folder for files; the caller deletes it
   * @param only the only case to run
   */
  constructor(
    readonly name: string,
    readonly seed: number,
    readonly folder: string,
    readonly only: number | null = null,
  ) {}

  private row(name: string) {
    if (!this.rows.has(name)) this.rows.set(name, { tried: 0, failed: 0, notes: [] });
    return this.rows.get(name)!;
  }

  /** Counts a case that is tried. */
  tried(row: string): void {
    this.row(row).tried++;
  }

  /** Counts and prints a failure of a part, in the row of the same name. */
  failed(part: string, what: string, number = 0): void {
    const row = this.row(part);
    row.failed++;
    if (row.failed > PRINTED) return;
    const repeat = `npm run ${this.name} -- --seed ${this.seed} --only ${part}:${number}`;
    process.stdout.write(`FAILED ${part}: ${what}\n  repeat: ${repeat}\n`);
  }

  /** Adds a figure that is printed behind a row. */
  note(row: string, text: string): void {
    this.row(row).notes.push(text);
  }

  /**
   * Runs numbered cases of a part until the budget is used up, or the only one that was asked for.
   * All choices of a case follow from the seed and its number, so that any case can be repeated
   * alone.
   * @param one runs a case and returns what is wrong; what it throws is wrong too
   */
  async cases(
    part: string,
    { cases = Infinity, seconds = Infinity, workers = 1 }: Budget,
    one: (random: Random, number: number, worker: number) => Promise<string[]>,
  ): Promise<void> {
    const run = async (number: number, worker: number): Promise<void> => {
      this.tried(part);
      const findings = await one(randomOf(this.seed, part, number), number, worker).catch(
        (error: unknown) => [(error as Error).stack!],
      );
      for (const finding of findings) this.failed(part, finding, number);
    };
    if (this.only !== null) return run(this.only, 0);
    const end = performance.now() + seconds * 1000;
    let next = 0;
    const work = async (worker: number): Promise<void> => {
      while (next < cases && performance.now() < end) await run(next++, worker);
    };
    await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  }

  /** Whether nothing failed, and something was tried. */
  get passed(): boolean {
    return (
      this.rows.size > 0 &&
      [...this.rows.values()].every(({ tried, failed }) => tried > 0 && failed === 0)
    );
  }

  /** All rows as aligned columns. */
  table(): string {
    const lines = [...this.rows].map(([name, { tried, failed, notes }]) => [
      name,
      `${tried}`,
      `${failed}`,
      notes.join('; '),
    ]);
    const rows = [['', 'tried', 'failed', ''], ...lines] as [string, string, string, string][];
    return rows
      .map(
        ([name, tried, failed, notes]) =>
          `${name.padEnd(24)}${tried.padStart(8)}${failed.padStart(8)}  ${notes}`,
      )
      .join('\n');
  }
}

/** The parts of a campaign, and its options, which are whole numbers, with their default values. */
interface Plan<O extends string> {
  name: string;
  about: string;
  options: Record<O, number>;
  parts: Record<string, (campaign: Campaign, options: Record<O, number>) => Promise<void>>;
}

/**
 * Runs a campaign with the command line of this process, prints its table, and sets the exit code:
 * 1 if anything failed.
 */
export async function runCampaign<O extends string>({
  name,
  about,
  options,
  parts,
}: Plan<O>): Promise<void> {
  const flags = Object.keys({ ...options, seed: 0, only: '' }).map((flag) => [
    flag,
    { type: 'string' as const },
  ]);
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...(Object.fromEntries(flags) as Record<string, { type: 'string' }>),
      help: { type: 'boolean' as const },
    },
  });
  const given = values as Record<string, string | undefined>;
  if (values.help === true) {
    const defaults = Object.entries(options).map(([flag, value]) => `[--${flag} ${String(value)}]`);
    const list = Object.keys(parts).join(', ');
    process.stdout.write(
      `npm run ${name} -- [PART...] ${defaults.join(' ')} [--seed N] [--only PART:N]\n\n${about}\nParts: ${list}\n`,
    );
    return;
  }
  const numbers = Object.fromEntries(
    Object.entries<number>(options).map(([flag, value]) => [flag, Number(given[flag] ?? value)]),
  );
  const seed = Number(given.seed ?? Math.floor(Math.random() * 1e9));
  const [only, number] = given.only?.split(':') ?? [];
  const chosen = only === undefined ? positionals : [only];
  const strange = chosen.find((part) => !Object.hasOwn(parts, part));
  if (
    strange !== undefined ||
    [...Object.values(numbers), seed, Number(number ?? 0)].some((value) => !(value >= 0))
  )
    throw new Error(`not understood; see npm run ${name} -- --help`);
  const folder = createFolder(name);
  process.stdout.write(`${name}: seed ${seed}, Node ${process.version}\n`);
  const campaign = new Campaign(name, seed, folder, number === undefined ? null : Number(number));
  for (const part of chosen.length > 0 ? chosen : Object.keys(parts))
    await parts[part]!(campaign, numbers as Record<O, number>);
  process.stdout.write(
    `\n${campaign.table()}\n${campaign.passed ? 'passed' : 'FAILED'}: ${name} with seed ${seed}\n`,
  );
  process.exitCode = campaign.passed ? 0 : 1;
}
