import { isPostgres } from './postgres/url.js';
import { StoreUnusable } from './store.js';

/** What changes whenever a database is written or replaced; null if it cannot be read. */
export async function stateOf(database: string): Promise<string | null> {
  if (!isPostgres(database)) return (await import('./sqlite/connection.js')).stateOf(database);
  try {
    // Of the primary: a replica may lack what this process has just written.
    const { readContents } = await import('./postgres/contents.js');
    return String(await readContents(database, (source) => source.revision()));
  } catch (error) {
    if (error instanceof StoreUnusable) return null;
    throw error;
  }
}
