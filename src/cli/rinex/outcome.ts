import { say } from '../line/terminal.js';
import type { UncheckedFile } from './check-files.js';

/** What a command about RINEX files says of files that it cannot use, and how it ends. */

/** The exit codes, apart from those of all commands. */
const SOMETHING_WRONG = 1;
const NOTHING_FOUND = 2;
const SOMETHING_UNREADABLE = 3;

/** What came of all files. */
export class Outcome {
  private hasFiles = false;
  private isWrong = false;
  private isUnreadable = false;

  /** Counts what came of a file. */
  add(outcome: 'right' | 'wrong' | 'unreadable'): void {
    this.hasFiles = true;
    this.isWrong ||= outcome === 'wrong';
    this.isUnreadable ||= outcome === 'unreadable';
  }

  /** The exit code of the command. Says it if there were no files. @param verb what it does */
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
