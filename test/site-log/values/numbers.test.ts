import t from 'tap';
import { readSections } from '../../../src/site-log/read-sections.js';
import { Findings } from '../../../src/findings/findings.js';
import {
  CELSIUS,
  decimalOf,
  DEGREES,
  MEGAHERTZ,
  METRES,
  readAngle,
  HECTOPASCALS,
  MILLIMETRES,
  PERCENT,
  readAzimuth,
  readDecimal,
  SECONDS,
  SIGNED,
} from '../../../src/site-log/values/numbers.js';

t.test('a number is read with or without its unit', async (t) => {
  // prettier-ignore
  const cases = [
    ['0', DEGREES, '0'], ['0 deg', DEGREES, '0'], ['0.0', DEGREES, '0'], ['00', DEGREES, '0'],
    ['5 degrees', DEGREES, '5'], ['5 Deg.', DEGREES, '5'], ['10°', DEGREES, '10'], ['-10 deg', DEGREES, '-10'],
    ['2.4 m', METRES, '2.4'], ['2.40', METRES, '2.4'], ['10 m', METRES, '10'], ['10m', METRES, '10'],
    ['30 meters', METRES, '30'], ['30 METRES', METRES, '30'], ['0.0000', METRES, '0'], ['.5', METRES, '0.5'],
    ['5.', METRES, '5'], ['007.250', METRES, '7.25'], ['100', METRES, '100'], ['10 MHz', MEGAHERTZ, '10'],
    ['5MHz', MEGAHERTZ, '5'], ['10M Hz', MEGAHERTZ, '10'], ['10 M Hz', MEGAHERTZ, '10'],
    ['12 (metres)', METRES, '12'],
  ] as const;
  for (const [text, dimension, expected] of cases) {
    t.strictSame(readDecimal(text, dimension), { value: Number(expected) }, text);
  }
});

t.test('an alignment is read from a compass, to the east or west', async (t) => {
  for (const [text, value] of [
    ['17°E', 17],
    ['17° W', -17],
    ['3.5 deg W', -3.5],
    ['3 degrees E', 3],
    ['0° W', 0],
    ['0 degrees/no offset deg', 0],
  ] as const)
    t.match(readAzimuth(text), { value, remark: { code: 'deviating-value' } }, text);
  for (const text of ['-17° W', '17° N', '17° WE', '15 deg NE of true north'])
    t.match(readAzimuth(text), { value: null, remark: { code: 'unreadable-value' } }, text);
});

t.test('a number is read with its sign, and -0 becomes 0', async (t) => {
  // prettier-ignore
  const cases = [
    ['+0.0025', '0.0025'], ['-0.318', '-0.318'], ['−0.318', '-0.318'], ['- 0.318', '-0.318'], ['+ 1', '1'],
    ['-0', '0'], ['-0.000 m', '0'], ['-0 cm', '0'],
  ] as const;
  for (const [text, expected] of cases) {
    const { value, remark } = readDecimal(text, METRES);
    t.ok(Object.is(value, Number(expected)), text);
    t.equal(remark, undefined, `${text} gives no remark`);
  }
});

t.test('a number in another unit is converted to the published unit', async (t) => {
  // prettier-ignore
  const cases = [
    ['30 cm', METRES, '0.3'], ['-7.5 cm', METRES, '-0.075'], ['1 mm', METRES, '0.001'], ['2400 mm', METRES, '2.4'],
    ['5000 kHz', MEGAHERTZ, '5'], ['10000000 Hz', MEGAHERTZ, '10'], ['1e2 m', METRES, '100'],
    ['2.5E-3', METRES, '0.0025'], ['15 (mm)', METRES, '0.015'], ['15 (min)', SECONDS, '900'],
    ['15 ( Min. )', SECONDS, '900'], ['5000 (kHz)', MEGAHERTZ, '5'],
  ] as const;
  for (const [text, dimension, expected] of cases) {
    t.strictSame(readDecimal(text, dimension), { value: Number(expected) }, text);
  }
});

t.test('a number in an unusual form is read, with a remark', async (t) => {
  for (const [text, expected, deviation] of [
    ['0,5', '0.5', 'decimal comma'],
    ['0,5 m', '0.5', 'decimal comma'],
    ['approx. 30 m', '30', 'approximate number'],
    ['approx 30', '30', 'approximate number'],
    ['Approximately 30 m', '30', 'approximate number'],
    ['about 30 m', '30', 'approximate number'],
    ['ca. 30 cm', '0.3', 'approximate number'],
    ['~30m', '30', 'approximate number'],
    ['30 m approx.', '30', 'number followed by a remark'],
    ['30 m, approximately', '30', 'number followed by a remark'],
    ['12 m (on 6 pillars)', '12', 'number followed by a remark'],
    ['0 m\n(see photo)', '0', 'number followed by a remark'],
  ] as const) {
    t.strictSame(
      readDecimal(text, METRES),
      { value: Number(expected), remark: { code: 'deviating-value', deviation, read: expected } },
      text,
    );
  }
});

