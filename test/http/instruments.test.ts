import t from 'tap';
import {
  INSTRUMENT_TYPES,
  type InstrumentType,
  SETUP_EQUIPMENT_TYPES,
} from '../../schemas/index.js';
import { SAMPLE } from '../project-files.js';
import { openService } from '../service.js';
import { elementsIn, type Paged, read } from './answers.js';

/** An element, as far as these tests read it. */
interface Element {
  equipmentType: string;
  type: string;
  installations: {
    fourCharacterId: string;
    period: { from: string | null; to: string | null };
    configuration: Record<string, unknown>;
  }[];
  _links: Record<string, { href: string }>;
}

const service = await openService(t, [SAMPLE]);
const { get } = service;

t.test('each kind of instrument is in the collection of all kinds, and nowhere else', async (t) => {
  const expected: Record<
    InstrumentType,
    [type: string, site: string, from: string | null, to: string | null][]
  > = {
    'pressure sensor': [
      ['EXAMPLE BARO 1', 'UCLU', '2006-05-02T00:00:00Z', '2009-08-14T00:00:00Z'],
      ['EXAMPLE BARO 2', 'UCLU', '2009-08-14T00:00:00Z', null],
      ['EXAMPLE BARO 2', 'BOR1', '2007-07-01T00:00:00Z', null],
    ],
    'temperature sensor': [
      ['EXAMPLE THERMO', 'UCLU', null, null],
      ['EXAMPLE THERMO', 'BOR1', '2007-07-01T00:00:00Z', '2012-03-01T00:00:00Z'],
    ],
    'water vapor sensor': [
      ['EXAMPLE WVR', 'BOR1', '2012-05-20T00:00:00Z', null],
      ['EXAMPLE WVR', 'UCLU', '2010-06-15T00:00:00Z', '2011-02-28T00:00:00Z'],
    ],
    'other instrument': [
      ['Example seismometer', 'BOR1', '2010-03-01T00:00:00Z', '2014-03-01T00:00:00Z'],
      ['Example tiltmeter beside the monument, not a real instrument', 'UCLU', null, null],
    ],
  };
  for (const [kind, rows] of Object.entries(expected)) {
    const url = `/equipment?equipmentType=${encodeURIComponent(kind)}&projection=installations&sort=type,asc`;
    const equipment = elementsIn(
      await read<Paged<Element>>(t, service, 'EquipmentCollection', url),
    );
    const found = equipment.map(({ type, installations: [only] }) => [
      type,
      only!.fourCharacterId,
      only!.period.from,
      only!.period.to,
    ]);
    t.same(found.toSorted(), rows.toSorted(), kind);
    const { self, ...others } = equipment[0]!._links;
    t.same(Object.keys(others), ['equipment'], 'no link to a collection of the kind');
    t.match(self!.href, /\/equipment\/\d+$/);
    t.match(await read(t, service, 'Equipment', self!.href), {
      equipmentType: kind,
      type: equipment[0]!.type,
    });
  }
  const gone = [
    '/pressureSensors',
    '/temperatureSensors/14',
    '/waterVaporSensors',
    '/otherInstrumentation',
    '/gnssReceivers/1/installations',
  ];
  for (const url of gone) t.equal((await get(url)).statusCode, 404, url);
});

t.test('a search for a serial number finds instruments', async (t) => {
  const bySerial = (await get('/equipment/search/findBySerialNumber?serialNumber=W-7')).json<
    Paged<Element>
  >();
  t.match(elementsIn(bySerial), [
    { equipmentType: 'water vapor sensor', installations: [{ fourCharacterId: 'UCLU' }] },
  ]);
});

