import { type ContentSource, type ContentTarget, copyContents, describeContents } from './contents.js';
import { isPostgres, shownDatabase } from './postgres/url.js';
import { StoreUnusable } from './store.js';
import type { Progress } from './upkeep.js';

/** Reads the content of a database of either engine, in one state. @throws {StoreUnusable} */
async function readContents<T>(database: string, read: (source: ContentSource) => Promise<T>): Promise<T> {
  const engine = isPostgres(database) ? await import('./postgres/contents.js') : await import('./sqlite/contents.js');
  return engine.readContents(database, read);
}

/** Fills a database of either engine, in one transaction. @throws {StoreUnusable} */
async function writeContents<T>(database: string, write: (target: ContentTarget) => Promise<T>): Promise<T> {
  const engine = isPostgres(database) ? await import('./postgres/contents.js') : await import('./sqlite/contents.js');
  return engine.writeContents(database, write);
}

/** What was copied. */
export interface Copied {
  sites: number;
  logs: number;
}

/**
 * Copies everything from one database to another, with the same ids, in one transaction on the target. The source may be
 * read and written meanwhile.
 * @throws {StoreUnusable} if one of them cannot be used, or the target is not empty
 */
export async function copyDatabase(from: string, to: string, progress: Progress): Promise<Copied> {
  return readContents(from, (source) =>
    writeContents(to, async (target) => {
      const contents = await describeContents(target);
      if (contents !== null) {
        throw new StoreUnusable(`database "${shownDatabase(to)}" is not empty: it has ${contents}; copy to an empty database`);
      }
      const { site: sites, site_log: logs } = await copyContents(source, target, progress);
      return { sites, logs };
    }),
  );
}
