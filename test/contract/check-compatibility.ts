import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, compare, mayBreak, type Node, NotComparable } from './compatibility.js';

/**
 * `npm run check-contract -- [RELEASED]`: whether the contract breaks the clients of the last
 * release.
 */

const CURRENT = join('schemas', 'json', 'openapi.json');
const RELEASED = join('schemas', 'released', 'openapi.json');

/** Breaks that are accepted, with the reason. Delete them with the next release. */
const ACCEPTED: [where: RegExp, reason: string][] = [];

function read(path: string): { document: Node; version: string } {
  try {
    const document = JSON.parse(readFileSync(path, 'utf8')) as Node;
    return { document, version: String((document.info as Node).version) };
  } catch (error) {
    throw new NotComparable(
      `"${path}" is not a readable OpenAPI document: ${(error as Error).message}`,
    );
  }
}

/** The changes under a heading. What is the same in many places takes one line. */
function listOf(heading: string, changes: Change[]): string {
  const byText = new Map<string, Change[]>();
  for (const change of changes) {
    const text = `${change.where.replace(/^GET \S+ /, '')}: ${change.what}`;
    byText.set(text, [...(byText.get(text) ?? []), change]);
  }
  const lines = [...byText.values()].map(([first, ...more]) => {
    const others = more.length === 0 ? '' : ` (and in ${more.length} more places)`;
    return `  ${first!.where}: ${first!.what}${others}`;
  });
  return [`${heading}: ${changes.length === 0 ? 'nothing' : changes.length}`, ...lines].join('\n');
}

function check([released = RELEASED, ...rest]: string[]): number {
  if (rest.length > 0 || released.startsWith('-'))
    throw new NotComparable('usage: npm run check-contract -- [RELEASED_OPENAPI_JSON]');
  const old = read(released);
  const now = read(CURRENT);
  const { breaks: all, additions } = compare(old.document, now.document);
  const added = new Set(additions.map(({ where, what }) => `${where}: ${what}`));
  const isAccepted = ({ where, what }: Change): boolean =>
    ACCEPTED.some(([pattern]) => pattern.test(`${where}: ${what}`)) &&
    // A media type is only written in another way.
    (!where.includes(';') || added.has(`${where.split(';')[0]}: added`));
  const breaks = all.filter((each) => !isAccepted(each));
  const accepted = all.filter(isAccepted);
  const allowed = mayBreak(old.version, now.version);
  const ofBreaks = allowed
    ? 'Clients break, as the new version announces.'
    : 'Clients break without a new major version (below 1.0.0: a new minor version).';
  const verdict = breaks.length === 0 ? 'Clients of the released version keep working.' : ofBreaks;
  const lists = [
    listOf('Breaks clients', breaks),
    ...(accepted.length > 0 ? [listOf('Breaks clients, and is accepted', accepted)] : []),
    listOf('Adds', additions),
  ];
  process.stdout.write(
    [`${released} (${old.version}) -> ${CURRENT} (${now.version})`, ...lists, verdict, ''].join(
      '\n',
    ),
  );
  return breaks.length === 0 || allowed ? 0 : 1;
}

try {
  process.exitCode = check(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof NotComparable)) throw error;
  process.stderr.write(`check-contract: ${error.message}\n`);
  process.exitCode = 2;
}
