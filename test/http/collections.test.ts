import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import {
  COLLECTIONS,
  SITE_LOGS,
  PUBLISHED,
  type PageLinks,
  type LinkIndex,
  toPlainSchema,
} from '../../schemas/index.js';
import { FIXED_HEADERS } from '../fixed-headers.js';
import { CONTRACT, readProjectFile, SAMPLE } from '../project-files.js';
import { openService, type Service } from '../service.js';
import { elementsIn, HAL, type Paged, read, refused } from './answers.js';

type Body = Record<string, unknown>;

const HOST = 'http://localhost:80';
const local = (url: string): string => url.replace(HOST, '');
/**
 * The collections whose elements have the properties by which they are filtered and sorted. Logs
 * are chosen by their Sites.
 */
const OF_OWN_PROPERTIES = COLLECTIONS.filter((collection) => collection !== SITE_LOGS);
/** The value of a property. Nested properties use a dot. */
const valueOf = (element: Body, property: string): unknown =>
  property.split('.').reduce<unknown>((value, key) => (value as Body)[key], element);

let service: Service;
let get: Service['get'];
/** The elements that a URL finds. */
const found = async (url: string): Promise<Body[]> => elementsIn((await get(url)).json<Paged>());

t.before(async () => {
  service = await openService(t, [SAMPLE]);
  ({ get } = service);
  // A Site with two versions of its log, so that there is an invalidated Setup.
  for (const version of [1, 2])
    await service.importText({
      prepared: `200${version}-01-01`,
      receivers: [{ type: `R${version}`, serial: '1', from: '2001-01-01' }],
    });
});

t.test('GET / links to every collection, to /profile, /openapi.json, /health', async (t) => {
  const { _links } = await read<LinkIndex>(t, service, 'LinkIndex', '/');
  const exports = ['sites', 'setups', 'installations', 'changes', 'findings', 'feed'].flatMap(
    (name) => ['csv', 'ndjson', 'geojson'].map((each) => `${name}.${each}`),
  );
  const others = ['ogc', 'profile', 'openapi', 'schemas', 'schema', 'health', 'ready'];
  const names = [
    'self',
    ...COLLECTIONS.map(({ name }) => name),
    'changes',
    'findings',
    'feed',
    'feed.atom',
    ...exports,
    ...others,
  ];
  t.same(Object.keys(_links), names);
  const ofReceivers = 'page,size,sort,projection,q,type,serialNumber,conflicts';
  t.equal(_links.gnssReceivers!.href, `${HOST}/gnssReceivers{?${ofReceivers}}`);
  const ofChanges =
    'from,to,equipmentType,kind,site,countryCode,bbox,near,radius,recordedSince,mergeGaps,asOf,page,size,sort';
  t.equal(_links.changes!.href, `${HOST}/changes{?${ofChanges}}`);
});

