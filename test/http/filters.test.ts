import t from 'tap';
import { BROWSER, openPage, sitesOn } from './html-page.js';
import { openService, type Service } from '../service.js';
import { type Item, placeOf, type SyntheticLog } from '../synthetic-log.js';
import { elementsIn, type Paged } from './answers.js';

/** One rule for each filter: what it finds in every operation that has it. */

/** The Sites of this test. Each id occurs nowhere else, so it tells what an answer has found. */
const SITES: SyntheticLog[] = [
  {
    id: 'AAAA00AUS',
    country: 'AUS',
    place: placeOf('-250000.0', '1330000.0'),
    receivers: [
      {
        type: 'TRIMBLE NETRS',
        serial: 'A-1 x',
        from: '2010-01-01',
        to: '2015-01-01',
        more: { 'Satellite System': 'GPS' },
      },
      {
        type: 'TRIMBLE NETR9',
        serial: 'A2',
        from: '2015-01-01',
        more: { 'Satellite System': 'gps+glo+gal' },
      },
    ],
    agency: 'Geoscience   Network',
    antennas: [
      {
        type: 'LEIAR25.R3      LEIT',
        serial: 'ANT 1',
        from: '2010-01-01',
        more: { 'Antenna Radome Type': 'LEIT' },
      },
    ],
  },
  {
    id: 'BBBB',
    country: 'Fiji',
    place: placeOf('-170000.0', '1780000.0'),
    receivers: [
      {
        type: 'trimble  netrs',
        serial: '00B1',
        from: '2012-01-01',
        to: '2014-01-01T00:00Z',
        more: { 'Satellite System': 'GPS/GLONASS' },
      },
      {
        type: 'SEPT POLARX5',
        serial: 'B2',
        from: '2014-01-01T06:00Z',
        more: { 'Satellite System': 'GPS, GLO, Galileo and BDS' },
      },
    ],
    agency: 'Lands (GNSS) 100% Ünit',
    antennas: [
      { type: 'LEIAR25.R3      NONE', serial: 'ANT2', from: '2012-01-01', to: '2013-01-01' },
    ],
  },
  {
    id: 'CCCC00NZL',
    country: 'NZL',
    place: placeOf('-410000.0', '1740000.0'),
    antennas: [{ type: 'ASH700936D_M', serial: 'C1', from: '2020-01-01' }],
  },
  {
    id: 'CCCC00CHL',
    country: 'CHL',
    place: placeOf('-330000.0', '-0700000.0'),
    clocks: [{ type: 'QUARTZ', from: '2020-01-01' }],
  },
];
const FIRST = new Date('2026-01-01');
const SECOND = new Date('2026-02-01');

let service: Service;

t.before(async () => {
  service = await openService(t);
  // In the order of time: a record time is later than any on record.
  for (const log of [SITES[0]!, SITES[2]!, SITES[3]!])
    await service.importText(log, `${log.id}_20200101.log`, FIRST);
  await service.importText(SITES[1]!, 'BBBB_20200101.log', SECOND);
});

/** What of an answer is about what was found: not its links, which repeat the query. */
function found(body: string): string {
  if (body.startsWith('<?xml')) return body.slice(body.indexOf('<entry>'));
  const lines = body.trim().split('\n');
  const parsed = lines.flatMap((line) =>
    line === '' ? [] : [JSON.parse(line) as { _embedded?: object }],
  );
  return JSON.stringify(parsed.map((each) => each._embedded ?? each));
}

/** The Sites that an answer is about, as one letter each. */
async function sitesIn(path: string): Promise<string> {
  const { statusCode, body } = await service.get(path);
  if (statusCode !== 200) return `${statusCode} ${body.slice(0, 300)}`;
  return [...new Set(found(body).match(/AAAA|BBBB|CCCC/g))]
    .map((id) => id[0])
    .sort()
    .join('');
}

/**
 * The operations with filters, with what makes elements name their Sites, and what each of them
 * knows nothing of.
 */
const OPERATIONS: [path: string, ...parameters: string[]][] = [
  ...['/corsSites', '/siteLogs', '/changes', '/findings', '/feed', '/feed.atom'].map(
    (path): [string] => [path],
  ),
  ...['sites', 'setups', 'installations', 'changes', 'findings', 'feed'].map((table): [string] => [
    `/exports/${table}.ndjson`,
  ]),
  ['/corsSites/search/findByEquipment'],
  ['/setups', 'projection=site'],
  ...['/equipment', '/gnssReceivers', '/gnssAntennas'].map((path): [string, string] => [
    path,
    'projection=installations',
  ]),
];

