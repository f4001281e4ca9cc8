import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** How long a command may take, in milliseconds. */
const TIMEOUT = 600_000;
/** How long a server may take to print its URL, in milliseconds. */
const STARTING = 60_000;

const CLOCK = pathToFileURL(join(import.meta.dirname, 'fixed-clock.js')).href;

/** How a command ended, and what it printed. */
export interface Ended {
  code: number | null;
  stdout: Buffer;
  stderr: Buffer;
}

/** A server of the built command. */
export interface Server {
  port: number;
  stop: () => Promise<void>;
}

/** The built command of a checkout. Its clock stands still. */
export class Command {
  private readonly main: string;

  /**
   * @param checkout the folder of the checkout, which is built
   * @param cwd where the command runs. All paths in its arguments begin here, so that no other
   *   path is printed.
   * @throws {Error} if it is not built
   */
  constructor(
    checkout: string,
    readonly cwd: string,
  ) {
    this.main = join(checkout, 'dist', 'src', 'bundle', 'main.js');
    if (!existsSync(this.main)) throw new Error(`${checkout} is not built: npm run build`);
  }

  private spawn(args: readonly string[], clock: string) {
    return spawn(process.execPath, [this.main, ...args], {
      cwd: this.cwd,
      env: {
        PATH: process.env.PATH,
        HOME: this.cwd,
        LANG: 'C.UTF-8',
        TZ: 'UTC',
        NODE_OPTIONS: `--import=${CLOCK}`,
        RECORDING_CLOCK: clock,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  /**
   * Runs the command to its end.
   * @param clock the instant at which its clock stands
   * @param input what it reads from stdin
   */
  async run(args: readonly string[], clock: string, input: Buffer | string = ''): Promise<Ended> {
    const child = this.spawn(args, clock);
    // A command may end before it has read everything.
    child.stdin.on('error', () => undefined).end(input);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT);
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    clearTimeout(timer);
    return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) };
  }

  /**
   * Starts a server on a free port of the loopback.
   * @throws {Error} if it does not serve
   */
  async serve(database: string, clock: string): Promise<Server> {
    const args = ['serve', '--database', database, '--port', '0', '--log-level', 'info'];
    const child = this.spawn(args, clock);
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const end = (): void => void child.kill('SIGKILL');
    process.once('exit', end);
    let log = '';
    child.stdout.resume();
    const port = await new Promise<number>((resolve, reject) => {
      const refuse = (): void => reject(new Error(`the server does not serve: ${log}`));
      const timer = setTimeout(refuse, STARTING);
      void ended.then(refuse);
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        if (log.length < 100_000) log += chunk;
        const found = /serving .*http:\/\/127\.0\.0\.1:(\d+)/.exec(log);
        if (found === null) return;
        clearTimeout(timer);
        resolve(Number(found[1]));
      });
    });
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM');
      await ended;
      process.off('exit', end);
    };
    return { port, stop };
  }
}
