import { after, type Connection, type Execute } from './connection.js';

/**
 * From when on a statement is slow, in milliseconds. The slowest of a page takes a third of it; one that takes longer is an
 * exception, or waits for a table that somebody has locked.
 */
const SLOW = 250;
/** How many statements are remembered: their texts are few, except in a mistake. */
const MOST = 1000;

/** A read needs a statement that is slow, and so has to be run elsewhere. */
export class SlowRead extends Error {
  override readonly name = 'SlowRead';
}

/**
 * The statements of a server that have become slow, by their texts. The connections for quick reads refuse them, so that reads that
 * wait for a locked table leave these connections to the reads of other tables. A statement is cancelled there when it becomes slow,
 * run again with the connections for slow reads, and counts as quick again when it has been.
 */
export class SlowStatements {
  private readonly texts = new Set<string>();

  /** Runs quick statements; the others throw a {@link SlowRead}. */
  refusing(connection: Connection): Execute {
    return async (statement) => {
      const { text } = statement;
      if (this.texts.has(text)) throw new SlowRead();
      const stop = after(SLOW, () => {
        if (this.texts.size < MOST) this.texts.add(text);
        connection.interrupt(new SlowRead());
      });
      try {
        return await connection.execute(statement);
      } finally {
        stop();
      }
    };
  }

  /** Runs all statements. */
  admitting(connection: Connection): Execute {
    return async (statement) => {
      const started = performance.now();
      const result = await connection.execute(statement);
      if (performance.now() - started < SLOW) this.texts.delete(statement.text);
      return result;
    };
  }
}
