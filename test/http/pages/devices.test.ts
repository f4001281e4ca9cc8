import t from 'tap';
import { SAMPLE } from '../../project-files.js';
import { openService } from '../../service.js';
import { BROWSER, HtmlPage, openPage } from '../html-page.js';
import { NOW, over } from './over.js';

/** The sample network, for the tests that change nothing. */
const sample = await openService(t, [SAMPLE], { clock: () => NOW });

/** The serial numbers of the devices that a page links to, on itself. */
const devicesLinkedOn = (page: HtmlPage): string[] =>
  page
    .parts('a')
    .filter(({ root }) => page.attribute(root!, 'href')!.startsWith('#device-'))
    .map(({ text }) => text);

t.test('/receivers finds a type in any spelling, and a serial number of any type', async (t) => {
  for (const [query, location] of [
    ['serialNumber=', './antennas?type=LEIAR25.R3%20%20%20%20%20%20NONE'],
    ['serialNumber=9', './antennas?type=LEIAR25.R3%20%20%20%20%20%20NONE&serialNumber=9'],
  ]) {
    const { statusCode, headers } = await sample.get(`/antennas?type=leiar25.r3%20none&${query}`, {
      accept: BROWSER,
    });
    t.same([statusCode, headers.location], [302, location]);
  }
  // A form sends all its fields.
  const all = await openPage(sample, '/receivers?type=&serialNumber=');
  const rows = all.rowsOf(all.named('table')[0]!).map((row) => row.slice(0, 4));
  t.same(rows[1], ['TRIMBLE NETRS', '7', '5', '5']);
  const one = await openPage(sample, '/receivers?type=&serialNumber=1830439');
  t.same(one.column('Serial number'), ['1830439 LEICA GR25']);
  // Nothing found says what was asked, and suggests nothing else.
  for (const [query, asked] of [
    ['type=netr&serialNumber=', ['netr']],
    ['type=TRIMBLE%20NETRS&serialNumber=nothing', ['TRIMBLE NETRS', 'nothing']],
    // A part, and the number of another type.
    ['serialNumber=183043', ['183043']],
    ['type=TRIMBLE%20NETRS&serialNumber=1830439', ['TRIMBLE NETRS', '1830439']],
  ] as const) {
    const page = await openPage(sample, `/receivers?${query}`);
    for (const each of asked) t.match(page.part('[role=status]').text, each, query);
    t.same(page.texts('main li'), [], query);
  }
});

t.test('/receivers?sort= orders the types', async (t) => {
  const receiver = (type: string, serial: string, to?: string) => ({
    type,
    serial,
    from: '2010-01-01',
    ...(to !== undefined && { to }),
  });
  const service = await over(
    t,
    {
      id: 'AAAA',
      receivers: [
        receiver('R1', '1', '2012-01-01'),
        receiver('R1', '2', '2012-01-01'),
        receiver('R1', '3', '2012-01-01'),
        receiver('R2', '4'),
        receiver('R3', '5', '2012-01-01'),
        receiver('R3', '6', '2012-01-01'),
        { from: '2010-01-01', to: '2012-01-01' },
      ],
    },
    { id: 'BBBB', receivers: [receiver('R3', '7'), receiver('R3', '8'), receiver('R2', '4')] },
  );
  const typesOf = async (query: string): Promise<string[]> =>
    (await openPage(service, `/receivers${query}`))
      .column('Type')
      .map((type) => /^R\d/.exec(type)?.[0] ?? '?');
  for (const [query, types] of [
    ['', ['R3', 'R1', '?', 'R2']],
    ['?sort=devices', ['?', 'R2', 'R1', 'R3']],
    ['?sort=inUse,desc', ['R3', 'R2', 'R1', '?']],
    ['?sort=inUse,asc', ['R1', '?', 'R2', 'R3']],
    ['?sort=sites,desc', ['R3', 'R2', 'R1', '?']],
    ['?sort=conflicts,desc', ['R2', 'R3', 'R1', '?']],
    ['?sort=type', ['R1', 'R2', 'R3', '?']],
    ['?sort=type,desc', ['R3', 'R2', 'R1', '?']],
  ] as const)
    t.same(await typesOf(query), types, query);
  // The heads lead to the orders, and that of the order now to the opposite one.
  const page = await openPage(service, '/receivers?sort=inUse,desc');
  t.same(page.part('thead').all('a', 'href'), [
    './receivers?sort=type',
    './receivers?sort=devices,desc',
    './receivers?sort=inUse',
    './receivers?sort=sites,desc',
    './receivers?sort=conflicts,desc',
  ]);
  t.same(
    page.parts('th').flatMap(({ root }) => page.attribute(root!, 'aria-sort') ?? []),
    ['descending'],
  );
  t.same(page.part('caption').all('a', 'href'), page.part('thead').all('a', 'href'));
  for (const query of [
    'sort=colour',
    'sort=type,up',
    'type=R1&sort=type',
    'conflicts=true&sort=type',
  ])
    t.equal((await service.get(`/receivers?${query}`, { accept: BROWSER })).statusCode, 400, query);
});

