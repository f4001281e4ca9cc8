import { join } from 'node:path';
import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import type { CorsSite, Problem, Setup } from '../../schemas/index.js';
import { compareHeader } from '../../src/rinex/compare.js';
import { readHeader as readRinexHeader } from '../../src/rinex/header/header.js';
import { headerLinesOf } from '../../src/rinex/header/lines.js';
import { intervalOf } from '../../src/formats/site-history.js';
import { runHere } from '../cli/in-process.js';
import { FIXED_HEADERS } from '../fixed-headers.js';
import { SAMPLE } from '../project-files.js';
import { rawDatabase } from '../raw-database.js';
import { openService, type Service } from '../service.js';
import { type Item, logText, placeOf, type SyntheticLog } from '../synthetic-log.js';
import { violations } from '../violations.js';
import { correct, elementsIn, type Paged } from './answers.js';
import {
  readHeader,
  readSinex,
  readSta,
  readStationInfo,
  readZip,
  text,
} from './geodetic-files.js';

const ECC = {
  'Marker->ARP Up Ecc. (m)': '1.1',
  'Marker->ARP North Ecc(m)': '-2.2',
  'Marker->ARP East Ecc(m)': '3.3',
};
const ANTENNA = {
  'Antenna Reference Point': 'BAM',
  ...ECC,
  'Alignment from True N': '10',
  'Antenna Radome Type': 'NONE',
};

const FIRST = '2010-01-02T03:04Z';
const RECEIVERS: Item[] = [
  {
    type: 'LEICA GR25',
    serial: 'S1234567',
    from: FIRST,
    to: '2012-01-01T00:00Z',
    more: { 'Firmware Version': '3.22/6.5' },
  },
  {
    type: 'TRIMBLE NETR9',
    serial: '2',
    from: '2012-01-01T06:00Z',
    more: { 'Firmware Version': '4.8' },
  },
];
const ANTENNAS: Item[] = [
  { type: 'LEIAR25.R3      NONE', serial: '09370001', from: FIRST, more: ANTENNA },
];

/** A Site at 0.0034 degrees south. */
const PLACE = { ...placeOf('-000012.40', '+0064359.99'), 'Elevation (m,ellips.)': '12.34' };
const fixture = (id: string, place: Record<string, string>, log: SyntheticLog = {}): string =>
  logText({
    id,
    name: 'Sao Tome with a long name',
    place,
    receivers: RECEIVERS,
    antennas: ANTENNAS,
    ...log,
  }).replace(/^2\. {3}Site Loc/m, '     IERS DOMES Number        : 12345M001\n2.   Site Loc');

t.test('each field is in its columns', async (t) => {
  const service = await openService(t);
  await service.importText(fixture('TEST00STP', PLACE));
  const sinex = await text(service, '/exports/sites.snx?organisation=GEO');
  t.match(sinex, /^%=SNX 2\.02 GEO /);
  const blocks = readSinex(t, sinex);
  t.match(blocks['SITE/ID'][0]!.fields, {
    site: 'TEST',
    domes: '12345M001',
    lon: '6 44  0.0',
    lat: '-0  0 12.4',
    height: '12.3',
  });
  t.match(blocks['SITE/ECCENTRICITY'][0]!.fields, {
    axes: 'UNE',
    up: '1.1000',
    north: '-2.2000',
    east: '3.3000',
  });
  t.match(sinex, / TEST {2}A ---- P 10:002:11040 12:001:00000 LEICA GR25 {11}S1234 3\.22\/6\.5\n/);
  t.match(sinex, / TEST {2}A ---- P 10:002:11040 00:000:00000 LEIAR25\.R3 {6}NONE 09370 {3}10\n/);
  const info = await text(service, '/exports/sites.station-info');
  t.match(
    info,
    ' TEST  Sao Tome with a   2010 002 03 04 00  2012 001 06 00 00   1.1000  DHARP  -2.2000   3.3000  LEICA GR25            3.22/6.5               3.22  S1234567              LEIAR25.R3       NONE   09370001\n',
  );
  t.match(
    info,
    '# TEST00STP: the gap from 2012-01-01T00:00:00Z to 2012-01-01T06:00:00Z is bridged\n',
  );
  t.match(
    await text(service, '/exports/sites.station-info?antennaAzimuth=true'),
    '  3.3000    10.  LEICA GR25            3.22',
  );
  const sta = await text(service, '/exports/sites.sta');
  t.match(
    sta,
    'TEST 12345M001        001  2010 01 02 03 04 00  2012 01 01 00 00 00  LEICA GR25            S1234567              234567  LEIAR25.R3      NONE  09370001              999999   -2.2000    3.3000    1.1000    10.0  TEST00STP  Sao Tome with a long n  3.22/6.5\n',
  );
  t.match(sta, 'TEST 12345M001        001  2010 01 02 03 04 00  2099 12 31 00 00 00  TEST*\n');
  t.match(readSta(t, await text(service, '/exports/sites.sta?version=1.01'))[0]!.fields, {
    description: 'Sao Tome with a long n',
    remark: '3.22/6.5',
  });
  const header = readHeader(
    t,
    await text(service, '/skeletonFiles/TEST.SKL?version=2.11&at=2011-01-01'),
  );
  t.match(Object.fromEntries(header), {
    'RINEX VERSION / TYPE': '     2.11           OBSERVATION DATA    M (MIXED)           ',
    'MARKER NAME': /^TEST {56}$/,
    'REC # / TYPE / VERS': 'S1234567            LEICA GR25          3.22/6.5            ',
    'ANT # / TYPE': '09370001            LEIAR25.R3      NONE                    ',
    'ANTENNA: DELTA H/E/N': '        1.1000        3.3000       -2.2000                  ',
  });
  t.match(
    header.get('APPROX POSITION XYZ'),
    /^ {2}6334156\.7506 {3}747828\.2662 {5}-380\.8672 /,
    'computed from latitude, longitude and height',
  );
  t.match((await service.get('/exports/sites.snx')).headers, FIXED_HEADERS);
  const restricted = readSinex(
    t,
    await text(service, '/exports/sites.snx?at=2011-01-01&site=test'),
  );
  t.equal(restricted['SITE/RECEIVER'].length, 1, 'at');
  t.equal(
    readStationInfo(t, await text(service, '/exports/sites.station-info?from=2012-01-02')).length,
    1,
    'from',
  );
  t.equal(
    readStationInfo(t, await text(service, '/exports/sites.station-info?to=2012-01-01T06:00Z'))
      .length,
    1,
    'to',
  );
});

/** What `export` calls the file of a path, without a query. */
const EXPORT_NAMES: Record<string, string> = {
  '/exports/sites.snx': 'snx',
  '/exports/sites.station-info': 'station-info',
  '/exports/sites.sta': 'sta',
  '/exports/sites.rinex.zip': 'rinex.zip',
  '/exports/offsets.csv': 'offsets.csv',
  '/exports/offsets.snx': 'offsets.snx',
};

/** A note, as `--notes` writes it. */
interface WrittenNote {
  site: string;
  text: string;
}

/** What the file of a URL leaves out or changes, as `export --notes` writes it. */
async function noteLinesIn(
  { database, folder }: Pick<Service, 'database' | 'folder'>,
  url: string,
): Promise<string[]> {
  const [path, query = ''] = url.split('?') as [string, string?];
  const [, headerOf] = /^\/skeletonFiles\/(\w+)\.SKL$/.exec(path) ?? [];
  const sites = headerOf === undefined ? [] : [headerOf];
  const name = EXPORT_NAMES[path] ?? 'rinex';
  const notes = join(folder, 'export.notes');
  const files = ['--output', join(folder, 'export.output'), '--notes', notes];
  const given = ['--database', database, '--query', query, ...files];
  const { code, stderr } = await runHere(['export', name, ...sites, ...given]);
  t.equal(code, 0, `${url}: ${stderr}`);
  return readFileSync(notes, 'utf8').split('\n').slice(0, -1);
}

/** What is left out because the format has no place for it. */
const NO_PLACE = /no place: (.*)$/;

/** The notes about the Sites of a file, apart from those about values without a place. */
async function notesIn(
  service: Pick<Service, 'database' | 'folder'>,
  url: string,
): Promise<WrittenNote[]> {
  const lines = (await noteLinesIn(service, url)).filter((line) => !NO_PLACE.test(line));
  return lines.map((line) => {
    const [, site, text] = /^(\w+): (.*)$/.exec(line)!;
    return { site: site!, text: text! };
  });
}

/** What the file of a URL leaves out because the format has no place for it; one note at most. */
async function unplacedIn(
  service: Pick<Service, 'database' | 'folder'>,
  url: string,
): Promise<string | undefined> {
  const notes = (await noteLinesIn(service, url)).flatMap((line) => NO_PLACE.exec(line)?.[1] ?? []);
  t.ok(notes.length <= 1, `${url}: one note`);
  return notes[0];
}

t.test('a Site that each format can represent exactly has no notes', async (t) => {
  const service = await openService(t);
  const receivers = [
    {
      type: 'LEICA GR25',
      serial: '12345',
      from: '2010-01-01T00:00Z',
      more: { 'Firmware Version': '3.22', 'Satellite System': 'GPS+GLO' },
    },
  ];
  const antennas = [
    {
      type: 'LEIAR25.R3      NONE',
      serial: '67890',
      from: '2010-01-01T00:00Z',
      more: { ...ECC, 'Antenna Reference Point': 'BPA', 'Alignment from True N': '0' },
    },
  ];
  const clean = fixture('GOOD00STP', PLACE, { receivers, antennas });
  await service.importText(clean, 'good00stp_20200101.log');
  for (const url of [
    '/exports/sites.snx',
    '/exports/sites.station-info',
    '/exports/sites.sta',
    '/exports/sites.rinex.zip?version=3.05',
    '/skeletonFiles/GOOD.SKL?version=3.05',
  ])
    t.same(await notesIn(service, url), [], url);
});

