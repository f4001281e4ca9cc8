import { extname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Findings } from '../findings/findings.js';
import { type ReadFile, readFile } from './read-file.js';
import type { SiteLogFile } from './site-log-files.js';

/**
 * How many files are read and not yet saved at most, for each thread: more than one transaction
 * saves, or the thread would wait.
 */
const AHEAD = 30;
/**
 * From how many files on threads are worth their start, which takes as long as reading some of
 * them.
 */
const FEWEST_FILES = 20;
/** How much heap a thread may use, in megabytes. The largest accepted file needs a third of it. */
const HEAP = 512;

/** The entry point: a module of the same kind beside this one, which is TypeScript in the tests. */
const ENTRY = new URL(`./reading-thread${extname(import.meta.url)}`, import.meta.url);

/** How an import works. */
export interface ImportOptions {
  /** How many threads work, together with the one that saves; with 1, that one also reads. */
  jobs?: number;
  /** How much heap each of the other threads may use, in megabytes. */
  heap?: number;
  /** Stops the import after the logs in progress. */
  signal?: AbortSignal;
  /** Whether the store records this as the last import; by default it does. */
  recordImport?: boolean;
}

/** A file that a thread was asked to read. */
interface Asked {
  file: SiteLogFile;
  answer: (read: ReadFile) => void;
}

/** One thread that reads files, in turn. */
class ReadingThread {
  private readonly asked: Asked[] = [];
  private worker: Worker;
  private ready = false;
  private closed = false;

  constructor(private readonly heap: number) {
    this.worker = this.start();
  }

  /** How many more files it takes. It takes none until it is ready. */
  get room(): number {
    return this.ready ? AHEAD - this.asked.length : 0;
  }

  /** Reads a file. A file on which the thread fails is rejected. */
  read(file: SiteLogFile): Promise<ReadFile> {
    this.worker.postMessage(file);
    return new Promise((answer) => this.asked.push({ file, answer }));
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.worker.terminate();
  }

  private start(): Worker {
    let failure = 'the thread that read it ended';
    return new Worker(ENTRY, { resourceLimits: { maxOldGenerationSizeMb: this.heap } })
      .on('message', (message: 'ready' | ReadFile) => {
        if (message === 'ready') this.ready = true;
        else this.asked.shift()!.answer(message);
      })
      .on('error', (error: Error) => (failure = error.message))
      .on('exit', () => this.replace(failure));
  }

  /**
   * Goes on after the file on which the thread failed, in a new one. A thread that failed at its
   * start is not replaced.
   */
  private replace(failure: string): void {
    if (this.closed) return;
    if (!this.ready) {
      for (const { file, answer } of this.asked.splice(0)) answer(readFile(file));
      return;
    }
    this.ready = false;
    const failed = this.asked.shift();
    if (failed === undefined) return;
    const findings = new Findings(failed.file.path);
    findings.add('cannot-be-read', { line: 1 }, { reason: failure });
    failed.answer({ path: failed.file.path, findings: findings.list, read: 'rejected' });
    this.worker = this.start();
    for (const { file } of this.asked) this.worker.postMessage(file);
  }
}

/** Reads files, several at once, and returns them in order. */
export async function* readInOrder(
  files: SiteLogFile[],
  { jobs = 1, heap = HEAP }: ImportOptions,
): AsyncGenerator<ReadFile> {
  const threads =
    files.length < FEWEST_FILES
      ? []
      : Array.from({ length: jobs - 1 }, () => new ReadingThread(heap));
  const pending: Promise<ReadFile>[] = [];
  let next = 0;
  try {
    for (let done = 0; done < files.length; done++) {
      while (next < files.length) {
        const [idlest] = threads.toSorted((a, b) => b.room - a.room);
        if (idlest === undefined || idlest.room === 0) break;
        pending.push(idlest.read(files[next++]!));
      }
      if (pending.length > 0) {
        yield await pending.shift()!;
        continue;
      }
      // Until a thread is ready, which it can only say between two files.
      yield readFile(files[next++]!);
      if (threads.length > 0) await setImmediate();
    }
  } finally {
    await Promise.all(threads.map((thread) => thread.close()));
  }
}
