import { readFileSync, statSync } from 'node:fs';
import { LARGEST_FILE } from '../site-log/read.js';
import { type Findings, reject } from '../findings/findings.js';

/**
 * The content of a file.
 * @param path as text, or as bytes if these are not UTF-8
 * @throws {SiteLogRejected} if it is too large for a site log, or not a regular file
 * @throws the system's error if it cannot be read
 */
export function readBytes(path: string | Buffer, findings: Findings): Uint8Array {
  const entry = statSync(path);
  if (!entry.isFile()) reject(findings, 'not-a-site-log', { line: 1 }, { isNoFile: true });
  if (entry.size > LARGEST_FILE) {
    const values = { of: 'bytes', count: entry.size, most: LARGEST_FILE } as const;
    reject(findings, 'too-large', { line: 1 }, values);
  }
  return readFileSync(path);
}
