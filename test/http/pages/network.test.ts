import t from 'tap';
import { openPage } from '../html-page.js';
import { over } from './over.js';

t.test('/network counts what was in use at the beginning of each year', async (t) => {
  const own = [
    {
      type: 'R0',
      serial: '1',
      from: '2010-01-01',
      to: '2013-01-01',
      more: { 'Firmware Version': '1.0' },
    },
    { type: 'R1', serial: '2', from: '2013-01-01', more: { 'Firmware Version': '2.0' } },
  ];
  const other = [
    { type: 'R1', serial: '4', from: '2012-12-31', more: { 'Firmware Version': '2.1' } },
  ];
  const ownAntennas = [
    { type: 'A0', serial: '3', from: '2010-01-01T00:00:01Z', to: '2012-01-01T00:00:01Z' },
  ];
  const service = await over(
    t,
    { id: 'AAAA', receivers: own, antennas: ownAntennas },
    { id: 'BBBB', receivers: other },
  );
  const page = await openPage(service, '/network');
  t.same(page.errors, []);
  const [receivers, antennas, firmware] = page.named('table').map((table) => page.rowsOf(table));
  const years = Array.from({ length: 17 }, (_, index) => String(2010 + index));
  const counts = (from: number, to: number, count: string) =>
    years.map((year) => (Number(year) >= from && Number(year) <= to ? count : ''));
  t.same(receivers![0]!.slice(1, -1), years);
  t.same(receivers!.slice(1), [
    ['R1', ...counts(2013, 2026, '2'), '2'],
    ['R0', ...counts(2010, 2012, '1'), '0'],
  ]);
  t.same(antennas!.slice(1), [['A0', ...counts(2011, 2012, '1'), '0']]);
  t.same(firmware!.slice(1), [
    ['R1 2.0', ...counts(2013, 2026, '1'), '1'],
    ['R1 2.1', ...counts(2013, 2026, '1'), '1'],
    ['R0 1.0', ...counts(2010, 2012, '1'), '0'],
  ]);
  t.same(page.numbers('#receivers h2'), ['2010', '2026']);
  t.same(page.column('First in use'), ['2012-12-31', '2013-01-01']);
  // The page is kept until something is imported.
  await service.importText(
    { id: 'CCCC', receivers: [{ type: 'R2', serial: '5', from: '2015-01-01' }] },
    'cccc_20200101.log',
  );
  const later = await openPage(service, '/network');
  const added = later.parts('.multiples li').find(({ text }) => text.startsWith('R2 '))!;
  // One scale for all types: another one has two.
  t.same(added.texts('.chart span'), ['2', '0', '2010', '2026'], 'the axes of its chart');
  const heightsOf = (name: string): string[] => [
    ...new Set(
      later
        .parts('.multiples li')
        .find(({ text }) => text.startsWith(name))!
        .parts('rect')
        .map((rect) => later.attribute(rect.root!, 'height')!),
    ),
  ];
  t.equal(Number(heightsOf('R1 ')[0]), 2 * Number(heightsOf('R2 ')[0]));
  t.same(added.numbers('small'), ['1', '1'], 'now, and at most');
  t.same(later.numbers('.hint'), ['2020-01-01', '2020-01-01'], 'the median and the newest log');
  const { body } = await service.get('/network');
  t.equal(
    body.match(/<rect\s+class="assumed"/g)!.length,
    5 * 6,
    'the years after 2020 of each series in use',
  );
});

t.test('/network counts a device once at a time, as the pages of devices do', async (t) => {
  const r0 = (from: string, to: string | undefined, firmware: string) => ({
    type: 'R0',
    serial: '77',
    from,
    ...(to !== undefined && { to }),
    more: { 'Firmware Version': firmware },
  });
  const a0 = (radome: string) => ({ type: `A0              ${radome}`, serial: '88' });
  // One receiver and one antenna at two Sites at once; the logs differ in firmware and radome.
  const service = await over(
    t,
    {
      id: 'AAAA',
      receivers: [r0('2010-01-01', '2015-06-01', '1'), r0('2015-06-01', undefined, '2')],
      antennas: [{ ...a0('NONE'), from: '2010-01-01' }],
    },
    {
      id: 'BBBB',
      receivers: [r0('2012-06-01', '2013-06-01', '1'), r0('2013-06-01', undefined, '3')],
      antennas: [{ ...a0('SCIS'), from: '2012-06-01' }],
    },
    { id: 'CCCC', receivers: [{ type: 'R0', serial: '78', from: '2014-01-01' }] },
  );
  const page = await openPage(service, '/network');
  const [receivers, antennas, firmware] = page.named('table').map((table) => page.rowsOf(table));
  const years = receivers![0]!.slice(1, -1).map(Number);
  const counts = (countIn: (year: number) => number) =>
    years.map((year) => (countIn(year) === 0 ? '' : String(countIn(year))));
  t.same(receivers!.slice(1), [['R0', ...counts((year) => (year < 2014 ? 1 : 2)), '2']]);
  t.same(
    firmware!
      .slice(1)
      .map((row) => [row[0], row.at(-1)])
      .sort(),
    [
      ['R0 1', '0'],
      ['R0 2', '1'],
      ['R0 3', '1'],
      ['R0 firmware unknown', '1'],
    ],
  );
  const ofFirst = firmware!.find(([name]) => name === 'R0 1')!;
  t.same(
    ofFirst.slice(1, -1),
    counts((year) => (year <= 2015 ? 1 : 0)),
  );
  t.same(
    antennas!.slice(1).map((row) => row.at(-1)),
    ['1'],
    'one antenna is one of one type',
  );
});

t.test('/network has all numbers in its tables, up to two hundred rows', async (t) => {
  const service = await over(t);
  const used = (type: string) => ({ type, serial: '1', from: '2020-01-01' });
  const read = async (rows: string[], most: string[]): Promise<void> => {
    const page = await openPage(service, '/network');
    t.equal(page.rowsOf(page.named('table')[0]!).length, 1 + 200);
    t.same([page.numbers('#receivers summary'), page.numbers('#receivers caption')], [rows, most]);
  };
  await service.importText({
    receivers: Array.from({ length: 200 }, (_, index) => used(`R${index}`)),
  });
  await read(['200'], []);
  await service.importText({ id: 'MORE', receivers: [used('R200')] }, 'more_20200101.log');
  await read(['200', '201'], ['200']);
});
