import { readdirSync } from 'node:fs';
import t, { type Test } from 'tap';
import type { CorsSite, EquipmentInUse, ExportedSetup } from '../../schemas/index.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import { readStoredLog } from '../../src/import-site-logs.js';
import { openWriter } from '../../src/store/open.js';
import { FIXED_HEADERS, logText, openService, REAL_LOGS, SAMPLE, type Service, violations } from '../helper.js';

/** A line with the time in which it is valid, in milliseconds; null is open or unknown. */
interface Read {
  site: string;
  from: number | null;
  to: number | null;
  fields: Record<string, string>;
}

/** A line cut at 1-based columns. Everything outside them is blank. */
function cut(t: Test, line: string, columns: Record<string, [number, number]>): Record<string, string> {
  const rest = [...line];
  const fields = Object.fromEntries(
    Object.entries(columns).map(([name, [from, to]]) => {
      rest.fill(' ', from - 1, to);
      return [name, line.slice(from - 1, to).trim()];
    }),
  );
  if (rest.join('').trim() !== '') t.fail(`text outside the columns: ${line}`);
  return fields;
}

/** Checks that lines are in the order of their Sites and times, without overlaps. */
function checkOrder(t: Test, lines: Read[]): void {
  for (const [index, { site, from }] of lines.entries()) {
    const last = lines[index - 1];
    if (last === undefined || last.site !== site) continue;
    if (last.to === null || from === null || last.to > from) t.fail(`${site} overlaps`);
  }
  const sites = lines.map(({ site }) => site);
  t.same(sites, sites.toSorted(), 'sorted by Site');
}

const epoch = (text: string): number | null => {
  const [year, day, second] = text.split(':').map(Number) as [number, number, number];
  return text === '00:000:00000' ? null : Date.UTC(year > 50 ? 1900 + year : 2000 + year, 0, day) + second * 1000;
};

const SINEX_TIMES = { site: [2, 5], point: [7, 8], soln: [10, 13], technique: [15, 15], from: [17, 28], to: [30, 41] } as const;
const SINEX_COLUMNS = {
  'SITE/ID': {
    site: [2, 5],
    point: [7, 8],
    domes: [10, 18],
    technique: [20, 20],
    name: [22, 43],
    lon: [45, 55],
    lat: [57, 67],
    height: [69, 75],
  },
  'SITE/RECEIVER': { ...SINEX_TIMES, type: [43, 62], serial: [64, 68], firmware: [70, 80] },
  'SITE/ANTENNA': { ...SINEX_TIMES, type: [43, 57], radome: [59, 62], serial: [64, 68] },
  'SITE/ECCENTRICITY': { ...SINEX_TIMES, axes: [43, 45], up: [47, 54], north: [56, 63], east: [65, 72] },
};

/** Reads a SINEX file strictly: the lines of each block. */
function readSinex(t: Test, text: string): Record<keyof typeof SINEX_COLUMNS, Read[]> {
  const lines = text.split('\n');
  t.match(lines[0], /^%=SNX 2\.02 [A-Z0-9-]{3} \d\d:\d{3}:\d{5} [A-Z0-9-]{3} 00:000:00000 00:000:00000 P 00000 0$/);
  t.same(lines.slice(-2), ['%ENDSNX', '']);
  const blocks: Record<string, Read[]> = {};
  let block: string | null = null;
  for (const line of lines.slice(1, -2)) {
    if (!/^[\x20-\x7e]{1,80}$/.test(line)) t.fail(`not 80 columns of ASCII: ${line}`);
    if (line.startsWith('+')) {
      if (block !== null) t.fail(`${line} in ${block}`);
      block = line.slice(1);
      blocks[block] = [];
    } else if (line.startsWith('-')) {
      t.equal(line.slice(1), block);
      block = null;
    } else if (line.startsWith(' ') && block !== null && Object.hasOwn(SINEX_COLUMNS, block)) {
      const fields = cut(t, line, SINEX_COLUMNS[block as 'SITE/ID'] as never);
      blocks[block]!.push({ site: `${fields.site} ${fields.point}`, from: epoch(fields.from ?? ''), to: epoch(fields.to ?? ''), fields });
    }
  }
  for (const name of ['SITE/RECEIVER', 'SITE/ANTENNA', 'SITE/ECCENTRICITY']) checkOrder(t, blocks[name]!);
  return blocks;
}

/** Reads station.info strictly, by the labels of its columns. */
function readStationInfo(t: Test, text: string): Read[] {
  const lines = text.split('\n').slice(0, -1);
  const labels = lines.find((line) => line.startsWith('*SITE'))!;
  const columns: Record<string, [number, number]> = {};
  for (const [, label] of labels.matchAll(/ {1,}([A-Z][\w ]*?)(?= {2,}|$)/g)) {
    const begin = labels.indexOf(` ${label}`) + 2;
    columns[label!] = [begin, begin];
  }
  const widths: Record<string, number> = { 'Station Name': 16, 'Session Start': 17, 'Session Stop': 17, 'Ant Ht': 7, HtCod: 5, 'Ant N': 7 };
  const more = {
    'Ant E': 7,
    AntDAZ: 6,
    'Receiver Type': 20,
    Vers: 20,
    SwVer: 5,
    'Receiver SN': 20,
    'Antenna Type': 15,
    Dome: 5,
    'Antenna SN': 20,
  };
  for (const [label, width] of Object.entries({ ...widths, ...more })) {
    if (columns[label] !== undefined) columns[label][1] = columns[label][0] + width - 1;
  }
  // AntDAZ has five columns, and its label six.
  if (columns.AntDAZ !== undefined) columns.AntDAZ[0] += 1;
  columns.site = [2, 5];
  const time = (value: string): number | null => {
    const [year, day, hour, minute, second] = value.split(/ +/).map(Number) as [number, number, number, number, number];
    if (year < 1980) t.fail(`before GPS: ${value}`);
    return year === 9999 ? null : Date.UTC(year, 0, day, hour, minute, second);
  };
  const read = lines
    .filter((line) => line.startsWith(' '))
    .map((line): Read => {
      if (!/^[\x20-\x7e]{1,221}$/.test(line)) t.fail(`not ASCII, or too long: ${line}`);
      const fields = cut(t, line, columns);
      return { site: fields.site!, from: time(fields['Session Start']!), to: time(fields['Session Stop']!), fields };
    });
  checkOrder(t, read);
  return read;
}

