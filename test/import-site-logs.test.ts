import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import type { Setup } from '../schemas/index.js';
import {
  findSiteLogFiles,
  type ImportedFile,
  importSiteLogs,
  type SiteLogFile,
} from '../src/import-site-logs.js';
import { LARGEST_FILE } from '../src/site-log/read.js';
import { readable } from '../src/store/read/setups/records.js';
import { openReader, openWriter } from '../src/store/open.js';
import type { StoreWriter } from '../src/store/save/writer.js';
import type { Store } from '../src/store/store.js';
import { aboutFiles, importInto, newDatabase } from './databases.js';
import { SAMPLE } from './project-files.js';
import { openService } from './service.js';
import { logText, type SyntheticLog } from './synthetic-log.js';
import { contentsOf, rawDatabase } from './raw-database.js';

const rows = <T>(database: string, sql: string): Promise<T[]> => rawDatabase(database).all<T>(sql);

/** The current Setup of the synthetic Site, or why there is none. */
const currentSetup = async (store: Store): Promise<Setup | string> => {
  const answer = await store.setups.findOne(
    { fourCharacterId: 'TEST', nineCharacterId: null },
    { at: null, asOf: null, projection: null },
  );
  return answer.kind === 'found' ? readable(answer.setup) : answer.kind;
};

const R0 = { type: 'R0', serial: '1', from: '2001-01-01' };
const R1 = { type: 'R1', serial: '2', from: '2003-01-01' };
const A0 = { type: 'A0              NONE', serial: '3', from: '2001-01-01' };

const version1: SyntheticLog = { prepared: '2001-02-01', receivers: [R0], antennas: [A0] };
const version2: SyntheticLog = {
  prepared: '2003-02-01',
  receivers: [{ ...R0, to: '2003-01-01' }, R1],
  antennas: [A0],
};

t.test('every Setup has the provenance of its log, and the log is stored unchanged', async (t) => {
  const { database, importText } = await openService(t);
  const now = new Date('2020-05-06T07:08:09.123Z');
  await importText(version1, 'test_20010201.log', now);
  const text = logText(version1);
  t.match(
    await rows(
      database,
      'SELECT site_log.*, recorded_at FROM setup JOIN site_log ON site_log.id = site_log_id',
    ),
    [
      {
        name: 'test_20010201.log',
        sha256: createHash('sha256').update(text).digest('hex'),
        form: 'IGS site log 1',
        date_prepared: '2001-02-01',
        imported_at: now.toISOString(),
        superseded_at: null,
        recorded_at: now.toISOString(),
      },
    ],
  );
  const [log] = await rows<{ original: Buffer }>(database, 'SELECT original FROM site_log');
  t.equal(log!.original.toString(), text);
});

t.test(
  'a newer log leaves equal Setups alone, invalidates the others with a time, and adds new ones',
  async (t) => {
    const { database, store, importText } = await openService(t);
    await importText(
      { ...version2, prepared: '2003-02-01' },
      'a_20030201.log',
      new Date('2003-02-01'),
    );
    const setups = async () => {
      const columns =
        'id, effective_from AS "from", effective_to AS "to", recorded_at AS "recordedAt", superseded_at AS "supersededAt"';
      const found = await rows<
        Record<'from' | 'recordedAt', string> &
          Record<'to' | 'supersededAt', string | null> & { id: number }
      >(database, `SELECT ${columns} FROM setup ORDER BY id`);
      return found.map(({ id, ...times }) => [
        id,
        ...Object.values(times).map((time) => time?.slice(0, 10) ?? null),
      ]);
    };
    const first = [1, '2001-01-01', '2003-01-01', '2003-02-01', null];
    t.same(await setups(), [first, [2, '2003-01-01', null, '2003-02-01', null]]);
    // The second receiver gets an end and a third follows, so only the Setups with the second
    // change.
    const receivers = [
      { ...R0, to: '2003-01-01' },
      { ...R1, to: '2005-01-01' },
      { type: 'R2', serial: '9', from: '2005-01-01' },
    ];
    await importText(
      { prepared: '2005-02-01', receivers, antennas: [A0] },
      'a_20050201.log',
      new Date('2005-02-01'),
    );
    t.same(await setups(), [
      first,
      [2, '2003-01-01', null, '2003-02-01', '2005-02-01'],
      [3, '2003-01-01', '2005-01-01', '2005-02-01', null],
      [4, '2005-01-01', null, '2005-02-01', null],
    ]);
    t.match(await store.setups.findById(2, null), { invalidated: true, current: false });
    t.match(await currentSetup(store), { id: 4, invalidated: false, current: true });
  },
);

