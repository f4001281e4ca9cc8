import t from 'tap';
import { SAMPLE } from '../../project-files.js';
import { openService } from '../../service.js';
import { placeOf, type SyntheticLog } from '../../synthetic-log.js';
import { FIXED_HEADERS } from '../../fixed-headers.js';
import { fieldsOf } from '../answers.js';
import { type HtmlPage, openPage, resolvedLink } from '../html-page.js';
import { checkFigures, countBehind } from './figures-behind.js';
import { NOW, over } from './over.js';

/** A receiver that tracks some systems. */
const tracking = (serial: string, systems: string, from: string, to?: string) => ({
  type: 'R1',
  serial,
  from,
  ...(to !== undefined && { to }),
  more: { 'Satellite System': systems },
});

/** A Site with receivers. */
const site = (id: string, more: Omit<SyntheticLog, 'id'>): SyntheticLog => ({ id, ...more });

/** The rows of the table with the numbers of the chart of systems, by their first cells. */
const systemsBy = (page: HtmlPage): Record<string, string[]> =>
  Object.fromEntries(
    page
      .rowsOf(page.part('#systems .years').root!)
      .map(([time, ...counts]): [string, string[]] => [time!, counts]),
  );

t.test(
  '/overview counts each Site once a year, by the systems that its best receiver tracks',
  async (t) => {
    const service = await over(
      t,
      site('GPS1', { receivers: [tracking('1', 'GPS', '2020-01-01')] }),
      site('GLO1', { receivers: [tracking('2', 'GPS+GLO', '2020-01-02')] }),
      site('GAL1', { receivers: [tracking('3', 'GPS+GLO+GAL', '2021-06-01')] }),
      site('BDS1', {
        receivers: [
          tracking('4', 'GPS', '2020-01-01', '2022-01-01'),
          tracking('5', 'GPS+GAL+BDS', '2022-01-01'),
        ],
      }),
      // Two receivers at once: the better one counts, not both together.
      site('TWO1', {
        receivers: [tracking('6', 'GAL', '2023-01-01'), tracking('7', 'BDS', '2023-01-01')],
      }),
      site('ANT1', { antennas: [{ type: 'A1', serial: '8', from: '2018-06-01' }] }),
    );
    const page = await openPage(service, '/overview');
    t.same(page.errors, []);
    const counts = systemsBy(page);
    // Not known, GPS, GPS and GLONASS, Galileo or BeiDou, both.
    t.same(counts['2020'], ['0', '2', '0', '0', '0']);
    t.same(counts['2021'], ['0', '2', '1', '0', '0']);
    t.same(counts['2022'], ['0', '1', '1', '1', '1']);
    t.same(counts['2023'], ['0', '1', '1', '2', '1']);
    // A Site without a receiver is in no class.
    t.same(counts['2024'], ['0', '1', '1', '2', '1']);
    t.same(counts['2026-01-01'], ['0', '1', '1', '2', '1']);
    t.equal(counts['2019'], undefined, 'the first year is the first one with a receiver');
    t.same(page.numbers('#systems .hint'), ['5', '6']);
    const figures = page.part('.figures').texts('strong');
    t.same(figures.slice(0, 3), ['6', '6', '1']);
  },
);

t.test(
  'each figure of /overview that has a link is the number of the list behind it',
  async (t) => {
    const service = await openService(t, [SAMPLE], { clock: () => NOW });
    // Logs of all ages, and changes of the last years.
    const dates = [
      '2025-06-01',
      '2025-01-01',
      '2024-12-31',
      '2022-01-01',
      '2017-01-01',
      '2010-01-01',
    ];
    for (const [index, prepared] of dates.entries()) {
      const id = `S00${index}`;
      const receivers = [
        tracking(id, 'GPS', '2015-01-01', `202${index}-06-01`),
        tracking(id, 'GPS+GAL', `202${index}-06-01`),
      ];
      // The countries count Sites without a position, too.
      const text = { id, prepared, receivers };
      await service.importText(text, `${id.toLowerCase()}_20200101.log`);
    }
    await checkFigures(t, service);
  },
);

