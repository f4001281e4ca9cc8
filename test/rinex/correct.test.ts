import fc from 'fast-check';
import t from 'tap';
import { checkHeader, type CheckedHeader } from '../../src/rinex/check-header.js';
import { correctHeader } from '../../src/rinex/correct.js';
import { readFileName } from '../../src/rinex/header/file-name.js';
import { readHeader, type RinexHeader } from '../../src/rinex/header/header.js';
import { headerLinesOf } from '../../src/rinex/header/lines.js';
import { identify, type Span } from '../../src/rinex/identify.js';
import type { Setup } from '../../schemas/index.js';
import type { RecordedSite } from '../../src/store/read/sites/sites.js';
import { record as line } from '../../src/formats/rinex-header.js';
import { SEED } from '../effort.js';

/** An antenna with its eccentricity. Null is unknown, or empty. */
interface Mounted {
  serialNumber: string | null;
  type: string | null;
  radome: string | null;
  up: number | null;
  east: number | null;
  north: number | null;
}

/** A receiver. Null is unknown, or empty. */
interface Receiver {
  serialNumber: string | null;
  type: string | null;
  firmware: string | null;
}

const SITE = {
  id: 1,
  fourCharacterId: 'QQAA',
  nineCharacterId: 'QQAA00AUS',
  formerIds: [],
  domesNumber: null,
};
const LOCATION = { x: 1, y: 2, z: 3, latitude: null, longitude: null, height: null };

const serialNumber = fc.constantFrom(null, 'A-1', 'A-2', 'A-3');
const eccentricity = fc.constantFrom(null, 0, 0.0015, 0.1, 1.5);
const mounted: fc.Arbitrary<Mounted> = fc.record({
  serialNumber,
  type: fc.constantFrom(null, 'LEIAR25.R3', 'LEIAR25.R3', 'TRM59800.00', 'TYPE OF 16 CHARS'),
  radome: fc.constantFrom(null, 'NONE', 'LEIT', 'SCIS'),
  up: eccentricity,
  east: fc.constantFrom(null, 0, 0, 0.1),
  north: fc.constantFrom(null, 0, 0, 0.1),
});
const receiver: fc.Arbitrary<Receiver> = fc.record({
  serialNumber,
  type: fc.constantFrom(null, 'SEPT POLARX5', 'LEICA GR25'),
  firmware: fc.constantFrom(null, '5.50', '5.4.0', '4.20'),
});

const DAYS = ['2020-01-01', '2020-01-03', '2020-01-05', '2020-01-07'] as const;
const midnight = (day: string): string => `${day}T00:00:00Z`;

/** What is in use during a Setup. */
interface InUse {
  antennas: Mounted[];
  receivers: Receiver[];
}
const inUse: fc.Arbitrary<InUse> = fc.record({
  antennas: fc.array(mounted, { maxLength: 2 }),
  receivers: fc.array(receiver, { maxLength: 2 }),
});

const toSetup = (
  { antennas, receivers }: InUse,
  id: number,
  from: string,
  to: string | null,
): Setup => {
  const period = { from, to };
  const items = [
    ...receivers.map((each) => ({
      id: { equipmentType: 'gnss receiver', type: each.type, serialNumber: each.serialNumber },
      configuration: { firmwareVersion: each.firmware },
      period,
    })),
    ...antennas.map((each) => ({
      id: { equipmentType: 'gnss antenna', type: each.type, serialNumber: each.serialNumber },
      configuration: {
        radomeType: each.radome,
        alignmentFromTrueNorth: null,
        markerArpUpEccentricity: each.up,
        markerArpEastEccentricity: each.east,
        markerArpNorthEccentricity: each.north,
      },
      period,
    })),
  ];
  const equipmentInUse = items.map((content) => ({ content }));
  return { id, effectivePeriod: period, equipmentInUse } as unknown as Setup;
};

/** Consecutive Setups; the same equipment may stay in the next one. */
const history = fc
  .array(fc.tuple(inUse, fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 3 })
  .chain((all) => fc.record({ all: fc.constant(all), isOpen: fc.boolean() }))
  .map(({ all, isOpen }) => {
    const stages: InUse[] = [];
    for (const [each, keepsAntennas, keepsReceivers] of all) {
      const before = stages.at(-1);
      stages.push({
        antennas: keepsAntennas ? (before?.antennas ?? each.antennas) : each.antennas,
        receivers: keepsReceivers ? (before?.receivers ?? each.receivers) : each.receivers,
      });
    }
    return { stages, isOpen };
  });

