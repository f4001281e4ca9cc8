import { visible } from '../visible.js';

/** Clears the progress line of a terminal before the next output. */
export const CLEAR = '\r\u001b[K';

/** Shows progress on a terminal line that the next output overwrites; does nothing if stderr is not a terminal. An empty text clears it. */
export function showProgress(text: string): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`${CLEAR}${visible(text).slice(0, process.stderr.columns - 1)}`);
}

/** A number with its noun. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