t.test('what a format cannot say as it is, is noted', async (t) => {
  const service = await openService(t);
  const long = 'S'.repeat(30);
  await service.importText(
    fixture(
      'ODDS00STP',
      {},
      {
        receivers: [
          {
            type: 'LEICA GR25',
            serial: long,
            from: '2010-01-01T00:00Z',
            more: { 'Firmware Version': '1.0é' },
          },
          { type: 'TRIMBLE NETR9', serial: '2', from: '2011-01-01T00:00Z' },
        ],
        antennas: [
          {
            type: 'LEIAR25.R3',
            serial: '1',
            from: '2010-01-01T00:00Z',
            to: '2012-01-01T00:00Z',
            more: ECC,
          },
          { type: 'LEIAR25.R3      LEIT', serial: '1', from: '2012-02-01T00:00Z' },
        ],
      },
    ).replace('12345M001', 'M001'),
    'odds00stp_20200101.log',
  );
  const notesOf = async (url: string): Promise<string> => {
    const notes = await notesIn(service, url);
    t.ok(notes.length > 0 && notes.every(({ site }) => site === 'ODDS00STP'), url);
    return notes.map((each) => each.text).join('\n');
  };
  const sinex = await notesOf('/exports/sites.snx');
  const parts = [
    'no line in SITE/ID',
    'several receivers in use from 2011',
    '"1.0é" is written as "1.0e"',
  ];
  for (const part of [...parts, 'radome unknown']) t.match(sinex, part);
  t.match(
    sinex,
    /^no line in SITE\/ECCENTRICITY from 2012-02.* to now: up, north and east eccentricity unknown$/m,
  );
  const body = await text(service, '/exports/sites.snx');
  readSinex(t, body);
  t.match(
    body,
    /^ ODDS00STP: radome unknown from 2010-01-01T00:00:00Z to 2012-01-01T00:00:00Z:\n {3}written as ----$/m,
    'a comment',
  );
  for (const url of ['/exports/sites.station-info', '/exports/sites.sta']) {
    const notes = await notesOf(url);
    t.match(notes, `"${long}" is cut to "${long.slice(0, 20)}"`, url);
    t.equal(notes.includes('DOMES number "M001" is left out'), url.endsWith('sta'), url);
    t.match(notes, 'no line from 2012-01-01T00:00:00Z to 2012-02-01T00:00:00Z: no antenna', url);
    t.match(
      notes,
      /^no line from 2012-02-01T00:00:00Z to now: up, north and east eccentricity unknown$/m,
      url,
    );
  }
  const header = await text(service, '/skeletonFiles/ODDS.SKL?version=4.01&at=2010-06-01');
  t.match(header, /LEIAR25\.R3 {6}UNKN/, 'an unknown radome is not NONE');
  t.match(header, /^ODDS00STP: receiver serial number .*COMMENT {13}$/m);
  t.notMatch(header, 'MARKER NUMBER');
  t.notMatch(header, 'APPROX POSITION');
  t.match(
    await notesOf('/skeletonFiles/ODDS.SKL?version=4.01&at=2010-06-01'),
    /^position unknown$/m,
  );

  for (const id of ['TWIN00AUS', 'TWIN00NZL'])
    await service.importText(fixture(id, PLACE).replace('12345M001', ''), `${id}_20200101.log`);
  const twins = 'site=TWIN00AUS&site=TWIN00NZL';
  const ids = readSinex(t, await text(service, `/exports/sites.snx?${twins}`))['SITE/ID'];
  t.equal(ids.map(({ site }) => site).join(), 'TWIN A,TWIN B', 'point codes');
  t.same(
    (await notesIn(service, `/exports/sites.snx?${twins}`)).filter(({ site }) =>
      site.startsWith('TWIN'),
    ),
    [
      {
        site: 'TWIN00NZL',
        text: 'written with point code B, because another Site has the same four characters',
      },
    ],
  );
  for (const [url, read] of [
    ['/exports/sites.station-info', readStationInfo],
    ['/exports/sites.sta', readSta],
  ] as const) {
    t.equal(read(t, await text(service, `${url}?${twins}`)).length, 2, url);
    const notes = await notesIn(service, `${url}?${twins}`);
    t.same(notes.at(url.endsWith('sta') ? 1 : -1), {
      site: 'TWIN00NZL',
      text: 'left out: another Site with the name "TWIN" is written: its site log is not older',
    });
  }
  t.equal((await service.get('/exports/sites.sta?version=1.02')).statusCode, 400);
  t.equal(
    (await service.get('/exports/sites.snx?antennaAzimuth=true')).statusCode,
    400,
    'of another format',
  );
  t.equal((await service.get('/exports/sites.snx?site=XXXX')).statusCode, 404);
  const [line] = readStationInfo(
    t,
    await text(service, '/exports/sites.station-info?site=TWIN00AUS&firmwareChanges=false'),
  );
  t.equal(line!.fields.Vers, '-'.repeat(20));
});

