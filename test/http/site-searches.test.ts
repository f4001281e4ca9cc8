import t from 'tap';
import { SAMPLE } from '../project-files.js';
import { openService, type Service } from '../service.js';
import { placeOf } from '../synthetic-log.js';
import { rawDatabase } from '../raw-database.js';
import { CURRENT, elementsIn, type Paged, read, refused } from './answers.js';
import { openPage, sitesOn } from './html-page.js';

interface SiteBody {
  id: number;
  fourCharacterId: string;
  nineCharacterId: string | null;
  location: Record<string, string | number | null>;
  distance?: number | null;
  _links: Record<string, { href: string }>;
}
/** Sites on both sides of the date line, at it, at a pole, and at no known place. */
const PLACES: [id: string, latitude: string, longitude: string, country: string][] = [
  ['EAST', '-100000.0', '1790000.0', 'Fiji'],
  ['WEST', '-100000.0', '-1790000.0', 'Samoa'],
  ['LINE', '-100000.0', '1800000.0', 'fiji'],
  ['LINW', '-110000.0', '-1800000.0', 'FJI'],
  ['POLE', '-895959.0', '0100000.0', 'Antarctica'],
  ['ZERO', '000000.0', '0000000.0', 'Gulf of Guinea'],
  ['FAR9', '', '', 'Australia'],
];

const sitesIn = (page: Paged<SiteBody>): string[] =>
  elementsIn(page).map(({ fourCharacterId }) => fourCharacterId);

let service: Service;
const page = (query: string) =>
  read<Paged<SiteBody>>(t, service, 'CorsSiteCollection', `/corsSites?${query}`);
/** The parameters that are refused. */
const invalid = async (query: string) =>
  (await refused(t, service, `/corsSites?${query}`, 400, 'invalid-parameter')).invalidParameters;

t.before(async () => {
  service = await openService(t, [SAMPLE]);
  for (const [id, latitude, longitude, country] of PLACES) {
    const receivers = [{ type: 'R', serial: id, from: '2020-01-01' }];
    await service.importText(
      { id, country, place: placeOf(latitude, longitude), receivers },
      `${id}_20200101.log`,
    );
  }
});

t.test('GET /corsSites: each Site says where it is, and links to what belongs to it', async (t) => {
  const [alice] = elementsIn(await page('fourCharacterId=ALIC'));
  t.same(alice!.location, {
    city: 'Alice Springs',
    state: 'Northern Territory',
    country: 'Australia',
    countryCode: 'AUS',
    latitude: -23.670125,
    longitude: 133.88551389,
    height: 603.4,
    x: -4052051.767,
    y: 4212836.215,
    z: -2545106.027,
  });
  t.notOk('distance' in alice!);
  for (const [relation, { href }] of Object.entries(alice!._links)) {
    const { statusCode, headers } = await service.get(href);
    const type = relation === 'skeletonFile' ? 'text/plain' : 'application/hal+json';
    t.same([statusCode, headers['content-type']], [200, `${type};charset=UTF-8`], relation);
  }
});

t.test('GET /corsSites?bbox=…', async (t) => {
  const found: [bbox: string, sites: string[]][] = [
    ['130,-30,140,-20', ['ALIC']],
    // The bounds belong to the box.
    ['179,-10,179,-10', ['EAST']],
    ['179.000001,-10,179.9,-10', []],
    ['0,0,0,0', ['ZERO']],
    // Across the date line, and up to it from both sides.
    ['178,-20,-178,0', ['EAST', 'LINE', 'LINW', 'WEST']],
    ['179.5,-20,180,0', ['LINE', 'LINW']],
    ['-180,-20,-179.5,0', ['LINE', 'LINW']],
    ['180,-20,-180,0', ['LINE', 'LINW']],
    ['-180,-90,180,-89', ['POLE']],
    // Digits as programs write them.
    ['178.900000000000006,-1.1E1,1.791e2,-9.9000000000000004', ['EAST']],
  ];
  for (const [bbox, sites] of found) {
    const body = await page(`bbox=${bbox}&sort=fourCharacterId`);
    t.same([sitesIn(body), body.page.totalElements], [sites, sites.length], bbox);
  }
  // A Site without a position is in no box.
  const total = (await page('')).page.totalElements;
  t.equal((await page('bbox=-180,-90,180,90')).page.totalElements, total - 1);
  for (const bbox of [
    '1,2,3',
    '1,2,3,4,5',
    '-181,0,0,0',
    '0,0,180.1,0',
    '0,-91,0,0',
    '0,1,0,0',
    'a,b,c,d',
    '1e,0,20,0',
    '1e3,0,20,0',
  ]) {
    t.match(
      await invalid(`bbox=${bbox}`),
      [{ name: 'bbox', allowed: /west,south,east,north/ }],
      bbox,
    );
  }
});

