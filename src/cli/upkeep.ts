import { readAsImported, readStoredLog } from '../import-site-logs.js';
import type { Problem, Rereading } from '../store/upkeep/types.js';
import { visible } from '../visible.js';
import { showProgress } from './terminal.js';

/** How many problems are printed; the others are counted. */
const PRINTED = 50;
/** The longest line of a problem, in characters. */
const LONGEST_LINE = 500;

/** Reads stored logs with the readers of this version. */
export const rereading: Rereading = { readAgain: readStoredLog, importAgain: readAsImported };

/** Shows progress on a terminal. */
export const progress = (share: number): void => showProgress(share < 1 ? `${Math.floor(share * 100)} %` : '');

/** Prints problems to stderr, one line each. */
export function printProblems(problems: Problem[]): void {
  const lines = problems.slice(0, PRINTED).map(({ text }) => visible(text).slice(0, LONGEST_LINE));
  if (problems.length > PRINTED) lines.push(`and ${problems.length - PRINTED} more`);
  process.stderr.write(lines.map((line) => `${line}\n`).join(''));
}