t.test('a value that a format cannot have leaves a note', async (t) => {
  const service = await openService(t);
  const notesOf = async (url: string): Promise<string[]> =>
    (await notesIn(service, url)).map((each) => each.text);
  const ARP = {
    'Antenna Reference Point': 'BAM',
    'Antenna Radome Type': 'NONE',
    'Alignment from True N': '0',
  };
  const NO_OFFSET = {
    'Marker->ARP Up Ecc. (m)': '0',
    'Marker->ARP North Ecc(m)': '0',
    'Marker->ARP East Ecc(m)': '0',
  };
  const receivers = [{ type: 'LEICA GR25', serial: '1', from: '2010-01-01T00:00Z' }];

  await t.test('an eccentricity that is unknown for hours is not a gap', async (t) => {
    const more = { ...ARP, ...ECC };
    const antennas = [
      {
        type: 'LEIAR25.R3      NONE',
        serial: '1',
        from: '2010-01-01T00:00Z',
        to: '2012-01-01T00:00Z',
        more,
      },
      {
        type: 'LEIAR25.R3      NONE',
        serial: '2',
        from: '2012-01-01T00:00Z',
        to: '2012-01-01T06:00Z',
        more: ARP,
      },
      {
        type: 'LEIAR25.R3      NONE',
        serial: '3',
        from: '2012-01-01T06:00Z',
        to: '2013-01-01T00:00Z',
        more,
      },
      { type: 'LEIAR25.R3      NONE', serial: '3', from: '2013-01-01T06:00Z', more },
    ];
    await service.importText(fixture('GAPS00STP', PLACE, { receivers, antennas }));
    const lines = readStationInfo(t, await text(service, '/exports/sites.station-info?site=GAPS'));
    const hour = (time: number | null) => time && new Date(time).toISOString().slice(0, 13);
    const periods = lines.map(({ from, to }) => `${hour(from)} ${hour(to)}`);
    // The gap of 2013 is bridged; the period without eccentricities is not.
    t.same(periods, ['2010-01-01T00 2012-01-01T00', '2012-01-01T06 null']);
    const notes = await notesOf('/exports/sites.station-info?site=GAPS');
    t.ok(
      notes.includes(
        'no line from 2012-01-01T00:00:00Z to 2012-01-01T06:00:00Z: up, north and east eccentricity unknown',
      ),
    );
    t.ok(notes.includes('the gap from 2013-01-01T00:00:00Z to 2013-01-01T06:00:00Z is bridged'));
  });

  await t.test('offsets', async (t) => {
    const aoad = { type: 'AOAD/M_T        NONE', more: { ...ARP, ...NO_OFFSET } };
    const antennas = [
      { ...aoad, serial: '217 0246', from: '2010-01-01T00:00Z', to: '2011-01-01T00:00Z' },
      {
        ...aoad,
        serial: '217-0246',
        from: '2011-01-01T00:00Z',
        more: { ...aoad.more, 'Marker->ARP North Ecc(m)': '-0.00001' },
      },
      {
        type: 'LEIAR25.R3      NONE',
        serial: '2',
        from: '2012-01-01T00:00Z',
        more: { ...ARP, ...ECC },
      },
    ];
    await service.importText(fixture('OFFS00STP', PLACE, { receivers, antennas }));
    t.same((await text(service, '/exports/offsets.csv?site=OFFS')).split('\r\n').slice(1, -1), [
      'OFFS,OFFS00STP,2012-01-01T00:00:00Z,2012.000000,55927.00000,antenna,AOAD/M_T 217-0246,LEIAR25.R3 2',
      'OFFS,OFFS00STP,2012-01-01T00:00:00Z,2012.000000,55927.00000,eccentricity,0.0000 0.0000 0.0000,1.1000 -2.2000 3.3000',
    ]);
    const several =
      'several antennas in use from 2012-01-01T00:00:00Z to now: the one installed last is written';
    t.match(await notesOf('/exports/offsets.csv?site=OFFS'), [
      several,
      /north eccentricity -0.00001 is written as 0.0000/,
    ]);
    t.same(
      await notesOf('/exports/offsets.csv?site=OFFS&to=2012-01-01'),
      [],
      'not for another time',
    );
    t.match(
      await text(service, '/exports/offsets.snx?site=OFFS&organisation=GEO'),
      /^%=SNX 2\.02 GEO .*\n\+FILE\/REFERENCE\n/,
    );
  });

  await t.test('names, radomes, azimuths, agencies and marker names', async (t) => {
    const odd = (radome: string, azimuth: string) => ({
      ...ECC,
      'Antenna Radome Type': radome,
      'Alignment from True N': azimuth,
    });
    const antennas = [
      {
        type: 'LEIAR25.R3',
        serial: '1',
        from: '2010-01-01T00:00Z',
        to: '2011-01-01T00:00Z',
        more: odd('Conical plastic', '12345'),
      },
      {
        type: 'LEIAR25.R3      LEIT',
        serial: '1',
        from: '2011-01-01T00:00Z',
        to: '2012-01-01T00:00Z',
        more: odd('NONE', '-12.5'),
      },
      {
        type: '',
        serial: '1',
        from: '2012-01-01T00:00Z',
        more: { ...odd('NONE', ''), 'Marker->ARP Up Ecc. (m)': '0.09222' },
      },
    ];
    await service.importText(fixture('NAME', PLACE, { receivers, antennas }));
    const lines = readStationInfo(
      t,
      await text(service, '/exports/sites.station-info?site=NAME&antennaAzimuth=true'),
    );
    const shown = lines.map(({ fields }) =>
      [fields.Dome, fields.AntDAZ, fields['Antenna Type'], fields['Ant Ht']].join(' '),
    );
    t.same(shown, [
      '----- ----- LEIAR25.R3 1.1000',
      'LEIT -13. LEIAR25.R3 1.1000',
      'NONE ----- --------------- 0.0922',
    ]);
    const common = [
      /^radome "Conical plastic" is written as (----?-?: it is not a code of four letters or digits$|UNKN)/,
      /^radome "LEIT" of the antenna type is written; Antenna Radome Type is "NONE"$/,
      /^up eccentricity 0.09222 is written as 0.0922$/,
      /^antenna type unknown( from 2012-01-01T00:00:00Z to now)?$/,
    ];
    const azimuths = [
      /^alignment from true north 12345 is left out/,
      /north -12.5 is written as -13$/,
      /^alignment from true north unknown from 2012-01-01T00:00:00Z to now$/,
    ];
    const noNine = /^nine-character id unknown: the marker name has four characters$/;
    for (const [url, expected] of [
      ['/exports/sites.station-info?site=NAME&antennaAzimuth=true', [...common, ...azimuths]],
      ['/exports/sites.snx?site=NAME', common],
      [
        '/exports/sites.sta?site=NAME',
        [...common.slice(0, 2), /^no line from 2012-.* to now: antenna type unknown$/],
      ],
      ['/skeletonFiles/NAME.SKL?version=3.05', [...common.slice(2), noNine]],
    ] as const) {
      const notes = await notesOf(url);
      const missing = expected.filter((each) => !notes.some((note) => each.test(note)));
      t.same(missing, [], `${url}: ${JSON.stringify(notes)}`);
      t.equal(new Set(notes).size, notes.length, `${url}: each once`);
    }
    t.notMatch(
      (await notesOf('/skeletonFiles/NAME.SKL?version=2.11')).join('\n'),
      /^nine/m,
      'RINEX 2 has four',
    );
    const sta = readSta(t, await text(service, '/exports/sites.sta?site=NAME'));
    const radomes = sta.map(({ fields }) => [fields.radome, fields.azimuth].join(' '));
    t.same(radomes, ['UNKN ', 'LEIT -12.5']);
    const agency = `Agency ${'é'.repeat(40)}`;
    await service.importText(
      `${fixture('AGEN00STP', PLACE)}\n12.  Responsible Agency\n\n     Agency                   : ${agency}\n`,
    );
    const header = readHeader(
      t,
      await text(service, '/skeletonFiles/AGEN.SKL?version=3.05&organisation=ME&markerName=four'),
    );
    t.equal(header.get('OBSERVER / AGENCY')!.trim(), '');
    t.match(header.get('PGM / RUN BY / DATE'), /^gnss-site-setups {4}ME /);
    t.equal(header.get('MARKER NAME')!.trim(), 'AGEN');
    const agencyNotes = (await notesOf('/skeletonFiles/AGEN.SKL?version=3.05')).filter((note) =>
      note.startsWith('agency'),
    );
    t.same(
      agencyNotes,
      [`agency "${agency}" is too long, and has no abbreviation; left out`],
      'one note about a value that is not in ASCII and too long',
    );
    t.match(
      await text(service, '/skeletonFiles/AGEN.SKL?markerName=four'),
      /^ {5}3\.05 /,
      'the default version',
    );
  });

  await t.test('Sites that differ in their DOMES numbers only', async (t) => {
    await service.importText(fixture('SAME00AUS', PLACE), 'same00aus_20200101.log');
    await service.importText(
      fixture('SAME00NZL', PLACE).replace('12345M001', '12345M002'),
      'same00nzl_20200101.log',
    );
    const namesIn = async (query: string): Promise<string[]> => {
      const body = await text(service, `/exports/sites.sta?${query}`);
      return [...body.matchAll(/^SAME.*2099 12 31 00 00 00 {2}(SAME\S*(?: \S+)?)$/gm)].map(
        ([, name]) => name!,
      );
    };
    t.same(
      await namesIn('site=SAME00AUS&site=SAME00NZL'),
      ['SAME 12345M001', 'SAME 12345M002'],
      'none renames the other',
    );
    t.same(await namesIn('site=SAME00NZL'), ['SAME*'], 'alone');
    await service.importText(
      fixture('SAME00USA', PLACE).replace('12345M001', '12345M003'),
      'same00usa_20200101.log',
    );
    t.same(
      await namesIn('site=SAME00AUS&site=SAME00NZL&site=SAME00USA'),
      ['SAME 12345M001', 'SAME 12345M002', 'SAME 12345M003'],
      'nor does the middle one of three',
    );
  });

  await t.test('comments are in ASCII and of bounded width', async (t) => {
    const from = '2010-01-01T00:00Z';
    await service.importText(
      fixture('WIDE00STP', PLACE, {
        receivers: [{ type: `é${'x'.repeat(300)}`, serial: '1', from }],
      }),
    );
    for (const file of ['sites.station-info', 'sites.snx']) {
      const body = await text(service, `/exports/${file}?site=WIDE`);
      t.match(body, /^#? WIDE00STP: receiver type "exxx/m, file);
      t.notMatch(body, /^.{222}|[^\x20-\x7e\n]/m, file);
    }
  });
});

/** The labels of the three eccentricities in a site log. */
const [UP, NORTH, EAST] = Object.keys(ECC) as [string, string, string];
/** An antenna of our tests, installed at a time, whose log gives these eccentricities. */
const antennaOf = (from: string, more: Record<string, string>, others: Item = {}): Item => ({
  type: 'LEIAR25.R3      NONE',
  serial: '1',
  from,
  ...others,
  more: { 'Antenna Radome Type': 'NONE', 'Alignment from True N': '0', ...more },
});

t.test('what one unknown value leaves out', async (t) => {
  const service = await openService(t);
  const notesOf = async (url: string): Promise<string[]> =>
    (await notesIn(service, url)).map((each) => each.text);

  await t.test('the height in station.info is that of the ARP, whichever it is', async (t) => {
    const points = ['BPA', 'BCR', 'bam', 'TPA', 'ARP', 'BPA (bottom)', ''];
    const antennas = points.map((point, index) =>
      antennaOf(
        `${2010 + index}-01-01T00:00Z`,
        { ...ECC, 'Antenna Reference Point': point },
        { to: `${2011 + index}-01-01T00:00Z`, serial: String(index) },
      ),
    );
    const receivers = [{ type: 'LEICA GR25', serial: '1', from: '2010-01-01T00:00Z' }];
    await service.importText(fixture('CODE', PLACE, { receivers, antennas }));
    const lines = readStationInfo(t, await text(service, '/exports/sites.station-info?site=CODE'));
    t.same(
      lines.map(({ fields }) => [fields['Antenna SN'], fields['Ant Ht'], fields.HtCod]),
      points.map((_, index) => [String(index), '1.1000', 'DHARP']),
    );
    const about = (await notesOf('/exports/sites.station-info?site=CODE')).filter((each) =>
      each.includes('reference point'),
    );
    t.same(about, [
      'antenna reference point "ARP" is not a code of antenna.gra: the height is written as that of the ARP (DHARP)',
      'antenna reference point "BPA (bottom)" is not a code of antenna.gra: the height is written as that of the ARP (DHARP)',
      'antenna reference point unknown from 2016-01-01T00:00:00Z to 2017-01-01T00:00:00Z: the height is written as that of the ARP (DHARP)',
    ]);
  });

  await t.test('a note names the unknown values, and from when to when', async (t) => {
    const firmware = (version: string) => ({ 'Firmware Version': version });
    const receivers = [
      {
        type: 'LEICA GR25',
        serial: '1',
        from: '2010-01-01T00:00Z',
        to: '2011-01-01T00:00Z',
        more: firmware('1.0'),
      },
      { type: '', serial: '1', from: '2011-01-01T00:00Z', more: firmware('2.0') },
    ];
    const point = { 'Antenna Reference Point': 'BAM' };
    const antennas = [
      antennaOf('2010-01-01T00:00Z', { ...point, [UP]: '0.1' }, { to: '2012-01-01T00:00Z' }),
      antennaOf(
        '2012-01-01T00:00Z',
        { ...point, [UP]: '12345.6', [NORTH]: '-0.2' },
        { to: '2013-01-01T00:00Z' },
      ),
      antennaOf('2013-01-01T00:00Z', { ...point, ...ECC }),
    ];
    await service.importText(fixture('PART00STP', PLACE, { receivers, antennas }));
    const first = 'north and east eccentricity unknown (up is 0.1)';
    const second = (what: string) => `east eccentricity unknown${what} (north is -0.2)`;
    const tooLarge = '; up eccentricity 12345.6 does not fit its columns';
    const period = (from: number, to: number | null) =>
      `from ${from}-01-01T00:00:00Z to ${to === null ? 'now' : `${to}-01-01T00:00:00Z`}`;
    t.same(
      (await notesOf('/exports/sites.station-info?site=PART&blankEccentricity=unknown')).filter(
        (each) => /^no/.test(each),
      ),
      [
        // One note, although the receiver changed in this time.
        `no line ${period(2010, 2012)}: ${first}`,
        `no line ${period(2012, 2013)}: ${second(tooLarge)}`,
      ],
    );
    t.same(
      (await notesOf('/exports/sites.sta?site=PART&blankEccentricity=unknown')).filter((each) =>
        each.startsWith('no'),
      ),
      [
        `no line ${period(2010, 2011)}: ${first}`,
        `no line ${period(2011, 2012)}: receiver type unknown; ${first}`,
        `no line ${period(2012, 2013)}: receiver type unknown; ${second(tooLarge)}`,
        `no line ${period(2013, null)}: receiver type unknown`,
      ],
    );
    const block = 'no line in SITE/ECCENTRICITY';
    t.same(
      (await notesOf('/exports/sites.snx?site=PART&blankEccentricity=unknown')).filter((each) =>
        each.startsWith('no'),
      ),
      [
        `${block} ${period(2010, 2012)}: ${first}`,
        `${block} ${period(2012, 2013)}: ${second(tooLarge)}`,
      ],
    );
    const at = (instant: string) =>
      notesOf(`/skeletonFiles/PART00STP.SKL?version=3.05&blankEccentricity=unknown&at=${instant}`);
    const none = 'no ANTENNA: DELTA H/E/N';
    t.same(await at('2010-06-01'), [`${none} ${period(2010, 2011)}: ${first}`]);
    const header = await text(
      service,
      '/skeletonFiles/PART.SKL?version=3.05&blankEccentricity=unknown&at=2010-06-01',
    );
    t.match(header, /^PART00STP: no ANTENNA: DELTA H\/E\/N .*COMMENT {13}$/m);
    t.notMatch(header, /ANTENNA: DELTA H\/E\/N$/m);
  });

  await t.test('a value that is not rounded, because it is not written, is no note', async (t) => {
    const antennas = [
      antennaOf('2010-01-01T00:00Z', { 'Antenna Reference Point': 'BAM', [UP]: '0.12345' }),
    ];
    await service.importText(fixture('RND0', PLACE, { antennas }));
    const rounded = (
      await notesOf('/exports/sites.snx?site=RND0&blankEccentricity=unknown')
    ).filter((each) => each.includes('is written as'));
    t.same(rounded, []);
  });

  await t.test('a position', async (t) => {
    await service.importText(fixture('FLAT', placeOf('-000012.40', '+0064359.99')));
    t.match(await notesOf('/exports/sites.snx?site=FLAT'), [
      'no line in SITE/ID: X, Y, Z and height unknown',
    ]);
    t.ok(
      (await notesOf('/skeletonFiles/FLAT.SKL?version=3.05')).includes(
        'X, Y, Z and height unknown',
      ),
    );
  });

  await t.test('a gap is bridged to a line only', async (t) => {
    const receivers = [{ type: 'LEICA GR25', serial: '1', from: '2010-01-01T00:00Z' }];
    const point = { 'Antenna Reference Point': 'BAM' };
    const antennas = [
      antennaOf('2010-01-01T00:00Z', { ...point, ...ECC }, { to: '2011-01-01T00:00Z' }),
      antennaOf('2011-01-01T06:00Z', { ...point, [UP]: '0.1' }),
    ];
    await service.importText(fixture('LAST', PLACE, { receivers, antennas }));
    const url = '/exports/sites.station-info?site=LAST&blankEccentricity=unknown';
    const [line] = readStationInfo(t, await text(service, url));
    t.equal(line!.to, Date.UTC(2011, 0));
    t.ok(
      (await notesOf(url)).includes(
        'no line from 2011-01-01T00:00:00Z to 2011-01-01T06:00:00Z: no antenna',
      ),
    );
  });

  await t.test('years that a format cannot say', async (t) => {
    // Without a date of installation, they are in use from the first date in the log.
    const receivers = [{ type: 'LEICA GR25', serial: '1' }];
    const antenna = antennaOf('', { 'Antenna Reference Point': 'BAM', ...ECC });
    await service.importText(
      fixture('OLD0', PLACE, {
        receivers,
        antennas: [{ ...antenna, to: '2060-01-01T00:00Z' }],
        clocks: [
          { type: 'INTERNAL', from: '1970-01-01', to: '1975-01-01' },
          { type: 'INTERNAL', from: '1975-01-01' },
        ],
      }),
    );
    const info = await notesOf('/exports/sites.station-info?site=OLD0');
    const years = info.filter((each) => each.includes('GAMIT'));
    t.same(years, [
      'no line from 1970-01-01T00:00:00Z to 1975-01-01T00:00:00Z: GAMIT reads no year before 1980',
      'start 1975-01-01T00:00:00Z is written as 1980, the first year that GAMIT reads',
    ]);
    const sinex = await text(service, '/exports/sites.snx?site=OLD0');
    t.equal(readSinex(t, sinex)['SITE/ANTENNA'][0]!.to, null);
    t.match(sinex, 'end 2060-01-01T00:00:00Z of antennas is written as open');
  });
});

t.test('GET /exports/offsets.csv compares up, north and east each by itself', async (t) => {
  const service = await openService(t);
  const receivers = [{ type: 'LEICA GR25', serial: '1', from: '2001-01-01T00:00Z' }];
  const EMPTY = { [UP]: '', [NORTH]: '', [EAST]: '' };
  const importHistory = (id: string, history: Record<string, string>[]): Promise<unknown> => {
    const antennas = history.map((more, index) =>
      antennaOf(
        `${2001 + index}-01-01T00:00Z`,
        { 'Antenna Reference Point': 'BAM', ...EMPTY, ...more },
        index + 1 < history.length ? { to: `${2002 + index}-01-01T00:00Z` } : {},
      ),
    );
    return service.importText(fixture(id, PLACE, { receivers, antennas }));
  };
  const rowsOf = async (query: string): Promise<string[]> => {
    const lines = (
      await text(service, `/exports/offsets.csv?blankEccentricity=unknown&${query}`)
    ).split('\r\n');
    return lines.slice(1, -1).map((line) => {
      const [, , at, , , kind, before, after] = line.split(',');
      return [at!.slice(0, 4), kind, before, after].join(',');
    });
  };
  const notesOf = async (query: string): Promise<string[]> =>
    (await notesIn(service, `/exports/offsets.csv?blankEccentricity=unknown&${query}`)).map(
      (each) => each.text,
    );

  await t.test('a change of up counts although north and east are unknown', async (t) => {
    await importHistory('STEP', [{ [UP]: '0.115' }, { [UP]: '0.121' }, { [UP]: '0.118' }]);
    const [first, second] = [
      '2002,eccentricity,0.1150 unknown unknown,0.1210 unknown unknown',
      '2003,eccentricity,0.1210 unknown unknown,0.1180 unknown unknown',
    ];
    t.same(await rowsOf('site=STEP'), [first, second]);
    t.same(await rowsOf('site=STEP&from=2003-01-01'), [second], 'a period has its beginning');
    t.same(await rowsOf('site=STEP&to=2003-01-01'), [first], 'and not its end');
    t.same(await notesOf('site=STEP'), [], 'unknown on both sides is no change');
    t.match(
      await text(service, '/exports/offsets.snx?blankEccentricity=unknown&site=STEP'),
      /\n STEP {2}A {4}1 P 00:000:00000 02:001:00000 P - eccentricity\n STEP {2}A {4}2 P 02:001:00000 03:001:00000 P - eccentricity\n/,
    );
  });

  await t.test('blank north and east count as 0 unless they are to be unknown', async (t) => {
    const flat = { [NORTH]: '0', [EAST]: '0' };
    await importHistory('BLNK', [{ [UP]: '0.1' }, { ...flat, [UP]: '0.1' }, { [UP]: '0.2' }]);
    const url = '/exports/offsets.csv?site=BLNK';
    const body = await text(service, url);
    t.match(body, /,eccentricity,0\.1000 0\.0000 0\.0000,0\.2000 0\.0000 0\.0000\r\n$/);
    t.equal(body.split('\r\n').length, 3, 'one change');
    t.same(
      (await notesIn(service, url)).map((each) => each.text),
      ['north and east eccentricity blank in the log: taken as 0'],
    );
  });

  await t.test('a value that is unknown on one side is a note', async (t) => {
    const known = { [UP]: '0.1', [NORTH]: '0', [EAST]: '0' };
    await importHistory('SIDE', [{ [UP]: '0.1' }, known, { [NORTH]: '0', [EAST]: '0' }]);
    t.same(await rowsOf('site=SIDE'), []);
    const firstNote =
      'north and east eccentricity unknown from 2001-01-01T00:00:00Z to 2002-01-01T00:00:00Z: a change cannot be seen';
    const secondNote =
      'up eccentricity unknown from 2003-01-01T00:00:00Z to now: a change cannot be seen';
    t.same((await notesOf('site=SIDE')).toSorted(), [firstNote, secondNote]);
    t.same(await notesOf('site=SIDE&from=2002-06-01'), [secondNote], 'for the time asked for');
    t.same(await notesOf('site=SIDE&to=2001-06-01'), []);
    t.match(
      await text(service, '/exports/offsets.snx?blankEccentricity=unknown&site=SIDE'),
      /^ SIDE: up eccentricity unknown/m,
    );
  });

  await t.test('a change during an unknown time is dated at its end', async (t) => {
    const flat = { [NORTH]: '0', [EAST]: '0' };
    await importHistory('HOLE', [
      { ...flat, [UP]: '0.1' },
      flat,
      { ...flat, [UP]: '0.2' },
      EMPTY,
      { ...flat, [UP]: '0.2' },
    ]);
    t.same(await rowsOf('site=HOLE'), [
      '2003,eccentricity,0.1000 0.0000 0.0000,0.2000 0.0000 0.0000',
    ]);
    t.same(await notesOf('site=HOLE'), [
      'up eccentricity unknown from 2002-01-01T00:00:00Z to 2003-01-01T00:00:00Z: the change of up from 0.1000 to 0.2000 is dated at the end',
      'up, north and east eccentricity unknown from 2004-01-01T00:00:00Z to 2005-01-01T00:00:00Z: a change cannot be seen',
    ]);
  });
});

/** The sample network, for the tests that change nothing. */
const sample = await openService(t, [SAMPLE]);

t.test('/exports/sites.rinex.zip has a header for each Site with a Setup', async (t) => {
  const response = await sample.app.inject(
    '/exports/sites.rinex.zip?version=4.01&markerName=four&organisation=ME',
  );
  t.equal(response.headers['content-type'], 'application/zip');
  const files = readZip(response.rawPayload);
  t.equal(
    files.size,
    (await text(sample, '/exports/setups.ndjson?current=true')).trim().split('\n').length,
  );
  const header = readHeader(t, files.get('ALIC.skl')!);
  t.equal(header.get('MARKER NAME')!.trim(), 'ALIC');
  t.match(header.get('PGM / RUN BY / DATE'), /^gnss-site-setups {4}ME {18}\d{8} \d{6} UTC $/);
  t.equal((await sample.get('/exports/sites.rinex.zip?at=yesterday')).statusCode, 400);
  t.match(await notesIn(sample, '/exports/sites.rinex.zip?at=1800-01-01&site=ALIC'), [
    { site: 'ALIC', text: 'no header: the Site has no Setup at that time' },
  ]);
});

t.test('the pages of a Site link to its files, at the instant that they show', async (t) => {
  const linksOf = async (url: string): Promise<string[]> => {
    const { body } = await sample.get(url, { accept: 'text/html' });
    const found = body.matchAll(
      /href="\.\.(\/(?:exports\/(?:sites\.s|offsets)|skeletonFiles)[^"]*)"/g,
    );
    const links = [...found].map(([, link]) => link!.replaceAll('&amp;', '&'));
    for (const link of links) t.equal((await sample.get(link)).statusCode, 200, link);
    return links;
  };
  t.equal((await linksOf('/sites/ALIC')).length, 8);
  const at = 'at=2013-01-01T00:00:00Z';
  const links = (await linksOf(`/sites/ALIC?${at}`)).map(decodeURIComponent);
  const timeless = links.filter((link) => !link.includes(at)).map((link) => link.slice(0, 17));
  t.same(timeless, Array(3).fill('/exports/offsets.'));
  const notes = links.filter((link) => link.includes('.notes?'));
  t.same(
    notes.map((link) => link.replace('.notes', '')),
    links.filter((link) => /sta\?|csv\?/.test(link)),
    'each file without comments, with the same query',
  );
  t.ok(
    links.some(
      (link) => link.startsWith('/skeletonFiles/ALIC.SKL?') && link.includes('version=3.05'),
    ),
  );
});

