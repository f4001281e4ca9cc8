import { serialize } from 'parse5';
import t from 'tap';
import { SAMPLE } from '../../project-files.js';
import { openService } from '../../service.js';
import type { SyntheticLog } from '../../synthetic-log.js';
import { HtmlPage, openPage, resolvedLink } from '../html-page.js';
import { NOW, over } from './over.js';

t.test('/changes without changes says if no log of the Sites is of the time', async (t) => {
  const receivers = [{ type: 'R0', serial: '1', from: '2010-01-01' }];
  const service = await over(
    t,
    { id: 'AAAA', receivers, prepared: '2020-01-01' },
    { id: 'BBBB', receivers, prepared: '2024-01-01' },
  );
  for (const [query, dates] of [
    ['from=2024-01-02', ['2024-01-01']],
    ['from=2024-01-01', null],
    // The day is that of a log that is current now.
    ['from=2024-01-02&asOf=2999-01-01', null],
    ['from=2024-01-01&site=AAAA', ['2020-01-01']],
    ['to=2000-01-01', null],
    ['from=2009-01-01', null],
  ] as const) {
    const { text } = (await openPage(service, `/changes?${query}`)).part('[role=status]');
    t.same(text.match(/\d{4}-\d\d-\d\d/g), dates, query);
  }
});

t.test('/changes is a page with the filters of the API, the latest changes first', async (t) => {
  const service = await openService(t, [SAMPLE], { clock: () => NOW });
  const receivers = [
    { type: 'R0', serial: '1', from: '2010-01-01', to: '2011-01-01' },
    { type: 'R1', serial: '2', from: '2011-01-01T12:00Z' },
  ];
  await service.importText({ receivers }, 'test_20200101.log');
  const totalOf = async (query: string) => {
    const { page } = (await service.get(`/changes?size=1&${query}`)).json<{
      page: { totalElements: number };
    }>();
    return page.totalElements;
  };
  for (const [form, query] of [
    ['', ''],
    [
      'site=ALIC+bor1&from=2012-01-01&to=&equipmentType=&mergeGaps=&recordedSince=',
      'site=ALIC&site=BOR1&from=2012-01-01',
    ],
    [
      'site=&from=&to=2010-01-01&equipmentType=gnss+antenna&mergeGaps=&recordedSince=',
      'to=2010-01-01&equipmentType=gnss%20antenna',
    ],
    ['site=TEST&mergeGaps=PT0S', 'site=TEST&mergeGaps=PT0S'],
    ['recordedSince=2026-01-02', 'recordedSince=2026-01-02'],
  ] as const) {
    const page = await openPage(service, `/changes?${form}`);
    const total = await totalOf(query);
    t.same(page.numbers('[role=status]'), total === 0 ? [] : [String(total)], form);
    const times = page.column('Time');
    t.same(
      [times.length, times, page.errors],
      [Math.min(total, 100), times.toSorted().reverse(), []],
      form,
    );
  }
  t.same([await totalOf('site=TEST'), await totalOf('site=TEST&mergeGaps=PT0S')], [2, 3]);
  // The form shows what was asked for, and the links keep it.
  const kinds = 'kind=removed&kind=replaced&kind=installed';
  const page = await openPage(
    service,
    `/changes?${kinds}&site=ALIC+BOR1&from=2012-01-01&equipmentType=gnss+antenna&mergeGaps=PT0S&size=2`,
  );
  const valueOf = (id: string) =>
    page
      .named('input')
      .flatMap((input) =>
        page.attribute(input, 'id') === id ? page.attribute(input, 'value') : [],
      );
  t.same([valueOf('site'), valueOf('from')], [['ALIC BOR1'], ['2012-01-01']]);
  const selectedOn = (each: HtmlPage) =>
    each
      .named('option')
      .flatMap((option) =>
        each.attribute(option, 'selected') === undefined ? [] : each.attribute(option, 'value'),
      );
  t.same(selectedOn(page), ['gnss antenna', 'installed', 'removed', 'replaced', 'PT0S']);
  t.ok(page.column('Time').length <= 2);
  const link = `./exports/changes.csv?from=2012-01-01&equipmentType=gnss%20antenna&${kinds}&site=ALIC&site=BOR1&mergeGaps=PT0S`;
  t.ok(page.all('a', 'href').includes(link));
  const other = await openPage(service, '/changes?mergeGaps=PT1H&size=100000');
  t.same(selectedOn(other), ['', '', 'PT1H'], 'a gap that the form does not offer stays chosen');
  t.ok(
    other.all('a', 'href').includes('./changes?mergeGaps=PT1H&size=1000'),
    'a page has at most 1000 changes',
  );
  // Pages count from the latest change.
  const all = (await openPage(service, '/changes?size=1000')).column('Time');
  const older = await openPage(service, '/changes?size=3&page=1');
  t.same(older.column('Time'), all.slice(3, 6));
  t.match(older.numbers('.pages'), ['2', /^\d+$/]);
  t.ok(older.has('.pages [rel=prev]') && older.has('.pages [rel=next]'));
  t.match((await openPage(service, '/changes?site=XXXX', 404)).text, 'XXXX');
  t.match((await openPage(service, '/changes?from=soon', 400)).text, 'soon');
});

/** A Site whose receiver got firmware 2 some day. @param second what differs in the second item */
function upgraded(id: string, at: string, second: Record<string, string> = {}): SyntheticLog {
  const receiver = { type: 'R9', serial: id };
  return {
    id,
    receivers: [
      { ...receiver, from: '2010-01-01', to: at, more: { 'Firmware Version': '1' } },
      { ...receiver, from: at, more: { 'Firmware Version': '2', ...second } },
    ],
  };
}

