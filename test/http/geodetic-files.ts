import type { Test } from 'tap';
import type { Service } from '../service.js';

/** Strict readers of the files for geodetic software. */

/** A line with the time in which it is valid, in milliseconds; null is open or unknown. */
export interface Read {
  site: string;
  from: number | null;
  to: number | null;
  fields: Record<string, string>;
}

/** A line cut at 1-based columns. Everything outside them is blank. */
function cut(
  t: Test,
  line: string,
  columns: Record<string, [number, number]>,
): Record<string, string> {
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
  return text === '00:000:00000'
    ? null
    : Date.UTC(year > 50 ? 1900 + year : 2000 + year, 0, day) + second * 1000;
};

const SINEX_TIMES = {
  site: [2, 5],
  point: [7, 8],
  soln: [10, 13],
  technique: [15, 15],
  from: [17, 28],
  to: [30, 41],
} as const;
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
  'SITE/ANTENNA': {
    ...SINEX_TIMES,
    type: [43, 57],
    radome: [59, 62],
    serial: [64, 68],
    daz: [70, 73],
  },
  'SITE/ECCENTRICITY': {
    ...SINEX_TIMES,
    axes: [43, 45],
    up: [47, 54],
    north: [56, 63],
    east: [65, 72],
  },
};

/**
 * Reads a SINEX file strictly: the lines of each block. Programs read by columns what follows the
 * heading of a block, so notes may stand in FILE/COMMENT only.
 */
export function readSinex(t: Test, text: string): Record<keyof typeof SINEX_COLUMNS, Read[]> {
  const lines = text.split('\n');
  t.match(
    lines[0],
    /^%=SNX 2\.02 [A-Z0-9-]{3} \d\d:\d{3}:\d{5} [A-Z0-9-]{3} 00:000:00000 00:000:00000 P 00000 0$/,
  );
  t.same(lines.slice(-2), ['%ENDSNX', '']);
  const blocks: Record<string, Read[]> = {};
  let block: string | null = null;
  let headings = 0;
  for (const line of lines.slice(1, -2)) {
    if (!/^[\x20-\x7e]{1,80}$/.test(line)) t.fail(`not 80 columns of ASCII: ${line}`);
    if (line.startsWith('+')) {
      if (block !== null) t.fail(`${line} in ${block}`);
      block = line.slice(1);
      if (Object.hasOwn(blocks, block)) t.fail(`a second ${block}`);
      blocks[block] = [];
      headings = 0;
    } else if (line.startsWith('-')) {
      t.equal(line.slice(1), block);
      block = null;
    } else if (line.startsWith('*')) {
      headings++;
      if (headings > 1 || blocks[block!]?.length !== 0) t.fail(`a comment in ${block}: ${line}`);
    } else if (block === null) t.fail(`outside the blocks: ${line}`);
    else if (Object.hasOwn(SINEX_COLUMNS, block)) {
      const fields = cut(t, line, SINEX_COLUMNS[block as 'SITE/ID'] as never);
      blocks[block]!.push({
        site: `${fields.site} ${fields.point}`,
        from: epoch(fields.from ?? ''),
        to: epoch(fields.to ?? ''),
        fields,
      });
    }
  }
  for (const name of ['SITE/RECEIVER', 'SITE/ANTENNA', 'SITE/ECCENTRICITY'])
    checkOrder(t, blocks[name]!);
  return blocks;
}

