import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { COLLECTIONS, SITE_LOGS, PUBLISHED, type PageLinks, type Page, type LinkIndex, toPlainSchema } from '../../schemas/index.js';
import { CONTRACT, FIXED_HEADERS, openService, SAMPLE, type Service, violations } from '../helper.js';

type Body = Record<string, unknown>;
interface Paged {
  _embedded: Record<string, Body[]>;
  _links: PageLinks;
  page: Page;
}

const HOST = 'http://localhost:80';
const local = (url: string): string => url.replace(HOST, '');
/** The collections whose elements have the properties by which they are filtered and sorted. Logs are chosen by their Sites. */
const OF_OWN_PROPERTIES = COLLECTIONS.filter((collection) => collection !== SITE_LOGS);
const elementsOf = (body: Paged, name: string): Body[] => body._embedded[name]!;
/** The value of a property. Nested properties use a dot. */
const valueOf = (element: Body, property: string): unknown =>
  property.split('.').reduce<unknown>((value, key) => (value as Body)[key], element);

let app: Service['app'];
let get: Service['get'];

t.before(async () => {
  const service = await openService(t, [SAMPLE]);
  ({ app, get } = service);
  // A Site with two versions of its log, so that there is an invalidated Setup.
  await service.importText({ prepared: '2001-01-01', receivers: [{ type: 'R0', serial: '1', from: '2001-01-01' }] });
  await service.importText({ prepared: '2002-01-01', receivers: [{ type: 'R1', serial: '1', from: '2001-01-01' }] });
});

t.test('GET / links to every collection, to /profile, /openapi.json, /health', async (t) => {
  const body = (await get('/')).json<LinkIndex>();
  t.same(violations('LinkIndex', body), []);
  t.same(Object.keys(body._links), [
    'self',
    ...COLLECTIONS.map(({ name }) => name),
    'changes',
    'findings',
    'feed',
    'feed.atom',
    ...['sites', 'setups', 'installations', 'changes'].flatMap((name) => ['csv', 'ndjson', 'geojson'].map((format) => `${name}.${format}`)),
    'ogc',
    'profile',
    'openapi',
    'schema',
    'health',
    'ready',
  ]);
  t.equal(
    body._links.gnssReceivers!.href,
    `${HOST}/gnssReceivers{?page,size,sort,projection,q,type,equipmentType,serialNumber,manufacturer}`,
  );
  t.equal(
    body._links.changes!.href,
    `${HOST}/changes{?from,to,equipmentType,kind,site,countryCode,bbox,near,radius,recordedSince,mergeGaps,page,size}`,
  );
});

t.test('every operation can be reached by links from /, and every link works', async (t) => {
  const seen = new Set<string>();
  const queue = ['/'];
  const linksIn = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(linksIn);
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, each]) => (key === 'href' && typeof each === 'string' ? [each] : linksIn(each)));
  };
  /** Values for the required variables of searches. Those for paging and filters are left out. */
  const values: Record<string, string> = { id: 'ALIC', at: '2013-01-01', siteId: '1', serialNumber: '1830439', name: 'Setup' };
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
  while (queue.length > 0) {
    const url = queue.shift()!;
    if (seen.has(url)) continue;
    seen.add(url);
    const response = await get(url);
    // The file of a log has contacts. The problem leads to its other forms.
    t.equal(response.statusCode, url.endsWith('/siteLog') ? 403 : 200, url);
    if (url === '/openapi.json' || url.startsWith('/schemas/') || url.startsWith('/skeletonFiles/')) continue;
    if (!/[/+]json\b/.test(String(response.headers['content-type']))) continue;
    for (const href of linksIn(response.json())) {
      if (href.startsWith(HOST)) queue.push(local(fill(href)));
      else if (!href.startsWith('#')) t.fail(href);
    }
  }
  for (const { name, equipmentType } of COLLECTIONS) {
    for (const path of [`/${name}`, `/profile/${name}`, ...(equipmentType === undefined ? [`/${name}/search`] : [])])
      t.ok(seen.has(path), path);
    t.ok(
      [...seen].some((url) => new RegExp(`^/${name}/\\d+$`).test(url)),
      `an element of ${name}`,
    );
  }
  for (const path of ['/changes', '/profile', '/health', '/ready', '/openapi.json', '/schemas/Setup.json']) t.ok(seen.has(path), path);
});

