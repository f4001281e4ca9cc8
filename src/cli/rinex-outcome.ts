import { say } from '../line/terminal.js';
import type { UncheckedFile } from './check-files.js';

/** Reports files that a command about RINEX files cannot use, and decides its exit code. */

/** The exit codes, apart from those of all commands. */
const SOMETHING_WRONG = 1;
const NOTHING_FOUND = 2;
const SOMETHING_UNREADABLE = 3;

/** The results for all files. */
export class Outcome {
  private hasFiles = false;
  private isWrong = false;
  private isUnreadable = false;

  /** Counts the result for a file. */
  add(outcome: 'right' | 'wrong' | 'unreadable'): void {
    this.hasFiles = true;
    this.isWrong ||= outcome === 'wrong';
    this.isUnreadable ||= outcome === 'unreadable';
  }

  /** The exit code of the command. Reports if there were no files. @param verb what it does */
  exitCode(verb: 'check' | 'fix'): number {
    if (!this.hasFiles) {
      say(`nothing to ${verb}: no RINEX observation file was found`);
      return NOTHING_FOUND;
    }
    if (this.isUnreadable) return SOMETHING_UNREADABLE;
    return this.isWrong ? SOMETHING_WRONG : 0;
  }
}

/** Says why a file was not checked. */
export function sayUnchecked({ path, kind, reason }: UncheckedFile): void {
  say(`"${path}" ${kind === 'unreadable' ? '' : 'was not checked: '}${reason}`);
}