t.test('every operation can be reached by links from /, and every link works', async (t) => {
  const seen = new Set<string>();
  const queue = ['/'];
  const linksIn = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(linksIn);
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, each]) =>
      key === 'href' && typeof each === 'string' ? [each] : linksIn(each),
    );
  };
  /** Values for the required variables of searches. Those for paging and filters are left out. */
  const values: Record<string, string> = {
    id: 'ALIC',
    at: '2013-01-01',
    siteId: '1',
    serialNumber: '1830439',
    name: 'Setup',
  };
  const fill = (href: string): string =>
    href
      .replace('{name}', values.name!)
      .replace(/(\/search\/.*)\{\?([^}]*)\}/, (_, path: string, names: string) => {
        const needed = names
          .replaceAll('*', '')
          .split(',')
          // There was no log then.
          .filter((name) => name in values && !(name === 'at' && href.includes('/siteLogs/')));
        const type = /findByEquipment(TypeAt)?$/.test(path) ? ['type=TRIMBLE%20NETRS'] : [];
        return `${path}?${[...needed.map((name) => `${name}=${values[name]}`), ...type].join('&')}`;
      })
      .replace(/\{[^}]*\}/, '');
  const wrong: string[] = [];
  const timesOfRecord = new Set<string>();
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    if (seen.has(url)) continue;
    seen.add(url);
    const { statusCode, headers, body } = await get(url);
    // The file of a log has contacts. The problem leads to its other forms.
    if (statusCode !== (url.endsWith('/siteLog') ? 403 : 200)) wrong.push(`${url}: ${statusCode}`);
    if (
      /^\/(openapi\.json|schemas\/|skeletonFiles\/)/.test(url) ||
      !/[/+]json\b/.test(String(headers['content-type']))
    )
      continue;
    const content = JSON.parse(body, (name, value: unknown) => {
      if (typeof value === 'string' && /T\d\d:\d\d:\d\d\.\d/.test(value)) timesOfRecord.add(name);
      return value;
    }) as unknown;
    for (const href of linksIn(content)) {
      if (href.startsWith(HOST)) queue.push(local(fill(href)));
      else if (!href.startsWith('#')) wrong.push(href);
    }
  }
  t.same(wrong, []);
  const named = /Times of record have milliseconds[^:]*: (.*?)\./s.exec(
    readProjectFile('schemas', 'README.md'),
  )![1]!;
  const unnamed = [...timesOfRecord].filter((name) => !named.includes(`\`${name}\``));
  t.same(unnamed, [], 'the guide names every member with milliseconds');
  t.ok(timesOfRecord.size > 0);
  const paths = COLLECTIONS.flatMap(({ name, equipmentType }) => [
    `/${name}`,
    `/profile/${name}`,
    ...(equipmentType === undefined ? [`/${name}/search`] : []),
  ]);
  const others = [
    '/changes',
    '/profile',
    '/health',
    '/ready',
    '/openapi.json',
    '/schemas/Setup.json',
  ];
  const unseen = [...paths, ...others].filter((path) => !seen.has(path));
  t.same(unseen, []);
  for (const { name } of COLLECTIONS)
    t.match([...seen].join('\n'), new RegExp(`^/${name}/\\d+$`, 'm'), `an element of ${name}`);
});

t.test('each collection has pages of elements with links in order', async (t) => {
  for (const { name, typeName, item, equipmentType } of COLLECTIONS) {
    const body = await read<Paged>(t, service, `${typeName}Collection`, `/${name}?size=1&page=1`);
    const next = body.page.totalPages > 2 ? ['next'] : [];
    const links = [
      'first',
      'prev',
      'self',
      ...next,
      'last',
      'profile',
      ...(equipmentType === undefined ? ['search'] : []),
    ];
    t.same([Object.keys(body._links), body._links.self.href], [links, `${HOST}/${name}`], name);
    const [element] = elementsIn(body) as [{ _links: PageLinks }];
    const single = await read<{ _links: Body }>(t, service, typeName, element._links.self.href);
    t.same(single, element, name);
    t.ok(single._links[item], item);
  }
});

t.test('a filter by a property finds the elements with that value, and no others', async (t) => {
  for (const { name, filters } of OF_OWN_PROPERTIES) {
    const all = await found(`/${name}?size=1000`);
    for (const property of filters) {
      const known = all
        .map((element) => valueOf(element, property))
        .filter((value) => value !== null && value !== undefined);
      const values = [...new Set(known)].slice(0, 2) as (string | number | boolean)[];
      // One value, and either of two.
      for (const some of [values.slice(0, 1), values]) {
        const query = some.map((value) => `${property}=${encodeURIComponent(value)}`).join('&');
        const expected = all.filter(
          (element) => some.length === 0 || some.includes(valueOf(element, property) as string),
        );
        const page = (await get(`/${name}?size=1000&${query}`)).json<Paged>();
        t.same(
          [elementsIn(page), page.page.totalElements],
          [expected, expected.length],
          `${name}?${query}`,
        );
      }
    }
  }
  t.same(
    await found('/gnssReceivers?type=TRIMBLE%20NETRS&serialNumber=1'),
    [],
    'different filters must both match',
  );
  t.equal((await found('/setups?invalidated=true')).length, 1);
});

t.test('devices can be sorted by the number in their URL', async (t) => {
  for (const name of ['gnssReceivers', 'equipment']) {
    const numbersOf = async (sort: string): Promise<number[]> => {
      const devices = (await found(`/${name}?size=1000&sort=${sort}`)) as unknown as {
        _links: { self: { href: string } };
      }[];
      return devices.map(({ _links }) => Number(_links.self.href.split('/').at(-1)));
    };
    const numbers = await numbersOf('id');
    t.ok(numbers.length > 5);
    t.same(
      numbers,
      numbers.toSorted((a, b) => a - b),
      name,
    );
    t.same(await numbersOf('id,desc'), numbers.toReversed(), name);
  }
});

