import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { openApiRecords } from '../../src/cli/rinex/api-records.js';
import { openStoreRecords } from '../../src/cli/rinex/store-records.js';
import { SAMPLE } from '../project-files.js';
import { openService } from '../service.js';

const RECEIVERS = [
  { type: 'LEICA GR25', serial: 'QX-1', from: '2010-01-01', to: '2015-01-01' },
  { type: 'LEICA GR25', serial: 'QX 2', from: '2015-01-01' },
];

t.test('the store and the API give the same record', async (t) => {
  const { database, app, store, importText } = await openService(t, [SAMPLE]);
  // Namesakes, a Site known by four characters, a device at two Sites, a log that a later one has
  // replaced, a Site without Setups.
  for (const id of ['QQAA00AUS', 'QQAA00NZL', 'QQAB'])
    await importText({ id, receivers: RECEIVERS, prepared: '2020-01-01' }, `${id}.log`);
  await importText(
    { id: 'QQAB', receivers: RECEIVERS.slice(0, 1), prepared: '2021-05-06' },
    'b.log',
  );
  await importText({ id: 'QQAC', prepared: '2020-01-01' }, 'c.log');
  const base = await app.listen({ port: 0, host: '127.0.0.1' });
  const records = [await openStoreRecords(database), openApiRecords(base)] as const;
  t.teardown(() => Promise.all(records.map((each) => each.close())));
  const [ofStore, ofApi] = records;

  const names = await store.sites.findNames();
  const ids = names.map(({ shortestId }) => shortestId);
  const sites = await ofStore.findSites(ids);
  t.equal(sites.length, ids.length, 'all Sites');
  const sitesOfApi = await ofApi.findSites(ids);
  // One by one: a difference of everything would take minutes to print.
  const differing = sites.filter(
    (each, index) => JSON.stringify(each) !== JSON.stringify(sitesOfApi[index]),
  );
  t.equal(sitesOfApi.length, sites.length);
  t.same(
    differing.slice(0, 1),
    sitesOfApi.filter(({ site }) => site.id === differing[0]?.site.id),
  );
  t.same(
    await ofApi.findSites(['QQAA01USA', 'NONE', 'QQAB']),
    await ofStore.findSites(['QQAA', 'QQAB']),
  );
  t.same(
    (await ofStore.findSites(['QQAA00AUS', 'QQAA00NZL', 'QQAB'])).map(
      ({ site, setups, datePrepared }) => [site.nineCharacterId, setups.length, datePrepared],
    ),
    [
      ['QQAA00AUS', 2, '2020-01-01'],
      ['QQAA00NZL', 2, '2020-01-01'],
      [null, 2, '2021-05-06'],
    ],
  );
  for (const each of records) t.same(await each.findSites([]), []);

  const serialNumbers = new Set(
    sites.flatMap(({ setups }) =>
      setups.flatMap(({ equipmentInUse }) =>
        equipmentInUse.flatMap(({ content: { id } }) =>
          'serialNumber' in id && id.serialNumber !== null ? [id.serialNumber] : [],
        ),
      ),
    ),
  );
  let found = 0;
  for (const serialNumber of [...serialNumbers]
    .slice(-60)
    .concat('qx1', 'nobody', '?', 'a&b=c,d', 'é')) {
    for (const kind of ['gnss receiver', 'gnss antenna'] as const) {
      const installed = await ofStore.findSerialNumber(serialNumber, kind);
      t.same(await ofApi.findSerialNumber(serialNumber, kind), installed, serialNumber);
      found += installed.length;
    }
  }
  t.ok(found > 30, `${found} found`);
  t.same((await ofApi.findSerialNumber('qx2', 'gnss receiver')).map(({ site }) => site).sort(), [
    'QQAA00AUS',
    'QQAA00NZL',
  ]);
});

t.test('a server that is not such a service is reported in one line', async (t) => {
  const answers: [status: number, body: string, message: RegExp][] = [
    [200, '{}', /^http:\S+ is not a gnss-site-setups service: its answer has no corsSites$/],
    [200, '[]', /is not a gnss-site-setups service/],
    [200, '{"_embedded":{"corsSites":1}}', /is not a gnss-site-setups service/],
    [200, '<html>', /^http:\S+ is not such a service: its answer is not JSON$/],
    [502, '<html>', /^http:\S+ answered 502: no details$/],
    [404, '{"detail":"Nothing here."}', /^http:\S+ answered 404: Nothing here\.$/],
  ];
  let status = 200;
  let body = '';
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const records = openApiRecords(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  for (const answer of answers) {
    [status, body] = answer;
    const failure = { name: 'CommandFailed', message: answer[2] };
    await t.rejects(records.findSites(['QQAA']), failure, body);
  }
});
