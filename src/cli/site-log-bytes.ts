import { readFileSync, statSync } from 'node:fs';
import { LARGEST_FILE } from '../site-log/read.js';
import { type Findings, reject } from '../site-log/site-log.js';

/**
 * The content of a file.
 * @param path as text, or as bytes if these are not UTF-8
 * @throws {SiteLogRejected} if it is too large for a site log, or not a regular file
 * @throws the system's error if it cannot be read
 */
export function readBytes(path: string | Buffer, findings: Findings): Uint8Array {
  const entry = statSync(path);
  if (!entry.isFile()) reject(findings, 1, 'not a regular file');
  if (entry.size > LARGEST_FILE)
    reject(findings, 1, `${entry.size} bytes; expected a site log of at most ${LARGEST_FILE}`);
  return readFileSync(path);
}