/** The paths of the citations of these operations. */
const CITED =
  /^\/(exports\/(sites|setups|installations|changes)\.ndjson|corsSites\/search\/findByEquipment)\/citation\?/;

/** The paths of the operations that have all parameters of a query, with their own. */
function having(query: string): string[] {
  const names = [...new URLSearchParams(query).keys()];
  return OPERATIONS.flatMap(([path, ...parameters]) => {
    const [, table, format] = /^\/exports\/(\w+)\.(\w+)$/.exec(path) ?? [];
    const operation = service.app.operations.find((each) =>
      [
        path,
        `/exports/${table}.:format`,
        `/exports/:table.:format`,
        `/exports/${table}.${format}`,
      ].includes(each.path),
    )!;
    return names.every((name) => name in operation.query.properties)
      ? [`${path}?${[...parameters, query].join('&')}`]
      : [];
  });
}

t.test('every operation with a filter is in this test', async (t) => {
  const shared = [
    'site',
    'countryCode',
    'bbox',
    'near',
    'radius',
    'type',
    'radomeType',
    'satelliteSystem',
    'agency',
    'equipmentType',
    'kind',
    'recordedSince',
  ];
  const known = new Set(OPERATIONS.map(([path]) => path.replace(/\.\w+$/, '')));
  const { operations } = service.app;
  for (const { path, query } of operations) {
    // What a citation finds is what its operation finds, with the same parameters.
    if (path.endsWith('/citation')) {
      const cited = operations.find((each) => `${each.path}/citation` === path);
      t.same(query.properties, cited?.query.properties, path);
      continue;
    }
    const filters = Object.keys(query.properties).filter(
      (name) => shared.includes(name) && !(name === 'type' && path.startsWith('/setups')),
    );
    // The other collections of devices are made as that of receivers. The files for software and
    // /compare have tests of their own.
    const others =
      /^\/(clocks|humiditySensors|compare)$|^\/ogc|^\/exports\/(offsets|sites\.(snx|sta|station-info|rinex))/;
    if (filters.length > 0 && !others.test(path))
      t.ok(known.has(path.replace(/\.:?\w+$/, '')), `${path}: ${filters.join(', ')}`);
  }
});

t.test('filters by Sites', async (t) => {
  const filters: [query: string, sites: string][] = [
    ['site=AAAA', 'A'],
    ['site=aaaa00aus', 'A'],
    ['site=BBBB&site=AAAA&site=bbbb', 'AB'],
    ['site=CCCC00NZL', 'C'],
    [Array.from({ length: 500 }, () => 'site=AAAA').join('&'), 'A'],
    ['countryCode=AUS', 'A'],
    ['countryCode=fji&countryCode=aus', 'AB'],
    ['bbox=130,-30,140,-20', 'A'],
    ['bbox=175,-20,-175,-10', 'B'],
    ['near=-25,133&radius=1', 'A'],
    ['near=-20,178&radius=400&countryCode=FJI', 'B'],
    ['near=-20,178&radius=400&countryCode=AUS', ''],
    ['site=AAAA&countryCode=FJI', ''],
  ];
  for (const [query, sites] of filters)
    for (const path of having(query)) t.equal(await sitesIn(path), sites, path.slice(0, 100));
  t.same(having('site=AAAA').length, 13);
  t.same(having('near=0,0').length, 13);
});

t.test('the URL in a citation has the filters of the request', async (t) => {
  for (const [query, sites] of [
    ['site=BBBB&site=AAAA', 'AB'],
    ['countryCode=fji,aus', 'AB'],
    ['countryCode=AUS', 'A'],
    ['bbox=175,-20,-175,-10', 'B'],
    ['near=-20,178&radius=400', 'B'],
    ['type=trimble%20*', 'AB'],
    ['type=*POLA*', 'B'],
    ['radomeType=NONE', 'B'],
    ['agency=Geo*', 'A'],
    ['satelliteSystem=BDS', 'B'],
  ] as const) {
    const cited = having(query)
      .map((path) => path.replace('?', '/citation?'))
      .filter((path) => CITED.test(path));
    t.ok(cited.length > 0, query);
    for (const path of cited) {
      const { statusCode, body } = await service.get(path);
      t.equal(statusCode, 200, path);
      t.equal(await sitesIn((JSON.parse(body) as { url: string }).url), sites, path);
    }
  }
});