t.test('filters of clients of the reference service work, but are not listed', async (t) => {
  const document = JSON.stringify((await service.get('/openapi.json')).json<object>());
  for (const text of ['CorsSetup', '"name":"location.city"', '"name":"location.state"'])
    t.notMatch(document, text);
  t.equal((await found('/corsSites?name=Alice%20Springs%20AU012')).length, 1);
  t.equal((await found('/corsSites?location.city=Alice%20Springs')).length, 1);
  t.ok((await found('/gnssReceivers?equipmentType=gnss%20receiver')).length > 5);
});

/** The parts of a schema in which members are looked for. */
interface Schema {
  pattern?: string;
  anyOf?: unknown[];
  properties?: Record<string, unknown>;
}

t.test('the guide names the members whose instants have milliseconds, all of them', async (t) => {
  const named = /Times of record have milliseconds[^:]*: (.*?)\./s.exec(
    readProjectFile('schemas', 'README.md'),
  )![1]!;
  const members = new Set<string>();
  const search = (schema: unknown, member: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { pattern, anyOf, properties = {} } = schema as Schema;
    if (pattern?.includes('[0-9]{3}Z') === true) members.add(member);
    for (const [name, each] of Object.entries(properties)) search(each, name);
    for (const each of anyOf ?? []) search(each, member);
  };
  for (const schema of Object.values(
    (await service.get('/openapi.json')).json<{ components: { schemas: object } }>().components
      .schemas,
  ))
    search(schema, '');
  t.ok(members.size > 4);
  // A problem has no pattern, since it has members of all kinds of problems.
  const expected = [...members, 'retiredAt'].sort();
  t.same([...named.matchAll(/`(\w+)`/g)].map(([, name]) => name!).sort(), expected);
});

t.test('a DOMES number is found in either case', async (t) => {
  const { get, importText } = await openService(t);
  for (const [id, domes] of [
    ['AAAA', '50137M001'],
    ['BBBB', '10002s001'],
    ['CCCC', ''],
  ] as const)
    await importText(
      { id, more: { 'IERS DOMES Number': domes } },
      `${id.toLowerCase()}_20200101.log`,
    );
  for (const path of ['/corsSites', '/siteLogs']) {
    const idsOf = async (query: string) => {
      const body = (await get(`${path}?${query}`)).json<Body>();
      const elements = Object.values(body._embedded as Record<string, Body[]>)[0]!;
      return elements.map((each) => JSON.stringify(each).match(/AAAA|BBBB|CCCC/)![0]);
    };
    t.same(await idsOf('domesNumber=50137M001'), ['AAAA'], path);
    t.same(await idsOf('domesNumber=50137m001'), ['AAAA'], path);
    t.same(await idsOf('domesNumber=10002S001'), ['BBBB'], 'written in lower case');
    t.same(await idsOf('domesNumber=50137m001&domesNumber=10002s001'), ['AAAA', 'BBBB'], path);
    t.same(await idsOf('domesNumber=50137m001,10002s001'), ['AAAA', 'BBBB'], path);
    t.equal((await service.get(`${path}?domesNumber=50137M001,`)).statusCode, 400, path);
    t.same(await idsOf('domesNumber=50137M00'), [], path);
  }
});

t.test('Dates Prepared may be given in one parameter', async (t) => {
  const { get, importText } = await openService(t);
  for (const prepared of ['2020-01-01', '2021-01-01'])
    await importText({ id: `A${prepared.slice(1, 4)}`, prepared });
  const count = async (days: string) =>
    (await get(`/siteLogs?datePrepared=${days}`)).json<Paged>().page.totalElements;
  t.equal(await count('2020-01-01'), 1);
  t.equal(await count('2020-01-01,2021-01-01'), 2);
});