t.test('a change whose counterpart is superseded is not part of a gap', async (t) => {
  const { get, importText } = await openService(t);
  const kinds = async (filter = '') => {
    const { _embedded } = (await get(`/changes?mergeGaps=P1D${filter}`)).json<{
      _embedded: { changes: { kind: string }[] };
    }>();
    return _embedded.changes.map(({ kind }) => kind);
  };
  const removed = { ...R0, to: '2005-01-01' };
  await importText({
    prepared: '2005-02-01',
    receivers: [removed, { ...R1, from: '2005-01-01T12:00Z' }],
    antennas: [A0],
  });
  t.same(await kinds(), ['installed', 'installed', 'replaced']);
  await importText({ prepared: '2005-03-01', receivers: [removed], antennas: [A0] });
  t.same(
    [await kinds(), await kinds('&kind=replaced')],
    [['installed', 'installed', 'removed'], []],
  );
});

t.test(
  'the log with the later Date Prepared wins in any order of import; the older one changes nothing and gets a finding',
  async (t) => {
    for (const order of [
      [version1, version2],
      [version2, version1],
    ]) {
      const { store, database, importText } = await openService(t);
      let last;
      for (const log of order)
        last = await importText(log, `test_${log.prepared!.replaceAll('-', '')}.log`);
      t.match(await currentSetup(store), {
        equipmentInUse: [{ content: { id: { type: 'R1' } } }, {}],
      });
      if (order[1] === version1) {
        const values = { because: 'date', other: 'test_20030201.log', otherDay: '2003-02-01' };
        const finding = { level: 'warning', code: 'older-log', values };
        t.match(last, { older: 1 });
        const findings = last?.files[0]?.findings ?? [];
        t.match(findings.at(-1), finding);
        t.equal(
          (await rows(database, 'SELECT * FROM site_log')).length,
          2,
          'the older one is kept',
        );
      }
    }
  },
);

t.test(
  'of two logs of the same day the last imported wins, and importing either again changes nothing',
  async (t) => {
    const { database, importText } = await openService(t);
    const second = { ...version2, prepared: version1.prepared! };
    await importText(version1, 'first.log');
    const { saved, files } = await importText(second, 'second.log');
    t.equal(saved, 1);
    t.match(files[0]!.findings.at(-1), {
      level: 'info',
      code: 'same-day-log',
      values: { other: 'first.log' },
    });
    const before = await contentsOf(database);
    const last = await importText(version1, 'first.log');
    t.match(last, { older: 1 });
    t.match(last.files[0]!.findings.at(-1), {
      code: 'older-log',
      values: { because: 'replaced before', other: 'second.log' },
    });
    const again = await importText(second, 'second.log', new Date('2030-01-01'));
    t.match(again, { unchanged: 1, saved: 0, setupsAdded: 0, setupsInvalidated: 0 });
    t.same(await contentsOf(database), before);
  },
);

t.test('ids in lower case and nine-character ids belong to the same Site', async (t) => {
  const { database, importText } = await openService(t);
  await importText({ ...version1, id: 'test' });
  await importText({ ...version2, id: 'TEST00AUS' });
  t.same(
    await rows(database, 'SELECT four_character_id AS four, nine_character_id AS nine FROM site'),
    [{ four: 'TEST', nine: 'TEST00AUS' }],
  );
});

t.test(
  'type and serial number identify a device across Sites, a type identifies a clock, and an item without a serial number is its own device',
  async (t) => {
    const { database, importText } = await openService(t);
    const unknown = { type: 'R0', from: '2001-01-01' };
    const log = {
      receivers: [R0, unknown, { ...unknown, more: { 'Firmware Version': '2' } }],
      clocks: [{ type: 'INTERNAL', from: '2001-01-01' }],
      antennas: [],
    };
    const count = async (where: string) =>
      (
        await rows<{ n: number }>(
          database,
          `SELECT count(*) AS n FROM equipment WHERE listed = 1 AND ${where}`,
        )
      )[0]!.n;
    await importText({ ...log, id: 'AAAA' }, 'aaaa.log');
    t.equal(await count("equipment_type = 'clock'"), 1);
    await importText({ ...log, id: 'BBBB' }, 'bbbb.log');
    t.equal(await count("equipment_type = 'gnss receiver' AND serial_number = '1'"), 1);
    t.equal(await count("equipment_type = 'gnss receiver' AND serial_number IS NULL"), 4);
    t.equal(await count("equipment_type = 'clock'"), 1);
  },
);

