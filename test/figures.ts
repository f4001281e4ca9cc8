import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { findingsTable } from './findings-table.js';
import { REAL_LOGS } from './project-files.js';

/**
 * Prints how large the project is: operations and parameters of the interface, lines of each room,
 * characters of its code, words of each document; and what check-log finds in real site logs.
 */

interface Operation {
  parameters?: object[];
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
}

/** The files of the repository, without those that are generated. */
const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
const CLIENT = 'src/client/contract-types.ts';
const OPENAPI = 'schemas/json/openapi.json';

const text = (file: string): string => readFileSync(file, 'utf8');
const linesOf = (file: string): number => text(file).split('\n').length - 1;
const wordsOf = (file: string): number =>
  text(file)
    .split(/\s+/)
    .filter((word) => word !== '').length;
const sum = (numbers: Iterable<number>): number =>
  [...numbers].reduce((total, each) => total + each, 0);
const print = (name: string, figure: number): void =>
  console.log(`${String(figure).padStart(7)}  ${name}`);

const operations = Object.values((JSON.parse(text(OPENAPI)) as Document).paths).flatMap((path) =>
  Object.values(path),
);
console.log('The interface');
print('operations', operations.length);
print('parameters', sum(operations.map(({ parameters = [] }) => parameters.length)));
print(`bytes of ${OPENAPI}`, Buffer.byteLength(text(OPENAPI)));
print(`lines of ${CLIENT}`, linesOf(CLIENT));

/** The room of a file of code: a folder of `src` or `test`, or one of the top level. */
const roomOf = (file: string): string => dirname(file).split('/').slice(0, 2).join('/');
const code = files.filter((file) => /\.(ts|js)$/.test(file) && file !== CLIENT);
for (const [title, rooms] of [
  ['Lines of schemas and src, without generated files', /^(schemas|src)\//],
  ['Lines of test', /^test\//],
] as const) {
  const found = code.filter((file) => rooms.test(file));
  console.log(`\n${title}`);
  for (const [room, inRoom] of Map.groupBy(found, roomOf)) print(room, sum(inRoom.map(linesOf)));
  print('in all', sum(found.map(linesOf)));
}

/** Where the comments of a file are, the last one first. */
function commentsOf(source: ts.SourceFile): ts.TextRange[] {
  const { text: whole } = source;
  const found = new Map<number, ts.TextRange>();
  const visit = (node: ts.Node): void => {
    const comments = [
      ...(ts.getLeadingCommentRanges(whole, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(whole, node.getEnd()) ?? []),
    ];
    for (const comment of comments) found.set(comment.pos, comment);
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  return [...found.values()].sort((one, other) => other.pos - one.pos);
}

/** The characters of a file without comments and white space: formatting does not change them. */
function charactersOf(file: string): number {
  const source = ts.createSourceFile(file, text(file), ts.ScriptTarget.Latest, true);
  let rest = source.text;
  for (const { pos, end } of commentsOf(source)) rest = rest.slice(0, pos) + rest.slice(end);
  return rest.replace(/\s/g, '').length;
}

console.log('\nCharacters of src, without comments, white space and the client');
const measured = code.filter((file) => /^src\/(?!client\/).*\.ts$/.test(file));
for (const [room, inRoom] of Map.groupBy(measured, roomOf))
  print(room, sum(inRoom.map(charactersOf)));
print('in all', sum(measured.map(charactersOf)));

console.log('\nWords of documents');
const documents = files.filter((file) => file.endsWith('.md'));
for (const file of documents) print(file, wordsOf(file));
print('in all', sum(documents.map(wordsOf)));

if (REAL_LOGS !== null) {
  console.log('\nFindings in the real text logs, for the guide of operators');
  console.log(await findingsTable(join(REAL_LOGS, 'text')));
}