t.test('manufacturer is listed only where logs name one, and accepted as before', async (t) => {
  const { paths } = (await service.get('/openapi.json')).json<{
    paths: Record<string, { get: { parameters?: { name?: string; $ref?: string }[] } }>;
  }>();
  const listing = Object.entries(paths).flatMap(([path, { get }]) =>
    JSON.stringify(get.parameters ?? []).includes('anufacturer"') ? [path] : [],
  );
  t.same(listing.sort(), [
    '/equipment',
    '/exports/installations.{format}',
    '/exports/installations.{format}/citation',
    '/humiditySensors',
  ]);
  for (const path of ['/gnssReceivers', '/gnssAntennas', '/clocks']) {
    t.equal((await found(`${path}?manufacturer=TRIMBLE`)).length, 0, path);
    t.notMatch((await service.get('/')).json<LinkIndex>()._links[path.slice(1)]!.href, /manufact/);
  }
  const [maker] = (await found('/humiditySensors')) as unknown as { manufacturer: string }[];
  const of = `manufacturer=${encodeURIComponent(maker!.manufacturer)}`;
  for (const path of ['/humiditySensors', '/equipment'])
    t.ok((await found(`${path}?${of}`)).length > 0, path);
});

t.test(
  'each collection can be sorted by each scalar property, in both directions, unknown values last',
  async (t) => {
    for (const { name, properties } of OF_OWN_PROPERTIES) {
      const wrong: string[] = [];
      for (const { name: property } of properties) {
        for (const direction of ['', ',desc']) {
          const query = `/${name}?size=1000&sort=${property}${direction}`;
          const values = (await found(query)).map(
            (element) => valueOf(element, property) ?? null,
          ) as (string | number | boolean | null)[];
          const known = values.filter((value) => value !== null);
          const sign = direction === '' ? 1 : -1;
          const sorted = known.toSorted((a, b) => {
            if (a === b) return 0;
            return a < b ? -sign : sign;
          });
          if (!isDeepStrictEqual(values, [...sorted, ...values.filter((value) => value === null)]))
            wrong.push(query);
        }
      }
      t.same(wrong, []);
    }
    t.same(
      await found('/gnssReceivers?size=1000&sort=type,asc'),
      await found('/gnssReceivers?size=1000&sort=type'),
    );
    const pairs = (await found('/gnssReceivers?size=1000&sort=type&sort=serialNumber,desc')) as {
      type: string;
      serialNumber: string;
    }[];
    const wrong = pairs.filter(({ type, serialNumber }, index) => {
      const next = pairs[index + 1];
      return (
        next !== undefined &&
        (next.type < type || (next.type === type && next.serialNumber > serialNumber))
      );
    });
    t.same(wrong, []);
  },
);

t.test(
  'projection=installations adds where and when a device has been, with the configuration of each period',
  async (t) => {
    const url = '/gnssReceivers?serialNumber=1830439&projection=installations';
    type Installed = {
      fourCharacterId: string;
      period: { from: string; to: string | null };
      configuration: { firmwareVersion: string };
    };
    type Receiver = { installations: Installed[]; _links: PageLinks };
    const [receiver] = elementsIn(
      await read<Paged<Receiver>>(t, service, 'GnssReceiverCollection', url),
    ) as [Receiver];
    const shown = receiver.installations.map(
      ({ fourCharacterId, period: { from, to }, configuration }) =>
        [fourCharacterId, from, to ?? '', configuration.firmwareVersion].join(' '),
    );
    t.same(shown, [
      'ALIC 2016-02-04T00:00:00Z 2016-04-14T00:48:00Z 6.521',
      'ALIC 2016-04-14T00:48:00Z 2016-09-22T00:00:00Z 3.22.1818/6.522',
      'ALIC 2016-09-22T00:00:00Z 2016-12-13T00:00:00Z 4.00.335/6.522',
      'ALIC 2016-12-13T00:00:00Z 2017-01-31T00:00:00Z 4.02.386/6.522',
      'ALIC 2017-01-31T00:00:00Z 2017-02-23T00:00:00Z 4.10.598/6.523',
      'ALIC 2017-02-23T00:00:00Z  4.11.606/6.523',
    ]);
    const self = receiver._links.self.href;
    t.same((await get(`${self}?projection=installations`)).json(), receiver);
    t.notOk((await get(self)).json<Body>().installations);
    await read(
      t,
      service,
      'GnssAntennaCollection',
      '/gnssAntennas?size=1&projection=installations',
    );
  },
);