const STA = {
  ...{ name: [1, 16], flag: [23, 25], from: [28, 46], to: [49, 67], receiver: [70, 89], serial: [92, 111], number: [114, 119] },
  ...{ antenna: [122, 136], radome: [138, 141], antennaSerial: [144, 163], antennaNumber: [166, 171] },
  ...{ north: [174, 181], east: [184, 191], up: [194, 201] },
};
const STA_COLUMNS: Record<string, Record<string, [number, number]>> = {
  '1.03': { ...STA, azimuth: [204, 209], long: [212, 220], description: [223, 244], remark: [247, 270] } as never,
  '1.01': { ...STA, description: [204, 225], remark: [228, 251] } as never,
};

/** Reads TYPE 002 of an STA file strictly. */
function readSta(t: Test, text: string): Read[] {
  const lines = text.split('\n');
  for (const line of lines) if (!/^[\x20-\x7e]{0,270}$/.test(line)) t.fail(`not ASCII, or too long: ${line}`);
  const version = /^FORMAT VERSION: (.*)$/m.exec(text)![1]!;
  for (const [number, name] of ['RENAMING', 'STATION INFORMATION', 'HANDLING', 'STATION COORDINATES', 'HANDLING'].entries()) {
    t.match(text, new RegExp(`^TYPE 00${number + 1}: ${name}`, 'm'));
  }
  const begin = lines.findIndex((line) => line.startsWith('TYPE 002')) + 5;
  const time = (value: string): number | null =>
    value.startsWith('2099') ? null : Date.parse(value.replace(/^(\S+) (\S+) (\S+) (\S+) (\S+) (\S+)$/, '$1-$2-$3T$4:$5:$6Z'));
  const read = lines.slice(begin, lines.indexOf('', begin)).map((line): Read => {
    const fields = cut(t, line, STA_COLUMNS[version]!);
    return { site: fields.name!, from: time(fields.from!), to: time(fields.to!), fields };
  });
  checkOrder(t, read);
  return read;
}

/** Reads a RINEX header strictly: the content of each record by its label. */
function readHeader(t: Test, text: string): Map<string, string> {
  const lines = text.split('\n').slice(0, -1);
  for (const line of lines) if (!/^[\x20-\x7e]{80}$/.test(line)) t.fail(`not 80 columns of ASCII: ${line}`);
  t.equal(lines.at(-1)!.trim(), 'END OF HEADER');
  return new Map(lines.map((line) => [line.slice(60).trim(), line.slice(0, 60)]));
}

type OfKind<Kind> = Extract<EquipmentInUse, { content: { id: { equipmentType: Kind } } }>['content'];

/** The item of a kind in a Setup that was installed last. */
function last<Kind extends 'gnss receiver' | 'gnss antenna'>({ equipmentInUse }: ExportedSetup, kind: Kind): OfKind<Kind> | undefined {
  const items = equipmentInUse.map(({ content }) => content).filter((each) => each.id.equipmentType === kind) as OfKind<Kind>[];
  return items.toSorted((a, b) => (a.period.from < b.period.from ? -1 : Number(a.period.from > b.period.from))).at(-1);
}

/** What the API says about the antenna and the receiver of a Setup. */
function expected(setup: ExportedSetup) {
  const [receiver, antenna] = [last(setup, 'gnss receiver'), last(setup, 'gnss antenna')];
  const ecc = antenna && [
    antenna.configuration.markerArpUpEccentricity,
    antenna.configuration.markerArpNorthEccentricity,
    antenna.configuration.markerArpEastEccentricity,
  ];
  const type = antenna?.id.type ?? '';
  return {
    receiver: receiver && {
      type: receiver.id.type ?? '',
      serial: receiver.id.serialNumber ?? '',
      firmware: receiver.configuration.firmwareVersion ?? '',
    },
    antenna: antenna && {
      type: type.slice(0, 16).trim(),
      radome: type.slice(16).trim() || (antenna.configuration.radomeType ?? ''),
      serial: antenna.id.serialNumber ?? '',
      azimuth: antenna.configuration.alignmentFromTrueNorth,
    },
    ecc: ecc === undefined || ecc.includes(null) ? null : (ecc as number[]),
  };
}

const same = (value: string, width: number, fill: string): string => value.slice(0, width).trim() || fill;

