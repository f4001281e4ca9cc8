import fc from 'fast-check';
import { AGENCIES } from '../../src/site-log/sections/parties.js';
import { type Row, type Section, SECTIONS } from '../../src/site-log/sections/index.js';

/**
 * Text logs as operators write them: each value has a text of its own, and some labels are missing.
 */

const TEXTS: Partial<Record<NonNullable<Row['kind']>, (count: number) => string>> = {
  code: (count) => `CODE ${count}`,
  period: (count) => `20${String(10 + (count % 80))}-01-02/CCYY-MM-DD`,
  day: (count) => `20${String(10 + (count % 80))}-01-02`,
  instant: (count) => `20${String(10 + (count % 80))}-01-02T03:04Z`,
  since1980: (count) => `20${String(10 + (count % 80))}-01-02T03:04Z`,
  satellites: () => 'GPS+GLO',
  country: () => 'Australia',
  radome: () => 'NONE',
  stabilization: () => 'none',
  latitude: () => '-234012.44',
  longitude: () => '+1335307.84',
};
const NUMBERS = [
  'metres',
  'coordinate',
  'eccentricity',
  'millimetres',
  'degrees',
  'azimuth',
  'seconds',
];
const MORE_NUMBERS = ['megahertz', 'percent', 'hectopascals', 'celsius'];

const margin = ' '.repeat(30);

/**
 * The lines of a block.
 * @param choices whether each line is there, and has a value of several lines
 */
function blockOf(
  { rows, indent = 5 }: Section,
  number: string | null,
  isTemplate: boolean,
  choices: readonly number[],
  count: () => number,
): string[] {
  let before = number === null ? null : `${number} `.padEnd(number.split('.').length < 3 ? 5 : 6);
  return Object.entries<Row>(rows).flatMap(([name, row], index) => {
    const choice = choices[index % choices.length]!;
    const { label, kind = 'text' } = row;
    if (label === undefined || kind === 'drawing' || name === 'nineCharacterId') return [];
    const start = before ?? ' '.repeat(row.indent ?? indent);
    const isFirst = before !== null;
    const head = `${start}${label}`.padEnd(30);
    const title = row.before === undefined ? [] : [row.before];
    if (isTemplate) {
      before = null;
      return [...title, `${head}: ${row.hint === undefined ? '' : `(${row.hint})`}`.trimEnd()];
    }
    if (name === 'fourCharacterId') return [`${head}: ABCD`];
    if (choice === 0 && !isFirst) return title;
    before = null;
    if (choice === 1 && !isFirst) return [...title, `${head}:`];
    const isNumber = NUMBERS.includes(kind) || MORE_NUMBERS.includes(kind);
    const text = TEXTS[kind]?.(count()) ?? (isNumber ? `${count()}.5` : `word ${count()}`);
    if (kind !== 'text' || choice > 3) return [...title, `${head}: ${text}`];
    return [
      ...title,
      `${head}: ${text}`,
      `${margin}: and ${count()}`,
      `${margin}  more ${count()}`,
    ];
  });
}

const choices = fc.array(fc.nat(8), { minLength: 25, maxLength: 40 });

/** Whole logs, with up to three items in each section that can have several. */
export const plainLogs: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(choices, { minLength: 5, maxLength: 9 }),
    fc.array(fc.nat(3), { minLength: 3 }),
    fc.boolean(),
  )
  .map(([lines, counts, isSpaced]) => {
    let [value, block] = [0, 0];
    const count = (): number => ++value;
    const next = (): readonly number[] => lines[block++ % lines.length]!;
    const gap = isSpaced ? [''] : [];
    const bySection = Object.values<Section>({ ...SECTIONS, ...AGENCIES }).sort(
      (a, b) => Number.parseFloat(a.number) - Number.parseFloat(b.number),
    );
    const body = bySection.flatMap((section, index) => {
      const { number, heading, once } = section;
      const title = `${`${number.split('.')[0]}.`.padEnd(5)}${heading}`;
      const begin = heading === undefined ? gap : ['', title, ...gap];
      if (once === true) return [...begin, ...blockOf(section, null, false, next(), count)];
      const items = Array.from({ length: counts[index % counts.length]! }, (_, item) => [
        ...blockOf(section, `${number}.${item + 1}`, false, next(), count),
        ...gap,
      ]);
      return [...begin, ...items.flat(), ...blockOf(section, `${number}.x`, true, next(), count)];
    });
    const drawing = [
      '     Antenna Graphics with Dimensions',
      '',
      '        +---+',
      '        | 3.1',
      '',
    ];
    return ['     ABCD Site Information Form (site log)', ...body, ...drawing].join('\n');
  });