t.test('/overview does not know the changes of years that began after the last log', async (t) => {
  const receivers = [tracking('1', 'GPS', '2023-02-01')];
  for (const [prepared, last] of [
    ['2023-12-31', ['2024', 'unknown']],
    ['2024-01-01', ['2024', '0']],
  ] as const) {
    const service = await over(t, site('AAAA', { prepared, receivers }));
    const page = await openPage(service, '/overview');
    const rows = page.rowsOf(page.part('#changes table').root!).map((row) => row.slice(0, 2));
    t.same(rows.slice(2, 5), [['2023', '1'], last, ['2025', 'unknown']]);
  }
});

t.test('pages do not count what a log calls “no receiver” or “no antenna”', async (t) => {
  const service = await over(
    t,
    site('AAAA', {
      receivers: [tracking('1', 'GPS', '2015-01-01')],
      antennas: [{ type: 'A1', serial: '3', from: '2015-01-01' }],
    }),
    site('BBBB', {
      receivers: [
        tracking('2', 'GPS', '2015-01-01', '2016-01-01'),
        { type: 'No Receiver', from: '2016-01-01' },
      ],
      antennas: [{ type: 'no antenna', from: '2016-01-01' }],
    }),
  );
  const overview = await openPage(service, '/overview');
  t.same(overview.part('.figures').texts('strong').slice(0, 3), ['2', '1', '1']);
  for (const url of overview.part('.figures').all('a', 'href').slice(1, 3))
    t.equal(await countBehind(service, resolvedLink(url, '/overview')), 1, url);
  t.same(systemsBy(overview)['2026-01-01'], ['0', '1', '0', '0', '0']);
  const types = await openPage(service, '/receivers');
  t.same(types.column('Type'), ['R1']);
  t.match(types.part('main p').text, 'No Receiver');
  t.ok(types.all('a', 'href').includes('./receivers?type=No%20Receiver'));
  t.same((await openPage(service, '/antennas')).column('Type'), ['A1']);
  const network = await openPage(service, '/network');
  t.notMatch(network.part('main').text, /no (receiver|antenna)/i);
  // A Site without a receiver is not active; its equipment is shown as its log has it.
  const status = (await openPage(service, '/sites')).texts('.lacking');
  t.equal(status.length, 1);
  t.match((await openPage(service, '/sites/BBBB')).part('main').text, 'No Receiver');
});

/** A receiver of GPS with the serial number that several Sites give. */
const shared = tracking('77', 'GPS', '2015-01-01');

