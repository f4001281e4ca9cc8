import t from 'tap';
import { parseSiteId } from '../../../src/requests/site-id.js';
import { SAMPLE } from '../../project-files.js';
import { rawDatabase } from '../../raw-database.js';
import { openService } from '../../service.js';
import { placeOf } from '../../synthetic-log.js';
import { correct } from '../answers.js';
import { BROWSER, type Element, HtmlPage, openPage, sitesOn } from '../html-page.js';
import { countBehind, countriesOn } from './figures-behind.js';
import { NOW, over } from './over.js';

/** The sample network, for the tests that change nothing. */
const sample = await openService(t, [SAMPLE], { clock: () => NOW });

/** The marks of the map: the ids of single Sites, and the links and labels of groups. */
function mapOf(page: HtmlPage): { ids: string[]; groups: string[]; labels: string[] } {
  const targets = page.ofClass('targets');
  const links = targets.flatMap(({ childNodes }) =>
    childNodes.filter((node): node is Element => 'tagName' in node),
  );
  const hrefs = links.map((link) => page.attribute(link, 'href')!);
  return {
    ids: hrefs.flatMap((href) => /^\.\/sites\/(\w+)$/.exec(href)?.[1] ?? []),
    groups: hrefs.filter((href) => href.includes('bbox=')),
    labels: links.map((link) => new HtmlPage(link).text),
  };
}

t.test('a site without a name is shown and sorted by its id', async (t) => {
  const service = await over(t);
  for (const [id, name, city] of [
    ['AAAA', '', 'Zürich'],
    ['BBBB', 'Bern', ''],
    ['CCCC', '', ''],
  ] as const) {
    await service.importText({ id, name, place: { 'City or Town': city } }, `${id}_20200101.log`);
  }
  const names = ['AAAA', 'Bern', 'CCCC'];
  t.same((await openPage(service, '/sites?sort=name')).column('Name'), names);
  t.same((await openPage(service, '/sites?sort=name,desc')).column('Name'), names.toReversed());
});

t.test(
  '/sites shows every site, the age of its log, its equipment and the last change',
  async (t) => {
    const page = await openPage(sample, '/sites');
    t.same(sitesOn(page), ['ALIC', 'BOR1', 'HOUZ', 'MCIL', 'MFKG', 'NAMA', 'NYA1', 'UCLU']);
    const [alic] = page.parts('.sites tbody tr');
    t.same(alic!.elements.filter(({ tagName }) => /^t[hd]$/.test(tagName)).length, 9);
    t.same(
      ['.name', '.type-of', '.systems', '.last'].map((name) => alic!.texts(name)),
      [
        ['Alice Springs AU012'],
        ['LEICA GR25', 'LEIAR25.R3 NONE'],
        ['GPS GLO GAL BDS QZSS'],
        ['2017-02-23'],
      ],
    );
    t.same(
      alic!.texts('.status').map((age) => age.match(/^[\d.]+ years$/) !== null),
      [true],
    );
    t.equal(page.parts('.status .lacking').length, 0);
    t.same(mapOf(page).ids.sort(), sitesOn(page).sort());
  },
);

t.test('/sites marks the Sites with warnings, and leads to as many', async (t) => {
  const wrong = [{ type: 'R0', serial: '1', from: '2001-20-07' }];
  const right = [
    { type: 'R0', serial: '2', from: '2001-01-01', more: { 'Satellite System': 'GPS' } },
  ];
  const service = await over(t, { id: 'AAAA', receivers: wrong }, { id: 'BBBB', receivers: right });
  const rows = (await openPage(service, '/sites')).parts('.sites tbody tr');
  const marks = rows.map((row) => (row.has('.conflict') ? row.part('.warnings a') : null));
  const counts = await Promise.all(
    ['AAAA', 'BBBB'].map(async (site) => {
      const answer = await service.get(`/findings?site=${site}&level=warning`);
      return answer.json<{ page: { totalElements: number } }>().page.totalElements;
    }),
  );
  t.ok(counts[0]! > 0);
  t.same(
    marks.map((mark) => (mark === null ? 0 : Number(mark.text))),
    counts,
  );
});

