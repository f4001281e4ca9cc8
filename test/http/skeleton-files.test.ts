import t from 'tap';
import { FIXED_HEADERS } from '../fixed-headers.js';
import { SAMPLE } from '../project-files.js';
import { openService } from '../service.js';
import { logText, placeOf, type SyntheticLog } from '../synthetic-log.js';
import { problemOf, refused } from './answers.js';
import { LABELS } from './reference-clients.js';

/** The contents of the records by label. It checks the layout. */
function recordsOf(skeleton: string): Record<string, string> {
  const lines = skeleton.split('\n');
  const labels = lines.map((line) => line.slice(60));
  t.same(labels, LABELS);
  t.match(skeleton, /^[\x20-\x7e\n]*$/);
  return Object.fromEntries(lines.map((line) => [line.slice(60), line.slice(0, 60)]));
}

const ALIC = `\
ALIC                                                        MARKER NAME
50137M001                                                   MARKER NUMBER
                    Geoscience Australia                    OBSERVER / AGENCY
1830439             LEICA GR25          4.11.606/6.523      REC # / TYPE / VERS
09370001            LEIAR25.R3      NONE                    ANT # / TYPE
 -4052051.7670  4212836.2150 -2545106.0270                  APPROX POSITION XYZ
        0.0015        0.0000        0.0000                  ANTENNA: DELTA H/E/N
                                                            END OF HEADER
`;

t.test('GET /skeletonFiles/{name}', async (t) => {
  const service = await openService(t, [SAMPLE]);
  const { get, app, importText } = service;
  for (const name of ['ALIC.SKL', 'alic.skl', 'aLiC.SKL', 'ALIC00AUS.SKL', 'alic00aus.skl']) {
    const { body, headers } = await get(`/skeletonFiles/${name}`);
    const fields = {
      ...FIXED_HEADERS,
      'content-type': 'text/plain;charset=UTF-8',
      'content-length': String(ALIC.length),
    };
    t.match([body, headers], [ALIC, fields], name);
  }
  const head = await app.inject({ method: 'HEAD', url: '/skeletonFiles/ALIC.SKL' });
  t.same(
    [head.statusCode, head.headers['content-length'], head.body],
    [200, String(ALIC.length), ''],
  );

  for (const name of [
    ...[
      'ALIC',
      'ALIC.Skl',
      'ALIC.skl.gz',
      'ALIC.sklx',
      '.skl',
      'ALI.skl',
      'ALIC0.skl',
      'ALIC00AU.skl',
      'ALIC00AUSX.skl',
      'ALIC..skl',
    ],
    ...['ALIC.log', `${'A'.repeat(96)}.skl`, 'XXXX.skl', 'MCIL00AUS.sk', '%00.skl'],
  ])
    t.equal(problemOf(t, await get(`/skeletonFiles/${name}`), name).status, 404, name);
  t.equal((await app.inject({ method: 'POST', url: '/skeletonFiles/ALIC.SKL' })).statusCode, 405);
  await refused(t, service, '/skeletonFiles/ALIC.SKL?x=1', 400, 'invalid-parameter');

  const receivers = [{ type: 'R', serial: '1', from: '2010-01-01' }];
  await importText({ id: 'TWIN00AUS', receivers }, 'twin00aus_20200101.log');
  await importText({ id: 'TWIN00NZL', receivers }, 'twin00nzl_20200101.log');
  t.equal((await get('/skeletonFiles/twin.skl')).statusCode, 409);
  const shared = await get('/skeletonFiles/twin.skl?at=2015-01-01', { host: 'gnss.example.org' });
  t.equal(shared.statusCode, 409);
  t.same(shared.json<{ candidates: object[] }>().candidates[1], {
    nineCharacterId: 'TWIN00NZL',
    href: 'http://gnss.example.org/skeletonFiles/TWIN00NZL.skl?at=2015-01-01',
  });
  t.equal(
    recordsOf((await get('/skeletonFiles/twin00nzl.skl')).body)['MARKER NAME']!.trim(),
    'TWIN',
  );
  await importText({ id: 'BARE' }, 'bare_20200101.log');
  t.equal(
    recordsOf((await get('/skeletonFiles/bare.skl')).body)['MARKER NAME']!.trim(),
    'BARE',
    'a Site without a Setup',
  );
  t.match((await get('/corsSites?fourCharacterId=TWIN&size=1')).json(), {
    _embedded: {
      corsSites: [{ _links: { skeletonFile: { href: /\/skeletonFiles\/TWIN00AUS\.SKL$/ } } }],
    },
  });
});

