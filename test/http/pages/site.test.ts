import t from 'tap';
import type { SetupResource } from '../../../schemas/index.js';
import { SAMPLE } from '../../project-files.js';
import { openService, type Service } from '../../service.js';
import { type Item, placeOf, type SyntheticLog } from '../../synthetic-log.js';
import { BROWSER, HtmlPage, openPage, resolvedLink } from '../html-page.js';
import { NOW, over } from './over.js';

/** The sample network, for the tests that change nothing. */
const sample = await openService(t, [SAMPLE], { clock: () => NOW });

t.test('the page of an unknown Site offers similar ids and a search', async (t) => {
  const page = await openPage(sample, '/sites/ALIK', 404);
  t.same(page.texts('main li'), ['ALIC']);
  t.ok(page.all('form', 'role').includes('search'));
  t.same((await openPage(sample, '/sites/9999', 404)).texts('main li'), []);
});

t.test('/sites/ALIC leads to the site log that its Setup comes from', async (t) => {
  const { body } = await sample.get('/sites/ALIC', { accept: 'text/html' });
  const [, path] = /href="\.\.(\/setups\/\d+\?projection=provenance)"/.exec(body)!;
  const { provenance } = (await sample.get(path!)).json<SetupResource>();
  t.equal(provenance!.siteLog.name, 'alic_20170223.log');
});

t.test('/sites/ALIC describes the site and its Setup, each fact once', async (t) => {
  const page = await openPage(sample, '/sites/ALIC');
  t.equal(page.part('h1').text, 'ALIC · Alice Springs AU012');
  const summary = page.part('.summary').text;
  t.match(summary, 'Geoscience Australia · Alice Springs, Northern Territory, Australia');
  t.same(page.texts('.summary time'), ['2017-02-23'], 'when the log was prepared');
  const facts = page.texts('#site dd');
  t.ok(facts.includes('50137M001'), 'the DOMES number');
  t.ok(
    facts.some((text) => /23\.67012° S, 133\.88551° E, 603\.4 m/.test(text)),
    'the position',
  );
  const [inEffect, changed, reliability] = page.parts('#setup p');
  t.same(inEffect!.texts('time'), ['2017-02-23']);
  t.same(changed!.texts('time'), ['2017-02-23']);
  t.match(changed!.text, /LEICA GR25.* 4\.10\.598\/6\.523 → 4\.11\.606\/6\.523/);
  t.same(reliability!.numbers(), ['2017-02-23', '8.9'], 'the age of the log in years');
  t.notOk(page.has('#setup [href=#findings]'), 'no warnings');
  const [receiver, antenna] = page.parts('table');
  t.same(receiver!.parts('tbody tr')[0]!.texts('td').slice(0, 3), [
    '1830439',
    '4.11.606/6.523',
    'GPS GLONASS Galileo BeiDou QZSS',
  ]);
  t.equal(receiver!.part('tbody th').text, 'LEICA GR25');
  t.same(receiver!.texts('tbody time'), ['2016-02-04', '2017-02-23'], 'the device, its settings');
  t.match(receiver!.parts('tbody tr')[1]!.text, '0°', 'the elevation cutoff');
  t.same(antenna!.parts('tbody tr')[0]!.texts('td'), [
    'NONE',
    '09370001',
    '0.0015 m',
    '0 m',
    '0 m',
    '0°',
    '2011-07-20',
  ]);
  t.equal(antenna!.part('tbody th').text, 'LEIAR25.R3');
  t.match(antenna!.parts('tbody tr')[1]!.text, 'BPA', 'the antenna reference point');
  t.match(page.part('#setup').text, '2.4 m', 'the height of the humidity sensor');
  t.ok(
    page.texts('#findings tbody tr').some((text) => /\b6893\b/.test(text)),
    'the first receiver came so many days after the site',
  );
  const other = await openPage(sample, '/sites/MCIL');
  t.same(other.numbers('#setup [href=#findings]'), ['1'], 'the warnings');
  const warnings = other.texts('#findings tr').filter((text) => /\bwarning\b/.test(text));
  t.equal(warnings.length, 1, 'as many as are listed');
  t.match(warnings[0], /3\.2 to 3\.5, 3\.7.*\b56 and 4 more\b/, 'with all five receivers');
});

