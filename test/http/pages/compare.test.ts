import t from 'tap';
import type { Comparison } from '../../../schemas/index.js';
import { SAMPLE } from '../../project-files.js';
import { openService } from '../../service.js';
import { read } from '../answers.js';
import { HtmlPage, openPage } from '../html-page.js';
import { NOW, over } from './over.js';

/** The sample network, for the tests that change nothing. */
const sample = await openService(t, [SAMPLE], { clock: () => NOW });

t.test(
  '/compare shows the current Setups of two to six sites, with differences marked, and their timelines',
  async (t) => {
    /** The Sites in the head of the table, and how many timelines there are. */
    const shownOn = (page: HtmlPage): [string[], number] => [
      page
        .rowsOf(page.named('table')[0]!)[0]!
        .slice(1)
        .map((head) => head.slice(0, 4)),
      page.all('svg', 'class').filter((name) => name === 'timeline').length,
    ];
    // The form sends one field. An id twice, in either case and length, is one Site.
    const twice = ['site=ALIC&site=MCIL&site=alic', 'site=ALIC&site=MCIL&site=alic00aus'];
    for (const query of ['site=ALIC&site=MCIL', 'site=ALIC+MCIL', 'site=alic,%20MCIL', ...twice])
      t.same(shownOn(await openPage(sample, `/compare?${query}`)), [['ALIC', 'MCIL'], 2], query);
    const two = await openPage(sample, '/compare?site=ALIC&site=MCIL');
    const differing = two.parts('.differs').map((row) => row.texts('td'));
    t.same(differing[0], ['LEICA GR25', 'TRIMBLE 5700']);
    t.notOk(differing.flat().includes('1830439'), 'serial numbers always differ');
    t.ok(two.texts('td').includes('1830439'));
    t.equal(two.parts('.sign').length, differing.length, 'with a sign and words');
    const { body } = await sample.get('/compare?site=ALIC&site=MCIL', { accept: 'text/html' });
    t.match(body, '>GPS+<wbr />GLO', 'satellite systems break between them only');
    const six = ['ALIC', 'BOR1', 'HOUZ', 'MCIL', 'MFKG', 'NAMA'];
    const all = await openPage(sample, `/compare?site=${six.join('&site=')}`);
    t.same([shownOn(all), all.errors], [[six, 6], []]);
    const none = await openPage(sample, '/compare?site=');
    t.same(none.numbers('main form'), ['2', '6'], 'how many can be compared');
    t.equal(none.named('table').length, 0);
    for (const [query, status, words] of [
      [`site=${[...six, 'NYA1'].join('+')}`, 400, /\b7\b.*\b6\b/],
      [`site=${[...six, 'NYA1'].join('&site=')}`, 400, '6'],
      ['site=ALIC+XXXX', 404, 'XXXX'],
      ['site=ALIC+nonsense!', 404, 'NONSENSE!'],
    ] as const)
      t.match((await openPage(sample, `/compare?${query}`, status)).text, words, query);
  },
);

t.test('/compare marks on one axis when Sites differed, with one legend', async (t) => {
  const receiver = (type: string, from: string, to?: string) => ({
    type,
    serial: '1',
    from,
    to: to ?? '',
  });
  const service = await over(
    t,
    {
      id: 'AAAA',
      receivers: [receiver('R1', '2000-01-01', '2010-01-01'), receiver('R2', '2010-01-01')],
    },
    {
      id: 'BBBB',
      receivers: [receiver('R1', '2005-01-01')],
      clocks: [{ type: 'C', from: '1990-01-01' }],
    },
  );
  const page = await openPage(service, '/compare?site=AAAA&site=BBBB');
  t.equal(page.parts('.legend').length, 1);
  t.same(page.texts('#timelines .fold li'), ['Receiver type: since 2010-01-01']);
  const [bar, ...others] = page.parts('.over-time .differing');
  t.equal(others.length, 0);
  const x = bar!.root!.attrs.find(({ name }) => name === 'x')!.value;
  // From the first receiver, in 2000, to now, at the beginning of 2026.
  t.ok(Math.abs(Number.parseFloat(x) - 100 * (10 / 26)) < 0.1, x);
});

