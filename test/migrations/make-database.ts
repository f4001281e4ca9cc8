import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { Command } from '../recording/command.js';
import { logText, type SyntheticLog } from '../synthetic-log.js';

/**
 * `npm run make-old-database -- CHECKOUT NAME` lets the built command of an earlier revision make a
 * database of synthetic logs, with corrections, and writes it as SQL beside this file. The tests of
 * migrations begin with it. The revision of a migration is checked out once, beside this checkout:
 * `git worktree add ../before REVISION`, `npm ci` and `npm run build` there.
 */

const RECEIVER = { type: 'LEICA GR10', serial: '1700001', from: '2010-01-02T00:00Z' };
const ANTENNA = { type: 'LEIAR25.R4      NONE', serial: '725001', from: '2010-01-02T00:00Z' };
const NEW_RECEIVER = { type: 'LEICA GR50', serial: '1830009', from: '2019-05-01T00:00Z' };

/** A log with a receiver. */
const station = (id: string, prepared: string, more: SyntheticLog = {}): SyntheticLog => ({
  id,
  prepared,
  name: `Station ${id}`,
  receivers: [{ ...RECEIVER, serial: `1700${id}` }],
  ...more,
});

/** The logs, by the names of their files. */
const LOGS: Record<string, SyntheticLog> = {
  'alfa_20180101.log': station('ALFA', '2018-01-01', {
    agency: 'First Agency',
    antennas: [ANTENNA],
  }),
  'alfa_20190601.log': station('ALFA', '2019-06-01', {
    agency: 'Second Agency',
    antennas: [ANTENNA],
    receivers: [{ ...RECEIVER, serial: '1700ALFA', to: '2019-05-01T00:00Z' }, NEW_RECEIVER],
  }),
  // A later import than that of the newer log.
  'alfa_20150101.log': station('ALFA', '2015-01-01', { agency: 'Former Agency' }),
  // Dates that are no dates, a device without a serial number, and one that is elsewhere, too.
  'bravo_20180101.log': station('BRAV00AUS', '2018-01-01', {
    country: 'Australia',
    place: { 'Latitude (N is +)': '-3x.5', 'X coordinate (m)': '1' },
    receivers: [
      { type: 'TRIMBLE NETR9', serial: '', from: '2011-01-01T00:00Z', to: '2012-13-45T00:00Z' },
      { ...RECEIVER, serial: '1700ALFA', from: '2013-01-01T00:00Z' },
    ],
  }),
  'cloc_20180101.log': station('CLOC', '2018-01-01', {
    clocks: ['EXTERNAL CESIUM', 'H-MASER', 'EXTERNAL H-MASER', 'EXTERNAL RUBIDIUM'].map((type) => ({
      type,
      from: '2001-01-01',
      to: '(CCYY-MM-DD)',
    })),
  }),
  'delt_20180101.log': station('DELT', '2018-01-01'),
  'delt_20190101.log': station('DELT', '2019-01-01', { receivers: [NEW_RECEIVER] }),
  'echo_20180101.log': station('ECHO', '2018-01-01', {
    sensors: [{ type: 'MET4', serial: '77', from: '2010-01-01', to: '(CCYY-MM-DD)' }],
  }),
  'foxt_20180101.log': station('FOXT', '2018-01-01'),
  'golf_20180101.log': station('GOLF', '2018-01-01'),
  'hotl_20180101.log': station('HOTL', '2018-01-01'),
  // After the clock of its import.
  'indi_20991231.log': station('INDI', '2099-12-31'),
};

/** The commands that make the database, each a minute after the one before. */
const STEPS = [
  'import alfa_20180101.log bravo_20180101.log cloc_20180101.log delt_20180101.log',
  'import echo_20180101.log foxt_20180101.log golf_20180101.log hotl_20180101.log',
  'import alfa_20190601.log delt_20190101.log indi_20991231.log',
  'import alfa_20150101.log',
  'log withdraw DELT delt_20190101.log',
  'log withdraw GOLF golf_20180101.log',
  'log restore GOLF golf_20180101.log',
  'log withdraw HOTL hotl_20180101.log',
  'site rename ECHO ECHU',
  'site retire FOXT',
  'site retire GOLF',
  'site unretire GOLF',
  'import no-log.log',
];
const BEGIN = '2020-02-01T00:00:00.000Z';
const MINUTE = 60_000;