t.test('each collection has pages of elements with links in order', async (t) => {
  for (const { name, typeName, item, equipmentType } of COLLECTIONS) {
    const body = (await get(`/${name}?size=1&page=1`)).json<Paged>();
    t.same(violations(`${typeName}Collection`, body), [], name);
    const several = [
      'first',
      'prev',
      'self',
      ...(body.page.totalPages > 2 ? ['next'] : []),
      'last',
      'profile',
      ...(equipmentType === undefined ? ['search'] : []),
    ];
    t.same(Object.keys(body._links), several, name);
    t.equal(body._links.self.href, `${HOST}/${name}`);
    const [element] = elementsOf(body, name);
    const self = (element!._links as PageLinks).self.href;
    const single = await get(local(self));
    t.same(single.json(), element, name);
    t.same(violations(typeName, single.json()), [], name);
    t.ok((single.json()._links as Body)[item], item);
    t.match(single.headers, FIXED_HEADERS);
  }
});

t.test('a filter by a property finds the elements with that value, and no others', async (t) => {
  for (const { name, filters } of OF_OWN_PROPERTIES) {
    const all = elementsOf((await get(`/${name}?size=1000`)).json<Paged>(), name);
    for (const property of filters) {
      const known = all.map((element) => valueOf(element, property)).filter((value) => value !== null && value !== undefined);
      const values = [...new Set(known)].slice(0, 3) as (string | number | boolean)[];
      for (const value of values) {
        const found = (await get(`/${name}?size=1000&${property}=${encodeURIComponent(value)}`)).json<Paged>();
        const expected = all.filter((element) => valueOf(element, property) === value);
        t.same(elementsOf(found, name), expected, `${name}?${property}=${value}`);
        t.equal(found.page.totalElements, expected.length);
      }
      if (values.length > 1) {
        const either = values.slice(0, 2);
        const found = (
          await get(`/${name}?size=1000&${either.map((value) => `${property}=${encodeURIComponent(value)}`).join('&')}`)
        ).json<Paged>();
        t.same(
          elementsOf(found, name),
          all.filter((element) => either.includes(valueOf(element, property) as string)),
          `${name}: either ${property}`,
        );
      }
    }
  }
  const none = (await get('/gnssReceivers?type=TRIMBLE%20NETRS&serialNumber=1')).json<Paged>();
  t.equal(none.page.totalElements, 0, 'different filters must both match');
  t.same((await get('/setups?invalidated=true')).json<Paged>()._embedded.setups!.length, 1);
});

t.test('each collection can be sorted by each scalar property, in both directions, unknown values last', async (t) => {
  for (const { name, properties } of OF_OWN_PROPERTIES) {
    for (const { name: property } of properties) {
      for (const direction of ['', ',asc', ',desc']) {
        const body = (await get(`/${name}?size=1000&sort=${property}${direction}`)).json<Paged>();
        const values = elementsOf(body, name).map((element) => valueOf(element, property) ?? null);
        const known = values.filter((value) => value !== null) as (string | number | boolean)[];
        const sorted = [...known].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0) * (direction === ',desc' ? -1 : 1));
        t.same(
          values,
          [...sorted, ...Array.from({ length: values.length - known.length }, () => null)],
          `${name}?sort=${property}${direction}`,
        );
      }
    }
  }
  const two = (await get('/gnssReceivers?size=1000&sort=type&sort=serialNumber,desc')).json<Paged>();
  const pairs = elementsOf(two, 'gnssReceivers').map(({ type, serialNumber }) => [type, serialNumber] as [string, string]);
  for (const [index, [type, serial]] of pairs.entries()) {
    const next = pairs[index + 1];
    if (next?.[0] === type) t.ok(serial >= next[1], `${type} ${serial} ${next[1]}`);
  }
});

t.test('page links keep filter, size, sort and projection', async (t) => {
  const url = '/gnssReceivers?type=TRIMBLE%20NETRS&size=2&sort=serialNumber,desc&projection=installations';
  const serials: unknown[] = [];
  for (let next: string | undefined = url; next !== undefined;) {
    const body: Paged = (await get(next)).json();
    for (const element of elementsOf(body, 'gnssReceivers')) {
      t.equal(element.type, 'TRIMBLE NETRS');
      t.ok(element.installations);
      serials.push(element.serialNumber);
    }
    next = body._links.next && local(body._links.next.href);
  }
  t.equal(serials.length, 7);
  t.same(serials, [...serials].sort().reverse());
});

