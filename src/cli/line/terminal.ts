import { messageOf } from '../../findings/codes.js';
import { type Finding, linesInWords } from '../../findings/findings.js';
import type { Problem } from '../../store/results.js';
import { visible } from '../../visible.js';
import { enumerated } from '../../words.js';

/** Prints a line about the command itself to stderr. */
export function say(line: string): void {
  process.stderr.write(`gnss-site-setups: ${visible(line)}\n`);
}

/** Rows of cells as lines, with each column as wide as its longest cell. */
export function columns(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]!.length)),
  );
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column]!));
    return `${visible(cells.join('  ')).trimEnd()}\n`;
  });
  return lines.join('');
}

/** Clears the progress line of a terminal before the next output. */
const CLEAR = '\r\u001b[K';

/**
 * Shows progress on a terminal line that the next output overwrites; does nothing if stderr is not
 * a terminal. An empty text clears it.
 */
export function showProgress(text: string): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`${CLEAR}${visible(text).slice(0, process.stderr.columns - 1)}`);
}

/** Where a finding is again, in words; empty if nowhere. */
function furtherLines({ others }: Finding): string {
  if (others.length === 0) return '';
  const lines = others.map(({ line }) => String(line));
  return ` (again in ${others.length === 1 ? 'line' : 'lines'} ${enumerated(lines)})`;
}

/** Prints the findings of a file to stderr. */
export function printFindings(findings: Finding[]): void {
  for (const each of findings) {
    const { file, line, lastLine, level, text } = each;
    const lines = lastLine == null ? '' : `${linesInWords(each)}: `;
    const quoted = text === '' ? '' : `: "${text}"`;
    const finding = visible(
      `${file}:${line}: ${level}: ${lines}${messageOf(each)}${quoted}${furtherLines(each)}`,
    );
    process.stderr.write(`${process.stderr.isTTY ? CLEAR : ''}${finding}\n`);
  }
}

/** A number with its noun. */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** How many problems are printed; the others are counted. */
const PRINTED = 50;
/** The longest line of a problem, in characters. */
const LONGEST_LINE = 500;

/** Shows progress on a terminal. */
export const progress = (share: number): void =>
  showProgress(share < 1 ? `${Math.floor(share * 100)} %` : '');

/** Prints problems to stderr, one line each. */
export function printProblems(problems: Problem[]): void {
  const lines = problems.slice(0, PRINTED).map(({ text }) => visible(text).slice(0, LONGEST_LINE));
  if (problems.length > PRINTED) lines.push(`and ${problems.length - PRINTED} more`);
  process.stderr.write(lines.map((line) => `${line}\n`).join(''));
}

const ENDING = ['SIGTERM', 'SIGINT'] as const;

/** Calls `stop` at the first SIGTERM or SIGINT. A second one ends the process at once. */
export function onStop(stop: (signal: string) => void): void {
  const first = (signal: string): void => {
    for (const each of ENDING)
      process.removeListener(each, first).once(each, () => process.exit(1));
    stop(signal);
  };
  for (const each of ENDING) process.once(each, first);
}
