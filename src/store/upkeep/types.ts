/** Something that is wrong in a database. */
export interface Problem {
  /** One sentence: the table, the id, the Site, and what is wrong. */
  text: string;
  /** Whether it can be derived again from the stored logs. */
  repairable: boolean;
}

/** What a check of a database found. */
export interface Verification {
  problems: Problem[];
  /** The numbers of logs and Sites that were derived again. */
  logs: number;
  sites: number;
  /** The ids of Sites that an older version of the readers derived. That is no problem. */
  toDeriveAgain: string[];
}

/** What a rebuild did. */
export interface Rebuilding {
  /** What was wrong. */
  problems: Problem[];
  /** How many of these problems were repaired. */
  repaired: number;
}

/** What a backup contains. */
export interface Backup {
  bytes: number;
  sites: number;
}

/** What was restored. */
export interface Restoring extends Backup {
  /** The file with the old content; null if there was none. */
  kept: string | null;
}

/** Reports how much is done, from 0 to 1. */
export type Progress = (share: number) => void;
