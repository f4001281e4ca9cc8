import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, SAMPLE } from '../project-files.js';
import type { Random } from './random.js';
import { nastyText } from './values.js';

/** A log to mutate. Its text has one character per byte, so that any bytes survive. */
export interface Original {
  name: string;
  text: string;
}

/** The logs of the sample network, and the fixtures of the readers. */
export function readOriginals(): Original[] {
  return [SAMPLE, join(ROOT, 'test', 'site-log', 'fixtures')].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.(log|xml)$/.test(name))
      .map((name) => ({ name, text: readFileSync(join(folder, name), 'latin1') })),
  );
}

/** Values that the fields of a site log have, or had better not have. */
const FIELD_VALUES = [
  '(CCYY-MM-DDThh:mmZ)', '(CCYY-MM-DD/1999-08-18)', '2004-01-15/', '/2004-01-15', '2004-01-15/2003-01-01', '2011-20-07', '9999-99-99T99:99Z', '0010-01-01', '2020-02-29T24:00Z',
  '2004-01-15T25:61Z', '15-JAN-2004', 'unknown', 'none', 'n/a', '(multiple lines)', '0 deg', '10M Hz', '1e309', '-', '+-5', '0.0083,', 'approx 2.4 m', '1 000', '١٢', 'NaN', '0000', '00000000000000000001',
  'ALIC', 'ALIC00AUS', 'alic', 'RVO_', 'A', 'LEIAR25.R3      NONE', 'GPS/GLONASS', 'GPS+GLO+GAL+', '&#0;', '&#x110000;', '&amp;#233;', '&lol;', '<![CDATA[x]]>', ']]>', '<!-- x -->', '<?x?>',
  '<fuzz x="1">', '<script>fuzz()</script>', '"onfuzz="1', '\u001b]0;x\u0007', '\0', '\ud83d', ':', ': :', '3.1', '3.x', '4.2  Antenna Type : X',
]; // prettier-ignore

const toBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const value = (random: Random): string => {
  if (random.chance(0.7)) return toBytes(random.pick(FIELD_VALUES));
  const text = toBytes(nastyText(random));
  return random.chance(0.05)
    ? (text || 'x').repeat(1 + random.below(3000)).slice(0, 100_000)
    : text;
};

type Mutation = (random: Random, text: string) => string;

const splice = (text: string, at: number, count: number, more = ''): string =>
  text.slice(0, at) + more + text.slice(at + count);

/** Replaces what a pattern captures behind its first group, at a random place. */
const replaceOne =
  (pattern: RegExp, change: (random: Random, old: string) => string): Mutation =>
  (random, text) => {
    const found = [...text.matchAll(pattern)];
    if (found.length === 0) return text;
    const { index, 1: before, 2: old } = random.pick(found);
    return splice(text, index + before!.length, old!.length, change(random, old!));
  };
const without = (random: Random, old: string): string => splice(old, random.below(old.length), 1);

const MUTATIONS: Mutation[] = [
  // Bytes: changed, added, missing, cut off, copied elsewhere; other encodings and line ends.
  (random, text) =>
    splice(
      text,
      random.below(text.length),
      random.below(2),
      String.fromCharCode(random.below(256)).repeat(random.few(20)),
    ),
  (random, text) => splice(text, random.below(text.length), random.few(200)),
  (random, text) => text.slice(0, random.below(text.length)),
  (random, text) => {
    const at = random.below(text.length);
    return splice(
      text,
      random.below(text.length),
      0,
      text.slice(at, at + random.below(2000)).repeat(random.chance(0.1) ? 100 : 1),
    );
  },
  (random, text) => toBytes(nastyText(random)) + text,
  (random, text) =>
    random.chance(0.5)
      ? Buffer.from(`\ufeff${text}`, 'utf16le').toString('latin1')
      : text.replaceAll('\n', '\r'),
  // Lines: missing, exchanged, indented otherwise, added.
  (random, text) => text.split('\n').toSpliced(random.below(100), random.few(10)).join('\n'),
  (random, text) => {
    const lines = text.split('\n');
    const a = random.below(lines.length);
    const b = random.below(lines.length);
    return lines
      .with(a, `${' '.repeat(random.below(60))}${lines[b]!.trim()}`)
      .with(b, lines[a]!)
      .join('\n');
  },
  (random, text) => text.replace('\n', `\n${' '.repeat(30)}: ${value(random)}\n`),
  // Values, labels and numbers of the text form.
  replaceOne(/^(.{4,35}?: )(.*)$/gm, value),
  replaceOne(/^( {0,5}[\d.x]* *)([A-Z][\w ()/.]{2,25})(?= *:)/gm, without),
  replaceOne(
    /^()(\d+\.[\dx]+(?:\.[\dx])?)/gm,
    (random) => `${random.below(15)}.${random.pick(['1', 'x', '99', '1.1', ''])}`,
  ),
  // Values, names, attributes and markup of XML.
  replaceOne(/(>)([^<>]+)(?=<)/g, value),
  replaceOne(/(<\/?)([\w:.-]+)/g, without),
  replaceOne(/(=")([^"<>]*)(?=")/g, value),
  replaceOne(
    /(<[\w:.-]+)([^<>]*)(?=>)/g,
    (random, old) => `${old} xsi:nil="true" xlink:href="#${random.pick(['a', '', 'node-1'])}"`,
  ),
  replaceOne(/(>)()(?=\s*<)/g, (random) =>
    random.pick([
      '<!DOCTYPE a [<!ENTITY x "y">]>',
      '<a>'.repeat(random.below(100)),
      '</a>',
      '&x;',
      '<a b="1" b="2"/>',
      '\0',
    ]),
  ),
  // Two dates become one.
  (random, text) => {
    const dates = [...text.matchAll(/\d{4}-\d\d-\d\d(T[\d:]+Z?)?/g)].map(([date]) => date);
    return dates.length === 0 ? text : text.replaceAll(random.pick(dates), random.pick(dates));
  },
];

/** A mutated log, once or several times. */
export function mutateLog(random: Random, originals: Original[]): Original {
  const { name, text } = random.pick(originals);
  let mutated = text;
  for (let times = random.few(12); times > 0 && mutated.length > 0; times--) {
    mutated = random.pick(MUTATIONS)(random, mutated).slice(0, 2_000_000);
  }
  return { name, text: mutated };
}
