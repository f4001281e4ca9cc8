import t from 'tap';
import { AntexIndex, checkCalibrations } from '../../src/check/antex.js';
import { NetworkIndex } from '../../src/check/network.js';
import type { CheckedLog } from '../../src/check/checked-log.js';
import { checkEquipmentNames, readEquipmentNames } from '../../src/check/equipment-names.js';
import { isNearMiss } from '../../src/site-log/near-miss.js';
import type { CorsSite } from '../../schemas/index.js';
import { readWholeLog } from '../../src/site-log/read.js';
import { type Finding, Findings, type Report } from '../../src/findings/findings.js';
import { logText, placeOf } from '../synthetic-log.js';

const row = (name: string, text = ''): string => `| ${name.padEnd(20)} | ${text} |`;
const RULE = '+----------------------+-----+';
const LIST = [
  ...[
    RULE,
    row('MAKER OF MANY WORDS'),
    row('  Rcvrs'),
    row('IGS Codes-20 columns'),
    row('X'.repeat(20)),
    RULE,
    row('MAKER R1', 'the first'),
    row('', 'more'),
    row('MAKER xxxxxxxx', 'types of any name'),
    RULE,
  ],
  ...[
    row('MAKER Antennae'),
    row(`${'X'.repeat(15)} DOME`),
    RULE,
    row('MAKANT1'),
    row('xxxxxxxxxxxxxxx MAKD', 'a dome'),
    RULE,
  ],
  ...[row('Satellite Antennae'), row('X'.repeat(20)), RULE, row('MAKER ORBIT-1'), RULE],
  ...[
    row('Previously valid', 'New Codes'),
    RULE,
    row('MAKOLD', 'MAKANT1 | MAKANT2'),
    row('', 'MAKANT3'),
    RULE,
  ],
].join('\n');
const atx = (type: string, serial = ''): string[] => [
  `${''.padEnd(60)}START OF ANTENNA`,
  `${type.padEnd(20)}${serial.padEnd(40)}TYPE / SERIAL NO`,
  `${''.padEnd(60)}END OF ANTENNA`,
];

/** What is found in a log with one receiver and one antenna. */
function found(
  receiver: string,
  antenna: string,
  check: (log: CheckedLog, report: Report) => void,
  from = '',
): Finding[] {
  const findings = new Findings('a');
  const log = logText({
    receivers: [{ type: receiver, from }],
    antennas: [{ type: antenna, serial: '7', from }],
  });
  check(readWholeLog(Buffer.from(log), new Findings('a')), findings.add);
  return findings.list;
}

t.test(
  'types and radomes are compared with the list, with successors and suggestions',
  async (t) => {
    const names = readEquipmentNames(LIST)!;
    const check = (receiver: string, antenna: string) =>
      found(receiver, antenna, (log, report) => checkEquipmentNames(log, names, report));
    t.strictSame(check('MAKER R1', 'MAKANT1         MAKD'), []);
    const kind = 'gnss receiver';
    t.match(check('MAKAR R1', 'MAKOLD          NONE'), [
      { code: 'unknown-type', values: { kind, meant: 'MAKER R1', listDate: null } },
      { code: 'deprecated-type', values: { newer: ['MAKANT1', 'MAKANT2', 'MAKANT3'] } },
    ]);
    t.match(check('MAKER R1', 'MAKANT1         ABCD'), [
      { code: 'unknown-radome', values: { listDate: null } },
    ]);
    t.strictSame(check('no receiver', 'NO ANTENNA'), [], 'no device is no type');
    t.same([...names.receivers], ['MAKER R1'], 'no headings, placeholders or satellites');
    t.same([...names.antennas], ['MAKANT1']);
    t.same([...names.successors.keys()], ['MAKOLD']);
    for (const [written, meant] of [
      ['MAKAR R1', 'MAKER R1'],
      ['MAKER-R1', 'MAKER R1'],
      ['MAKERR R1', null],
      ['MAKE R1', null],
      ['MAKER R2', null],
      ['MAKER R1C', null],
    ])
      t.match(check(written!, 'MAKANT1         MAKD'), [{ values: { meant } }], written!);
    t.equal(readEquipmentNames('no list'), null);
  },
);

t.test('antennas are looked up among the calibrations', async (t) => {
  const index = new AntexIndex();
  const lines = [
    ...atx('MAKANT1         NONE'),
    ...atx('MAKANT2         MAKD'),
    ...atx('MAKANT3         NONE', '7'),
    'MAKANT4',
    // Outside of a block, satellites, and a receiver's antenna whose serial number looks like one.
    atx('MAKANT4         NONE')[1]!,
    ...atx('BLOCK IIA', 'G01                 G032      1992-079A'),
    ...atx('BLOCK IIA', 'G01'),
    ...atx('MAKANT5         MAKD', 'G12'),
  ];
  for (const line of lines) index.add(line);
  const check = (antenna: string) =>
    found('', antenna, (log, report) => checkCalibrations(log, index, report)).map(
      ({ code }) => code,
    );
  t.strictSame(check('MAKANT1         NONE'), []);
  t.strictSame(check('MAKANT1         MAKD'), ['calibration-without-radome']);
  t.strictSame(check('MAKANT2         MAKD'), []);
  t.strictSame(check('MAKANT3         NONE'), ['individual-calibration']);
  t.strictSame(check('MAKANT4         NONE'), ['no-calibration']);
  t.equal(index.size, 4);
  const antenna = { type: 'MAKANT5', radome: 'MAKD', serialNumber: 'G12' };
  t.equal(index.find(antenna), 'individual');
  t.equal(index.find({ ...antenna, serialNumber: 'G13' }), 'none');
  // A radome begins in column 17.
  for (const line of atx('MAKANT5         D', 'G12')) index.add(line);
  t.equal(index.find({ ...antenna, radome: 'D' }), 'individual');
  t.throws(() => {
    const all = new AntexIndex();
    for (let number = 0; number <= 100_000; number++)
      for (const line of atx('MAKANT6         NONE', String(number))) all.add(line);
  }, /has more than 100000 calibrations/);
});

