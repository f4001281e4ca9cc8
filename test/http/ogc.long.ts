import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { SAMPLE } from '../project-files.js';
import { openService } from '../service.js';
import { logText } from '../synthetic-log.js';
import { listen } from './sockets.js';

const run = promisify(execFile);
const GDAL = {
  skip: !existsSync('/usr/bin/ogrinfo') && 'no GDAL (Debian: apt-get install gdal-bin)',
};

interface Items {
  type: string;
  features: { id: number; properties: Record<string, unknown> }[];
  links: { rel: string; href: string }[];
  numberMatched: number;
  numberReturned: number;
}

/** The properties of a schema. */
type Properties = Record<string, { type?: string; format?: string; 'x-ogc-role'?: string }>;

t.test('items by bbox, datetime and limit, page by page', async (t) => {
  const { get } = await openService(t, [SAMPLE]);
  const read = async (url: string): Promise<Items> => {
    const response = await get(url);
    t.match(
      [response.statusCode, response.headers['content-type']],
      [200, 'application/geo+json;charset=UTF-8'],
      url,
    );
    return response.json<Items>();
  };
  for (const collection of ['sites', 'installations']) {
    const path = `/ogc/collections/${collection}/items`;
    const all = await read(`${path}?limit=1000`);
    t.same([all.numberReturned, all.numberMatched], [all.features.length, all.features.length]);
    t.notOk('id' in all.features[0]!.properties, 'the id is the one of the feature');
    t.ok(all.features.length >= 8, `${all.features.length} ${collection}`);
    // A page that has just room for all is the last.
    for (const { links } of [all, await read(`${path}?limit=${all.features.length}`)])
      t.notOk(links.some(({ rel }) => rel === 'next'));
    const paged: Items['features'] = [];
    for (let next: string | undefined = `${path}?limit=3`; next !== undefined;) {
      const page: Items = await read(next);
      t.equal(page.numberMatched, all.features.length);
      paged.push(...page.features);
      next = page.links.find(({ rel }) => rel === 'next')?.href;
    }
    t.same(paged, all.features, collection);
    t.match((await get(`${path}/1`)).json(), all.features[0]!);
    // The last ones are out of range for PostgreSQL.
    for (const id of ['99999', '9007199254740991', '9223372036854775807', '9223372036854775808']) {
      t.equal((await get(`${path}/${id}`)).statusCode, 404, id);
      t.equal((await read(`${path}?after=${id}`)).numberReturned, 0, id);
    }
    const alic = await read(`${path}?bbox=133,-24,0,134,-23,9000&limit=1000`);
    t.equal(alic.numberMatched, alic.features.length);
    t.ok(
      alic.features.length > 0 &&
        alic.features.every(({ properties }) => properties.fourCharacterId === 'ALIC'),
      collection,
    );
    for (const bbox of [
      '132.900000000000006,-24,134,-22.9000000000000004',
      '1e-7,-2.4E1,134,-23',
      '133,-24,1e-7,134,-23,9.0E3',
    ]) {
      t.same((await read(`${path}?bbox=${bbox}&limit=1000`)).features, alic.features, bbox);
    }
    // What has an unknown start may have been there at any time before its end.
    const withoutStart = all.features.filter(({ properties }) => properties.from === null);
    t.equal(withoutStart.length, collection === 'sites' ? 0 : 2);
    t.same((await read(`${path}?datetime=1900-01-01`)).features, withoutStart);
    t.same(
      (await read(`${path}?datetime=../9999-12-31T23:59:59Z&limit=1000`)).features,
      all.features,
      'to the last second',
    );
    t.same((await read(`${path}?datetime=../1900-01-01`)).features, withoutStart);
    t.same(
      (await read(`${path}?datetime=1900-01-01/..&limit=1000`)).features.length,
      all.features.length,
    );
  }
  const receivers = '/ogc/collections/installations/items?bbox=133,-24,134,-23&limit=1000';
  const on = (await read(`${receivers}&datetime=2013-07-08T00:45:00Z`)).features.map(
    ({ id }) => id,
  );
  const same = await read(`${receivers}&datetime=2013-07-08T00:45:00Z/2013-07-08T00:45:00Z`);
  t.equal(same.features.length > 0, true, 'a period of one instant');
  const until = (
    await read(`${receivers}&datetime=2013-07-08T00:44:59Z/2013-07-08T00:45:00Z`)
  ).features.map(({ id }) => id);
  t.ok(
    on.every((id) => until.includes(id)) && until.length > on.length,
    'the end of a period is part of it',
  );
});