t.test('GET /corsSites?near=…&radius=…: ordered by distance, in kilometres', async (t) => {
  const near = elementsIn(await page('near=-10,179&radius=400'));
  const distancesOf = near.map(({ fourCharacterId, distance }) => `${fourCharacterId} ${distance}`);
  t.same(distancesOf, ['EAST 0', 'LINE 109.506', 'LINW 155.941', 'WEST 219.011']);
  for (const [query, sites] of Object.entries({
    // The circle belongs to it.
    'near=-10,179&radius=109.506': ['EAST', 'LINE'],
    'near=-10,179&radius=109.505': ['EAST'],
    'near=-10,179&radius=0': ['EAST'],
    // A pole is on all meridians.
    'near=-90,0&radius=5': ['POLE'],
    'near=-89.9,-170&radius=20': ['POLE'],
    'near=-10,179&radius=400&sort=fourCharacterId,desc': ['WEST', 'LINW', 'LINE', 'EAST'],
    'near=-10,179&bbox=-180,-20,-170,0&radius=400': ['LINE', 'LINW', 'WEST'],
  }))
    t.same(sitesIn(await page(query)), sites, query);

  const all = await page('near=-10,179&size=1000');
  t.equal(elementsIn(all).length, all.page.totalElements);
  t.match(
    elementsIn(all).at(-1),
    { fourCharacterId: 'FAR9', distance: null },
    'unknown distances come last',
  );
  const second = await page('near=-10,179&size=2&page=1');
  t.same(sitesIn(second), ['LINW', 'WEST']);
  t.match(second._links.next!.href, /near=-10,179/);
  const sorted = await page('near=-10,179&sort=fourCharacterId,desc&size=1000');
  const distances = (body: typeof sorted) =>
    Object.fromEntries(elementsIn(body).map(({ id, distance }) => [id, distance]));
  t.same(sitesIn(sorted), sitesIn(all).sort().reverse());
  t.same(distances(sorted), distances(all), 'a sort order changes no distance');
  t.same(sorted.page, all.page);

  for (const [query, name] of [
    ['near=-10', 'near'],
    ['near=-91,0', 'near'],
    ['near=0,181', 'near'],
    ['near=0,0&radius=-1', 'radius'],
    ['radius=5', 'radius'],
  ])
    t.match(await invalid(query!), [{ name }], query!);
});

t.test('GET /corsSites?near=SITE: from the place of a Site', async (t) => {
  const byPoint = elementsIn(await page('near=-10,179&radius=400'));
  t.same(elementsIn(await page('near=east&radius=400')), byPoint, 'in either case');
  t.equal((await service.get('/exports/sites.csv?near=EAST&radius=1')).statusCode, 200);
  const [place] = (await invalid('near=FAR9'))!;
  t.match(place, { name: 'near', reason: /without a known position/, allowed: /id of a Site/ });
  const unknown = await refused(t, service, '/corsSites?near=XXXX', 404, 'unknown-site');
  t.match(unknown.detail, /XXXX/);
  for (const text of ['ALICE', 'EAST,1', 'EAST00', ' EAST'])
    t.match(await invalid(`near=${text}`), [{ name: 'near' }], text);
});

