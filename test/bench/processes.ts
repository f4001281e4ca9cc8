import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { type Answer, Client } from '../campaigns/client.js';
import { MAIN, type Service, type Start, startNode, startServer } from '../campaigns/processes.js';

/**
 * The processes of a run: the measured one has a core of its own, and the load generator another.
 */

/** A file of the benchmark that runs in its own process. Node.js strips its types. */
export const benchFile = (name: string): string => join(import.meta.dirname, `${name}.ts`);

/**
 * A file of the benchmark that is compared with the service, as plain JavaScript. If Node.js strips
 * its types when it starts, its heap grows so far that each request costs a fifth more.
 */
export function plainFile(name: string): string {
  const folder = resolve(MAIN, '../../../bench');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.js`);
  writeFileSync(file, stripTypeScriptTypes(readFileSync(benchFile(name), 'utf8')));
  return file;
}

/** The numbers of the cores that this process may use. */
function allowedCores(): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]!;
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last! - first! + 1 }, (_, index) => first! + index);
  });
}

const [MEASURED, LOAD] = allowedCores();
const CAN_PIN =
  LOAD !== undefined && spawnSync('taskset', ['-c', `${MEASURED},${LOAD}`, 'true']).status === 0;

/** How processes share the machine, for the head of the results. */
export const CORES = CAN_PIN
  ? `service on core ${MEASURED}, load on core ${LOAD}`
  : 'not bound to cores: the ratios are less reliable';

const on = (core: number | undefined): Start =>
  CAN_PIN ? { before: ['taskset', '-c', String(core)] } : {};

/**
 * Runs a Node.js program on the core for its kind.
 * @returns its output
 * @throws {Error} unless it exits with 0
 */
export async function runNode(kind: 'measured' | 'load', ...args: string[]): Promise<string> {
  const { output, ended } = startNode(args, on(kind === 'measured' ? MEASURED : LOAD));
  const { code, signal } = await ended;
  if (code !== 0)
    throw new Error(`${args.join(' ')} ended with ${signal ?? code}\n${output.stderr}`);
  return output.stdout;
}

/** Measures a Node.js program from start to end, in milliseconds. */
export async function timeOf(...args: string[]): Promise<number> {
  const begin = performance.now();
  await runNode('measured', ...args);
  return performance.now() - begin;
}

/** Runs the command line tool. @returns its time, in milliseconds */
export const runTool = (...args: string[]): Promise<number> => timeOf(MAIN, ...args);

/** A server in its own process. */
export interface Server {
  port: number;
  pid: number;
  /** Sends a GET over a connection that stays open. @throws {Error} if the status is not 200 */
  ask: (path: string) => Promise<Answer>;
  /** Stops it. @throws {Error} if it does not exit with 0 */
  stop: () => Promise<void>;
}

/** Sends a GET to a server. @throws {Error} if the status is not 200 */
export async function ask(client: Client, path: string): Promise<Answer> {
  const answer = await client.get(path);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body.toString()}`);
  return answer;
}

/** How long an answer may take, in milliseconds. */
const TIMEOUT = 60_000;

export const connect = ({ port }: { port: number }): Client => new Client(port, TIMEOUT);

function serverOf(service: Service): Server {
  const client = connect(service);
  const stop = async (): Promise<void> => {
    client.close();
    for (const problem of await service.stop()) throw new Error(problem);
  };
  return { port: service.port, pid: service.pid, ask: (path) => ask(client, path), stop };
}

/** Starts a Node.js program that prints where it serves. @throws {Error} if it does not */
export const startMeasured = async (...args: string[]): Promise<Server> =>
  serverOf(await startServer(args, on(MEASURED)));

/** Flags of `serve` that turn the cache off. */
export const NOT_CACHED = ['--cache-megabytes', '0'];

/** Starts the service over a database. @param main the main file of the build */
export const startService = (
  database: string,
  flags: string[] = [],
  main = MAIN,
): Promise<Server> => startMeasured(main, 'serve', '--database', database, '--port', '0', ...flags);

/**
 * The processor time of the threads of a process so far, in milliseconds, as exact as the scheduler
 * measures it. Needs /proc.
 */
export function processorTimeOf(pid: number): number {
  const folder = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(folder).map((task) =>
    Number(readFileSync(`${folder}/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}
