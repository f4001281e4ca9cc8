import t from 'tap';
import { openService, type Service, type SyntheticLog } from '../helper.js';

const sensor = (prepared: string, more: Record<string, string>): SyntheticLog => ({
  prepared,
  sensors: [{ type: 'HMP155', serial: '1', from: '2001-01-01', more }],
});

/** What the catalogue has for the only device. */
const catalogued = async ({ store }: Service) => {
  const { elements } = await store.devices.findPage({ filters: [], sort: [], page: 0, size: 10, projection: 'installations' });
  t.equal(elements.length, 1);
  const { manufacturer, aspiration } = elements[0]!.identity as { manufacturer: string | null; aspiration: string | null };
  return { manufacturer, aspiration, installations: elements[0]!.installations!.length };
};

t.test('a newer log that only adds the manufacturer and the aspiration of a device changes the catalogue', async (t) => {
  const service = await openService(t);
  await service.importText(sensor('2001-02-01', {}), 'a.log');
  t.same(await catalogued(service), { manufacturer: null, aspiration: null, installations: 1 });
  await service.importText(sensor('2001-02-02', { '  Manufacturer': 'Vaisala' }), 'b.log');
  t.same(await catalogued(service), { manufacturer: 'Vaisala', aspiration: null, installations: 1 });
  await service.importText(sensor('2001-02-03', { '  Aspiration': 'FAN' }), 'c.log');
  t.same(await catalogued(service), { manufacturer: 'Vaisala', aspiration: 'FAN', installations: 1 }, 'what a log leaves blank stays');
  t.match(await service.importText(sensor('2001-02-03', { '  Aspiration': 'FAN' }), 'c.log'), { unchanged: 1 });
});

t.test('if two Sites describe one device differently, importing their logs again changes nothing', async (t) => {
  const service = await openService(t);
  const [first, second] = ['AAAA', 'BBBB'].map((id) => ({ ...sensor('2001-02-01', { '  Manufacturer': id }), id })) as [
    SyntheticLog,
    SyntheticLog,
  ];
  await service.importText(first, 'a.log');
  await service.importText(second, 'b.log');
  t.match(await catalogued(service), { manufacturer: 'BBBB' });
  t.match(await service.importText(first, 'a.log'), { unchanged: 1 });
  t.match(await catalogued(service), { manufacturer: 'BBBB' });
});

t.test('if items of one log describe one device differently, the last known value of each member wins', async (t) => {
  const service = await openService(t);
  const item = { type: 'HMP155', serial: '1' };
  const log = {
    prepared: '2001-02-01',
    sensors: [
      { ...item, from: '2001-01-01', to: '2002-01-01', more: { '  Manufacturer': 'Vaisala', '  Aspiration': 'FAN' } },
      { ...item, from: '2003-01-01', more: { '  Aspiration': 'NATURAL' } },
    ],
  };
  await service.importText(log, 'a.log');
  t.same(await catalogued(service), { manufacturer: 'Vaisala', aspiration: 'NATURAL', installations: 2 });
  t.match(await service.importText(log, 'a.log'), { unchanged: 1 });
});
