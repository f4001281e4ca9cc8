import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { rereading } from '../../src/cli/upkeep.js';
import { buildApp } from '../../src/http/app.js';
import { readStoredLog } from '../../src/import-site-logs.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import type { Correction } from '../../src/store/save/corrections.js';
import { openReader, openWriter } from '../../src/store/open.js';
import { rebuild } from '../../src/store/upkeep/rebuild.js';
import { verifyDatabase } from '../../src/store/upkeep/verify.js';
import { StoreUnusable } from '../../src/store/store.js';
import { importInto, logText } from '../helper.js';
import type { Given } from './campaign.js';
import { runCases } from './cases.js';
import { CONTRACT_FOLDER, SAMPLE_LOGS } from './processes.js';
import { type Random, randomOf } from './random.js';

/** How often to try another corruption if SQLite refuses one. */
const TRIES = 50;

type Cell = string | number | Buffer | null;
type Row = Record<string, Cell>;

/** Creates a database with a history: logs in several versions, and each kind of correction. */
export async function createNetworkWithHistory(folder: string): Promise<string> {
  const database = join(folder, 'network.sqlite');
  let day = 0;
  const now = (): Date => new Date(Date.UTC(2026, 0, ++day));
  await importInto(database, [SAMPLE_LOGS], now());
  for (const version of [1, 2, 3]) {
    const logs = join(folder, `logs-${version}`);
    mkdirSync(logs);
    for (const id of ['AAAA', 'BBBB', 'CCCC00AUS', 'CCCC00CAN', 'DDDD00AUS']) {
      // The device SHARED is at several Sites at once; the antenna changes with each version.
      const receivers = [
        { type: 'R1', serial: `${id}-1`, from: '2001-01-01', to: `200${3 + version}-01-01` },
        { type: 'R2', serial: 'SHARED', from: `200${3 + version}-01-01` },
      ];
      const antennas = [
        { type: `A${version}`, serial: `${id}-${version}`, from: '2002-01-01' },
        { type: 'A0', from: 'yesterday', to: '2002-01-01' },
      ];
      const sensors = [{ type: 'H', serial: id, from: '2003-01-01', more: version > 1 ? { '  Aspiration': 'FAN' } : {} }];
      const log = logText({
        id,
        prepared: `202${version}-01-01`,
        name: `${id} ${version}`,
        receivers,
        antennas,
        sensors,
        clocks: [{ type: 'INTERNAL', from: '2001-01-01' }],
      });
      writeFileSync(join(logs, `${id}_${version}.log`), log);
    }
    await importInto(database, [logs], now());
  }
  const current = (site: string): number => {
    const db = new Database(database, { readonly: true });
    const sql =
      'SELECT site_log.id FROM site_log JOIN site ON site.id = site_id WHERE superseded_at IS NULL AND site.four_character_id = ?';
    const found = db.prepare<[string], number>(sql).pluck().get(site.slice(0, 4))!;
    db.close();
    return found;
  };
  const correct = async (site: string, correction: Correction): Promise<void> => {
    const store = await openWriter(database);
    const outcome = await store.correct(parseSiteId(site), correction, now(), readStoredLog).finally(() => store.close());
    if (outcome.kind !== 'corrected') throw new Error(JSON.stringify(outcome));
  };
  const wrong = current('AAAA');
  await correct('AAAA', { kind: 'withdraw', log: wrong });
  await correct('BBBB', { kind: 'withdraw', log: current('BBBB') });
  await correct('AAAA', { kind: 'restore', log: wrong });
  await correct('DDDD00AUS', { kind: 'rename', to: parseSiteId('EEEE00AUS') });
  await correct('CCCC00CAN', { kind: 'retire' });
  await correct('EEEE00AUS', { kind: 'retire' });
  await correct('EEEE00AUS', { kind: 'unretire' });
  return database;
}

