import fc from 'fast-check';
import t from 'tap';
import { checkHeader, type CheckedHeader } from '../../src/rinex/check-header.js';
import { correctHeader } from '../../src/rinex/correct.js';
import { readHeader, type RinexHeader } from '../../src/rinex/header/header.js';
import { headerLinesOf } from '../../src/rinex/header/lines.js';
import { isWrong } from '../../src/rinex/verdict.js';
import type { Setup } from '../../schemas/index.js';
import { record as line } from '../../src/formats/rinex-header.js';
import type { RecordedSite } from '../../src/store/read/sites/sites.js';
import { casesOf, SEED, triesMore } from '../effort.js';

/** Histories with times without receiver or antenna, and headers of daily files. */

/** A receiver or an antenna. Null is unknown. */
type Device = Record<string, string | null>;

const orUnknown = (...values: string[]) => fc.constantFrom(...values, ...values, null);
const receivers = fc.record({
  receiverSerialNumber: orUnknown('R-1', 'R-2'),
  receiverType: fc.constantFrom('SEPT POLARX5', 'LEICA GR25'),
  firmwareVersion: orUnknown('5.50', '4.20'),
});
const antennas = fc.record({
  antennaSerialNumber: orUnknown('A-1', 'A-2'),
  antennaType: fc.constantFrom('LEIAR25.R3', 'TRM59800.00'),
  radomeType: orUnknown('NONE', 'LEIT'),
  up: orUnknown('0.1000', '0.2000'),
  east: fc.constantFrom('0.0000', '0.0100'),
  north: fc.constantFrom('0.0000'),
});

/** What is in use in a Setup; null for none. */
interface InUse {
  receiver: Device | null;
  antenna: Device | null;
}
const stage: fc.Arbitrary<InUse> = fc.record({
  receiver: fc.option(receivers, { freq: 3 }),
  antenna: fc.option(antennas, { freq: 3 }),
});

const START = Date.parse('2020-01-01T00:00:00Z');
const HOUR = 3_600_000;
const instant = (hour: number): string =>
  new Date(START + hour * HOUR).toISOString().replace('.000Z', 'Z');

const number = (text: string | null): number | null => (text === null ? null : Number(text));

function toSetup({ receiver, antenna }: InUse, id: number, from: number, to: number | null): Setup {
  const period = { from: instant(from), to: to === null ? null : instant(to) };
  const contents = [
    receiver && {
      id: {
        equipmentType: 'gnss receiver',
        type: receiver.receiverType,
        serialNumber: receiver.receiverSerialNumber,
      },
      configuration: { firmwareVersion: receiver.firmwareVersion },
      period,
    },
    antenna && {
      id: {
        equipmentType: 'gnss antenna',
        type: antenna.antennaType,
        serialNumber: antenna.antennaSerialNumber,
      },
      configuration: {
        radomeType: antenna.radomeType,
        markerArpUpEccentricity: number(antenna.up!),
        markerArpEastEccentricity: number(antenna.east!),
        markerArpNorthEccentricity: number(antenna.north!),
        alignmentFromTrueNorth: null,
      },
      period,
    },
  ];
  const equipmentInUse = contents.filter((each) => each !== null).map((content) => ({ content }));
  return { id, effectivePeriod: period, equipmentInUse } as unknown as Setup;
}

/** A header that says exactly what is known. */
function headerOf({ receiver, antenna }: InUse): string {
  const columns = (value: string | null | undefined, width: number): string =>
    (value ?? '').padEnd(width);
  const { receiverSerialNumber, receiverType, firmwareVersion } = receiver ?? {};
  const { antennaSerialNumber, antennaType, radomeType, up, east, north } = antenna ?? {};
  const numbers = [up, east, north].map((each) => (each ?? '').padStart(14)).join('');
  return [
    line('     3.05           OBSERVATION DATA', 'RINEX VERSION / TYPE'),
    line('QQAA00AUS', 'MARKER NAME'),
    line(
      columns(receiverSerialNumber, 20) + columns(receiverType, 20) + columns(firmwareVersion, 20),
      'REC # / TYPE / VERS',
    ),
    line(
      columns(antennaSerialNumber, 20) + columns(antennaType, 16) + columns(radomeType, 4),
      'ANT # / TYPE',
    ),
    line(numbers, 'ANTENNA: DELTA H/E/N'),
    line('', 'END OF HEADER'),
  ].join('');
}