t.test('/sites?at= shows the equipment of an instant, and leads to it', async (t) => {
  const service = await over(
    t,
    {
      id: 'AAAA',
      receivers: [
        { type: 'R0', serial: '1', from: '2001-01-01', to: '2003-01-01' },
        { type: 'R1', serial: '2', from: '2003-01-01T12:00Z', to: '2005-01-01' },
      ],
      antennas: [{ type: 'A0', serial: '3', from: '2001-01-01' }],
      clocks: [{ type: 'QUARTZ', from: '2000-01-01' }],
    },
    { id: 'BBBB', receivers: [{ type: 'R2', serial: '4', from: '2004-01-01' }] },
    { id: 'CCCC', receivers: [{ type: 'R3', serial: '5', from: '2001-01-01', to: '2002-01-01' }] },
  );
  /** What a Site lacks, as the cell of its status says. */
  const lackingIn = (status: HtmlPage): string => {
    if (!status.has('.lacking')) return 'nothing';
    return status.text.match(/receiver|antenna/g)?.join() ?? 'everything';
  };
  /** What the Sites have, from their receivers to their last changes. */
  const rowsAt = async (query: string): Promise<string[]> => {
    const page = await openPage(service, `/sites${query}`);
    return page.parts('.sites tbody tr').map((row) => {
      const [, , status, , ...rest] = row.parts('td');
      const cells = rest.map(({ text }) => text).join('|');
      return `${cells}|lacks ${lackingIn(status!)}`;
    });
  };
  t.same(await rowsAt('?at=2001-06-01'), [
    'R0|A0|unknown|2001-01-01|lacks nothing',
    'R3|–|unknown|2001-01-01|lacks antenna',
  ]);
  t.same(await rowsAt('?at=2003-01-01T06:00Z'), [
    '–|A0|–|2003-01-01|lacks receiver',
    '–|–|–|2002-01-01|lacks everything',
  ]);
  t.same(await rowsAt('?at=2000-06-01'), ['–|–|–|2000-01-01|lacks receiver,antenna']);
  t.same(await rowsAt('?at=2004-06-01&sort=receiver,desc'), [
    'R2|–|unknown|2004-01-01|lacks antenna',
    'R1|A0|unknown|2003-01-01|lacks nothing',
    '–|–|–|2002-01-01|lacks everything',
  ]);
  t.same(await rowsAt('?sort=changed,desc'), [
    '–|A0|–|2005-01-01|lacks receiver',
    'R2|–|unknown|2004-01-01|lacks antenna',
    '–|–|–|2002-01-01|lacks everything',
  ]);
  const page = await openPage(service, '/sites?at=2004-06-01&map=world');
  t.same(page.numbers('[role=status]'), ['3', '2004-06-01']);
  t.same(page.numbers('caption'), ['2004-06-01']);
  t.ok(page.all('a', 'href').includes('./sites/BBBB?at=2004-06-01'));
  const json = page.all('link', 'href').find((link) => link.includes('findAt'))!;
  const setups = JSON.parse((await service.get(json.slice(1))).body) as { _embedded: object };
  t.equal(Object.values(setups._embedded).flat().length, 3);
  const exact = await service.get('/sites?q=aaaa&at=2002-06-01', { accept: BROWSER });
  t.equal(exact.headers.location, './sites/AAAA?at=2002-06-01');
});

