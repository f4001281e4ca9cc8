import t from 'tap';
import { openService } from '../service.js';

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
