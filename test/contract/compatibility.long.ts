import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { CONTRACT, ROOT } from '../project-files.js';
import {
  type Change,
  compare,
  type Comparison,
  inlined,
  mayBreak,
  type Node,
  NotComparable,
} from './compatibility.js';
import { nodeCommand } from '../node-command.js';

const WHOLE = inlined(JSON.parse(readFileSync(join(CONTRACT, 'openapi.json'), 'utf8')) as Node);
/** The contract with the operations that the tests change. */
const CURRENT: Node = {
  ...WHOLE,
  paths: Object.fromEntries(
    ['/changes', '/clocks', '/corsSites/search/findByFourCharacterId'].map((path) => [
      path,
      (WHOLE.paths as Node)[path],
    ]),
  ),
};

/** Steps from the root to a value. A step into a list of parameters is the name of one. */
type Path = (string | number)[];
const schema = (name: string, ...more: Path): Path => ['components', 'schemas', name, ...more];
const member = (name: string, ...more: Path): Path => schema(name, 'properties', ...more);
const PRAGMA: Path = ['components', 'headers', 'Pragma'];
const KIND: Path = [
  'paths',
  '/changes',
  'get',
  'parameters',
  'equipmentType',
  'schema',
  'items',
  'anyOf',
];
const LIST: Path = ['paths', '/clocks', 'get'];
const ID_PATTERN: Path = [
  'paths',
  '/corsSites/search/findByFourCharacterId',
  'get',
  'parameters',
  'id',
  'schema',
  'pattern',
];
const VARIANTS = schema('Equipment', 'anyOf');
const SORT: Path = [...LIST, 'parameters', 'sort', 'schema', 'items', 'pattern'];
const OK: Path = [...LIST, 'responses', '200'];
const HAL = 'application/hal+json';
const parameter = (name: string, ...more: Path): Path => [...LIST, 'parameters', name, ...more];

function at(document: Node, path: Path): unknown {
  return path.reduce<unknown>(
    (node, step) => (Array.isArray(node) ? node[indexIn(node, step)] : (node as Node)[step]),
    document,
  );
}
const indexIn = (list: unknown[], step: string | number): number =>
  typeof step === 'number' ? step : list.findIndex((each) => (each as Node).name === step);

/**
 * The current document with a value replaced; undefined removes it.
 * @throws {Error} where a removed value was not there
 */
function edited(path: Path, change: unknown): Node {
  const document = structuredClone(CURRENT);
  const parent = at(document, path.slice(0, -1));
  const step = path.at(-1)!;
  const old = at(document, path);
  const value = typeof change === 'function' ? (change(old) as unknown) : change;
  if (old === undefined && value === undefined) throw new Error(`nothing at ${path.join('/')}`);
  if (Array.isArray(parent))
    parent.splice(indexIn(parent, step), 1, ...(value === undefined ? [] : [value]));
  else if (value === undefined) delete (parent as Node)[step];
  else (parent as Node)[step] = value;
  return document;
}
const append = (value: unknown) => (list: unknown[]) => [...list, value];
const without = (value: unknown) => (list: unknown[]) => list.filter((each) => each !== value);
const withFirst = (name: string, value: unknown) => (entries: object) => ({
  [name]: value,
  ...entries,
});

/**
 * A change of the current document: what breaks with it, and what breaks when it is reverted; null:
 * nothing, it is an addition.
 */