t.test('filters by equipment', async (t) => {
  const filters: [query: string, sites: string][] = [
    ['type=TRIMBLE%20NETRS', 'AB'],
    ['type=trimble++netrs', 'AB'],
    ['type=TRIMBLE%20NETR', ''],
    ['type=trimble%20*', 'AB'],
    ['type=*RS', 'AB'],
    ['type=*POLA*', 'B'],
    ['type=T*B*E*9', 'A'],
    ['type=netrs', ''],
    ['type=LEIAR25.R3%20LEIT', 'A'],
    ['type=leiar25.r3', 'AB'],
    ['type=LEIAR25', ''],
    ['type=*NONE', 'B'],
    ['type=*NONE&type=*LEIT', 'AB'],
    ['type=%25', ''],
    ['serialNumber=a1x', 'A'],
    ['serialNumber=A-1%20X', 'A'],
    ['serialNumber=ANT1&serialNumber=ant-2', 'AB'],
    ['serialNumber=B1', ''],
    ['equipmentType=gnss%20antenna&type=*', 'ABC'],
    ['equipmentType=gnss%20antenna&equipmentType=clock&type=*', 'ABC'],
    ['equipmentType=clock&type=LEI*', ''],
    ['radomeType=none', 'B'],
    ['radomeType=LEIT&radomeType=NONE', 'AB'],
    ['radomeType=SNOW', ''],
  ];
  // Not every kind of equipment is in every collection.
  const isOf = (path: string, query: string): boolean =>
    !(/^\/gnssReceivers/.test(path) && /LEI|lei|NONE|ANT|antenna|clock/.test(query)) &&
    !(
      /^\/gnssAntennas/.test(path) && !/LEI|lei|NONE|ANT|antenna$/.test(query.split('&type')[0]!)
    ) &&
    !(/^\/(gnss|changes|feed|exports\/changes)/.test(path) && /clock/.test(query));
  for (const [query, sites] of filters)
    for (const path of having(query).filter((each) => isOf(each, query)))
      t.equal(await sitesIn(path), sites, path);
  t.equal(having('type=X').length, 5);
});

/** The Sites in the list of a page, as one letter each. */
async function listedOn(query: string): Promise<string> {
  const ids = sitesOn(await openPage(service, `/sites?${query}`));
  return ids.map((id) => id[0]).join('');
}

t.test('GET /sites: filters by antenna, radome and country, alone and together', async (t) => {
  const filters: [query: string, sites: string][] = [
    ['type=LEIAR25.R3%20LEIT', 'A'],
    ['type=leiar25.r3', 'AB'],
    ['type=*NONE&type=*LEIT', 'AB'],
    ['type=LEIAR25', ''],
    // The type is that of an antenna.
    ['type=TRIMBLE*', ''],
    ['radomeType=none', 'B'],
    ['radomeType=LEIT&radomeType=NONE', 'AB'],
    ['radomeType=SNOW', ''],
    // One antenna has both, at that instant.
    ['type=LEIAR25*&radomeType=NONE', 'B'],
    ['type=LEIAR25*&at=2012-06-01', 'AB'],
    ['type=LEIAR25*&at=2013-01-01', 'A'],
    ['radomeType=NONE&at=2013-01-01', ''],
    // The system is that of a receiver.
    ['type=LEIAR25*&satelliteSystem=GAL&at=2016-01-01', 'A'],
    ['type=LEIAR25*&satelliteSystem=GAL', 'AB'],
    ['countryCode=AUS', 'A'],
    ['countryCode=fji&countryCode=aus', 'AB'],
    ['countryCode=Fiji', 'B'],
    ['countryCode=new%20zealand', 'C'],
    ['countryCode=AUS&type=LEIAR25*&radomeType=LEIT&agency=Geo*&at=2016-01-01', 'A'],
    ['countryCode=FJI&agency=Geo*', ''],
    ['countryCode=AUS&bbox=170,-30,180,-10', ''],
    ['q=leica&countryCode=AUS', ''],
    ['type=&radomeType=&countryCode=', 'ABCC'],
  ];
  for (const [query, sites] of filters) t.equal(await listedOn(query), sites, query);
});