t.test(
  'GET /corsSites?q=COUNTRY: all Sites in the country, before others with the word',
  async (t) => {
    const own = await openService(t, []);
    const logs: [id: string, name: string, country: string][] = [
      ['BBBB', 'Hill', 'NZL'],
      ['AAAA', 'New Zealand House', 'United Kingdom'],
      ['CCCC', 'Beach', 'New Zealand'],
      ['NZLX', 'Field', 'France'],
    ];
    for (const [id, name, country] of logs)
      await own.importText(
        { id, name, country, receivers: [{ type: 'R', serial: id, from: '2020-01-01' }] },
        `${id}_20200101.log`,
      );
    const found = async (q: string) => {
      const url = `/corsSites?q=${encodeURIComponent(q)}`;
      return sitesIn(await read<Paged<SiteBody>>(t, own, 'CorsSiteCollection', url)).join(' ');
    };
    t.equal(await found('new zealand'), 'BBBB CCCC AAAA');
    t.equal(await found(' New  ZÉALAND'), 'BBBB CCCC AAAA');
    t.equal(await found('nzl'), 'BBBB CCCC NZLX');
    t.equal(await found('zealand new'), 'AAAA CCCC', 'only the whole name of a country counts');
    t.equal(await found('new zealand beach'), 'CCCC');
    t.equal(await found('nz'), await found('nz'));
    const csv = (await own.get('/exports/sites.csv?q=nzl')).body;
    t.match(csv, /BBBB[^]*CCCC[^]*NZLX/);
    const page = await openPage(own, '/sites?q=new+zealand');
    t.match(page.part('[role=status]').text, 'New Zealand', 'what comes first');
    t.equal(sitesOn(page).at(-1), 'AAAA');
    const byName = await openPage(own, '/sites?q=hill');
    t.notMatch(byName.part('[role=status]').text, 'New Zealand');
  },
);

t.test('GET /corsSites?countryCode=…: names and codes in logs are one country', async (t) => {
  t.same(sitesIn(await page('countryCode=FJI&sort=fourCharacterId')), ['EAST', 'LINE', 'LINW']);
  t.same(sitesIn(await page('countryCode=ATA')), ['POLE']);
  t.match(elementsIn(await page('fourCharacterId=ZERO')), [
    { location: { country: 'Gulf of Guinea', countryCode: null } },
  ]);
});

t.test(
  'projection=site: a Setup says which Site it is of, and answers for many Sites say so without it',
  async (t) => {
    interface SetupBody {
      siteId: number;
      site?: object;
      provenance?: object;
      _links: Record<string, { href: string }>;
    }
    const ask = async (url: string) =>
      (await service.get(url)).json<SetupBody & { _embedded: { setups: SetupBody[] } }>();
    const alice = { fourCharacterId: 'ALIC', nineCharacterId: null, name: 'Alice Springs AU012' };
    const plain = await ask(`${CURRENT}?id=ALIC`);
    t.notOk('site' in plain);
    t.same(Object.keys(plain._links), ['self', 'setup']);
    const { site, ...withSite } = await ask(`${CURRENT}?id=ALIC&projection=site`);
    t.same(site, alice);
    const { corsSite, ...links } = withSite._links;
    t.same({ ...withSite, _links: links }, plain, 'nothing else changes');
    t.match((await service.get(corsSite!.href)).json(), alice);

    for (const url of [
      '/setups?siteId=1&projection=site',
      '/setups/search/findBySiteId?siteId=1&projection=site',
      '/setups/search/findByFourCharacterId?id=ALIC&effectiveFrom=2012-01-01&projection=site',
      '/setups/search/findCurrentByFourCharacterIdIn?id=ALIC',
      '/setups/search/findAtByFourCharacterIdIn?id=ALIC&at=2013-01-01&asOf=2100-01-01',
    ]) {
      const setups = elementsIn(
        await read<Paged<SetupBody>>(
          t,
          service,
          url.includes('In?') ? 'SetupList' : 'SetupCollection',
          url,
        ),
      );
      t.ok(setups.length > 0, url);
      t.match(
        setups,
        setups.map(() => ({ siteId: 1, site: alice, _links: { corsSite } })),
        url,
      );
    }
    t.match(await ask('/setups/1?projection=site'), { siteId: 1, site: alice });
    const both = await ask(
      '/setups/search/findCurrentByFourCharacterIdIn?id=ALIC&id=NAMA&id=XXXX&projection=provenance',
    );
    t.match(both._embedded.setups, [
      { site: alice, provenance: {} },
      { site: { fourCharacterId: 'NAMA' }, provenance: {} },
    ]);
    t.same(
      (await ask('/setups/search/findCurrentByFourCharacterIdIn?id=XXXX'))._embedded.setups,
      [],
    );
  },
);

