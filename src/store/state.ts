import { StoreUnusable } from './database.js';
import { isPostgres } from './postgres/url.js';

/** What changes whenever a database is written or replaced; null if it cannot be read. */
export async function databaseState(database: string): Promise<string | null> {
  if (!isPostgres(database)) return (await import('./sqlite/connection.js')).fileState(database);
  try {
    // Of the primary: a replica may lack what this process has just written.
    const { revision, close } = await (await import('./postgres/open.js')).openSnapshot(database);
    await close();
    return String(revision);
  } catch (error) {
    if (error instanceof StoreUnusable) return null;
    throw error;
  }
}