t.test('/receivers and /network count the spellings of one type as one', async (t) => {
  const receiver = (type: string, serial: string, from: string) => ({ type, serial, from });
  const service = await over(
    t,
    { id: 'AAAA', receivers: [receiver('QX  ONE', '1', '2010-01-01')] },
    {
      id: 'BBBB',
      receivers: [
        { ...receiver('Qx One', '2', '2010-01-01'), to: '2012-01-01' },
        receiver('QX ONE', '3', '2012-01-01'),
        receiver('QX ONE', '4', '2012-01-01'),
      ],
    },
    { id: 'CCCC', receivers: [receiver('QX TWO', '5', '2010-01-01')] },
  );
  const page = await openPage(service, '/receivers');
  const rows = page.rowsOf(page.named('table')[0]!).map((row) => row.slice(0, 4));
  t.same(rows.slice(1), [
    ['QX ONE', '4', '3', '2'],
    ['QX TWO', '1', '1', '1'],
  ]);
  const ofType = await openPage(service, '/receivers?type=QX%20ONE');
  t.same(
    ofType.column('Serial number').map((text) => text[0]),
    ['1', '2', '3', '4'],
  );
  t.match(page.part('main').text, /QX 4\b/, 'makers');
  const network = await openPage(service, '/network');
  const [types] = network.named('table').map((table) => network.rowsOf(table));
  t.same(
    types!.slice(1).map((row) => [row[0], row.at(-1)]),
    [
      ['QX ONE', '3'],
      ['QX TWO', '1'],
    ],
  );
});

t.test('/receivers?conflicts=true shows only the devices in conflict', async (t) => {
  const receiver = (type: string, serial: string) => ({ type, serial, from: '2010-01-01' });
  const service = await over(
    t,
    { id: 'AAAA', receivers: [receiver('R0', '1'), receiver('R0', '2'), receiver('R1', '3')] },
    { id: 'BBBB', receivers: [receiver('R0', '1'), receiver('R1', '3'), receiver('R2', '4')] },
  );
  const types = await openPage(service, '/receivers');
  t.same(
    types.all('a', 'href').filter((href) => href.includes('conflicts=')),
    [
      './receivers?conflicts=true',
      './receivers?type=R0&conflicts=true',
      './receivers?type=R1&conflicts=true',
    ],
    'the page of types leads there',
  );
  const all = await openPage(service, '/receivers?conflicts=true');
  t.same(all.column('Serial number'), ['1 R0', '3 R1']);
  t.same(devicesLinkedOn(all), [], 'they need not be listed again');
  const [json] = all.all('a', 'href').filter((href) => href.startsWith('./gnssReceivers?'));
  const { body } = await service.get(json!.replace(/^\./, ''));
  t.equal((JSON.parse(body) as { page: { totalElements: number } }).page.totalElements, 2);
  const download = all.all('a', 'href').find((href) => href.includes('/installations.csv'))!;
  const csv = (await service.get(download.replace(/^\./, ''))).body;
  t.equal(csv.trimEnd().split('\n').length, 1 + 4, 'each of the two is at two Sites');

  const spelled = await service.get('/receivers?type=r0&conflicts=true', { accept: BROWSER });
  t.equal(spelled.headers.location, './receivers?type=R0&conflicts=true');
  const ofType = await openPage(service, '/receivers?type=R0&serialNumber=&conflicts=true');
  t.ok(ofType.all('a', 'href').includes('./receivers?type=R0'), 'all of this type');
  t.same(ofType.column('Serial number'), ['1']);
  const { body: form } = await service.get('/receivers?type=R0&conflicts=true');
  t.match(form, /<input [^>]*name="conflicts"[^>]*checked/, 'the form keeps it');
  const none = await openPage(service, '/receivers?type=R2&conflicts=true');
  t.match(none.part('[role=status]').text, 'R2');
  t.same(none.texts('main li'), [], 'nothing is similar');
  t.ok((await openPage(service, '/antennas?conflicts=true')).has('[role=status]'));
  const links = (await openPage(service, '/antennas')).all('a', 'href');
  t.notOk(
    links.some((href) => href.includes('conflicts=')),
    'no link to nothing',
  );
  for (const value of ['', 'false', 'yes']) {
    const { statusCode } = await service.get(`/receivers?conflicts=${value}`, { accept: BROWSER });
    t.equal(statusCode, 400, value);
  }
});

