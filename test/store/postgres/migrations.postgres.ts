import t from 'tap';
import { foldedDevices } from '../../../src/store/postgres/migrations/0005-folded-devices.js';
import { openPrimaryToRead } from '../../../src/store/postgres/open.js';
import { openService } from '../../helper.js';
import { rawDatabase } from '../../raw-database.js';

t.test('the migration gives each device the text to search that an import gives it', async (t) => {
  const { database, importText } = await openService(t);
  const receivers = ['MÉTÉO', 'X'].map((type, n) => ({ type, serial: `é${n}`, from: `200${n}-01-01`, to: `200${n}-02-01` }));
  await importText({ receivers, sensors: [{ type: 'H0', from: '2001-01-01', more: { Manufacturer: 'Wörth' } }] });
  const raw = rawDatabase(database);
  const texts = () => raw.all('SELECT id, search_text FROM equipment ORDER BY id');
  const imported = await texts();
  t.match(imported, [{ search_text: 'meteo\ne0' }, { search_text: 'x\ne1' }, { search_text: 'h0\nworth' }]);
  await raw.exec('ALTER TABLE equipment DROP COLUMN search_text');
  const writes = await openPrimaryToRead(database);
  t.teardown(() => writes.close());
  await writes.unlocked(async (transaction) => {
    for (const step of foldedDevices) await (typeof step === 'string' ? transaction.run(step) : step(transaction));
  });
  t.same(await texts(), imported);
});
