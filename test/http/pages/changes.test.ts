import { serialize } from 'parse5';
import t from 'tap';
import { SAMPLE } from '../../project-files.js';
import { openService } from '../../service.js';
import { HtmlPage, openPage } from '../html-page.js';
import { NOW, over } from './over.js';

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
  t.same(selectedOn(page), ['gnss antenna', 'PT0S']);
  t.ok(page.column('Time').length <= 2);
  t.ok(page.all('input', 'name').includes('kind'), 'the form keeps what it has no field for');
  const link = `./exports/changes.csv?from=2012-01-01&equipmentType=gnss%20antenna&${kinds}&site=ALIC&site=BOR1&mergeGaps=PT0S`;
  t.ok(page.all('a', 'href').includes(link));
  const other = await openPage(service, '/changes?mergeGaps=PT1H&size=100000');
  t.same(selectedOn(other), ['', 'PT1H'], 'a gap that the form does not offer stays chosen');
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
    ['/network', '.'],
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