/** What the script needs of the modules of an earlier revision. */
interface OldStore {
  creationsOf: (types: object, options: string) => { name: string; statement: string }[];
  TABLE_NAMES: string[];
  POSTGRES: { types: object; tableOptions: string };
  CREATE_MARK: { sql: string }[];
}

/** A value as SQL of SQLite. */
function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString('hex').toUpperCase()}'`;
  return String(value);
}

/** The statements that add all rows of a table; none if there are no rows. */
function insertion(db: Database.Database, table: string): string[] {
  const rows = db.prepare<[], object>(`SELECT * FROM ${table} ORDER BY 1, 2`).all();
  if (rows.length === 0) return [];
  const values = rows.map((row) => `(${Object.values(row).map(literal).join(',')})`);
  const columns = Object.keys(rows[0]!).join(', ');
  return [`INSERT INTO ${table} (${columns}) VALUES\n${values.join(',\n')}`];
}

async function oldStore(checkout: string): Promise<OldStore> {
  const modules = ['schema', 'dialect', 'postgres/mark'].map(
    (name) => import(pathToFileURL(join(checkout, 'dist', 'src', 'store', `${name}.js`)).href),
  );
  return Object.assign({}, ...(await Promise.all(modules))) as OldStore;
}

/** Makes the database. */
async function make(checkout: string, folder: string): Promise<string> {
  for (const [name, log] of Object.entries(LOGS)) writeFileSync(join(folder, name), logText(log));
  writeFileSync(join(folder, 'no-log.log'), 'These are notes.\n');
  const command = new Command(checkout, folder);
  for (const [index, step] of STEPS.entries()) {
    const clock = new Date(Date.parse(BEGIN) + index * MINUTE).toISOString();
    const { code, stderr } = await command.run(
      [...step.split(' '), '--database', 'old.sqlite'],
      clock,
    );
    const expected = step.endsWith('no-log.log') ? 1 : 0;
    if (code !== expected) throw new Error(`${step} ended with ${code}: ${stderr.toString()}`);
  }
  return join(folder, 'old.sqlite');
}

/** The cursors of the feed, as the earlier revision publishes them, in order. */
async function cursorsOf(checkout: string, folder: string): Promise<string[]> {
  const server = await new Command(checkout, folder).serve('old.sqlite', BEGIN);
  try {
    const answer = await fetch(`http://127.0.0.1:${server.port}/feed?size=100`);
    const { _embedded } = (await answer.json()) as { _embedded: { entries: { id: string }[] } };
    return _embedded.entries.map(({ id }) => id);
  } finally {
    await server.stop();
  }
}

/** Writes statements to a file beside this one. */
const write = (name: string, statements: readonly string[]): void =>
  writeFileSync(join(import.meta.dirname, name), statements.map((each) => `${each};\n`).join(''));

const [given, name] = process.argv.slice(2);
if (given === undefined || name === undefined) {
  process.stderr.write('Usage: npm run make-old-database -- CHECKOUT NAME\n');
  process.exit(2);
}
const checkout = resolve(given);
const folder = mkdtempSync(join(tmpdir(), 'old-database-'));
try {
  const file = await make(checkout, folder);
  const cursors = await cursorsOf(checkout, folder);
  const { creationsOf, TABLE_NAMES, POSTGRES, CREATE_MARK } = await oldStore(checkout);
  const db = new Database(file, { readonly: true });
  const mark = db.prepare<[], string>('SELECT text_version FROM gnss_site_setups').pluck().get()!;
  const own = db
    .prepare<[], string>(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'",
    )
    .pluck()
    .all();
  const id = db.pragma('application_id', { simple: true }) as number;
  write(`${name}.sqlite.sql`, [
    `PRAGMA application_id = ${id}`,
    ...own,
    `INSERT INTO gnss_site_setups VALUES (1, ${mark})`,
  ]);
  write(`${name}.postgres.sql`, [
    ...CREATE_MARK.map(({ sql }) => sql),
    ...creationsOf(POSTGRES.types, POSTGRES.tableOptions).map(({ statement }) => statement),
    `UPDATE gnss_site_setups SET migration = 1, text_version = ${mark}, revision = 1`,
  ]);
  write(
    `${name}.sql`,
    TABLE_NAMES.flatMap((table) => insertion(db, table)).map((each) =>
      each.replaceAll(folder, '/logs'),
    ),
  );
  writeFileSync(
    join(import.meta.dirname, `${name}.json`),
    `${JSON.stringify({ cursors }, null, 2)}\n`,
  );
  db.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
