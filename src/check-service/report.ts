import { visible } from '../visible.js';
import { CHECKS, countOf, type Findings, type Result } from './findings.js';

/** How many failures of one check are listed. */
const LISTED = 10;

/** A text from the service in one line of TAP. */
const inTap = (text: string): string => visible(text).replace(/[\\#]/g, '\\$&');
const inYaml = (text: string): string => `'${visible(text).replaceAll("'", "''")}'`;
const indented = (lines: string[]): string[] => lines.map((line) => `    ${line}`);

/** Writes findings as TAP 14: a subtest for each operation, with a row for each of its checks. */
export class TapReport {
  private readonly all: Findings[] = [];

  /** @param write writes one line */
  constructor(private readonly write: (line: string) => void) {}

  /** Whether a check has failed. */
  get failed(): boolean {
    return this.all.some(({ results }) => countOf(results, 'failed') > 0);
  }

  /** Writes the findings for one operation. */
  add(findings: Findings): void {
    if (this.all.length === 0) this.write('TAP version 14');
    this.all.push(findings);
    const { results, title, notes } = findings;
    const checks = [...findings.byCheck()];
    const rows = checks.flatMap(([check, ofCheck], index) => rowOf(`${index + 1} - ${check}`, check, ofCheck));
    const comments = notes.map((note) => `# ${visible(note)}`);
    this.lines([`# Subtest: ${visible(title)}`, ...indented([...rows, ...comments, `1..${checks.length}`])]);
    this.lines([`${countOf(results, 'failed') > 0 ? 'not ok' : 'ok'} ${this.all.length} - ${inTap(title)}`, '']);
  }

  /** Ends with two tables, one by operation and one by check, and with remarks. */
  end(remarks: string[]): void {
    const comments = [...summaryOf(this.all).split('\n'), ...remarks].map((line) => `# ${visible(line)}`.trimEnd());
    this.lines([...comments, `1..${this.all.length}`]);
  }

  /** Ends early. */
  bailOut(reason: string): void {
    if (this.all.length > 0) this.write(`Bail out! ${visible(reason)}`);
  }

  private lines(lines: string[]): void {
    for (const line of lines) this.write(line);
  }
}

/** The row of one check: how many times it was made; where it failed, the first failures. */
function rowOf(name: string, check: string, results: Result[]): string[] {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const lacking = results.filter(({ outcome }) => outcome === 'no data');
  const passed = countOf(results, 'passed');
  if (failed.length === 0 && passed === 0) return [`ok ${name} # SKIP ${visible(lacking[0]!.detail)}`];
  const comments = lacking.map(({ detail }) => `# ${check}: ${visible(detail)}`);
  if (failed.length === 0) return [`ok ${name} (${passed})`, ...comments];
  const listed = failed.slice(0, LISTED).map(({ subject, detail }) => `    - ${inYaml(`${subject}: ${detail}`)}`);
  return [`not ok ${name} (${failed.length} of ${results.length})`, '  ---', '  found:', ...listed, '  ...', ...comments];
}

/** Rows as aligned columns, with a rule below the first row. */
function tableOf(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const rule = widths.map((width) => '-'.repeat(width));
  return [rows[0]!, rule, ...rows.slice(1)]
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

const countsOf = (results: Result[]): string[] =>
  (['passed', 'failed', 'no data'] as const).map((outcome) => String(countOf(results, outcome) || '.'));

/** The counts as two tables: by operation and by check. */
export function summaryOf(all: Findings[]): string {
  const failing = (findings: Findings): string =>
    [...findings.byCheck()].flatMap(([check, results]) => (countOf(results, 'failed') > 0 ? [check] : [])).join(', ');
  const everything = all.flatMap(({ results }) => results);
  const ofCheck = (check: string): Result[] => everything.filter((result) => result.check === check);
  const byOperation = tableOf([
    ['operation', 'passed', 'failed', 'no data', 'failed checks'],
    ...all.map((findings) => [findings.title, ...countsOf(findings.results), failing(findings)]),
  ]);
  const byCheck = tableOf([
    ['check', 'passed', 'failed', 'no data', 'meaning when passed'],
    ...Object.entries(CHECKS).map(([check, meaning]) => [check, ...countsOf(ofCheck(check)), meaning]),
    ['total', ...countsOf(everything), ''],
  ]);
  return `${byOperation}\n\n${byCheck}`;
}