t.test('/sites/{id} says whether the site is active', async (t) => {
  const item = { type: 'R0', serial: '1', from: '2010-01-01' };
  const antenna = { type: 'A0', serial: '2', from: '2010-01-01' };
  const statusOf = async (log: SyntheticLog): Promise<string> =>
    (await openPage(await over(t, log), '/sites/TEST')).part('.summary strong').text;
  const active = await statusOf({ receivers: [item], antennas: [antenna] });
  const incomplete = await statusOf({ receivers: [item] });
  const inactive = await statusOf({ receivers: [{ ...item, to: '2015-01-01' }] });
  t.equal(new Set([active, incomplete, inactive]).size, 3);
  const named = [active, incomplete, inactive].map((status) => status.match(/receiver|antenna/g));
  t.same(named, [null, ['antenna'], null], 'what is missing');
});

t.test(
  '/sites/{id} folds all Setups but the latest 20, and opens the one that it shows',
  async (t) => {
    const day = (index: number): string => `20${String(index).padStart(2, '0')}-01-01`;
    const receivers = Array.from({ length: 25 }, (_, index) => ({
      type: `R${index}`,
      serial: '1',
      from: day(index),
      to: day(index + 1),
    }));
    const service = await over(t, { receivers });
    const page = await openPage(service, '/sites/TEST');
    t.same([page.numbers('#setups h2'), page.numbers('#setups summary')], [['26'], ['6']]);
    const folds = (each: HtmlPage): (string | undefined)[] =>
      each.ofClass('fold').map((fold) => each.attribute(fold, 'open'));
    t.same(folds(page), [undefined]);
    t.same(folds(await openPage(service, '/sites/TEST?at=2001-02-01')), ['']);
    t.same(page.errors, []);
  },
);

t.test(
  '/sites/{id} has the versions of its log with what changed, and its neighbours',
  async (t) => {
    const service = await openService(t, [], { clock: () => NOW });
    const near = (minutes: string) => placeOf(`+50${minutes}00.00`, '+0100000.00');
    await service.importText({ id: 'AAAA', place: near('00') }, 'aaaa_20200101.log');
    await service.importText({ id: 'BBBB', place: near('06') }, 'bbbb_20200101.log');
    await service.importText(
      { id: 'AAAA', place: near('00'), prepared: '2020-02-01' },
      'aaaa_20200201.log',
    );
    const page = await openPage(service, '/sites/AAAA');
    t.same(page.texts('#site figcaption .id'), ['BBBB 11 km']);
    t.same(page.texts('#logs tbody th'), ['aaaa_20200201.log', 'aaaa_20200101.log']);
    const compared = page.parts('#logs tbody tr').map((row) => row.parts('td a').length);
    t.same(compared, [1, 0], 'the first version has nothing to be compared with');
    const comparison = page.all('a', 'href').find((url) => url.endsWith('/comparison'))!;
    t.equal((await service.get(resolvedLink(comparison, '/sites/AAAA'))).statusCode, 200);
    const alone = (await openPage(sample, '/sites/ALIC')).part('#site figcaption');
    t.same([alone.has('.id'), alone.numbers()], [false, ['200']], 'none within so many km');
  },
);

t.test(
  '/sites/{id} shows the same page for the nine-character id and in either case',
  async (t) => {
    const { get } = sample;
    const body = (await get('/sites/HOUZ')).body;
    for (const id of ['houz', 'HOUZ00GLP', 'houz00glp'])
      t.equal((await get(`/sites/${id}`)).body, body, id);
    for (const id of ['HOUZ00AUS', 'XXXX', 'ABC', 'ABCDE', '%3Cb%3E', '..%2Fsites'])
      t.equal((await get(`/sites/${id}`)).statusCode, 404, id);
  },
);

t.test('/sites/{id} shows the receiver first that came last', async (t) => {
  const service = await openService(t, [], { clock: () => NOW });
  await service.importText({
    id: 'TWIN',
    receivers: [
      {
        type: 'OLD',
        serial: '1',
        more: { 'Firmware Version': '1' },
        from: '2001-01-01',
        to: '2002-01-01',
      },
      { type: 'NEW', serial: '2', more: { 'Firmware Version': '1' }, from: '2003-01-01' },
      { type: 'OLD', serial: '1', more: { 'Firmware Version': '2' }, from: '2002-01-01' },
    ],
  });
  const page = await openPage(service, '/sites/TWIN');
  const rows = page
    .part('table')
    .parts('tbody tr')
    .filter((row) => row.has('th'));
  t.same(
    rows.map((row) => [row.part('th').text, ...row.texts('time')]),
    [
      ['NEW', '2003-01-01'],
      ['OLD', '2001-01-01', '2002-01-01'],
    ],
  );
});