/** A text as headers spell it, if they do. */
const spelt = (value: string | null): fc.Arbitrary<string> =>
  fc.constantFrom(
    value ?? '',
    value ?? '',
    (value ?? '').toLowerCase(),
    (value ?? '').replace('-', ' '),
    '',
    '-Unknown-',
    'OTHER',
  );
const written = (value: number | null): fc.Arbitrary<string> =>
  fc.constantFrom(
    (value ?? 0.5).toFixed(4),
    (value ?? 0.5).toFixed(4),
    ((value ?? 0.5) + 0.0009).toFixed(4),
    '0.0000',
    '2.2500',
  );

/** A header about an antenna and a receiver, and about other things. */
const headerOf = (antenna: Mounted, device: Receiver): fc.Arbitrary<string> =>
  fc
    .record({
      antennaSerial: spelt(antenna.serialNumber),
      type: spelt(antenna.type),
      radome: fc.constantFrom(antenna.radome ?? '', antenna.radome ?? '', '', 'UNKN', 'SCIS'),
      isRadomeElsewhere: fc.boolean(),
      hasAntenna: fc.integer({ max: 9, min: 0 }).map((number) => number > 0),
      receiverSerial: spelt(device.serialNumber),
      receiverType: spelt(device.type),
      firmware: spelt(device.firmware),
      eccentricities: fc.tuple(written(antenna.up), written(antenna.east), written(antenna.north)),
      eccentricityText: fc.constantFrom('numbers', 'numbers', 'numbers', 'stars', 'none'),
      marker: fc.constantFrom('QQAA', 'QQAA00AUS', 'qqaa00aus', 'QQAA01AUS', 'ZZZZ', ''),
      version: fc.constantFrom('2.11', '3.05'),
      position: fc.constantFrom('0.0000', '9.0000', null),
      first: fc.constantFrom(null, null, null, null, null, null, '2000-05-18', ...DAYS),
      last: fc.constantFrom(null, null, null, null, null, null, ...DAYS),
      isEarly: fc.boolean(),
    })
    .map((given) => {
      const beside = `${given.type} ${given.radome}`;
      const types = given.isRadomeElsewhere ? beside : `${given.type.padEnd(16)}${given.radome}`;
      const numbers = given.eccentricities.map((each) => each.padStart(14)).join('');
      const time = (day: string, clock: string): string =>
        `${day
          .split('-')
          .map((part) => part.padStart(6))
          .join('')}${clock}`;
      const begin = given.isEarly ? '    23    59   44.0000000' : '     0     0    0.0000000';
      const dayBefore = (day: string): string =>
        new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
      return [
        line(`${given.version.padStart(9)}           OBSERVATION DATA`, 'RINEX VERSION / TYPE'),
        line(given.marker, 'MARKER NAME'),
        line(
          given.receiverSerial.padEnd(20) + given.receiverType.padEnd(20) + given.firmware,
          'REC # / TYPE / VERS',
        ),
        given.hasAntenna ? line(given.antennaSerial.padEnd(20) + types, 'ANT # / TYPE') : '',
        given.position === null
          ? ''
          : line(given.position.padStart(14).repeat(3), 'APPROX POSITION XYZ'),
        given.eccentricityText === 'numbers' ? line(numbers, 'ANTENNA: DELTA H/E/N') : '',
        given.eccentricityText === 'stars' ? line('*'.repeat(14), 'ANTENNA: DELTA H/E/N') : '',
        given.first === null
          ? ''
          : line(
              time(given.isEarly ? dayBefore(given.first) : given.first, begin),
              'TIME OF FIRST OBS',
            ),
        given.last === null
          ? ''
          : line(time(given.last, '    23    59   30.0000000'), 'TIME OF LAST OBS'),
        line('', 'END OF HEADER'),
      ].join('');
    });

const NAMES = [
  'qqaa0010.20o',
  'qqaa0010.20o',
  'qqaa0030.20o',
  'qqaa0060.20o',
  'qqaa3660.21o',
  'QQAA00AUS_R_20200010000_01D_30S_MO.rnx',
  'QQAA00AUS_R_20200020000_07D_30S_MO.rnx',
  'QQAA00AUS_R_20200020000_02D_30S_MO.rnx',
  'QQAA01AUS_R_20200010000_01D_30S_MO.rnx',
  'zzzz0010.20o',
  'notes.txt',
] as const;

