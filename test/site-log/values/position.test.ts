import fc from 'fast-check';
import t from 'tap';
import { distance } from '../../../src/requests/place.js';
import { cartesianPosition, geodeticPosition } from '../../../src/site-log/values/position.js';
import { readSections } from '../../../src/site-log/read-sections.js';
import { readWholeLog } from '../../../src/site-log/read.js';
import { factsIn } from '../../facts.js';
import { Findings } from '../../../src/findings/findings.js';
import { writeSections } from '../../../src/site-log/write.js';
import { SEED } from '../../effort.js';

const RADIANS = Math.PI / 180;

/** X, Y and Z, by the definition of the GRS80 ellipsoid. */
function cartesian(
  latitude: number,
  longitude: number,
  elevation: number,
): [number, number, number] {
  const [a, f] = [6_378_137, 1 / 298.257222101];
  const e2 = 2 * f - f * f;
  const [sine, cosine] = [Math.sin(latitude * RADIANS), Math.cos(latitude * RADIANS)];
  const normal = a / Math.sqrt(1 - e2 * sine * sine);
  return [
    (normal + elevation) * cosine * Math.cos(longitude * RADIANS),
    (normal + elevation) * cosine * Math.sin(longitude * RADIANS),
    (normal * (1 - e2) + elevation) * sine,
  ];
}

t.test(
  'X, Y and Z convert back to the latitude, longitude and elevation they were computed from',
  async (t) => {
    fc.assert(
      fc.property(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -179.9, max: 179.9, noNaN: true }),
        fc.double({ min: -500, max: 9000, noNaN: true }),
        (latitude, longitude, elevation) => {
          const position = geodeticPosition(...cartesian(latitude, longitude, elevation))!;
          const back = cartesianPosition({ latitude, longitude, elevation });
          const isSame = cartesian(latitude, longitude, elevation).every(
            (each, axis) => Math.abs(each - back[axis]!) < 0.001,
          );
          return (
            isSame &&
            distance(position, { latitude, longitude }) < 0.01 &&
            Math.abs(position.elevation - elevation) < 0.01
          );
        },
      ),
      { seed: SEED },
    );
    // Alice Springs, whose log gives both.
    const { latitude, longitude, elevation } = geodeticPosition(
      -4052051.767,
      4212836.215,
      -2545106.027,
    )!;
    t.ok(
      Math.abs(latitude + 23.670125) < 1e-5 &&
        Math.abs(longitude - 133.885514) < 1e-5 &&
        Math.abs(elevation - 603.4) < 1,
    );
  },
);

t.test('coordinates far from the surface of the Earth give no position', async (t) => {
  for (const [x, y, z] of [
    [0, 0, 0],
    [1, 2, 3],
    [6_378_137_000, 0, 0],
    [NaN, 0, 0],
    [26_560_000, 0, 0],
  ] as const) {
    t.equal(geodeticPosition(x, y, z), null, `${x} ${y} ${z}`);
  }
});

const HEAD = [
  '     TEST Site Information Form (site log)',
  '0.   Form',
  '1.   Site Identification of the GNSS Monument',
  '     Four Character ID : TEST',
];

/** What a log with these values in section 2 identifies, and its findings. */
function identify(values: Record<string, string>) {
  const findings = new Findings('test_20200101.log');
  const lines = Object.entries(values).map(
    ([label, value]) => `       ${label.padEnd(23)}: ${value}`,
  );
  const text = [
    ...HEAD,
    '2.   Site Location Information',
    ...lines,
    '3.   GNSS Receiver Information',
  ].join('\n');
  const { log } = readWholeLog(Buffer.from(text), findings);
  return {
    ...log.identification,
    findings: findings.list.map(factsIn),
  };
}
/** The position and the findings of such a log. */
function read(values: Record<string, string>) {
  const { latitude, longitude, elevation, findings } = identify(values);
  return { position: [latitude, longitude, elevation], findings };
}
const cartesianOf = (x: string, y: string, z: string) => ({
  'X coordinate (m)': x,
  'Y coordinate (m)': y,
  'Z coordinate (m)': z,
});
const XYZ = cartesianOf('-4052051.767', '4212836.215', '-2545106.027');
const given = (latitude: string, longitude: string) => ({
  'Latitude (N is +)': latitude,
  'Longitude (E is +)': longitude,
});
const rounded = (position: (number | null)[]): number[] =>
  position.map((each) => Math.round(each! * 100) / 100);