type Row = [title: string, path: Path, change: unknown, forth: RegExp | null, back: RegExp | null];
const CHANGES: Row[] = [
  ['an operation is removed', LIST.slice(0, 2), undefined, /^GET \/clocks: removed$/, null],
  [
    'an operationId changes',
    [...LIST, 'operationId'],
    'x',
    /operationId: "listClock" -> "x"/,
    /operationId/,
  ],
  [
    'a status is removed',
    [...LIST, 'responses', '400'],
    undefined,
    /^GET \/clocks 400: removed$/,
    null,
  ],
  [
    'the only media type is removed',
    [...OK, 'content', HAL],
    undefined,
    /hal\+json: removed/,
    /default media type: none -> /,
  ],
  [
    'the default media type changes',
    [...OK, 'content'],
    withFirst('text/plain', {}),
    /200: default media type: /,
    /plain: removed/,
  ],
  [
    'a header field is removed',
    [...OK, 'headers', 'Pragma'],
    undefined,
    /200 header Pragma: removed$/,
    null,
  ],
  [
    'a header field changes',
    [...PRAGMA, 'schema', 'const'],
    'x',
    /Pragma: "x" is now allowed/,
    /Pragma: "no-cache" is now allowed/,
  ],
  [
    'a header field becomes optional',
    [...PRAGMA, 'required'],
    false,
    /header Pragma: no longer required/,
    null,
  ],
  [
    'a member is removed',
    member('Clock', 'manufacturer'),
    undefined,
    /^Clock\.manufacturer: removed$/,
    null,
  ],
  [
    'a member becomes optional',
    schema('Clock', 'required'),
    without('type'),
    /^Clock\.type: no longer required$/,
    null,
  ],
  [
    'a member becomes nullable',
    member('Setup', 'current', 'type'),
    ['boolean', 'null'],
    /^Setup\.current: null is now allowed$/,
    null,
  ],
  [
    'a member changes its type',
    member('Setup', 'current', 'type'),
    'string',
    /current: string is now/,
    /current: boolean is now/,
  ],
  [
    'an integer of a response becomes a number',
    member('Page', 'size', 'type'),
    'number',
    /^Page\.size: integer -> number$/,
    null,
  ],
  [
    'a bound of a response is lifted',
    member('Page', 'size', 'minimum'),
    undefined,
    /^Page\.size: minimum: \d+ -> none$/,
    null,
  ],
  [
    'a constant becomes any text',
    member('Clock', 'equipmentType', 'const'),
    undefined,
    /equipmentType: string is now allowed/,
    null,
  ],
  [
    'a response gets a variant',
    schema('EquipmentInUse', 'anyOf'),
    append({ type: 'null' }),
    /InUse: null is now allowed$/,
    null,
  ],
  [
    'a member of a variant is removed',
    [...VARIANTS, 0, 'properties', 'type'],
    undefined,
    /^Equipment \(.*\)\.type: removed/,
    null,
  ],
  [
    'a response is closed to further members',
    schema('Clock', 'additionalProperties'),
    false,
    null,
    null,
  ],
  [
    'a filter is removed',
    parameter('serialNumber'),
    undefined,
    /query parameter serialNumber: removed$/,
    null,
  ],
  [
    'a parameter becomes required',
    parameter('serialNumber', 'required'),
    true,
    /parameter serialNumber: now required$/,
    null,
  ],
  [
    'a list is written in another way',
    parameter('type', 'explode'),
    false,
    /explode: none -> false/,
    /explode: false -> none/,
  ],
  [
    'a parameter accepts fewer values',
    parameter('type', 'schema', 'maxItems'),
    10,
    /type: maxItems: 50 -> 10$/,
    null,
  ],
  [
    'a parameter accepts shorter texts',
    parameter('type', 'schema', 'items', 'maxLength'),
    10,
    /type\[\]: maxLength: 500 -> 10$/,
    null,
  ],
  [
    'a parameter gets a pattern',
    parameter('type', 'schema', 'items', 'pattern'),
    '^x',
    /type\[\]: pattern: none -> "\^x"$/,
    null,
  ],
  [
    'a class in a pattern loses characters',
    ID_PATTERN,
    (pattern: string) => pattern.replace('0-9_', '_'),
    /id: pattern: /,
    null,
  ],
  ['a pattern changes', SORT, '^x', /sort\[\]: pattern: /, /sort\[\]: pattern: /],
  [
    'a property to sort by is removed',
    SORT,
    (p: string) => p.replace('|manufacturer', ''),
    /sort/,
    null,
  ],
  [
    'a constant of a parameter is removed',
    KIND,
    (all: Node[]) => all.slice(0, -1),
    /"clock" is no longer allowed$/,
    null,
  ],
  [
    'constants become any text',
    KIND,
    () => [{ type: 'string' }],
    null,
    /"clock" is now allowed|string is no longer allowed/,
  ],
];

const lines = (changes: Change[]): string[] =>
  changes.map(({ where, what }) => `${where}: ${what}`);

t.test('what breaks clients, in both directions', async (t) => {
  for (const [title, path, change, forth, back] of CHANGES) {
    const document = edited(path, change);
    const check = (expected: RegExp | null, { breaks, additions }: Comparison): void => {
      if (expected === null)
        t.same([lines(breaks), additions.length > 0], [[], true], `${title}: an addition`);
      else t.match(lines(breaks).join('\n'), new RegExp(expected, 'm'), title);
    };
    check(forth, compare(CURRENT, document));
    check(back, compare(document, CURRENT));
  }
});