t.test('/sites?q= with the exact id of a site leads straight to it', async (t) => {
  const { get } = sample;
  for (const [q, id] of [
    ['ALIC', 'ALIC'],
    ['alic', 'ALIC'],
    ['%20houz00glp%20', 'HOUZ00GLP'],
    ['HOUZ', 'HOUZ'],
  ]) {
    const response = await get(`/sites?q=${q}`, { accept: BROWSER });
    t.same([response.statusCode, response.headers.location], [302, `./sites/${id}`], String(q));
  }
  for (const q of ['XXXX', 'HOUZ00AUS', 'HOUZ00GL', 'ALI', 'ALICE', '%20%20', 'x'.repeat(200)])
    t.equal((await get(`/sites?q=${q}`)).statusCode, 200, q);
});

t.test('/sites?q= with the id of a retired or renamed site finds what became of it', async (t) => {
  const service = await over(t, { id: 'AAAA' }, { id: 'BBBB' }, { id: 'CCCC', name: 'AAAA north' });
  await correct(service, 'BBBB', { kind: 'retire' });
  const retired = await service.get('/sites?q=bbbb', { accept: BROWSER });
  t.same([retired.statusCode, retired.headers.location], [302, './sites/BBBB']);
  t.match(
    (await openPage(service, '/sites/BBBB', 404)).part('main p').text,
    /BBBB.* \d{4}-\d\d-\d\d/,
  );
  await correct(service, 'AAAA', { kind: 'retire' });
  t.same(
    sitesOn(await openPage(service, '/sites?q=aaaa')),
    ['CCCC'],
    'others that match are shown',
  );
  await correct(service, 'CCCC', { kind: 'rename', to: parseSiteId('DDDD') });
  t.same(sitesOn(await openPage(service, '/sites?q=cccc')), ['DDDD'], 'by its former id');
});

t.test(
  '/sites?q= also finds former equipment, as a second group, and offers Sites with a similar id or name if it finds nothing',
  async (t) => {
    const receivers = [
      { type: 'TRIMBLE NETRS', serial: 'S-1', from: '2010-01-01', to: '2015-01-01' },
      { type: 'TRIMBLE NETR9', serial: 'S-2', from: '2015-01-01' },
    ];
    const other = [{ type: 'TRIMBLE NETRS', serial: 'S-3', from: '2010-01-01' }];
    const service = await over(
      t,
      {
        id: 'AAAA',
        name: 'Alpha',
        receivers,
        antennas: [{ type: 'TRM29659.00', serial: 'T-1', from: '2010-01-01' }],
      },
      { id: 'BBBB', name: 'Bravo', receivers: other },
    );
    const both = await openPage(service, '/sites?q=netrs');
    t.same(sitesOn(both), ['BBBB', 'AAAA']);
    t.same(both.numbers('[role=status]'), ['1']);
    t.same(sitesOn(both.part('#former')), ['AAAA']);
    t.match(both.part('#former caption').text, /\b1\b.*netrs/);
    const past = await openPage(service, '/sites?q=s-1');
    t.match(past.part('[role=status]').text, 's-1');
    t.same(sitesOn(past), ['AAAA']);
    t.same(sitesOn(past.part('#former')), ['AAAA']);
    /** The ids in the download of a search. */
    const downloadedFrom = async (page: HtmlPage): Promise<unknown[]> => {
      const link = page.all('a', 'href').find((href) => href.includes('/exports/sites.csv'))!;
      return (await service.get(link.slice(1))).body.match(/(?<=^\d+,)\w{4}/gm)!;
    };
    t.same([await downloadedFrom(past), await downloadedFrom(both)], [['AAAA'], ['AAAA', 'BBBB']]);
    const withAntenna = await openPage(service, '/sites?q=s-1&type=*');
    t.same(sitesOn(withAntenna), ['AAAA']);
    t.notOk(withAntenna.has('.downloads'), 'exports have no filter by antenna');
    await service.importText({ id: 'CCCC00AUS', name: 'Charlie' }, 'cccc00aus_20200101.log');
    // The country is compared too.
    for (const [q, similar] of Object.entries({
      bravvo: 'BBBB Bravo',
      'bravvo+australa': 'BBBB Bravo',
      CCCC00XXX: 'CCCC Charlie',
    })) {
      const page = await openPage(service, `/sites?q=${q}`);
      t.same(sitesOn(page), [], q);
      t.ok(page.texts('main li').includes(similar), q);
    }
    // Types and serial numbers are not suggested.
    for (const q of ['zzzzzzzz', 'netsr', 'S-10', 'TRIMBEL+NETR'])
      t.same((await openPage(service, `/sites?q=${q}`)).texts('main li'), [], q);
  },
);