t.test(
  'searches are listed under their collection, have link templates, and refuse unknown parameters',
  async (t) => {
    t.same(Object.keys((await get('/setups/search')).json<LinkIndex>()._links), [
      ...[
        'self',
        'findCurrentByFourCharacterId',
        'findAtByFourCharacterId',
        'findCurrentByFourCharacterIdIn',
        'findAtByFourCharacterIdIn',
      ],
      ...['findByFourCharacterId', 'findBySiteId'],
    ]);
    t.same((await get('/corsSites/search')).json<LinkIndex>()._links.findByFourCharacterId, {
      href: `${HOST}/corsSites/search/findByFourCharacterId{?id,asOf}`,
      templated: true,
    });
    const find = (id: string) =>
      read<Body>(t, service, 'CorsSite', `/corsSites/search/findByFourCharacterId?id=${id}`);
    const site = await find('alic');
    t.match(site, {
      fourCharacterId: 'ALIC',
      name: 'Alice Springs AU012',
      domesNumber: '50137M001',
      dateInstalled: '1992-08-12T00:00:00Z',
      monument: { description: 'PILLAR', height: 0.5 },
      siteStatus: null,
    });
    t.same(Object.keys(site), [
      ...[
        'id',
        'name',
        'description',
        'dateInstalled',
        'fourCharacterId',
        'nineCharacterId',
        'domesNumber',
        'monument',
      ],
      'geologicCharacteristic',
      'bedrockType',
      'siteStatus',
      'location',
      'formerIds',
      'agency',
      '_links',
    ]);
    for (const id of ['XXXX', 'HOUZ00FRA'])
      await refused(
        t,
        service,
        `/corsSites/search/findByFourCharacterId?id=${id}`,
        404,
        'unknown-site',
      );

    const bySite = '/setups/search/findBySiteId';
    const setups = await read<Paged>(
      t,
      service,
      'SetupCollection',
      `${bySite}?siteId=${site.id}&size=1000`,
    );
    const from = elementsIn(setups).map((setup) => valueOf(setup, 'effectivePeriod.from'));
    t.same([from.length, from], [13, from.toSorted()]);
    const test = await find('TEST');
    const numbers = [
      await found(`${bySite}?siteId=${test.id}`),
      await found(`/setups?siteId=${test.id}`),
    ].map(({ length }) => length);
    t.same(numbers, [1, 2], 'only valid ones; including the invalidated one');
    const second = (await get(`${bySite}?siteId=${site.id}&size=5&page=1`)).json<Paged>();
    t.equal(second._links.next!.href, `${HOST}${bySite}?siteId=${site.id}&page=2&size=5`);
    for (const query of ['', '?siteId=x', '?siteId=1&name=x'])
      t.equal((await get(bySite + query)).statusCode, 400, query);
  },
);

t.test('a device of one kind is not found in the collection of another', async (t) => {
  const [receiver] = await found('/gnssReceivers?size=1');
  const id = /\d+$/.exec((receiver!._links as PageLinks).self.href)![0];
  await refused(t, service, `/clocks/${id}`, 404, 'not-found');
  t.match((await get(`/equipment/${id}`)).json(), {
    type: receiver!.type,
    _links: { gnssReceiver: { href: `${HOST}/gnssReceivers/${id}` } },
  });
});

t.test('profiles are ALPS, or JSON Schema if Accept requests it', async (t) => {
  const typeOf = async (accept: string) =>
    (await get('/profile/setups', { accept })).headers['content-type'];
  for (const accept of [
    ...[
      '*/*',
      'application/json',
      'application/schema+json;q=0',
      'application/schema+json;q=0.1, */*',
    ],
    ...[
      'application/schema+json;q=0.1, application/*;q=0.9',
      'application/alps+json, application/schema+json',
    ],
  ])
    t.equal(await typeOf(accept), 'application/alps+json', accept);
  type Alps = { alps: { descriptor: { descriptor: { name: string }[] }[] } };
  for (const { name, typeName, properties } of COLLECTIONS) {
    const alps = await get(`/profile/${name}`);
    t.equal(alps.headers['content-type'], 'application/alps+json');
    const described = alps.json<Alps>().alps.descriptor[0]!.descriptor.map((each) => each.name);
    const undescribed = properties.filter((property) => !described.includes(property.name));
    t.same(undescribed, [], name);
    const schema = await get(`/profile/${name}`, {
      accept: 'application/schema+json, application/json;q=0.5',
    });
    t.equal(schema.headers['content-type'], 'application/schema+json');
    t.equal(schema.json<{ $id: string }>().$id, `urn:gnss-site-setups:schema:${typeName}`);
  }
});