/** A file, what is on record about its Site, and how it is corrected. */
const scenario = history
  .chain(({ stages, isOpen }) => {
    const antennas = stages.flatMap((each) => each.antennas);
    const receivers = stages.flatMap((each) => each.receivers);
    const ofAntenna =
      antennas.length === 0 ? mounted : fc.oneof(fc.constantFrom(...antennas), mounted);
    const ofReceiver =
      receivers.length === 0 ? receiver : fc.oneof(fc.constantFrom(...receivers), receiver);
    const text = fc.tuple(ofAntenna, ofReceiver).chain(([one, other]) => headerOf(one, other));
    return fc.record({
      stages: fc.constant(stages),
      isOpen: fc.constant(isOpen),
      text,
      name: fc.constantFrom(...NAMES),
      datePrepared: fc.constantFrom(null, '2019-06-01', '2020-01-02', '2024-01-01'),
      at: fc.constantFrom(null, null, null, midnight('2020-01-04')),
      includesEquipment: fc.boolean(),
    });
  })
  .map(({ stages, isOpen, ...others }) => {
    const setups = stages.map((each, index) => {
      const to = index === stages.length - 1 && isOpen ? null : midnight(DAYS[index + 1]!);
      return toSetup(each, index + 1, midnight(DAYS[index]!), to);
    });
    const record = {
      site: { ...SITE, location: LOCATION },
      setups,
      agencies: ['GA'],
      isText: false,
      datePrepared: others.datePrepared,
    } as unknown as RecordedSite;
    return { ...others, stages, record };
  });

/** A text as it is compared; null if it says nothing. */
const comparable = (text: string | null): string | null => {
  const plain = (text ?? '').toUpperCase().replace(/[\s-]/g, '');
  return plain === '' || plain === 'UNKNOWN' || plain === 'UNKN' ? null : plain;
};
const number = (text: string | null): number | null => (text === null ? null : Number(text));

function mountedIn({ antenna, ...header }: RinexHeader): Mounted {
  const [, type = null, radome = null] = /^(\S.*\S|\S) +(\S{4})$/.exec(antenna ?? '') ?? [];
  const isElsewhere = header.radomeType === null && radome !== null;
  return {
    serialNumber: comparable(header.antennaSerialNumber),
    type: comparable(isElsewhere ? type : header.antennaType),
    radome: comparable(isElsewhere ? radome : header.radomeType),
    up: number(header.up),
    east: number(header.east),
    north: number(header.north),
  };
}

const receiverIn = (header: RinexHeader): Receiver => ({
  serialNumber: comparable(header.receiverSerialNumber),
  type: comparable(header.receiverType),
  firmware: comparable(header.firmwareVersion)?.replace(/\.(?=\d+$)/, '') ?? null,
});

/**
 * Whether a header may say this where the record says that: it may be silent, but say nothing else.
 */
function agrees(said: string | number | null, recorded: string | number | null): boolean {
  if (said === null) return true;
  if (typeof said === 'number')
    return typeof recorded === 'number' && Math.abs(said - recorded) < 0.00101;
  return typeof recorded === 'string' && comparable(recorded) === said;
}

const antennaAgrees = (said: Mounted, recorded: Mounted): boolean =>
  said.type !== null &&
  Object.entries(said).every(([name, value]) =>
    agrees(value as string | number | null, recorded[name as keyof Mounted]),
  );

/** The same antenna, of which the record does not know everything. */
const withoutUnknown = (said: Mounted, recorded: Mounted): Mounted => ({
  ...said,
  serialNumber: recorded.serialNumber === null ? null : said.serialNumber,
  radome: recorded.radome === null ? null : said.radome,
});

const isSameAntenna = (one: Mounted, other: Mounted): boolean =>
  one.serialNumber === other.serialNumber && one.type === other.type && one.radome === other.radome;

const receiverAgrees = (said: Receiver, { firmware, ...recorded }: Receiver): boolean =>
  Object.entries(recorded).every(([name, value]) => agrees(said[name as keyof Receiver], value)) &&
  agrees(said.firmware, firmware?.replace(/\.(?=\d+$)/, '') ?? null);

/**
 * What was in use at each time of a file, within the minute at its ends; null if nothing is on
 * record for a part of it.
 */
function stagesDuring(
  stages: InUse[],
  { setups }: RecordedSite,
  { from, to }: Span,
): InUse[] | null {
  const margin = Math.min(60_000, (Date.parse(to) - Date.parse(from)) / 2);
  const [first, last] = [Date.parse(from) + margin, Date.parse(to) - margin];
  const end = setups.at(-1)!.effectivePeriod.to;
  const isOnRecord =
    Date.parse(setups[0]!.effectivePeriod.from) <= first &&
    (end === null || Date.parse(end) >= last);
  if (!isOnRecord) return null;
  return stages.filter((_, index) => {
    const period = setups[index]!.effectivePeriod;
    const isBegun = Date.parse(period.from) <= first || Date.parse(period.from) < last;
    return isBegun && (period.to === null || Date.parse(period.to) > first);
  });
}

