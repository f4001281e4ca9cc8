import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../project-files.js';
import { nodeCommand } from '../node-command.js';

/** The compiled main file of the service. */
export const MAIN = join(ROOT, 'dist', 'src', 'bundle', 'main.js');

/** How long a server may take to print its URL, and to end after SIGTERM, in milliseconds. */
const TIMEOUT = 300_000;

/** How a process ended. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process that runs a Node.js program. */
export interface Running {
  pid: number;
  child: ChildProcess;
  output: { stdout: string; stderr: string };
  ended: Promise<Ended>;
  /** How it ended; null while it runs. */
  end: () => Ended | null;
}

/** How a process is started. */
export interface Start {
  cwd?: string;
  env?: Record<string, string>;
  /** A command that runs it, such as {@link afterShell}. */
  before?: string[];
  /** What it reads from stdin. */
  input?: string;
  /** The user that it runs as; by default, this one. */
  user?: { uid?: number; gid?: number };
  /** Where its stderr goes. */
  log?: 'pipe' | number;
}

/** Whether a program is installed. */
export const isInstalled = (program: string): boolean =>
  spawnSync('sh', ['-c', 'command -v "$0"', program]).status === 0;

/** Runs a command of the shell first, such as `ulimit -n 200`. */
export const afterShell = (command: string): string[] => [
  '/bin/sh',
  '-c',
  `${command}; exec "$0" "$@"`,
];

const running = new Set<ChildProcess>();

/** Kills all processes that still run. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

/**
 * Creates a temporary folder. It is deleted when this process ends, and the processes that it has
 * started are killed.
 */
export function createFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `gnss-site-setups-${name}-`));
  process.once('exit', () => {
    killAll();
    // A killed process may still write a file while the folder is emptied.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(1));
  return folder;
}

/** Starts a program of Node, without the environment of this process. */
export function startNode(
  args: string[],
  { cwd = ROOT, env = {}, before = [], input = '', user = {}, log = 'pipe' }: Start = {},
): Running {
  const [program, ...rest] = [...before, ...nodeCommand(...args).flat()];
  const child = spawn(program!, rest, {
    ...user,
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', log],
  });
  running.add(child);
  // A program may end before it has read everything.
  child.stdin!.on('error', () => undefined).end(input);
  const output = { stdout: '', stderr: '' };
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk));
  let end: Ended | null = null;
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => {
      running.delete(child);
      end = { code, signal };
      resolve(end);
    });
  });
  return { pid: child.pid!, child, output, ended, end: () => end };
}

/** Starts the command line tool. */
export const startTool = (args: string[], start?: Start): Running =>
  startNode([MAIN, ...args], start);

/** Runs the command line tool to its end. It is killed after `timeout` milliseconds. */
export async function runTool(
  args: string[],
  start?: Start,
  timeout = 120_000,
): Promise<Ended & Running['output']> {
  const { child, output, ended } = startTool(args, start);
  const timer = setTimeout(() => child.kill('SIGKILL'), timeout);
  const end = await ended;
  clearTimeout(timer);
  return { ...end, ...output };
}

/** A server in its own process. */
export interface Service extends Running {
  port: number;
  /**
   * Ends it with SIGTERM. Returns what is wrong: a crash, another exit code than 0, errors in its
   * log.
   */
  stop: () => Promise<string[]>;
}

/** The entries of a log at level error and above, and lines that are no entries. */
const errorsIn = (stderr: string): string[] =>
  stderr
    .split('\n')
    .filter(
      (line) => line !== '' && (!line.startsWith('{') || /"level":"(error|fatal)"/.test(line)),
    );

/**
 * Starts a program that prints where it serves on the loopback.
 * @throws {Error} if it does not serve
 */
export async function startServer(args: string[], start?: Start): Promise<Service> {
  const started = startNode(args, start);
  const { child, output, ended, end } = started;
  const port = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`it does not serve after ${TIMEOUT} ms: ${output.stderr}`)),
      TIMEOUT,
    );
    child.stderr!.on('data', () => {
      const found = /serving .*http:\/\/127\.0\.0\.1:(\d+)/.exec(output.stderr);
      if (found === null) return;
      clearTimeout(timer);
      resolve(Number(found[1]));
    });
    void ended.then(({ code }) => {
      clearTimeout(timer);
      reject(new Error(`it ended with ${code} instead of serving: ${output.stderr}`));
    });
  });
  const stop = async (): Promise<string[]> => {
    const early = end();
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT);
    child.kill('SIGTERM');
    const { code, signal } = await ended;
    clearTimeout(timer);
    const errors = errorsIn(output.stderr);
    return [
      ...(early !== null
        ? [`the service died: ${early.signal ?? early.code}: ${output.stderr.slice(-500)}`]
        : []),
      ...(early === null && code !== 0
        ? [`the service ended with ${signal ?? code} after SIGTERM; expected 0`]
        : []),
      ...(errors.length > 0
        ? [`${errors.length} errors in the log of the service, first: ${errors[0]!.slice(0, 1000)}`]
        : []),
    ];
  };
  return { ...started, port, stop };
}

/** Starts the service on a free port. @throws {Error} if it does not serve */
export const startService = (
  database: string,
  flags: string[] = [],
  start?: Start,
): Promise<Service> =>
  startServer([MAIN, 'serve', '--database', database, '--port', '0', ...flags], start);

/** Imports logs into a database. @throws {Error} if the import fails */
export async function importLogs(database: string, ...paths: string[]): Promise<void> {
  const { code, signal, stderr } = await runTool(['import', '--database', database, ...paths]);
  if (code !== 0)
    throw new Error(`the import ended with ${signal ?? code}: ${stderr.slice(-1000)}`);
}

/** A loopback port that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** The resident memory of a process, in bytes. Needs /proc. */
export const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN) *
  1024;
