import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { buildApp } from '../../src/http/app.js';
import { readAsImported } from '../../src/import-site-logs.js';
import { openReader } from '../../src/store/open.js';
import { StoreUnusable } from '../../src/store/store.js';
import { rebuild, verifyDatabase } from '../../src/store/upkeep/maintenance.js';
import { createNetworkWithHistory } from '../network-with-history.js';
import type { Campaign } from './campaign.js';
import { CONTRACT_FOLDER } from './processes.js';
import type { Random } from './random.js';

/** How often to try another corruption if SQLite refuses one. */
const TRIES = 50;

type Cell = string | number | Buffer | null;
type Row = Record<string, Cell>;

/** Requests that read every row, in several orders and at several times. */
function urlsOf(database: string): string[] {
  const db = new Database(database, { readonly: true });
  const ids = db.prepare<[], string>('SELECT DISTINCT coalesce(nine_character_id, four_character_id) FROM site').pluck().all();
  db.close();
  const lookup = '/setups/search/findCurrentByFourCharacterId';
  return [
    ...[...ids, 'DDDD', 'NONE'].flatMap((id) => [
      `${lookup}?id=${id}`,
      `${lookup}?id=${id}&projection=provenance&asOf=2026-01-03`,
      `/setups/search/findAtByFourCharacterId?id=${id}&at=2003-06-01&asOf=2026-01-02T12:00:00Z`,
      `/corsSites/search/findByFourCharacterId?id=${id}`,
      `/sites/${id}`,
      `/sites/${id}/log`,
    ]),
    '/setups?size=1000&projection=provenance',
    '/setups?size=100&current=true&sort=effectivePeriod.to,desc',
    '/setups?size=100&invalidated=true&sort=siteId',
    '/equipment?size=1000&projection=installations',
    '/equipment?size=100&sort=manufacturer',
    '/gnssReceivers?type=R2',
    '/gnssAntennas?size=100&sort=serialNumber,desc',
    '/equipment/search/findBySerialNumber?serialNumber=SHARED',
    '/changes?size=1000',
    '/changes?equipmentType=gnss%20antenna&size=100',
    '/corsSites?size=100&sort=fourCharacterId,desc',
    '/siteLogs?size=100',
    '/sites?q=r2',
    '/sites',
    '/receivers',
    '/antennas',
    '/ready',
  ];
}

/** A service in this process, which follows changes of its database file. */
async function serve(database: string) {
  const store = await openReader(database);
  const app = await buildApp({ store, contractFolder: CONTRACT_FOLDER });
  const answers = async (urls: string[]): Promise<string[]> => {
    // This request checks the file now.
    await app.inject('/ready');
    const bodies: string[] = [];
    for (const url of urls) {
      const { statusCode, body } = await app.inject(url);
      // Each error has its own id, and the drawings in pages grow with time.
      const same = body.replace(/"instance":"[^"]*"/, '').replace(/="[\d.]+%"/g, '=""');
      bodies.push(statusCode >= 500 ? String(statusCode) : `${statusCode} ${same}`);
    }
    return bodies;
  };
  return { answers, close: async () => void (await app.close(), await store.close()) };
}

function otherValue(random: Random, value: Cell): Cell {
  if (Buffer.isBuffer(value)) {
    const bytes = Buffer.from(value);
    bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
    return bytes;
  }
  if (value === null) return random.pick<Cell>(['x', '2026-01-05T00:00:00.000Z', 1]);
  if (random.chance(0.1)) return null;
  if (typeof value === 'number') return random.chance(0.5) ? value + 1 - 2 * random.below(2) : 1 - value;
  if (value === '') return 'x';
  const at = random.below(value.length);
  return value.slice(0, at) + String.fromCharCode(value.charCodeAt(at) ^ (1 + random.below(7))) + value.slice(at + 1);
}