const same = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Whether one antenna with one eccentricity, or one receiver, was in use at each time of a file and
 * agrees.
 */
const wasInUse = <T extends object>(
  during: InUse[] | null,
  ofStage: (stage: InUse) => T[],
  isIt: (recorded: T) => boolean,
): boolean => {
  const [begin, ...later] = during ?? [];
  if (begin === undefined) return false;
  return ofStage(begin).some(
    (each) =>
      isIt(each) && later.every((stage) => ofStage(stage).some((other) => same(each, other))),
  );
};

t.test('a corrected header has an antenna at a height where it stood', (t) => {
  const seen = {
    eccentricity: 0,
    antenna: 0,
    receiver: 0,
    newer: 0,
    contradicts: 0,
    over: 0,
    spelling: 0,
    open: 0,
  };
  const property = fc.property(scenario, (given) => {
    const { text, name, record, at, stages, includesEquipment } = given;
    const records = headerLinesOf(text)!;
    const header = readHeader(records);
    const identified = identify({ name: readFileName(name), header, lastEpoch: null }, [record], {
      at,
      site: null,
    });
    if (identified.kind !== 'identified') {
      if (identified.kind === 'contradicts') seen.contradicts++;
      return;
    }
    const { span, isOpen } = identified;
    if (isOpen) seen.open++;
    const checked: CheckedHeader = checkHeader(header, record, span);
    const includes = { equipment: includesEquipment, agency: false };
    const corrected = correctHeader(records, header, { ...checked, isOpen }, includes);
    const after = readHeader(headerLinesOf(corrected.text)!);
    const during = stagesDuring(stages, record, span);
    if (during !== null && during.length > 1) seen.over++;

    const [antennaBefore, antennaAfter] = [mountedIn(header), mountedIn(after)];
    if (!same(antennaBefore, antennaAfter)) {
      const isSame = isSameAntenna(antennaBefore, antennaAfter);
      const isRecorded = wasInUse(
        during,
        ({ antennas }) => antennas,
        (recorded) =>
          antennaAgrees(isSame ? withoutUnknown(antennaAfter, recorded) : antennaAfter, recorded),
      );
      if (!isRecorded)
        throw new Error(`antenna ${JSON.stringify([antennaBefore, antennaAfter])} of nobody`);
    }
    const [receiverBefore, receiverAfter] = [receiverIn(header), receiverIn(after)];
    if (!same(receiverBefore, receiverAfter)) {
      const isRecorded = wasInUse(
        during,
        ({ receivers }) => receivers,
        (recorded) => receiverAgrees(receiverAfter, recorded),
      );
      if (!isRecorded)
        throw new Error(`receiver ${JSON.stringify([receiverBefore, receiverAfter])} of nobody`);
    }
    const { changes } = corrected;
    const equipment = ['REC # / TYPE / VERS', 'ANT # / TYPE'];
    const isTouched = [...equipment, 'ANTENNA: DELTA H/E/N'].some((each) => changes.includes(each));
    if (isOpen && isTouched) throw new Error('the length is unknown');
    const isOther =
      !isSameAntenna(antennaBefore, antennaAfter) || !same(receiverBefore, receiverAfter);
    const isSpelling = equipment.some((label) => changes.includes(label)) && !isOther;
    if (isSpelling) seen.spelling++;
    if (isOther && changes.some((label) => equipment.includes(label)) && !includesEquipment)
      throw new Error('equipment was not included');
    if (checked.newerDevices.length > 0) {
      seen.newer++;
      const all = [...equipment, 'ANTENNA: DELTA H/E/N', 'APPROX POSITION XYZ'];
      if (all.some((label) => changes.includes(label))) throw new Error('the record is older');
    }
    if (changes.includes('ANTENNA: DELTA H/E/N')) seen.eccentricity++;
    if (changes.includes('ANT # / TYPE')) seen.antenna++;
    if (changes.includes('REC # / TYPE / VERS')) seen.receiver++;
    // Every record that is wrong is corrected, or the report says why not.
    const again = correctHeader(
      headerLinesOf(corrected.text)!,
      after,
      { ...checkHeader(after, record, span), isOpen },
      includes,
    );
    if (again.changes.length > 0) throw new Error(`once is not enough: ${again.changes.join()}`);
  });
  fc.assert(property, { numRuns: 5000, seed: SEED });
  for (const [what, times] of Object.entries(seen)) t.ok(times > 20, `${what}: ${times} times`);
  t.end();
});