t.test('instruments are in no Setup, change or entry of the feed', async (t) => {
  const kinds = new Set(
    (await get('/setups?size=1000')).body.match(/(?<="equipmentType":")[^"]*/g),
  );
  t.same(kinds, new Set(SETUP_EQUIPMENT_TYPES));
  for (const path of [
    '/changes?size=1000&mergeGaps=PT0S',
    '/feed?size=1000',
    '/exports/setups.ndjson',
    '/exports/changes.ndjson',
  ]) {
    const { body } = await get(path);
    for (const kind of INSTRUMENT_TYPES) t.notOk(body.includes(`"${kind}"`), `${path} ${kind}`);
  }
  for (const kind of INSTRUMENT_TYPES)
    t.equal(
      (await get(`/changes?equipmentType=${encodeURIComponent(kind)}`)).statusCode,
      400,
      kind,
    );
  t.equal((await get('/changes?equipmentType=clock')).statusCode, 200);
});

t.test('exports of installations have instruments, with their own columns', async (t) => {
  const [header, ...rows] = (
    await get('/exports/installations.csv?equipmentType=pressure%20sensor&at=2009-08-14')
  ).body
    .trim()
    .split('\r\n');
  for (const column of [
    'dataSamplingInterval',
    'accuracy',
    'calibrationDate',
    'distanceToAntenna',
    'aspiration',
  ]) {
    t.ok(header!.split(',').includes(column), column);
  }
  t.match(rows.toSorted(), [
    /,BOR1,.*,P-2077,2007-07-01T00:00:00Z,,/,
    /,UCLU,.*,P-2040,2009-08-14T00:00:00Z,,/,
  ]);
});

t.test(
  'the page of a Site shows its instruments at an instant, all of them, and a lane for each kind',
  async (t) => {
    const page = async (url: string): Promise<string> => (await get(url)).body.replace(/\s+/g, ' ');
    const sectionOf = (body: string): string =>
      /<section id="instruments".*?<\/section>/.exec(body)?.[0] ?? '';
    const inUse = (body: string): string[] =>
      [
        ...sectionOf(body)
          .split('<details')[0]!
          .matchAll(/<tr> <td.*?<\/th>/g),
      ].map(([row]) =>
        row
          .replace(/<[^>]*>/g, ' ')
          .replace(/ +/g, ' ')
          .trim(),
      );
    const now = await page('/sites/UCLU');
    t.same(inUse(now), [
      'Pressure sensor EXAMPLE BARO 2',
      'Temperature sensor EXAMPLE THERMO',
      'Other instrument Example tiltmeter beside the monument, not a real instrument',
    ]);
    t.match(sectionOf(now), />unknown<\/td><td[^>]*>open</);
    t.match(sectionOf(now), /Accuracy 0.1 hPa\. 1.2 m below the antenna\./);
    t.equal([...sectionOf(now).matchAll(/<tr> <td/g)].length, 5, 'the tables have all');
    const link = /href="\.\.(\/exports\/installations\.csv[^"]*)"/
      .exec(sectionOf(now))![1]!
      .replaceAll('&amp;', '&');
    t.equal((await get(link)).body.split('\r\n').length, 1 + 5 + 1, 'the download has all');
    const before = await page('/sites/UCLU?at=2009-08-13T23:59:59Z');
    t.match(sectionOf(before), 'Instruments at 2009-08-13');
    t.ok(
      inUse(before).includes('Pressure sensor EXAMPLE BARO 1') &&
        !inUse(before).includes('Pressure sensor EXAMPLE BARO 2'),
    );
    const from = inUse(await page('/sites/UCLU?at=2009-08-14'));
    t.ok(
      from.includes('Pressure sensor EXAMPLE BARO 2') &&
        !from.includes('Pressure sensor EXAMPLE BARO 1'),
    );
    const classes = [
      'pressure-sensor',
      'temperature-sensor',
      'water-vapor-sensor',
      'other-instrument',
    ];
    for (const name of classes) t.ok(now.includes(`<g class="${name}"`), name);
    t.match(
      now,
      /aria-label="Temperature sensor EXAMPLE THERMO, serial number unknown, at an unknown time\./,
    );
    const alic = await page('/sites/ALIC');
    t.equal(sectionOf(alic), '');
    for (const name of classes) t.notOk(alic.includes(`<g class="${name}"`), name);
  },
);
