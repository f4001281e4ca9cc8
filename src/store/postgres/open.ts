import { StoreUnusable } from '../store.js';
import { passwordFor } from './passwords.js';
import { openPrimary } from './primary.js';
import { READ_BUDGET, Servers } from './servers.js';
import type { SessionOptions } from './session.js';
import { type DatabaseUrl, parseDatabaseUrl, shownDatabase } from './url.js';
import { PrimaryWrites, type WriteOptions } from './writes.js';

/** How long an import waits by default for another process that writes, in milliseconds. */
const PATIENCE = 10_000;

/** How a database is read. */
export interface ReadOptions {
  /** A replica that has been behind for longer is not used, in milliseconds; null for no limit. */
  maxReplicaLag: number | null;
}

/** @throws {StoreUnusable} if it is no URL of a PostgreSQL database */
function parse(database: string): DatabaseUrl {
  try {
    return parseDatabaseUrl(database);
  } catch (error) {
    throw new StoreUnusable(`database "${shownDatabase(database)}": ${(error as Error).message}`, { cause: error });
  }
}

const sessionOptions = (url: DatabaseUrl, statementTimeout: number | null): SessionOptions => ({
  user: url.user,
  passwordFor: (address) => passwordFor(address, url),
  database: url.database,
  searchPath: url.searchPath,
  mode: url.tls,
  rootCertificate: url.rootCertificate,
  connectTimeout: url.connectTimeout,
  prepare: url.prepare,
  statementTimeout,
});

/** Connects to the servers of a database for reading. @throws {StoreUnusable} if none can be reached */
export async function openServers(database: string, { maxReplicaLag }: ReadOptions): Promise<Servers> {
  const url = parse(database);
  const { target, poolSize } = url;
  const options = { target, poolSize, maxReplicaLag, session: sessionOptions(url, READ_BUDGET) };
  const servers = new Servers(shownDatabase(database), url.servers, options);
  try {
    await servers.start();
    return servers;
  } catch (error) {
    await servers.close();
    throw error;
  }
}

/** Connects to the primary of a database for writing. @throws {StoreUnusable} if there is none */
export async function openWrites(database: string, options: Partial<WriteOptions> = {}): Promise<PrimaryWrites> {
  const url = parse(database);
  const name = shownDatabase(database);
  const open = () => openPrimary(name, url.servers, sessionOptions(url, null));
  return new PrimaryWrites(name, await open(), open, { dryRun: false, patience: PATIENCE, ...options });
}