t.test('the version of ANTEX stands in the first eight columns', (t) => {
  const add = (version: string): void =>
    new AntexIndex().add(`${version.padEnd(60)}ANTEX VERSION / SYST`);
  for (const version of ['1.4', '     1.4            M', '     2.0'])
    t.doesNotThrow(() => add(version), version);
  t.throws(() => add('        1.4'), /names no ANTEX version/);
  t.throws(() => add('     3.0'), /is ANTEX version 3\.0/);
  t.end();
});

t.test('a log is checked against the other Sites on record', async (t) => {
  const other = (site: object, location: object = {}): CorsSite =>
    ({
      ...{ fourCharacterId: 'OTHR', nineCharacterId: null, domesNumber: null, ...site },
      location: { latitude: null, longitude: null, ...location },
    }) as CorsSite;
  const receiver = { type: 'LEICA GR25', serial: '12345', from: '2011-01-01', to: '2012-01-01' };
  const text = logText({
    id: 'TEST',
    place: placeOf('-23.670125', '133.885514'),
    receivers: [receiver],
  }).replace('2.   Site Location Information', '     IERS DOMES Number        : 50137M001\n$&');
  const check = (
    site: CorsSite,
    device?: object,
    from = '2011-06-01T00:00:00Z',
    to: string | null = null,
  ): Finding[] => {
    const index = new NetworkIndex();
    index.addSite(site);
    if (device !== undefined) {
      const id = {
        equipmentType: 'gnss receiver',
        type: 'LEICA GR25',
        serialNumber: '12345',
        ...device,
      } as const;
      index.addDevice({ site, device: id as never, period: { from, to } });
    }
    const findings = new Findings('a');
    index.check(readWholeLog(Buffer.from(text), findings), findings.add);
    return findings.list;
  };
  t.strictSame(check(other({})), []);
  t.strictSame(
    check(other({ fourCharacterId: 'TEST', domesNumber: '50137M001' })),
    [],
    'the Site itself',
  );
  t.match(check(other({ domesNumber: '50137M001' })), [
    { code: 'shared-domes', values: { site: 'OTHR' } },
  ]);
  t.strictSame(check(other({ domesNumber: '50137M002' })), []);
  t.match(check(other({}, { latitude: -23.670125, longitude: 133.885523 })), [
    { code: 'shared-position', values: { metres: 1 } },
  ]);
  t.strictSame(check(other({}, { latitude: -23.670125, longitude: 133.885525 })), []);
  t.match(
    check(other({}, { latitude: -23.670117, longitude: 133.885514 })),
    [{ code: 'shared-position' }],
    'in another band',
  );
  const use = { site: 'OTHR', from: '2011-06-01T00:00:00Z', to: null };
  t.match(check(other({}), {}), [
    { code: 'serial-elsewhere', values: { kind: 'gnss receiver', ...use } },
  ]);
  t.strictSame(check(other({}), {}, '2012-01-01T00:00:00Z'), [], 'it moved');
  t.strictSame(
    check(other({}), {}, '2010-01-01T00:00:00Z', '2011-01-01T00:00:00Z'),
    [],
    'it came from there',
  );
  t.match(check(other({}), { serialNumber: '12 345' }), [{ code: 'serial-elsewhere' }]);
  t.strictSame(check(other({}), { serialNumber: '012345' }), []);
  t.match(check(other({}), { type: 'LEICA GR30' }), [{ code: 'type-changed', values: use }]);
  t.strictSame(check(other({}), { type: 'TPS NET-G3A' }), [], 'of another maker');
});

t.test(
  'a name with other digits is no misspelling, and an old list says how old it is',
  async (t) => {
    t.notOk(isNearMiss('TRM59800.00', 'TRM159900.00'));
    t.notOk(isNearMiss('SEPT ASTERX-M', 'SEPT ASTERX4'));
    t.ok(isNearMiss('SEPT POLARX5', 'SEPT POLARX5R'));
    const changes =
      '| 20 DEC 2018  Added MAKER R1                                |\n| 99 ABC 2031  Added |\n';
    const names = readEquipmentNames(`${changes}${LIST}`)!;
    t.match([names.changed, readEquipmentNames(LIST)!.changed], ['2018-12-20', null]);
    const check = (from: string): Finding[] =>
      found(
        'MAKER R7',
        'MAKANT1         ABCD',
        (log, report) => checkEquipmentNames(log, names, report),
        from,
      );
    const unknown = (listDate: string): object[] => [
      { code: 'unknown-type', values: { meant: null, listDate } },
      { code: 'unknown-radome', values: { listDate } },
    ];
    t.match(check('2018-12-20'), unknown('2018-12-20'), 'an item as old as the list');
    t.match(check('2018-12-21'), unknown('2018-12-20'));
  },
);
