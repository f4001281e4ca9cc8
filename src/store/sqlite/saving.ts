/** What the rows that one log adds have in common. */
export interface Saving {
  /** The id of the Site. */
  site: number;
  /** The id of the log. */
  log: number;
  /** The time to record. */
  at: string;
}
