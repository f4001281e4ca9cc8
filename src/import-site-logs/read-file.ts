import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { checkLog } from '../check/check-log.js';
import { rejectCopiedForm } from '../check/identity.js';
import { deriveRecord } from '../derive/record.js';
import { idInFileName } from '../derive/stations.js';
import { LARGEST_FILE, readWholeLog, type WholeLog } from '../site-log/read.js';
import { publishedLog } from '../site-log/published-log.js';
import { type Finding, Findings, reject, SiteLogRejected } from '../findings/findings.js';
import type { ReadAgain } from '../store/save/corrections.js';
import { sha256Of } from '../store/save/logs.js';
import type { UndatedLog } from '../store/save/site-log-import.js';
import { reasonOf } from '../system-error.js';
import { type FileError, type SiteLogFile, stampOf } from './site-log-files.js';

/** What the store is to save of a file, without what only the thread that saves it knows. */
export type DerivedLog = UndatedLog;

/**
 * A file that was read, and what the store is to save of it, or why nothing. Plain data, so that it
 * can go from thread to thread.
 */
export interface ReadFile {
  path: string;
  findings: Finding[];
  read: DerivedLog | 'rejected' | 'skipped';
  /** The SHA-256 of the content in hexadecimal, if that is why the file was rejected. */
  rejectedContent?: string;
}

/** Takes a log that was read. */
type OnRead = (log: WholeLog, findings: Findings) => void;

/**
 * Reads a file and derives what follows from it. Synchronous: a detour through the thread pool
 * costs more than it saves.
 */
export function readFile(file: SiteLogFile, onRead?: OnRead): ReadFile {
  const { path, named, unreadable } = file;
  const findings = new Findings(path);
  const notRead = (error: FileError): ReadFile => {
    const read = whyNotRead(error, named, findings);
    return { path, read, findings: read === 'skipped' ? asInfo(findings.list) : findings.list };
  };
  if (unreadable !== undefined) return notRead(unreadable);
  let content: Uint8Array | undefined;
  try {
    content = readBytes(file, findings);
    if (content === undefined) return { path, read: 'skipped', findings: [] };
    return {
      path,
      read: readAndDerive(basename(path), content, findings, (whole) => {
        rejectCopiedForm(whole, findings);
        onRead?.(whole, findings);
      }),
      findings: findings.list,
    };
  } catch (error) {
    const read = notRead(error as NodeJS.ErrnoException & FileError);
    return content === undefined || read.read === 'skipped'
      ? read
      : { ...read, rejectedContent: sha256Of(content) };
  }
}

/** Findings about a file that nobody named: what would reject it is an info. */
const asInfo = (findings: Finding[]): Finding[] =>
  findings.map((each) => (each.level === 'error' ? { ...each, level: 'info' } : each));

/** Reads the bytes of a file; undefined if it is not the expected one. */
function readBytes(
  { path, bytes, expected }: SiteLogFile,
  findings: Findings,
): Uint8Array | undefined {
  const whole = { line: 1 };
  if (bytes !== undefined) findings.add('not-utf-8', whole, { lines: null, encoding: null });
  const file = bytes === undefined ? path : Buffer.from(bytes);
  const entry = statSync(file);
  if (expected !== undefined && stampOf(entry) !== expected) return undefined;
  if (!entry.isFile()) reject(findings, 'not-a-site-log', whole, { isNoFile: true }, false);
  if (entry.size > LARGEST_FILE) {
    const values = { of: 'bytes', count: entry.size, most: LARGEST_FILE } as const;
    reject(findings, 'too-large', whole, values, false);
  }
  return readFileSync(file);
}

/** Whether a file has the name of a site log, so that it should be one: `alic_20170223.log`. */
const isNamedAsLog = (path: string): boolean =>
  idInFileName(path) !== null && /\.(?:log|xml)$/i.test(path);

/**
 * Adds a finding that says why a file could not be read.
 * @param named whether the user named this file
 */
function whyNotRead(error: FileError, named: boolean, findings: Findings): 'rejected' | 'skipped' {
  if (error instanceof SiteLogRejected) {
    if (error.recognised || named || isNamedAsLog(findings.file)) return 'rejected';
    return 'skipped';
  }
  // A program that writes files beside the import may remove or rename them meanwhile.
  if (error.code === 'ENOENT' && !named) {
    findings.add('vanished-file', { line: 1 }, {});
    return 'skipped';
  }
  findings.add('cannot-be-read', { line: 1 }, { reason: reasonOf(error) });
  return 'rejected';
}

/** Reads a log and derives what follows from it. @throws {SiteLogRejected} */
export function readAndDerive(
  name: string,
  original: Uint8Array,
  findings: Findings,
  onRead?: OnRead,
): DerivedLog {
  const whole = readWholeLog(original, findings);
  const { log } = whole;
  const derived = {
    name,
    original,
    sha256: sha256Of(original),
    log,
    published: publishedLog(whole.sections, whole.complete),
    ...deriveRecord(log, findings),
  };
  checkLog(whole, findings);
  onRead?.(whole, findings);
  return derived;
}

/** Reads a log that the store has kept, as an import would. */
export const readStoredLog: ReadAgain = ({ name, original }) =>
  readAndDerive(name, original, new Findings(name));