t.test('GET /sites: what the filters are is said, kept, and known to all links', async (t) => {
  const query =
    'type=LEIAR25*&radomeType=LEIT&countryCode=AUS&satelliteSystem=GAL&at=2016-11-13&map=world';
  const page = await openPage(service, `/sites?${query}`);
  const words = page.part('[role=status]').text;
  t.match(words, /^1\b/);
  for (const each of ['2016-11-13', 'Galileo', 'LEIAR25*', 'LEIT', 'Australia'])
    t.ok(words.includes(each), each);
  for (const [name, value] of Object.entries({
    type: 'LEIAR25*',
    radomeType: 'LEIT',
    countryCode: 'AUS',
    at: '2016-11-13',
  })) {
    const field = page.named('input').find((each) => page.attribute(each, 'name') === name)!;
    t.equal(page.attribute(field, 'value'), value, name);
  }
  const links = page.all('a', 'href');
  const withFilters = links.filter((link) => link.startsWith('./sites?') && link.includes('type='));
  // To sort by each of six columns, and to zoom the map.
  t.ok(withFilters.length > 10, `${withFilters.length} links`);
  for (const link of withFilters)
    for (const each of ['radomeType=LEIT', 'countryCode=AUS', 'at=2016-11-13'])
      t.match(link, each, link);
  for (const link of links.filter((each) => each.includes('/exports/sites.'))) {
    const { statusCode, body } = await service.get(link.slice(1));
    t.equal(statusCode, 200, link);
    if (/csv|geojson/.test(link)) t.match(body, 'AAAA', link);
    t.notMatch(body, /BBBB|CCCC/, link);
  }
  const some = await openPage(service, '/sites?type=LEIAR25*');
  t.match(some.part('[role=status]').text, /^2\b.*LEIAR25\*/);
  const titles: string[] = [];
  for (const query of ['countryCode=NOR', 'agency=Nobody', 'satelliteSystem=QZSS', 'q=Nothing']) {
    const none = await openPage(service, `/sites?type=LEIAR25*&${query}`);
    const [json] = none
      .parts('link')
      .filter(({ root }) => none.attribute(root!, 'href')!.includes('findByEquipment'));
    t.ok(json, query);
    titles.push(none.attribute(json!.root!, 'title')!);
  }
  const [byCountry, ...others] = titles;
  t.equal(new Set(others).size, 1);
  t.not(byCountry, others[0], 'the title says which filters the resource does not know');
  for (const [wrong, refusal] of [
    ['countryCode=Atlantis', /^countryCode\b.*Atlantis.*AUS/],
    ['satelliteSystem=GALACTIC', /^satelliteSystem\b.*GALACTIC.*GPS.*GLO.*GAL/],
    ['at=lately', /^at\b.*lately/],
  ] as const)
    t.match((await openPage(service, `/sites?${wrong}`, 400)).texts('main li'), [refusal], wrong);
});

t.test('filters by agency', async (t) => {
  const filters: [query: string, sites: string][] = [
    ['agency=Geoscience%20Network', 'A'],
    ['agency=geoscience%20%20%20NETWORK', 'A'],
    ['agency=Geoscience', ''],
    ['agency=Geo*', 'A'],
    ['agency=*%20*', 'AB'],
    ['agency=*100%25*', 'B'],
    ['agency=*%C3%BCnit', 'B'],
    ['agency=Geo*&agency=Lands*', 'AB'],
    ['agency=Geo*&countryCode=FJI', ''],
    ['agency=%25', ''],
  ];
  for (const [query, sites] of filters) {
    for (const path of having(query)) t.equal(await sitesIn(path), sites, path);
    const found = sitesOn(await openPage(service, `/sites?${query.split('&country')[0]}`));
    if (!query.includes('country'))
      t.equal(found.map((id) => id[0]).join(''), sites, `the page with ${query}`);
  }
  t.equal(having('agency=X').length, 3);
});

