/** Something that is wrong in a database. */
export interface Problem {
  /** One sentence: the table, the id, the Site, and what is wrong. */
  text: string;
  /**
   * What helps. `restore`: something is damaged that cannot be derived from the logs, so restore a
   * backup. `import`: something differs from what the logs give, so import them into a new
   * database. null: the text says what helps.
   */
  remedy: 'restore' | 'import' | null;
}

/** What a check of a database found. */
export interface Verification {
  problems: Problem[];
  /** The numbers of logs and Sites that were derived again. */
  logs: number;
  sites: number;
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
