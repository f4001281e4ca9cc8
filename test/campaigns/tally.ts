import { KNOWN_DEFECTS } from './known-defects.js';

/** How many failures of a row are printed. */
const PRINTED = 20;

interface Row {
  tried: number;
  failed: number;
  /** Calls of {@link Tally.failed} that were printed, or only counted. */
  findings: number;
  /** Failures by a defect that is known and not yet fixed. */
  known: number;
  /** The longest time that one of them took, in milliseconds; null if it is not measured. */
  slowest: number | null;
  notes: string[];
}

/** Counts what was tried and what failed, and prints each failure with how to repeat it. */
export class Tally {
  private readonly rows = new Map<string, Row>();
  private readonly defects = new Map<string, number>();

  private readonly strict: boolean;

  /** @param strict whether known defects are failures */
  constructor(strict = false) {
    this.strict = strict;
  }

  private row(name: string): Row {
    if (!this.rows.has(name)) this.rows.set(name, { tried: 0, failed: 0, findings: 0, known: 0, slowest: null, notes: [] });
    return this.rows.get(name)!;
  }

  tried(name: string, count = 1): void {
    this.row(name).tried += count;
  }

  /**
   * @param repeat how to see the same failure again
   * @param count how many of those tried failed like this
   */
  failed(name: string, what: string, repeat: string, count = 1): void {
    const row = this.row(name);
    const defect = this.strict ? undefined : KNOWN_DEFECTS.find(({ pattern }) => pattern.test(`${name}: ${what}`));
    if (defect !== undefined) {
      row.known += count;
      this.defects.set(defect.about, (this.defects.get(defect.about) ?? 0) + count);
      return;
    }
    row.failed += count;
    row.findings++;
    if (row.findings <= PRINTED)
      process.stdout.write(`FAILED ${name}: ${what}${count > 1 ? ` (${count} times)` : ''}\n  repeat: ${repeat}\n`);
    if (row.findings === PRINTED) process.stdout.write(`FAILED ${name}: more failures are only counted\n`);
  }

  /** @param milliseconds how long the slowest of some took */
  slowest(name: string, milliseconds: number): void {
    const row = this.row(name);
    row.slowest = Math.max(row.slowest ?? 0, milliseconds);
  }

  /** A figure that is printed behind the row. */
  note(name: string, text: string): void {
    this.row(name).notes.push(text);
  }

  /** Whether nothing failed, and something was tried. */
  get passed(): boolean {
    return this.rows.size > 0 && [...this.rows.values()].every(({ failed }) => failed === 0);
  }

  /** All rows as aligned columns, and the known defects that were met. */
  table(): string {
    const rows = [...this.rows];
    const isTimed = rows.some(([, { slowest }]) => slowest !== null);
    const timeOf = ({ slowest }: Row): string[] => (isTimed ? [slowest === null ? '' : `${Math.round(slowest)} ms`] : []);
    const lines = [
      ['', 'tried', 'failed', 'known', ...(isTimed ? ['slowest'] : []), ''],
      ...rows.map(([name, row]) => [name, `${row.tried}`, `${row.failed}`, `${row.known}`, ...timeOf(row), row.notes.join('; ')]),
    ];
    const last = lines[0]!.length - 1;
    const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
    const text = lines.map((line) =>
      line
        .map((cell, column) => (column === 0 || column === last ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    );
    return [...text, ...[...this.defects].map(([about, count]) => `known defect, ${count} times: ${about}`)].join('\n');
  }
}