t.test(
  'each figure of /overview with a link is that of the list, though logs contradict each other',
  async (t) => {
    const service = await over(
      t,
      // One receiver at two Sites at once, and an antenna at three.
      site('AAAA', {
        receivers: [shared],
        antennas: [{ type: 'A1', serial: '5', from: '2015-01-01' }],
        agency: 'Survey  One',
      }),
      site('BBBB', {
        receivers: [{ ...shared, from: '2016-01-01' }],
        antennas: [{ type: 'A1', serial: '5', from: '2015-06-01' }],
        agency: 'SURVEY ONE',
      }),
      site('CCCC', {
        antennas: [{ type: 'A1 NONE', serial: '5', from: '2016-01-01' }],
        agency: 'Survey*',
        prepared: '2030-01-01',
      }),
      // Removed before installed, later than the log, unknown systems, in use twice.
      site('DDDD', {
        receivers: [
          tracking('1', 'GPS+XYZ', '2020-01-01', '2019-01-01'),
          tracking('2', 'GLO+gal', '2025-06-01'),
          tracking('3', 'GPS', '2025-06-01'),
        ],
        prepared: '2024-01-01',
        agency: 'Survey One & Co. (<b>)',
      }),
      // Logs of the same day, of an unknown day, and on a boundary of ages.
      site('EEEE', {
        prepared: '2025-01-01',
        // Changes at the ends of quarters, one of them with a gap over such an end.
        receivers: [
          tracking('4', 'GAL+BDS', '2023-12-31T23:59:59Z', '2024-04-01T00:00:00Z'),
          tracking('14', 'GAL+BDS', '2024-04-01T00:00:00Z', '2024-09-30T23:00Z'),
          tracking('24', 'GAL+BDS', '2024-10-01T01:00Z', '2025-12-01T23:59:59Z'),
          // 31 and 30 days ago, on the day itself, and later.
          tracking('34', 'GAL', '2025-12-01T23:59:59Z', '2025-12-02'),
          tracking('44', 'GAL', '2025-12-02', '2026-01-01T12:00Z'),
          tracking('54', 'GAL', '2026-01-01T12:00Z', '2026-01-02'),
          tracking('64', 'GAL', '2026-01-02'),
        ],
      }),
      site('FFFF', { prepared: '', receivers: [{ type: 'R0', serial: '9', from: '2001-20-07' }] }),
      site('GGGG', { prepared: '2016-01-01', country: 'Nowhere' }),
      site('HHHH', { prepared: '2015-12-31', country: 'AUS' }),
    );
    // A log that another replaced.
    await service.importText(
      site('AAAA', {
        receivers: [shared, tracking('88', 'GPS', '2025-01-01')],
        antennas: [{ type: 'A1', serial: '5', from: '2015-01-01' }],
        prepared: '2025-06-01',
        agency: 'survey one',
      }),
      'aaaa_20250601.log',
    );
    const figures = await checkFigures(t, service);
    const behind = new Map(figures);
    t.equal(behind.get('/receivers?conflicts=true'), 1);
    t.equal(behind.get('/antennas?conflicts=true'), 1);
    const timesOn = async (url: string): Promise<string[]> =>
      (await openPage(service, url)).column('Time').slice(0, 10);
    t.same(await timesOn('/overview'), await timesOn('/changes'), 'the latest changes');
    const findings = await openPage(service, '/findings?level=warning');
    for (const url of ['/receivers?conflicts=true', '/antennas?conflicts=true'])
      t.ok(findings.all('a', 'href').includes(`.${url}`), url);
    const ofOne = await openPage(service, '/findings?site=AAAA');
    t.notOk(ofOne.all('a', 'href').some((url) => url.includes('conflicts')));
    t.equal(behind.get('/changes?from=2025-12-02&to=2026-01-02'), 2, 'the last 30 days');
    const agencies = figures.filter(([url]) => url.includes('agency='));
    t.same(
      agencies.map(([, sites]) => sites),
      [2, 1],
      'two spellings are one agency; one with * has no list',
    );
  },
);

t.test('/overview counts no changes of days that no log knows', async (t) => {
  // The last 30 days begin on 2025-12-02.
  for (const [prepared, figure] of [
    ['2025-12-01', 'unknown'],
    ['2025-12-02', '0'],
  ] as const) {
    const service = await over(
      t,
      site('AAAA', { receivers: [tracking('1', 'GPS', '2015-01-01')], prepared }),
    );
    const figures = (await openPage(service, '/overview')).part('.figures').texts('strong');
    t.equal(figures.at(4), figure, prepared);
  }
});

t.test('/overview names the Sites with the most warnings, and leads to all by them', async (t) => {
  const wrong = { type: 'R0', serial: '1', from: '2001-20-07' };
  const service = await over(
    t,
    site('AAAA', { receivers: [tracking('1', 'GPS', '2015-01-01')] }),
    site('BBBB', { receivers: [wrong, { ...wrong, serial: '2' }, tracking('3', 'XYZ', 'soon')] }),
    site('CCCC', { receivers: [wrong] }),
  );
  const page = await openPage(service, '/overview');
  const links = page.part('#findings').all('a', 'href');
  const sites = links.filter((href) => href.startsWith('./sites/'));
  t.same(sites.slice(0, 2), ['./sites/BBBB', './sites/CCCC']);
  const all = links.find((href) => href.startsWith('./sites?'))!;
  const listed = await openPage(service, resolvedLink(all, '/overview'));
  t.same(listed.column('Site').slice(0, 2), ['BBBB', 'CCCC']);
});