t.test('a log with only X, Y and Z has a position', async (t) => {
  const { position, findings } = read(XYZ);
  t.same(rounded(position), [-23.67, 133.89, 603.36]);
  t.same(findings, ['6 info position-computed (2) unknown=["latitude","longitude"]']);
  const oneIsWrong = read({ ...XYZ, ...given('+234012.45 S', '+1335307.85') });
  t.same(rounded(oneIsWrong.position), [-23.67, 133.89, 603.36]);
  t.equal(oneIsWrong.findings.length, 1, 'what is computed has the same cause');
  t.match(oneIsWrong.findings, [/^9 warning unreadable-value \(2\)/]);
  t.same(read({ ...XYZ, 'Z coordinate (m)': '' }).position, [null, null, null]);
});

const ZERO = cartesianOf('0', '0.0', '0');

t.test('a position of which all is 0 is unknown', async (t) => {
  const zero = '6 info zero-position (2) of=cartesian';
  t.same(read(ZERO), { position: [null, null, null], findings: [zero] });
  t.same(read({ ...ZERO, ...given('0', '+0000000.0'), 'Elevation (m,ellips.)': '0.0' }), {
    position: [null, null, null],
    findings: ['9 warning zero-position (2) of=geodetic'],
  });
  t.same(read({ ...ZERO, ...given('-23', '133') }), {
    position: [-23, 133, null],
    findings: [zero],
  });
});

t.test(
  'X, Y and Z take precedence over latitude and longitude that contradict them; a contradiction gives a finding',
  async (t) => {
    t.same(read({ ...XYZ, ...given('-234012.45', '+1335307.85') }), {
      position: [-23.670125, 133.88551389, null],
      findings: [],
    });
    const { position, findings } = read({ ...XYZ, ...given('-234012.45', '+1345307.85') });
    t.same(rounded(position), [-23.67, 133.89, 603.36]);
    t.match(findings, [
      /^9 warning position-mismatch \(2\) distance=102 computed=.* reading=computed$/,
    ]);
  },
);

t.test('latitude and longitude up to 1 km from X, Y and Z are used', async (t) => {
  // 998 and 1,002 m: a degree of latitude has 111,195 m.
  t.same(read({ ...XYZ, ...given('-23.661145', '133.885514') }), {
    position: [-23.661145, 133.885514, null],
    findings: [],
  });
  t.match(read({ ...XYZ, ...given('-23.661115', '133.885514') }).findings, [
    /^9 warning position-mismatch .* reading=computed$/,
  ]);
});

t.test(
  'a latitude or longitude with the wrong sign follows X, Y and Z, with a finding',
  async (t) => {
    for (const [latitude, longitude] of [
      ['+234012.45', '+1335307.85'],
      ['-234012.45', '-1335307.85'],
      ['234012.45', '-1335307.85'],
    ] as const) {
      const { position, findings } = read({ ...XYZ, ...given(latitude, longitude) });
      t.same(position, [-23.670125, 133.88551389, null], `${latitude} ${longitude}`);
      t.equal(findings.length, 1);
      t.match(findings[0], /^9 warning position-mismatch .* reading=sign$/);
    }
    t.same(
      read(given('+234012.45', '+1335307.85')),
      { position: [23.670125, 133.88551389, null], findings: [] },
      'without X, Y and Z',
    );
    const other = { ...XYZ, ...given('+233012.45', '+1335307.85') };
    t.equal(Math.round(read(other).position[0]! * 100), -2367, 'more than the sign differs');
  },
);

t.test('a 0 that contradicts X, Y and Z is treated as missing', async (t) => {
  for (const [latitude, longitude] of [
    ['0', '0'],
    ['+000000.0', '+0000000.0'],
    ['-234012.45', '0'],
  ] as const) {
    const { position, findings } = read({ ...XYZ, ...given(latitude, longitude) });
    t.same(position.map(Math.round as never), [-24, 134, 603], `${latitude} ${longitude}`);
    t.match(findings[0], /^9 warning position-mismatch .* reading=zero$/);
  }
  // The same goes for an elevation of 0; any other elevation is used.
  const elevationOf = (text: string) =>
    read({ ...XYZ, ...given('0', '0'), 'Elevation (m,ellips.)': text }).position[2];
  for (const text of ['0', '0.0', '603.4', ''])
    t.equal(elevationOf(text)?.toFixed(1), '603.4', text);
  // Without X, Y and Z, or on the equator, 0 is a value.
  for (const known of [{}, cartesianOf('6378137', '0', '0')])
    t.same(read({ ...known, ...given('0', '0') }), { position: [0, 0, null], findings: [] });
});