t.test('the files have the Sites that the list of Sites has', async (t) => {
  for (const query of [
    'site=ALIC&site=nya1',
    'countryCode=AUS',
    'bbox=110,-45,155,-10',
    'near=-23.67,133.88&radius=100',
    'q=trimble',
  ]) {
    const sites = elementsIn((await sample.get(`/corsSites?${query}`)).json<Paged<CorsSite>>());
    const ids = sites.map(({ fourCharacterId }) => fourCharacterId).sort();
    t.ok(ids.length > 0 && ids.length < 8, query);
    const written = readSinex(t, await text(sample, `/exports/sites.snx?${query}`))['SITE/ID'].map(
      ({ site }) => site.slice(0, 4),
    );
    const offsets = (await text(sample, `/exports/offsets.csv?${query}`))
      .split('\r\n')
      .slice(1, -1);
    const others = offsets.map((line) => line.slice(0, 4)).filter((id) => !ids.includes(id));
    t.same([written, others], [ids, []], query);
  }
});

t.test('lines and notes of a Site are the same however many Sites a file has', async (t) => {
  const service = await openService(t, [SAMPLE], { clock: () => new Date('2026-01-01T00:00:00Z') });
  const paths = ['sites.snx', 'sites.sta', 'sites.sta.notes', 'offsets.snx'];
  const files = (): Promise<string[]> =>
    Promise.all(paths.map((path) => text(service, `/exports/${path}`)));
  const few = await files();
  // More are not read at once for all parts of a file. They have no equipment.
  const others = Array.from({ length: 2500 }, (_, index) => ({
    id: 1000 + index,
    four_character_id: (36 ** 3 + index).toString(36).toUpperCase(),
    name: 'OTHER',
    latitude: 1,
    longitude: 1,
    elevation: 1,
    former_ids: '[]',
    last_event: 0,
  }));
  await rawDatabase(service.database).insert('site', others);
  const many = await files();
  const isOther = (line: string): boolean => / OTHER /.test(line);
  t.equal(many[0]!.split('\n').filter(isOther).length, others.length);
  t.same(
    many.map((file) =>
      file
        .split('\n')
        .filter((line) => !isOther(line))
        .join('\n'),
    ),
    few,
  );
});