/** A history, and a file of a day in which it may change. */
const scenario = fc
  .record({
    stages: fc.array(stage, { minLength: 1, maxLength: 4 }),
    /** The hours at which Setups begin, after the first. */
    hours: fc.uniqueArray(fc.integer({ min: -10, max: 40 }), { minLength: 3, maxLength: 3 }),
    other: stage,
    kind: fc.constantFrom('of a Setup', 'of a Setup', 'mixed', 'other'),
    picked: fc.nat(3),
    second: fc.nat(3),
    includes: fc.boolean(),
  })
  .map(({ stages, hours, other, kind, picked, second, includes }) => {
    const begins = [-1000, ...hours.toSorted((a, b) => a - b)].slice(0, stages.length);
    const setups = stages.map((each, index) =>
      toSetup(each, index + 1, begins[index]!, begins[index + 1] ?? null),
    );
    const during = stages.filter(
      (_, index) => begins[index]! < 24 && (begins[index + 1] ?? Infinity) > 0,
    );
    const one = during[picked % during.length]!;
    const another = during[second % during.length]!;
    const said = {
      'of a Setup': one,
      mixed: { receiver: one.receiver, antenna: another.antenna },
      other,
    }[kind];
    const record = {
      site: {
        fourCharacterId: 'QQAA',
        nineCharacterId: 'QQAA00AUS',
        domesNumber: null,
        formerIds: [],
        location: { x: null, y: null, z: null, latitude: null, longitude: null, height: null },
      },
      setups,
      agencies: [],
      datePrepared: null,
    } as unknown as RecordedSite;
    return { record, during, said, includes };
  });

const SPAN = { from: instant(0), to: instant(24) };
const ofDevice = { receiver: receivers, antenna: antennas };
const DEVICES = Object.keys(ofDevice) as (keyof typeof ofDevice)[];

/** Whether a header says exactly what is known of a device. */
const isExactly = (said: Device | null, recorded: Device | null): boolean =>
  JSON.stringify(said) === JSON.stringify(recorded);

/** Whether a header contradicts what is known of a device. */
const contradicts = (said: Device | null, recorded: Device | null): boolean =>
  recorded !== null &&
  Object.entries(recorded).some(([field, value]) => {
    const written = said?.[field] ?? null;
    if (value === null) return false;
    const isNeeded = !field.endsWith('SerialNumber') && field !== 'firmwareVersion';
    return written === null ? isNeeded : written !== value;
  });

/** What a header says must come of: null if both are possible. */
function expected(said: InUse, during: InUse[]): 'right' | 'wrong' | null {
  const isOnRecord = (device: keyof InUse): boolean => during.some((each) => each[device] !== null);
  if (!DEVICES.every(isOnRecord)) return 'wrong';
  const complete = during.filter(({ receiver, antenna }) => receiver !== null && antenna !== null);
  const fits = (is: (said: Device | null, recorded: Device | null) => boolean, all: boolean) =>
    complete.length > 0
      ? complete
          .map((each) => DEVICES.map((device) => is(said[device], each[device])))
          .map((each) => (all ? each.every(Boolean) : each.some(Boolean)))
      : null;
  const exact = fits(isExactly, true);
  if (exact?.some(Boolean)) return 'right';
  const contradictions = fits(contradicts, false);
  if (contradictions?.every(Boolean)) return 'wrong';
  if (contradictions !== null) return null;
  const isContradicted = DEVICES.some((device) =>
    during.every((each) => each[device] === null || contradicts(said[device], each[device])),
  );
  return isContradicted ? 'wrong' : null;
}

/** Whether a file is a reason for exit code 1. */
const isWrongFile = ({ noEquipment, fields }: CheckedHeader): boolean =>
  noEquipment.length > 0 || fields.some(isWrong);

/** The values of a header about the device. */
const FIELDS = [
  'receiverSerialNumber',
  'receiverType',
  'firmwareVersion',
  'antennaSerialNumber',
  'antennaType',
  'radomeType',
  'up',
  'east',
  'north',
] as const satisfies (keyof RinexHeader)[];

t.test('a header fits one Setup of its file, or is wrong', triesMore, (t) => {
  const seen: Record<string, number> = {};
  const property = fc.property(scenario, ({ record, during, said, includes }) => {
    const lines = headerLinesOf(headerOf(said))!;
    const header = readHeader(lines);
    const checked = checkHeader(header, record, SPAN);
    const outcome = expected(said, during);
    seen[outcome ?? 'either'] = (seen[outcome ?? 'either'] ?? 0) + 1;
    if (outcome !== null && isWrongFile(checked) !== (outcome === 'wrong'))
      throw new Error(`expected ${outcome}: ${JSON.stringify([said, during])}`);

    const corrected = correctHeader(
      lines,
      header,
      { ...checked, isOpen: false },
      { equipment: includes, agency: false },
    );
    const copy = readHeader(headerLinesOf(corrected.text)!);
    for (const field of FIELDS) {
      if (copy[field] === header[field]) continue;
      seen.corrected = (seen.corrected ?? 0) + 1;
      const device = /^receiver|^firmware/.test(field) ? 'receiver' : 'antenna';
      const isOfAll = during.every((each) => each[device]?.[field] === copy[field]);
      if (!isOfAll) throw new Error(`${field} ${copy[field]} of nobody: ${JSON.stringify(during)}`);
    }
  });
  fc.assert(property, { numRuns: casesOf(20_000), seed: SEED });
  for (const what of ['right', 'wrong', 'corrected'])
    t.ok((seen[what] ?? 0) > 50, `${what}: ${seen[what]} times`);
  t.end();
});