/** Changes, deletes or duplicates one row. Returns what was done; null if SQLite refuses it. */
function corruptRow(random: Random, db: Database.Database): string | null {
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'").pluck().all();
  const table = random.pick(tables);
  const rows = db.prepare<[], Row>(`SELECT * FROM ${table}`).all();
  if (rows.length === 0) return null;
  const row = random.pick(rows);
  const columns = Object.keys(row);
  const primary = (db.pragma(`table_info(${table})`) as { name: string; pk: number }[]).filter(({ pk }) => pk > 0);
  const key = primary.length === 0 ? columns : primary.map(({ name }) => name);
  const where = key.map((column) => `${column} IS :${column}`).join(' AND ');
  const column = random.pick(columns);
  const kind = random.pick(['changed', 'changed', 'changed', 'deleted', 'duplicated']);
  const statements: Record<string, string> = {
    changed: `UPDATE ${table} SET ${column} = :other_value WHERE ${where}`,
    deleted: `DELETE FROM ${table} WHERE ${where}`,
    duplicated: `INSERT INTO ${table} VALUES (${columns.map((each) => `:${each}`).join(', ')})`,
  };
  const copy = { ...row };
  if (kind === 'duplicated')
    for (const each of key) copy[each] = typeof row[each] === 'number' ? Number(row[each]) + 1000 : `${String(row[each])}x`;
  try {
    db.prepare(statements[kind]!).run({ ...copy, other_value: otherValue(random, row[column]!) });
    return `${table} ${key.map((each) => String(row[each]).slice(0, 20)).join(', ')}: ${kind === 'changed' ? column : kind}`;
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    return null;
  }
}

/** Corrupts a row. Returns what was done. */
function corruptRows(random: Random, file: string): string {
  const db = new Database(file);
  try {
    db.pragma('foreign_keys = OFF');
    db.pragma('ignore_check_constraints = ON');
    for (let tries = 0; tries < TRIES; tries++) {
      const what = corruptRow(random, db);
      if (what !== null) return what;
    }
    throw new Error('no corruption was possible');
  } finally {
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
  }
}

/** Changes one or more bytes of the file. Returns what was done. */
function corruptBytes(random: Random, file: string): string {
  const bytes = readFileSync(file);
  const at = random.below(bytes.length);
  const count = random.few(8);
  for (let index = at; index < Math.min(at + count, bytes.length); index++) bytes[index]! ^= 1 + random.below(255);
  writeFileSync(file, bytes);
  return `${count} bytes at ${at} of ${bytes.length}`;
}

/**
 * Corrupts a database. Verify must find everything that changes an answer, and rebuild must repair it, or report it as
 * damage to an original or to what no log gives. What it repairs must not change answers.
 */
export async function corrupt(campaign: Campaign, cases: number): Promise<void> {
  const folder = join(campaign.folder, 'corruptions');
  mkdirSync(folder);
  const network = await createNetworkWithHistory(folder);
  const urls = urlsOf(network);
  new Database(network).pragma('wal_checkpoint(TRUNCATE)');
  const [database, copy] = ['serving', 'copy'].map((name) => join(folder, `${name}.sqlite`)) as [string, string];
  /** Puts a copy of the network, corrupted, in place of the one that is served. */
  const put = (corruptFile: (file: string) => string): string => {
    copyFileSync(network, copy);
    const what = corruptFile(copy);
    for (const file of [copy, database]) for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
    renameSync(copy, database);
    return what;
  };
  put(() => '');
  const service = await serve(database);
  const expected = await service.answers(urls);
  const differing = async (): Promise<string[]> => {
    const answers = await service.answers(urls);
    return urls.filter((_, index) => answers[index] !== expected[index]);
  };
  const seen = new Map<string, number>();
  const count = (what: string): string[] => {
    seen.set(what, (seen.get(what) ?? 0) + 1);
    return [];
  };
  await campaign.cases('corruptions', { cases }, async (random, number) => {
    const what = put((file) => (number % 4 === 3 ? corruptBytes(random, file) : corruptRows(random, file)));
    const changed = await differing();
    try {
      const { problems, toDeriveAgain } = await verifyDatabase(database, readAsImported);
      if (problems.length + toDeriveAgain.length === 0) {
        if (changed.length === 0) return count('without effect');
        return [`${what}: verify found nothing, but ${changed.length} answers changed, first ${changed[0]}`];
      }
      const { problems: left } = await rebuild(database, readAsImported);
      const still = await differing();
      if (left.some(({ repairable }) => !repairable)) return count('reported');
      if (still.length > 0) return [`${what}: after rebuild, ${still.length} answers differ, first ${still[0]}`];
      const again = (await verifyDatabase(database, readAsImported)).problems;
      return again.length > 0 ? [`${what}: after rebuild, verify found: ${again[0]!.text}`] : count('repaired');
    } catch (error) {
      if (error instanceof StoreUnusable) return count('no database any more');
      throw new Error(what, { cause: error });
    }
  });
  await service.close();
  campaign.note('corruptions', [...seen].map(([what, times]) => `${times} ${what}`).join(', '));
}