/** Random numbers that are the same in each run. */
function* numbers(seed = 1): Generator<number, never> {
  for (let state = seed; ;) yield (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

async function text({ get }: Service, url: string): Promise<string> {
  const response = await get(url);
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.body.slice(0, 300)}`);
  return response.body;
}

const at = (lines: Read[], site: string, instant: number): Read | undefined =>
  lines.findLast((line) => line.site === site && (line.from === null || line.from <= instant) && (line.to === null || instant < line.to));

t.test('every value of every Site at random instants equals that of the API', async (t) => {
  const service = await openService(t, [REAL_LOGS ?? SAMPLE]);
  const ndjson = async <T>(name: string): Promise<T[]> =>
    (await text(service, `/exports/${name}`))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as T);
  const sites = new Map((await ndjson<CorsSite>('sites.ndjson')).map((site) => [site.id, site]));
  const setups = Map.groupBy(await ndjson<ExportedSetup>('setups.ndjson?invalidated=false'), ({ siteId }) => siteId);
  const sinex = readSinex(t, await text(service, '/exports/sites.snx'));
  const info = readStationInfo(t, await text(service, '/exports/sites.station-info?antennaAzimuth=true'));
  const sta = readSta(t, await text(service, '/exports/sites.sta'));
  const random = numbers();
  let compared = 0;
  for (const [id, own] of setups) {
    const site = sites.get(id)!;
    if ([...sites.values()].filter((each) => each.fourCharacterId === site.fourCharacterId).length > 1) continue;
    const four = site.fourCharacterId;
    const domes = /^\d{5}[A-Z]\d{3}$/.test(site.domesNumber ?? '') ? site.domesNumber : null;
    const first = Date.parse(own[0]!.effectivePeriod.from);
    const found: Record<string, unknown> = {};
    const wanted: Record<string, unknown> = {};
    for (let index = 0; index < 20; index++) {
      const instant = first + Math.floor((random.next().value * (Date.UTC(2026, 0) - first)) / 1000) * 1000;
      const setup = own.findLast(({ effectivePeriod: { from } }) => Date.parse(from) <= instant);
      const { receiver, antenna, ecc } = expected(setup!);
      if (/[^\x20-\x7e]/.test(JSON.stringify([receiver, antenna]))) continue;
      const name = `${four} at ${new Date(instant).toISOString()}`;
      const dome = /^[A-Z0-9]{4}$/i.test(antenna?.radome ?? '') ? antenna!.radome.toUpperCase() : null;
      found[`SINEX of ${name}`] = (['SITE/RECEIVER', 'SITE/ANTENNA', 'SITE/ECCENTRICITY'] as const).map(
        (block) => at(sinex[block], `${four} A`, instant)?.fields,
      );
      wanted[`SINEX of ${name}`] = [
        receiver && {
          type: same(receiver.type, 20, '-'.repeat(20)),
          serial: same(receiver.serial, 5, '-----'),
          firmware: same(receiver.firmware, 11, '-'.repeat(11)),
        },
        antenna && {
          type: same(antenna.type, 15, '-'.repeat(15)),
          radome: dome ?? '----',
          serial: same(antenna.serial, 5, '-----'),
        },
        ecc ? { up: ecc[0]!.toFixed(4), north: ecc[1]!.toFixed(4), east: ecc[2]!.toFixed(4) } : undefined,
      ];
      const isWritten = receiver !== undefined && antenna !== undefined && ecc !== null;
      found[`STA of ${name}`] = at(sta, domes === null ? four : `${four} ${domes}`, instant)?.fields;
      compared++;
      if (!isWritten || receiver.type === '' || antenna.type === '') {
        wanted[`STA of ${name}`] = undefined;
        continue;
      }
      found[`station.info of ${name}`] = at(info, four, instant)?.fields;
      wanted[`station.info of ${name}`] = {
        ...{ 'Ant Ht': ecc[0]!.toFixed(4), 'Ant N': ecc[1]!.toFixed(4), 'Ant E': ecc[2]!.toFixed(4) },
        AntDAZ: antenna.azimuth === null ? '-----' : `${Number(antenna.azimuth).toFixed(0)}.`,
        'Receiver Type': same(receiver.type, 20, '-'.repeat(20)),
        Vers: same(receiver.firmware, 20, '-'.repeat(20)),
        'Receiver SN': same(receiver.serial, 20, '-'.repeat(20)),
        'Antenna Type': same(antenna.type, 15, '-'.repeat(15)),
        Dome: dome ?? '-----',
        'Antenna SN': same(antenna.serial, 20, '-'.repeat(20)),
      };
      wanted[`STA of ${name}`] = {
        ...{ receiver: same(receiver.type, 20, ''), serial: same(receiver.serial, 20, ''), remark: same(receiver.firmware, 24, '') },
        ...{ antenna: same(antenna.type, 15, ''), radome: dome ?? 'UNKN', antennaSerial: same(antenna.serial, 20, '') },
        ...{ up: ecc[0]!.toFixed(4), north: ecc[1]!.toFixed(4), east: ecc[2]!.toFixed(4), long: site.nineCharacterId ?? '' },
        azimuth: antenna.azimuth === null ? '' : Number(antenna.azimuth).toFixed(1),
      };
      if (index > 0) continue;
      const version = ['2.11', '3.05', '4.01'][compared % 3]!;
      const url = `/skeletonFiles/${site.nineCharacterId ?? four}.SKL?version=${version}&at=${new Date(instant).toISOString().replace('.000', '')}`;
      const header = readHeader(t, await text(service, url));
      t.equal(header.get('RINEX VERSION / TYPE')!.slice(0, 9).trim(), version);
      t.equal(header.get('MARKER NAME')!.trim(), version === '2.11' ? four : (site.nineCharacterId ?? four), name);
      t.equal(header.get('MARKER NUMBER')?.trim(), domes ?? undefined, name);
      const receiverRecord = header.get('REC # / TYPE / VERS')!;
      t.same(
        [receiverRecord.slice(0, 20), receiverRecord.slice(20, 40), receiverRecord.slice(40)].map((each) => each.trim()),
        [same(receiver.serial, 20, ''), same(receiver.type, 20, ''), same(receiver.firmware, 20, '')],
        name,
      );
      const antennaRecord = header.get('ANT # / TYPE')!;
      t.same(
        [antennaRecord.slice(0, 20), antennaRecord.slice(20, 35), antennaRecord.slice(36, 40)].map((each) => each.trim()),
        [same(antenna.serial, 20, ''), same(antenna.type, 15, ''), dome ?? 'UNKN'],
        name,
      );
      const delta = header.get('ANTENNA: DELTA H/E/N')!;
      t.same(
        [delta.slice(0, 14), delta.slice(28, 42), delta.slice(14, 28)].map((each) => each.trim()),
        ecc.map((each) => each.toFixed(4)),
        name,
      );
      const { x, y, z } = site.location;
      const place = header.get('APPROX POSITION XYZ')!;
      if (x === null) continue;
      const written = [place.slice(0, 14), place.slice(14, 28), place.slice(28, 42)].map((each) => each.trim());
      t.same(
        written,
        [x, y!, z!].map((each) => each.toFixed(4)),
        name,
      );
    }
    t.match(found, wanted, four);
  }
  t.ok(compared > 90, `${compared} instants`);
});

const ECC = { 'Marker->ARP Up Ecc. (m)': '1.1', 'Marker->ARP North Ecc(m)': '-2.2', 'Marker->ARP East Ecc(m)': '3.3' };
const ANTENNA = { 'Antenna Reference Point': 'BAM', ...ECC, 'Alignment from True N': '10', 'Antenna Radome Type': 'NONE' };

/** A Site at 0.0034 degrees south. @param place further lines of section 2 */
const fixture = (id: string, place: string, log: Parameters<typeof logText>[0] = {}): string =>
  logText({
    id,
    name: 'Sao Tome with a long name',
    receivers: [
      {
        type: 'LEICA GR25',
        serial: 'S1234567',
        from: '2010-01-02T03:04Z',
        to: '2012-01-01T00:00Z',
        more: { 'Firmware Version': '3.22/6.5' },
      },
      { type: 'TRIMBLE NETR9', serial: '2', from: '2012-01-01T06:00Z', more: { 'Firmware Version': '4.8' } },
    ],
    antennas: [{ type: 'LEIAR25.R3      NONE', serial: '09370001', from: '2010-01-02T03:04Z', more: ANTENNA }],
    ...log,
  })
    .replace('     Country or Region        : Nowhere', `     Country or Region        : Nowhere\n${place}`)
    .replace(/^2\. {3}Site Loc/m, '     IERS DOMES Number        : 12345M001\n2.   Site Loc');

const PLACE = [
  '     Latitude (N is +)        : -000012.40',
  '     Longitude (E is +)       : +0064359.99',
  '     Elevation (m,ellips.)    : 12.34',
].join('\n');

t.test('each field is in its columns', async (t) => {
  const service = await openService(t);
  await service.importText(fixture('TEST00STP', PLACE));
  const sinex = await text(service, '/exports/sites.snx?organisation=GEO');
  t.match(sinex, /^%=SNX 2\.02 GEO /);
  const blocks = readSinex(t, sinex);
  t.match(blocks['SITE/ID'][0]!.fields, { site: 'TEST', domes: '12345M001', lon: '6 44  0.0', lat: '-0  0 12.4', height: '12.3' });
  t.match(blocks['SITE/ECCENTRICITY'][0]!.fields, { axes: 'UNE', up: '1.1000', north: '-2.2000', east: '3.3000' });
  t.match(sinex, / TEST {2}A ---- P 10:002:11040 12:001:00000 LEICA GR25 {11}S1234 3\.22\/6\.5\n/);
  t.match(sinex, / TEST {2}A ---- P 10:002:11040 00:000:00000 LEIAR25\.R3 {6}NONE 09370\n/);
  const info = await text(service, '/exports/sites.station-info');
  t.match(
    info,
    ' TEST  Sao Tome with a   2010 002 03 04 00  2012 001 06 00 00   1.1000  DHARP  -2.2000   3.3000  LEICA GR25            3.22/6.5               3.22  S1234567              LEIAR25.R3       NONE   09370001\n',
  );
  t.match(info, '# TEST00STP: the gap from 2012-01-01T00:00:00Z to 2012-01-01T06:00:00Z is bridged\n');
  t.match(await text(service, '/exports/sites.station-info?antennaAzimuth=true'), '  3.3000    10.  LEICA GR25            3.22');
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
  const header = readHeader(t, await text(service, '/skeletonFiles/TEST.SKL?version=2.11&at=2011-01-01'));
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
  const restricted = readSinex(t, await text(service, '/exports/sites.snx?at=2011-01-01&site=test'));
  t.equal(restricted['SITE/RECEIVER'].length, 1, 'at');
  t.equal(readStationInfo(t, await text(service, '/exports/sites.station-info?from=2012-01-02')).length, 1, 'from');
  t.equal(readStationInfo(t, await text(service, '/exports/sites.station-info?to=2012-01-01T06:00Z')).length, 1, 'to');
});

t.test('what a format cannot say as it is, is noted', async (t) => {
  const service = await openService(t);
  const long = 'S'.repeat(30);
  await service.importText(
    fixture('ODDS00STP', '', {
      receivers: [
        { type: 'LEICA GR25', serial: long, from: '2010-01-01T00:00Z', more: { 'Firmware Version': '1.0é' } },
        { type: 'TRIMBLE NETR9', serial: '2', from: '2011-01-01T00:00Z' },
      ],
      antennas: [
        { type: 'LEIAR25.R3', serial: '1', from: '2010-01-01T00:00Z', to: '2012-01-01T00:00Z', more: ECC },
        { type: 'LEIAR25.R3      LEIT', serial: '1', from: '2012-02-01T00:00Z' },
      ],
    }).replace('12345M001', 'M001'),
    'odds00stp_20200101.log',
  );
  const notesOf = async (url: string): Promise<string[]> => {
    const response = await service.get(`${url}${url.includes('?') ? '&' : '?'}strict=true`);
    t.equal(response.statusCode, 422, url);
    t.same(violations('Problem', response.json()), []);
    const { notes } = response.json<{ notes: { site: string; text: string }[] }>();
    t.ok(notes.every(({ site }) => site === 'ODDS00STP'));
    return notes.map((each) => each.text);
  };
  const sinex = await notesOf('/exports/sites.snx');
  for (const part of [
    'DOMES number "M001"',
    'no line in SITE/ID',
    'several receivers in use from 2011',
    '"1.0é" is written as "1.0e"',
    'radome unknown',
    'no eccentricity',
  ]) {
    t.ok(
      sinex.some((each) => each.includes(part)),
      part,
    );
  }
  const body = await text(service, '/exports/sites.snx');
  readSinex(t, body);
  t.match(body, /^\* ODDS00STP: radome unknown: written as ----$/m, 'a comment');
  for (const url of ['/exports/sites.station-info', '/exports/sites.sta']) {
    const notes = await notesOf(url);
    t.ok(
      notes.some((each) => each.includes(`"${long}" is cut to "${long.slice(0, 20)}"`)),
      url,
    );
    t.ok(
      notes.some((each) => /no line from 2012-01-01T00:00:00Z to 2012-02-01T00:00:00Z: no antenna/.test(each)),
      url,
    );
    t.ok(
      notes.some((each) => /no line from 2012-02-01T00:00:00Z to now: an eccentricity is unknown/.test(each)),
      url,
    );
  }
  const header = await text(service, '/skeletonFiles/ODDS.SKL?version=4.01&at=2010-06-01');
  t.match(header, /LEIAR25\.R3 {6}UNKN/, 'an unknown radome is not NONE');
  t.match(header, /^ODDS00STP: receiver serial number .*COMMENT {13}$/m);
  t.notMatch(header, 'MARKER NUMBER');
  t.notMatch(header, 'APPROX POSITION');
  t.ok((await notesOf('/skeletonFiles/ODDS.SKL?version=4.01&at=2010-06-01')).includes('position unknown'));
  t.equal((await service.get('/skeletonFiles/ODDS.SKL?strict=true')).statusCode, 400, 'strict is for versions');

  await service.importText(fixture('TWIN00AUS', PLACE).replace('12345M001', ''), 'twin00aus_20200101.log');
  await service.importText(fixture('TWIN00NZL', PLACE).replace('12345M001', ''), 'twin00nzl_20200101.log');
  const twins = 'site=TWIN00AUS&site=TWIN00NZL';
  const ids = readSinex(t, await text(service, `/exports/sites.snx?${twins}`))['SITE/ID'];
  t.same(
    ids.map(({ site }) => site),
    ['TWIN A', 'TWIN B'],
    'point codes',
  );
  for (const [url, read] of [
    ['/exports/sites.station-info', readStationInfo],
    ['/exports/sites.sta', readSta],
  ] as const) {
    t.equal(read(t, await text(service, `${url}?${twins}`)).length, 2, url);
    const response = await service.get(`${url}?${twins}&strict=true`);
    t.match(response.json<{ notes: object[] }>().notes.at(url.endsWith('sta') ? 1 : -1), {
      site: 'TWIN00NZL',
      text: /^left out: another Site/,
    });
  }
  t.equal((await service.get('/exports/sites.sta?version=1.02')).statusCode, 400);
  t.equal((await service.get('/exports/sites.snx?antennaAzimuth=true')).statusCode, 400, 'of another format');
  t.equal((await service.get('/exports/sites.snx?site=XXXX')).statusCode, 404);
  t.equal(
    readStationInfo(t, await text(service, '/exports/sites.station-info?site=TWIN00AUS&firmwareChanges=false'))[0]!.fields.Vers,
    '-'.repeat(20),
  );
});

t.test('a value that a format cannot have leaves a note', async (t) => {
  const service = await openService(t);
  const notesOf = async (url: string): Promise<string[]> => {
    const response = await service.get(`${url}${url.includes('?') ? '&' : '?'}strict=true`);
    return response.statusCode === 200 ? [] : response.json<{ notes: { text: string }[] }>().notes.map((each) => each.text);
  };
  const ARP = { 'Antenna Reference Point': 'BAM', 'Antenna Radome Type': 'NONE', 'Alignment from True N': '0' };
  const NO_OFFSET = { 'Marker->ARP Up Ecc. (m)': '0', 'Marker->ARP North Ecc(m)': '0', 'Marker->ARP East Ecc(m)': '0' };
  const receivers = [{ type: 'LEICA GR25', serial: '1', from: '2010-01-01T00:00Z' }];

  await t.test('an eccentricity that is unknown for hours is not a gap', async (t) => {
    const more = { ...ARP, ...ECC };
    const antennas = [
      { type: 'LEIAR25.R3      NONE', serial: '1', from: '2010-01-01T00:00Z', to: '2012-01-01T00:00Z', more },
      { type: 'LEIAR25.R3      NONE', serial: '2', from: '2012-01-01T00:00Z', to: '2012-01-01T06:00Z', more: ARP },
      { type: 'LEIAR25.R3      NONE', serial: '3', from: '2012-01-01T06:00Z', to: '2013-01-01T00:00Z', more },
      { type: 'LEIAR25.R3      NONE', serial: '3', from: '2013-01-01T06:00Z', more },
    ];
    await service.importText(fixture('GAPS00STP', PLACE, { receivers, antennas }));
    const lines = readStationInfo(t, await text(service, '/exports/sites.station-info?site=GAPS'));
    t.same(
      lines.map(({ from, to }) => [from, to].map((each) => each && new Date(each).toISOString().slice(0, 13))),
      [
        ['2010-01-01T00', '2012-01-01T00'],
        ['2012-01-01T06', null],
      ],
      'the gap of 2013 is bridged, and that without eccentricities is not',
    );
    const notes = await notesOf('/exports/sites.station-info?site=GAPS');
    t.ok(notes.includes('no line from 2012-01-01T00:00:00Z to 2012-01-01T06:00:00Z: an eccentricity is unknown or too large'));
    t.ok(notes.includes('the gap from 2013-01-01T00:00:00Z to 2013-01-01T06:00:00Z is bridged'));
  });

  await t.test('offsets', async (t) => {
    const antennas = [
      {
        type: 'AOAD/M_T        NONE',
        serial: '217 0246',
        from: '2010-01-01T00:00Z',
        to: '2011-01-01T00:00Z',
        more: { ...ARP, ...NO_OFFSET },
      },
      {
        ...{ type: 'AOAD/M_T        NONE', serial: '217-0246', from: '2011-01-01T00:00Z' },
        more: { ...ARP, ...NO_OFFSET, 'Marker->ARP North Ecc(m)': '-0.00001' },
      },
      { type: 'LEIAR25.R3      NONE', serial: '2', from: '2012-01-01T00:00Z', more: { ...ARP, ...ECC } },
    ];
    await service.importText(fixture('OFFS00STP', PLACE, { receivers, antennas }));
    t.same((await text(service, '/exports/offsets.csv?site=OFFS')).split('\r\n').slice(1, -1), [
      'OFFS,OFFS00STP,2012-01-01T00:00:00Z,2012.000000,55927.00000,antenna,AOAD/M_T 217-0246,LEIAR25.R3 2',
      'OFFS,OFFS00STP,2012-01-01T00:00:00Z,2012.000000,55927.00000,eccentricity,0.0000 0.0000 0.0000,1.1000 -2.2000 3.3000',
    ]);
    const several = 'several antennas in use from 2012-01-01T00:00:00Z: the one installed last is written';
    t.match(await notesOf('/exports/offsets.csv?site=OFFS'), [several, /north eccentricity -0.00001 is written as 0.0000/]);
    t.same(await notesOf('/exports/offsets.csv?site=OFFS&to=2012-01-01'), [], 'not for another time');
    t.match(await text(service, '/exports/offsets.snx?site=OFFS&organisation=GEO'), /^%=SNX 2\.02 GEO .*\n\+FILE\/REFERENCE\n/);
  });

  await t.test('names, radomes, azimuths, agencies and marker names', async (t) => {
    const odd = (radome: string, azimuth: string) => ({ ...ECC, 'Antenna Radome Type': radome, 'Alignment from True N': azimuth });
    const antennas = [
      { type: 'LEIAR25.R3', serial: '1', from: '2010-01-01T00:00Z', to: '2011-01-01T00:00Z', more: odd('Conical plastic', '12345') },
      { type: 'LEIAR25.R3      LEIT', serial: '1', from: '2011-01-01T00:00Z', to: '2012-01-01T00:00Z', more: odd('NONE', '-12.5') },
      { type: '', serial: '1', from: '2012-01-01T00:00Z', more: { ...odd('NONE', ''), 'Marker->ARP Up Ecc. (m)': '0.09222' } },
    ];
    await service.importText(fixture('NAME', PLACE, { receivers, antennas }));
    const lines = readStationInfo(t, await text(service, '/exports/sites.station-info?site=NAME&antennaAzimuth=true'));
    t.same(
      lines.map(({ fields }) => [fields.Dome, fields.AntDAZ, fields['Antenna Type'], fields['Ant Ht']]),
      [
        ['-----', '-----', 'LEIAR25.R3', '1.1000'],
        ['LEIT', '-13.', 'LEIAR25.R3', '1.1000'],
        ['NONE', '-----', '---------------', '0.0922'],
      ],
    );
    const gamit = await notesOf('/exports/sites.station-info?site=NAME&antennaAzimuth=true');
    const common = [
      /^radome "Conical plastic" is written as ----?-?: it is not a code of four letters or digits$|^radome "Conical plastic" is written as UNKN/,
      /^radome "LEIT" of the antenna type is written; Antenna Radome Type is "NONE"$/,
      /^up eccentricity 0.09222 is written as 0.0922$/,
      /^antenna type unknown$/,
    ];
    for (const [notes, expectedNotes] of [
      [
        gamit,
        [
          ...common,
          /^alignment from true north 12345 is left out/,
          /^alignment from true north -12.5 is written as -13$/,
          /^alignment from true north unknown$/,
        ],
      ],
      [await notesOf('/exports/sites.snx?site=NAME'), common],
      [await notesOf('/exports/sites.sta?site=NAME'), [...common.slice(0, 2), /^no line from 2012-.* to now: antenna type unknown$/]],
      [
        await notesOf('/skeletonFiles/NAME.SKL?version=3.05'),
        [...common.slice(2), /^nine-character id unknown: the marker name has four characters$/],
      ],
    ] as const)
      for (const each of expectedNotes)
        t.ok(
          notes.some((note) => each.test(note)),
          `${each.source} in ${JSON.stringify(notes)}`,
        );
    t.notOk(
      (await notesOf('/skeletonFiles/NAME.SKL?version=2.11')).some((note) => note.startsWith('nine')),
      'RINEX 2 has four',
    );
    t.equal(
      new Set(await notesOf('/exports/sites.snx?site=NAME')).size,
      (await notesOf('/exports/sites.snx?site=NAME')).length,
      'each once',
    );
    const sta = readSta(t, await text(service, '/exports/sites.sta?site=NAME'));
    t.same(
      sta.map(({ fields }) => [fields.radome, fields.azimuth]),
      [
        ['UNKN', ''],
        ['LEIT', '-12.5'],
      ],
    );
    const agency = `Agency ${'é'.repeat(40)}`;
    await service.importText(`${fixture('AGEN00STP', PLACE)}\n12.  Responsible Agency\n\n     Agency                   : ${agency}\n`);
    const header = readHeader(t, await text(service, '/skeletonFiles/AGEN.SKL?version=3.05&organisation=ME&markerName=four'));
    t.equal(header.get('OBSERVER / AGENCY')!.slice(20), `Agency ${'e'.repeat(29)}... `);
    t.match(header.get('PGM / RUN BY / DATE'), /^gnss-site-setups {4}ME /);
    t.equal(header.get('MARKER NAME')!.trim(), 'AGEN');
    t.match(await notesOf('/skeletonFiles/AGEN.SKL?version=3.05'), [
      /^agency .* is written as/,
      /^agency "Agency e+" is cut to "Agency e{29}\.\.\.": at most 40/,
    ]);
    t.match(await text(service, '/skeletonFiles/AGEN.SKL?markerName=four'), /^ {5}3\.05 /, 'the default version');
  });

  await t.test('Sites that differ in their DOMES numbers only', async (t) => {
    await service.importText(fixture('SAME00AUS', PLACE), 'same00aus_20200101.log');
    await service.importText(fixture('SAME00NZL', PLACE).replace('12345M001', '12345M002'), 'same00nzl_20200101.log');
    const namesIn = async (query: string): Promise<string[]> =>
      [...(await text(service, `/exports/sites.sta?${query}`)).matchAll(/^SAME.*2099 12 31 00 00 00 {2}(SAME\S*(?: \S+)?)$/gm)].map(
        ([, name]) => name!,
      );
    t.same(await namesIn('site=SAME00AUS&site=SAME00NZL'), ['SAME 12345M001', 'SAME 12345M002'], 'none renames the other');
    t.same(await namesIn('site=SAME00NZL'), ['SAME*'], 'alone');
  });

  await t.test('comments are in ASCII and of bounded width', async (t) => {
    const from = '2010-01-01T00:00Z';
    await service.importText(fixture('WIDE00STP', PLACE, { receivers: [{ type: `é${'x'.repeat(300)}`, serial: '1', from }] }));
    for (const file of ['sites.station-info', 'sites.snx']) {
      const body = await text(service, `/exports/${file}?site=WIDE`);
      t.match(body, /^[#*] WIDE00STP: receiver type "exxx/m, file);
      t.same(
        body.split('\n').filter((line) => line.length > 221 || /[^\x20-\x7e]/.test(line)),
        [],
        file,
      );
    }
  });
});

t.test('/exports/sites.rinex.zip has a header for each Site with a Setup', async (t) => {
  const service = await openService(t, [SAMPLE]);
  const response = await service.app.inject('/exports/sites.rinex.zip?version=4.01&markerName=four&organisation=ME');
  t.equal(response.headers['content-type'], 'application/zip');
  const bytes = response.rawPayload;
  const files = new Map<string, string>();
  // The central directory: names, sizes and places of the files.
  const end = bytes.length - 22;
  let place = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < bytes.readUInt16LE(end + 10); index++) {
    const [packed, nameLength, local] = [bytes.readUInt32LE(place + 20), bytes.readUInt16LE(place + 28), bytes.readUInt32LE(place + 42)];
    const name = bytes.toString('latin1', place + 46, place + 46 + nameLength);
    const data = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    files.set(name, bytes.toString('latin1', data, data + packed));
    place += 46 + nameLength + bytes.readUInt16LE(place + 30) + bytes.readUInt16LE(place + 32);
  }
  t.equal(files.size, (await text(service, '/exports/setups.ndjson?current=true')).trim().split('\n').length);
  const header = readHeader(t, files.get('ALIC.skl')!);
  t.equal(header.get('MARKER NAME')!.trim(), 'ALIC');
  t.match(header.get('PGM / RUN BY / DATE'), /^gnss-site-setups {4}ME {18}\d{8} \d{6} UTC $/);
  t.equal((await service.get('/exports/sites.rinex.zip?at=yesterday')).statusCode, 400);
  t.equal((await service.get('/exports/sites.rinex.zip?at=1800-01-01&strict=true')).statusCode, 422, 'no Setup then');
});

t.test('the pages of a Site link to its files, at the instant that they show', async (t) => {
  const service = await openService(t, [SAMPLE]);
  const linksOf = async (url: string): Promise<string[]> => {
    const { body } = await service.get(url, { accept: 'text/html' });
    const links = [...body.matchAll(/href="\.\.(\/(?:exports\/(?:sites\.s|offsets)|skeletonFiles)[^"]*)"/g)].map(([, link]) =>
      link!.replaceAll('&amp;', '&'),
    );
    for (const link of links) t.equal((await service.get(link)).statusCode, 200, link);
    return links;
  };
  t.equal((await linksOf('/sites/ALIC')).length, 6);
  const at = 'at=2013-01-01T00:00:00Z';
  const links = (await linksOf(`/sites/ALIC?${at}`)).map(decodeURIComponent);
  t.same(
    links.map((link) => link.includes(at)),
    [true, true, true, true, false, false],
    'offsets have no instant',
  );
  t.ok(links.some((link) => link.startsWith('/skeletonFiles/ALIC.SKL?') && link.includes('version=3.05')));
});

t.test('the files have the Sites that the list of Sites has', async (t) => {
  const service = await openService(t, [SAMPLE]);
  for (const query of ['site=ALIC&site=nya1', 'countryCode=AUS', 'bbox=110,-45,155,-10', 'near=-23.67,133.88&radius=100', 'q=trimble']) {
    const { _embedded } = (await service.get(`/corsSites?${query}`)).json<{ _embedded: { corsSites: CorsSite[] } }>();
    const ids = _embedded.corsSites.map(({ fourCharacterId }) => fourCharacterId).sort();
    t.ok(ids.length > 0 && ids.length < 8, query);
    const blocks = readSinex(t, await text(service, `/exports/sites.snx?${query}`));
    t.same(
      blocks['SITE/ID'].map(({ site }) => site.slice(0, 4)),
      ids,
      query,
    );
    const offsets = (await text(service, `/exports/offsets.csv?${query}`)).split('\r\n').slice(1, -1);
    t.same(
      [...new Set(offsets.map((line) => line.slice(0, 4)))].filter((id) => !ids.includes(id)),
      [],
      query,
    );
  }
});

t.test('/exports/offsets has the changes of antenna, radome and eccentricity', async (t) => {
  const service = await openService(t, [SAMPLE]);
  const lines = (await text(service, '/exports/offsets.csv?site=ALIC')).split('\r\n');
  t.same(lines, [
    'fourCharacterId,nineCharacterId,epoch,decimalYear,modifiedJulianDay,kind,before,after',
    'ALIC,,2011-07-20T00:00:00Z,2011.547945,55762.00000,antenna,AOAD/M_T 318,LEIAR25.R3 09370001',
    'ALIC,,2011-07-20T00:00:00Z,2011.547945,55762.00000,eccentricity,0.0070 0.0000 0.0000,0.0015 0.0000 0.0000',
    '',
  ]);
  const all = await text(service, '/exports/offsets.csv?site=ALIC&receiverChanges=true&firmwareChanges=true&from=2016-01-01');
  t.match(all, 'receiver,LEICA GRX1200GGPRO 355318,LEICA GR25 1830439');
  t.match(all, 'firmware,8.71/3.822,6.521');
  t.notMatch(all, 'radome');
  const sinex = await text(service, '/exports/offsets.snx?site=ALIC');
  t.match(sinex, '\n ALIC  A    1 P 00:000:00000 11:201:00000 P - antenna, eccentricity\n');
  t.match(sinex, /\n ALIC {2}A {4}2 P 11:201:00000 00:000:00000 P -\n-SOLUTION\/DISCONTINUITY\n%ENDSNX\n$/);
});

t.test('/station/log/ and /station/oldlog/ are folders that can be mirrored', async (t) => {
  const service = await openService(t, [SAMPLE]);
  const imported = new Date('2026-01-02T03:04:05.678Z');
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
  t.same(
    [...index.body.matchAll(/<a href="([^"]*)">/g)].map(([, name]) => name),
    names,
  );
  t.equal(await text(service, '/station/oldlog/?list'), 'four_20190101.log\n');
  const log = await service.get('/station/log/four_20200101.log');
  t.match(log.body, /Four Character ID {8}: FOUR/);
  t.match(log.headers, { ...FIXED_HEADERS, 'last-modified': 'Fri, 02 Jan 2026 03:04:05 GMT' });
  const since = (time: string) => service.get('/station/log/four_20200101.log', { 'if-modified-since': time });
  t.equal((await since('Fri, 02 Jan 2026 03:04:05 GMT')).statusCode, 304);
  t.equal((await since('Fri, 02 Jan 2026 03:04:04 GMT')).statusCode, 200);
  t.equal((await since('yesterday')).statusCode, 200);
  for (const name of ['four_20190101.log', 'FOUR_20200101.log', 'four_20200101.log.gz', 'four.log', '..%2fhealth']) {
    t.equal((await service.get(`/station/log/${name}`)).statusCode, 404, name);
  }
  t.equal((await service.get('/station/other/')).statusCode, 404);
  const redirect = await service.get('/station/log');
  t.same([redirect.statusCode, redirect.headers.location], [301, 'log/']);

  // The same name has an earlier content again: a mirror must fetch it.
  await service.importText({ id: 'FOUR', prepared: '2020-01-01', name: 'Corrected' }, 'c.log', new Date('2026-02-02T03:04:05Z'));
  t.equal((await service.get('/station/log/four_20200101.log')).headers['last-modified'], 'Mon, 02 Feb 2026 03:04:05 GMT');
  const started = Math.floor(Date.now() / 1000) * 1000;
  const [newest] = (await service.get('/siteLogs?fourCharacterId=FOUR')).json<{ _embedded: { siteLogs: { id: number }[] } }>()._embedded
    .siteLogs;
  const writer = await openWriter(service.database);
  await writer.correct(parseSiteId('FOUR'), { kind: 'withdraw', log: newest!.id }, new Date(), readStoredLog);
  await writer.close();
  const after = await since('Mon, 02 Feb 2026 03:04:05 GMT');
  t.equal(after.statusCode, 200);
  t.ok(Date.parse(after.headers['last-modified'] as string) >= started, 'the time of the correction');
  t.notMatch(after.body, 'Corrected');
});
