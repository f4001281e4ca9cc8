import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import { valueOf } from '../../../src/serializers/json-text.js';
import { MIGRATIONS, migrate } from '../../../src/store/sqlite/migrations.js';
import { openReader, openWriter } from '../../../src/store/sqlite/open.js';
import { importInto, logText, readProjectFile } from '../../helper.js';

/** A database as the importer wrote it when there was only the first migration. */
const FIRST_ROWS = readProjectFile('test', 'store', 'sqlite', 'fixtures', 'version-1.sql');

const TEST = { fourCharacterId: 'TEST', nineCharacterId: null };
const NONE = { fourCharacterId: 'NONE', nineCharacterId: null };
const PAGE = { filters: [], sort: [], page: 0, size: 10 };

/** Makes a file as a version with only the first migrations left it. */
function makeOlder(file: string, migrations: number): void {
  const db = new Database(file);
  migrate(db, MIGRATIONS.slice(0, 1));
  db.exec(FIRST_ROWS);
  migrate(db, MIGRATIONS.slice(0, migrations));
  db.close();
}

for (const migrations of MIGRATIONS.map((_, index) => index + 1)) {
  t.test(`a database with ${migrations} of ${MIGRATIONS.length} migrations is upgraded, and all of its content is served`, async (t) => {
    const folder = t.testdir({
      'test_2003.log': logText({ prepared: '2003-02-01', receivers: [{ type: 'R1', serial: '4', from: '2003-01-01' }] }),
    });
    const file = join(folder, 'older.sqlite');
    makeOlder(file, migrations);
    if (migrations < MIGRATIONS.length) t.throws(() => openReader(file), /bring it up to date by importing a site log/);
    await openWriter(file).close();
    const store = openReader(file);
    t.teardown(() => store.close());

    t.match(await store.status(), { migration: MIGRATIONS.length, sites: 2, lastImport: null });
    t.match(await store.setups.findOne({ site: TEST, at: null, asOf: null, projection: 'provenance' }), {
      kind: 'found',
      setup: { id: 2, current: true, equipmentInUse: { value: { length: 4 } }, provenance: { siteLog: { name: 'test_2002.log' } } },
    });
    t.match(await store.setups.findOne({ site: TEST, at: null, asOf: '2020-01-01T12:00:00.000Z', projection: null }), { setup: { id: 1 } });
    t.match(await store.setups.findById(1, null), { invalidated: true });
    for (const invalidated of [true, false]) {
      const filters = [{ property: 'invalidated', values: [invalidated] }];
      t.match(await store.setups.findPage({ ...PAGE, filters, projection: null }), { elements: [{ invalidated }], totalElements: 1 });
    }
    t.same(await store.setups.findOne({ site: NONE, at: null, asOf: null, projection: null }), { kind: 'no-current-setup' });
    t.match(await store.sites.findRecord(TEST), {
      kind: 'found',
      found: {
        site: { name: 'Tést' },
        place: { nineCharacterId: 'TEST00AUS' },
        setups: { length: 1 },
        changes: [{ kind: 'installed' }],
        siteLog: { name: 'test_2002.log' },
        findings: [{ line: 12 }],
      },
    });
    const { elements: devices } = await store.devices.findPage({ ...PAGE, projection: 'installations' });
    t.match(
      devices.map(({ identity, installations }) => [valueOf(identity).type, installations![0]!.fourCharacterId]),
      [
        ['R0', 'TEST'],
        ['A0              NONE', 'TEST'],
        ['H0', 'TEST'],
        ['INTERNAL', 'TEST'],
      ],
    );
    t.match(await store.devices.findPage({ ...PAGE, text: 'vaisala h0', projection: null }), {
      elements: [{ equipmentType: 'humidity sensor' }],
    });
    const summaries = async (text: string) =>
      (await store.sites.findSummaries({ text, box: null, sort: { by: 'id', descending: false }, page: 0, size: 10 })).elements;
    const current = { receivers: ['R0'], antennas: ['A0              NONE'], since: '2001-01-01T00:00:00Z', asked: 22, known: 16 };
    t.match(await summaries(''), [
      { fourCharacterId: 'NONE', current: null },
      { fourCharacterId: 'TEST', current },
    ]);
    for (const text of ['test town', 'TËST', 'test00aus', 'vaisala r0']) {
      t.same(
        (await summaries(text)).map(({ fourCharacterId }) => fourCharacterId),
        ['TEST'],
        text,
      );
    }

    const db = new Database(file, { readonly: true });
    t.same(db.pragma('foreign_key_check'), []);
    t.same(db.prepare("SELECT DISTINCT superseded_at IS NULL FROM site_log WHERE name = 'test_2001.log'").pluck().all(), [0]);
    db.close();

    t.match(await importInto(file, [join(folder, 'test_2003.log')]), { saved: 1, setupsAdded: 1, setupsInvalidated: 1 });
    t.match(await summaries('r1'), [{ fourCharacterId: 'TEST', current: { receivers: ['R1'], antennas: [], asked: 6 } }]);
    t.same(await summaries('vaisala'), []);
  });
}

