import { StoreUnusable } from '../database.js';
import { shownDatabase } from '../postgres/url.js';
import { copyContents, describeContents, readContents, writeContents } from './contents.js';
import type { Progress } from './types.js';

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