t.test('the steps between Setups pass over the minutes without a receiver', async (t) => {
  const service = await openService(t, [], { clock: () => NOW });
  await service.importText({
    id: 'STEP',
    receivers: [
      { type: 'OLD', serial: '1', from: '2001-01-01', to: '2002-01-01T10:00Z' },
      { type: 'NEW', serial: '2', from: '2002-01-01T10:20Z', to: '2003-01-01' },
      { type: 'LATE', serial: '3', from: '2005-01-01' },
    ],
    antennas: [{ type: 'ANTENNA', serial: '1', from: '2001-01-01' }],
  });
  const stepsAt = async (at: string): Promise<string[]> =>
    (await openPage(service, `/sites/STEP?at=${at}`))
      .parts('#setup .pages a')
      .map((link) => `${link.attribute(link.root!, 'rel')} ${link.numbers()[0]}`);
  t.same(await stepsAt('2001-06-01'), ['next 2002-01-01']);
  t.same(await stepsAt('2002-06-01'), ['prev 2001-01-01', 'next 2003-01-01']);
  t.same(
    await stepsAt('2002-01-01T10:10Z'),
    ['prev 2001-01-01', 'next 2002-01-01'],
    'from such minutes, too',
  );
  t.same(
    await stepsAt('2006-01-01'),
    ['prev 2003-01-01'],
    'two years without a receiver are no visit',
  );
});

t.test('/sites/ALIC?at= shows the Setup at an instant', async (t) => {
  const at = await openPage(sample, '/sites/ALIC?at=2013-07-08');
  t.same(at.numbers('#setup h2'), ['2013-07-08']);
  const [inEffect, changed] = at.parts('#setup p');
  t.same(inEffect!.texts('time'), ['2013-03-08', '2013-07-08 00:45']);
  t.ok(at.texts('#setup td').includes('8.51/3.019'));
  t.same(changed!.texts('time'), ['2013-03-08']);
  t.match(changed!.text, /→ 8\.51\/3\.019/);
  t.notMatch(at.part('#setup').text, '2017-02-23', 'the age of the log matters for the present');
  const first = await openPage(sample, '/sites/ALIC?at=1998-06-01');
  t.same(first.parts('#setup p').length, 1, 'all is new in the first Setup');
  t.equal(at.ofClass('cursor').length, 1);
  t.equal(at.all('input', 'value').includes('2013-07-08'), true);
  const shown = at.named('tr').filter((element) => at.attribute(element, 'class') === 'shown');
  t.equal(shown.length, 1);
  t.match(new HtmlPage(shown[0]!).text, /^ ?2013-03-08 2013-07-08 00:45/);
  for (const same of ['2013:189', '1748:1', '2013-07-08T00:00:00Z', '%202013-07-08%20']) {
    const shown = await openPage(sample, `/sites/ALIC?at=${same}`);
    t.same(shown.numbers('#setup h2'), ['2013-07-08'], same);
  }
  const before = await openPage(sample, '/sites/ALIC?at=1990-01-01');
  t.same(before.numbers('#setup h2'), ['1990-01-01']);
  t.same(before.texts('#setup time').slice(0, 1), ['1994-05-15'], 'when the first Setup begins');
  t.notOk(before.has('#setup table'));
  const late = await openPage(sample, '/sites/ALIC?at=9999-12-31');
  t.same(late.part('#setup p').texts('time'), ['2017-02-23']);
  t.same((await openPage(sample, '/sites/ALIC?at=')).numbers('#setup h2'), [], 'the current one');
  const wrong = (await openPage(sample, '/sites/ALIC?at=soon', 400)).part('main li');
  t.equal(wrong.part('code').text, 'at');
  t.match(wrong.text, /soon.*RFC 3339/);
});

t.test('a log without dates has a page without Setups', async (t) => {
  const service = await over(t, { id: 'VOID', receivers: [{ type: 'R0', serial: '1' }] });
  const page = await openPage(service, '/sites/VOID');
  t.notOk(page.has('#setup table') || page.has('#setups') || page.has('#timeline'));
  t.ok(page.has('#findings .warning'), 'a finding says why');
  t.same(page.errors, []);
  const [row] = (await openPage(service, '/sites')).parts('.sites tbody tr');
  t.same(row!.texts('td').slice(4), ['–', '–', '–', '–']);
});