t.test(
  'a receiver leaves the catalogue when no valid Setup includes it, and returns when one does',
  async (t) => {
    const { store, importText } = await openService(t);
    const types = async () =>
      (
        await store.devices.findPage({ filters: [], sort: [], page: 0, size: 20, projection: null })
      ).elements.map(({ id, identity }) => [id, identity.value.serialNumber]);
    await importText({ prepared: '2001-01-01', receivers: [{ ...R0, serial: 'typo' }] });
    t.same(await types(), [[1, 'typo']]);
    await importText({ prepared: '2001-01-02', receivers: [R0] });
    t.same(await types(), [[2, '1']]);
    t.equal(await store.devices.findById(1, null), undefined);
    await importText({ prepared: '2001-01-03', receivers: [{ ...R0, serial: 'typo' }] });
    t.same(await types(), [[1, 'typo']]);
  },
);

t.test('each record time is later than all before it, even if the clock goes back', async (t) => {
  const { database, importText } = await openService(t);
  await importText(version1, 'a.log', new Date('2020-01-02T00:00:00Z'));
  const tooLate = { name: 'ClockBehind', message: /2020-01-01T23:58:59.999Z.*2020-01-02T00:00:00/ };
  await t.rejects(importText(version2, 'b.log', new Date('2020-01-01T23:58:59.999Z')), tooLate);
  await importText(version2, 'b.log', new Date('2020-01-01T23:59:00Z'));
  t.same(await rows(database, 'SELECT DISTINCT recorded_at FROM setup'), [
    { recorded_at: '2020-01-02T00:00:00.000Z' },
    { recorded_at: '2020-01-02T00:00:00.001Z' },
  ]);
});

t.test('a rejected file has a reason and does not stop the others', async (t) => {
  const folder = t.testdir({
    a: {
      'bad.xml': '<geo:GeodesyML xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5">\n<geo:siteLog>',
      'good.log': logText(version1),
      'notes.txt': 'not a log',
      '.hidden': 'x',
    },
    b: { 'id.log': logText({ id: 'TOOLONG' }) },
    'huge.log': '',
  });
  truncateSync(join(folder, 'huge.log'), LARGEST_FILE + 1);
  symlinkSync(join(folder, 'b'), join(folder, 'a', 'link'));
  mkdirSync(join(folder, 'a', 'empty'));
  const database = await newDatabase(t, join(folder, 'test.sqlite'));
  const { files, ...summary } = await importInto(database, [
    join(folder, 'a'),
    join(folder, 'b', 'id.log'),
    join(folder, 'huge.log'),
  ]);
  t.match(summary, { saved: 1, rejected: 3, skipped: 1, unchanged: 0, older: 0 });
  const of = (name: string) => files.find(({ path }) => path.endsWith(name))!;
  t.match(of('bad.xml'), {
    outcome: 'rejected',
    findings: [{ level: 'error', line: 2, code: 'malformed-xml' }],
  });
  t.match(of('notes.txt'), {
    outcome: 'skipped',
    findings: [{ level: 'info', code: 'not-a-site-log', text: '' }],
  });
  t.match(of('id.log'), {
    outcome: 'rejected',
    findings: [{ level: 'error', line: 6, code: 'no-site-id', text: '' }],
  });
  t.match(of('huge.log'), {
    outcome: 'rejected',
    findings: [{ level: 'error', code: 'too-large', values: { of: 'bytes' } }],
  });
  t.match(
    await importInto(database, [join(folder, 'a', 'notes.txt')]),
    { rejected: 1, skipped: 0 },
    'an error if the user named the file',
  );
});

t.test('folders are read in the order of names, and links are skipped', async (t) => {
  const folder = t.testdir({
    z: { 'b.log': '', 'a.log': '' },
    'm.log': '',
    link: t.fixture('symlink', 'm.log'),
  });
  const found = await findSiteLogFiles([folder]);
  t.same(
    found.map(({ path, named }) => [path, named]),
    [['m.log'], ['z', 'a.log'], ['z', 'b.log']].map((path) => [join(folder, ...path), false]),
  );
  await t.rejects(findSiteLogFiles([join(folder, 'absent')]), { code: 'ENOENT' });
});

