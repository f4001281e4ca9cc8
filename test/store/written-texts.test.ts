import t, { type Test } from 'tap';
import { readAsImported } from '../../src/import-site-logs.js';
import { JsonText } from '../../src/serializers/json-text.js';
import { openReader, openWriter } from '../../src/store/open.js';
import { verifyDatabase } from '../../src/store/upkeep/maintenance.js';
import { SAMPLE } from '../project-files.js';
import { openService } from '../service.js';
import { rawDatabase } from '../raw-database.js';
import { appOver } from '../same-answers.js';

const ALIC = { fourCharacterId: 'ALIC', nineCharacterId: null };
const CURRENT = { at: null, asOf: null, projection: null };
/** Requests of all routes whose bodies contain stored texts. */
// prettier-ignore
const URLS = [
  '/setups/search/findCurrentByFourCharacterId?id=ALIC',
  '/setups/search/findCurrentByFourCharacterId?id=ALIC&projection=provenance',
  '/setups/search/findCurrentByFourCharacterIdIn?id=ALIC&id=WTZR&id=NONE', '/setups?size=3&page=2', '/setups/1',
  '/gnssReceivers?size=3', '/gnssReceivers?projection=installations&sort=serialNumber,desc', '/gnssAntennas/1',
  '/clocks', '/equipment?size=50', '/equipment?size=50&projection=installations',
];
const TEXTS = { setup: 'equipment_in_use', equipment: 'document' } as const;

/** The answers of a service that begins now, and whether it sends texts as they are stored. */
async function answersOf(t: Test, database: string, urls = URLS) {
  const store = await openReader(database);
  const app = await appOver(store);
  t.teardown(async () => {
    await app.close();
    await store.close();
  });
  const answers = await Promise.all(urls.map((url) => app.inject(url)));
  const found = await store.setups.findOne(ALIC, CURRENT);
  const asStored = found.kind === 'found' && found.setup.equipmentInUse instanceof JsonText;
  return {
    asStored,
    bodies: answers.map(({ body }) => body),
    statuses: answers.map(({ statusCode }) => statusCode),
  };
}

/** Changes the texts of a table as another version would have written them. */
async function rewrite(
  database: string,
  table: keyof typeof TEXTS,
  change: (text: string, id: number) => string,
): Promise<void> {
  const raw = rawDatabase(database);
  const column = TEXTS[table];
  for (const row of await raw.all<Record<string, string> & { id: number }>(
    `SELECT * FROM ${table}`,
  )) {
    const text = change(row[column]!, row.id);
    await raw.exec(
      `UPDATE ${table} SET ${column} = '${text.replaceAll("'", "''")}' WHERE id = ${row.id}`,
    );
  }
  await raw.exec('UPDATE gnss_site_setups SET text_version = 1');
}

const textsOf = (database: string) =>
  rawDatabase(database).all(
    'SELECT equipment_in_use AS text FROM setup UNION ALL SELECT document FROM equipment ORDER BY 1',
  );

t.test(
  'texts of another version are written anew for each answer, and for good by the next import',
  async (t) => {
    const { database } = await openService(t, [SAMPLE]);
    const before = await answersOf(t, database);
    const texts = await textsOf(database);
    t.equal(before.asStored, true, 'of this version');
    for (const table of ['setup', 'equipment'] as const)
      await rewrite(database, table, (text) => ` ${text}`);
    const changed = await textsOf(database);
    t.same(await answersOf(t, database), { ...before, asStored: false });
    await (await openWriter(database, { dryRun: true })).close();
    t.same(await textsOf(database), changed, 'a dry run changes nothing');
    await (await openWriter(database)).close();
    t.same(await textsOf(database), texts);
    t.same(await answersOf(t, database), before);
    const verified = await verifyDatabase(database, readAsImported);
    t.same(verified.problems, []);
  },
);

t.test('a text that would lose something stays, and is not sent as it is', async (t) => {
  const { database } = await openService(t, [SAMPLE]);
  const before = await answersOf(t, database, ['/setups/1', '/gnssReceivers']);
  const foreign = (text: string): string => text.replace('{', '{"foreign":1,');
  await rewrite(database, 'setup', (text, id) => {
    if (id === 1) return foreign(text);
    return id === 2 ? '{}' : ` ${text}`;
  });
  await rewrite(database, 'equipment', foreign);
  for (let writer = 0; writer < 2; writer++) await (await openWriter(database)).close();
  const texts = JSON.stringify(await textsOf(database));
  t.match(texts, /foreign/);
  t.notMatch(texts, /" \[/);
  t.same(await answersOf(t, database, ['/setups/1', '/gnssReceivers']), {
    ...before,
    asStored: false,
  });
  t.same((await answersOf(t, database, ['/setups/2', '/setups/3'])).statuses, [500, 200]);
});

t.test(
  'a Setup whose text another version wrote in another form stays the same when its log is imported again',
  async (t) => {
    const { database, importText } = await openService(t);
    const log = {
      prepared: '2001-02-01',
      receivers: [{ type: 'R', serial: '1', from: '2001-01-01' }],
    };
    await importText(log);
    await rewrite(database, 'setup', (text) => ` ${text}`);
    t.match(await importText(log), { unchanged: 1, setupsAdded: 0, setupsInvalidated: 0 });
  },
);
