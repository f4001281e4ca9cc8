import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';

/** How long a daemon may take to end before it is killed, in milliseconds. */
const ENDING = 10_000;

/**
 * Ends what is left once the process that started it is gone, and with it the other end of stdin.
 * Children are signalled too: those of PostgreSQL are in sessions of their own, and stopped ones do
 * not notice that their parent ends.
 */
const WATCHER = `
cat >/dev/null
cd "$0/pids" 2>/dev/null || exit 0
for pid in *; do
  [ -e "$pid" ] || continue
  children=$(cat /proc/$pid/task/$pid/children)
  kill -CONT $pid $children
  kill -QUIT $pid
  for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 $pid || break; sleep 0.2; done
  kill -KILL $pid $children
done 2>/dev/null
cd / && rm -rf "$0"
`;

/** The id of the user or group `postgres`; that of nobody if there is none. */
const idOf = (kind: 'u' | 'g'): number =>
  Number(spawnSync('id', [`-${kind}`, 'postgres'], { encoding: 'utf8' }).stdout) || 65534;

/** The processes whose parent is `pid`; none if that has ended. */
function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? (readFileSync(file, 'utf8').match(/\d+/g) ?? []).map(Number) : [];
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A process that runs in the background. */
export class Daemon {
  readonly pid: number;
  /** Its exit code, once all output has been read; null if a signal ended it. */
  readonly ended: Promise<number | null>;

  /** @param output returns everything that it has written */
  constructor(
    private readonly child: ChildProcess,
    readonly output: () => string,
  ) {
    this.pid = child.pid!;
    this.ended = once(child, 'close').then(([code]) => code as number | null);
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Stops it and its children with SIGSTOP: connections stay open, and nobody answers. */
  pause(): void {
    signal(this.pid, 'SIGSTOP');
    const stopped = new Set<number>();
    // The list leaves some out if one ends while it is read.
    for (;;) {
      const running = childrenOf(this.pid).filter((child) => !stopped.has(child));
      if (running.length === 0) return;
      for (const child of running) {
        signal(child, 'SIGSTOP');
        stopped.add(child);
      }
    }
  }

  /** Continues after {@link pause}. */
  resume(): void {
    for (const child of childrenOf(this.pid)) signal(child, 'SIGCONT');
    signal(this.pid, 'SIGCONT');
  }

  /** Kills it and its children at once with SIGKILL. */
  async kill(): Promise<void> {
    if (!this.isRunning) return;
    // A stopped parent cannot start more children.
    this.pause();
    const children = childrenOf(this.pid);
    for (const pid of [this.pid, ...children]) signal(pid, 'SIGKILL');
    await this.ended;
  }

  /** Ends it with a signal; kills it if that takes too long. */
  async end(name: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return;
    this.resume();
    signal(this.pid, name);
    const timer = setTimeout(() => void this.kill(), ENDING);
    await this.ended;
    clearTimeout(timer);
  }
}

/**
 * A temporary folder, and daemons that run in it. None outlives this process, even if that is
 * killed: a watcher ends them and deletes the folder.
 */
export class Daemons {
  /** Belongs to the user that the daemons run as. Its path is short enough for Unix sockets. */
  readonly folder: string;
  /** PostgreSQL refuses to run as root. */
  private readonly user = process.getuid!() === 0 ? { uid: idOf('u'), gid: idOf('g') } : null;
  private readonly watcher: Writable;
  private readonly running = new Set<Daemon>();

  constructor(name: string) {
    this.folder = mkdtempSync(join(tmpdir(), `${name}-`));
    mkdirSync(join(this.folder, 'pids'));
    // Unix sockets in it are for every user, as the tests run as another one.
    chmodSync(this.folder, 0o755);
    if (this.user !== null) chownSync(this.folder, this.user.uid, this.user.gid);
    const watcher = spawn('/bin/sh', ['-c', WATCHER, this.folder], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    watcher.unref();
    this.watcher = watcher.stdin;
    (this.watcher as unknown as { unref: () => void }).unref();
  }

  /**
   * Runs a program to its end, as the user of the daemons.
   * @throws {Error} with its output if it fails
   */
  async run(program: string, args: string[]): Promise<void> {
    const daemon = this.start(program, args);
    const code = await daemon.ended;
    if (code !== 0) throw new Error(`${program} ended with ${code}:\n${daemon.output()}`);
  }

  /** Starts a program that stays in the foreground. */
  start(program: string, args: string[]): Daemon {
    const child = spawn(program, args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: this.folder,
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
      ...this.user,
    });
    if (child.pid === undefined) throw new Error(`${program} cannot be started`);
    const record = join(this.folder, 'pids', String(child.pid));
    writeFileSync(record, '');
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    const daemon = new Daemon(child, () => output);
    this.running.add(daemon);
    child.on('exit', () => {
      rmSync(record, { force: true });
      this.running.delete(daemon);
    });
    return daemon;
  }

  /** Ends all daemons that still run, and deletes the folder. */
  async stop(): Promise<void> {
    await Promise.all([...this.running].map((daemon) => daemon.end('SIGQUIT')));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    this.watcher.end();
  }
}
