/** What the rows that one log adds have in common. */
export interface Saving {
  /** The id of the Site. */
  site: number;
  /** The id of the log. */
  log: number;
  /** The record time, `YYYY-MM-DDThh:mm:ss.sssZ`. */
  recordedAt: string;
}
