import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** How long a server may take to say where it listens, and to end after SIGTERM, in milliseconds. */
const SERVER_TIMEOUT = 20_000;

/** The compiled main file of the service. */
export const SERVICE = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

/** A compiled file of the benchmark, to be run in a process of its own. */
export const benchFile = (name: string): string => fileURLToPath(new URL(`./${name}.js`, import.meta.url));

const running = new Set<ChildProcess>();

/** Ends what still runs, at once. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

interface Started {
  child: ChildProcessByStdio<null, Readable, Readable>;
  /** All that it has written so far. */
  output: { stdout: string; stderr: string };
  /** Its exit code once its output is read to the end; null: a signal ended it. */
  ended: Promise<number | null>;
}

/**
 * Starts Node with `args`, without a shell.
 * The environment is empty: settings in the user's, or NODE_OPTIONS, would change what is measured.
 */
function start(args: string[]): Started {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: {} });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk));
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return { child, output, ended };
}

const failure = (args: string[], what: string, { stderr }: { stderr: string }): Error =>
  new Error(`node ${args.join(' ')}: ${what}\n${stderr.trimEnd()}`);

/** Runs a file of the benchmark to its end. @returns what it printed, which is JSON */
export async function runToEnd<T>(name: string, ...args: string[]): Promise<T> {
  const command = [benchFile(name), ...args];
  const { output, ended } = start(command);
  const code = await ended;
  if (code !== 0) throw failure(command, `ended with ${code}`, output);
  return JSON.parse(output.stdout) as T;
}

/** A server in a process of its own. */
export interface Server {
  /** `http://127.0.0.1:PORT` */
  url: string;
  pid: number;
  /** Ends it in the orderly way. @throws where it does not end, or not with 0 */
  stop: () => Promise<void>;
}

/** Starts Node with `args`, and waits until it prints `… at http://…`. @throws where it does not */
export async function startServer(...args: string[]): Promise<Server> {
  const { child, output, ended } = start(args);
  const url = await new Promise<string>((resolve, reject) => {
    const look = (): void => {
      const found = / at (http:\/\/\S+)\n/.exec(output.stdout);
      if (found !== null) resolve(found[1]!);
    };
    child.stdout.on('data', look);
    ended.then((code) => reject(failure(args, `ended with ${code} instead of serving`, output)), reject);
    setTimeout(() => reject(failure(args, `does not serve after ${SERVER_TIMEOUT} ms`, output)), SERVER_TIMEOUT).unref();
  });
  const stop = async (): Promise<void> => {
    const timer = setTimeout(() => child.kill('SIGKILL'), SERVER_TIMEOUT);
    child.kill('SIGTERM');
    const code = await ended;
    clearTimeout(timer);
    if (code !== 0) throw failure(args, `ended with ${code} after SIGTERM; expected 0`, output);
  };
  return { url, pid: child.pid!, stop };
}