t.test('text that is not clearly a number is unknown, never 0, with a remark', async (t) => {
  const expected = {
    value: null,
    remark: { code: 'unreadable-value', expected: 'a number of metres' },
  };
  // prettier-ignore
  const cases = [
    'two metres', '10 ft', '10 deg', '100 (ft)', '100 (deg)', '10 sec (estimated)', '10 (ms', '1 2',
    '10 m / 20 m', '10 m, 20 m', '5-10 m', '0.0.0', '1,234,567', '+', '.', '(30 m)', '10 m ft', '10 m in',
    '1e99', '1e12 m', '1234567890123', '0x10', 'Infinity', '١٢', '5'.repeat(201),
  ];
  for (const text of cases) {
    t.strictSame(readDecimal(text, METRES), expected, text);
  }
  t.strictSame(
    readDecimal('NaN', METRES),
    { value: null },
    'XML Schema writes an unknown number like this',
  );
});

t.test('a unit alone, or behind a word for "unknown", is blank, without a remark', async (t) => {
  // prettier-ignore
  const cases = [
    ['deg', DEGREES], ['N/A deg', DEGREES], ['na deg', DEGREES], ['unknown m', METRES], ['n/a MHz', MEGAHERTZ], ['none sec', SECONDS],
    ['--- m', METRES], ['? %', PERCENT], ['not known hPa', HECTOPASCALS], ['(MHz)', MEGAHERTZ], ['m', MEGAHERTZ],
    ['unknown deg C', CELSIUS], ['  deg  ', DEGREES],
  ] as const;
  for (const [text, dimension] of cases)
    t.strictSame(readDecimal(text, dimension), { value: null }, text);
  for (const text of [
    'programmable sec',
    'N/A degs north',
    'no m',
    'un deg',
    `${'? '.repeat(100)}m`,
  ])
    t.match(readDecimal(text, METRES), { value: null, remark: { code: 'unreadable-value' } }, text);
});

t.test('the unit of the operator is before that of the form', async (t) => {
  // prettier-ignore
  const cases = [
    ['11 m m', METRES, 11], ['3 meter m', METRES, 3], ['0 deg deg', DEGREES, 0], ['10MHz MHz', MEGAHERTZ, 10],
    ['180 second sec', SECONDS, 180], ['10 M Hz MHz', MEGAHERTZ, 10], ['0.1 deg C deg C', CELSIUS, 0.1],
    ['2 % % rel h', PERCENT, 2], ['30 sec. sec', SECONDS, 30],
  ] as const;
  for (const [text, dimension, value] of cases)
    t.strictSame(readDecimal(text, dimension), { value }, text);
  for (const [text, dimension, value] of [
    ['1 minute sec', SECONDS, 60],
    ['15 (min) sec', SECONDS, 900],
    ['30 cm m', METRES, 0.3],
    ['5000 kHz MHz', MEGAHERTZ, 5],
  ] as const) {
    const deviation = 'unit before that of the form';
    const remark = { code: 'deviating-value', deviation, read: String(value) };
    t.strictSame(readDecimal(text, dimension), { value, remark }, text);
  }
  // The second is not the unit of the form, or the first is not one of its dimension.
  for (const text of ['10 m cm', '10 m deg', '10 ft m', '10 m m m', '0.010% m'])
    t.match(readDecimal(text, METRES), { value: null, remark: { code: 'unreadable-value' } }, text);
});

