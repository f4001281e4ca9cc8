import { statSync } from 'node:fs';

/** Identifies a file independently of its path; null if it does not exist. */
export function inodeOf(path: string): string | null {
  const entry = statSync(path, { throwIfNoEntry: false });
  return entry === undefined ? null : `${entry.dev}:${entry.ino}`;
}