t.test('/sites?sort= sorts by every column in both directions, unknown values last', async (t) => {
  const service = await openService(t, [SAMPLE], { clock: () => NOW });
  await service.importText({ id: 'AAAA', name: '' }, 'aaaa_20200101.log');
  const orders = { Site: 'id', Name: 'name', Country: 'country', Receiver: 'receiver' };
  const others = { Antenna: 'antenna', 'Last change': 'changed' };
  for (const [label, by] of Object.entries({ ...orders, ...others })) {
    for (const direction of ['', ',desc']) {
      const page = await openPage(service, `/sites?sort=${by}${direction}`);
      const texts = page.column(label).map((text) => text.toUpperCase());
      const known = texts.filter((text) => text !== '–');
      const sorted = direction === ',desc' ? known.toSorted().reverse() : known.toSorted();
      t.same([texts.length, texts.slice(0, known.length)], [9, sorted], `${by}${direction}`);
      t.equal(
        known.length,
        ['id', 'name', 'country'].includes(by) ? 9 : 8,
        `${by}${direction}: the unknown is last`,
      );
    }
  }
  const page = await openPage(service, '/sites?sort=name,desc&q=a');
  const sorted = page
    .named('th')
    .find((element) => page.attribute(element, 'aria-sort') !== undefined)!;
  t.equal(page.attribute(sorted, 'aria-sort'), 'descending');
  t.equal(
    page.attribute(sorted.childNodes.find((node) => 'tagName' in node) as Element, 'href'),
    './sites?q=a&sort=name',
  );
});

t.test(
  '/sites shows one form of each country, with the text of the log as its title',
  async (t) => {
    const service = await over(t);
    for (const [id, country] of Object.entries({
      AAAA: 'Australia',
      BBBB: 'Nowhere',
      CCCC: 'AUS',
      DDDD: '',
    }))
      await service.importText({ id, country }, `${id.toLowerCase()}_20200101.log`);
    const page = await openPage(service, '/sites');
    t.same(page.column('Country'), ['AUS', 'Nowhere', 'AUS', 'unknown']);
    t.equal(page.all('span', 'title').filter((title) => title === 'Australia').length, 1);
    t.same((await openPage(service, '/sites?sort=country')).column('Site'), [
      'AAAA',
      'CCCC',
      'BBBB',
      'DDDD',
    ]);
  },
);

t.test('/sites?sort=prepared sorts by the day of the log, unknown days last', async (t) => {
  const service = await over(
    t,
    { id: 'AAAA', prepared: '2019-01-01' },
    { id: 'BBBB', prepared: '2012-06-01' },
    { id: 'DDDD', prepared: '2024-02-01' },
  );
  await service.importText({ id: 'CCCC', prepared: '' }, 'cccc.log', NOW);
  for (const [sort, ids] of [
    ['prepared', ['BBBB', 'AAAA', 'DDDD', 'CCCC']],
    ['prepared,desc', ['DDDD', 'AAAA', 'BBBB', 'CCCC']],
  ] as const) {
    const page = await openPage(service, `/sites?sort=${sort}`);
    t.same(page.column('Site'), ids, sort);
    const next = sort === 'prepared' ? 'prepared,desc' : 'prepared';
    t.ok(page.all('a', 'href').includes(`./sites?sort=${next}`), next);
  }
});