t.test('X, Y and Z are known together, and only near the surface of the Earth', async (t) => {
  t.match(identify(XYZ), { x: -4052051.767, y: 4212836.215, z: -2545106.027 });
  const unknown: [values: Record<string, string>, finding: string | null][] = [
    [{ ...XYZ, 'Y coordinate (m)': '' }, 'unreadable-value (2) missing=["Y"]'],
    [
      { ...XYZ, 'X coordinate (m)': '', 'Y coordinate (m)': '' },
      'unreadable-value (2) missing=["X","Y"]',
    ],
    [{ ...XYZ, 'X coordinate (m)': '-4052.051767' }, 'unreadable-value (2) isFarFromSurface=true'],
    [cartesianOf('0', '0', '0'), 'zero-position (2) of=cartesian'],
    [cartesianOf('', '', ''), null],
  ];
  for (const [values, finding] of unknown) {
    t.match(identify(values), { x: null, y: null, z: null });
    const { findings } = read(values);
    t.equal(findings.length, finding === null ? 0 : 1);
    if (finding !== null) t.ok(findings[0]!.endsWith(` ${finding}`), findings.join());
  }
});

/**
 * Section 2 of NMB2: latitude and longitude in degrees, minutes and seconds, written as if in
 * degrees.
 */
const NMB2 = {
  ...cartesianOf('-5288519.0975', '3409952.0908', '-1038573.3027'),
  ...given('-09.260274', '+147.111222'),
};

t.test('latitude and longitude that agree with X, Y and Z as dd.mmssss are read so', async (t) => {
  const { position, findings } = read(NMB2);
  t.same(position, [-9.43409444, 147.18672778, null]);
  t.equal(findings.length, 1);
  t.match(findings[0], /^9 warning position-mismatch .* reading=minutes$/);
  t.same(
    read(given('-09.260274', '+147.111222')).position,
    [-9.260274, 147.111222, null],
    'without X, Y and Z',
  );
  t.not(
    read({ ...NMB2, ...given('-09.667274', '+147.111222') }).position[0],
    -9.667274,
    'no minute 66',
  );
});

t.test('an X with the wrong sign follows latitude and longitude', async (t) => {
  // As in UKUR, in Borneo.
  const values = {
    ...XYZ,
    'X coordinate (m)': '4052051.767',
    ...given('-234012.45', '+1335307.85'),
  };
  const { latitude, longitude, x, findings } = identify(values);
  t.same([latitude, longitude, x], [-23.670125, 133.88551389, -4052051.767]);
  t.match(findings, [/^6 warning deviating-value \(2\) .* read=-4052051\.767$/]);
  t.equal(findings.length, 1);
});

t.test('a whole log follows the same rule, and other forms have what was read', async (t) => {
  const whole = (values: Record<string, string>) => {
    const lines = Object.entries(values).map(
      ([label, value]) => `       ${label.padEnd(23)}: ${value}`,
    );
    const findings = new Findings('');
    const log = readSections(
      Buffer.from([...HEAD, '2.   Site Location Information', ...lines].join('\n')),
      findings,
    );
    return { log, findings: findings.list };
  };
  const { log, findings } = whole(NMB2);
  const position = [log.siteLocation.latitude, log.siteLocation.longitude?.value];
  t.same(position, [{ written: '-09.260274', value: -9.43409444, line: 9 }, 147.18672778]);
  t.match(findings, [{ line: 9, level: 'warning' }]);
  t.match(
    writeSections(log, 'text1', new Findings('')),
    ': -092602.74\n       Longitude (E is +)     : +1471112.22\n',
  );
  t.match(
    writeSections(log, 'geodesyml05', new Findings('')),
    '<gml:pos>-9.43409444 147.18672778</gml:pos>',
  );
  const blank = whole({ ...ZERO, ...given('0', '0'), 'Elevation (m,ellips.)': '0' });
  t.same([blank.log.siteLocation.x?.value, blank.log.siteLocation.latitude?.value], [null, null]);
  t.match(
    writeSections(blank.log, 'text1', new Findings('')),
    /X coordinate \(m\) +:\n[^]*Latitude \(N is \+\) +:\n/,
  );
  t.notMatch(writeSections(blank.log, 'geodesyml05', new Findings('')), /gml:pos/);
  t.equal(whole(XYZ).log.siteLocation.latitude, null, 'what the log does not have is not added');
});
