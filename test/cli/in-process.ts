import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable, Writable } from 'node:stream';
import { type CommandLine, type Given, readCommandLine } from '../../src/cli/line/command-line.js';
import { COMMANDS } from '../../src/cli/commands.js';
import { reportFailure } from '../../src/cli/line/failures.js';

/** The module of a command. */
export interface AnyCommand {
  command: CommandLine;
  run(given: Given<CommandLine>): Promise<number>;
}

/** How a command ended. */
export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** What a command has instead of the folder, environment and stdin of this process. */
export interface Surroundings {
  cwd?: string;
  env?: Record<string, string>;
  /** What it reads from stdin. */
  input?: string;
}

/** Collects what is written to it. */
class Output extends Writable {
  private readonly chunks: Buffer[] = [];

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }
}

interface Streams {
  stdin: Readable;
  stdout: Output;
  stderr: Output;
}

/** The streams of the command that runs. tap has its own, of this process. */
const streams = new AsyncLocalStorage<Streams>();
for (const name of ['stdin', 'stdout', 'stderr'] as const) {
  const { get } = Object.getOwnPropertyDescriptor(process, name)!;
  Object.defineProperty(process, name, {
    configurable: true,
    enumerable: true,
    get: () => streams.getStore()?.[name] ?? get!.call(process),
  });
}

/** Commands run one after the other, since each may be in another folder. */
let last: Promise<unknown> = Promise.resolve();

async function inFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await work();
  } finally {
    process.chdir(before);
  }
}

/**
 * Runs a command in this process, which takes a tenth of the time of a process of its own. Its code
 * and messages are those of `main.ts`. The first test of a command starts a real one.
 */
export function runHere(
  [name, ...args]: string[],
  { cwd = process.cwd(), env = {}, input = '' }: Surroundings = {},
): Promise<Outcome> {
  const own: Streams = {
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false }),
    stdout: new Output(),
    stderr: new Output(),
  };
  const work = async (): Promise<number> => {
    try {
      const { command, run } = await COMMANDS[name!]!();
      return await run(readCommandLine(command, args, env));
    } catch (error) {
      return reportFailure(error, name);
    }
  };
  const outcome = last.then(async () => {
    const code = await inFolder(cwd, () => streams.run(own, work));
    return { code, stdout: own.stdout.text, stderr: own.stderr.text };
  });
  last = outcome.catch(() => undefined);
  return outcome;
}

/**
 * Runs a command in this process, and returns the error that it throws; undefined if there is none.
 */
export function failureOf({ command, run }: AnyCommand, args: string[]): Promise<unknown> {
  const own: Streams = { stdin: Readable.from([]), stdout: new Output(), stderr: new Output() };
  return streams.run(own, async () => {
    try {
      await run(readCommandLine(command, args, {}));
      return undefined;
    } catch (error) {
      return error;
    }
  });
}
