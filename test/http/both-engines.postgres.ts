import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { findSiteLogFiles, importSiteLogs, readStoredLog } from '../../src/import-site-logs.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import type { Correction } from '../../src/store/save/corrections.js';
import { openReader, openWriter } from '../../src/store/open.js';
import { TABLE_NAMES } from '../../src/store/schema.js';
import { hostileText } from '../hostile-logs.js';
import { REAL_LOGS, SAMPLE, withRealLogs } from '../project-files.js';
import { logText, type SyntheticLog } from '../synthetic-log.js';
import { createDatabase } from '../postgres/database.js';
import { contentsOf } from '../raw-database.js';
import { appOver, type Effort, SameAnswers } from '../same-answers.js';

/** When everything is imported and corrected, in either engine. */
const NOW = new Date('2025-06-01T00:00:00.000Z');

/** What is done to a database, step by step. */
type Step = ({ paths: string[] } | { site: string; correction: Correction }) & { dryRun?: boolean };

/** Does the same to a database of either engine. @returns what came of it */
async function fill(database: string, steps: Step[]): Promise<unknown[]> {
  const outcomes: unknown[] = [];
  for (const [index, step] of steps.entries()) {
    const now = new Date(NOW.getTime() + index * 3_600_000);
    const writer = await openWriter(database, { dryRun: step.dryRun ?? false });
    try {
      if ('paths' in step) {
        const files = await findSiteLogFiles(step.paths);
        outcomes.push(
          await importSiteLogs(
            files,
            writer,
            () => now,
            (file) => outcomes.push(file),
          ),
        );
      } else
        outcomes.push(
          await writer.correct(parseSiteId(step.site), step.correction, () => now, readStoredLog),
        );
    } finally {
      await writer.close();
    }
  }
  return outcomes;
}

/** Whether a row is not one of counts that are all zero, which an engine may have or not. */
const isCounting = (row: string): boolean =>
  !/"devices":0,"in_use":0,"conflicts":0,"sites":0}$/.test(row);

/**
 * Fills a database of each engine alike, and compares their outcomes, their rows and their answers.
 * @returns the outcomes
 */
async function compareEngines(t: Test, steps: Step[], effort: Effort): Promise<unknown[]> {
  const file = join(t.testdir(), 'test.sqlite');
  const url = await createDatabase(t);
  const outcomes = await fill(file, steps);
  t.same(await fill(url, steps), outcomes, 'the same outcomes');
  const one = await contentsOf(file);
  const other = await contentsOf(url);
  for (const table of TABLE_NAMES.filter((name) => name in one)) {
    const [expected, found] = [one, other].map((contents) =>
      contents[table]!.map((row) => JSON.stringify(row)).filter(isCounting),
    );
    t.equal(found!.length, expected!.length, `rows of ${table}`);
    t.same(found!.filter((row, index) => row !== expected![index]).slice(0, 3), [], table);
  }
  const stores = [await openReader(file), await openReader(url)] as const;
  const apps = [await appOver(stores[0]), await appOver(stores[1])] as const;
  t.teardown(async () => {
    for (const app of apps) await app.close();
    for (const store of stores) await store.close();
  });
  const same = new SameAnswers(...apps);
  await same.compareAll(effort);
  t.comment(`${same.compared} answers: ${JSON.stringify([...same.statuses])}`);
  t.same(same.differences.slice(0, 10), []);
  const failures = [...same.statuses.keys()].filter((status) => status >= 500);
  t.same(failures, []);
  return outcomes;
}

/** Writes logs to a folder of their own, and returns it. */
function folderOf(t: Test, name: string, logs: Record<string, SyntheticLog | string>): string {
  const folder = join(tmpdir(), `gnss-both-engines-${process.pid}-${name}`);
  mkdirSync(folder, { recursive: true });
  t.teardown(() => rmSync(folder, { recursive: true }));
  for (const [file, log] of Object.entries(logs))
    writeFileSync(join(folder, file), typeof log === 'string' ? log : logText(log));
  return folder;
}

const R = (type: string, serial: string, from: string, to?: string) => ({
  type,
  serial,
  from,
  ...(to !== undefined && { to }),
});