t.test('/exports/offsets has the changes of antenna, radome and eccentricity', async (t) => {
  const lines = (await text(sample, '/exports/offsets.csv?site=ALIC')).split('\r\n');
  t.same(lines, [
    'fourCharacterId,nineCharacterId,epoch,decimalYear,modifiedJulianDay,kind,before,after',
    'ALIC,,2011-07-20T00:00:00Z,2011.547945,55762.00000,antenna,AOAD/M_T 318,LEIAR25.R3 09370001',
    'ALIC,,2011-07-20T00:00:00Z,2011.547945,55762.00000,eccentricity,0.0070 0.0000 0.0000,0.0015 0.0000 0.0000',
    '',
  ]);
  const all = await text(
    sample,
    '/exports/offsets.csv?site=ALIC&receiverChanges=true&firmwareChanges=true&from=2016-01-01',
  );
  t.match(all, 'receiver,LEICA GRX1200GGPRO 355318,LEICA GR25 1830439');
  t.match(all, 'firmware,8.71/3.822,6.521');
  t.notMatch(all, 'radome');
  const sinex = await text(sample, '/exports/offsets.snx?site=ALIC');
  t.match(sinex, '\n ALIC  A    1 P 00:000:00000 11:201:00000 P - antenna, eccentricity\n');
  t.match(
    sinex,
    /\n ALIC {2}A {4}2 P 11:201:00000 00:000:00000 P -\n-SOLUTION\/DISCONTINUITY\n%ENDSNX\n$/,
  );
});

t.test('/station/log/ and /station/oldlog/ are folders that can be mirrored', async (t) => {
  const imported = new Date('2026-01-02T03:04:05.678Z');
  const service = await openService(t);
  await service.importPaths([SAMPLE], new Date('2026-01-01'));
  await service.importText({ id: 'FOUR', prepared: '2019-01-01' }, 'a.log', imported);
  await service.importText({ id: 'FOUR', prepared: '2020-01-01' }, 'b.log', imported);
  const names = (await text(service, '/station/log/?list')).split('\n').slice(0, -1);
  t.equal(names.length, readdirSync(SAMPLE).length + 1);
  t.ok(names.includes('alic_20170223.log') && names.includes('four_20200101.log'));
  const index = await service.get('/station/log/');
  t.match(index.headers, {
    ...FIXED_HEADERS,
    'content-type': 'text/html;charset=UTF-8',
    'last-modified': 'Fri, 02 Jan 2026 03:04:05 GMT',
  });
  const linked = [...index.body.matchAll(/<a href="([^"]*)">/g)].map(([, name]) => name);
  t.same(linked, names);
  t.equal(await text(service, '/station/oldlog/?list'), 'four_20190101.log\n');
  const log = await service.get('/station/log/four_20200101.log');
  t.match(log.body, /Four Character ID {8}: FOUR/);
  t.match(log.headers, { ...FIXED_HEADERS, 'last-modified': 'Fri, 02 Jan 2026 03:04:05 GMT' });
  const since = (time: string) =>
    service.get('/station/log/four_20200101.log', { 'if-modified-since': time });
  t.equal((await since('Fri, 02 Jan 2026 03:04:05 GMT')).statusCode, 304);
  t.equal((await since('Fri, 02 Jan 2026 03:04:04 GMT')).statusCode, 200);
  t.equal((await since('yesterday')).statusCode, 200);
  for (const name of [
    'four_20190101.log',
    'FOUR_20200101.log',
    'four_20200101.log.gz',
    'four.log',
    '..%2fhealth',
  ]) {
    t.equal((await service.get(`/station/log/${name}`)).statusCode, 404, name);
  }
  t.equal((await service.get('/station/other/')).statusCode, 404);
  const redirect = await service.get('/station/log');
  t.same([redirect.statusCode, redirect.headers.location], [301, 'log/']);

  // The same name has an earlier content again: a mirror must fetch it.
  await service.importText(
    { id: 'FOUR', prepared: '2020-01-01', name: 'Corrected' },
    'c.log',
    new Date('2026-02-02T03:04:05Z'),
  );
  t.equal(
    (await service.get('/station/log/four_20200101.log')).headers['last-modified'],
    'Mon, 02 Feb 2026 03:04:05 GMT',
  );
  const started = Math.floor(Date.now() / 1000) * 1000;
  const [newest] = elementsIn(
    (await service.get('/siteLogs?fourCharacterId=FOUR')).json<Paged<{ id: number }>>(),
  );
  await correct(service, 'FOUR', { kind: 'withdraw', log: newest!.id });
  const after = await since('Mon, 02 Feb 2026 03:04:05 GMT');
  t.equal(after.statusCode, 200);
  t.ok(
    Date.parse(after.headers['last-modified'] as string) >= started,
    'the time of the correction',
  );
  t.notMatch(after.body, 'Corrected');
});

/** A log with the DOMES number of a fixture replaced. */
const withDomes = (log: string, domesNumber: string): string =>
  log.replace('12345M001', domesNumber);

/** A receiver that is in use all the time. */
const RECEIVER = { type: 'LEICA GR25', serial: '1', from: '2010-01-01T00:00Z' };

