import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Change, compareContracts, type Contract, ContractUnusable, isMajorBump, type Json, versionOf } from './compare-contracts.js';

/** `npm run check-contract -- OLD_DIR [NEW_DIR]`: what of a newer contract breaks the clients of an older one. */

const CURRENT = join('schemas', 'json');
const USAGE = `Usage: npm run check-contract -- OLD_DIR [NEW_DIR]

Compares two exports of the contract, and lists what breaks clients and what merely adds.
NEW_DIR is ${CURRENT} when left out.

Exit code: 0 nothing breaks, or the major version says so; 1 something breaks without a major version (info.version of
openapi.json; below 1.0.0 the minor version counts as the major); 2 wrong usage, or no export is found.
`;

/** Reads a file of an export; throws {@link ContractUnusable} when it is no JSON object. */
function readJson(path: string): Json {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new ContractUnusable(`"${path}" is no JSON: ${error.message.replace(/\s+/g, ' ')}`);
    throw new ContractUnusable(`"${path}" cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new ContractUnusable(`"${path}" is no part of a contract: expected a JSON object`);
  }
  return content as Json;
}

/** Reads an export; throws {@link ContractUnusable} when the folder holds none. */
function readContract(folder: string): Contract {
  let files: string[];
  try {
    files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  } catch (error) {
    throw new ContractUnusable(`"${folder}" cannot be read (${(error as NodeJS.ErrnoException).code}); name the folder of an export`);
  }
  if (!files.includes('openapi.json')) throw new ContractUnusable(`"${folder}" holds no openapi.json; name the folder of an export`);
  const types = files
    .filter((file) => file !== 'openapi.json')
    .map((file): [string, Json] => [basename(file, '.json'), readJson(join(folder, file))]);
  return { name: folder, openapi: readJson(join(folder, 'openapi.json')), types: Object.fromEntries(types) };
}

/** One line for what is the same at every operation. */
function foldOperations(changes: Change[], operations: string[]): Change[] {
  const keyOf = ({ path, what }: Change, where: string): string => JSON.stringify([where, path, what]);
  const keys = new Set(changes.map((change) => keyOf(change, change.where)));
  const isEverywhere = (change: Change): boolean => operations.length > 1 && operations.every((where) => keys.has(keyOf(change, where)));
  const [first, ...more] = operations;
  return changes.flatMap((change) => {
    if (change.where === first && isEverywhere(change)) return [{ ...change, where: 'every operation' }];
    return more.includes(change.where) && isEverywhere(change) ? [] : [change];
  });
}

/** The changes as aligned columns below a heading. */
function listOf(heading: string, changes: Change[]): string {
  const width = (column: 'where' | 'path'): number => Math.max(...changes.map((change) => change[column].length));
  const lines = changes.map(({ where, path, what }) => `  ${where.padEnd(width('where'))}  ${path.padEnd(width('path'))}  ${what}`);
  return [`${heading}: ${changes.length === 0 ? 'nothing' : changes.length}`, ...lines, ''].join('\n');
}

/** Compares, prints, and returns the exit code; throws {@link ContractUnusable} for wrong usage too. */
function check(args: string[]): number {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const [oldFolder, newFolder = CURRENT, ...rest] = args;
  if (oldFolder === undefined) throw new ContractUnusable('OLD_DIR is missing: npm run check-contract -- OLD_DIR [NEW_DIR]');
  const strange = args.find((arg) => arg.startsWith('-')) ?? rest[0];
  if (strange !== undefined) throw new ContractUnusable(`"${strange}" is not understood: npm run check-contract -- OLD_DIR [NEW_DIR]`);
  const old = readContract(oldFolder);
  const now = readContract(newFolder);
  const [version, versionNow] = [versionOf(old), versionOf(now)];
  const { breaks, additions, operations } = compareContracts(old, now);
  const major = isMajorBump(version, versionNow);
  const verdict =
    breaks.length === 0
      ? 'Nothing breaks clients.'
      : major
        ? 'Clients break, and the major version says so.'
        : 'Clients break, and the version does not say so: it must be a new major version (below 1.0.0 a new minor version).';
  process.stdout.write(
    `${oldFolder} (${version}) -> ${newFolder} (${versionNow})\n\n` +
      `${listOf('Breaks clients', foldOperations(breaks, operations))}\n` +
      `${listOf('Merely adds', foldOperations(additions, operations))}\n` +
      `${verdict}\n`,
  );
  return breaks.length === 0 || major ? 0 : 1;
}

try {
  process.exitCode = check(process.argv.slice(2));
} catch (error) {
  // Anything but a break of the contract must not look like one.
  process.exitCode = 2;
  process.stderr.write(`${error instanceof ContractUnusable ? error.message : (error as Error).stack}\n`);
}