t.test(
  'GET /skeletonFiles/{name}?at= has the equipment of the Setup at that instant',
  async (t) => {
    const service = await openService(t, [SAMPLE]);
    const { get, importText } = service;
    const before = ALIC.replace('4.11.606/6.523', '6.521         ');
    for (const [at, skeleton] of [
      ['2016-04-14T00:47:59Z', before],
      ['2016-02-04', before],
      ['2016:035', before],
      ['2030-01-01', ALIC],
    ] as const) {
      t.equal((await get(`/skeletonFiles/ALIC.SKL?at=${at}`)).body, skeleton, at);
    }
    const first = '1994-05-15T00:00:00Z';
    t.equal((await get(`/skeletonFiles/ALIC.SKL?at=${first}`)).statusCode, 200);
    const early = await refused(
      t,
      service,
      '/skeletonFiles/ALIC.SKL?at=1994-05-14T23:59:59Z',
      404,
      'before-first-setup',
    );
    t.equal(early.firstSetupFrom, first);
    await importText({ id: 'BARE' }, 'bare_20200101.log');
    await refused(t, service, '/skeletonFiles/BARE.SKL?at=2020-01-01', 404, 'no-current-setup');
    for (const query of ['at=2016-02-30', 'at=', 'at=2016-01-01&at=2017-01-01', 'asOf=x']) {
      const { invalidParameters } = await refused(
        t,
        service,
        `/skeletonFiles/ALIC.SKL?${query}`,
        400,
        'invalid-parameter',
      );
      t.match(invalidParameters, [{ name: query.split('=')[0] }], query);
    }

    const period = { from: '2010-01-01', to: '2012-01-01' };
    await importText({
      id: 'GONE',
      receivers: [{ type: 'R', serial: '1', ...period }],
      antennas: [{ type: 'A', serial: '2', ...period }],
    });
    const gone = recordsOf((await get('/skeletonFiles/GONE.SKL')).body);
    t.same([gone['REC # / TYPE / VERS']!.trim(), gone['ANT # / TYPE']!.trim()], ['', '']);
    const there = recordsOf((await get('/skeletonFiles/GONE.SKL?at=2011-12-31T23:59:59Z')).body);
    t.same(
      [there['REC # / TYPE / VERS']!.trim(), there['ANT # / TYPE']!.trim()],
      ['1                   R', '2                   A'],
    );
    t.equal(
      (await get('/skeletonFiles/GONE.SKL?at=2012-01-01')).body,
      (await get('/skeletonFiles/GONE.SKL')).body,
    );
  },
);

