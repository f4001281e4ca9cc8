import type { ReaderOptions, WriterOptions } from '../open.js';
import { type StoreReader, StoreUnusable, type StoreWriter } from '../store.js';
import type { Snapshot } from './client.js';
import { explained, NewerVersion } from './failures.js';
import { migrate, migrationOf, MIGRATIONS } from './migrations.js';
import { passwordFor } from './passwords.js';
import { openPrimary } from './primary.js';
import { PostgresReader } from './reader.js';
import { READ_BUDGET, Servers } from './servers.js';
import type { SessionOptions } from './session.js';
import { type DatabaseUrl, parseDatabaseUrl, shownDatabase } from './url.js';
import { PostgresWriter } from './writer.js';
import { writeDocuments } from './written-documents.js';
import { PrimaryWrites, type WriteOptions } from './writes.js';

/** How long an import waits by default for another process that writes, in milliseconds. */
const PATIENCE = 10_000;

/** How long a statement that writes may take by default, in milliseconds. The longest build an index of a large database. */
const WRITE_SILENCE = 300_000;

/** How to create the tables of a database. */
const CREATE_HINT = 'create its tables with: gnss-site-setups import PATH..., or name the schema that has them with search_path';

/** @throws {StoreUnusable} if it is not the URL of a PostgreSQL database */
function parse(database: string): DatabaseUrl {
  try {
    return parseDatabaseUrl(database);
  } catch (error) {
    throw new StoreUnusable(`database "${shownDatabase(database)}": ${(error as Error).message}`, { cause: error });
  }
}

const sessionOptions = (url: DatabaseUrl, limits: Pick<SessionOptions, 'statementTimeout' | 'silence'>): SessionOptions => ({
  user: url.user,
  passwordFor: (address) => passwordFor(address, url),
  database: url.database,
  searchPath: url.searchPath,
  mode: url.tls,
  rootCertificate: url.rootCertificate,
  connectTimeout: url.connectTimeout,
  prepare: url.prepare,
  ...limits,
});

/** Connects to the servers of a database for reading. @throws {StoreUnusable} if none can be reached */
export async function openServers(database: string, { maxReplicaLag = null }: ReaderOptions): Promise<Servers> {
  const url = parse(database);
  const { target, poolSize } = url;
  const options = { target, poolSize, maxReplicaLag, session: sessionOptions(url, { statementTimeout: READ_BUDGET, silence: null }) };
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
  const writeOptions = { dryRun: false, patience: PATIENCE, silence: WRITE_SILENCE, ...options };
  const open = () => openPrimary(name, url.servers, sessionOptions(url, { statementTimeout: null, silence: writeOptions.silence }));
  return new PrimaryWrites(name, await open(), open, writeOptions);
}

const emptyDatabase = (name: string): StoreUnusable => new StoreUnusable(`database "${name}" is empty; ${CREATE_HINT}`);

/** @throws {StoreUnusable} if the tables are from a newer version. Returns the number of the last migration. */
async function checkedMigration(name: string, snapshot: Snapshot): Promise<number> {
  const migration = await migrationOf(snapshot);
  if (migration > MIGRATIONS.length) throw explained(name, new NewerVersion(migration, MIGRATIONS.length));
  return migration;
}

/** @throws {StoreUnusable} if the database cannot store all characters, or does not know where one ends */
async function checkEncoding(name: string, snapshot: Snapshot): Promise<void> {
  const { encoding } = (await snapshot.get<{ encoding: string }>("SELECT current_setting('server_encoding') AS encoding"))!;
  if (encoding === 'UTF8') return;
  throw new StoreUnusable(
    `database "${name}" has the encoding ${encoding}; expected UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`,
  );
}

/** @throws {StoreUnusable} if the tables are missing or not of this version */
function checkCurrent(name: string, migration: number): void {
  if (migration === 0) throw emptyDatabase(name);
  if (migration < MIGRATIONS.length) {
    throw new StoreUnusable(
      `database "${name}" is from an older version (migration ${migration} of ${MIGRATIONS.length}); bring it up to date by importing a site log`,
    );
  }
}

/** Connects to the primary of a database to read all of it. @throws {StoreUnusable} if there is none, or the tables are missing or of another version */
export async function openPrimaryToRead(database: string): Promise<PrimaryWrites> {
  const writes = await openWrites(database);
  try {
    const name = shownDatabase(database);
    checkCurrent(name, await writes.unlocked((transaction) => checkedMigration(name, transaction)));
    return writes;
  } catch (error) {
    await writes.close();
    throw error;
  }
}

/**
 * Opens a database for reading. Each read sees what was committed, and never less than an earlier one of this reader.
 * @throws {StoreUnusable} if no server can be reached, or the tables are missing or of another version
 */
export async function openReader(database: string, options: ReaderOptions): Promise<StoreReader> {
  const servers = await openServers(database, options);
  const name = shownDatabase(database);
  try {
    checkCurrent(name, await servers.readUnrevised((session) => checkedMigration(name, session)));
    return new PostgresReader(servers);
  } catch (error) {
    await servers.close();
    throw error;
  }
}

/**
 * Connects to the primary of a database. Creates its tables, and brings them to the last migration.
 * @throws {StoreUnusable} if there is no primary, or the tables are locked or of a newer version
 */
export async function openMigrated(database: string, options: WriterOptions): Promise<PrimaryWrites> {
  const { dryRun = false, create = true, patience = PATIENCE } = options;
  const writes = await openWrites(database, { dryRun, patience });
  const name = shownDatabase(database);
  try {
    const migration = await writes.unlocked((transaction) => checkedMigration(name, transaction));
    if (migration === 0 && !create) throw emptyDatabase(name);
    if (migration === 0) await writes.unlocked((transaction) => checkEncoding(name, transaction));
    if (migration < MIGRATIONS.length) await migrate((work) => writes.unlocked(work));
    await writeDocuments(writes);
    return writes;
  } catch (error) {
    await writes.close();
    throw error;
  }
}

/** Opens a database for importing, as {@link openMigrated} does. @throws {StoreUnusable} */
export const openWriter = async (database: string, options: WriterOptions): Promise<StoreWriter> =>
  new PostgresWriter(await openMigrated(database, options));