t.test('a blank north or east of a text log is written as 0 if up is known', async (t) => {
  const service = await openService(t);
  const point = { 'Antenna Reference Point': 'BAM' };
  const history = [
    { ...point, [UP]: '0.1' },
    { ...point, [UP]: '0.2', [NORTH]: '-0.3' },
    { ...point, [NORTH]: '0.4', [EAST]: '0.5' },
    { ...point, ...ECC },
    point,
    { ...point, [UP]: '0.6' },
  ];
  const antennas = history.map((more, index) =>
    antennaOf(
      `${2010 + index}-01-01T00:00Z`,
      more,
      index + 1 < history.length ? { to: `${2011 + index}-01-01T00:00Z` } : {},
    ),
  );
  // The receiver changes within the first time and the last one, which stay one time each.
  const change = ['2010-07-01T00:00Z', '2015-07-01T00:00Z'] as const;
  const receivers = [
    { ...RECEIVER, to: change[0] },
    { ...RECEIVER, type: 'TRIMBLE NETR9', from: change[0], to: change[1] },
    { ...RECEIVER, type: 'SEPT POLARX5', from: change[1] },
  ];
  await service.importText(fixture('ZERO00STP', PLACE, { receivers, antennas }));
  const year = (number: number): string => `${number}-01-01T00:00:00Z`;
  const notesAbout = async (url: string, word: RegExp): Promise<string[]> =>
    (await notesIn(service, url)).map((each) => each.text).filter((each) => word.test(each));

  const assumed = (names: string): string => `${names} eccentricity blank in the log: taken as 0`;
  /** Up, north and east of each line. */
  const read = async (url: string): Promise<string[]> => {
    const body = await text(service, url);
    if (url.includes('station-info'))
      return readStationInfo(t, body).map(({ fields }) =>
        [fields['Ant Ht'], fields['Ant N'], fields['Ant E']].join(' '),
      );
    const lines = url.includes('.snx') ? readSinex(t, body)['SITE/ECCENTRICITY'] : readSta(t, body);
    return lines.map(({ fields }) => [fields.up, fields.north, fields.east].join(' '));
  };
  for (const [file, noLine] of [
    ['sites.snx', 'no line in SITE/ECCENTRICITY'],
    ['sites.station-info', 'no line'],
    ['sites.sta', 'no line'],
    ['sites.sta?version=1.01', 'no line'],
  ] as const) {
    const zero = `/exports/${file}`;
    const unknown = `${zero}${zero.includes('?') ? '&' : '?'}blankEccentricity=unknown`;
    t.same([...new Set(await read(unknown))], ['1.1000 -2.2000 3.3000'], unknown);
    const values = ['0.1000 0.0000 0.0000', '0.2000 -0.3000 0.0000', '1.1000 -2.2000 3.3000'];
    t.same([...new Set(await read(zero))], [...values, '0.6000 0.0000 0.0000'], zero);
    const asked = unknown.replace('=unknown', '=zero');
    t.equal(await text(service, asked), await text(service, zero), 'the default');
    t.same(await notesAbout(zero, /taken as 0/), [assumed('north and east')], 'one note a file');
    t.same(await notesAbout(unknown, /taken as 0/), [], unknown);
    const absent = [
      `${noLine} from ${year(2012)} to ${year(2013)}: up eccentricity unknown (north is 0.4 and east is 0.5)`,
      `${noLine} from ${year(2014)} to ${year(2015)}: up, north and east eccentricity unknown`,
    ];
    t.same(await notesAbout(zero, /^no line/), absent, `${zero}: never for up`);
    const inTime = `${asked}&from=2011-02-01&to=2011-03-01`;
    t.same(await notesAbout(inTime, /eccentricity/), [assumed('east')], 'of the time asked for');
    const without = `${asked}&from=2013-02-01&to=2013-03-01`;
    t.same(await notesAbout(without, /eccentricity/), [], 'nothing is assumed');
  }

  const header = (query: string): string => `/skeletonFiles/ZERO.SKL?${query}`;
  const RECORD = 'ANTENNA: DELTA H/E/N';
  for (const version of ['2.11', '3.05', '4.01']) {
    const asked = `version=${version}&at=2011-06-01`;
    const unknown = header(`${asked}&blankEccentricity=unknown`);
    t.notOk(readHeader(t, await text(service, unknown)).has(RECORD), version);
    const zero = header(asked);
    const records = readHeader(t, await text(service, zero));
    t.equal(records.get(RECORD)!.trimEnd(), '        0.2000        0.0000       -0.3000');
    t.same(await notesAbout(zero, /eccentricity/), [
      `east eccentricity blank in the log from ${year(2011)} to ${year(2012)}: taken as 0`,
    ]);
  }
  const complete = await text(service, header('at=2012-06-01&blankEccentricity=unknown'));
  t.match(complete, /^ {5}3\.05 /, 'a complete header, which can say so');
  t.notOk(readHeader(t, complete).has(RECORD), 'never for up');
  t.match(complete, /^ZERO00STP: no ANTENNA: DELTA H\/E\/N from .*COMMENT {13}$/m);
  const zip = await service.get('/exports/sites.rinex.zip?version=2.11');
  t.match(zip.body, /^ {8}0\.6000 {8}0\.0000 {8}0\.0000 {18}ANTENNA: DELTA H\/E\/N$/m);

  const skeleton = await text(service, '/skeletonFiles/ZERO.SKL?at=2011-06-01');
  t.match(skeleton, /^ {8}0\.2000 {8}0\.0000 {7}-0\.3000 {18}ANTENNA: DELTA H\/E\/N$/m);
  t.match(skeleton, /^east eccentricity blank .*COMMENT$/m, 'a skeleton says so');
  const known = await text(service, '/skeletonFiles/ZERO.SKL?at=2013-06-01');
  t.notMatch(known, 'COMMENT', 'but nothing where nothing is assumed');

  for (const url of [
    '/exports/sites.snx?blankEccentricity=',
    '/exports/sites.sta?blankEccentricity=0',
    '/exports/setups.csv?blankEccentricity=zero',
    '/corsSites?blankEccentricity=zero',
  ])
    t.equal((await service.get(url)).statusCode, 400, url);
});

t.test('DOMES numbers of agencies stand as they are', async (t) => {
  const service = await openService(t);
  const numbers = {
    AGEN: 'AUM000008',
    IERS: '12345M001',
    MARK: '12345S001',
    OLD0: '12345A001',
    LESS: 'ABCDE1234',
    NINE: '888000123',
    LIKE: '999999999',
    ZERS: '00000M000',
    SHRT: '1234M001',
    LOWR: '12345m001',
    LONG: '12345M0010',
  };
  const receivers = [RECEIVER];
  const antennas = [antennaOf(RECEIVER.from, { 'Antenna Reference Point': 'BAM', ...ECC })];
  for (const [id, number] of Object.entries(numbers))
    await service.importText(withDomes(fixture(id, PLACE, { receivers, antennas }), number));
  const written: Record<string, string> = {
    AGEN: 'AUM000008',
    IERS: '12345M001',
    MARK: '12345S001',
    OLD0: '12345A001',
    NINE: '888000123',
  };
  const ids = Object.keys(numbers).sort();
  const sinex = await text(service, '/exports/sites.snx');
  t.same(
    readSinex(t, sinex)['SITE/ID'].map(({ fields }) => fields.domes),
    ids.map((id) => written[id] ?? '---------'),
  );
  const sta = readSta(t, await text(service, '/exports/sites.sta'));
  t.same(
    sta.map(({ site }) => site),
    ids.map((id) => `${id} ${written[id] ?? ''}`.trim()),
  );
  for (const version of ['2.11', '3.05'])
    for (const id of ids) {
      const url = `/skeletonFiles/${id}.SKL?version=${version}`;
      const found = readHeader(t, await text(service, url))
        .get('MARKER NUMBER')
        ?.trim();
      t.equal(found, written[id], url);
    }

  const form = 'not of the IERS form (five digits, M or S, three digits)';
  const leftOut = ids.filter((id) => written[id] === undefined);
  const notNine = 'it does not have nine capital letters or digits';
  const why: Record<string, string> = {
    LESS: 'it has fewer than five digits',
    LIKE: 'its digits are all alike',
    LONG: notNine,
    LOWR: notNine,
    SHRT: notNine,
    ZERS: 'its digits are all alike',
  };
  const summary = {
    site: 'AGEN',
    text: `DOMES number "AUM000008" and 2 others of this file are ${form}; they are written as they are`,
  };
  for (const url of ['/exports/sites.snx', '/exports/sites.sta']) {
    const notes = (await notesIn(service, url)).filter((each) => /DOMES/.test(each.text));
    t.same(notes.at(-1), summary, 'one note with the count');
    const others = notes.slice(0, -1);
    t.same(
      others.map(({ site }) => site),
      leftOut,
    );
    t.same(
      others.map((each) => each.text),
      leftOut.map(
        (id) => `DOMES number "${numbers[id as keyof typeof numbers]}" is left out: ${why[id]}`,
      ),
    );
  }
  t.equal(sinex.match(/written as they are|others of this file/g)!.length, 2, 'on two lines');
  const alone = [
    { site: 'AGEN', text: `DOMES number "AUM000008" is ${form}; it is written as it is` },
  ];
  for (const url of ['/exports/sites.snx?site=AGEN', '/skeletonFiles/AGEN.SKL?version=3.05']) {
    const notes = (await notesIn(service, url)).filter((each) => /DOMES/.test(each.text));
    t.same(notes, alone, url);
  }
  const [two] = await notesIn(service, '/exports/sites.snx?site=AGEN&site=NINE');
  t.equal(
    two!.text,
    `DOMES number "AUM000008" and 1 other of this file are ${form}; they are written as they are`,
  );
  const iers = await notesIn(service, '/exports/sites.snx?site=IERS&site=MARK');
  t.same(iers, [], 'the form of the IERS is no note');
});

t.test('sites.snx of a time has the Sites that have a line in another block then', async (t) => {
  const service = await openService(t);
  const during = { from: '2010-01-01T00:00Z', to: '2012-01-01T00:00Z' };
  await service.importText(
    fixture('RECV', PLACE, { receivers: [{ ...RECEIVER, ...during }], antennas: [] }),
  );
  await service.importText(
    withDomes(
      fixture('ANTN', PLACE, { receivers: [], antennas: [antennaOf('2011-01-01T00:00Z', ECC)] }),
      'AUM000009',
    ),
  );
  await service.importText(fixture('BARE', PLACE, { receivers: [], antennas: [] }));
  const listed = async (query: string): Promise<string> =>
    readSinex(t, await text(service, `/exports/sites.snx?${query}`))
      ['SITE/ID'].map(({ fields }) => fields.site)
      .join();
  t.equal(await listed(''), 'ANTN,BARE,RECV', 'of all times, all Sites');
  t.equal(await listed('at=2009-12-31'), '');
  t.equal(await listed('at=2010-01-01'), 'RECV');
  t.equal(await listed('at=2011-06-01'), 'ANTN,RECV');
  t.equal(await listed('at=2012-01-01'), 'ANTN', 'the end is exclusive');
  t.equal(await listed('from=2005-01-01&to=2010-01-01'), '');
  t.equal(await listed('from=2005-01-01&to=2010-01-02'), 'RECV');
  t.same(await notesIn(service, '/exports/sites.snx?at=2010-06-01'), [], 'nor notes about others');
});

t.test('REC # in STA has the last six digits, right-justified, or 999999', async (t) => {
  const service = await openService(t);
  const serials = ['S1234567', '42', '000123', '0', '', 'ABC', 'A1B2-3'];
  const day = (index: number): string => `2010-01-${String(index + 1).padStart(2, '0')}T00:00Z`;
  const receivers = serials.map((serial, index) => ({
    ...RECEIVER,
    serial,
    from: day(index),
    to: day(index + 1),
  }));
  const antennas = [antennaOf(RECEIVER.from, { 'Antenna Reference Point': 'BAM', ...ECC })];
  await service.importText(fixture('RECN', PLACE, { receivers, antennas }));
  const body = await text(service, '/exports/sites.sta');
  const lines = body.split('\n').filter((line) => /^RECN .{64}LEICA/.test(line));
  t.same(
    lines.map((line) => line.slice(113, 119)),
    ['234567', '    42', '   123', '     0', '999999', '999999', '   123'],
  );
  t.same(new Set(lines.map((line) => line.slice(165, 171))), new Set(['999999']), 'ANT #');
});

t.test('in SINEX, no note stands twice for a Site', async (t) => {
  const service = await openService(t);
  const odd = { ...ECC, 'Antenna Radome Type': 'cone', [UP]: '0.12345' };
  const antennas = [
    antennaOf('2010-01-01T00:00Z', odd, { to: '2011-01-01T00:00Z', serial: '1' }),
    antennaOf('2011-01-01T00:00Z', { ...odd, [NORTH]: '' }, { serial: '2' }),
    antennaOf('2012-01-01T00:00Z', odd, { serial: '3' }),
  ];
  const firmware = { 'Firmware Version': '1.23 with more' };
  const receivers = ['2010', '2011', '2012'].map((year) => ({
    ...RECEIVER,
    serial: year,
    from: `${year}-01-01T00:00Z`,
    more: firmware,
  }));
  await service.importText(withDomes(fixture('ONCE', PLACE, { receivers, antennas }), 'AUM000010'));
  const notes = (await notesIn(service, '/exports/sites.snx')).map((each) => each.text);
  t.ok(notes.length > 5, String(notes.length));
  t.equal(new Set(notes).size, notes.length);
  const comments = (await text(service, '/exports/sites.snx'))
    .split('\n')
    .filter((line) => line.startsWith(' ONCE: '));
  t.equal(comments.length, notes.length);
  t.equal(new Set(comments).size, comments.length);
});

