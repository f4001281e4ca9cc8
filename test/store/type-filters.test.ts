import t from 'tap';
import { openService } from '../service.js';

t.test('one clock is found with and without the word EXTERNAL', async (t) => {
  const { importText, get } = await openService(t);
  const clock = (type: string) => [{ type, from: '2001-01-01', to: '(CCYY-MM-DD)' }];
  await importText({ id: 'AAAA', clocks: clock('H-MASER') }, 'aaaa.log');
  await importText({ id: 'BBBB', clocks: clock('EXTERNAL H-MASER') }, 'bbbb.log');
  await importText({ id: 'CCCC', clocks: clock('EXTERNAL CESIUM') }, 'cccc.log');
  const numberOf = async (url: string): Promise<number> =>
    (await get(url)).json<{ page: { totalElements: number } }>().page.totalElements;
  t.equal(await numberOf('/clocks'), 2);
  for (const type of ['H-MASER', 'external%20h-maser', '*H-MASER'])
    t.equal(await numberOf(`/clocks?type=${type}`), 1, type);
  const sites = '/corsSites/search/findByEquipment?type=';
  for (const type of ['H-MASER', 'EXTERNAL%20H-MASER']) t.equal(await numberOf(sites + type), 2);
});

t.test(
  'a filter by type sees what another process has imported since the last request',
  async (t) => {
    const service = await openService(t);
    const numberOf = async (pattern: string): Promise<number> =>
      (await service.get(`/gnssReceivers?type=${pattern}&size=1`)).json<{
        page: { totalElements: number };
      }>().page.totalElements;
    const receivers = (type: string) => [{ type, serial: '1', from: '2001-01-01' }];
    await service.importText({ id: 'AAAA', receivers: receivers('NEW ONE') }, 'aaaa.log');
    for (const _ of [1, 2]) t.equal(await numberOf('new*'), 1);
    await service.importText({ id: 'BBBB', receivers: receivers('NEW TWO') }, 'bbbb.log');
    for (const _ of [1, 2]) t.equal(await numberOf('new*'), 2);
    // More filters than are remembered.
    for (let made = 0; made < 600; made++) t.equal(await numberOf(`none${made}*`), 0);
    t.equal(await numberOf('new*'), 2);
  },
);
