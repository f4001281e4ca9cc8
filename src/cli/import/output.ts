import { openSync, writeSync } from 'node:fs';
import { resultOf } from '../../check/results.js';
import type { ImportedFile } from '../../import-site-logs.js';
import type { Finding } from '../../site-log/site-log.js';
import { reasonOf } from '../../system-error.js';
import { visible } from '../../visible.js';
import { inodeOf } from '../../whole-file.js';
import { CommandFailed, UsageError } from '../settings.js';
import { CLEAR, count } from '../terminal.js';

/** Prints a line about the import itself to stderr. */
export function say(line: string): void {
  process.stderr.write(`gnss-site-setups: ${visible(line)}\n`);
}

/** Prints the findings of a file to stderr. */
export function printFindings(findings: Finding[]): void {
  for (const { file, line, level, message, text } of findings) {
    const finding = visible(`${file}:${line}: ${level}: ${message}${text === '' ? '' : `: "${text}"`}`);
    process.stderr.write(`${process.stderr.isTTY ? CLEAR : ''}${finding}\n`);
  }
}

/** What happened to a file, in one line. */
export function outcomeLine({ path, outcome, isNew, site, setups }: ImportedFile): string {
  const texts = {
    saved: `${count(setups.added, 'Setup')} added, ${setups.superseded} superseded`,
    unchanged: '',
    older: isNew ? 'kept, but changes nothing' : '',
    rejected: isNew ? '' : 'as before',
    skipped: '',
  };
  const word = outcome === 'older' ? 'outdated' : outcome;
  const text = texts[outcome];
  return visible(`${path}: ${word}${site === null ? '' : ` ${site}`}${text === '' ? '' : `: ${text}`}`);
}

/** Opens the report file. Refuses to overwrite the database or a site log. */
export function openReport(path: string, database: string, files: string[]): number {
  const inode = inodeOf(path);
  const inUse = [database, `${database}-wal`, `${database}-shm`, ...files];
  if (inode !== null && inUse.some((each) => inodeOf(each) === inode)) {
    throw new UsageError(`--report "${path}" is the database or one of the site logs; choose another file`);
  }
  try {
    return openSync(path, 'w');
  } catch (error) {
    throw new CommandFailed(`cannot write to --report "${path}": ${reasonOf(error)}`);
  }
}

/** Writes the findings of a file to the report. @throws {CommandFailed} */
export function writeReport(report: number, path: string, findings: Finding[]): void {
  try {
    for (const finding of findings) writeSync(report, `${JSON.stringify(resultOf(finding))}\n`);
  } catch (error) {
    throw new CommandFailed(`cannot write to --report "${path}": ${reasonOf(error)}; the site logs imported so far are saved`);
  }
}
