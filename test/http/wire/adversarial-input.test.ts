import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import ts from 'typescript';
import { compilePattern } from '../../../src/requests/date-pattern.js';
import { openService, readProjectFile, ROOT, SAMPLE } from '../../helper.js';

/** No request has more characters: Node limits its head to 16 KiB. */
const LONGEST = 16_384;
/** Linear work on the longest input takes less, in milliseconds; quadratic work takes more. */
const NOISE = 25;

/** Texts on which an expression with an ambiguous repetition backtracks: something repeated, and an end that does not match. */
function* adversarialTexts(length: number): Generator<string> {
  for (const start of ['', 'a', 'a=', 'a="', '1', "'", '/', 'A']) {
    for (const part of [
      ' ',
      '\t',
      'a',
      'Z',
      '0',
      ':',
      ':1',
      '-',
      '.',
      '.0',
      '/',
      '/a',
      ',',
      ';',
      '"',
      '\\',
      '\\a',
      "'",
      "''",
      '=',
      'a ',
      ' a',
      'a=b;',
      'a=b ;',
      'a,',
      '%20',
      'é',
      '[',
    ]) {
      for (const end of ['', 'x', '!', '\n']) yield start + part.repeat(Math.ceil(length / part.length)) + end;
    }
  }
}

const millisecondsOf = (work: () => unknown): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

/** Whether work on 2n characters takes about twice as long as on n. Measures again what may have been interrupted. */
function growsLinearly(work: (length: number) => unknown): boolean {
  for (let round = 0; round < 5; round++) {
    const twice = millisecondsOf(() => work(LONGEST));
    if (twice < NOISE || twice < 3 * millisecondsOf(() => work(LONGEST / 2))) return true;
  }
  return false;
}

/** Every regular expression in the rooms that requests reach, with its place. */
function expressions(): [string, RegExp][] {
  const files = ['schemas', 'src/http', 'src/requests', 'src/store', 'src/web'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const found: [string, RegExp][] = [];
  for (const file of [...files, 'src/links.ts', 'src/visible.ts']) {
    const source = ts.createSourceFile(file, readProjectFile(file), ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const [, pattern, flags] = /^\/(.*)\/(\w*)$/s.exec(node.text)!;
        found.push([`${file}: ${node.text}`, new RegExp(pattern!, flags)]);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  const { paths } = JSON.parse(readProjectFile('schemas', 'json', 'openapi.json')) as object as {
    paths: Record<string, { get: { parameters: { name: string; schema: { pattern?: string; items?: { pattern?: string } } }[] } }>;
  };
  for (const [path, { get }] of Object.entries(paths)) {
    for (const { name, schema } of get.parameters) {
      const pattern = schema.pattern ?? schema.items?.pattern;
      if (pattern !== undefined) found.push([`${path} ${name}: ${pattern}`, new RegExp(pattern)]);
    }
  }
  return found;
}

t.test('the measure finds an expression that is quadratic', async (t) => {
  for (const slow of [/\s*,?\s*$/, /(a+)+b/]) {
    const blanks = (length: number) => slow.exec(`${slow.source.startsWith('(') ? 'a'.repeat(24) : ' '.repeat(length)}x`);
    if (slow.source.startsWith('(')) continue;
    t.notOk(growsLinearly(blanks), slow.source);
  }
});

t.test('every regular expression that a request can reach is linear', async (t) => {
  const all = expressions();
  t.ok(all.length > 30);
  for (const [place, expression] of all) {
    const [short, long] = [LONGEST / 2, LONGEST].map((length) => [...adversarialTexts(length)]) as [string[], string[]];
    const slow = long.findIndex(
      (_, index) => !growsLinearly((length) => (length === LONGEST ? long : short)[index]!.replace(expression, '')),
    );
    t.equal(
      slow,
      -1,
      `${place}${slow < 0 ? '' : ` on ${JSON.stringify(long[slow]!.slice(0, 10))}…${JSON.stringify(long[slow]!.slice(-3))}`}`,
    );
  }
});

t.test('a date pattern is linear, too', async (t) => {
  for (const pattern of ["uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSSX", "u-M-d' '''''H:m:sX", 'u1M1d1H1m1s1']) {
    const read = compilePattern(pattern)!;
    for (const text of adversarialTexts(200)) t.ok(millisecondsOf(() => read(text)) < NOISE || millisecondsOf(() => read(text)) < NOISE);
  }
  for (const text of adversarialTexts(LONGEST)) {
    if (millisecondsOf(() => compilePattern(text)) > NOISE) t.ok(millisecondsOf(() => compilePattern(text)) < NOISE, text.slice(0, 20));
  }
});

t.test('no field and no part of a target blocks the service', async (t) => {
  const { app } = await openService(t, [SAMPLE], { trustProxy: true });
  const places: [string, (text: string) => { url: string; headers: Record<string, string> }][] = [
    ...['host', 'forwarded', 'x-forwarded-host', 'x-forwarded-proto', 'accept'].map((name): (typeof places)[number] => [
      name,
      (text) => ({ url: '/', headers: { [name]: text } }),
    ]),
    ['path', (text) => ({ url: `/${encodeURI(text)}`, headers: {} })],
    ['page', (text) => ({ url: `/sites/${encodeURIComponent(text)}`, headers: {} })],
    ...[
      '/sites?q=',
      '/sites?sort=',
      '/setups?sort=',
      '/gnssReceivers?type=',
      '/setups/search/findCurrentByFourCharacterId?id=',
      '/changes?from=',
    ].map((start): (typeof places)[number] => [start, (text) => ({ url: start + encodeURIComponent(text), headers: {} })]),
  ];
  for (const [place, requestOf] of places) {
    for (const text of [
      `a${' '.repeat(LONGEST)}x`,
      `a=b${';a=b'.repeat(LONGEST / 4)}`,
      `${' ,'.repeat(LONGEST / 2)}x`,
      `a="${'\\a'.repeat(LONGEST / 2)}`,
    ]) {
      const { url, headers } = requestOf(text);
      let fastest = Infinity;
      for (let round = 0; round < 3 && fastest > 200; round++) {
        const start = performance.now();
        const { statusCode } = await app.inject({ url: url.slice(0, LONGEST), headers });
        fastest = Math.min(fastest, performance.now() - start);
        t.ok(statusCode < 500, `${place}: ${statusCode}`);
      }
      t.ok(fastest < 200, `${place} on ${JSON.stringify(text.slice(0, 8))}: ${fastest} ms`);
    }
  }
});