/** Repeatedly retires a Site and takes that back, each in a transaction, in either engine. */
const FLICKERING = `
  const { parentPort, workerData: database } = require('node:worker_threads');
  const statements = ["'2026-01-01T00:00:00.000Z'", 'NULL'].map(
    (time) => 'UPDATE site SET retired_at = ' + time + ' WHERE id = 2',
  );
  (async () => {
    const isFile = !database.startsWith('postgres');
    const db = isFile
      ? new (require('better-sqlite3'))(database)
      : new (require('pg').Client)(database);
    if (!isFile) await db.connect();
    for (let number = 0; ; number++) {
      if (isFile) db.exec(statements[number % 2]);
      else await db.query(statements[number % 2]);
      if (number === 0) parentPort.postMessage('writing');
    }
  })();`;

t.test('numberMatched is from the state of the items, even if there are commits', async (t) => {
  const { get, database } = await openService(t, [SAMPLE]);
  const writer = new Worker(FLICKERING, { eval: true, workerData: database });
  t.teardown(() => writer.terminate());
  await once(writer, 'message');
  const numbers = new Set<number>();
  let different = 0;
  for (let count = 0; count < 300 || numbers.size < 2; count++) {
    const items = (await get('/ogc/collections/sites/items?limit=1000')).json<Items>();
    numbers.add(items.numberMatched);
    if (items.numberMatched !== items.features.length) different++;
  }
  t.equal(different, 0);
  t.equal(numbers.size, 2, 'both states were seen');
});

t.test('the extent of a collection is that of the Sites and of what is on record', async (t) => {
  const { get, importText, importPaths } = await openService(t);
  const extents = async () => {
    const { collections } = (await get('/ogc/collections')).json<{
      collections: { id: string; extent: object }[];
    }>();
    for (const each of collections) t.same((await get(`/ogc/collections/${each.id}`)).json(), each);
    return collections.map(({ extent }) => extent);
  };
  const timeless = { temporal: { interval: [[null, null]] } };
  t.same(await extents(), [timeless, timeless], 'nothing on record');
  const device = { type: 'R1', serial: '1', from: '2001-01-01', to: '2002-01-01' };
  await importText({ receivers: [device] });
  const { features } = (await get('/ogc/collections/sites/items')).json<{
    features: { geometry: unknown }[];
  }>();
  t.equal(features[0]!.geometry, null);
  const [ofSites, ofInstallations] = await extents();
  t.same(
    ofSites,
    { temporal: { interval: [['2001-01-01T00:00:00Z', null]] } },
    'the last Setup is open, and no position is known',
  );
  t.same(ofInstallations, {
    temporal: { interval: [['2001-01-01T00:00:00Z', '2002-01-01T00:00:00Z']] },
  });
  await importPaths([SAMPLE]);
  for (const [id, extent] of Object.entries({
    sites: (await extents())[0],
    installations: (await extents())[1],
  })) {
    const { features } = (await get(`/exports/${id}.geojson`)).json<{
      features: { geometry: { coordinates: number[] } | null }[];
    }>();
    const axis = (n: number) => features.flatMap(({ geometry }) => geometry?.coordinates[n] ?? []);
    const bbox = [
      Math.min(...axis(0)),
      Math.min(...axis(1)),
      Math.max(...axis(0)),
      Math.max(...axis(1)),
    ];
    t.match(extent, { spatial: { bbox: [bbox] } }, id);
    t.match(extent, { temporal: { interval: [[/^\d{4}-/, null]] } }, id);
  }
});

t.test('each collection links the schema of its features', async (t) => {
  const { get } = await openService(t, [SAMPLE]);
  const { collections } = (await get('/ogc/collections')).json<{
    collections: { id: string; links: Items['links'] }[];
  }>();
  for (const { id, links } of collections) {
    const url = links.find(({ rel }) => rel === 'describedBy')!.href;
    const response = await get(url);
    t.match(
      [response.statusCode, response.headers['content-type']],
      [200, 'application/schema+json'],
      url,
    );
    const schema = response.json<{ properties: { properties: { properties: object } } }>();
    const columns = Object.keys(schema.properties.properties.properties);
    const isValid = new Ajv2020({
      formats: { date: /^\d{4}-\d\d-\d\d$/, 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ },
    }).compile(schema);
    const { features } = (await get(`/ogc/collections/${id}/items?limit=1000`)).json<Items>();
    const wrong = features.filter(({ properties, ...feature }) => {
      const known = Object.fromEntries(
        Object.entries(properties).filter(([, value]) => value !== null),
      );
      return (
        Object.keys(properties).join() !== columns.join() ||
        !isValid({ ...feature, properties: known })
      );
    });
    t.same([features.length > 7, wrong], [true, []], id);
  }
});

