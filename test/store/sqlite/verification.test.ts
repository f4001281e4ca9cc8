import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import { rereading } from '../../../src/cli/upkeep.js';
import { MIGRATIONS, migrate } from '../../../src/store/sqlite/migrations.js';
import { openWriter } from '../../../src/store/sqlite/open.js';
import { rebuild, verifyDatabase } from '../../../src/store/sqlite/rebuild.js';
import { createNetworkWithHistory } from '../../campaigns/corruptions.js';
import { importInto, logText, readProjectFile, SAMPLE } from '../../helper.js';

const folder = t.testdir({ network: {} });
let network = '';
t.before(async () => {
  network = await createNetworkWithHistory(join(folder, 'network'));
});

/** A copy of the network, changed by SQL without triggers. */
function corrupted(name: string, sql: string): string {
  const own = join(folder, name.replace(/\W+/g, '-'));
  mkdirSync(own);
  const file = join(own, 'a.sqlite');
  copyFileSync(network, file);
  change(file, sql);
  return file;
}

function change(file: string, sql: string): void {
  const db = new Database(file);
  db.pragma('foreign_keys = OFF');
  const triggers = db.prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  db.exec(sql);
  for (const trigger of triggers) db.exec(trigger.sql);
  db.close();
}

/** All rows of all tables, except the mark of the serializers. */
function contentOf(file: string): Record<string, unknown[]> {
  const db = new Database(file, { readonly: true });
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'").pluck().all();
  const content = Object.fromEntries(tables.map((table) => [table, db.prepare(`SELECT * FROM ${table} ORDER BY 1`).all()]));
  db.close();
  return content;
}

const found = (file: string): string[] => verifyDatabase(file, rereading).problems.map(({ text }) => text);
const repair = (file: string) => rebuild(file, rereading, new Date('2026-05-01T00:00:00Z'));

t.test('verify finds nothing after all kinds of corrections, and rebuild writes nothing', async (t) => {
  const file = corrupted('intact', 'SELECT 1');
  const before = readFileSync(file);
  t.match(verifyDatabase(file, rereading), { problems: [], sites: 13, carriedSites: 0 });
  t.match(await repair(file), { problems: [], kept: null });
  t.ok(readFileSync(file).equals(before));
  t.same(
    readdirSync(join(file, '..')).filter((name) => name.includes('before') || name.startsWith('.')),
    [],
  );
});