t.test(
  '/sites?sort=warnings sorts by the number of warnings, which its choice keeps',
  async (t) => {
    const wrong = { type: 'R0', serial: '1', from: '2001-20-07' };
    const service = await over(
      t,
      { id: 'AAAA', receivers: [{ type: 'R0', serial: '2', from: '2001-01-01' }] },
      { id: 'BBBB', receivers: [wrong] },
      // A later log of the Site has less to correct.
      { id: 'CCCC', prepared: '2019-01-01', receivers: [wrong, wrong, wrong] },
    );
    await service.importText(
      {
        id: 'CCCC',
        prepared: '2020-01-01',
        receivers: [{ type: 'R1', serial: '3', from: '2001-01-01' }],
      },
      'cccc_20200101.log',
    );
    const page = await openPage(service, '/sites?sort=warnings,desc');
    t.equal(page.column('Site')[0], 'BBBB');
    const counts = page.column('Warnings').map((text) => (text === '–' ? 0 : Number(text)));
    t.same(
      counts,
      counts.toSorted((a, b) => b - a),
    );
    t.ok(counts[0]! > counts[1]!);
    t.equal((await openPage(service, '/sites?sort=warnings')).column('Site').at(-1), 'BBBB');
    const chosenOn = (some: HtmlPage): string | undefined => {
      const options = some.parts('#sort option').map(({ root }) => root!);
      const chosen = options.find((each) => some.attribute(each, 'selected') !== undefined);
      return some.attribute(chosen!, 'value');
    };
    t.equal(chosenOn(page), 'warnings,desc');
    const usual = await openPage(service, '/sites');
    t.ok(usual.all('a', 'href').includes('./sites?sort=warnings,desc'), 'the worst first');
    t.equal(chosenOn(usual), '');
  },
);

t.test('/sites counts the Sites of a country as the list behind its link does', async (t) => {
  const service = await over(
    t,
    { id: 'FRAA', country: 'France', place: placeOf('+450000.00', '+0050000.00') },
    { id: 'FRAB', country: 'France', place: placeOf('+050000.00', '-0520000.00') },
    { id: 'FRAC', country: 'France' },
    // In the area of the others.
    { id: 'ESPA', country: 'Spain', place: placeOf('+400000.00', '-0040000.00') },
    { id: 'NONE', country: '', place: placeOf('+410000.00', '-0050000.00') },
  );
  for (const url of ['/sites', '/sites?bbox=-60,0,20,60', '/sites?q=test', '/sites?map=world']) {
    const countries = countriesOn(await openPage(service, url), '/sites');
    t.equal(countries.length, 2, url);
    for (const [behind, figure] of countries) {
      t.match(behind, 'countryCode=');
      t.equal(await countBehind(service, behind), figure, behind);
    }
  }
  t.same(
    countriesOn(await openPage(service, '/sites'), '/sites').map(([, figure]) => figure),
    countriesOn(await openPage(service, '/overview'), '/overview').map(([, figure]) => figure),
  );
});