t.test('the Sites with the most warnings have one order on all pages', async (t) => {
  const wrong = { type: 'R0', serial: '1', from: '2001-20-07' };
  const bad = (id: string, more: Partial<SyntheticLog> = {}) =>
    site(id, { receivers: [wrong], ...more });
  const others = ['S007', 'S006', 'S005', 'S004', 'S003', 'S002', 'S001'].map((id) => bad(id));
  const bads = [bad('ZZZZ', { country: 'AUS' }), ...others, bad('AAAA', { country: 'Nowhere' })];
  for (const [logs, isTied] of [
    [bads, true],
    // As many as are named.
    [bads.slice(1), false],
  ] as const) {
    const service = await over(t, ...logs);
    const overview = (await openPage(service, '/overview')).part('#findings');
    const named = overview
      .all('a', 'href')
      .filter((href) => href.startsWith('./sites/'))
      .map((href) => href.slice(-4));
    const ids = logs.map(({ id }) => id).sort();
    t.same(named, ids.slice(0, 8));
    t.match(overview.text, /AAAA \(Nowhere\).*S001 \(Australia\)/s);
    t.equal(/other sites/i.test(overview.text), isTied);
    const listed = (await openPage(service, '/sites?sort=warnings,desc')).column('Site');
    t.same(listed, ids);
    const findings = (await openPage(service, '/findings')).part('#sites').texts('a');
    t.same(findings, ids);
  }
});

t.test('/findings names 20 Sites, and says if others have as many findings', async (t) => {
  const wrong = { type: 'R0', serial: '1', from: '2001-20-07' };
  const bads = Array.from({ length: 21 }, (_, index) =>
    site(`T0${String(index).padStart(2, '0')}`, { receivers: [wrong] }),
  );
  for (const [logs, isTied] of [
    [bads, true],
    [bads.slice(1), false],
  ] as const) {
    const { text } = (await openPage(await over(t, ...logs), '/findings')).part('#sites');
    t.equal(/other sites/i.test(text), isTied);
  }
});

t.test('/overview leads to the downloads, on the page of Sites', async (t) => {
  const service = await openService(t, [SAMPLE], { clock: () => NOW });
  const links = (await openPage(service, '/overview')).all('a', 'href');
  const [url, id] = links.find((href) => href.startsWith('./sites#'))!.split('#');
  const page = await openPage(service, resolvedLink(url!, '/overview'));
  t.ok(page.part(`#${id}`).all('a', 'href').includes('./exports/sites.snx'));
});

t.test('/overview says whose network it is, as far as its operator does', async (t) => {
  const named = await openService(t, [SAMPLE], {
    clock: () => NOW,
    network: { name: 'The <Network>', url: 'https://network.example/about' },
  });
  const page = await openPage(named, '/overview');
  t.same(page.part('#agencies').all('a', 'href')[0], 'https://network.example/about');
  t.match(page.part('#agencies p').text, 'The <Network>');
  const unnamed = await openPage(await openService(t, [SAMPLE], { clock: () => NOW }), '/overview');
  t.notOk(unnamed.part('#agencies p').has('a'));
});

t.test('/overview says from which year on most logs know of no changes', async (t) => {
  for (const [prepared, numbers, hatched] of [
    // The years shown are 2022 to 2026.
    [['2021-12-31', '2020-01-01', '2025-01-01'], ['2', '3', '2022'], '0.00%'],
    [['2022-01-01', '2020-01-01', '2025-01-01'], ['2022'], '20.00%'],
    [['2026-01-01', '2020-01-01', '2026-01-01'], [], null],
  ] as const) {
    const logs = prepared.map((day, index) => site(`S00${index}`, { prepared: day }));
    const page = await openPage(await over(t, ...logs), '/overview');
    t.same(page.has('#changes .hint') ? page.numbers('#changes .hint') : [], numbers);
    const strips = page.parts('#changes .assumed');
    t.same(
      strips.map(({ root }) => root!.attrs.find(({ name }) => name === 'x')!.value),
      hatched === null ? [] : [hatched, hatched, hatched, hatched],
    );
  }
});

t.test('/overview says how old the logs are', async (t) => {
  for (const [prepared, dates] of [
    [
      ['2012-01-01', '2025-02-03', '2011-01-01'],
      ['2026-01-01', '2025-02-03', '2012-01-01'],
    ],
    [
      ['2025-02-03', '2025-02-03', '2011-01-01'],
      ['2026-01-01', '2025-02-03'],
    ],
  ] as const) {
    const logs = prepared.map((day, index) => site(`S00${index}`, { prepared: day }));
    const { text } = (await openPage(await over(t, ...logs), '/overview')).part('.summary');
    // The last one is when they were imported.
    t.same(text.match(/\d{4}-\d\d-\d\d/g), [...dates, '2026-01-01']);
  }
});