t.test('firmware has the blanks of the log where the columns have room', async (t) => {
  const service = await openService(t);
  const versions = [
    'Nav  1.3',
    'Nav  1.30 /  B 1',
    'Nav   1.30  / Boot   1.2',
    'Nav 1.30 / Boot 1.2345',
  ];
  const receivers = versions.map((version, index) => ({
    ...RECEIVER,
    serial: String(index),
    from: `${2010 + index}-01-01T00:00Z`,
    to: `${2011 + index}-01-01T00:00Z`,
    more: { 'Firmware Version': version },
  }));
  const antennas = [antennaOf(RECEIVER.from, { 'Antenna Reference Point': 'BAM', ...ECC })];
  await service.importText(fixture('FIRM', PLACE, { receivers, antennas }));
  const firmwareIn = async (file: string): Promise<(string | undefined)[]> => {
    const body = await text(service, `/exports/sites.${file}`);
    if (file === 'snx')
      return readSinex(t, body)['SITE/RECEIVER'].map((line) => line.fields.firmware);
    if (file === 'sta') return readSta(t, body).map((line) => line.fields.remark);
    return readStationInfo(t, body).map((line) => line.fields.Vers);
  };
  t.same(await firmwareIn('sta'), versions, '24 columns');
  t.same(await firmwareIn('station-info'), [
    ...versions.slice(0, 2),
    'Nav 1.30 / Boot 1.2',
    'Nav 1.30 / Boot 1.23',
  ]);
  t.same(await firmwareIn('snx'), ['Nav  1.3', 'Nav 1.30 /', 'Nav 1.30 /', 'Nav 1.30 /'], '11');
  const cut = async (url: string): Promise<string[]> =>
    (await notesIn(service, url)).map((each) => each.text).filter((each) => /firmware/.test(each));
  t.same(await cut('/exports/sites.sta'), []);
  t.same(await cut('/exports/sites.station-info'), [
    `firmware "${versions[3]!}" is cut to "Nav 1.30 / Boot 1.23"`,
  ]);
  t.same(
    await cut('/exports/sites.snx'),
    versions.slice(1).map((version) => `firmware "${version}" is cut to "Nav 1.30 /"`),
    'the firmware as in the log',
  );
  for (const query of ['', '&version=3.05'])
    t.match(
      await text(service, `/skeletonFiles/FIRM.SKL?at=2010-06-01${query}`),
      /^0 {19}LEICA GR25 {10}Nav {2}1\.3 {12}REC # \/ TYPE \/ VERS/m,
      query,
    );
  t.match(
    await text(service, '/skeletonFiles/FIRM.SKL?at=2012-06-01'),
    'LEICA GR25          Nav 1.30 / Boot 1.2 REC # / TYPE / VERS\n',
  );
  const setups = elementsIn((await service.get('/setups?site=FIRM')).json<Paged<Setup>>());
  const [first] = setups;
  const [site] = elementsIn((await service.get('/corsSites')).json<Paged<CorsSite>>());
  for (const setup of setups.slice(0, versions.length)) {
    const at = setup.effectivePeriod.from;
    const records = headerLinesOf(
      await text(service, `/skeletonFiles/FIRM.SKL?version=3.05&at=${at}`),
    );
    const compared = compareHeader(
      readRinexHeader(records!),
      site!,
      [],
      intervalOf(setup, { isText: true }),
    );
    const { status, header } = compared.find(({ field }) => field === 'firmwareVersion')!;
    t.match(status, /^equal/, `${header!}: what we write is not reported`);
  }
  t.match(JSON.stringify(first), '"firmwareVersion":"Nav  1.3"', 'in the API');
});

t.test('/station/finallog/ has the logs of retired Sites', async (t) => {
  const service = await openService(t);
  const imported = new Date('2026-01-02T03:04:05Z');
  for (const [id, prepared] of [
    ['GONE00AUS', '2018-01-01'],
    ['GONE00AUS', '2019-01-01'],
    ['GONE00AUS', '2020-01-01'],
    ['HERE', '2020-01-01'],
  ] as const)
    await service.importText({ id, prepared }, `${id}-${prepared}.log`, imported);
  const list = (folder: string): Promise<string> => text(service, `/station/${folder}/?list`);
  t.same(await Promise.all(['log', 'oldlog', 'finallog'].map(list)), [
    'gone00aus_20200101.log\nhere_20200101.log\n',
    'gone00aus_20180101.log\ngone00aus_20190101.log\n',
    '',
  ]);
  t.equal((await service.get('/station/finallog/gone00aus_20200101.log')).statusCode, 404);

  // The newest log comes first.
  const logs = elementsIn(
    (await service.get('/corsSites/1/siteLogs')).json<Paged<{ id: number }>>(),
  );
  await correct(service, 'GONE', { kind: 'withdraw', log: logs.at(-1)!.id });
  const before = Math.floor(Date.now() / 1000) * 1000;
  await correct(service, 'GONE', { kind: 'retire' });
  t.same(await Promise.all(['log', 'oldlog', 'finallog'].map(list)), [
    'here_20200101.log\n',
    '',
    'gone00aus_20190101.log\ngone00aus_20200101.log\n',
  ]);
  const log = await service.get('/station/finallog/gone00aus_20200101.log');
  t.match(log.body, /Nine Character ID {8}: GONE00AUS/);
  t.match(log.headers, FIXED_HEADERS);
  t.ok(Date.parse(log.headers['last-modified'] as string) >= before, 'when it was retired');
  for (const path of ['log/gone00aus_20200101.log', 'finallog/gone00aus_20180101.log'])
    t.equal((await service.get(`/station/${path}`)).statusCode, 404, path);
  const redirect = await service.get('/station/finallog');
  t.same([redirect.statusCode, redirect.headers.location], [301, 'finallog/']);
  t.match((await service.get('/station/finallog/')).body, /<a href="gone00aus_20190101\.log">/);

  await correct(service, 'GONE', { kind: 'unretire' });
  t.equal(await list('finallog'), '');
  t.match(await list('log'), 'gone00aus_20200101.log\n');
});

t.test('a path that was guessed names the path of the export', async (t) => {
  const detailOf = async (path: string): Promise<string> => {
    const { statusCode, body } = await sample.get(path);
    const problem = JSON.parse(body) as Problem;
    t.same([statusCode, violations('Problem', problem)], [404, []], path);
    return problem.detail!;
  };
  for (const [guessed, meant] of [
    ['/exports/stations.snx', 'sites.snx'],
    ['/exports/igs.sinex', 'sites.snx'],
    ['/exports/snx', 'sites.snx'],
    ['/exports/station.info', 'sites.station-info'],
    ['/exports/station-info', 'sites.station-info'],
    ['/exports/STATION.INFO', 'sites.station-info'],
    ['/station.info', 'sites.station-info'],
    ['/exports/stations.sta', 'sites.sta'],
    ['/exports/ALIC.STA', 'sites.sta'],
    ['/exports/rinex.zip', 'sites.rinex.zip'],
    ['/exports/ALIC.skl', 'sites.rinex.zip'],
    ['/exports/discontinuities.snx', 'offsets.snx'],
    ['/exports/offset.csv', 'offsets.csv'],
    ['/exports/stations.csv', 'sites.csv'],
    ['/exports/stations.geojson', 'sites.geojson'],
    ['/stations.csv', 'sites.csv'],
    ['/exports/receivers.ndjson', 'installations.ndjson'],
    ['/exports/equipment', 'installations.csv'],
    ['/installations', 'installations.csv'],
    ['/exports/setup.csv', 'setups.csv'],
    ['/exports/change.csv', 'changes.csv'],
    ['/exports/sites', 'sites.csv'],
  ] as const) {
    const path = `/exports/${meant}`;
    t.equal(
      await detailOf(`${guessed}?site=ALIC`),
      `There is no resource at ${guessed}. Did you mean ${path}?`,
    );
    t.equal((await sample.get(`${path}?site=ALIC`)).statusCode, 200, path);
  }
  for (const path of ['/exports', '/exports/', '/exports/everything.kml']) {
    const detail = await detailOf(path);
    t.match(detail, /The exports are \/exports\/sites\.csv, .*, \/exports\/offsets\.csv\.$/, path);
    for (const [each] of detail
      .slice(detail.indexOf('The exports'))
      .matchAll(/\/exports\/[\w.-]*\w/g))
      t.equal((await sample.get(`${each}?site=ALIC`)).statusCode, 200, each);
  }
  for (const path of [
    '/robots.txt',
    '/nothing',
    '/a/stations.snx',
    `/${'x'.repeat(300)}.snx`,
    '/skeletonFiles',
  ])
    t.equal(await detailOf(path), `There is no resource at ${path.slice(0, 200)}.`, path);
  const formats = (format: string): string =>
    `There is no format "${format}" here. There are: csv, ndjson, geojson.`;
  for (const [path, format, meant] of [
    ['/exports/sites.sinex', 'sinex', ' Did you mean /exports/sites.snx?'],
    ['/exports/sites.station.info', 'station.info', ' Did you mean /exports/sites.station-info?'],
    ['/exports/setups.STA', 'STA', ' Did you mean /exports/sites.sta?'],
    ['/exports/sites.xlsx', 'xlsx', ''],
  ] as const)
    t.equal(await detailOf(path), formats(format) + meant, path);
  const page = await sample.get('/exports/station.info', { accept: 'text/html' });
  t.match(page.body, '/exports/sites.station-info', 'on the page for people');
});

