import { StoreUnusable } from '../store.js';
import type { Reads, Writes } from './client.js';
import { Servers } from './servers.js';
import { ConnectionLost, Session } from './session.js';
import { parseDatabaseUrl, shownDatabase } from './url.js';
import { PrimaryWrites, type WriteOptions } from './writes.js';

/** How long an import waits by default for another process that writes, in milliseconds. */
const PATIENCE = 10_000;

/** A session on the first server. @throws {StoreUnusable} if it cannot be reached */
async function openSession(database: string): Promise<Session> {
  const { servers, tls: mode, ...url } = parseDatabaseUrl(database);
  try {
    return await Session.open(servers[0]!, { ...url, mode });
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    throw new StoreUnusable(`database "${shownDatabase(database)}" cannot be reached: ${error.message}`, { cause: error });
  }
}

/** Opens a database for reading. @throws {StoreUnusable} if it cannot be reached */
export const openReads = async (database: string): Promise<Reads & { close: () => Promise<void> }> =>
  new Servers(await openSession(database));

/** Opens a database for writing. @throws {StoreUnusable} if it cannot be reached */
export const openWrites = async (database: string, options: Partial<WriteOptions> = {}): Promise<Writes & { session: Session }> =>
  new PrimaryWrites(await openSession(database), { dryRun: false, patience: PATIENCE, ...options });