t.test(
  '/sites shows fifty sites per page; its map shows all sites found on every page, and counts them by country',
  async (t) => {
    const service = await openService(t, [SAMPLE], { clock: () => NOW });
    const sites = Array.from({ length: 1200 }, (_, index) => ({
      id: 1000 + index,
      four_character_id: `${index < 1000 ? 'Q' : 'R'}${String(index % 1000).padStart(3, '0')}`,
      latitude: -37 - index / 1000,
      longitude: index < 1150 ? 144 + index / 500 : null,
      country: index % 3 === 0 ? null : 'AUS',
      country_code: index < 1100 ? 'AUS' : null,
      former_ids: '[]',
      last_event: 0,
    }));
    await rawDatabase(service.database).insert('site', sites);
    const sitesOf = (page: HtmlPage): number =>
      mapOf(page).labels.reduce(
        (sum, label) => sum + Number(/^([\d,]+) /.exec(label)?.[1]!.replace(',', '') ?? 1),
        0,
      );
    const pages: HtmlPage[] = [];
    for (const [query, rows] of [
      ['', 50],
      ['?page=1', 50],
      ['?page=24', 8],
      ['?page=25', 0],
    ] as const) {
      const page = await openPage(service, `/sites${query}`);
      t.same([sitesOn(page).length, sitesOf(page)], [rows, 1158], query);
      // However the country is written in the log; ALIC has “Australia”.
      const countries = page.texts('.every li');
      t.match(countries[0], /^Australia .* 1,101$/);
      t.equal(countries.filter((country) => country.endsWith(' 100')).length, 1, 'in no country');
      t.equal(countries.filter((country) => country.includes('AUS')).length, 1);
      const linked = page.parts('.every a').length;
      t.equal(linked, countries.length - 1);
      t.same(page.numbers('.every summary'), [String(linked)], 'no country is none');
      const fifties = page.numbers('figcaption').filter((number) => number === '50');
      t.equal(fifties.length, 1, 'as many have no position');
      pages.push(page);
    }
    t.equal(new Set(pages.flatMap(sitesOn)).size, 108);
    t.same(pages[0]!.numbers('[role=status]'), ['1,208', '1', '50']);
    t.same(pages[1]!.numbers('.pages'), ['2', '25']);
    t.same(pages[2]!.numbers('.pages'), ['25', '25']);
    t.notOk(pages[3]!.has('.pages'));
    t.ok(pages.at(-1)!.all('a', 'href').includes('./sites?page=24'));
    const zoomed = await openPage(service, '/sites?bbox=110,-45,155,-10&page=23');
    t.same([sitesOn(zoomed).length, sitesOf(zoomed)], [1, 1151]);
    t.equal(sitesOf(await openPage(service, '/sites?q=alice&map=sites')), 1, 'only what is found');
    t.same(
      mapOf(await openPage(service, '/sites?q=alice')).labels,
      [],
      'no map of a single Site unless asked for',
    );
  },
);

t.test(
  '/sites?bbox= zooms the map and the table to an area, also across the date line',
  async (t) => {
    for (const [bbox, ids] of [
      ['110,-45,155,-10', ['ALIC']],
      ['133.88,-23.68,133.89,-23.66', ['ALIC']],
      ['-180,-90,180,90', ['ALIC', 'BOR1', 'HOUZ', 'MCIL', 'MFKG', 'NAMA', 'NYA1', 'UCLU']],
      // Marcus Island is at 153.98° E, Ucluelet at 125.54° W.
      ['150,0,-120,60', ['MCIL', 'UCLU']],
      ['-120,0,150,60', ['BOR1', 'HOUZ', 'NAMA']],
      ['0,0,1,1', []],
    ] as const) {
      const page = await openPage(sample, `/sites?bbox=${bbox}`);
      t.same([sitesOn(page), mapOf(page).ids.sort(), page.errors], [ids, ids, []], bbox);
    }
    const none = await openPage(sample, '/sites?bbox=0,0,1,1&q=alic%20springs');
    t.match(none.part('[role=status]').text, 'alic springs');
    const zoomed = await openPage(sample, '/sites?bbox=110,-45,155,-10&sort=name');
    t.ok(
      zoomed.all('a', 'href').includes('./sites?bbox=121.25,-36.25,143.75,-18.75&sort=name'),
      'a link zooms in and keeps the order',
    );
    for (const wrong of ['1,2,3', 'a,b,c,d', '0,10,1,5', '0,0,181,1'])
      t.same(
        (await openPage(sample, `/sites?bbox=${wrong}`, 400)).texts('main li code'),
        ['bbox'],
        wrong,
      );
  },
);