t.test('/overview leads to the oldest and the newest logs', async (t) => {
  const service = await over(
    t,
    site('AAAA', { prepared: '2012-01-01' }),
    site('BBBB', { prepared: '2025-01-01' }),
    site('CCCC', { prepared: '2011-01-01' }),
  );
  const page = await openPage(service, '/overview');
  const [newest] = page.part('.figures').all('a', 'href').slice(-1);
  const listed = async (link: string) =>
    (await openPage(service, resolvedLink(link, '/overview'))).column('Site');
  t.same(await listed(newest!), ['BBBB', 'AAAA', 'CCCC']);
  t.same(await listed(page.part('#ages table').all('a', 'href').at(-1)!), ['CCCC', 'AAAA']);
  const [, ...rows] = page.rowsOf(page.part('#ages table').root!);
  t.same(
    rows.map((cells) => cells.at(-1)),
    ['3', '2', '2', '2', '2'],
  );
});

t.test('/map.svg is the map of /overview, with its words and links beside it', async (t) => {
  const service = await openService(t, [SAMPLE], { clock: () => NOW });
  const page = await openPage(service, '/overview');
  const [image] = page.part('#map').named('img');
  t.match(page.attribute(image!, 'alt'), /\b8\b/);
  t.equal(page.attribute(image!, 'src'), './map.svg');
  const { statusCode, headers, rawPayload, body } = await service.get('/map.svg');
  t.same(
    [statusCode, fieldsOf(headers)],
    [
      200,
      {
        ...FIXED_HEADERS,
        'content-type': 'image/svg+xml;charset=UTF-8',
        'content-length': String(rawPayload.length),
      },
    ],
  );
  t.notMatch(body, /<script|href=|on\w+=/);
  t.ok(rawPayload.length < 70_000);
  const links = page.part('#map').all('a', 'href');
  t.ok(links.some((href) => href.startsWith('./sites?bbox=')));
  const country = links.find((href) => href.startsWith('./sites?countryCode='))!;
  t.equal((await openPage(service, resolvedLink(country, '/overview'))).has('.sites'), true);
});

t.test('/overview is made anew after a commit and after midnight', async (t) => {
  let now = NOW;
  const service = await openService(t, [], { clock: () => now });
  t.notOk((await openPage(service, '/overview')).has('.figures'), 'without Sites');
  t.equal((await service.get('/map.svg')).statusCode, 404);
  const place = placeOf('-35.3', '149.1');
  await service.importText(
    site('AAAA', { place, receivers: [tracking('1', 'GPS', '2026-01-01T12:00Z')] }),
    'aaaa_20200101.log',
    NOW,
  );
  const before = await openPage(service, '/overview');
  t.equal(before.part('.figures strong').text, '1');
  t.same(systemsBy(before)['2026-01-01'], ['0', '0', '0', '0', '0'], 'not yet at midnight');
  now = new Date('2026-01-02T00:00:00Z');
  const after = await openPage(service, '/overview');
  t.same(systemsBy(after)['2026-01-02'], ['0', '1', '0', '0', '0']);
  t.equal((await service.get('/map.svg')).statusCode, 200);
});

t.test('/sites?preparedBefore= finds the Sites with older logs', async (t) => {
  const service = await over(
    t,
    site('AAAA', { prepared: '2019-12-31' }),
    site('BBBB', { prepared: '2020-01-01' }),
  );
  const sitesAt = async (day: string) =>
    (await openPage(service, `/sites?preparedBefore=${day}`)).column('Site');
  t.same(await sitesAt('2020-01-01'), ['AAAA']);
  t.same(await sitesAt('2020-01-02'), ['AAAA', 'BBBB']);
  t.same(await sitesAt('2019-12-31'), []);
  t.match((await openPage(service, '/sites?preparedBefore=soon', 400)).text, 'soon');
});