t.test(
  'GET /corsSites/search/findByEquipment?type=…&equipmentType=…&radomeType=…&at=…&from=…&to=…',
  async (t) => {
    interface Item {
      content: {
        id: { type: string; equipmentType: string };
        period: { from: string; to: string | null };
      };
    }
    const own = await openService(t);
    const antennas = [
      { type: 'LEIAR25.R3      LEIT', serial: '1', from: '2010-01-01', to: '2012-01-01' },
      { type: 'LEIAR25.R4      LEIT', serial: '2', from: '2013-01-01' },
    ];
    await own.importText(
      {
        id: 'AAAA',
        antennas,
        receivers: [{ type: 'LEICA GR25', serial: '1', from: '2010-01-01' }],
      },
      'AAAA_20200101.log',
    );
    const receivers = [{ type: 'leica gr25', serial: '2', from: '2012-06-01', to: '2012-07-01' }];
    await own.importText({ id: 'BBBB', receivers }, 'BBBB_20200101.log');
    const ask = async (query: string) => {
      type Equipped = { fourCharacterId: string; installations: Item[] };
      const body = await read<Paged<Equipped>>(
        t,
        own,
        'EquippedSiteCollection',
        `/corsSites/search/findByEquipment?${query}`,
      );
      t.equal(body.page.totalElements, elementsIn(body).length, query);
      return elementsIn(body).map(({ fourCharacterId, installations }) => [
        fourCharacterId,
        ...installations.map(({ content }) => content.id.type),
      ]);
    };
    const [R3, R4] = antennas.map(({ type }) => type);
    const found: [query: string, ...[site: string, ...types: string[]][]][] = [
      ['type=LEI*', ['AAAA', R3!, 'LEICA GR25', R4!], ['BBBB', 'leica gr25']],
      ['type=lei*&equipmentType=gnss%20antenna', ['AAAA', R3!, R4!]],
      ['', ['AAAA', R3!, 'LEICA GR25', R4!], ['BBBB', 'leica gr25']],
      ['type=LEIAR25*&at=2011-12-31T23:59:59Z', ['AAAA', R3!]],
      ['type=LEIAR25*&at=2012-01-01'],
      ['type=LEI*&at=2010-01-01', ['AAAA', R3!, 'LEICA GR25']],
      ['type=LEIAR25*&radomeType=leit&at=2014-01-01', ['AAAA', R4!]],
      ['type=LEIAR25*&from=2012-01-01&to=2013-01-01'],
      ['type=LEIAR25*&from=2011-12-31&to=2013-01-01', ['AAAA', R3!]],
      ['type=LEIAR25*&from=2012-01-01&to=2013-01-02', ['AAAA', R4!]],
      ['type=LEIAR25*&to=2010-01-01'],
      ['type=LEIAR25*&to=2010-01-02', ['AAAA', R3!]],
      ['type=LEIAR25*&from=2030-01-01', ['AAAA', R4!]],
      ['type=LEIAR25*&from=2010-01-01&to=2010-01-01', ['AAAA', R3!]],
      ['type=LEICA*&from=2012-06-15&to=2012-06-15', ['AAAA', 'LEICA GR25'], ['BBBB', 'leica gr25']],
    ];
    for (const [query, ...sites] of found) t.same(await ask(query), sites, query);

    const paged = (await own.get('/corsSites/search/findByEquipment?type=LEI*&size=1')).json<
      Paged<SiteBody>
    >();
    t.same([sitesIn(paged), paged.page.totalElements], [['AAAA'], 2]);
    t.match(paged._links.next!.href, /type=LEI\*&page=1&size=1/);
    for (const [query, name] of [
      ['site=AAAA', 'site'],
      ['type=A&at=2013-01-01&to=2014-01-01', 'at'],
    ])
      t.match(
        (await own.get(`/corsSites/search/findByEquipment?${query}`)).json(),
        { invalidParameters: [{ name }] },
        query!,
      );

    // The antenna that a newer log no longer has, and that of a retired Site, are not found.
    await own.importText(
      { id: 'AAAA', prepared: '2021-01-01', antennas: antennas.slice(1) },
      'AAAA_20210101.log',
    );
    t.same(await ask('type=LEIAR25.R3*'), []);
    t.same(await ask('type=LEI*'), [
      ['AAAA', R4!],
      ['BBBB', 'leica gr25'],
    ]);

    // Many devices at few Sites are found in another way.
    const years = Array.from({ length: 9 }, (_, index) => `200${index}-01-01`);
    const many = years.map((from, index) => ({
      type: `X${index}`,
      serial: `X${index}`,
      from,
      to: years[index + 1] ?? '2009-01-01',
    }));
    await own.importText(
      { id: 'BBBB', prepared: '2021-01-01', receivers: many },
      'BBBB_20210101.log',
    );
    const named = many.map(({ type }) => type);
    t.same(await ask('type=x*'), [['BBBB', ...named]]);
    t.same(await ask('type=x*&from=2002-06-01&to=2004-01-01'), [['BBBB', 'X2', 'X3']]);
    t.same(await ask('type=x*&to=2000-01-01'), []);
    t.same(await ask('type=x*&equipmentType=gnss%20antenna'), []);
    t.same(await ask('type=*'), [
      ['AAAA', R4!],
      ['BBBB', ...named],
    ]);
  },
);

