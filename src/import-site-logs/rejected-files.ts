import { resolve, sep } from 'node:path';
import { messageOf } from '../findings/codes.js';
import type { Finding } from '../findings/findings.js';
import type { RejectedFile } from '../store/save/rejected-files.js';

/** What an import puts on record about rejected files. */

/** What is to be recorded about a file that was rejected. */
export function rejectedFileOf(file: {
  path: string;
  findings: Finding[];
  rejectedContent: string | null;
}): RejectedFile {
  const reason = file.findings.findLast(({ level }) => level === 'error')!;
  return {
    path: resolve(file.path),
    sha256: file.rejectedContent,
    code: reason.code,
    reason: messageOf(reason),
  };
}

/**
 * Whether a file is one of the paths that an import was given, or below one of them.
 * @param paths files and folders
 */
export function isBelow(paths: readonly string[]): (path: string) => boolean {
  const roots = paths.map((path) => resolve(path));
  return (path) =>
    roots.some((root) => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep));
}