t.test('/receivers?type= shows where each device has been, with conflicts marked', async (t) => {
  const more = (version: string) => ({ 'Firmware Version': version });
  const receivers = [
    { type: 'R0', serial: '1', from: '2010-01-01', to: '2011-01-01', more: more('1.0') },
    { type: 'R0', serial: '1', from: '2011-01-01', to: '2014-01-01', more: more('2.0') },
    { type: 'R0', serial: '2', from: '2015-01-01' },
  ];
  const conflicting = [{ type: 'R0', serial: '1', from: '2013-01-01', more: more('3.0') }];
  const unknown = [{ from: '2013-01-01' }];
  const service = await over(
    t,
    { id: 'AAAA', receivers },
    { id: 'BBBB', receivers: conflicting },
    { id: 'CCCC', receivers: unknown },
  );
  const types = await openPage(service, '/receivers');
  const [, ...rows] = types.rowsOf(types.named('table')[0]!);
  t.same(rows[0]!.slice(0, 4), ['R0', '2', '2', '2']);
  t.same(
    types.texts('.conflict').map((text) => text.slice(0, 2)),
    ['1 '],
  );
  t.same(rows[1]!.slice(1, 4), ['1', '1', '1']);
  t.ok(types.all('a', 'href').includes('./receivers?type='), 'devices of unknown type');
  const page = await openPage(service, '/receivers?type=R0');
  t.same(devicesLinkedOn(page), ['1'], 'the one in conflict');
  /** The Sites, dates and firmware of each visit. */
  const visits = page.texts('td li').map((text) => text.match(/[A-Z]{4}|\d{4}-\d\d-\d\d|\d\.\d/g));
  t.same(visits, [
    ['AAAA', '2010-01-01', '2011-01-01', '1.0'],
    ['AAAA', '2011-01-01', '2014-01-01', '2.0', 'BBBB'],
    ['BBBB', '2013-01-01', '3.0', 'AAAA'],
    ['AAAA', '2015-01-01'],
  ]);
  t.equal(page.ofClass('conflicting').length, 2);
  const second = await openPage(service, '/receivers?type=R0&serialNumber=2');
  t.same(second.column('Serial number'), ['2']);
  t.equal((await openPage(service, '/receivers?type=')).column('Serial number').length, 1);
  const ofSerialNumber = await openPage(service, '/receivers?serialNumber=1');
  t.same(ofSerialNumber.column('Serial number'), ['1 R0']);
  const none = await openPage(service, '/receivers?serialNumber=none');
  t.match(none.part('[role=status]').text, 'none');
  const beyond = await openPage(service, '/receivers?type=R0&page=3');
  t.same(beyond.column('Serial number'), []);
  t.ok(beyond.all('a', 'href').includes('./receivers?type=R0&page=0'), 'the last page');
});

t.test('a device page shows nine characters where two Sites share four', async (t) => {
  const receivers = [{ type: 'R0', serial: '1', from: '2010-01-01' }];
  const service = await over(
    t,
    { id: 'QXAA00AUS', country: 'AUS', receivers },
    { id: 'QXAA00NZL', country: 'NZL', receivers: [{ ...receivers[0]!, serial: '2' }] },
    { id: 'QXAB00AUS', country: 'AUS', receivers: [{ ...receivers[0]!, serial: '3' }] },
  );
  const page = await openPage(service, '/receivers?type=R0');
  const links = page
    .parts('td a')
    .map(({ text }) => text)
    .filter((text) => text.startsWith('QX'));
  t.same(links.sort(), ['QXAA00AUS', 'QXAA00NZL', 'QXAB']);
});