t.test('a new required parameter breaks clients, a new optional one does not', async (t) => {
  const added = { name: 'added', in: 'query', schema: { type: 'string' } };
  const required = compare(
    CURRENT,
    edited([...LIST, 'parameters'], append({ ...added, required: true })),
  );
  t.same(lines(required.breaks), ['GET /clocks query parameter added: added and required']);
  const optional = compare(CURRENT, edited([...LIST, 'parameters'], append(added)));
  t.same(optional, {
    breaks: [],
    additions: [{ where: 'GET /clocks query parameter added', what: 'added' }],
  });
});

t.test('a type that nothing uses and is no longer published breaks clients', async (t) => {
  const more = edited(['components', 'schemas'], (all: object) => ({
    ...all,
    Extra: { type: 'string' },
  }));
  t.same(lines(compare(more, CURRENT).breaks), ['Extra: removed']);
  t.same(lines(compare(CURRENT, more).additions), ['Extra: added']);
});

t.test('a reference to a schema that is missing is refused', async (t) => {
  t.throws(() => compare(CURRENT, edited(schema('Clock'), undefined)), {
    name: 'NotComparable',
    message: /Clock" leads nowhere/,
  });
});

t.test('an unknown keyword is refused by name, wherever it is', async (t) => {
  for (const [path, name] of [
    [member('Clock', 'type', 'format'), 'format'],
    [schema('Clock', 'not'), 'not'],
    [parameter('type', 'allowReserved'), 'allowReserved'],
    [[...LIST, 'requestBody'], 'requestBody'],
    [[...LIST.slice(0, 2), 'post'], 'post'],
    [[...OK, 'links'], 'links'],
    [['components', 'headers', 'Pragma', 'deprecated'], 'deprecated'],
    [['webhooks'], 'webhooks'],
  ] satisfies [Path, string][]) {
    const document = edited(path, {});
    const message = new RegExp(`the keyword "${name}" of an? \\w+ is not supported`);
    t.throws(() => compare(CURRENT, document), { name: 'NotComparable', message }, name);
  }
  const added = edited(['components', 'schemas'], (all: object) => ({
    ...all,
    Extra: { oneOf: [] },
  }));
  t.throws(() => compare(CURRENT, added), { message: /"oneOf"/ }, 'in a new part too');
});

t.test(
  'a higher major version may break clients; below 1.0.0 a higher minor version',
  async (t) => {
    for (const [old, now, allowed] of [
      ['0.1.0', '0.1.0', false],
      ['0.1.0', '0.1.9', false],
      ['0.1.0', '0.2.0', true],
      ['0.9.0', '1.0.0', true],
      ['1.2.0', '1.3.0', false],
      ['1.2.0', '2.0.0', true],
      ['2.0.0', '1.9.0', false],
    ] as const) {
      t.equal(mayBreak(old, now), allowed, `${old} -> ${now}`);
    }
    t.throws(() => mayBreak('0.1', '0.2.0'), NotComparable);
  },
);

/** Runs the built command in the folder of the project. */
const run = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(
      ...nodeCommand(join(ROOT, 'dist/test/contract/check-compatibility.js'), ...args),
      { cwd: ROOT },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

t.test('check-contract lists what breaks, and its exit code depends on the version', async (t) => {
  const released = (document: Node, version: string): string => {
    const path = join(t.testdirName, `${version}.json`);
    writeFileSync(path, JSON.stringify({ ...document, info: { version } }));
    return path;
  };
  t.testdir({});
  const document = structuredClone(WHOLE);
  (at(document, [...LIST, 'responses']) as Node)['418'] = at(CURRENT, OK);
  const { version } = CURRENT.info as { version: string };
  const broken = await run(released(document, version));
  t.equal(broken.code, 1, broken.stderr);
  t.match(
    broken.stdout,
    /\nBreaks clients: 1\n  GET \/clocks 418: removed\nAdds: nothing\nClients break without a new major version/,
  );
  t.equal((await run(released(document, '0.0.1'))).code, 0, 'announced by the version');
  t.match(await run('missing.json'), {
    code: 2,
    stderr: /^check-contract: "missing\.json" is not a readable OpenAPI document: .*\n$/,
  });
});
