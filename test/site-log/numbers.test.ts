import t from 'tap';
import {
  decimalOf,
  DEGREES,
  MEGAHERTZ,
  METRES,
  readAngle,
  readDecimal,
  SECONDS,
} from '../../src/site-log/numbers.js';

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
  for (const [text, expected, message] of [
    ['0,5', '0.5', 'decimal comma; read as 0.5'],
    ['0,5 m', '0.5', 'decimal comma; read as 0.5'],
    ['approx. 30 m', '30', 'approximate number; read as 30'],
    ['approx 30', '30', 'approximate number; read as 30'],
    ['Approximately 30 m', '30', 'approximate number; read as 30'],
    ['about 30 m', '30', 'approximate number; read as 30'],
    ['ca. 30 cm', '0.3', 'approximate number; read as 0.3'],
    ['~30m', '30', 'approximate number; read as 30'],
    ['30 m approx.', '30', 'number followed by a remark; read as 30'],
    ['30 m, approximately', '30', 'number followed by a remark; read as 30'],
    ['12 m (on 6 pillars)', '12', 'number followed by a remark; read as 12'],
    ['0 m\n(see photo)', '0', 'number followed by a remark; read as 0'],
  ] as const) {
    t.strictSame(
      readDecimal(text, METRES),
      { value: Number(expected), remark: { level: 'info', message } },
      text,
    );
  }
});

t.test('text that is not clearly a number is unknown, never 0, with a remark', async (t) => {
  const expected = {
    value: null,
    remark: { level: 'warning', message: 'not a number of metres; treated as unknown' },
  };
  // prettier-ignore
  const cases = [
    'two metres', 'm', '10 ft', '10 deg', '100 (ft)', '100 (deg)', '10 sec (estimated)', '10 (ms', '1 2',
    '10 m / 20 m', '10 m, 20 m', '5-10 m', '0.0.0', '1,234,567', '+', '.', '+/-0.5', '(30 m)', '30 m (see note',
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
    t.match(readAngle(text, limit), { value: null, remark: { level: 'warning' } }, text);
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