t.test('the upgrade reads the nine-character ids of GeodesyML logs, and keeps the ids of devices without a serial number', async (t) => {
  const folder = t.testdir();
  const file = join(folder, 'older.sqlite');
  makeOlder(file, 2);
  const db = new Database(file);
  db.prepare('UPDATE site_log SET original = ? WHERE id = 3').run(Buffer.from('<geo:GeodesyML xmlns:geo="x" gml:id="NONE00DEU">'));
  db.exec(
    `INSERT INTO equipment VALUES (50, '["gnss receiver","R",null,"NONE","2001-01-01T00:00:00Z",1]', 'gnss receiver', 'R', NULL, '{}', 0)`,
  );
  db.close();
  await openWriter(file).close();
  const store = openReader(file);
  t.match(await store.sites.findOne(NONE), { kind: 'found', found: { id: 2, nineCharacterId: 'NONE00DEU' } });
  t.same(await store.sites.findOne({ fourCharacterId: 'NONE', nineCharacterId: 'NONE00AUS' }), { kind: 'unknown-site' });
  await store.close();
  const upgraded = new Database(file, { readonly: true });
  t.equal(
    upgraded.prepare('SELECT identity FROM equipment WHERE id = 50').pluck().get(),
    '["gnss receiver","R",null,"2001-01-01T00:00:00Z",1,2]',
  );
  upgraded.close();
});

t.test('the next import after the upgrade reads the current logs again, for what earlier versions did not read', async (t) => {
  const folder = t.testdir();
  const file = join(folder, 'older.sqlite');
  makeOlder(file, 10);
  const log = logText({ receivers: [{ type: 'R0', serial: '1', from: '2001-01-01' }] }).replace(
    /^ *Country .*$/m,
    [
      '     Country                  : Australia',
      '       X coordinate (m)       : -4052051.767',
      '       Y coordinate (m)       : 4212836.215',
      '       Z coordinate (m)       : -2545106.027',
      '       Latitude (N is +)      : -234012.45',
      '       Longitude (E is +)     : +1335307.85',
    ].join('\n'),
  );
  const db = new Database(file);
  db.prepare('UPDATE site_log SET original = ? WHERE site_id = 1 AND superseded_at IS NULL').run(Buffer.from(log));
  db.close();
  await openWriter(file).close();
  const site = async () => {
    const store = openReader(file);
    const found = await store.sites.findOne(TEST);
    await store.close();
    return found;
  };
  t.match(await site(), { found: { location: { countryCode: null, x: null } } });
  // The other Site has a log that cannot be read. It is passed over.
  await importInto(file, []);
  t.match(await site(), {
    found: { nineCharacterId: 'TEST00AUS', location: { countryCode: 'AUS', latitude: -23.670125, x: -4052051.767, z: -2545106.027 } },
  });
  const upgraded = new Database(file, { readonly: true });
  t.same(upgraded.prepare('SELECT * FROM site_to_read').all(), []);
  t.match(upgraded.prepare('SELECT site_id, round(west, 3) AS west, round(north, 3) AS north FROM site_position').all(), [
    { site_id: 1, west: 133.886, north: -23.67 },
  ]);
  upgraded.close();
});
