import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Test } from 'tap';

/** Compares what the program says with files that are read in review. */

/** Whether the files are written instead of compared. */
const IS_RENEWED = process.env.RENEW_SNAPSHOTS === 'true';

/** Compares a text with a file, or writes it. `npm run snapshots` writes all such files. */
export function compareWithFile(t: Test, path: string, text: string): void {
  if (IS_RENEWED) writeFileSync(path, text);
  const expected = existsSync(path) ? readFileSync(path, 'utf8') : '';
  t.equal(text, expected, `${path}; if the words are right: npm run snapshots`);
}