t.test('a bound, or a tolerance before or behind it, leaves the number', async (t) => {
  // prettier-ignore
  const cases = [
    ['±2', PERCENT, 2, 'tolerance'], ['+-2', PERCENT, 2, 'tolerance'], ['± 4 %', PERCENT, 4, 'tolerance'],
    ['+/- 2.32', PERCENT, 2.32, 'tolerance'], ['+ - 0.8888', PERCENT, 0.8888, 'tolerance'],
    ['+-1 mm', MILLIMETRES, 1, 'tolerance'], ['+-2% rel h', PERCENT, 2, 'tolerance'],
    ['< 0.1 hPa', HECTOPASCALS, 0.1, 'upper bound'], ['<0.1', HECTOPASCALS, 0.1, 'upper bound'],
    ['<= 3 mm', MILLIMETRES, 3, 'upper bound'], ['≤ 1 cm', MILLIMETRES, 10, 'upper bound'],
    ['0.055 +/- 0.001', METRES, 0.055, 'number with a tolerance'],
    ['0.055 m +/- 0.001 m', METRES, 0.055, 'number with a tolerance'],
    ['-2 ± 1 mm', METRES, -0.002, 'number with a tolerance'], ['2.0±.5', CELSIUS, 2, 'number with a tolerance'],
    ['0,055+-0,001 m m', METRES, 0.055, 'number with a tolerance'],
  ] as const;
  for (const [text, dimension, value, deviation] of cases) {
    const remark = { code: 'deviating-value', deviation, read: String(value) };
    t.strictSame(readDecimal(text, dimension), { value, remark }, text);
  }
  for (const text of [
    '> 5',
    '< -2',
    '+/- -2',
    '±',
    '2 ±',
    '2 +/- some',
    '2 +/- 1 ft',
    '2 ± 1.2.3',
    '=/- 2',
    '< 2 < 3',
  ])
    t.match(readDecimal(text, METRES), { value: null, remark: { code: 'unreadable-value' } }, text);
});

t.test('where the sign counts, a bound or a tolerance alone is no number', async (t) => {
  for (const text of ['±2', '< 0.1', '+-0.5 m'])
    t.match(
      readDecimal(text, METRES, SIGNED),
      { value: null, remark: { code: 'unreadable-value' } },
      text,
    );
  t.equal(readDecimal('0.055 +/- 0.001', METRES, SIGNED).value, 0.055);
  t.equal(readDecimal('0 deg, no offset', DEGREES, SIGNED).value, 0);
  t.match(readAngle('< 23.5', 90), { value: null, remark: { code: 'unreadable-value' } });
  // South, or north?
  t.match(readAngle('23.5 deg South', 90), { value: null, remark: { code: 'unreadable-value' } });
});

t.test('a height difference is above or below, so a tolerance alone says nothing', async (t) => {
  const log = (value: string): Buffer =>
    Buffer.from(
      [
        '     TEST Site Information Form (site log)',
        '1.   Site Identification of the GNSS Monument',
        '     Four Character ID        : TEST',
        '8.   Meteorological Instrumentation',
        '8.2.1 Pressure Sensor Model   : PTB',
        `      Height Diff to Ant     : ${value}`,
        '',
      ].join('\n'),
    );
  for (const [text, value] of [
    ['±2', null],
    ['< 2 m', null],
    ['-2 m', -2],
    ['-2 +/- 0.1', -2],
  ] as const) {
    const findings = new Findings('test.log');
    const { pressureSensors } = readSections(log(text), findings);
    t.equal(pressureSensors[0]?.heightDiffToAntenna?.value, value, text);
    const found = findings.list.filter(({ line }) => line === 6).map(({ level }) => level);
    if (value === null) t.same(found, ['warning'], text);
  }
});

t.test('words may follow a number and its unit', async (t) => {
  // prettier-ignore
  const cases = [
    ['0 degrees/no offset deg', DEGREES, 0], ['10 MHz and 1pps', MEGAHERTZ, 10], ['10 MHz and 1 PPS', MEGAHERTZ, 10],
    ['0.4 m above ground m', METRES, 0.4], ['+-0.3 mm per component mm', MILLIMETRES, 0.3],
    ['30 m (see note', METRES, 30], ['30 m LMR-400, cable B2', METRES, 30], ['5 min, if available', SECONDS, 300],
    ['30 m in conduit', METRES, 30], ['10 m - see photo', METRES, 10], ['0 deg true north', DEGREES, 0],
  ] as const;
  for (const [text, dimension, value] of cases) {
    const deviation = 'number followed by a remark';
    const remark = { code: 'deviating-value', deviation, read: String(value) };
    t.strictSame(readDecimal(text, dimension), { value, remark }, text);
  }
});

t.test('ranges, lists, rates and other directions stay unknown', async (t) => {
  // prettier-ignore
  const cases = [
    ['0-40 %', PERCENT], ['0 to 40 %', PERCENT], ['5 % to 40 %', PERCENT], ['4.3, 2.7, 1.6 mm', MILLIMETRES],
    ['5 m - 10 m', METRES], ['5 m to 10', METRES], ['10 m or 12 m', METRES], ['12 m 30 cm', METRES],
    ['10 MHz and 5 MHz', MEGAHERTZ], ['10 MHz and 5', MEGAHERTZ], ['10 MHz since 2003', MEGAHERTZ],
    ['5 mm + 1 ppm', MILLIMETRES], ['5 mm/yr', MILLIMETRES], ['5 mm per year', MILLIMETRES], ['5 m/s', METRES],
    ['0.1 hPa/month typical', HECTOPASCALS], ['10 deg W', DEGREES], ['10 deg west of north', DEGREES],
    ['3 m below the antenna', METRES], ['10 deg counter-clockwise', DEGREES], ['2 floors', METRES],
    ['10 m, -20', METRES],
  ] as const;
  for (const [text, dimension] of cases)
    t.match(
      readDecimal(text, dimension),
      { value: null, remark: { code: 'unreadable-value' } },
      text,
    );
});

