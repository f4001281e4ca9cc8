import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type RequestOptions } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { type CommandLine, type Given, readCommandLine } from '../../src/cli/command-line.js';
import type { SettingName } from '../../src/cli/settings.js';
import { createDatabase, ROOT, SAMPLE } from '../helper.js';
import { nodeCommand } from '../node-command.js';

export const MAIN = join(ROOT, 'dist', 'src', 'bundle', 'main.js');

/** A folder whose path leaves room for Unix sockets. */
export function shortFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'serve-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A running `serve`. */
export interface Serving {
  child: ChildProcess;
  base: string;
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
  command: CommandLine<SettingName, string>;
  run: (given: Given<SettingName, string>) => Promise<number>;
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
}

/** Starts `serve` in a folder, over the sample network. Resolves when it has printed its address, or has ended. */
export async function serve(
  t: Test,
  folder: string,
  args: string[],
  env: Record<string, string> = {},
  before: string[] = [],
  { log = 'pipe', nodeFlags = [] }: Start = {},
): Promise<Serving> {
  const database = join(folder, 'a.sqlite');
  if (!args.includes('--database')) await createDatabase(database, [SAMPLE]);
  const [program, ...rest] = [...before, ...nodeCommand(...nodeFlags, MAIN, 'serve', '--database', database, ...args).flat()];
  const child = spawn(program!, rest, { env: { PATH: process.env.PATH ?? '', ...env }, stdio: ['ignore', 'pipe', log], cwd: folder });
  t.teardown(() => child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const greeted = new Promise<void>((resolve) => {
    child.stdout!.on('data', (chunk) => {
      stdout += chunk;
      if (/gnssReceivers\?type=.*\n/.test(stdout)) resolve();
    });
  });
  await Promise.race([greeted, ended]);
  const logged = (message: RegExp): Record<string, unknown>[] =>
    stderr
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => message.test(String(msg)));
  return { child, base: /at (\S+)/.exec(stdout)?.[1] ?? '', database, stdout: () => stdout, stderr: () => stderr, logged, ended };
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