t.test('?q=…: words in what is current, and in former equipment, which is marked', async (t) => {
  const own = await openService(t);
  const receivers = [
    { type: 'LEICA GR10', serial: 'OLD-1', from: '2010-01-01', to: '2012-01-01' },
    { type: 'TRIMBLE NETR9', serial: 'NEW-1', from: '2012-01-01' },
  ];
  await own.importText({ id: 'AAAA00DEU', name: 'Wörth', receivers }, 'AAAA_20200101.log');
  const moved = [{ type: 'LEICA GR10', serial: 'OLD-1', from: '2013-01-01' }];
  await own.importText({ id: 'BBBB', receivers: moved }, 'BBBB_20200101.log');
  const ask = async (path: string, schema: string) => {
    type Found = { fourCharacterId?: string; serialNumber?: string; foundBy?: string };
    const found = elementsIn(await read<Paged<Found>>(t, own, schema, path));
    return found.map(({ fourCharacterId, serialNumber, foundBy }) => [
      fourCharacterId ?? serialNumber,
      foundBy,
    ]);
  };
  const sites: [query: string, ...[id: string, foundBy: string][]][] = [
    ['q=netr9', ['AAAA', 'current']],
    ['q=old-1', ['BBBB', 'current'], ['AAAA', 'former']],
    ['q=GR10%20trimble', ['AAAA', 'former']],
    ['q=gr10%20worth', ['AAAA', 'former']],
    ['q=AAAA00DEU', ['AAAA', 'current']],
    ['q=aaaa00deu%20leica', ['AAAA', 'former']],
    ['q=leica&sort=fourCharacterId', ['AAAA', 'former'], ['BBBB', 'current']],
    ['q=leica&sort=fourCharacterId&size=1&page=1', ['BBBB', 'current']],
    ['q=leica&size=1', ['BBBB', 'current']],
    ['q=leica&fourCharacterId=AAAA', ['AAAA', 'former']],
    [
      'q=leica&sort=fourCharacterId,desc&fourCharacterId=AAAA&fourCharacterId=BBBB',
      ['BBBB', 'current'],
      ['AAAA', 'former'],
    ],
    ['q=leica&near=0,0', ['AAAA', 'former'], ['BBBB', 'current']],
    ['q=leica&near=0,0&sort=fourCharacterId,desc', ['BBBB', 'current'], ['AAAA', 'former']],
    ['q=leica&near=0,0&radius=20000&sort=fourCharacterId'],
    ['q=leica&bbox=0,0,1,1'],
    ['q=nothing'],
    ['q=%25'],
  ];
  for (const [query, ...found] of sites)
    t.same(await ask(`/corsSites?${query}`, 'CorsSiteCollection'), found, query);
  t.same(await ask('/corsSites?q=%20', 'CorsSiteCollection'), [
    ['AAAA', undefined],
    ['BBBB', undefined],
  ]);
  t.equal((await own.get('/corsSites?q=')).statusCode, 400);

  const devices: [path: string, ...[serialNumber: string, foundBy: string][]][] = [
    ['/gnssReceivers?q=gr10', ['OLD-1', 'current']],
    ['/gnssReceivers?q=leica%20old', ['OLD-1', 'current']],
    ['/gnssReceivers?q=new-1&projection=installations', ['NEW-1', 'current']],
    ['/gnssReceivers?q=-1&sort=serialNumber', ['NEW-1', 'current'], ['OLD-1', 'current']],
    ['/gnssReceivers?q=-1&serialNumber=OLD-1', ['OLD-1', 'current']],
    ['/gnssReceivers?q=-1&sort=serialNumber,desc&size=1', ['OLD-1', 'current']],
    ['/gnssReceivers?q=-1&size=1&page=1', ['NEW-1', 'current']],
    ['/gnssReceivers?q=leica%20new'],
    ['/gnssAntennas?q=leica'],
  ];
  for (const [path, ...found] of devices)
    t.same(
      await ask(
        path,
        path.includes('Antennas') ? 'GnssAntennaCollection' : 'GnssReceiverCollection',
      ),
      found,
      path,
    );
  t.same(await ask('/equipment?q=netr9', 'EquipmentCollection'), [['NEW-1', 'current']]);
  t.same(
    await ask(
      '/equipment?q=netr9&equipmentType=gnss%20receiver&type=TRIMBLE%20NETR9',
      'EquipmentCollection',
    ),
    [['NEW-1', 'current']],
  );
  t.same(await ask('/equipment?q=netr9&equipmentType=clock', 'EquipmentCollection'), []);

  // Accents and case are ignored, in the text and in the words.
  await own.importText(
    { id: 'CCCC', receivers: [{ type: 'MÉTÉO-9', serial: 'ﬁx-É1', from: '2010-01-01' }] },
    'CCCC_20200101.log',
  );
  for (const q of ['Météo', 'meteo', 'MÉTÉO-9', 'me\u0301te\u0301o', 'fix-e1', 'ﬁx-é1 météo']) {
    const found = [['ﬁx-É1', 'current']];
    t.same(await ask(`/equipment?q=${encodeURIComponent(q)}`, 'EquipmentCollection'), found, q);
    t.same(
      await ask(`/gnssReceivers?q=${encodeURIComponent(q)}`, 'GnssReceiverCollection'),
      found,
      q,
    );
    t.same(
      await ask(`/corsSites?q=${encodeURIComponent(q)}`, 'CorsSiteCollection'),
      [['CCCC', 'current']],
      q,
    );
  }

  // What only an older log says is former equipment no longer; what is gone from the Site is.
  await own.importText(
    { id: 'BBBB', prepared: '2021-01-01', receivers: [{ ...moved[0]!, to: '2014-01-01' }] },
    'BBBB_20210101.log',
  );
  t.same(await ask('/corsSites?q=old-1', 'CorsSiteCollection'), [
    ['AAAA', 'former'],
    ['BBBB', 'former'],
  ]);
  t.same(await ask('/gnssReceivers?q=old-1', 'GnssReceiverCollection'), [['OLD-1', 'former']]);
});

t.test(
  'a large page, which is written in turns, has the same elements as small ones',
  async (t) => {
    const { database, get } = await openService(t, [SAMPLE]);
    await rawDatabase(database).insert(
      'site',
      Array.from({ length: 203 }, (_, index) => ({
        id: 1000 + index,
        four_character_id: `T${String(index).padStart(3, '0')}`,
        former_ids: '[]',
        last_event: 0,
      })),
    );
    const elementsOf = (body: string): string =>
      body.slice(body.indexOf('['), body.lastIndexOf(']') + 1);
    const all = (await get('/corsSites?size=1000')).body;
    const elements = JSON.parse(elementsOf(all)) as unknown[];
    t.equal(elements.length, 211);
    for (const size of [99, 100, 101, 200, 201]) {
      const { body } = await get(`/corsSites?size=${size}&page=1`);
      t.equal(elementsOf(body), JSON.stringify(elements.slice(size, 2 * size)), `${size} elements`);
    }
  },
);
