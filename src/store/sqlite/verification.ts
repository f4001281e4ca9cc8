import { hash } from 'node:crypto';
import Database from 'better-sqlite3';
import type { Problem, Rereading, Verification } from '../upkeep.js';
import { CHECKED, type CheckedTable, isIntact, type Row } from '../saving/checksums.js';
import { migrate } from './migrations.js';
import { siteName } from './recorded-tables.js';
import { Replay } from './replay.js';
import { compareTable, tablesOf } from './table-comparison.js';
import { writeDocuments } from './written-documents.js';

/** The tables, indexes and triggers that a database has. */
const SCHEMA = "SELECT type || ' ' || name AS name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1";

const rebuildable = (text: string): Problem => ({ text, repairable: true });

/** Runs a check. A table that SQLite cannot read is a problem too. */
function* guarded(what: string, check: () => Iterable<Problem>): Generator<Problem> {
  try {
    yield* check();
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    yield rebuildable(`${what} cannot be read: ${error.message}`);
  }
}

/** The damage that SQLite itself finds. */
export function* damageOfFile(db: Database.Database): Generator<Problem> {
  yield* guarded('the file', function* () {
    for (const { integrity_check: text } of db.pragma('integrity_check') as { integrity_check: string }[])
      if (text !== 'ok') yield rebuildable(`integrity_check: ${text.replaceAll('\n', ' ')}`);
  });
  yield* guarded('the file', function* () {
    for (const { table, rowid, parent } of db.pragma('foreign_key_check') as { table: string; rowid: number | null; parent: string }[])
      yield rebuildable(`${table} ${rowid ?? ''} refers to a ${parent} that does not exist`);
  });
}

function* schemaProblems(recorded: Database.Database, replayed: Database.Database): Generator<Problem> {
  const read = (db: Database.Database) => new Map(db.prepare<[], [string, string]>(SCHEMA).raw().all());
  const [found, expected] = [read(recorded), read(replayed)];
  for (const [name, sql] of expected) {
    if (!found.has(name)) yield rebuildable(`${name} is missing`);
    else if (found.get(name) !== sql) yield rebuildable(`${name} has a wrong definition`);
  }
}

const isEmpty = (db: Database.Database, table: string): boolean => db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined;

/** The Sites whose entry in the index of positions is missing, wrong or superfluous. A box rounds outwards, to about a metre. */
const MISPLACED = `
  SELECT site.id FROM site LEFT JOIN site_position ON site_id = site.id
  WHERE CASE WHEN latitude + longitude IS NULL THEN site_id IS NOT NULL
    ELSE site_id IS NULL OR longitude NOT BETWEEN west AND east OR latitude NOT BETWEEN south AND north OR east - west > 1e-4 OR north - south > 1e-4 END
  UNION ALL SELECT site_id FROM site_position WHERE site_id NOT IN (SELECT id FROM site)`;

function* positionProblems(recorded: Database.Database): Generator<Problem> {
  for (const id of recorded.prepare<[], number>(MISPLACED).pluck().iterate())
    yield rebuildable(`site_position ${id} does not match the position of ${siteName(recorded, id)}`);
}

/** The last import cannot be derived again. Its checksum shows whether it is intact, and its number whether there was one. */
function* lastImportProblems(recorded: Database.Database, replayed: Database.Database): Generator<Problem> {
  if (isEmpty(replayed, 'last_import') && !isEmpty(recorded, 'last_import'))
    yield { text: 'last_import does not match its checksum; the next import records it again', repairable: false };
  const lost = recorded
    .prepare("SELECT 1 FROM sqlite_sequence WHERE name = 'last_import' AND NOT EXISTS (SELECT 1 FROM last_import)")
    .get();
  if (lost !== undefined) yield { text: 'last_import is missing; the next import records it again', repairable: false };
}

/** Whether a row of the feed says what was on record before there was a feed. */
const isBaseline = ({ document }: Row): boolean => typeof document === 'string' && document.startsWith('{"baseline":true');

/** Checks the Sites that were carried over, which cannot be derived again, against their checksums. */
function* carriedProblems(recorded: Database.Database, carried: ReadonlySet<number>): Generator<Problem> {
  const lost = (text: string): Problem => ({ text, repairable: false });
  const rows = (table: string): IterableIterator<Row> =>
    recorded.prepare<[], Row>(`SELECT * FROM ${table} NOT INDEXED ORDER BY id`).iterate();
  // The feed has rows that cannot be derived again even where no Site was carried over.
  for (const table of carried.size > 0 ? (Object.keys(CHECKED) as CheckedTable[]) : (['feed'] as const)) {
    yield* guarded(table, function* () {
      for (const row of rows(table)) {
        const isHere = table === 'equipment' ? carried.size > 0 : carried.has(row.site_id as number) || isBaseline(row);
        if (!isHere || isIntact(table, row)) continue;
        const of = table === 'equipment' ? '' : ` of ${siteName(recorded, row.site_id)}`;
        yield lost(`${table} ${String(row.id)}${of} does not match its checksum`);
      }
    });
  }
  if (carried.size === 0) return;
  yield* guarded('site_log', function* () {
    for (const row of rows('site_log')) {
      if (!carried.has(row.site_id as number) || hash('sha256', row.original as Buffer) === row.sha256) continue;
      yield lost(
        `site_log ${String(row.id)} of ${siteName(recorded, row.site_id)}: the original does not match the SHA-256 ${String(row.sha256)}`,
      );
    }
  });
}

/** The result of deriving everything again and comparing it with the recorded content. */
export interface Derivation extends Verification {
  /** Whether the journal itself is damaged. */
  journalDamaged: boolean;
}

/** Makes an empty database ready for a replay. */
export function prepareReplay(replayed: Database.Database): void {
  replayed.pragma('synchronous = OFF');
  migrate(replayed);
  writeDocuments(replayed);
}

/**
 * Derives everything again, and finds what is wrong in the recorded content.
 * @param recorded within a transaction, so that it does not change
 * @param replayed made by {@link prepareReplay}; is complete afterwards
 */
export function deriveAnew(recorded: Database.Database, replayed: Database.Database, rereading: Rereading): Derivation {
  const problems = [...damageOfFile(recorded), ...guarded('the schema', () => schemaProblems(recorded, replayed))];
  const replay = new Replay(recorded, replayed, rereading);
  replay.run();
  problems.push(...replay.problems);
  problems.push(...guarded('last_import', () => lastImportProblems(recorded, replayed)));
  problems.push(...guarded('site_position', () => positionProblems(recorded)));
  problems.push(...carriedProblems(recorded, replay.carried));
  for (const table of tablesOf(replayed)) {
    // A lost or damaged record of the last import is reported above.
    if (table === 'journal' || (table === 'last_import' && isEmpty(replayed, table))) continue;
    problems.push(
      ...guarded(table, function* () {
        for (const text of compareTable(recorded, replayed, table)) yield rebuildable(text);
      }),
    );
  }
  const sites = replayed.prepare<[], number>('SELECT count(*) FROM site').pluck().get()!;
  // Both checks can find the same damaged original.
  const distinct = [...new Map(problems.map((problem) => [problem.text, problem])).values()];
  const { logs, carried, journalDamaged } = replay;
  return { problems: distinct, logs, sites, carriedSites: carried.size, journalDamaged };
}