t.test('a number with all the digits of a double is read', async (t) => {
  t.strictSame(readDecimal('0.0007999999999999999', METRES), { value: 0.0007999999999999999 });
  t.strictSame(readAngle('-23.670123872212345', 90), { value: -23.67012387 });
});

t.test('an angle is read from degrees, minutes and seconds or from decimal degrees', async (t) => {
  // prettier-ignore
  const cases = [
    ['+000000.00', 90, 0], ['-234012.45', 90, -23.670125], ['−234012.45', 90, -23.670125],
    ['+23 40 12.45', 90, 23.670125], ['234012', 90, 23.67], ['+1335307.80', 180, 133.8855],
    ['-0614211.02', 180, -61.70306111], ['-1800000.00', 180, -180], ['+2700000.00', 180, -90], ['359.5', 180, -0.5],
    ['-23.6701238722', 90, -23.67012387], ['133.885513219', 180, 133.88551322], ['+23.5 deg', 90, 23.5],
    ['90', 90, 90],
  ] as const;
  for (const [text, limit, expected] of cases) {
    t.strictSame(readAngle(text, limit), { value: expected }, text);
  }
});

t.test('an invalid or out-of-range angle is unknown, with a remark', async (t) => {
  // prettier-ignore
  const cases = [
    ['90.1', 90], ['-910000.00', 90], ['236012.45', 90], ['234060.00', 90], ['+3610000.00', 180],
    ['-1810000.00', 180], ['12345.67', 180], ['S23.67', 90], ['23:40:12', 90], ['north', 90], ['1'.repeat(201), 90],
  ] as const;
  for (const [text, limit] of cases) {
    t.match(readAngle(text, limit), { value: null, remark: { code: 'unreadable-value' } }, text);
  }
});

t.test('a number is written without an exponent or needless zeros', async (t) => {
  for (const text of [
    '0',
    '-0.318',
    '0.0000001',
    '-0.00000012',
    '999999999999',
    '0.0007999999999999999',
  ])
    t.equal(decimalOf(Number(text)), text);
});

t.test('the signs that look like that of a degree are read as it', async (t) => {
  for (const text of ['7º', '7˚', '7 º', '7º deg'])
    t.match(readDecimal(text, DEGREES), { value: 7 }, text);
  t.strictSame(readDecimal('deg deg', DEGREES), { value: null }, 'two units without a number');
  t.strictSame(readDecimal('2 degree', CELSIUS), { value: 2 });
});

t.test('a remark or a condition behind a number is ignored, with a remark', async (t) => {
  for (const [text, value] of [
    ['812.4, EGM96', 812.4],
    ['+/-0.3 @ 25.0C', 0.3],
    ['41.5@1.57GHz', 41.5],
    ['0.2 m @ 20 C', 0.2],
  ] as const)
    t.match(readDecimal(text, METRES), { value, remark: { code: 'deviating-value' } }, text);
  for (const text of ['812.4, 13', '812.4, west of it', '41.5 @ noon'])
    t.match(readDecimal(text, METRES), { value: null }, text);
});

t.test('an alignment may be to the east', async (t) => {
  for (const text of ['12°E', '12º E deg', '+12 deg E'])
    t.match(readAzimuth(text), { value: 12, remark: { code: 'deviating-value' } }, text);
  t.strictSame(readAzimuth('-12 deg'), { value: -12 });
  for (const text of ['-12°E', '12°NE'])
    t.match(readAzimuth(text), { value: null, remark: { code: 'unreadable-value' } }, text);
});

t.test('a latitude or longitude may have the letter of its hemisphere', async (t) => {
  for (const [text, limit, value] of [
    ['+103000.00 N', 90, 10.5],
    ['103000.00S', 90, -10.5],
    ['-103000.00 S', 90, -10.5],
    ['-0633000.0 W', 180, -63.5],
    ['63.5 W', 180, -63.5],
    ['63.5° E', 180, 63.5],
  ] as const)
    t.match(readAngle(text, limit), { value, remark: { code: 'deviating-value' } }, text);
  for (const [text, limit] of [
    ['+103000.00 S', 90],
    ['-103000.00 N', 90],
    ['103000.00 E', 90],
  ] as const)
    t.match(readAngle(text, limit), { value: null, remark: { code: 'unreadable-value' } }, text);
});