t.test('a file name that is not UTF-8 is a finding, and the file is read', async (t) => {
  const folder = t.testdir({ logs: { 'z.log': logText({ ...version1, id: 'ZZZZ' }) } });
  const name = (bytes: string) =>
    Buffer.concat([Buffer.from(`${join(folder, 'logs')}/`), Buffer.from(bytes, 'latin1')]);
  writeFileSync(name('M\u00e9.log'), logText(version1));
  mkdirSync(name('\u00ff'));
  writeFileSync(name('\u00ff/x.log'), 'x');
  const { files, ...summary } = await importInto(
    await newDatabase(t, join(folder, 'test.sqlite')),
    [join(folder, 'logs')],
  );
  t.match(summary, { saved: 2, skipped: 1, rejected: 0 });
  t.match(files, [
    {
      path: join(folder, 'logs', 'M\ufffd.log'),
      outcome: 'saved',
      findings: [{ level: 'warning', code: 'not-utf-8', values: { lines: null } }],
    },
    { path: join(folder, 'logs', 'z.log'), outcome: 'saved', findings: [] },
    { path: join(folder, 'logs', '\ufffd', 'x.log'), outcome: 'skipped' },
  ]);
});

t.test(
  'a file that vanishes while it is found, or before it is read, is skipped with a finding',
  async (t) => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`${index}.txt`, '']),
    );
    const folder = t.testdir({
      logs: { a: many, 'b.log': logText(version1), 'c.log': '', 'd.log': '' },
    });
    const logs = join(folder, 'logs');
    let files: SiteLogFile[] = [];
    // The search lists the folder first and reaches d.log last. How soon depends on the machine, so
    // wait longer at each attempt.
    for (
      let wait = 1;
      wait <= 100 && !files.some(({ unreadable }) => unreadable?.code === 'ENOENT');
      wait++
    ) {
      writeFileSync(join(logs, 'd.log'), '');
      const search = findSiteLogFiles([logs]);
      await setTimeout(wait);
      unlinkSync(join(logs, 'd.log'));
      files = await search;
    }
    unlinkSync(join(logs, 'c.log'));
    const store = await openWriter(await newDatabase(t, join(folder, 'test.sqlite')));
    const results: ImportedFile[] = [];
    const onFile = (file: ImportedFile): void => void results.push(file);
    const summary = await importSiteLogs(files, store, () => new Date(), onFile).finally(() =>
      store.close(),
    );
    t.match(summary, { saved: 1, rejected: 0, skipped: 302 });
    const vanished = {
      outcome: 'skipped',
      findings: [{ level: 'warning', code: 'vanished-file' }],
    };
    t.match(results.slice(-2), [
      { ...vanished, path: join(logs, 'c.log') },
      { ...vanished, path: join(logs, 'd.log') },
    ]);
  },
);

t.test('a subfolder that cannot be read is a finding and does not stop the import', async (t) => {
  const folder = t.testdir({
    logs: {
      a: { 'a.log': logText(version1) },
      b: {},
      'c.log': logText({ ...version1, id: 'ZZZZ' }),
    },
  });
  // Not even root can search a folder whose path is too long, and Node.js cannot remove it.
  const start = process.cwd();
  process.chdir(join(folder, 'logs', 'b'));
  for (let depth = 0; depth < 18; depth++) {
    mkdirSync('n'.repeat(250));
    process.chdir('n'.repeat(250));
  }
  process.chdir(start);
  const { files, ...summary } = await importInto(
    await newDatabase(t, join(folder, 'test.sqlite')),
    [join(folder, 'logs')],
  );
  execFileSync('rm', ['-r', join(folder, 'logs', 'b')]);
  t.match(summary, { saved: 2, rejected: 1 });
  t.match(
    files.filter(({ outcome }) => outcome === 'rejected'),
    [
      {
        findings: [
          { level: 'error', code: 'cannot-be-read', values: { reason: 'its name is too long' } },
        ],
      },
    ],
  );
});