t.test(
  'whatever Accept says, a resource is the HAL document with its exact Content-Type',
  async (t) => {
    const forms = [
      'application/prs.hal-forms+json',
      'application/prs.hal-forms+json;q=1.0, application/hal+json;q=0.9',
    ];
    for (const accept of [
      'application/json',
      '*/*',
      'application/hal+json',
      ...forms,
      'text/turtle',
      'nonsense',
    ]) {
      const { statusCode, headers } = await get('/setups/1', { accept });
      t.match([statusCode, headers], [200, { ...FIXED_HEADERS, 'content-type': HAL }], accept);
    }
  },
);

t.test('OPTIONS answers with Allow, without a body', async (t) => {
  for (const url of [
    '/',
    '/setups',
    '/setups/1',
    '/gnssReceivers',
    '/profile',
    '/openapi.json',
    '/health',
  ]) {
    const { statusCode, headers, body } = await service.app.inject({ method: 'OPTIONS', url });
    t.match(
      [statusCode, headers, body],
      [204, { ...FIXED_HEADERS, allow: 'GET, HEAD, OPTIONS' }, ''],
      url,
    );
  }
});

t.test(
  'the service serves the exported contract, with its own URL as the server, and no other file',
  async (t) => {
    for (const name of readdirSync(CONTRACT)) {
      const url = name === 'openapi.json' ? '/openapi.json' : `/schemas/${name}`;
      const exported = readFileSync(join(CONTRACT, name), 'utf8');
      t.equal(
        (await get(url)).body,
        name === 'openapi.json' ? exported.replace('"url": "/"', `"url": "${HOST}"`) : exported,
        url,
      );
    }
    for (const url of [
      '/schemas/Nothing.json',
      '/schemas/openapi.json',
      '/schemas/constructor.json',
    ])
      t.equal((await get(url)).statusCode, 404, url);
    for (const url of [
      '/schemas/..%2f..%2fpackage.json',
      '/schemas/Setup',
      '/schemas/..%2fjson%2fSetup.json',
    ])
      t.ok([400, 404].includes((await get(url)).statusCode), url);
  },
);

t.test('GET /schemas links to every published schema', async (t) => {
  const { self, ...links } = (await get('/schemas')).json<LinkIndex>()._links;
  t.equal(self!.href, `${HOST}/schemas`);
  const files = readdirSync(CONTRACT).filter((name) => name !== 'openapi.json');
  t.strictSame(
    Object.entries(links)
      .map(([name, { href }]) => [`${name}.json`, href])
      .sort(),
    files.map((file) => [file, `${HOST}/schemas/${file}`]).sort(),
  );
});

t.test('every published schema is open, and complete in itself', async (t) => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  for (const file of readdirSync(CONTRACT)) {
    const text = readFileSync(join(CONTRACT, file), 'utf8');
    t.notMatch(text, /"additionalProperties"/, file);
    if (file !== 'openapi.json') t.doesNotThrow(() => ajv.compile(JSON.parse(text) as Body), file);
  }
  const profile = await get('/profile/setups', { accept: 'application/schema+json' });
  t.strictSame(profile.json(), (await get('/schemas/Setup.json')).json());
});

t.test('every member of every published schema has a description', async (t) => {
  const undescribed = (schema: Body, path: string): string[] => {
    const variants = [schema.items, ...((schema.anyOf ?? []) as Body[])].filter(
      (each) => each !== undefined,
    ) as Body[];
    const members = Object.entries((schema.properties ?? {}) as Record<string, Body>);
    const own = members
      .filter(([, member]) => (member.description ?? member.$ref) === undefined)
      .map(([name]) => `${path}.${name}`);
    const inner = [...members, ...variants.map((each) => ['', each] as const)].flatMap(
      ([name, each]) => undescribed(each, `${path}.${name}`),
    );
    return [...own, ...inner];
  };
  for (const [name, schema] of Object.entries(PUBLISHED))
    t.same(
      undescribed(
        toPlainSchema(schema, (other) => other),
        name,
      ),
      [],
    );
});