t.test('OGC parameters that are malformed are refused', async (t) => {
  const { get } = await openService(t, [SAMPLE]);
  const times = [
    'soon',
    '2012-01-01/2011-01-01',
    '..',
    'a/b/c',
    '2012-01-01/soon',
    'soon/2012-01-01',
  ].map((time) => `datetime=${time}`);
  const boxes = ['1,2,3', '1,2,3,4,5', '1,2,x,3,4,5', '1e9,2,3,4', '1e999,2,3,4', '1e,2,3,4'].map(
    (box) => `bbox=${box}`,
  );
  for (const query of [...times, ...boxes, 'limit=0', 'offset=-1', 'f=html', 'f='])
    t.equal((await get(`/ogc/collections/sites/items?${query}`)).statusCode, 400, query);
  const impossible = await get('/ogc/collections/sites/items?datetime=2012-01-01/2012-02-30');
  t.match(impossible.json(), {
    invalidParameters: [
      { reason: 'is not a time (2012-02 has 29 days)', allowed: /^an instant, or two/ },
    ],
  });
  t.equal((await get('/ogc/collections/logs/items')).statusCode, 404);
});

/** What GIS programs ask at every address: the path, and the other values of `f` that it takes. */
const DOCUMENTS: [path: string, others: string[]][] = [
  ['/ogc', []],
  ['/ogc/conformance', []],
  ['/ogc/collections', []],
  ['/ogc/collections/sites', []],
  ['/ogc/collections/sites/schema', []],
  ['/ogc/collections/sites/properties', []],
  ['/ogc/collections/sites/items', ['geojson']],
  ['/ogc/collections/sites/items/1', ['geojson']],
];

t.test('f asks for the only format, whatever Accept says', async (t) => {
  const { get } = await openService(t, [SAMPLE]);
  const withoutLinks = (body: string) => {
    const { links, ...rest } = JSON.parse(body) as { links?: unknown };
    return rest;
  };
  for (const [path, others] of DOCUMENTS) {
    const plain = await get(path);
    for (const f of ['json', ...others]) {
      const asked = await get(`${path}?f=${f}`, { accept: 'text/html,application/xml;q=0.9' });
      t.equal(asked.statusCode, 200, `${path} ${f}`);
      t.equal(asked.headers['content-type'], plain.headers['content-type'], path);
      t.same(withoutLinks(asked.body), withoutLinks(plain.body), path);
    }
    for (const f of ['html', 'JSON', '', ...(others.length === 0 ? ['geojson'] : [])])
      t.equal((await get(`${path}?f=${f}`)).statusCode, 400, `${path} ${f}`);
  }
  t.equal((await get('/ogc/?f=json')).headers.location, '../ogc?f=json');
  const { links } = (await get('/ogc/collections/sites/items?limit=2&f=json')).json<Items>();
  const kept = links.filter(({ rel }) => ['self', 'next'].includes(rel));
  t.equal(kept.length, 2);
  for (const { href } of kept) t.equal(new URL(href).searchParams.get('f'), 'json');
});

t.test('offset skips items of those that a request finds', async (t) => {
  const { get } = await openService(t, [SAMPLE]);
  for (const [collection, search] of [
    ['sites', ''],
    ['installations', ''],
    ['installations', 'bbox=133,-24,134,-23&'],
    ['installations', 'after=5&datetime=2012-01-01/..&'],
  ]) {
    const path = `/ogc/collections/${collection}/items?${search}`;
    const all = (await get(`${path}limit=1000`)).json<Items>();
    const count = all.features.length;
    t.ok(count > 3, path);
    for (const offset of [0, 1, 2, count - 1, count, count + 1, 2 ** 63]) {
      const page = (await get(`${path}limit=2&offset=${offset}`)).json<Items>();
      t.same(page.features, all.features.slice(offset, offset + 2), `${path} ${offset}`);
      t.equal(page.numberMatched, all.numberMatched);
    }
    // The next page begins after the last item: nothing is skipped twice.
    const first = (await get(`${path}limit=2&offset=1`)).json<Items>();
    const next = first.links.find(({ rel }) => rel === 'next');
    const second = next ? (await get(next.href)).json<Items>().features : [];
    t.same(second, all.features.slice(3, 5), path);
  }
});

t.test('the schema of Part 5 has the same properties, with the formats of dates', async (t) => {
  const { get } = await openService(t, [SAMPLE]);
  const formats: [string, string][] = [];
  for (const collection of ['sites', 'installations']) {
    const { links } = (await get(`/ogc/collections/${collection}`)).json<Items>();
    const urlOf = (relation: string) => links.find(({ rel }) => rel === relation)!.href;
    const url = urlOf('http://www.opengis.net/def/rel/ogc/1.0/schema');
    const flat = (await get(url)).json<{ $id: string; properties: Properties }>();
    t.equal(flat.$id, url);
    const nested = (await get(urlOf('describedBy'))).json<{
      properties: { properties: { properties: Properties } };
    }>().properties.properties.properties;
    t.notOk(/"format"|null/.test(JSON.stringify(nested)), 'only types that GDAL reads rightly');
    const { id, geometry, ...properties } = flat.properties;
    t.equal(id!['x-ogc-role'], 'id');
    t.equal(geometry!['x-ogc-role'], 'primary-geometry');
    for (const [name, { type, format }] of Object.entries(properties)) {
      t.equal(type, nested[name]!.type, name);
      if (format !== undefined) formats.push([name, format]);
    }
    t.equal(Object.keys(properties).length, Object.keys(nested).length);
  }
  t.same(Object.fromEntries(formats), {
    dateInstalled: 'date-time',
    from: 'date-time',
    to: 'date-time',
    calibrationDate: 'date',
  });
});