/** Requests of every operation, and of every row. */
function urlsOf(database: string): string[] {
  const db = new Database(database, { readonly: true });
  const lastIds = new Map(
    ['setup', 'equipment', 'site'].map((table) => [table, db.prepare<[], number>(`SELECT max(id) FROM ${table}`).pluck().get()!]),
  );
  // One more than there are, where a duplicate would be.
  const each = (table: string, url: (id: number) => string): string[] =>
    Array.from({ length: lastIds.get(table)! + 1 }, (_, id) => url(id + 1));
  const ids = db.prepare<[], string>('SELECT DISTINCT coalesce(nine_character_id, four_character_id) FROM site').pluck().all();
  const fours = [...new Set([...ids.map((id) => id.slice(0, 4)), 'DDDD', 'NONE'])];
  db.close();
  const kinds = ['gnssReceivers', 'gnssAntennas', 'humiditySensors', 'clocks', 'equipment'];
  return [
    ...each('setup', (id) => `/setups/${id}?projection=provenance`),
    ...each('equipment', (id) => `/equipment/${id}?projection=installations`),
    ...each('site', (id) => `/corsSites/${id}`),
    ...each('site', (id) => `/setups/search/findBySiteId?siteId=${id}&size=100`),
    ...[...ids, ...fours].flatMap((id) => [
      `/setups/search/findCurrentByFourCharacterId?id=${id}`,
      `/setups/search/findCurrentByFourCharacterId?id=${id}&projection=provenance&asOf=2026-01-03`,
      `/setups/search/findAtByFourCharacterId?id=${id}&at=2003-06-01&projection=provenance`,
      `/setups/search/findAtByFourCharacterId?id=${id}&at=2003-06-01&asOf=2026-01-02T12:00:00Z`,
      `/setups/search/findByFourCharacterId?id=${id}&effectiveFrom=2002-01-01&effectiveTo=2010-01-01&timeFormat=uuuu-MM-dd`,
      `/setups/search/findChangesByFourCharacterId?id=${id}&size=100`,
      `/corsSites/search/findByFourCharacterId?id=${id}`,
      `/sites/${id}`,
      `/sites/${id}/log`,
    ]),
    `/setups/search/findCurrentByFourCharacterIdIn?${fours.map((id) => `id=${id}`).join('&')}`,
    `/setups/search/findAtByFourCharacterIdIn?at=2005-01-01&${fours.map((id) => `id=${id}`).join('&')}`,
    ...kinds.flatMap((kind) => [
      `/${kind}?size=100&projection=installations`,
      `/${kind}?size=100&sort=serialNumber,desc`,
      `/${kind}?size=100&sort=manufacturer`,
      `/${kind}?type=R2`,
      `/${kind}?serialNumber=SHARED`,
    ]),
    ...kinds.slice(0, 3).map((kind) => `/${kind}/1/installations`),
    ...['', '&current=true', '&invalidated=true', '&sort=effectivePeriod.from', '&sort=effectivePeriod.to,desc', '&sort=siteId'].map(
      (more) => `/setups?size=100&projection=provenance${more}`,
    ),
    '/changes?size=100',
    '/changes?size=100&page=1',
    '/changes?equipmentType=gnss%20antenna&size=100',
    ...['name', 'fourCharacterId,desc', 'domesNumber'].map((sort) => `/corsSites?size=100&sort=${sort}`),
    '/corsSites/search/findByEquipmentTypeAt?type=R2&at=2010-01-01',
    '/equipment/search/findBySerialNumber?serialNumber=SHARED',
    '/sites?q=r2',
    '/sites',
    '/receivers',
    '/antennas',
    '/ready',
    '/',
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

/** Changes, deletes or duplicates one row. Returns what was done. */
function corruptRow(random: Random, file: string): { row: string; what: string } {
  const db = new Database(file);
  try {
    db.pragma('foreign_keys = OFF');
    db.pragma('ignore_check_constraints = ON');
    const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'").pluck().all();
    for (let tries = 0; tries < TRIES; tries++) {
      const table = random.pick(tables);
      const rows = db.prepare<[], Row>(`SELECT * FROM ${table}`).all();
      if (rows.length === 0) continue;
      const row = random.pick(rows);
      const columns = Object.keys(row);
      const key = (db.pragma(`table_info(${table})`) as { name: string; pk: number }[]).filter(({ pk }) => pk > 0).map(({ name }) => name);
      const where = (key.length === 0 ? columns : key).map((column) => `${column} IS :${column}`).join(' AND ');
      const kind = random.pick(['value', 'value', 'value', 'deleted', 'duplicated']);
      const describe = key.length === 0 ? '' : key.map((column) => String(row[column])).join(', ');
      try {
        if (kind === 'deleted') db.prepare(`DELETE FROM ${table} WHERE ${where}`).run(row);
        else if (kind === 'duplicated') {
          const copy = { ...row };
          for (const column of key)
            copy[column] =
              typeof row[column] === 'number' ? Math.max(...rows.map((each) => each[column] as number)) + 1 : `${String(row[column])}x`;
          db.prepare(`INSERT INTO ${table} VALUES (${columns.map((column) => `:${column}`).join(', ')})`).run(copy);
        } else {
          const column = random.pick(columns);
          db.prepare(`UPDATE ${table} SET ${column} = :other_value WHERE ${where}`).run({
            ...row,
            other_value: otherValue(random, row[column]!),
          });
          return { row: 'a changed value', what: `${table} ${describe}: ${column}` };
        }
        return { row: `a row ${kind}`, what: `${table} ${describe} ${kind}` };
      } catch (error) {
        if (!(error instanceof Database.SqliteError)) throw error;
      }
    }
    throw new Error('no corruption was possible');
  } finally {
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
  }
}

/** Flips bits in one or more bytes of the file. */
function corruptBytes(random: Random, file: string): { row: string; what: string } {
  const bytes = readFileSync(file);
  const at = random.below(bytes.length);
  const count = random.few(8);
  for (let index = at; index < Math.min(at + count, bytes.length); index++) bytes[index]! ^= 1 + random.below(255);
  writeFileSync(file, bytes);
  return { row: 'bytes of the file', what: `${count} bytes at ${at} of ${bytes.length}` };
}

/**
 * Corrupts a database. Verify must find everything that changes an answer, and rebuild must repair it, or report it as
 * damage to an original or to what no log gives. What it repairs must not change answers.
 */
export async function corrupt(given: Pick<Given<string>, 'tally' | 'seed' | 'repeat' | 'only' | 'folder'>, cases: number): Promise<void> {
  const { tally, seed, repeat } = given;
  const folder = join(given.folder, 'corruptions');
  mkdirSync(folder);
  const network = await createNetworkWithHistory(folder);
  const urls = urlsOf(network);
  const database = join(folder, 'serving.sqlite');
  const put = (file: string): void => {
    for (const end of ['-wal', '-shm']) rmSync(database + end, { force: true });
    renameSync(file, database);
  };
  const template = join(folder, 'template.sqlite');
  const clean = new Database(network);
  clean.pragma('wal_checkpoint(TRUNCATE)');
  clean.close();
  copyFileSync(network, template);
  put(template);
  const service = await serve(database);
  const expected = await service.answers(urls);
  const seen = new Map<string, number>();
  const note = (row: string, what: string): void => void seen.set(`${row}\0${what}`, (seen.get(`${row}\0${what}`) ?? 0) + 1);
  await runCases(given, { cases, seconds: Infinity }, 1, async (number) => {
    const random = randomOf(seed, 'corruptions', number);
    const copy = join(folder, 'copy.sqlite');
    copyFileSync(network, copy);
    const { row, what } = number % 4 === 3 ? corruptBytes(random, copy) : corruptRow(random, copy);
    for (const end of ['-wal', '-shm']) rmSync(copy + end, { force: true });
    put(copy);
    tally.tried(row);
    const fail = (text: string): void => tally.failed(row, `${what}: ${text}`, repeat('corruptions', number));
    const differing = (answers: string[]): string[] => urls.filter((_, index) => answers[index] !== expected[index]);
    const changed = differing(await service.answers(urls));
    try {
      const { problems, toDeriveAgain } = await verifyDatabase(database, rereading);
      if (problems.length + toDeriveAgain.length === 0) {
        if (changed.length > 0) fail(`verify found nothing, but ${changed.length} answers changed, first ${changed[0]}`);
        return note(row, changed.length > 0 ? 'not found' : 'without effect');
      }
      const rebuilding = await rebuild(database, rereading);
      const lost = rebuilding.problems.filter(({ repairable }) => !repairable);
      const still = differing(await service.answers(urls));
      if (lost.length > 0)
        return note(row, lost.some(({ text }) => text.includes('original')) ? 'damaged original, reported' : 'lost, reported');
      if (still.length > 0)
        return fail(
          `after rebuild, ${still.length} answers differ, first ${still[0]}; found: ${problems[0]?.text ?? toDeriveAgain.join()}`,
        );
      const again = (await verifyDatabase(database, rereading)).problems;
      if (again.length > 0) return fail(`after rebuild, verify found: ${again[0]!.text}`);
      note(row, changed.length > 0 ? 'changed answers, repaired' : 'changed no answer, repaired');
    } catch (error) {
      if (!(error instanceof StoreUnusable)) return fail(`${(error as Error).stack}`);
      note(row, 'not a database any more, reported');
    }
  });
  await service.close();
  for (const [key, times] of seen) {
    const [row, what] = key.split('\0');
    tally.note(row!, `${times} ${what}`);
  }
}