t.test('the error for an unusable file says in one line what to do', aboutFiles, async (t) => {
  const folder = t.testdir({
    'text.sqlite':
      'this is no database, and longer than the header of one, which has one hundred bytes at the beginning of a file',
    'empty.sqlite': '',
  });
  const path = (name: string) => join(folder, name);
  const run = (name: string, sql: string) => rawDatabase(path(name)).exec(sql);
  await run('other.sqlite', 'CREATE TABLE t (x)');
  await run(
    'development.sqlite',
    `PRAGMA application_id = ${0x474e5353}; PRAGMA user_version = 18; CREATE TABLE site (id INTEGER)`,
  );
  for (const column of ['documents', 'serializers']) {
    await importInto(path(`${column}.sqlite`), [SAMPLE]);
    await run(`${column}.sqlite`, `ALTER TABLE gnss_site_setups RENAME text_version TO ${column}`);
  }
  await importInto(path('newer.sqlite'), [SAMPLE]);
  await run('newer.sqlite', 'UPDATE gnss_site_setups SET migration = 99');
  await importInto(path('corrupt.sqlite'), [SAMPLE]);
  const bytes = readFileSync(path('corrupt.sqlite'));
  bytes.fill(0xff, 100, 4096);
  writeFileSync(path('corrupt.sqlite'), bytes);

  const cases: [string, RegExp, name?: string][] = [
    ['absent.sqlite', /does not exist; create it with: gnss-site-setups import/, 'StoreUnusable'],
    ['text.sqlite', /is not a SQLite database; pass another file/],
    ['empty.sqlite', /is empty; create it with/, 'StoreUnusable'],
    ['.', /cannot be opened/],
    ['other.sqlite', /belongs to another application/],
    ...['documents.sqlite', 'serializers.sqlite', 'development.sqlite'].map(
      (name): [string, RegExp] => [
        name,
        /was made by a development version; import the site logs into a new one, which loses ids, times of recording, the feed, corrections .* and logs whose files are gone$/,
      ],
    ),
    [
      'newer.sqlite',
      /is from a newer version \(migration 99; this version has \d+\); install the newer version$/,
    ],
    ['corrupt.sqlite', /is damaged; restore it/, 'DamagedDatabase'],
  ];
  for (const [file, message, name = 'WrongDatabase'] of cases) {
    await t.rejects(openReader(path(file)), { name, message }, file);
    if (/absent|empty/.test(file)) continue;
    await t.rejects(importInto(path(file), [SAMPLE]), { name, message }, `import into ${file}`);
  }
  t.equal(
    readFileSync(path('text.sqlite'), 'utf8').slice(0, 7),
    'this is',
    'the file is unchanged',
  );
  await t.rejects(importInto(path('no/such/folder.sqlite'), [SAMPLE]), {
    message: /there is no folder/,
  });
});

t.test('importing a log again replaces its findings only if they differ', async (t) => {
  const { database, importText } = await openService(t);
  const receiver = { type: 'R0', serial: '1', from: '2011-20-07', to: '2012-01-01' };
  const log = { country: 'Australia', receivers: [receiver] };
  await importText(log);
  const findings = () =>
    rows<object>(database, "SELECT * FROM finding WHERE code NOT LIKE 'missing-%'");
  const first = await findings();
  t.equal(first.length, 1);
  t.match(await importText(log), { unchanged: 1 });
  // As an older version would have saved it.
  await rawDatabase(database).exec(
    "UPDATE finding SET details = '{}' WHERE code NOT LIKE 'missing-%'",
  );
  t.match(await importText(log), { saved: 1, setupsAdded: 0, setupsInvalidated: 0 });
  t.same(await findings(), first);
});

t.test(
  'a log that cannot be saved is rejected by itself, and the others of its transaction are saved',
  async (t) => {
    const folder = t.testdir({
      logs: {
        'a.log': logText({ id: 'AAAA' }),
        'b.log': logText({ id: 'BBBB' }),
        'c.log': logText({ id: 'CCCC' }),
      },
    });
    const store = await openWriter(await newDatabase(t, join(folder, 'a.sqlite')));
    t.teardown(() => store.close());
    // The real store, but for an unexpected error with one log.
    const saveSiteLogs: StoreWriter['saveSiteLogs'] = async (siteLogs, now, date) => {
      if (siteLogs.some(({ name }) => name === 'b.log')) throw new TypeError('expected string');
      return store.saveSiteLogs(siteLogs, now, date);
    };
    const failing = Object.create(store, { saveSiteLogs: { value: saveSiteLogs } }) as StoreWriter;
    const files: ImportedFile[] = [];
    const summary = await importSiteLogs(
      await findSiteLogFiles([join(folder, 'logs')]),
      failing,
      () => new Date(),
      (file) => files.push(file),
    );
    t.match(summary, { saved: 2, rejected: 1 });
    const failed = { code: 'cannot-be-saved', values: { reason: 'expected string' } };
    t.same(
      files.map(({ outcome }) => outcome),
      ['saved', 'rejected', 'saved'],
    );
    t.match(files[1]!.findings.at(-1), failed);
  },
);