t.test('filters by satellite system: those of the receiver at that time', async (t) => {
  const filters: [query: string, sites: string][] = [
    ['satelliteSystem=GAL', 'AB'],
    ['satelliteSystem=gal', 'AB'],
    ['satelliteSystem=BDS', 'B'],
    ['satelliteSystem=QZSS', ''],
    ['satelliteSystem=QZSS&satelliteSystem=BDS', 'B'],
    ['satelliteSystem=GPS,BDS', 'B'],
    ['satelliteSystem=QZSS,BDS', ''],
    ['satelliteSystem=GLO&at=2013-01-01', 'B'],
    ['satelliteSystem=GAL&at=2013-01-01', ''],
    ['satelliteSystem=GPS&at=2013-01-01', 'AB'],
    ['satelliteSystem=GPS&at=2014-01-01T03:00Z', 'A'],
    ['satelliteSystem=GAL&at=2014-06-01', 'B'],
    ['satelliteSystem=GAL&at=2016-01-01', 'AB'],
  ];
  for (const [query, sites] of filters) {
    for (const path of having(query)) t.equal(await sitesIn(path), sites, path);
    const found = sitesOn(await openPage(service, `/sites?${query}`));
    t.equal(found.map((id) => id[0]).join(''), sites, `the page with ${query}`);
  }
  // The type and the system are those of one receiver.
  const ofType = 'type=*netrs&satelliteSystem=GAL';
  for (const path of having(ofType)) t.equal(await sitesIn(path), '', path);
  t.equal(having(ofType).length, 2);
  t.equal(having('satelliteSystem=GAL').length, 3);
});

t.test('GET /sites: the form keeps its filters, and hands them to the links', async (t) => {
  const query = 'agency=Geo*&satelliteSystem=GAL&at=2016-01-01';
  const page = await openPage(service, `/sites?${query}`);
  t.match(page.part('[role=status]').text, /2016-01-01.*Galileo.*Geo\*/);
  const { body } = await service.get(`/sites?${query}`, { accept: BROWSER });
  t.match(body, /<option value="GAL" selected/);
  t.match(body, /name="agency" value="Geo\*"/);
  const links = [...body.matchAll(/href="\.(\/(?:exports|corsSites|setups)[^"]*)"/g)].map(
    ([, link]) => link!.replaceAll('&amp;', '&'),
  );
  t.ok(links.length > 6);
  for (const link of links) t.equal((await service.get(link)).statusCode, 200, link);
  const empty = await openPage(service, '/sites?q=&agency=&satelliteSystem=&at=');
  t.equal(sitesOn(empty).length, 4, 'empty fields are no filters');
  for (const query of ['agency=Nobody', 'agency=Geo*&bbox=0,0,1,1']) {
    const none = await openPage(service, `/sites?${query}`);
    t.same([sitesOn(none), none.parts('[role=status]').length], [[], 1], query);
  }
  for (const wrong of ['satelliteSystem=GALACTIC', 'at=lately'])
    t.equal((await service.get(`/sites?${wrong}`, { accept: BROWSER })).statusCode, 400, wrong);
});

t.test('GET /corsSites, /sites/AAAA: the agency of a Site', async (t) => {
  const { body } = await service.get('/exports/sites.ndjson?site=AAAA');
  t.match(JSON.parse(body), { agency: 'Geoscience Network' });
  const unknown = await service.get('/exports/sites.ndjson?site=CCCC00CHL');
  t.match(JSON.parse(unknown.body), { agency: null });
  const summary = (await openPage(service, '/sites/AAAA')).part('.summary').text;
  t.match(summary, ' · Geoscience Network');
});

t.test('filters by changes, their time and the time of record', async (t) => {
  const filters: [query: string, sites: string][] = [
    ['kind=removed', 'B'],
    ['kind=replaced', 'AB'],
    ['kind=replaced&to=2014-06-01', 'B'],
    ['kind=replaced&kind=removed&from=2014-06-01', 'A'],
    ['kind=reconfigured', ''],
    ['equipmentType=gnss%20receiver&kind=installed', 'AB'],
    ['equipmentType=clock&equipmentType=gnss%20antenna&from=2019-01-01&kind=installed', 'C'],
    ['from=2014-01-01&to=2014-01-01T00:00:01Z&kind=replaced', 'B'],
    ['kind=removed&mergeGaps=PT0S', 'B'],
    ['kind=replaced&mergeGaps=PT5H59M', 'A'],
    ['kind=replaced&site=AAAA&countryCode=AUS&bbox=130,-30,140,-20', 'A'],
    ['recordedSince=2026-01-15', 'B'],
    ['recordedSince=2026-02-01', 'B'],
    ['recordedSince=2026-02-01T00:00:00.001Z', ''],
    ['recordedSince=2026-01-15&site=AAAA', ''],
  ];
  for (const [query, sites] of filters)
    for (const path of having(query)) t.equal(await sitesIn(path), sites, path);
  t.equal(having('kind=removed').length, 5);
  t.equal(having('recordedSince=2026-01-01').length, 10);
});

