import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import t from 'tap';
import { findSiteLogFiles, type ImportedFile, importSiteLogs, readStoredLog } from '../../../src/import-site-logs.js';
import { parseSiteId } from '../../../src/requests/site-id.js';
import { openReader, openWriter } from '../../../src/store/open.js';
import type { Correction } from '../../../src/store/save/corrections.js';
import { TABLE_NAMES, TABLES } from '../../../src/store/schema.js';
import { readContents } from '../../../src/store/upkeep/contents.js';
import { logText, SAMPLE } from '../../helper.js';
import { createDatabase } from '../../postgres/database.js';

const folder = t.testdir({ logs: {} });
const file = join(folder, 'test.sqlite');
const database = await createDatabase(t);

const receiver = (type: string, serial: string, from: string, to?: string) => ({ type, serial, from, ...(to === undefined ? {} : { to }) });
const clock = { type: 'INTERNAL', from: '2001-01-01' };
/** Logs whose order and content lead to every outcome, also among the logs of one transaction. */
const LOGS = [
  { id: 'AAAA', prepared: '2020-01-01', receivers: [receiver('A', '1', '2001-01-01', '2003-01-01'), receiver('B', '2', '2003-01-01')] },
  { id: 'AAAA', prepared: '2021-01-01', receivers: [receiver('A', '1', '2001-01-01', '2004-01-01'), receiver('B', '2', '2004-01-01')] },
  { id: 'AAAA', prepared: '2019-01-01', receivers: [receiver('C', '3', '2001-01-01')] },
  { id: 'AAAA', prepared: '2109-01-01', receivers: [receiver('D', '4', '2001-01-01')] },
  { id: 'BBBB00AUS', prepared: '2020-01-01', receivers: [receiver('A', '1', '2002-01-01')], clocks: [clock] },
  { id: 'BBBB00NZL', prepared: '2020-01-01', receivers: [receiver('B', '0000', '2002-01-01')], clocks: [clock] },
  { id: 'BBBB', prepared: '2022-01-01' },
  { id: 'AAAA00AUS', prepared: '2022-01-01', receivers: [receiver('B', '2', '2004-01-01')], clocks: [clock] },
  { id: 'CCCC', prepared: 'nonsense', name: 'Caf\u00e9 \u{1f6f0}', receivers: [receiver('A', '1', '2005-01-01', '2006-01-01')] },
];
const CORRECTIONS: [site: string, correction: Correction][] = [
  ['AAAA', { kind: 'withdraw', log: 16 }],
  ['AAAA', { kind: 'withdraw', log: 99 }],
  ['AAAA', { kind: 'restore', log: 16 }],
  ['CCCC', { kind: 'rename', to: parseSiteId('DDDD00AUS') }],
  ['CCCC', { kind: 'retire' }],
  ['BBBB', { kind: 'retire' }],
  ['BBBB00NZL', { kind: 'retire' }],
  ['BBBB', { kind: 'unretire' }],
  ['BBBB00NZL', { kind: 'unretire' }],
  ['BBBB00NZL', { kind: 'rename', to: parseSiteId('AAAA00AUS') }],
  ['DDDD', { kind: 'rename', to: parseSiteId('CCCC00AUS') }],
  ['ALIC', { kind: 'retire' }],
];

/** Imports and corrects the same in a database. @returns all outcomes */
async function write(target: string): Promise<unknown[]> {
  let seconds = 0;
  const now = (): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++));
  const outcomes: unknown[] = [];
  const importPaths = async (paths: string[], dryRun = false): Promise<void> => {
    const store = await openWriter(target, { dryRun });
    const onFile = (imported: ImportedFile): unknown => outcomes.push(imported);
    outcomes.push(await importSiteLogs(await findSiteLogFiles(paths), store, now, onFile).finally(() => store.close()));
  };
  const logs = join(folder, 'logs');
  LOGS.forEach((log, index) => writeFileSync(join(logs, `${index}.log`), logText(log)));
  writeFileSync(join(logs, 'null.log'), logText({ id: 'NULL', name: 'a\0b', receivers: [receiver('A\0', '\0', '2001-01-01')] }));
  await importPaths([SAMPLE]);
  await importPaths([logs], true);
  await importPaths([logs]);
  await importPaths([logs, SAMPLE]);
  for (const dryRun of [true, false]) {
    for (const [site, correction] of CORRECTIONS) {
      const store = await openWriter(target, { dryRun, create: false });
      outcomes.push(await store.correct(parseSiteId(site), correction, now(), readStoredLog).finally(() => store.close()));
    }
  }
  await importPaths([logs, SAMPLE]);
  const store = await openWriter(target);
  const sha256s = Array.from({ length: 10_010 }, (_, index) => String(index).padStart(64, '0'));
  await store.rememberRejected([...sha256s.slice(0, 20), ...sha256s.slice(0, 3)], new Date('2026-01-01'));
  await store.rememberRejected(sha256s.slice(10), new Date('2026-01-02'));
  outcomes.push(await Promise.all([0, 9, 10, 11, 10_009].map((index) => store.wasRejected(sha256s[index]!))));
  await store.close();
  return outcomes;
}

/** All rows of all tables, in the order of their keys. A count of nothing may be a row in one engine only. */
const rowsOf = (of: string): Promise<Record<string, unknown[]>> =>
  readContents(of, async (db) => {
    const rows: Record<string, unknown[]> = {};
    for (const table of TABLE_NAMES) {
      const order = raw((TABLES[table].key as readonly string[]).join(', '));
      rows[table] = (await db.all<{ devices?: number }>(sql`SELECT * FROM ${raw(table)} ORDER BY ${order}`))
        .filter(({ devices, ...row }) => devices !== 0 || Object.values(row).some((value) => typeof value === 'number' && value !== 0))
        .map((row) => ({ ...row }));
    }
    return rows;
  });

t.test('both engines write the same rows, and report the same, for the same imports and corrections', async (t) => {
  const [one, other] = [await write(file), await write(database)];
  t.same(other, one);
  const kinds = JSON.stringify(one);
  for (const kind of [
    '"outcome":"saved"',
    '"outcome":"older"',
    '"outcome":"rejected"',
    '"outcome":"unchanged"',
    '"kind":"corrected"',
    '"refused"',
    '"ambiguous-site"',
  ])
    t.ok(kinds.includes(kind), kind);
  const [expected, found] = [await rowsOf(file), await rowsOf(database)];
  for (const table of TABLE_NAMES) t.same(found[table], expected[table], table);
});

t.test('an import that changes nothing leaves the revision, so that caches stay', async (t) => {
  const reader = await openReader(database);
  const version = await reader.database.version();
  const store = await openWriter(database);
  await importSiteLogs(
    await findSiteLogFiles([SAMPLE]),
    store,
    () => new Date(),
    () => undefined,
    { recordImport: false },
  );
  t.equal(await reader.database.version(), version);
  await store.saveLastImport({ finishedAt: '2026-01-01T00:00:00Z', saved: 0, unchanged: 8, outdated: 0, rejected: 0, skipped: 0 });
  t.not(await reader.database.version(), version);
  await store.close();
  await reader.close();
});
