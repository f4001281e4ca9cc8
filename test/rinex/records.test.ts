import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { openServiceRecords } from '../../src/rinex/record/from-service.js';
import { openStoreRecords } from '../../src/rinex/record/from-store.js';
import { SAMPLE } from '../project-files.js';
import { openService } from '../service.js';

const RECEIVERS = [
  { type: 'LEICA GR25', serial: 'QX-1', from: '2010-01-01', to: '2015-01-01' },
  { type: 'LEICA GR25', serial: 'QX 2', from: '2015-01-01' },
];

/** The base URL of a server that passes on the answers of another. @param alter alters a body */
async function proxyOf(
  t: Test,
  base: string,
  alter: (body: string, path: string) => string,
): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url!;
      const answer = await fetch(base + path);
      const body = alter(await answer.text(), path);
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

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
  await importText({ id: 'QQAC', prepared: '2020-01-01', agency: 'Example Survey' }, 'c.log');
  const service = await app.listen({ port: 0, host: '127.0.0.1' });
  const asked: string[] = [];
  const base = await proxyOf(t, service, (body, path) => {
    asked.push(path);
    return body;
  });
  const notes: string[] = [];
  const records = [
    await openStoreRecords(database),
    openServiceRecords(base, (text) => notes.push(text)),
  ] as const;
  t.teardown(() => Promise.all(records.map((each) => each.close())));
  const [ofStore, ofApi] = records;

  const names = await store.sites.findNames();
  const ids = names.map(({ shortestId }) => shortestId.slice(0, 4));
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
    await ofApi.findSites(['QQAA', 'NONE', 'QQAB']),
    await ofStore.findSites(['QQAA', 'QQAB']),
  );
  t.same(
    (await ofStore.findSites(['QQAA', 'QQAB'])).map(({ site, setups, datePrepared }) => [
      site.nineCharacterId,
      setups.length,
      datePrepared,
    ]),
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
  const [withAgency] = await ofApi.findSites(['QQAC']);
  t.match(withAgency, { agencies: ['Example Survey'], datePrepared: '2020-01-01', isText: true });
  t.same(notes, []);
  t.same(
    new Set(asked.map((path) => path.split('?')[0])),
    new Set(['/corsSites', '/setups', '/siteLogs', '/equipment/search/findBySerialNumber']),
  );
  t.same((await ofApi.findSerialNumber('qx2', 'gnss receiver')).map(({ site }) => site).sort(), [
    'QQAA00AUS',
    'QQAA00NZL',
  ]);
});

t.test('of an older service, the one agency of a Site is known, which is said once', async (t) => {
  const { app, importText } = await openService(t, []);
  for (const id of ['QQAA', 'QQAB'])
    await importText({ id, prepared: '2020-01-01', agency: 'Example Survey' }, `${id}.log`);
  const service = await app.listen({ port: 0, host: '127.0.0.1' });
  // Such a service has the other members.
  const base = await proxyOf(t, service, (body) =>
    body.replace(/"agencies":\[[^\]]*\],"datePrepared":"[^"]*",/g, ''),
  );
  const notes: string[] = [];
  const records = openServiceRecords(base, (text) => notes.push(text));
  for (const id of ['QQAA', 'QQAB'])
    t.match(await records.findSites([id]), [{ agencies: ['Example Survey'], datePrepared: null }]);
  t.match(notes, [/older service/]);
  t.equal(notes.length, 1);
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
  const { port } = server.address() as AddressInfo;
  const records = openServiceRecords(`http://127.0.0.1:${port}`, (text) => t.fail(text));
  for (const answer of answers) {
    [status, body] = answer;
    const failure = { name: 'ServiceUnusable', message: answer[2] };
    await t.rejects(records.findSites(['QQAA']), failure, body);
  }
});