t.test('equal changes of one day at several Sites are one row', async (t) => {
  const ids = Array.from({ length: 22 }, (_, index) => `A${String(index).padStart(3, '0')}`);
  const service = await over(
    t,
    ...ids.map((id, index) => upgraded(id, `2016-12-21T${String(index).padStart(2, '0')}:00Z`)),
    upgraded('B001', '2016-12-21T23:59Z', { 'Additional Information': 'a remark' }),
    upgraded('C001', '2016-12-21T12:00Z', { 'Satellite System': 'GPS+GAL' }),
    upgraded('D001', '2016-12-22T00:00Z'),
  );
  const query = 'kind=reconfigured';
  const page = await openPage(service, `/changes?${query}`);
  const rows = page.rowsOf(page.part('.rows').root!).slice(1);
  t.same(page.numbers('[role=status]'), ['25', '3']);
  t.same(
    rows.map(([time, site]) => [time, site]),
    [
      ['2016-12-22', 'D001'],
      ['2016-12-21', '23 sites'],
      ['2016-12-21 12:00', 'C001'],
    ],
    'a remark and a serial number do not count; the day and the configuration do',
  );
  const fold = page.part('.rows details');
  t.match(fold.part('summary').text, /R9.*1 → 2|R9.* 2$/);
  const links = fold.all('a', 'href');
  t.equal(links.length, 21, 'twenty Sites, and the rest');
  t.equal(fold.parts('a').at(-1)!.text.split(' ')[0], '3');
  const ofGroup = await openPage(service, resolvedLink(links.at(-1)!, '/changes'));
  t.same([ofGroup.numbers('[role=status]')[0], ofGroup.column('Site').length], ['23', 23]);
  const json = (await service.get(resolvedLink(links.at(-1)!, '/changes'))).json<{
    page: { totalElements: number };
  }>();
  t.equal(json.page.totalElements, 23, 'JSON has single changes');
  const second = await openPage(service, `/changes?${query}&size=1&page=1`);
  t.same(second.column('Site'), ['23 sites'], 'a group is one row for paging');
  const some = await openPage(service, `/changes?${query}&site=A000&site=A001&to=2016-12-22`);
  t.same(some.column('Site'), ['2 sites'], 'the filters choose before changes are grouped');
  await service.importText(upgraded('E001', '2016-12-21'), 'e001_20200101.log', NOW);
  const later = await openPage(service, `/changes?${query}`);
  t.same(later.column('Site')[1], '24 sites', 'what was counted is counted again after a commit');
});

t.test('a merged change is in the group of what is in use after it', async (t) => {
  const swapped = (id: string, removed: string, installed: string): SyntheticLog => ({
    id,
    receivers: [
      { type: 'R1', serial: `1${id}`, from: '2010-01-01', to: removed },
      { type: 'R2', serial: `2${id}`, from: installed },
    ],
  });
  const service = await over(
    t,
    swapped('A001', '2016-12-21T10:00Z', '2016-12-21T11:00Z'),
    swapped('B001', '2016-12-21T12:00Z', '2016-12-21T12:00Z'),
    swapped('C001', '2016-12-21T20:00Z', '2016-12-22T08:00Z'),
  );
  const sitesIn = async (query: string) =>
    (await openPage(service, `/changes?${query}`)).column('Site');
  t.same(await sitesIn('from=2016-01-01'), ['3 sites']);
  t.same(await sitesIn('from=2016-01-01&mergeGaps=PT0S'), ['C001', '2 sites', 'B001', 'A001']);
  t.same(await sitesIn('from=2016-01-01&mergeGaps=PT1H&kind=replaced'), ['2 sites']);
});

t.test('changes name types as links, in a monospaced face', async (t) => {
  const type = 'LEIAR10         NONE';
  const longType = 'ASH701945B_M    SCIT';
  const antennas = [
    { type, serial: '1', from: '2010-01-01', to: '2011-01-01' },
    { type: longType, serial: '2', from: '2011-01-01T12:00Z', to: '2012-01-01' },
    { type: longType, serial: '2', from: '2012-01-01T12:00Z' },
  ];
  const service = await over(t, { antennas });
  for (const [url, root] of [
    ['/changes', '.'],
    ['/overview', '.'],
    ['/sites/TEST', '..'],
    ['/sites/TEST?at=2011-01-01T06:00:00Z', '..'],
  ] as const) {
    const page = await openPage(service, url);
    const cells = page.elements.filter((element) =>
      ['Change', 'Changes'].includes(page.attribute(element, 'data-label') ?? ''),
    );
    const named = cells
      .map((cell) => new HtmlPage(cell))
      .filter(({ text }) => /LEIAR10|ASH701945B_M/.test(text));
    t.ok(named.length >= 3, url);
    for (const cell of named) {
      const types = cell.all('a', 'href');
      t.equal(
        types.length,
        cell.text.split(/LEIAR10 |ASH701945B_M /).length - 1,
        `${url}: ${cell.text}`,
      );
      const isType = (href: string, index: number) =>
        href.startsWith(`${root}/antennas?type=`) && cell.all('a', 'class')[index] === 'type';
      t.ok(types.every(isType), types.join());
    }
  }
  const gap = (await openPage(service, '/sites/TEST?at=2011-01-01T06:00:00Z'))
    .named('p')
    .map((each) => serialize(each));
  t.ok(gap.some((text) => /<a class="type" href="[^"]*">LEIAR10 {9}NONE<\/a>/.test(text)));
});