t.test(
  'several items in use are noted with their time, and only where one is written',
  async (t) => {
    const service = await openService(t);
    const receivers = [
      RECEIVER,
      { ...RECEIVER, serial: '2', from: '2011-01-01T00:00Z', to: '2014-01-01T00:00Z' },
      { ...RECEIVER, serial: '3', from: '2012-01-01T00:00Z', to: '2013-01-01T00:00Z' },
    ];
    const known = { 'Antenna Reference Point': 'BAM', ...ECC };
    const antennas = [
      antennaOf(RECEIVER.from, known, { to: '2011-06-01T00:00Z' }),
      antennaOf('2011-06-01T00:00Z', { ...known, [UP]: '' }, { to: '2012-06-01T00:00Z' }),
      antennaOf('2012-06-01T00:00Z', known),
    ];
    await service.importText(fixture('MANY', PLACE, { receivers, antennas }));
    const several = (from: string, to: string): string =>
      `several receivers in use from ${from}-01T00:00:00Z to ${to}-01T00:00:00Z: the one installed last is written`;
    const notesOf = async (url: string): Promise<string[]> =>
      (await notesIn(service, url)).map((each) => each.text).filter((each) => /several/.test(each));
    t.same(await notesOf('/exports/sites.snx'), [several('2011-01', '2014-01')]);
    // Without an eccentricity, there is no line.
    const both = [several('2011-01', '2011-06'), several('2012-06', '2014-01')];
    for (const file of ['sites.station-info', 'sites.sta'])
      t.same(await notesOf(`/exports/${file}`), both, file);
    t.same(await notesOf('/exports/offsets.csv?receiverChanges=true'), [
      several('2011-01', '2014-01'),
    ]);
    t.same(await notesOf('/exports/offsets.csv'), [], 'of what is compared only');
    t.same(await notesOf('/skeletonFiles/MANY.SKL?version=3.05&at=2012-02-01'), [
      several('2012-01', '2012-06'),
    ]);
  },
);

t.test('what is so before and after a gap is one note', async (t) => {
  const service = await openService(t);
  const days = ['01', '02', '04', '05', '07'].map((day) => `2012-01-${day}T00:00:00Z`);
  const [first, second, third, fourth, fifth] = days as [string, string, string, string, string];
  const receivers = [
    { ...RECEIVER, from: first, to: second },
    { ...RECEIVER, from: third, to: fourth },
    { ...RECEIVER, from: fifth },
  ];
  const blank = { 'Antenna Reference Point': 'BAM', [UP]: '0.1', 'Alignment from True N': '' };
  const antennas = [
    antennaOf(first, blank, { to: '2012-01-03T00:00Z' }),
    antennaOf('2012-01-03T00:00Z', blank, { to: third }),
    antennaOf(third, { ...blank, ...ECC, [EAST]: '' }, { to: fourth }),
    antennaOf(fifth, blank),
  ];
  await service.importText(fixture('HOLE', PLACE, { receivers, antennas }));
  const expected = [
    'north and east eccentricity blank in the log: taken as 0',
    `no line from ${second} to ${third}: no receiver`,
    `alignment from true north unknown from ${first} to now`,
  ];
  const found = (await notesIn(service, '/exports/sites.sta')).map((each) => each.text);
  t.same(found.toSorted(), expected.toSorted(), 'another value in between is not a gap');
  const alone = await notesIn(service, `/exports/sites.sta?at=${third}`);
  t.same(alone.map((each) => each.text).toSorted(), [
    `alignment from true north unknown from ${third} to ${fourth}`,
    'east eccentricity blank in the log: taken as 0',
  ]);
});

t.test('what is so over a bridged gap is one note', async (t) => {
  const service = await openService(t);
  const receivers = [
    { ...RECEIVER, to: '2011-01-01T00:00Z' },
    { ...RECEIVER, from: '2011-01-01T06:00Z', to: '2012-01-01T00:00Z' },
    { ...RECEIVER, serial: '2', from: '2012-01-01T01:00Z', to: '2013-01-01T00:00Z' },
    { ...RECEIVER, serial: '2', from: '2013-01-01T01:00Z' },
  ];
  const known = { 'Antenna Reference Point': 'BAM', ...ECC };
  const antennas = [
    antennaOf(
      RECEIVER.from,
      { ...known, 'Alignment from True N': '' },
      { to: '2013-01-01T00:00Z' },
    ),
    antennaOf('2013-01-01T00:00Z', known),
  ];
  await service.importText(fixture('BRDG', PLACE, { receivers, antennas }));
  const url = '/exports/sites.station-info?antennaAzimuth=true';
  const notes = (await notesIn(service, url)).map((each) => each.text);
  t.same(
    notes.filter((each) => /alignment/.test(each)),
    ['alignment from true north unknown from 2010-01-01T00:00:00Z to 2013-01-01T01:00:00Z'],
  );
  t.equal(notes.filter((each) => /is bridged$/.test(each)).length, 3);
});

t.test('the alignment of an antenna is in SINEX as the IGS writes it', async (t) => {
  const service = await openService(t);
  const antennas = ['-169', '0', '', '10.4'].map((alignment, index) => ({
    type: 'LEIAR25.R3      NONE',
    serial: '7',
    from: `201${index}-01-01T00:00Z`,
    to: `201${index + 1}-01-01T00:00Z`,
    more: { ...ECC, 'Alignment from True N': alignment },
  }));
  await service.importText(fixture('NORT00STP', PLACE, { antennas }));
  const body = await text(service, '/exports/sites.snx');
  const lines = readSinex(t, body)['SITE/ANTENNA'];
  t.same(
    lines.map(({ fields }) => fields.daz),
    ['-169', '0', '', '10'],
    'an unknown one is blank, and a change begins a line',
  );
  const heading = body.split('\n').find((line) => line.includes('ANTENNA_TYPE'))!;
  t.equal(heading.slice(69), '_DAZ');
  const rounded = (await notesIn(service, '/exports/sites.snx')).map((each) => each.text);
  t.same(
    rounded.filter((each) => each.startsWith('alignment')),
    ['alignment from true north 10.4 is written as 10'],
  );
});

t.test('one note counts the known values for which a format has no place', async (t) => {
  const service = await openService(t);
  const receivers = [
    { serial: '1', from: '2010-01-01T00:00Z', to: '2011-01-01T00:00Z', cutoff: '5 deg' },
    { serial: '2', from: '2011-01-01T00:00Z', to: '2012-01-01T00:00Z', cutoff: '0 deg' },
    { serial: '3', from: '2012-01-01T00:00Z', cutoff: '' },
  ].map(({ cutoff, ...item }) => ({
    ...item,
    type: 'LEICA GR25',
    more: { 'Firmware Version': '1', 'Elevation Cutoff Setting': cutoff },
  }));
  const antennas = [
    { from: '2010-01-01T00:00Z', to: '2010-06-01T00:00Z', alignment: '-110', point: 'BPA' },
    { from: '2010-06-01T00:00Z', to: '2011-06-01T00:00Z', alignment: '0', point: 'BPA' },
    { from: '2011-06-01T00:00Z', alignment: '', point: '' },
  ].map(({ alignment, point, ...item }) => ({
    ...item,
    type: 'LEIAR25.R3      NONE',
    serial: '7',
    more: { ...ECC, 'Alignment from True N': alignment, 'Antenna Reference Point': point },
  }));
  for (const id of ['PLAC00STP', 'PLAD00STP'])
    await service.importText(fixture(id, PLACE, { receivers, antennas }), `${id}_20200101.log`);
  const others = '4 elevation cut-offs and 4 antenna reference points';
  const all = `2 alignments from true north, ${others}`;
  const ofOne = '1 alignment from true north, 2 elevation cut-offs and 2 antenna reference points';
  for (const [url, expected] of [
    ['/exports/sites.snx', others],
    ['/exports/sites.station-info', all],
    ['/exports/sites.station-info?antennaAzimuth=true', others],
    ['/exports/sites.sta', others],
    ['/exports/sites.sta?version=1.01', all],
    ['/exports/sites.sta?version=1.01&site=PLAC', ofOne],
    [
      '/exports/sites.sta?version=1.01&at=2011-02-01&site=PLAC',
      '1 elevation cut-off and 1 antenna reference point',
    ],
    ['/exports/sites.sta?version=1.01&at=2013-01-01', undefined],
    [
      '/skeletonFiles/PLAC.SKL?version=2.11&at=2010-02-01',
      '1 alignment from true north, 1 elevation cut-off and 1 antenna reference point',
    ],
    [
      '/skeletonFiles/PLAC.SKL?version=3.05&at=2010-02-01',
      '1 elevation cut-off and 1 antenna reference point',
    ],
    ['/skeletonFiles/PLAC.SKL?version=3.05&at=2013-01-01', undefined],
  ] as const)
    t.equal(await unplacedIn(service, url), expected, url);
  t.match(await text(service, '/exports/sites.snx'), /^ left out, because .*4 elevation/m);
  t.match(await text(service, '/exports/sites.station-info'), /^# left out, because .*: 2 align/m);
  t.match(
    await text(service, '/skeletonFiles/PLAC.SKL?version=2.11&at=2010-02-01'),
    /^PLAC00STP: left out, because .*COMMENT {13}$/m,
  );
});

t.test('the notes of a file that has no comments are a file beside it', async (t) => {
  const service = await openService(t);
  const antennas = [{ ...ANTENNAS[0]!, more: {} }];
  await service.importText(fixture('NOTE00STP', PLACE, { antennas }), 'note00stp_20200101.log');
  await service.importText(fixture('LATE00STP', PLACE), 'late00stp_20200101.log');
  for (const url of [
    '/exports/sites.sta',
    '/exports/sites.sta?version=1.01&site=NOTE',
    '/exports/sites.rinex.zip',
    '/exports/sites.rinex.zip?at=2000-01-01&site=LATE',
    '/exports/offsets.csv',
  ]) {
    const notes = url.replace(/\?|$/, '.notes$&');
    const expected = (await noteLinesIn(service, url)).map((line) => `${line}\n`).join('');
    t.equal(await text(service, notes), expected, notes);
    t.equal(expected === '', url.includes('offsets'), url);
    const { headers } = await service.get(notes);
    t.match(headers, { ...FIXED_HEADERS, 'content-type': 'text/plain;charset=UTF-8' });
  }
  t.match(await text(service, '/exports/sites.sta.notes'), /^NOTE00STP: no line from 2010/m);
  t.equal((await service.get('/exports/sites.sta.notes?version=1.02')).statusCode, 400);
  t.equal((await service.get('/exports/sites.rinex.zip.notes?site=XXXX')).statusCode, 404);
  t.equal((await service.get('/exports/sites.sta.notes?vers=1.01')).statusCode, 400);
});