const KINDS: Record<string, [string, RegExp]> = {
  'a flipped byte in a valid Setup': [
    `UPDATE setup SET equipment_in_use = replace(equipment_in_use, '"R2"', '"S2"') WHERE id = (SELECT max(id) FROM setup WHERE site_id = 9)`,
    /^setup \d+ of Site AAAA: equipment_in_use is ".*S2.*"; expected ".*R2.*"$/,
  ],
  'a flipped byte in a superseded Setup': [
    `UPDATE setup SET equipment_in_use = replace(equipment_in_use, '"R1"', '"S1"') WHERE id = (SELECT min(id) FROM setup WHERE site_id = 9)`,
    /^setup \d+ of Site AAAA: equipment_in_use is ".*S1/,
  ],
  'a record time': [
    `UPDATE setup SET superseded_at = '2026-01-04T00:00:00.000Z' WHERE id = 1`,
    /^setup 1 of Site ALIC.*: superseded_at is "2026/,
  ],
  'a deleted installation': ['DELETE FROM installation WHERE id = 7', /^installation 7 of Site \w+ is missing$/],
  'a duplicated change': [
    'INSERT INTO change SELECT (SELECT max(id) + 1 FROM change), site_id, at, equipment_type, kind_position, recorded_at, superseded_at, document, checksum, counterpart_id, gap_before FROM change WHERE id = 3',
    /^change \d+ of Site \w+ should not exist$/,
  ],
  'a gap': ['UPDATE change SET gap_before = gap_before + 1', /^change \d+ of Site \w+: gap_before is \d+; expected \d+$/],
  'a device': [
    `UPDATE equipment SET document = replace(document, 'R2', 'R3') WHERE serial_number = 'SHARED'`,
    /^equipment \d+: document is/,
  ],
  'the state of a device': ['UPDATE equipment SET conflicting = 0', /^equipment \d+: conflicting is 0; expected 1$/],
  'a Site': [`UPDATE site SET latitude = 1 WHERE id = 1`, /^site 1 of Site ALIC\w*: latitude is 1; expected -\d/],
  'a retirement': ['UPDATE site SET retired_at = NULL', /^site \d+ of Site CCCC00CAN: retired_at is null; expected "2026/],
  'an entry in the index of positions': [
    'UPDATE site_position SET west = 1, east = 1 WHERE site_id = 2',
    /^site_position 2 does not match the position of Site BOR1\w*$/,
  ],
  'a missing entry in the index of positions': ['DELETE FROM site_position WHERE site_id = 2', /^site_position 2 does not match/],
  'a summary': [
    `UPDATE site_summary SET search_text = 'x' WHERE site_id = 2`,
    /^site_summary 2 of Site BOR1\w*: search_text is "x"; expected/,
  ],
  'a count of types': ['UPDATE equipment_type_count SET devices = devices + 1', /^equipment_type_count .*: devices is \d+; expected \d+$/],
  'a count of Setups': ['UPDATE setup_count SET setups = 0 WHERE current = 1', /^setup_count 0, 1: setups is 0; expected \d+$/],
  'a former id': ['DELETE FROM site_rename', /^site_rename DDDD.* of Site EEEE00AUS is missing$/],
  'a finding': ['UPDATE finding SET line = line + 1', /^finding \d+, \d+: line is \d+; expected \d+$/],
  'which log is current': [
    `UPDATE site_log SET superseded_at = '2026-01-09T00:00:00.000Z' WHERE site_id = 9 AND superseded_at IS NULL`,
    /^site_log \d+ of Site AAAA: superseded_at is "2026.*; expected null$/,
  ],
  'a SHA-256': [`UPDATE site_log SET sha256 = 'x' WHERE id = 4`, /^site_log 4 of Site \w+: sha256 is "x"; expected/],
  'the number of the last import': ['PRAGMA ignore_check_constraints = ON; UPDATE last_import SET id = 0', /^last_import 1 is missing$/],
  'an index': ['DROP INDEX setup_valid', /^index setup_valid is missing$/],
};

for (const [name, [sql, expected]] of Object.entries(KINDS)) {
  t.test(`verify finds and names ${name}, and rebuild repairs it with the same ids`, async (t) => {
    const file = corrupted(name, sql);
    const problems = found(file);
    t.ok(
      problems.some((text) => expected.test(text)),
      problems.join('\n'),
    );
    const damaged = contentOf(file);
    const { kept, problems: repaired } = await repair(file);
    t.ok(repaired.every(({ repairable }) => repairable));
    t.same(contentOf(file), contentOf(network));
    t.same(contentOf(kept!), damaged, 'the old content is kept');
    t.same(found(file), []);
  });
}

/** Checks that damage is reported, that rebuild changes nothing else, and that verify then still reports it. */
async function stays(t: Test, file: string, expected: RegExp): Promise<void> {
  // Counts of nothing may be left out.
  change(file, 'DELETE FROM equipment_type_count WHERE devices = 0');
  const before = contentOf(file);
  t.match(found(file).join('\n'), expected);
  const { problems } = await repair(file);
  t.match(
    problems.filter(({ repairable }) => !repairable),
    [{ text: expected }],
  );
  change(file, 'DELETE FROM equipment_type_count WHERE devices = 0');
  const { journal: _journal, feed: _feed, ...after } = contentOf(file);
  const { journal: _before, feed: _feedBefore, ...expectedAfter } = before;
  t.same(after, expectedAfter);
}

t.test('a damaged original is reported, and content derived from it stays', async (t) => {
  const file = corrupted('original', `UPDATE site_log SET original = CAST('x' || CAST(substr(original, 2) AS TEXT) AS BLOB) WHERE id = 2`);
  await stays(t, file, /site_log 2 of Site BOR1\w*: the original does not match the SHA-256 \w+/);
});

t.test('if one original is damaged, the other Sites are still repaired', async (t) => {
  const file = corrupted(
    'beside',
    `UPDATE site_log SET original = x'00' WHERE id = 2; UPDATE setup SET effective_from = '1999-01-01T00:00:00Z' WHERE id = 1`,
  );
  t.match((await repair(file)).problems.length, 2);
  t.same(contentOf(file).setup, contentOf(network).setup);
  t.same(found(file).length, 1);
});

t.test('a damaged journal is reported and started anew, and nothing else changes', async (t) => {
  const file = corrupted('journal', 'DELETE FROM journal WHERE id = 3');
  await stays(t, file, /journal: entry 3 is missing; nothing can be derived again/);
  t.match(verifyDatabase(file, rereading), { problems: [], carriedSites: 13 });
  const tail = corrupted('tail', 'DELETE FROM journal WHERE id = (SELECT max(id) FROM journal)');
  t.match(found(tail), [/journal: it has \d+ entries instead of \d+/]);
});

const SETUP_13 = `UPDATE setup SET equipment_in_use = replace(equipment_in_use, '"R', '"S') WHERE id = (SELECT max(id) FROM setup WHERE site_id = 13)`;

t.test('a damaged entry of the journal disables the repair of its Site only', async (t) => {
  const at = corrupted('journal-at', `UPDATE journal SET at = '2025-01-01T00:00:00.000Z' WHERE id = 9; ${SETUP_13}`);
  t.match(found(at), [/^journal: entry 9 is damaged; Site AAAA cannot be derived again$/, /^setup \d+ of Site \w+: equipment_in_use/]);
  t.equal((await repair(at)).problems.filter(({ repairable }) => repairable).length, 1);
  // Without the journal, and counts of nothing, which may be left out.
  const content = (file: string) => ({ ...contentOf(file), journal: [], equipment_type_count: [] });
  t.same(content(at), content(network));
  t.match(verifyDatabase(at, rereading), { problems: [], sites: 13, carriedSites: 1 });
  change(at, SETUP_13);
  t.match((await repair(at)).problems, [{ repairable: true }], 'later, too');
  t.match(verifyDatabase(at, rereading), { problems: [], carriedSites: 1 });

  const last = corrupted('journal-last', `UPDATE journal SET detail = 'x' WHERE id = (SELECT max(id) FROM journal)`);
  t.match(await repair(last), { problems: [{ repairable: false }], carriedSites: 1 });
  t.match(verifyDatabase(last, rereading), { problems: [], carriedSites: 1 });
});

for (const [name, sql, expected] of [
  ['the Site of an entry', 'UPDATE journal SET site_id = 3 WHERE id = 9', /^journal: entry 9: site_id is 3; expected 9$/],
  ['a smaller last number', "UPDATE sqlite_sequence SET seq = 4 WHERE name = 'journal'", /^journal: its last number is 4; expected \d+$/],
  ['a larger last number', "UPDATE sqlite_sequence SET seq = 400 WHERE name = 'journal'", /^journal: its last number is 400; expected/],
] as const) {
  t.test(`${name} of the journal is repaired, and so is other content`, async (t) => {
    const file = corrupted(name, `${sql}; ${SETUP_13}`);
    t.match(found(file), [expected, /^setup \d+ of Site \w+: equipment_in_use/]);
    t.match(await repair(file), { problems: [{ repairable: true }, { repairable: true }], carriedSites: 0 });
    t.same(contentOf(file), contentOf(network));
    t.same(found(file), []);
  });
}

for (const [name, sql, problem] of [
  ['lost', 'DELETE FROM last_import', 'is missing'],
  ['damaged', 'UPDATE last_import SET rejected = rejected + 1', 'does not match its checksum'],
] as const) {
  t.test(`a ${name} record of the last import is reported until the next import`, async (t) => {
    const file = corrupted(`${name}-import`, sql);
    t.same(found(file), [`last_import ${problem}; the next import records it again`]);
    t.match(await repair(file), { problems: [{ repairable: false }], kept: null });
    await importInto(file, [SAMPLE]);
    t.same(found(file), []);
  });
}

t.test('two repairs in the same second keep both old contents, and a failed one deletes neither', async (t) => {
  const file = corrupted('same-second', SETUP_13);
  const first = await repair(file);
  const kept = readFileSync(first.kept!);
  change(file, SETUP_13);
  const second = await repair(file);
  t.equal(second.kept, `${first.kept}-2`);
  change(file, SETUP_13);
  writeFileSync(`${file}.saving`, 'of a killed process');
  mkdirSync(join(file, '..', '.a.sqlite.saving.lock'));
  await t.rejects(repair(file), /a\.sqlite\.saving" cannot be written/);
  t.ok(readFileSync(first.kept!).equals(kept));
  t.equal(readdirSync(join(file, '..')).filter((name) => name.includes('before-')).length, 2);
});

t.test('a database in another journal mode is repaired too', async (t) => {
  const file = corrupted('delete-mode', SETUP_13);
  const db = new Database(file);
  db.pragma('journal_mode = DELETE');
  db.close();
  t.match(await repair(file), { problems: [{ repairable: true }] });
  t.same(contentOf(file), contentOf(network));
});

t.test('content from before the journal is checked against checksums, even after later imports', async (t) => {
  const own = join(folder, 'older');
  mkdirSync(own);
  const file = join(own, 'a.sqlite');
  const db = new Database(file);
  migrate(db, MIGRATIONS.slice(0, 1));
  db.exec(readProjectFile('test', 'store', 'sqlite', 'fixtures', 'version-1.sql'));
  db.close();
  await openWriter(file).close();
  // The originals of the fixture are not logs.
  const sha = (text: string): boolean => text.includes('does not match the SHA-256');
  t.same(
    found(file).filter((text) => !sha(text)),
    [],
  );
  t.match(verifyDatabase(file, rereading), { sites: 2, carriedSites: 2 });
  const log = join(own, 'test.log');
  const text = logText({ id: 'LATE', receivers: [{ type: 'R', serial: '1', from: '2001-01-01' }] });
  writeFileSync(log, text);
  await importInto(file, [log]);
  t.match(verifyDatabase(file, rereading), { sites: 3, carriedSites: 2, logs: 1 });
  t.same(
    found(file).filter((each) => !sha(each)),
    [],
  );
  change(file, `UPDATE setup SET equipment_in_use = replace(equipment_in_use, 'R0', 'R1') WHERE id = 2`);
  t.match(
    found(file).filter((each) => !sha(each)),
    [/^setup 2 of Site TEST00AUS does not match its checksum$/],
  );
});

t.test('the journal of an earlier version still verifies by derivation, also when later versions read more of a log', async (t) => {
  const own = join(folder, 'version-10');
  mkdirSync(own);
  const file = join(own, 'a.sqlite');
  const db = new Database(file);
  migrate(db, MIGRATIONS.slice(0, 10));
  db.close();
  change(file, readProjectFile('test', 'store', 'sqlite', 'fixtures', 'version-10.sql'));
  await openWriter(file).close();
  t.match(verifyDatabase(file, rereading), { problems: [], sites: 1, carriedSites: 1, logs: 0 }, 'until an import has read its log again');
  await importInto(file, []);
  t.match(contentOf(file), { site: [{ country_code: 'AUS', x: -4052051.767 }], site_to_read: [] });
  t.match(verifyDatabase(file, rereading), { problems: [], sites: 1, carriedSites: 0, logs: 3 });
});
