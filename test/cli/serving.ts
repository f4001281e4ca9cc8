import { execFileSync, spawn } from 'node:child_process';
import { request as send, type RequestOptions } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { isInstalled, MAIN, type Running, type Start, startNode } from '../campaigns/processes.js';
import { createDatabase } from '../databases.js';
import { ROOT, SAMPLE } from '../project-files.js';
import { type AnyCommand, failureOf, type Outcome, runHere } from './in-process.js';

export type { AnyCommand } from './in-process.js';

/** A folder whose path leaves room for Unix sockets. */
export function shortFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'serve-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a certificate and its key. */
export function createCertificate(certificate: string, key: string, name = 'localhost'): void {
  const args = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${name} -keyout ${key} -out ${certificate}`;
  execFileSync('openssl', args.split(' '), { stdio: 'ignore' });
}

/**
 * Options of a test that needs systemd. A function, because tap writes into the options of tests
 * that run at once.
 */
export const withSystemd = () => ({
  skip: !isInstalled('systemd-notify') && 'no systemd on this machine',
});

/** A socket that stands for systemd. */
interface Notifications {
  /** What NOTIFY_SOCKET names. */
  path: string;
  /** All notifications so far, one a line. */
  heard: () => string;
  /** How many of them were signs of life. */
  signs: () => number;
}

/**
 * Listens for notifications as systemd does.
 * @param folder whose path leaves room for a Unix socket
 */
export async function receiveNotifications(t: Test, folder: string): Promise<Notifications> {
  const path = join(folder, 'notify.sock');
  const script = [
    'import socket',
    's = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)',
    `s.bind(${JSON.stringify(path)})`,
    "print('bound', flush=True)",
    'while True: print(s.recv(1000).decode(), flush=True)',
  ];
  const receiver = spawn('python3', ['-c', script.join('\n')]);
  t.teardown(() => receiver.kill());
  let text = '';
  receiver.stdout.on('data', (chunk) => (text += chunk));
  await until('the receiver', () => text.includes('bound'));
  return { path, heard: () => text, signs: () => text.split('WATCHDOG=1').length - 1 };
}

/** A running `serve`. */
export interface Serving extends Running {
  /** The first URL or path where it listens; empty if it has ended. */
  base: string;
  /** All of them, as it logs them. */
  places: string;
  database: string;
  /** The lines of the log with a message. */
  logged: (message: RegExp) => Record<string, unknown>[];
}

/** How a command ended. */
export type Ended = Outcome;

/**
 * Runs a command in a folder to its end, in this process.
 * @param input what it reads from stdin
 */
export const run = (
  args: string[],
  cwd = ROOT,
  env: Record<string, string> = {},
  input = '',
): Promise<Ended> => runHere(args, { cwd, env, input });

/** Runs a command in this process, and expects an error of one line. */
export async function fails(
  t: Test,
  command: AnyCommand,
  args: string[],
  name: string,
  message: RegExp,
): Promise<void> {
  const title = `${command.command.usage}: ${args.join(' ')}`;
  const error = await failureOf(command, args);
  t.match(error, { name, message }, title);
  t.notMatch((error as Error | undefined)?.message, '\n', title);
}

/** How `serve` is started. */
interface ServeOptions extends Omit<Start, 'cwd'> {
  nodeFlags?: string[];
  /** Its port, if it logs nothing that says where it listens. */
  port?: number;
}

/** Starts `serve` in a folder, over the sample network. Resolves when it listens, or has ended. */
export async function serve(
  t: Test,
  folder: string,
  args: string[],
  { nodeFlags = [], port, ...start }: ServeOptions = {},
): Promise<Serving> {
  const database = join(folder, 'a.sqlite');
  const isNamed = args.includes('--database');
  if (!isNamed) await createDatabase(database, [SAMPLE]);
  const ofDatabase = isNamed ? [] : ['--database', database];
  const running = startNode([...nodeFlags, MAIN, 'serve', ...ofDatabase, ...args], {
    cwd: folder,
    ...start,
  });
  const { output } = running;
  t.teardown(() => running.child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  const answers = (): Promise<boolean> =>
    ask(`${url}/health`).then(
      () => true,
      () => false,
    );
  let places = '';
  while (places === '' && running.end() === null) {
    places = /serving \d+ Sites? at ([^"\n]+)/.exec(output.stderr)?.[1] ?? '';
    if (port !== undefined && (await answers())) places = url;
    if (places === '') await sleep(20);
  }
  const logged = (message: RegExp): Record<string, unknown>[] =>
    output.stderr
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => message.test(String(msg)));
  return { ...running, base: places.split(' ')[0]!, places, database, logged };
}

export async function until(what: string, condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 20) {
    if (waited > 100_000) throw new Error(`never: ${what}`);
    await sleep(20);
  }
}

/**
 * The status and body of an answer, by default to a GET.
 * @throws {Error} with `isReused` if there is no answer over a connection that was used before
 */
export const ask = (
  url: string,
  options: RequestOptions = {},
): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(Object.assign(error, { isReused: request.reusedSocket }));
    const request = send(url, options, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, body })).on('error', reject);
    });
    request.on('error', fail).end();
  });