t.test(
  'a skeleton has the equipment installed last, cuts long values, and leaves unknown values blank',
  async (t) => {
    const service = await openService(t);
    let day = 1;
    /** The skeleton for a newer log of the Site. */
    const skeletonOf = async (
      log: SyntheticLog,
      agencies = '',
    ): Promise<Record<string, string>> => {
      const prepared = `2020-01-${String(day++).padStart(2, '0')}`;
      // Nine characters: without them, a log from far away is of another station.
      await service.importText(
        logText({ ...log, id: 'TEST00AUS', prepared }) + agencies,
        'test.log',
      );
      const response = await service.get('/skeletonFiles/TEST.SKL');
      t.equal(response.statusCode, 200, response.body);
      return recordsOf(response.body);
    };
    const contacts = (section: 11 | 12, agency: string): string =>
      `${section}.  Agency\n     Agency                   : ${agency}\n`;

    const bare = await skeletonOf({ receivers: [{ from: '2010-01-01' }] });
    t.equal(bare['MARKER NAME'], 'TEST'.padEnd(60));
    for (const label of LABELS.slice(1, -1)) t.equal(bare[label], ' '.repeat(60), label);
    const removed = await skeletonOf({
      antennas: [{ type: 'A1', serial: '1', from: '2010-01-01', to: '2011-01-01' }],
    });
    t.equal(removed['ANT # / TYPE'], ' '.repeat(60));

    const several = await skeletonOf({
      receivers: [
        { type: 'NEWEST', serial: '3', from: '2012-01-01' },
        { type: 'NEWEST TOO', serial: '4', from: '2012-01-01' },
        { type: 'OLD', serial: '1', from: '2010-01-01' },
        { type: 'WITHOUT A START', serial: '2' },
        { type: 'FORMER', serial: '5', from: '2013-01-01', to: '2014-01-01' },
      ],
    });
    t.equal(several['REC # / TYPE / VERS'], '4                   NEWEST TOO'.padEnd(60));

    const from = '2010-01-01';
    const more = { 'Firmware Version': '1'.repeat(21) };
    const offsets = {
      'Marker->ARP Up Ecc. (m)': '-1.23456',
      'Marker->ARP North Ecc(m)': '-0.00004',
      'Marker->ARP East Ecc(m)': '2.5',
    };
    const receivers = [{ type: 'R'.repeat(25), serial: 'Zähler '.repeat(4), from, more }];
    const antennas = [
      { type: 'LEIAR25.R3      NONE', serial: '12345678901234567890', from, more: offsets },
    ];
    const place = {
      'X coordinate (m)': '6371000.12346',
      'Y coordinate (m)': '-4.5',
      'Z coordinate (m)': '0',
    };
    const long = await skeletonOf({ receivers, antennas, place });
    t.equal(long['REC # / TYPE / VERS'], `Zahler Zahler Zahler${'R'.repeat(20)}${'1'.repeat(20)}`);
    t.equal(long['ANT # / TYPE'], '12345678901234567890LEIAR25.R3      NONE'.padEnd(60));
    t.equal(long['ANTENNA: DELTA H/E/N'], '       -1.2346        2.5000        0.0000'.padEnd(60));
    t.equal(long['APPROX POSITION XYZ'], '  6371000.1235       -4.5000        0.0000'.padEnd(60));
    const computed = async (elevation: string): Promise<string> => {
      const place = { ...placeOf('+494000.00', '+1060000.00'), 'Elevation (m,ellips.)': elevation };
      return (await skeletonOf({ place, receivers: [{ from: '2010-01-01' }] }))[
        'APPROX POSITION XYZ'
      ]!;
    };
    t.equal(await computed('692.2'), ' -1140213.5971  3976397.3675  4839402.6830'.padEnd(60));
    t.equal(await computed('unknown'), ' '.repeat(60));
    // 14 columns have room for 999999999.9999.
    const zeros = '        0.0000        0.0000';
    const antenna = (up: string) => {
      const more = {
        'Marker->ARP Up Ecc. (m)': up,
        'Marker->ARP North Ecc(m)': '0',
        'Marker->ARP East Ecc(m)': '0',
      };
      return { antennas: [{ type: 'A', from: '2010-01-01', more }] };
    };
    t.equal(
      (await skeletonOf(antenna('999999999.9999')))['ANTENNA: DELTA H/E/N'],
      `999999999.9999${zeros}`.padEnd(60),
    );
    t.equal(
      (await skeletonOf(antenna('9999999999')))['ANTENNA: DELTA H/E/N'],
      `${' '.repeat(14)}${zeros}`.padEnd(60),
    );

    /** Columns 21 to 40 of the record of the antenna. */
    const antennaType = async (type: string, radome: string): Promise<string> => {
      const antennas = [{ type, from: '2010-01-01', more: { 'Antenna Radome Type': radome } }];
      return (await skeletonOf({ antennas }))['ANT # / TYPE']!.slice(20);
    };
    for (const [type, radome, written] of [
      ['LEIAR25.R3', 'LEIT', 'LEIAR25.R3      LEIT'],
      ['LEIAR25.R3', 'none', 'LEIAR25.R3      NONE'],
      ['ABCDEFGHIJKLMNOP', 'LEIT', 'ABCDEFGHIJKLMNOPLEIT'],
      // One blank between the type and its radome.
      ['LEIAR25.R3 LEIT', '', 'LEIAR25.R3      LEIT'],
      ['LEIAR25.R3 NONE', 'LEIT', 'LEIAR25.R3      NONE'],
      // The type has a radome.
      ['LEIAR25.R3      NONE', 'LEIT', 'LEIAR25.R3      NONE'],
      ...['', 'unknown', 'A LONG NAME'].map(
        (unknown) => ['LEIAR25.R3', unknown, 'LEIAR25.R3'] as const,
      ),
      ['', 'LEIT', ''],
    ] as const)
      t.equal(await antennaType(type, radome), written.padEnd(40), `${type} ${radome}`);

    const agencyOf = async (...sections: string[]): Promise<string> => {
      const records = await skeletonOf({ receivers: [{ type: 'R', from }] }, sections.join(''));
      t.equal(records['OBSERVER / AGENCY']!.slice(0, 20), ' '.repeat(20));
      return records['OBSERVER / AGENCY']!.slice(20).trimEnd();
    };
    t.equal(await agencyOf(contacts(11, 'On site'), contacts(12, 'Responsible')), 'Responsible');
    t.equal(await agencyOf(contacts(11, 'On site'), contacts(12, '(multiple lines)')), 'On site');
    t.equal(await agencyOf(contacts(11, 'x'.repeat(40))), 'x'.repeat(40));
    t.equal(await agencyOf(contacts(11, 'x'.repeat(41))), `${'x'.repeat(36)}...`);
    t.equal(
      await agencyOf(contacts(11, 'Météo Ørsted ßtraße 東京 😀')),
      'Meteo Orsted sstrasse ?? ?',
    );
  },
);
