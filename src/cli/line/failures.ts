import { readFileSync, statSync } from 'node:fs';
import { nearestTo } from '../../requests/nearest.js';
import { ServiceUnusable } from '../../rinex/record/unusable.js';
import { StoreBusy, StoreUnusable, WrongDatabase } from '../../store/database.js';
import { reasonOf } from '../../system-error.js';
import { FileUnusable } from '../../whole-file.js';
import { say } from './terminal.js';

/**
 * An invalid command line, environment variable or settings file; the message says what was
 * expected.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  /** @param helpOf the command whose help explains it; by default the command that runs */
  constructor(
    message: string,
    readonly helpOf?: string,
  ) {
    super(message);
  }
}

/**
 * A setting that cannot work until somebody changes it, or the file that it names. The exit code is
 * the same as for wrong usage, so that a supervisor does not restart the command forever.
 */
export class WrongSetting extends Error {
  override readonly name = 'WrongSetting';
}

/** The command failed; the message is one line that says why and what to do. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** `; did you mean X?` for an unexpected word; empty if no expected word is similar. */
export function didYouMean(word: string, expected: readonly string[]): string {
  const [nearest] = nearestTo(word, expected, (each) => [each], 1);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}

/**
 * Turns a system error about a file into a failed command.
 * @param what what cannot be done; the message begins with it
 */
export const fileFailure = (what: string, error: unknown): CommandFailed =>
  error instanceof CommandFailed ? error : new CommandFailed(`${what}: ${reasonOf(error)}`);

/**
 * Works with a file.
 * @param what what cannot be done if the work fails
 * @throws {CommandFailed} with the system's reason
 */
export function withFile<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileFailure(what, error);
  }
}

/**
 * The text of a file that the operator names. A pipe could make the command wait, and a second
 * reader of it would find nothing.
 * @param what what cannot be done if the file cannot be read
 * @param longest the most bytes that it may have
 * @throws {CommandFailed} if it cannot be read, is not a regular file, or is longer
 */
export const readTextFile = (
  what: string,
  path: string,
  longest: number,
  encoding: 'utf8' | 'latin1' = 'utf8',
): string =>
  withFile(what, () => {
    const found = statSync(path);
    if (!found.isFile() && !found.isDirectory()) throw new Error('it is not a regular file');
    if (found.size > longest) throw new Error(`it is too long; expected at most ${longest} bytes`);
    return readFileSync(path, encoding);
  });

/** The message for an error, and the exit code. @throws the error if it is unexpected */
function explained(error: unknown): [message: string, code: number] {
  const { code = '', path } = error as NodeJS.ErrnoException;
  if (
    error instanceof UsageError ||
    error instanceof WrongSetting ||
    error instanceof WrongDatabase
  )
    return [error.message, 2];
  if (
    error instanceof StoreUnusable ||
    error instanceof StoreBusy ||
    error instanceof FileUnusable ||
    error instanceof ServiceUnusable ||
    error instanceof CommandFailed
  )
    return [error.message, 3];
  // Node.js loads all modules of a command at once, and not all of its errors have a code.
  if (/EMFILE|ENFILE|too many open files/.test(String(error)))
    return ['too many open files; raise the limit with ulimit -n (1024 is enough)', 3];
  if (code === 'ENOSPC' || code === 'SQLITE_FULL') return ['the disk is full', 3];
  if (path !== undefined) return [`"${path}" cannot be used: ${reasonOf(error)}`, 3];
  throw error;
}

/**
 * Says on stderr why a command failed. Returns the exit code.
 * @param command the name of the command; undefined if there is none of that name
 * @throws the error if it is unexpected
 */
export function reportFailure(error: unknown, command: string | undefined): number {
  const [message, code] = explained(error);
  say(message);
  if (error instanceof UsageError) {
    const helpOf = error.helpOf ?? command;
    const words = ['gnss-site-setups', helpOf, '--help'].filter((word) => word !== undefined);
    process.stderr.write(`See ${words.join(' ')}\n`);
  }
  return code;
}