t.test(
  'an entry of the feed of a known Site is found by the changes that it lists, not by those it already had',
  async (t) => {
    const { get, importText } = await openService(t);
    const firmware = (version: string): Item[] => [
      { type: 'R', serial: '1', from: '2001-01-01', to: '2002-01-01' },
      { type: 'R', serial: '1', from: '2002-01-01', more: { 'Firmware Version': version } },
    ];
    await importText({ id: 'AAAA', receivers: firmware('1') }, 'aaaa_1.log');
    await importText(
      { id: 'AAAA', prepared: '2020-02-02', receivers: firmware('2') },
      'aaaa_2.log',
    );
    await importText(
      { id: 'AAAA', prepared: '2020-03-03', receivers: firmware('2').slice(1) },
      'aaaa_3.log',
    );
    const entries: [query: string, places: number[]][] = [
      ['', [0, 1, 2]],
      ['kind=reconfigured', [0, 1, 2]],
      ['kind=installed', [0, 2]],
      ['kind=removed', []],
      ['from=2001-06-01', [0, 1, 2]],
      ['to=2002-01-01', [0, 2]],
      ['equipmentType=gnss%20antenna', []],
    ];
    const idsOf = async (query: string) =>
      (await get(`/feed?${query}`))
        .json<{ _embedded: { entries: { id: string }[] } }>()
        ._embedded.entries.map(({ id }) => id);
    const all = await idsOf('');
    for (const [query, places] of entries) {
      const ids = places.map((place) => all[place]);
      t.same(await idsOf(query), ids, query);
    }
  },
);

t.test(
  'a value outside a closed list, or one that makes no sense, is refused with what is allowed',
  async (t) => {
    const refused: [query: string, name: string, detail: RegExp][] = [
      ['equipmentType=receiver', 'equipmentType', /gnss (receiver|antenna)/],
      ['equipmentType=GNSS%20receiver', 'equipmentType', /gnss/],
      ['kind=moved', 'kind', /installed, removed, replaced, reconfigured/],
      ['form=text', 'form', /IGS site log 1, IGS site log 2\.0, GeodesyML 0\.4/],
      [
        'countryCode=Australia',
        'countryCode',
        /is not a country code \(did you mean AUS\?\); allowed: a code of ISO 3166-1/,
      ],
      ['countryCode=AU', 'countryCode', /did you mean AUS/],
      [
        'satelliteSystem=GPS,GALILEO',
        'satelliteSystem',
        /is not a satellite system; allowed: GPS, GLO, GAL, BDS, QZSS, IRNSS, SBAS/,
      ],
      ['satelliteSystem=', 'satelliteSystem', /GPS, GLO, GAL/],
      ['countryCode=XXX', 'countryCode', /is not a country code; allowed/],
      ['site=AAA', 'site', /four-character or nine-character/],
      ['bbox=1,2,3', 'bbox', /west,south,east,north/],
      ['near=91,0&radius=1', 'near', /latitude/],
      ['radius=5', 'radius', /is given without near/],
      ['at=2010-01-01&from=2009-01-01', 'at', /together with from or to/],
      ['from=2010-01-01&to=2009-01-01', 'to', /not before from/],
      ['type=', 'type', /any characters/],
      ['recordedSince=lately', 'recordedSince', /RFC 3339/],
    ];
    for (const [query, name, detail] of refused)
      for (const path of having(query)) {
        const { statusCode, body } = await service.get(path);
        t.match(
          [statusCode, JSON.parse(body)],
          [400, { detail, invalidParameters: [{ name }] }],
          path,
        );
      }
    const antennas = (
      await service.get('/gnssReceivers?equipmentType=gnss%20antenna')
    ).json<object>();
    t.match(antennas, { status: 400, invalidParameters: [{ allowed: /: gnss receiver\./ }] });
    for (const path of having('near=0,0').filter((each) => !/^\/(corsSites|siteLogs)\?/.test(each)))
      t.match(
        (await service.get(path)).json(),
        { invalidParameters: [{ name: 'near', allowed: /together with radius/ }] },
        path,
      );
  },
);

