import { openReader } from './open.js';
import { isPostgres } from './postgres/url.js';
import { StoreUnusable } from './store.js';

/** What changes whenever a database is written or replaced; null if it cannot be read. */
export async function stateOf(database: string): Promise<string | null> {
  if (!isPostgres(database)) return (await import('./sqlite/connection.js')).stateOf(database);
  try {
    const reader = await openReader(database);
    return String(await Promise.resolve(reader.version()).finally(() => reader.close()));
  } catch (error) {
    if (error instanceof StoreUnusable) return null;
    throw error;
  }
}