t.test(
  '/compare marks what differs where all Sites have the item, but nothing of its own',
  async (t) => {
    const receiver = (firmware: string, serial: string) => ({
      type: 'R1',
      serial,
      from: '2001-01-01',
      more: { 'Firmware Version': firmware },
    });
    const antenna = { type: 'A1', serial: '1', from: '2001-01-01' };
    const service = await over(
      t,
      { id: 'AAAA', receivers: [receiver('1.0', '1')], antennas: [antenna] },
      { id: 'BBBB', receivers: [receiver('2.0', '2')] },
    );
    const { equipment } = await read<Comparison>(
      t,
      service,
      'Comparison',
      '/compare?site=AAAA&site=BBBB',
    );
    const different = equipment.map(({ equipmentType, properties }) => [
      equipmentType,
      ...properties.filter(({ differs }) => differs).map(({ property }) => property),
    ]);
    t.same(different, [
      ['gnss receiver', 'firmwareVersion'],
      ['gnss antenna', 'type'],
    ]);
  },
);

t.test('/compare marks no difference in spelling, such as the order of systems', async (t) => {
  const receiver = (systems: string, firmware: string) => ({
    type: 'R1',
    serial: '1',
    from: '2001-01-01',
    more: { 'Satellite System': systems, 'Firmware Version': firmware },
  });
  const service = await over(
    t,
    { id: 'AAAA', receivers: [receiver('GPS+GLO', 'Ref 1')] },
    { id: 'BBBB', receivers: [receiver('GLO+GPS', 'REF 1')] },
    { id: 'CCCC', receivers: [receiver('GLO+GAL', 'REF 1')] },
  );
  const differing = async (sites: string): Promise<string[]> => {
    const { equipment } = await read<Comparison>(t, service, 'Comparison', `/compare?${sites}`);
    return equipment
      .flatMap(({ properties }) => properties.filter(({ differs }) => differs))
      .map(({ property }) => property);
  };
  t.same(await differing('site=AAAA&site=BBBB'), []);
  t.same(await differing('site=AAAA&site=BBBB&site=CCCC'), ['satelliteSystem']);
});

t.test('/compare at an instant, and as JSON', async (t) => {
  const receiver = (temperature: string) => ({
    type: 'R1',
    serial: '1',
    from: '2001-01-01',
    more: { 'Temperature Stabiliz.': temperature, 'Firmware Version': '1.0' },
  });
  const replaced = [
    { ...receiver('none'), to: '2010-01-01' },
    { type: 'R2', serial: '2', from: '2010-01-01' },
  ];
  const service = await over(
    t,
    { id: 'AAAA', receivers: replaced },
    { id: 'BBBB', receivers: [receiver('')] },
  );
  const url = '/compare?site=AAAA+BBBB&at=2005-01-01';
  const page = await openPage(service, url);
  t.same(page.numbers('caption'), ['2005-01-01']);
  t.notOk(page.has('.differs'), 'unknown and none are the same');
  const now = await openPage(service, '/compare?site=AAAA+BBBB');
  t.same(now.part('.differs').texts('td'), ['R2', 'R1']);
  t.match((await openPage(service, '/compare?site=AAAA&at=soon', 400)).text, 'soon');
  const json = await read<Comparison>(t, service, 'Comparison', url);
  const effectiveFrom = '2001-01-01T00:00:00Z';
  t.match(
    [json.at, json.sites],
    ['2005-01-01T00:00:00Z', ['AAAA', 'BBBB'].map((id) => ({ id, effectiveFrom }))],
  );
  t.match(json.equipment, [
    { equipmentType: 'gnss receiver', since: [effectiveFrom, effectiveFrom] },
  ]);
  const before = (await service.get('/compare?site=AAAA&at=1999-01-01')).json<Comparison>();
  t.same([before.sites[0]!.effectiveFrom, before.equipment], [null, []]);
  const property = (name: string) =>
    json.equipment[0]!.properties.find((each) => each.property === name);
  t.same(property('temperatureStabilization'), {
    property: 'temperatureStabilization',
    values: ['none', null],
    differs: false,
  });
  t.same(property('firmwareVersion')!.differs, false);
});
