import t from 'tap';
import { openService } from '../helper.js';

t.test('the use of equipment is counted at the beginning of each year', async (t) => {
  const service = await openService(t, []);
  const firmware = (version: string) => ({ 'Firmware Version': version });
  await service.importText(
    {
      id: 'AAAA',
      receivers: [
        { type: 'R0', serial: '1', from: '2010-01-01', to: '2012-01-01', more: firmware('1') },
        { type: 'R0', serial: '1', from: '2012-01-01', to: '2012-06-01', more: firmware('2') },
        { type: 'R1', serial: '2', from: '2012-06-01' },
      ],
      antennas: [{ type: 'A0', serial: '3', from: '2010-01-01T00:00:01Z', to: '2012-01-01T00:00:01Z' }],
    },
    'aaaa_20200101.log',
  );
  await service.importText({ id: 'BBBB', receivers: [{ type: 'R1', serial: '4', from: '2012-12-31' }] }, 'bbbb_20200101.log');
  const receiver = { equipmentType: 'gnss receiver' };
  const used = async (kind: 'gnss receiver' | 'gnss antenna', after = 0) => {
    const { elements, next } = await service.store.network.readUse([kind], after);
    t.equal(next, null, 'one window');
    return elements.sort((a, b) => a.first - b.first);
  };
  t.same(await used('gnss receiver'), [
    { ...receiver, type: 'R0', firmwareVersion: '1', first: 2010, last: 2011, items: 1 },
    { ...receiver, type: 'R0', firmwareVersion: '2', first: 2012, last: 2012, items: 1 },
    { ...receiver, type: 'R1', firmwareVersion: null, first: 2013, last: null, items: 2 },
  ]);
  t.same(await used('gnss antenna'), [
    { equipmentType: 'gnss antenna', type: 'A0', firmwareVersion: null, first: 2011, last: 2012, items: 1 },
  ]);
  t.equal((await used('gnss receiver', 1)).length, 2, 'without the first installation');
  t.same(await used('gnss receiver', 1_000_000), []);
});

t.test('the oldest devices are those that have been at their site the longest, in any configuration', async (t) => {
  const service = await openService(t, []);
  await service.importText(
    {
      id: 'AAAA',
      name: 'One',
      receivers: [
        { type: 'R0', serial: '1', from: '2010-01-01', to: '2015-01-01' },
        { type: 'R0', serial: '1', from: '2015-01-02' },
      ],
    },
    'aaaa_20200101.log',
  );
  await service.importText(
    {
      id: 'BBBB',
      receivers: [
        { type: 'R0', serial: '2', from: '2001-01-01', to: '2012-01-01' },
        { type: 'R1', from: '2012-01-01' },
      ],
    },
    'bbbb_20200101.log',
  );
  const { elements: oldest, next } = await service.store.network.readOldest('gnss receiver', 5, 0);
  t.equal(next, null);
  t.same(
    oldest.map(({ fourCharacterId, siteName, type, serialNumber, since }) => [fourCharacterId, siteName, type, serialNumber, since]),
    [
      ['AAAA', 'One', 'R0', '1', '2010-01-01T00:00:00Z'],
      ['BBBB', 'Test', 'R1', null, '2012-01-01T00:00:00Z'],
    ],
  );
  t.equal((await service.store.network.readOldest('gnss receiver', 1, 0)).elements.length, 1);
  t.match(
    await service.store.network.readOldest('gnss receiver', 5, 1),
    { elements: [{ serialNumber: null }] },
    'without the first device',
  );
  t.same(await service.store.network.readOldest('gnss antenna', 5, 0), { elements: [], next: null });
});
