import type { Parameter, Schema } from './contract.js';
import type { Random } from './random.js';

/** Texts that break naive programs. */
const NASTY = [
  '', ' ', '0', '-1', '1.5', '1e9', '999999999999999999999', '-0', 'NaN', 'Infinity', 'null', 'undefined', 'true', '[]', '{}', '()', '%', '%00',
  '\0', '\n', '\r\n', '\t', '\u001b[31m', '\u202e', '\ufeff', '\ufffd', 'é', '日本', '𝕊', 'İ', 'ß', 'a\u0300', '\ud800',
  "'", '"', '\\', '`', ';', '--', "' OR 1=1 --", '%_*?[a]', '\'; DROP TABLE setup; --', '"; attach database', '$.a', '../../etc/passwd', '/', '//', '.', '..',
  '__proto__', 'constructor', 'toString', 'hasOwnProperty', '${7*7}', '{{7*7}}',
  '<fuzz x="1">', '"onfuzz="1', "'onfuzz='1", '</title><script>fuzz()</script>', '<img src="x" onerror=\'fuzz()\'>', '&lt;', ']]>', 'javascript:fuzz()',
  '0000-00-00', '9999-12-31', '9999-99-99T99:99Z', '2011-20-07', '2020-02-30', '2020-02-29T24:00:00Z', '-2020-01-01', '+12020-01-01', '2020-01-01T00:00:00+14:00',
  '2020-01-01T00:00:00.123456789Z', '1e400', '٣', '１２', '0x10', 'uuuu-MM-dd', "uuuu-MM-dd'T'HH:mm:ssX", "'", "''''", 'uuuu-uuuu', 'HH', 'X', 'XXX',
]; // prettier-ignore

const LETTERS =
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,-_+*/\'"<>&%#?=:;()[]{}|\\~^é\u0000\n\t日𝕊';

/** A text without lone surrogates, which cannot be encoded. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** A text of any length, mostly short. */
function randomText(random: Random): string {
  const length = random.chance(0.9) ? random.below(20) : random.below(2000);
  const letters = random.chance(0.3) ? random.pick([...LETTERS]) : LETTERS;
  const list = [...letters];
  return Array.from({ length }, () => random.pick(list)).join('');
}

/** A text with some characters changed. */
export function mutateText(random: Random, text: string): string {
  const letters = [...text];
  for (let times = random.few(4); times > 0; times--) {
    const at = random.below(letters.length + 1);
    const what = random.below(4);
    if (what === 0) letters.splice(at, 1);
    else if (what === 1) letters.splice(at, 0, random.pick([...LETTERS]));
    else if (what === 2) letters.splice(at, 1, random.pick(NASTY));
    else letters.splice(at, 0, ...letters.slice(at, at + 1 + random.below(10)));
  }
  return letters.join('');
}

/** Any text that is unlikely to be valid. */
export const nastyText = (random: Random): string =>
  random.chance(0.7) ? random.pick(NASTY) : randomText(random);

/** The values that the service has published, by the name of the member. */
export class KnownValues {
  private readonly values = new Map<string, string[]>();

  /** Collects all scalars of a body, under their name and their dotted path. */
  collect(value: unknown, path: string[] = []): void {
    if (Array.isArray(value)) value.forEach((each) => this.collect(each, path));
    else if (typeof value === 'object' && value !== null)
      Object.entries(value).forEach(([name, each]) => this.collect(each, [...path, name]));
    else if (value !== null && value !== undefined)
      for (const name of [path.at(-1)!, path.slice(-2).join('.')]) this.add(name, String(value));
  }

  add(name: string, value: string): void {
    const values = this.values.get(name) ?? [];
    if (values.length < 500 && !values.includes(value)) this.values.set(name, [...values, value]);
  }

  of(name: string): string[] {
    return this.values.get(name) ?? [];
  }
}

/** Parameters and members that are instants. */
const INSTANTS = [
  'at',
  'asOf',
  'from',
  'to',
  'effectiveFrom',
  'effectiveTo',
  'recordedSince',
  'dateInstalled',
  'recordedAt',
];

/** A number that a schema allows, or one next to its bounds. */
function numberFor(
  random: Random,
  { minimum: least = 0, maximum: most = 1_000_000_000 }: Schema,
): string {
  return String(
    random.pick([
      least,
      least + 1,
      least + random.below(5),
      least + random.below(30),
      20,
      1000,
      least - 1,
      most,
      most + 1,
    ]),
  );
}

/** A value that probably suits a parameter. */
function suitable(
  random: Random,
  { name, schema, example }: Parameter,
  known: KnownValues,
): string {
  const item = schema.items ?? schema;
  const constants = [item, ...(item.anyOf ?? [])].flatMap((each) => each.const ?? []);
  if (constants.length > 0) return String(random.pick(constants));
  if (item.type === 'integer')
    return name === 'id' || name.endsWith('Id')
      ? String(1 + random.below(120))
      : numberFor(random, item);
  if (item.type === 'boolean') return random.pick(['true', 'false']);
  const alternatives = /^\^\(([^()]+)\)/.exec(item.pattern ?? '')?.[1];
  if (alternatives !== undefined)
    return (
      random.pick(alternatives.replaceAll('\\', '').split('|')) + random.pick(['', ',asc', ',desc'])
    );
  if (INSTANTS.includes(name))
    return random.pick([
      ...INSTANTS.flatMap((each) => known.of(each)),
      '2015-01-01',
      '2015-06-01T12:00:00Z',
    ]);
  const ofSites = ['id', 'site'].includes(name) ? known.of('fourCharacterId') : [];
  const values = [
    ...known.of(name),
    ...ofSites,
    ...(example === undefined ? [] : [String(example)]),
  ];
  return values.length === 0 ? nastyText(random) : random.pick(values);
}

/** A value for a parameter: suitable, nearly so, or anything. */
export function valueFor(random: Random, parameter: Parameter, known: KnownValues): string {
  const kind = random.next();
  if (kind < 0.15) return nastyText(random);
  const value = suitable(random, parameter, known);
  return kind < 0.25 ? mutateText(random, value) : value;
}
