import { statSync } from 'node:fs';
import type { SiteLogFile } from '../../import-site-logs.js';
import { DAY } from '../../requests/units-of-time.js';
import { ClockBehind, recordTimeInFuture } from '../../store/clock.js';
import type { StoreWriter } from '../../store/save/writer.js';
import { say } from '../line/terminal.js';

/** When a file last changed, in milliseconds; 0 if it is gone or cannot be read. */
function changedAt({ path, bytes }: SiteLogFile): number {
  try {
    return statSync(bytes === undefined ? path : Buffer.from(bytes)).mtimeMs;
  } catch {
    return 0;
  }
}

/**
 * Checks the clock before an import, since record times cannot be corrected. Warns if the clock is
 * more than a day ahead of the last import and of all files: it may be wrong.
 * @throws {ClockBehind} if it is behind the last record time
 */
export async function checkClock(
  store: StoreWriter,
  files: readonly SiteLogFile[],
  now: Date,
): Promise<void> {
  const { recorded, imported } = await store.lastTimes();
  const future = recordTimeInFuture(recorded, now);
  if (future !== null) throw new ClockBehind(now, future);
  const before = [recorded, imported].filter((time) => time !== null).map(Date.parse);
  const isAhead = (times: number[]): boolean => times.every((time) => now.getTime() - time > DAY);
  if (files.length === 0 || before.length === 0) return;
  if (!isAhead(before) || !isAhead(files.map(changedAt))) return;
  say(
    `warning: the clock says ${now.toISOString()}, more than a day after the last import ` +
      `(${new Date(Math.max(...before)).toISOString()}) and all files of this one. If the clock ` +
      'is wrong, set it, and restore a backup: record times cannot be corrected',
  );
}
