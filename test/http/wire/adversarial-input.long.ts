import t from 'tap';
import ts from 'typescript';
import { compilePattern } from '../../../src/requests/date-pattern.js';
import { readProjectFile, SAMPLE, sourcesIn } from '../../project-files.js';
import { openService } from '../../service.js';
import { inlined, type Node } from '../../contract/compatibility.js';

/** No request has more characters: Node limits its head to 16 KiB. */
const LONGEST = 16_384;
/**
 * The other length: three doublings below. One doubling alone can look linear or quadratic on a
 * busy machine.
 */
const SHORTER = LONGEST / 8;
/**
 * The growth of time from {@link SHORTER} to {@link LONGEST} that still counts as linear: 8 times
 * is linear, 64 quadratic.
 */
const MOST_GROWTH = 24;
/** Linear work on the longest input takes less, in milliseconds; quadratic work takes more. */
const NOISE = 25;

/**
 * Texts on which an expression with an ambiguous repetition backtracks: something repeated, and an
 * end that does not match.
 */
function adversarialTexts(length: number): string[] {
  const texts: string[] = [];
  for (const start of ['', 'a="', '1:']) {
    for (const part of [
      ' ',
      'a',
      '0',
      ':1',
      '-',
      '/',
      ',',
      ';',
      '"',
      '\\a',
      "''",
      'a ',
      'a=b;',
      ' ,',
      'é',
      '[',
    ]) {
      for (const end of ['x', '\n'])
        texts.push(start + part.repeat(Math.ceil(length / part.length)) + end);
    }
  }
  return texts;
}

/**
 * The milliseconds that this thread has computed since an earlier reading. What other processes do
 * does not count.
 */
const computedSince = (start: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
};

const millisecondsOf = (work: (length: number) => unknown, length: number): number => {
  const start = process.threadCpuUsage();
  work(length);
  return computedSince(start);
};

/**
 * Whether the time of work grows with the length. Measures again what may have been interrupted.
 */
function growsLinearly(work: (length: number) => unknown): boolean {
  let short = Infinity;
  let whole = Infinity;
  for (let round = 0; round < 5 && whole >= NOISE; round++) {
    [whole, short] = [
      Math.min(whole, millisecondsOf(work, LONGEST)),
      Math.min(short, millisecondsOf(work, SHORTER)),
    ];
  }
  return whole < NOISE || whole < MOST_GROWTH * short;
}

/** The rooms that requests reach. */
const REACHED_FOLDERS = [
  'schemas',
  'src/derive',
  'src/exports',
  'src/http',
  'src/requests',
  'src/store',
  'src/web',
];
const REACHED_FILES = ['src/links.ts', 'src/visible.ts', 'src/words.ts'];

/** Every regular expression in the rooms that requests reach, with its place. */
function expressions(): [string, RegExp][] {
  const files = REACHED_FOLDERS.flatMap(sourcesIn);
  const found: [string, RegExp][] = [];
  for (const file of [...files, ...REACHED_FILES]) {
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
  const { paths } = inlined(
    JSON.parse(readProjectFile('schemas', 'json', 'openapi.json')) as Node,
  ) as {
    paths: Record<
      string,
      {
        get: {
          parameters: {
            name: string;
            schema: { pattern?: string; items?: { pattern?: string } };
          }[];
        };
      }
    >;
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
  t.notOk(growsLinearly((length) => /\s+$/.exec(`${' '.repeat(length)}x`)));
  t.ok(growsLinearly((length) => /^\s+$/.exec(`${' '.repeat(length)}x`)));
});

const SHORT = adversarialTexts(SHORTER);
const WHOLE = adversarialTexts(LONGEST);

t.test('every regular expression that a request can reach is linear', async (t) => {
  const all = expressions();
  t.ok(all.length > 30);
  for (const [place, expression] of all) {
    const slow = WHOLE.find(
      (_, index) =>
        !growsLinearly((length) =>
          (length === LONGEST ? WHOLE : SHORT)[index]!.replace(expression, ''),
        ),
    );
    t.equal(slow?.slice(0, 10), undefined, place);
  }
});

t.test('a date pattern is linear, too', async (t) => {
  for (const pattern of ["uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSSX", 'u-M-d H:m:sX', 'u1M1d1H1m1s1']) {
    const read = compilePattern(pattern)!;
    t.ok(
      growsLinearly(() => adversarialTexts(200).map(read)),
      pattern,
    );
  }
  const slow = WHOLE.find(
    (_, index) =>
      !growsLinearly((length) => compilePattern((length === LONGEST ? WHOLE : SHORT)[index]!)),
  );
  t.equal(slow?.slice(0, 10), undefined);
});

t.test('no field and no part of a target blocks the service', async (t) => {
  const { app } = await openService(t, [SAMPLE], { trustProxy: true });
  type RequestOf = (text: string) => { url: string; headers?: Record<string, string> };
  const fields = ['host', 'forwarded', 'x-forwarded-host', 'x-forwarded-proto', 'accept'];
  const lookup = '/setups/search/findCurrentByFourCharacterId?id=';
  const starts = [
    '/',
    '/sites/',
    '/sites?q=',
    '/sites?sort=',
    '/setups?sort=',
    '/gnssReceivers?type=',
    '/changes?from=',
    lookup,
  ];
  const places: [string, RequestOf][] = [
    ...fields.map((name): [string, RequestOf] => [
      name,
      (text) => ({ url: '/', headers: { [name]: text } }),
    ]),
    ...starts.map((start): [string, RequestOf] => [
      start,
      (text) => ({ url: start + encodeURIComponent(text) }),
    ]),
  ];
  for (const [place, requestOf] of places) {
    for (const text of [
      `a${' '.repeat(LONGEST)}x`,
      `a=b${';a=b'.repeat(LONGEST / 4)}`,
      `${' ,'.repeat(LONGEST / 2)}x`,
      `a="${'\\a'.repeat(LONGEST / 2)}`,
    ]) {
      const { url, headers = {} } = requestOf(text);
      let fastest = Infinity;
      for (let round = 0; round < 3 && fastest > 200; round++) {
        const start = process.threadCpuUsage();
        const { statusCode } = await app.inject({ url: url.slice(0, LONGEST), headers });
        fastest = Math.min(fastest, computedSince(start));
        if (statusCode >= 500) t.fail(`${place}: ${statusCode}`);
      }
      t.ok(fastest < 200, `${place} on ${JSON.stringify(text.slice(0, 8))}: ${fastest} ms`);
    }
  }
});