t.test('projection=installations adds where and when a device has been, with the configuration of each period', async (t) => {
  const url = '/gnssReceivers?serialNumber=1830439&projection=installations';
  const body = (await get(url)).json<Paged>();
  t.same(violations('GnssReceiverCollection', body), []);
  const [receiver] = elementsOf(body, 'gnssReceivers') as (Body & { installations: Body[] })[];
  t.same(
    receiver!.installations.map(({ fourCharacterId, period, configuration }) => [
      fourCharacterId,
      period,
      (configuration as Body).firmwareVersion,
    ]),
    [
      ['ALIC', { from: '2016-02-04T00:00:00Z', to: '2016-04-14T00:48:00Z' }, '6.521'],
      ['ALIC', { from: '2016-04-14T00:48:00Z', to: '2016-09-22T00:00:00Z' }, '3.22.1818/6.522'],
      ['ALIC', { from: '2016-09-22T00:00:00Z', to: '2016-12-13T00:00:00Z' }, '4.00.335/6.522'],
      ['ALIC', { from: '2016-12-13T00:00:00Z', to: '2017-01-31T00:00:00Z' }, '4.02.386/6.522'],
      ['ALIC', { from: '2017-01-31T00:00:00Z', to: '2017-02-23T00:00:00Z' }, '4.10.598/6.523'],
      ['ALIC', { from: '2017-02-23T00:00:00Z', to: null }, '4.11.606/6.523'],
    ],
  );
  const self = local((receiver!._links as PageLinks).self.href);
  t.same((await get(`${self}?projection=installations`)).json(), receiver);
  t.notOk((await get(self)).json<Body>().installations);
  const antenna = (await get('/gnssAntennas?size=1&projection=installations')).json<Paged>();
  t.same(violations('GnssAntennaCollection', antenna), []);
});

t.test('projection=provenance adds the log that a Setup comes from, on an item, a page and a search', async (t) => {
  const current = (await get('/setups/search/findCurrentByFourCharacterId?id=TEST&projection=provenance')).json<Body>();
  t.same(violations('Setup', current), []);
  t.match(current, {
    provenance: {
      siteLog: { name: 'test_20200101.log', sha256: null, form: 'IGS site log 1', datePrepared: '2002-01-01' },
      supersededAt: null,
    },
  });
  const old = (await get('/setups?invalidated=true&projection=provenance')).json<Paged>();
  t.match(elementsOf(old, 'setups')[0], { provenance: { siteLog: { datePrepared: '2001-01-01' }, supersededAt: /^\d{4}-/ } });
  t.match((await get(`/setups/${current.id}?projection=provenance`)).json(), current);
});

t.test('searches are listed under their collection, have link templates, and refuse unknown parameters', async (t) => {
  t.same(Object.keys((await get('/setups/search')).json<LinkIndex>()._links), [
    'self',
    'findCurrentByFourCharacterId',
    'findAtByFourCharacterId',
    'findCurrentByFourCharacterIdIn',
    'findAtByFourCharacterIdIn',
    'findByFourCharacterId',
    'findBySiteId',
  ]);
  t.same((await get('/corsSites/search')).json<LinkIndex>()._links.findByFourCharacterId, {
    href: `${HOST}/corsSites/search/findByFourCharacterId{?id}`,
    templated: true,
  });
  const site = (await get('/corsSites/search/findByFourCharacterId?id=alic')).json<Body>();
  t.match(site, {
    fourCharacterId: 'ALIC',
    name: 'Alice Springs AU012',
    domesNumber: '50137M001',
    dateInstalled: '1992-08-12T00:00:00Z',
    monument: { description: 'PILLAR', height: 0.5 },
    siteStatus: null,
  });
  t.same(Object.keys(site), [
    'id',
    'name',
    'description',
    'dateInstalled',
    'fourCharacterId',
    'nineCharacterId',
    'domesNumber',
    'monument',
    'geologicCharacteristic',
    'bedrockType',
    'siteStatus',
    'location',
    '_links',
  ]);
  t.equal((await get('/corsSites/search/findByFourCharacterId?id=XXXX')).statusCode, 404);
  t.equal((await get('/corsSites/search/findByFourCharacterId?id=HOUZ00FRA')).statusCode, 404);

  const setups = (await get(`/setups/search/findBySiteId?siteId=${site.id}&size=1000`)).json<Paged>();
  t.same(violations('SetupCollection', setups), []);
  const from = elementsOf(setups, 'setups').map((setup) => valueOf(setup, 'effectivePeriod.from'));
  t.equal(from.length, 13);
  t.same(from, [...from].sort());
  const test = (await get('/corsSites/search/findByFourCharacterId?id=TEST')).json<Body>();
  t.equal((await get(`/setups/search/findBySiteId?siteId=${test.id}`)).json<Paged>().page.totalElements, 1, 'only valid ones');
  t.equal((await get(`/setups?siteId=${test.id}`)).json<Paged>().page.totalElements, 2, 'including the invalidated one');
  const second = (await get(`/setups/search/findBySiteId?siteId=${site.id}&size=5&page=1`)).json<Paged>();
  t.equal(second._links.next!.href, `${HOST}/setups/search/findBySiteId?siteId=${site.id}&page=2&size=5`);
  for (const url of [
    '/setups/search/findBySiteId',
    '/setups/search/findBySiteId?siteId=x',
    '/setups/search/findBySiteId?siteId=1&name=x',
  ]) {
    t.equal((await get(url)).statusCode, 400, url);
  }
});

