import Database from 'better-sqlite3';
import t from 'tap';
import { JsonText } from '../../../src/serializers/json-text.js';
import { openWriter } from '../../../src/store/sqlite/open.js';
import { openService, SAMPLE, type Service } from '../../helper.js';

const ALIC = { site: { fourCharacterId: 'ALIC', nineCharacterId: null }, at: null, asOf: null, projection: null } as const;
const SETUP = '/setups/search/findCurrentByFourCharacterId?id=ALIC';
/** Requests of all routes whose bodies contain stored texts. */
const URLS = [
  SETUP,
  '/setups/search/findCurrentByFourCharacterId?id=ALIC&projection=provenance',
  '/setups/search/findCurrentByFourCharacterIdIn?id=ALIC&id=WTZR&id=NONE',
  '/setups?size=3&page=2',
  '/setups/1',
  '/gnssReceivers?size=3',
  '/gnssReceivers?projection=installations&sort=serialNumber,desc',
  '/gnssAntennas/1',
  '/clocks',
  '/equipment?size=50',
  '/equipment?size=50&projection=installations',
];

/** Runs SQL on the database of a service, as another process would. */
function run(database: string, sql: string, ...values: (string | number)[]): unknown[] {
  const db = new Database(database);
  const statement = db.prepare<unknown[]>(sql);
  const rows = statement.reader ? statement.pluck().all(...values) : (statement.run(...values), []);
  db.close();
  return rows;
}

const unmarked = ({ database }: Service): number[] =>
  ['setup', 'equipment'].map((table) => run(database, `SELECT count(*) FROM ${table} WHERE written_by IS NULL`)[0] as number);

t.test('the import marks every text, also that of a device that a later log completes', async (t) => {
  const service = await openService(t);
  const sensor = { type: 'S', serial: '1', from: '2001-01-01' };
  await service.importText({ prepared: '2001-02-01', sensors: [sensor] });
  await service.importText({ prepared: '2002-02-01', sensors: [{ ...sensor, more: { '  Aspiration': 'FAN' } }] }, 'later.log');
  t.match(run(service.database, 'SELECT document FROM equipment'), [/"aspiration":"FAN"/], 'the later log changed the text');
  t.same(unmarked(service), [0, 0]);
});

t.test('a text is sent as it is only while its mark is that of this version, with the same body either way', async (t) => {
  const service = await openService(t, [SAMPLE]);
  const { get, store, database } = service;
  const found = async () => {
    const answer = await store.setups.findOne(ALIC);
    return answer.kind === 'found' && answer.setup.equipmentInUse instanceof JsonText;
  };
  t.same(unmarked(service), [0, 0]);
  t.ok(await found());
  const bodies = async () => Promise.all(URLS.map(async (url) => (await get(url)).body));
  const before = await bodies();
  for (const mark of ['NULL', '1']) {
    run(database, `UPDATE setup SET written_by = ${mark}`);
    run(database, `UPDATE equipment SET written_by = ${mark}`);
    t.notOk(await found(), `with the mark ${mark}`);
    t.same(await bodies(), before);
  }
});

t.test('whoever changes a text without the serializers removes its mark', async (t) => {
  const service = await openService(t, [SAMPLE]);
  const before = (await service.get('/gnssReceivers')).body;
  run(service.database, "UPDATE setup SET equipment_in_use = json_set(equipment_in_use, '$[0].foreign', 1) WHERE id = 1");
  run(service.database, "UPDATE equipment SET document = json_set(document, '$.foreign', 1) WHERE id = 1");
  t.same(unmarked(service), [1, 1]);
  t.notMatch((await service.get('/setups/1')).body, /foreign/);
  t.equal((await service.get('/gnssReceivers')).body, before);
});

t.test('opening for an import writes the texts of another version anew, and leaves those that would lose something', async (t) => {
  const service = await openService(t, [SAMPLE]);
  const { database } = service;
  const texts = () => run(database, 'SELECT equipment_in_use FROM setup UNION ALL SELECT document FROM equipment') as string[];
  const before = texts();
  // Another version wrote the same values in another form, one value that does not fit, and one with a member of its own.
  run(database, "UPDATE setup SET equipment_in_use = ' ' || equipment_in_use, written_by = 1");
  run(database, "UPDATE equipment SET document = ' ' || document, written_by = 1");
  run(database, "UPDATE setup SET equipment_in_use = '{}', written_by = 2 WHERE id = 2");
  run(database, "UPDATE setup SET equipment_in_use = json_set(equipment_in_use, '$[0].foreign', 1), written_by = 2 WHERE id = 3");
  run(database, 'UPDATE documents_version SET version = 1');
  const changed = texts();
  await openWriter(database, { dryRun: true }).close();
  t.same(texts(), changed, 'a dry run changes nothing');
  await openWriter(database).close();
  t.same(unmarked(service), [2, 0]);
  t.same(
    texts(),
    before.map((text, index) => (index === 1 || index === 2 ? changed[index] : text)),
  );
  t.equal((await service.get('/setups/2')).statusCode, 500);
  t.notMatch((await service.get('/setups/3')).body, /foreign/);
});

t.test('a Setup whose text another version wrote in another form stays the same when its log is imported again', async (t) => {
  const service = await openService(t);
  const log = { prepared: '2001-02-01', receivers: [{ type: 'R', serial: '1', from: '2001-01-01' }] };
  await service.importText(log);
  run(service.database, "UPDATE setup SET equipment_in_use = ' ' || equipment_in_use, written_by = 1");
  t.match(await service.importText(log), { unchanged: 1, setupsAdded: 0, setupsInvalidated: 0 });
});