t.test('site: an id that identifies no Site, or two, is a problem', async (t) => {
  for (const path of having('site=AAAA&site=XXXX'))
    t.match((await service.get(path)).json(), { status: 404, detail: /XXXX/ }, path);
  for (const path of having('site=AAAA&site=cccc')) {
    const problem = (await service.get(path)).json<{ candidates: { href: string }[] }>();
    t.match(
      problem,
      {
        status: 409,
        candidates: [{ nineCharacterId: 'CCCC00CHL' }, { nineCharacterId: 'CCCC00NZL' }],
      },
      path,
    );
    t.equal(
      await sitesIn(problem.candidates[1]!.href.replace('http://localhost:80', '')),
      'AC',
      'the same request with that id',
    );
  }
});

t.test('what is not ours to filter by is refused', async (t) => {
  for (const path of [
    ...[
      '/changes?id=AAAA',
      '/exports/changes.csv?id=AAAA',
      '/exports/setups.csv?id=1',
      '/exports/sites.csv?id=1',
    ],
    ...[
      '/corsSites?description=x',
      '/corsSites?location.latitude=1',
      '/siteLogs?monument.height=1',
      '/siteLogs?bedrockType=x',
    ],
  ])
    t.equal((await service.get(path)).statusCode, 400, path);
  for (const path of [
    '/setups?id=1',
    '/corsSites?id=1',
    '/siteLogs?id=1',
    '/corsSites?fourCharacterId=AAAA',
    '/siteLogs?size=2000',
  ])
    t.equal((await service.get(path)).json<{ status?: number }>().status, undefined, path);
});

t.test('links to other pages keep the filters, and those of the feed too', async (t) => {
  const query =
    'site=AAAA&site=BBBB&countryCode=AUS&countryCode=FJI&kind=replaced&kind=removed&size=1';
  for (const path of [
    `/changes?${query}`,
    `/feed?${query}`,
    '/equipment?type=trimble%20*&equipmentType=gnss%20receiver&size=1',
  ]) {
    const seen: string[] = [];
    for (let url: string | undefined = path; url !== undefined && seen.length < 9;) {
      const body: { _embedded: object; _links: { next?: { href: string } } } = (
        await service.get(url)
      ).json();
      seen.push(found(JSON.stringify(body)));
      const next: string | undefined = body._links.next?.href.replace('http://localhost:80', '');
      url = /"entries":\[\]/.test(seen.at(-1)!) ? undefined : next;
    }
    t.equal(new Set(seen).size, seen.length, path);
    t.equal(seen.length, 3, path);
  }
});

t.test(
  'conflicts selects the devices that are in conflict, as the catalogue knows them',
  async (t) => {
    const service = await openService(t);
    const shared = { type: 'LEICA GR25', serial: '1', from: '2011-01-01' };
    const antenna = { type: 'LEIAR25.R3      LEIT', serial: '1', from: '2011-01-01' };
    const moved = { type: 'LEICA GR25', serial: '2', from: '2001-01-01', to: '2011-01-01' };
    await service.importText({ id: 'AAAA', receivers: [moved, shared], antennas: [antenna] });
    const again = { ...moved, from: '2011-01-01', to: '2012-01-01' };
    await service.importText({ id: 'BBBB', receivers: [again, { ...shared, from: '2012-01-01' }] });
    const found = async (path: string): Promise<unknown[]> => {
      const answer = await service.get(path);
      t.equal(answer.statusCode, 200, answer.body);
      return elementsIn(answer.json<Paged>()).map(({ equipmentType, serialNumber }) => [
        equipmentType,
        serialNumber,
      ]);
    };
    const inConflict = [['gnss receiver', '1']];
    const others = [
      ['gnss receiver', '2'],
      ['gnss antenna', '1'],
    ];
    t.same(await found('/equipment?conflicts=true'), inConflict);
    t.same(await found('/equipment?conflicts=false&sort=equipmentType,desc'), others);
    t.same(await found('/gnssReceivers?conflicts=true'), inConflict);
    t.same(await found('/gnssReceivers?conflicts=false'), [others[0]]);
    t.same(await found('/gnssAntennas?conflicts=true'), []);
    t.same(await found('/equipment?conflicts=true&type=TRIMBLE*'), []);
    const csv = await service.get('/exports/installations.csv?conflicts=true');
    t.equal(csv.body.trimEnd().split('\r\n').length, 3, 'the header and two installations');
    t.equal((await service.get('/equipment?conflicts=yes')).statusCode, 400);
    const withPlaces = await service.get('/equipment?conflicts=true&projection=installations');
    const [device] = elementsIn(withPlaces.json<Paged>()) as { installations?: unknown }[];
    t.match(device!.installations, [{ conflictsWith: ['BBBB'] }, { conflictsWith: ['AAAA'] }]);
    // A newer log says that the receiver was taken away before.
    const corrected = { ...shared, to: '2012-01-01' };
    const later = { prepared: '2021-01-01', receivers: [moved, corrected], antennas: [antenna] };
    await service.importText({ id: 'AAAA', ...later });
    t.same(await found('/equipment?conflicts=true'), []);
  },
);