t.test('/sites has at most 130 kB for 20,000 sites in all countries', async (t) => {
  const service = await openService(t, [SAMPLE], { clock: () => NOW });
  const codes = [...'ABCDEFGHIJKLM'].flatMap((a) => [...'ABCDEFGHIJKLMNO'].map((b) => a + b));
  const sites = Array.from({ length: 20_000 }, (_, index) => ({
    id: 1000 + index,
    four_character_id: index.toString(36).toUpperCase().padStart(4, '0'),
    name: `A station with a name of usual length ${index}`,
    // Spread over all latitudes and longitudes, denser here and there.
    latitude: ((index * 7919) % 17_000) / 100 - 85,
    longitude: (((index * 104_729) % 36_000) / 100 - 180) * (index % 3 === 0 ? 0.4 : 1),
    country: `Country ${codes[index % codes.length]} of a name`,
    country_code: `${codes[index % codes.length]}X`,
    former_ids: '[]',
    last_event: 0,
  }));
  const raw = rawDatabase(service.database);
  await raw.insert('site', sites);
  await raw.exec(`
    INSERT INTO setup
      (id, site_id, site_log_id, effective_from, recorded_at, equipment_in_use)
    SELECT 100000 + other.id, other.id, site_log_id, effective_from, recorded_at, equipment_in_use
    FROM setup, site AS other
    WHERE setup.site_id = (SELECT id FROM site WHERE four_character_id = 'ALIC')
      AND superseded_at IS NULL AND effective_to IS NULL AND other.id BETWEEN 1000 AND 1100`);
  for (const query of ['', '?page=1', '?map=sites', '?sort=name']) {
    const { body } = await service.get(`/sites${query}`, { accept: BROWSER });
    t.match(body, '20,008', query);
    const size = Buffer.byteLength(body);
    t.ok(size > 50_000 && size <= 130_000, `/sites${query}: ${size} bytes`);
  }
});

t.test('sites too close to each other are one mark of the map, which zooms to them', async (t) => {
  const service = await openService(t, [SAMPLE], { clock: () => NOW });
  await rawDatabase(service.database)
    .exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
    INSERT INTO site (id, four_character_id, latitude, longitude, former_ids, last_event)
    SELECT 1000 + i, 'Q' || substr(CAST(1000 + i AS text), 2),
      -37 - i / 100.0, 144 + i / 50.0, '[]', 0
    FROM n`);
  const page = await openPage(service, '/sites');
  const { groups, labels } = mapOf(page);
  t.equal(groups.length, 1);
  const label = labels.find((each) => each.startsWith('20 '));
  t.match(label, /Q001.*Q002.*Q003.*Q004.*\b16\b/);
  t.notMatch(label, 'Q005');
  const zoomed = await openPage(service, groups[0]!.slice(1));
  t.equal(sitesOn(zoomed).length, 20);
  t.ok(mapOf(zoomed).ids.length >= 15, `${mapOf(zoomed).ids.length} single marks`);
});

t.test('/sites over an empty database says that nothing has been imported', async (t) => {
  const service = await openService(t);
  const page = await openPage(service, '/sites');
  t.match(page.part('[role=status]').text, 'gnss-site-setups import');
  for (const url of [
    '/receivers',
    '/antennas',
    '/receivers?type=',
    '/antennas?type=X',
    '/compare',
    '/network',
    '/changes',
  ])
    t.same((await openPage(service, url)).errors, [], url);
});

t.test('the JSON link of a page with preparedBefore keeps all other filters', async (t) => {
  const url = '/sites?preparedBefore=2030-01-01&countryCode=AUS&countryCode=JPN&page=1';
  const page = await openPage(sample, url);
  const links = page
    .named('link')
    .filter((link) => page.attribute(link, 'rel') === 'alternate')
    .map((link) => new URL(page.attribute(link, 'href')!, 'http://h/'));
  const sites = links.find(({ pathname }) => pathname === '/corsSites')!;
  t.same(sites.searchParams.getAll('countryCode'), ['AUS', 'JPN']);
  const { body } = await sample.get(sites.pathname + sites.search);
  const { page: found } = JSON.parse(body) as { page: { totalElements: number } };
  t.equal(found.totalElements, 2);
});
