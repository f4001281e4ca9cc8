/**
 * Stops the clock of a process at the instant RECORDING_CLOCK. So all times of record, and what
 * follows from them, are the same in each recording. Timers and `performance.now()` go on.
 */
const now = Date.parse(process.env.RECORDING_CLOCK);
const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(now);
    else super(...given);
  }

  static now() {
    return now;
  }
};