t.test(
  '/sites/{id} says that the period of an item without a start follows from others',
  async (t) => {
    const service = await over(t, {
      receivers: [
        { type: 'R0', serial: '1', to: '2012-01-01' },
        { type: 'R1', serial: '2', from: '2012-01-01' },
      ],
      antennas: [{ type: 'A1', serial: '3', from: '2010-01-01' }],
    });
    /** The places in the log of the findings about the equipment shown. */
    const placesOn = async (from: Service, path: string): Promise<string[]> =>
      (await openPage(from, path)).parts('.finding').flatMap((finding) => finding.all('a', 'href'));
    const receiver = '../sites/TEST/log#section-3.1';
    t.same(await placesOn(service, '/sites/TEST?at=2011-01-01'), [receiver]);
    const now = await placesOn(service, '/sites/TEST');
    t.notOk(now.includes(receiver), 'that one is no longer there');
    const both = await over(t, {
      receivers: [{ type: 'R0', serial: '1' }],
      antennas: [{ type: 'A1', serial: '3', from: '2010-01-01' }],
    });
    t.equal((await placesOn(both, '/sites/TEST'))[0], receiver);
  },
);

t.test('a page with hundreds of receivers that were never removed names only some', async (t) => {
  const receivers = Array.from({ length: 300 }, (_, index) => ({
    type: 'R0',
    serial: String(index),
    from: new Date(Date.UTC(2000, 0, 1 + index)).toISOString().slice(0, 10),
  }));
  const { body } = await (await over(t, { receivers })).get('/sites/TEST');
  t.match(body, /\b295\b/);
  t.ok(body.length < 2_000_000, `${body.length} characters`);
});

/** A day of the history that starts in 1995. */
const dayOf = (days: number): string =>
  new Date(Date.UTC(1995, 0, 1 + days)).toISOString().slice(0, 10);

/** Items that follow each other, the last of which is still in use. @param step in days */
function successive(
  count: number,
  step: number,
  gap: 'none' | 'minutes' | 'weeks',
  itemOf: (index: number) => Item,
): Item[] {
  const endOf = (index: number): string => {
    if (gap === 'weeks') return `${dayOf((index + 1) * step - 30)}T08:30Z`;
    return `${dayOf((index + 1) * step)}T08:${gap === 'minutes' ? '20' : '30'}Z`;
  };
  return Array.from({ length: count }, (_, index) => ({
    from: `${dayOf(index * step)}T08:30Z`,
    ...(index < count - 1 && { to: endOf(index) }),
    ...itemOf(index),
  }));
}

t.test('the page of a Site with a history of 25 years has at most 200 KB', async (t) => {
  const receiver = (device: number, version: number): Item => ({
    type: `LEICA GRX${1200 + device}GGPRO`,
    serial: String(355000 + device),
    more: {
      'Satellite System': 'GPS+GLO',
      'Firmware Version': `${version}.12/6.523`,
      'Elevation Cutoff Setting': '0 deg',
    },
  });
  const antennas = successive(4, 2300, 'none', (index) => ({
    type: 'LEIAR25.R3      LEIT',
    serial: String(10020000 + index),
    more: { 'Marker->ARP Up Ecc. (m)': '0.0710', 'Antenna Radome Type': 'LEIT' },
  }));
  const clocks = successive(12, 770, 'none', (index) => ({
    type: `EXTERNAL H-MASER EFOS ${index + 1}`,
    more: { 'Input Frequency': '5 MHz' },
  }));
  const sensors = successive(2, 2300, 'none', (index) => ({ type: 'MP 400A', serial: `${index}` }));
  const histories: Record<string, SyntheticLog> = {
    // Each update of firmware is a gap of ten minutes.
    UPDA: {
      receivers: successive(42, 270, 'minutes', (index) => receiver(Math.floor(index / 8), index)),
      antennas,
      clocks,
      sensors,
    },
    // Each receiver is followed by weeks without one.
    GAPS: { receivers: successive(45, 200, 'weeks', (index) => receiver(index, 1)), antennas },
    // Each receiver, of a few days, follows the last one.
    DAYS: { receivers: successive(93, 12, 'none', (index) => receiver(index, 1)), antennas },
  };
  const logs = Object.entries(histories).map(([id, log]) => ({ id, ...log }));
  const service = await over(t, ...logs);
  for (const id of Object.keys(histories)) {
    const { body } = await service.get(`/sites/${id}`, { accept: BROWSER });
    const setups = Number(new HtmlPage(body).numbers('#setups h2')[0]);
    t.ok(setups > 90, `${setups} Setups`);
    // A real log has few findings; the invented ones lack lines of the form in each section.
    const size = Buffer.byteLength(body.replace(/<section id="findings".*?<\/section>/s, ''));
    t.ok(size <= 200_000, `${id}: ${size} bytes`);
  }
});
