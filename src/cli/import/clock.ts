import { statSync } from 'node:fs';
import type { SiteLogFile } from '../../import-site-logs/site-log-files.js';
import { DAY } from '../../requests/units-of-time.js';
import type { StoreWriter } from '../../store/save/writer.js';
import { say } from '../line/terminal.js';

/** When a file last changed, in milliseconds; 0 if that is not known. */
const changedAt = ({ path }: SiteLogFile): number =>
  statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Warns if the clock is more than a day ahead of the last import and of all files that are read: it
 * may be wrong, and record times cannot be corrected later.
 */
export async function warnAboutClock(
  store: StoreWriter,
  files: readonly SiteLogFile[],
  now: Date,
): Promise<void> {
  const last = await store.lastTime();
  if (last === null || files.length === 0) return;
  let newest = Date.parse(last);
  for (const file of files) newest = Math.max(newest, changedAt(file));
  if (now.getTime() - newest <= DAY) return;
  say(
    `warning: the clock says ${now.toISOString()}, more than a day after the last import ` +
      `(${last}) and the newest of these files. If it is wrong, stop and set it: record times ` +
      'cannot be corrected',
  );
}