t.test('a device of one kind is not found in the collection of another', async (t) => {
  const [receiver] = elementsOf((await get('/gnssReceivers?size=1')).json<Paged>(), 'gnssReceivers');
  const id = /\d+$/.exec((receiver!._links as PageLinks).self.href)![0];
  t.equal((await get(`/clocks/${id}`)).statusCode, 404);
  t.match((await get(`/equipment/${id}`)).json(), {
    type: receiver!.type,
    _links: { gnssReceiver: { href: `${HOST}/gnssReceivers/${id}` } },
  });
});

t.test('profiles are ALPS, or JSON Schema if Accept requests it', async (t) => {
  for (const { name, typeName, properties } of COLLECTIONS) {
    const alps = await get(`/profile/${name}`);
    t.equal(alps.headers['content-type'], 'application/alps+json');
    const [representation] = alps.json<{ alps: { descriptor: { descriptor: { name: string }[] }[] } }>().alps.descriptor;
    for (const { name: property } of properties)
      t.ok(
        representation!.descriptor.some((each) => each.name === property),
        property,
      );
    for (const accept of [
      'application/schema+json;q=0.1, */*',
      'application/schema+json;q=0.1, application/*;q=0.9',
      '*/*',
      'application/json',
      'application/alps+json, application/schema+json',
      'application/schema+json;q=0',
    ]) {
      t.equal((await get(`/profile/${name}`, { accept })).headers['content-type'], 'application/alps+json', accept);
    }
    const schema = await get(`/profile/${name}`, { accept: 'application/schema+json, application/json;q=0.5' });
    t.equal(schema.headers['content-type'], 'application/schema+json');
    t.equal(schema.json<{ $id: string }>().$id, `urn:gnss-site-setups:schema:${typeName}`);
  }
});

t.test('whatever Accept says, a resource is the HAL document with its exact Content-Type', async (t) => {
  for (const accept of [
    'application/json',
    '*/*',
    'application/hal+json',
    'application/prs.hal-forms+json',
    'application/prs.hal-forms+json;q=1.0, application/hal+json;q=0.9',
    'text/turtle',
    'nonsense',
  ]) {
    const response = await get('/setups/1', { accept });
    t.match([response.statusCode, response.headers['content-type']], [200, 'application/hal+json;charset=UTF-8'], accept);
  }
});

t.test('OPTIONS answers with Allow, without a body', async (t) => {
  for (const url of ['/', '/setups', '/setups/1', '/gnssReceivers', '/profile', '/openapi.json', '/health']) {
    const response = await app.inject({ method: 'OPTIONS', url });
    t.match([response.statusCode, response.headers.allow, response.body], [204, 'GET, HEAD, OPTIONS', ''], url);
    t.match(response.headers, FIXED_HEADERS);
  }
});

t.test('the service serves the exported contract, with its own URL as the server, and no other file', async (t) => {
  for (const name of readdirSync(CONTRACT)) {
    const url = name === 'openapi.json' ? '/openapi.json' : `/schemas/${name}`;
    const exported = readFileSync(join(CONTRACT, name), 'utf8');
    t.equal((await get(url)).body, name === 'openapi.json' ? exported.replace('"url": "/"', `"url": "${HOST}"`) : exported, url);
  }
  for (const url of ['/schemas/Nothing.json', '/schemas/openapi.json', '/schemas/constructor.json'])
    t.equal((await get(url)).statusCode, 404, url);
  for (const url of ['/schemas/..%2f..%2fpackage.json', '/schemas/Setup', '/schemas/..%2fjson%2fSetup.json'])
    t.ok([400, 404].includes((await get(url)).statusCode), url);
});

t.test('every member of every published schema has a description', async (t) => {
  const walk = (schema: Body, path: string): void => {
    for (const [name, member] of Object.entries((schema.properties ?? {}) as Record<string, Body>)) {
      const described = member.description ?? member.$ref;
      t.ok(described, `${path}.${name}`);
      walk(member, `${path}.${name}`);
    }
    for (const each of [schema.items, ...((schema.anyOf ?? []) as Body[])]) if (each !== undefined) walk(each as Body, path);
  };
  for (const [name, schema] of Object.entries(PUBLISHED))
    walk(
      toPlainSchema(schema, (other) => other),
      name,
    );
});
