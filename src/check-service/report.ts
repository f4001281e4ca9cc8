import { visible } from '../visible.js';
import type { Findings, Result } from './findings.js';

/** How many failures of one check are listed. */
const LISTED = 10;

/** A text from the service in one line of TAP. */
const inTap = (text: string): string => visible(text).replace(/[\\#]/g, '\\$&');
const inYaml = (text: string): string => `'${visible(text).replaceAll("'", "''")}'`;
const withOutcome = (results: Result[], wanted: Result['outcome']): Result[] =>
  results.filter(({ outcome }) => outcome === wanted);

/** Writes findings as TAP 14: a subtest for each operation, with a row for each of its checks. */
export class TapReport {
  private readonly all: Findings[] = [];

  /** @param write writes one line */
  constructor(private readonly write: (line: string) => void) {}

  /** Writes the findings for one operation. */
  add(findings: Findings): void {
    if (this.all.length === 0) this.write('TAP version 14');
    this.all.push(findings);
    const { results, title } = findings;
    const byCheck = [...Map.groupBy(results, ({ check }) => check)];
    const rows = byCheck.flatMap(([name, each], index) => rowOf(`${index + 1} - ${name}`, each));
    this.write(`# Subtest: ${visible(title)}`);
    for (const line of [...rows, `1..${byCheck.length}`]) this.write(`    ${line}`);
    const outcome = withOutcome(results, 'failed').length > 0 ? 'not ok' : 'ok';
    this.write(`${outcome} ${this.all.length} - ${inTap(title)}`);
    this.write('');
  }

  /** Ends with a table of the operations, and a remark. Returns whether all checks have passed. */
  end(remark: string): boolean {
    const rows = this.all.map(({ title, results }) => rowOfTable(title, results));
    const everything = this.all.flatMap(({ results }) => results);
    const table = [
      ['operation', 'passed', 'failed', 'no data', 'failed checks'],
      ...rows,
      rowOfTable('total', everything),
    ];
    const width = Math.max(...table.map(([title]) => title!.length));
    const lines = table.map(([title, ...cells]) =>
      [title!.padEnd(width), ...cells.map((cell) => cell.padEnd(7))].join('  '),
    );
    for (const line of [...lines, remark]) this.write(`# ${visible(line)}`.trimEnd());
    this.write(`1..${this.all.length}`);
    return withOutcome(everything, 'failed').length === 0;
  }

  /** Ends early. */
  bailOut(reason: string): void {
    if (this.all.length > 0) this.write(`Bail out! ${visible(reason)}`);
  }
}

/** The row of one check: how many times it was made; where it failed, the first failures. */
function rowOf(name: string, results: Result[]): string[] {
  const failed = withOutcome(results, 'failed');
  if (failed.length > 0) {
    const listed = failed.slice(0, LISTED).map(({ detail }) => `    - ${inYaml(detail)}`);
    return [
      `not ok ${name} (${failed.length} of ${results.length})`,
      '  ---',
      '  found:',
      ...listed,
      '  ...',
    ];
  }
  const passed = withOutcome(results, 'passed').length;
  const lacking = withOutcome(results, 'no data').map(({ detail }) => visible(detail));
  return passed === 0
    ? [`ok ${name} # SKIP ${lacking[0]}`]
    : [`ok ${name} (${passed})`, ...lacking.map((detail) => `# ${detail}`)];
}

/** The counts of an operation, and which checks failed. */
function rowOfTable(title: string, results: Result[]): string[] {
  const counts = (['passed', 'failed', 'no data'] as const).map((outcome) =>
    String(withOutcome(results, outcome).length || '.'),
  );
  const failed = new Set(withOutcome(results, 'failed').map(({ check }) => check));
  return [title, ...counts, [...failed].join(', ')];
}
