import t from 'tap';
import { labelled } from '../../../src/site-log/write/text-lines.js';

/** The lines of a value, without what is before each, and what is longer than a line. */
function valueLines(value: string, breaks = true): { lines: string[]; long: string[] } {
  const long: string[] = [];
  const text = labelled('', 'Label', value, breaks, (part) => long.push(part));
  return { lines: text.split('\n').map((line) => line.slice(32)), long };
}

const word = (length: number): string => 'x'.repeat(length);

t.test('a value is broken where a word no longer fits', async (t) => {
  const cases: [string, string[]][] = [
    [`${word(20)} ${word(27)}`, [`${word(20)} ${word(27)}`]],
    [`${word(20)} ${word(28)}`, [word(20), word(28)]],
    [`a ${' '.repeat(60)}b`, ['a b']],
    [`  a ${' '.repeat(60)}${word(48)} c`, ['  a', word(48), 'c']],
    [`${'a  b '.repeat(10)}c`, ['a  b a  b a  b a  b a  b a  b a  b a  b a  b a b', 'c']],
    ['a \n\nb', ['a', '', 'b']],
    ['', ['']],
  ];
  for (const [value, lines] of cases) t.same(valueLines(value), { lines, long: [] }, value);
});

t.test('a word that fits no line is said', async (t) => {
  t.same(valueLines(`a ${word(49)} b`), { lines: ['a', word(49), 'b'], long: [word(49)] });
  const code = `${word(30)} ${word(30)}`;
  t.same(valueLines(code, false), { lines: [code], long: [code] });
});

t.test('other blanks than " " break no line, and end no work', async (t) => {
  for (const blank of ['\u00a0', '\u2003', '\t']) {
    const joined = `bbb${blank}${word(60)}`;
    const { lines } = valueLines(`aaa ${joined} c`);
    t.equal(lines.join(' '), `aaa ${joined} c`, JSON.stringify(blank));
  }
});
