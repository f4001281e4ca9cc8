import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type RequestOptions } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { type CommandLine, type Given, readCommandLine } from '../../src/cli/command-line.js';
import { createDatabase, ROOT, SAMPLE } from '../helper.js';
import { nodeCommand } from '../node-command.js';

export const MAIN = join(ROOT, 'dist', 'src', 'bundle', 'main.js');

/** A folder whose path leaves room for Unix sockets. */
export function shortFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'serve-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** A running `serve`. */
export interface Serving {
  child: ChildProcess;
  /** The first URL or path where it listens; empty if it has ended. */
  base: string;
  /** All of them, as it logs them. */
  places: string;
  database: string;
  stdout: () => string;
  stderr: () => string;
  /** The lines of the log with a message. */
  logged: (message: RegExp) => Record<string, unknown>[];
  /** The exit code; null if a signal ended it. */
  ended: Promise<number | null>;
}

/** How a command ended. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command in a folder to its end. @param input what it reads from stdin */
export const run = (args: string[], cwd: string = ROOT, env: Record<string, string> = {}, input = ''): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { cwd, env: { PATH: process.env.PATH ?? '', ...env } };
    const { stdin } = execFile(...nodeCommand(MAIN, ...args), options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
    // A command may end before it has read everything.
    stdin!.on('error', () => undefined).end(input);
  });

/** The module of a command. */
export interface AnyCommand {
  command: CommandLine;
  run(given: Given<CommandLine>): Promise<number>;
}

/**
 * Runs a command in this process, which takes less time than another one, and expects an error of one line. Tests in
 * `command.test.ts` start processes to check which exit code each class of error gets.
 */
export async function fails(t: Test, { command, run }: AnyCommand, args: string[], name: string, message: RegExp): Promise<void> {
  const title = `${command.usage}: ${args.join(' ')}`;
  try {
    await run(readCommandLine(command, args, {}));
    t.fail(title);
  } catch (error) {
    t.match(error, { name, message }, title);
    t.notMatch((error as Error).message, '\n', title);
  }
}

/** How `serve` is started. */
interface Start {
  /** Where its stderr goes. */
  log?: 'pipe' | number;
  nodeFlags?: string[];
  /** Its port, if it logs nothing that says where it listens. */
  port?: number | null;
}

/** Starts `serve` in a folder, over the sample network. Resolves when it listens, or has ended. */
export async function serve(
  t: Test,
  folder: string,
  args: string[],
  env: Record<string, string> = {},
  before: string[] = [],
  { log = 'pipe', nodeFlags = [], port = null }: Start = {},
): Promise<Serving> {
  const database = join(folder, 'a.sqlite');
  if (!args.includes('--database')) await createDatabase(database, [SAMPLE]);
  const [program, ...rest] = [...before, ...nodeCommand(...nodeFlags, MAIN, 'serve', '--database', database, ...args).flat()];
  const child = spawn(program!, rest, { env: { PATH: process.env.PATH ?? '', ...env }, stdio: ['ignore', 'pipe', log], cwd: folder });
  t.teardown(() => child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  child.stdout!.on('data', (chunk) => (stdout += chunk));
  const state = { hasEnded: false };
  void ended.then(() => (state.hasEnded = true));
  /** Where it listens: as it logs that, or, without a log, at the known port. Empty if it has ended. */
  const findPlaces = async (): Promise<string> => {
    const url = `http://127.0.0.1:${port}`;
    for (; !state.hasEnded; await sleep(20)) {
      const logged = /serving \d+ Sites? at ([^"\n]+)/.exec(stderr)?.[1];
      if (logged !== undefined) return logged;
      const answers = (): Promise<boolean> =>
        ask(`${url}/health`).then(
          () => true,
          () => false,
        );
      if (port !== null && (await answers())) return url;
    }
    return '';
  };
  const places = await findPlaces();
  const logged = (message: RegExp): Record<string, unknown>[] =>
    stderr
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => message.test(String(msg)));
  return { child, base: places.split(' ')[0]!, places, database, stdout: () => stdout, stderr: () => stderr, logged, ended };
}

export async function until(what: string, condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 20) {
    if (waited > 100_000) throw new Error(`never: ${what}`);
    await sleep(20);
  }
}

/** The status and body of a GET. */
export const ask = (url: string, options: RequestOptions = {}): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    get(url, options, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, body })).on('error', reject);
    }).on('error', reject);
  });