t.test('values without commas may be given in one parameter, which means either', async (t) => {
  const { get } = service;
  for (const [path, name, one, other] of [
    ['/corsSites', 'site', 'AAAA00AUS', 'bbbb'],
    ['/corsSites', 'id', '1', '2'],
    ['/corsSites', 'fourCharacterId', 'AAAA', 'BBBB'],
    ['/corsSites', 'countryCode', 'AUS', 'fji'],
    ['/setups', 'siteId', '1', '2'],
    ['/setups', 'current', 'true', 'false'],
    ['/equipment', 'equipmentType', 'gnss receiver', 'gnss antenna'],
    ['/changes', 'kind', 'replaced', 'reconfigured'],
    ['/findings', 'level', 'info', 'warning'],
    ['/findings', 'code', 'missing-section', 'missing-label'],
    ['/feed', 'site', 'AAAA00AUS', 'BBBB'],
    ['/exports/sites.csv', 'site', 'AAAA00AUS', 'BBBB'],
    ['/setups/search/findCurrentByFourCharacterIdIn', 'id', 'AAAA', 'BBBB'],
  ] as const) {
    const bodyOf = async (query: string): Promise<string> => (await get(`${path}?${query}`)).body;
    const both = await bodyOf(`${name}=${one}&${name}=${other}`);
    t.equal(await bodyOf(`${name}=${one},${other}`), both, `${path} ${name}`);
    t.not(await bodyOf(`${name}=${one}`), both, 'both find more');
    for (const empty of [`${one},`, `,${one}`, `${one},,${other}`, ','])
      t.equal((await get(`${path}?${name}=${empty}`)).statusCode, 400, `${name}=${empty}`);
  }
  const most = Array<string>(1000).fill('AAAA');
  t.equal((await get(`/corsSites?site=${most.join()}`)).statusCode, 200);
  t.equal((await get(`/corsSites?site=${most.join()},AAAA`)).statusCode, 400);
});

t.test('a comma is part of a type, and joins satellite systems', async (t) => {
  const { get } = service;
  const count = async (url: string): Promise<number> =>
    (await get(url)).json<Paged>().page.totalElements;
  t.equal(await count('/gnssReceivers?type=TRIMBLE NETRS,SEPT POLARX5'), 0);
  const systems = '/corsSites/search/findByEquipment?satelliteSystem=';
  t.ok((await count(`${systems}GAL,BDS`)) < (await count(`${systems}GAL&satelliteSystem=BDS`)));
});

t.test('in an order, asc and desc belong to the property before them', async (t) => {
  const { get } = service;
  const bodyOf = async (query: string): Promise<string> => (await get(`/setups?${query}`)).body;
  for (const [together, apart] of [
    ['siteId,desc,id', 'sort=siteId,desc&sort=id'],
    ['siteId,id,desc', 'sort=siteId&sort=id,desc'],
    ['siteId,asc,id,desc', 'sort=siteId,asc&sort=id,desc'],
  ] as const)
    t.equal(await bodyOf(`sort=${together}`), await bodyOf(apart), together);
  for (const wrong of ['asc', 'siteId,asc,desc', 'siteId,', 'siteId,,id', 'siteId,up'])
    t.equal((await get(`/setups?sort=${wrong}`)).statusCode, 400, wrong);
  t.equal((await get('/changes?sort=at,desc')).statusCode, 200);
  t.equal((await get('/changes?sort=at,at')).statusCode, 400);
});
