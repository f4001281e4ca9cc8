import { spawnSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { Random } from './campaigns/random.js';
import { ROOT } from './project-files.js';

/**
 * `npm run mutations -- --seed HEX`: alters one place of the source at a time, in a copy of the
 * project, and says which alterations no test notices. The seed decides the places. Only alterations
 * that compile count. The tests of a file that can notice are those that import it: first that of the
 * same name, then the nearest ones.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string', default: '60' },
    /** The number of the first mutation, to continue. */
    from: { type: 'string', default: '1' },
  },
});
if (values.seed === undefined) throw new Error('--seed is missing: eight hexadecimal digits');

const MUTATED = 'src/{findings,derive,check,rinex,exports,store/read,formats}/**/*.ts';
/** A test that runs longer is noticed as an endless loop. */
const TIMEOUT = 600_000;

/** What is written instead of an operator. */
const OPERATORS: Readonly<Record<string, string>> = {
  '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>',
  '&&': '||', '||': '&&', '+': '-', '-': '+', '*': '/', '??': '&&',
}; // prettier-ignore

/** A place of a file, and what is written there instead. */
interface Mutation {
  file: string;
  start: number;
  end: number;
  text: string;
}

/** The mutation of a node; undefined if it has none. */
function mutationOf(node: ts.Node): Omit<Mutation, 'file'> | undefined {
  const replace = (old: ts.Node, text: string) => ({ start: old.getStart(), end: old.end, text });
  if (ts.isBinaryExpression(node)) {
    const text = OPERATORS[node.operatorToken.getText()];
    return text === undefined ? undefined : replace(node.operatorToken, text);
  }
  if (ts.isIfStatement(node) || ts.isWhileStatement(node))
    return replace(node.expression, `!(${node.expression.getText()})`);
  if (ts.isConditionalExpression(node))
    return replace(node.condition, `!(${node.condition.getText()})`);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return replace(node, 'false');
  if (node.kind === ts.SyntaxKind.FalseKeyword) return replace(node, 'true');
  if (ts.isNumericLiteral(node)) return replace(node, `(${node.getText()} + 1)`);
  // A call or an assignment that is left out.
  if (ts.isExpressionStatement(node)) return replace(node, ';');
  return undefined;
}

const inFolder = (pattern: string): string[] => globSync(pattern, { cwd: ROOT }).sort();
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** All mutations of a file. */
function mutationsOf(file: string): Mutation[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  const visit = (node: ts.Node): void => {
    const mutation = mutationOf(node);
    if (mutation !== undefined) found.push({ file, ...mutation });
    if (!ts.isTypeNode(node)) ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Checks types with one file altered. */
class Compiler {
  private altered: { file: string; text: string; version: number } | null = null;
  private readonly service: ts.LanguageService;

  constructor(files: string[]) {
    const { options } = ts.parseJsonConfigFileContent(
      ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile).config,
      ts.sys,
      ROOT,
    );
    const textOf = (path: string): string | undefined =>
      path === this.altered?.file ? this.altered.text : ts.sys.readFile(path);
    this.service = ts.createLanguageService({
      ...ts.sys,
      useCaseSensitiveFileNames: () => true,
      getCompilationSettings: () => options,
      getScriptFileNames: () => files.map((file) => join(ROOT, file)),
      getScriptVersion: (path) => String(path === this.altered?.file ? this.altered.version : 0),
      getScriptSnapshot: (path) => {
        const text = textOf(path);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => ROOT,
      getDefaultLibFileName: (each) => ts.getDefaultLibFilePath(each),
      readFile: (path) => ts.sys.readFile(path),
      fileExists: (path) => ts.sys.fileExists(path),
    });
  }

  compiles(file: string, text: string): boolean {
    const path = join(ROOT, file);
    this.altered = { file: path, text, version: (this.altered?.version ?? 0) + 1 };
    return this.service.getSemanticDiagnostics(path).length === 0;
  }
}

/** The files of the project that a file imports. */
function importsOf(file: string): string[] {
  return [...read(file).matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g)].map(([, path]) =>
    join(dirname(file), `${path}.ts`),
  );
}

/** How many imports are between a test and each file that it loads. */
function distancesFrom(test: string): Map<string, number> {
  const distances = new Map([[test, 0]]);
  for (const [file, distance] of distances)
    for (const imported of importsOf(file).filter((each) => known.has(each)))
      if (!distances.has(imported)) distances.set(imported, distance + 1);
  return distances;
}

const sources = inFolder('{src,schemas}/**/*.ts');
const tests = inFolder('test/**/*.test.ts');
const known = new Set([...sources, ...inFolder('test/**/*.ts')]);
const distances = new Map(tests.map((test) => [test, distancesFrom(test)]));

/** The tests that load a file, the likeliest to notice first. */
function testsOf(file: string): string[] {
  const name = basename(file, '.ts');
  const rank = (test: string): number => {
    const isNamed = basename(test) === `${name}.test.ts`;
    return isNamed ? 0 : distances.get(test)!.get(file)!;
  };
  return tests.filter((test) => distances.get(test)!.has(file)).sort((a, b) => rank(a) - rank(b));
}

const folder = mkdtempSync(join(tmpdir(), 'mutations-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const name of ['src', 'schemas', 'test', 'data', 'package.json', 'tsconfig.json', 'README.md'])
  cpSync(join(ROOT, name), join(folder, name), { recursive: true });
cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));

const passes = (test: string): boolean => {
  const flags = ['--experimental-transform-types', '--import=./test/typescript.js'];
  const env = { ...process.env, TAP_TIMEOUT: '0' };
  const options = { cwd: folder, env, timeout: TIMEOUT, killSignal: 'SIGKILL' } as const;
  return spawnSync(process.execPath, [...flags, test], options).status === 0;
};
/** The tests that fail without a mutation, which count for nothing. */
const sound = new Map<string, boolean>();
function isSound(test: string): boolean {
  if (!sound.has(test)) sound.set(test, passes(test));
  return sound.get(test)!;
}

/** The test that fails with an altered file; undefined if none does. */
function noticedBy({ file }: Mutation, text: string): string | undefined {
  const path = join(folder, file);
  for (const test of testsOf(file)) {
    writeFileSync(path, text);
    const isNoticed = !passes(test);
    writeFileSync(path, read(file));
    if (isNoticed && isSound(test)) return test;
  }
  return undefined;
}

const compiler = new Compiler(sources);
const all = inFolder(MUTATED).flatMap(mutationsOf);
const random = new Random(`${values.seed}/mutations`);
let noticed = 0;
let tried = 0;
for (let number = 1; number <= Number(values.count);) {
  const mutation = random.pick(all);
  const { file, start, end, text } = mutation;
  const before = read(file);
  const after = before.slice(0, start) + text + before.slice(end);
  if (!compiler.compiles(file, after)) continue;
  if (number++ < Number(values.from)) continue;
  tried++;
  const test = noticedBy(mutation, after);
  if (test !== undefined) noticed++;
  const line = before.slice(0, start).split('\n').length;
  const what = `${before.slice(start, end)} → ${text}`.replace(/\s+/g, ' ').slice(0, 120);
  const result = test === undefined ? 'SURVIVED' : `noticed by ${test}`;
  console.log(`${number - 1} ${file}:${line} ${what}: ${result}`);
}
console.log(`${noticed} of ${tried} noticed`);