t.test(
  'both engines give the same answers, to the byte, over the sample network and what else happens to logs',
  async (t) => {
    const sample = readdirSync(SAMPLE).map((name) => join(SAMPLE, name));
    const hostile = hostileText(
      readFileSync(
        sample.find((path) => path.endsWith('.log'))!,
        'utf8',
      ),
    );
    const names = [
      'Éa',
      'ea',
      'Eb',
      'z',
      'Z',
      '_',
      'ß',
      '日本',
      '𝕊',
      '\uffee',
      '',
      'a b',
      'a-b',
      'ab',
      '10',
      '9',
    ];
    const named = (name: string, index: number): SyntheticLog => ({
      id: `O${String(index).padStart(3, '0')}`,
      name,
      receivers: [R(`R ${name}`, name, '2001-01-01')],
      antennas: [R(name, '1', '2001-01-01')],
    });
    const logs = folderOf(t, 'logs', {
      'hostile.log': hostile.replace(/(Four Character ID *: *)\S+/, '$1HOST'),
      // Orders that depend on the collation, unless they are by code point.
      ...Object.fromEntries(names.map((name, index) => [`o${index}.log`, named(name, index)])),
      // Two Sites with the same four characters, and one device at both.
      'same-aus.log': {
        id: 'SAME00AUS',
        receivers: [R('R0', '77', '2001-01-01'), R('R0', '', '2002-01-01')],
      },
      'same-nzl.log': { id: 'SAME00NZL', receivers: [R('R0', '77', '2001-06-01')] },
      'long.log': { id: 'LONG', receivers: [R('𝕊'.repeat(400), '"'.repeat(700), '2001-01-01')] },
      'wrong.log': 'Site log of\nnobody',
    });
    const newer = folderOf(t, 'newer', {
      'same-newer.log': {
        id: 'SAME00AUS',
        prepared: '2021-01-01',
        receivers: [R('R0', '77', '2001-01-01', '2003-01-01'), R('R1', '78', '2003-01-01')],
      },
      'o1-older.log': {
        id: 'O001',
        prepared: '2010-01-01',
        receivers: [R('OLD', '1', '2001-01-01')],
      },
      'o2-future.log': {
        id: 'O002',
        prepared: '2090-01-01',
        receivers: [R('FUTURE', '1', '2001-01-01')],
      },
    });
    await compareEngines(
      t,
      [
        { paths: [SAMPLE] },
        { paths: [logs] },
        { paths: [newer] },
        { paths: [SAMPLE, logs] },
        { site: 'O003', correction: { kind: 'retire' } },
        { site: 'O004', correction: { kind: 'retire' } },
        { site: 'O004', correction: { kind: 'unretire' } },
        { site: 'O005', correction: { kind: 'rename', to: parseSiteId('RENA00DNK') } },
        { site: 'SAME00AUS', correction: { kind: 'withdraw', log: 1000 } },
        { site: 'SAME', correction: { kind: 'retire' } },
      ],
      { links: 600, requests: 1500 },
    );
  },
);

const CLOCKS = [{ type: 'INTERNAL', from: '2001-01-01' }];
/** Logs whose order and content lead to every outcome, also among the logs of one transaction. */
const LOGS: SyntheticLog[] = [
  {
    id: 'AAAA',
    prepared: '2020-01-01',
    receivers: [R('A', '1', '2001-01-01', '2003-01-01'), R('B', '2', '2003-01-01')],
  },
  {
    id: 'AAAA',
    prepared: '2021-01-01',
    receivers: [R('A', '1', '2001-01-01', '2004-01-01'), R('B', '2', '2004-01-01')],
  },
  { id: 'AAAA', prepared: '2019-01-01', receivers: [R('C', '3', '2001-01-01')] },
  { id: 'AAAA', prepared: '2109-01-01', receivers: [R('D', '4', '2001-01-01')] },
  {
    id: 'BBBB00AUS',
    prepared: '2020-01-01',
    receivers: [R('A', '1', '2002-01-01')],
    clocks: CLOCKS,
  },
  {
    id: 'BBBB00NZL',
    prepared: '2020-01-01',
    receivers: [R('B', '0000', '2002-01-01')],
    clocks: CLOCKS,
  },
  { id: 'BBBB', prepared: '2022-01-01' },
  {
    id: 'AAAA00AUS',
    prepared: '2022-01-01',
    receivers: [R('B', '2', '2004-01-01')],
    clocks: CLOCKS,
  },
  {
    id: 'CCCC',
    prepared: 'nonsense',
    name: 'Caf\u00e9 \u{1f6f0}',
    receivers: [R('A', '1', '2005-01-01', '2006-01-01')],
  },
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

t.test(
  'both engines write the same rows, and report the same, whatever comes of a log or a correction',
  async (t) => {
    const logs = folderOf(t, 'outcomes', {
      ...Object.fromEntries(LOGS.map((log, index) => [`${index}.log`, log])),
      'null.log': { id: 'NULL', name: 'a\0b', receivers: [R('A\0', '\0', '2001-01-01')] },
    });
    const corrections = CORRECTIONS.map(([site, correction]) => ({ site, correction }));
    const outcomes = await compareEngines(
      t,
      [
        { paths: [SAMPLE] },
        ...[true, false].map((dryRun) => ({ paths: [logs], dryRun })),
        { paths: [logs, SAMPLE] },
        ...[true, false].flatMap((dryRun) => corrections.map((step) => ({ ...step, dryRun }))),
        { paths: [logs, SAMPLE] },
      ],
      { links: 100, requests: 0 },
    );
    const kinds = JSON.stringify(outcomes);
    for (const outcome of ['saved', 'older', 'rejected', 'unchanged'])
      t.ok(kinds.includes(`"outcome":"${outcome}"`), outcome);
    for (const kind of ['"kind":"corrected"', '"refused"', '"ambiguous-site"'])
      t.ok(kinds.includes(kind), kind);
  },
);

t.test(
  'both engines give the same answers, to the byte, over all shared logs',
  withRealLogs,
  async (t) => {
    await compareEngines(t, [{ paths: [REAL_LOGS!] }], { links: 500, requests: 800 });
  },
);