/** Reads station.info strictly, by the labels of its columns. */
export function readStationInfo(t: Test, text: string): Read[] {
  const lines = text.split('\n').slice(0, -1);
  const labels = lines.find((line) => line.startsWith('*SITE'))!;
  const columns: Record<string, [number, number]> = {};
  for (const [, label] of labels.matchAll(/ {1,}([A-Z][\w ]*?)(?= {2,}|$)/g)) {
    const begin = labels.indexOf(` ${label}`) + 2;
    columns[label!] = [begin, begin];
  }
  const widths = {
    'Station Name': 16,
    'Session Start': 17,
    'Session Stop': 17,
    'Ant Ht': 7,
    HtCod: 5,
    'Ant N': 7,
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
  for (const [label, width] of Object.entries(widths)) {
    if (columns[label] !== undefined) columns[label][1] = columns[label][0] + width - 1;
  }
  // AntDAZ has five columns, and its label six.
  if (columns.AntDAZ !== undefined) columns.AntDAZ[0] += 1;
  columns.site = [2, 5];
  const time = (value: string): number | null => {
    const [year, day, hour, minute, second] = value.split(/ +/).map(Number) as [
      number,
      number,
      number,
      number,
      number,
    ];
    if (year < 1980) t.fail(`before GPS: ${value}`);
    return year === 9999 ? null : Date.UTC(year, 0, day, hour, minute, second);
  };
  const read = lines
    .filter((line) => line.startsWith(' '))
    .map((line): Read => {
      if (!/^[\x20-\x7e]{1,221}$/.test(line)) t.fail(`not ASCII, or too long: ${line}`);
      const fields = cut(t, line, columns);
      return {
        site: fields.site!,
        from: time(fields['Session Start']!),
        to: time(fields['Session Stop']!),
        fields,
      };
    });
  checkOrder(t, read);
  return read;
}

const STA = {
  name: [1, 16],
  flag: [23, 25],
  from: [28, 46],
  to: [49, 67],
  receiver: [70, 89],
  serial: [92, 111],
  number: [114, 119],
  antenna: [122, 136],
  radome: [138, 141],
  antennaSerial: [144, 163],
  antennaNumber: [166, 171],
  north: [174, 181],
  east: [184, 191],
  up: [194, 201],
};
const STA_COLUMNS: Record<string, Record<string, [number, number]>> = {
  '1.03': {
    ...STA,
    azimuth: [204, 209],
    long: [212, 220],
    description: [223, 244],
    remark: [247, 270],
  } as never,
  '1.01': { ...STA, description: [204, 225], remark: [228, 251] } as never,
};

const RENAMING_COLUMNS: Record<string, [number, number]> = {
  name: [1, 16],
  flag: [23, 25],
  from: [28, 46],
  to: [49, 67],
  old: [70, 89],
  remark: [92, 115],
};

/** A time of STA in milliseconds; null is open. */
const staTime = (value: string): number | null =>
  value.startsWith('2099')
    ? null
    : Date.parse(value.replace(/^(\S+) (\S+) (\S+) (\S+) (\S+) (\S+)$/, '$1-$2-$3T$4:$5:$6Z'));

/** Where the columns of a heading begin. */
const columnsOf = (line: string): number[] =>
  [...line.matchAll(/\S+( \S+)*/g)].map(({ index }) => index);

/** Reads TYPE 002 of an STA file strictly. */
export function readSta(t: Test, text: string): Read[] {
  const lines = text.split('\n');
  for (const line of lines)
    if (!/^[\x20-\x7e]{0,270}$/.test(line)) t.fail(`not ASCII, or too long: ${line}`);
  const version = /^FORMAT VERSION: (.*)$/m.exec(text)![1]!;
  for (const [number, name] of [
    'RENAMING',
    'STATION INFORMATION',
    'HANDLING',
    'STATION COORDINATES',
    'HANDLING',
  ].entries()) {
    t.match(text, new RegExp(`^TYPE 00${number + 1}: ${name}`, 'm'));
  }
  const coordinates = lines.findIndex((line) => line.startsWith('TYPE 004')) + 3;
  const [names, stars] = lines.slice(coordinates, coordinates + 2).map(columnsOf);
  t.same(stars, names, 'the columns of TYPE 004 are below their names');
  const begin = lines.findIndex((line) => line.startsWith('TYPE 002')) + 5;
  const read = lines.slice(begin, lines.indexOf('', begin)).map((line): Read => {
    const fields = cut(t, line, STA_COLUMNS[version]!);
    return { site: fields.name!, from: staTime(fields.from!), to: staTime(fields.to!), fields };
  });
  checkOrder(t, read);
  return read;
}

/** Reads TYPE 001 of an STA file strictly. */
export function readRenaming(t: Test, text: string): Read[] {
  const lines = text.split('\n');
  const begin = lines.findIndex((line) => line.startsWith('TYPE 001')) + 5;
  return lines.slice(begin, lines.indexOf('', begin)).map((line): Read => {
    const fields = cut(t, line, RENAMING_COLUMNS);
    return { site: fields.name!, from: staTime(fields.from!), to: staTime(fields.to!), fields };
  });
}

/** Reads a RINEX header strictly: the content of each record by its label. */
export function readHeader(t: Test, text: string): Map<string, string> {
  const lines = text.split('\n').slice(0, -1);
  for (const line of lines)
    if (!/^[\x20-\x7e]{80}$/.test(line)) t.fail(`not 80 columns of ASCII: ${line}`);
  t.equal(lines.at(-1)!.trim(), 'END OF HEADER');
  return new Map(lines.map((line) => [line.slice(60).trim(), line.slice(0, 60)]));
}

/** The files of a ZIP archive without compression, by their names. */
export function readZip(bytes: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  // The central directory: names, sizes and places of the files.
  const end = bytes.length - 22;
  let place = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < bytes.readUInt16LE(end + 10); index++) {
    const packed = bytes.readUInt32LE(place + 20);
    const nameLength = bytes.readUInt16LE(place + 28);
    const local = bytes.readUInt32LE(place + 42);
    const name = bytes.toString('latin1', place + 46, place + 46 + nameLength);
    const data = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    files.set(name, bytes.toString('latin1', data, data + packed));
    place += 46 + nameLength + bytes.readUInt16LE(place + 30) + bytes.readUInt16LE(place + 32);
  }
  return files;
}

/** The body of an answer. @throws {Error} if it is not a success */
export async function text({ get }: Pick<Service, 'get'>, url: string): Promise<string> {
  const response = await get(url);
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.body.slice(0, 300)}`);
  return response.body;
}
