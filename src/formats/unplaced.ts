import type { SiteNote, Unplaced } from '../findings/notes.js';
import { isDuring, type TimeOptions } from './history-lines.js';
import type { Interval, SiteHistory } from './site-history.js';

/** The values of logs for which a format has no place. */

/**
 * A value with the installation that has it; null if it is unknown. An alignment of 0 is what
 * programs assume without one.
 */
const VALUES: Record<Unplaced, (interval: Interval) => string | null> = {
  alignment: ({ antenna }) =>
    antenna === null || antenna.azimuth === null || antenna.azimuth === 0
      ? null
      : `${antenna.installed} ${antenna.azimuth}`,
  cutoff: ({ receiver }) =>
    receiver === null || receiver.cutoff === null
      ? null
      : `${receiver.installed} ${receiver.cutoff}`,
  referencePoint: ({ antenna }) =>
    antenna === null || antenna.referencePoint === null
      ? null
      : `${antenna.installed} ${antenna.referencePoint}`,
};

/** Counts what one file leaves out, because its format has no place for it. */
export class UnplacedValues {
  private readonly counts = { alignment: 0, cutoff: 0, referencePoint: 0 };

  constructor(private readonly unplaced: readonly Unplaced[]) {}

  /** Adds the values of the installations of a Site. */
  add({ intervals }: Pick<SiteHistory, 'intervals'>, during: TimeOptions['during']): void {
    const written = intervals.filter((interval) => isDuring(interval, during));
    for (const what of this.unplaced) {
      const values = new Set(written.map(VALUES[what]));
      values.delete(null);
      this.counts[what] += values.size;
    }
  }

  /** The note about the file, if anything is left out. */
  summary(): SiteNote[] {
    const isNone = Object.values(this.counts).every((count) => count === 0);
    return isNone ? [] : [{ site: null, note: { code: 'unplaced-values', ...this.counts } }];
  }
}
