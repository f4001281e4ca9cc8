import t from 'tap';
import { openService } from '../helper.js';

t.test('the use of equipment is counted at the beginning of each year', async (t) => {
  const service = await openService(t, []);
  const firmware = (version: string) => ({ 'Firmware Version': version });
  const receivers = [
    { type: 'R0', serial: '1', from: '2010-01-01', to: '2012-01-01', more: firmware('1') },
    { type: 'R0', serial: '1', from: '2012-01-01', to: '2012-06-01', more: firmware('2') },
    { type: 'R1', serial: '2', from: '2012-06-01' },
  ];
  const antennas = [{ type: 'A0', serial: '3', from: '2010-01-01T00:00:01Z', to: '2012-01-01T00:00:01Z' }];
  await service.importText({ id: 'AAAA', receivers, antennas }, 'aaaa_20200101.log');
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
  const antenna = { equipmentType: 'gnss antenna', type: 'A0' };
  t.same(await used('gnss antenna'), [{ ...antenna, firmwareVersion: null, first: 2011, last: 2012, items: 1 }]);
  t.equal((await used('gnss receiver', 1)).length, 2, 'without the first installation');
  t.same(await used('gnss receiver', 1_000_000), []);
});