t.test('GDAL reads the collections', GDAL, async (t) => {
  const { app, get } = await openService(t, [SAMPLE]);
  const url = `OAPIF:http://127.0.0.1:${await listen(app)}/ogc`;
  const countOf = async (...args: string[]): Promise<number> => {
    const { stdout } = await run('ogrinfo', ['-ro', '-so', ...args], { timeout: 900_000 });
    return Number(/Feature Count: (\d+)/.exec(stdout)?.[1]);
  };
  const total = (await get('/ogc/collections/sites/items?limit=1000')).json<Items>().features
    .length;
  t.equal(await countOf(url, 'sites'), total, 'all Sites');
  t.equal(await countOf('-spat', '133', '-24', '134', '-23', url, 'sites'), 1, 'a bbox');
  t.equal(
    await countOf('-spat', '133.1', '-24.1', '134.1', '-23.1', url, 'sites'),
    1,
    'a bbox of numbers that GDAL writes with 18 digits',
  );
  const inUse = (
    await get('/ogc/collections/installations/items?datetime=2012-01-01&limit=1000')
  ).json<Items>().features.length;
  const items = url
    .replace('OAPIF:', '')
    .concat('/collections/installations/items?datetime=2012-01-01&limit=1000');
  t.equal(await countOf(items, '-al'), inUse, 'a datetime');
});

t.test('GDAL reads every value of every item, page by page', GDAL, async (t) => {
  // GDAL guesses the types of columns from the first 10 items. These have whole numbers, or none.
  const { app, get, importText, importPaths, folder } = await openService(t);
  const antennas = [...new Array(12).keys()].map((n) => ({
    type: 'LEIAR10         NONE',
    serial: `${n}`,
    from: `${2000 + n}-01-01`,
    to: `${2001 + n}-01-01`,
    more: { 'Marker->ARP Up Ecc. (m)': n < 11 ? '0.0000' : '0.1440' },
  }));
  await importText({ antennas });
  await importPaths([SAMPLE]);
  for (const n of antennas.keys()) {
    const height = `     Height of the Monument   : ${n < 11 ? 0 : 1.234} m`;
    await importText(
      logText({ id: `S${100 + n}` }).replace('2.   Site Location', `${height}\n2.   Site Location`),
    );
  }
  const url = `OAPIF:http://127.0.0.1:${await listen(app)}/ogc`;
  for (const collection of ['sites', 'installations']) {
    const { features } = (
      await get(`/ogc/collections/${collection}/items?limit=1000`)
    ).json<Items>();
    const file = join(folder, `${collection}.json`);
    await run('ogr2ogr', ['-f', 'GeoJSON', file, '-oo', 'PAGE_SIZE=5', url, collection], {
      timeout: 900_000,
    });
    const read = JSON.parse(readFileSync(file, 'utf8')) as Items;
    const valuesOf = (items: Items['features']) => items.map(({ properties }) => properties);
    // Dates are texts, which GDAL writes in its own form.
    const asInGdal = (value: unknown) =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\d(T[\d:]+Z)?$/.test(value)
        ? value.replaceAll('-', '/').replace('T', ' ').replace('Z', '+00')
        : value;
    const expected = valuesOf(features).map((properties) =>
      Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, asInGdal(value)]),
      ),
    );
    t.same(valuesOf(read.features), expected, collection);
  }
});

t.test('the landing page is also at /ogc/, from where QGIS starts', async (t) => {
  const { app, get } = await openService(t, [SAMPLE]);
  const slash = await get('/ogc/');
  t.same([slash.statusCode, slash.headers.location], [301, '../ogc']);
  const base = 'http://localhost/gnss/ogc/';
  t.equal(new URL('../ogc', base).pathname, '/gnss/ogc', 'below a prefix, too');
  t.match((await get('/ogc')).json(), { links: [{ rel: 'self' }] });
  t.equal((await app.inject({ method: 'OPTIONS', url: '/ogc/' })).statusCode, 204);
  t.equal((await app.inject({ method: 'POST', url: '/ogc/' })).statusCode, 405);
});
