/** What is checked, and what holds where it passes. */
export const CHECKS = {
  status: 'the documented status',
  'header fields': 'the fixed fields to the letter, and none but these and the transport’s',
  'content length': 'Content-Length is the number of bytes of the body',
  'media type': 'Content-Type to the letter as documented',
  body: 'valid as the exported schema has it',
  'member order': 'the members in the order of the schema',
  HEAD: 'the header fields of GET, and no body',
  OPTIONS: 'Allow names GET, HEAD and OPTIONS',
  'wrong method': '405, Allow, a problem document',
  accept: 'JSON and HAL clients all get the document in its media type',
  parameters: 'an unknown, repeated, missing or malformed one is a 400 that names it',
  'unknown id': '404, or an empty page where a list is asked for',
  element: 'an element of a page is what its own resource is',
  pages: 'each element on one page, totals that agree',
  'page links': 'in order, where they belong, with filter, size, order and projection kept',
  'page size': 'more than 1000 means 1000',
  filter: 'the elements with the value, all and only',
  sort: 'in order, ascending and descending, unknown values last',
  projection: 'the member is there when asked for, and only then',
  setup: 'what is current has no end and holds; equipment by kind; periods that agree',
  search: 'what was looked for, of the Site that was named',
  profile: 'the members as ALPS, the exported schema as JSON Schema',
  version: 'the bytes of the exported contract',
  links: 'under the base URL, described, and resolving',
} as const;

export type CheckName = keyof typeof CHECKS;

/** What one check found in one place. */
export interface Result {
  check: CheckName;
  /** The request, or what else was looked at. */
  subject: string;
  outcome: 'passed' | 'failed' | 'no data';
  /** What was found where it failed, what was missing where there was no data. */
  detail: string;
}

/** The most problems of one check in one place that are told. */
const TOLD = 3;

/** What the checks found of one operation, or of the links. */
export class Findings {
  readonly results: Result[] = [];
  /** What is to be known of how it was checked. */
  readonly notes: string[] = [];

  /** @param title what was checked: the path of an operation */
  constructor(readonly title: string) {}

  /** Adds the outcome of a check: passed where there is no problem. */
  add(check: CheckName, subject: string, problems: string[]): boolean {
    const more = problems.length > TOLD ? [`and ${problems.length - TOLD} more`] : [];
    const detail = [...problems.slice(0, TOLD), ...more].join('; ');
    this.results.push({ check, subject, outcome: problems.length === 0 ? 'passed' : 'failed', detail });
    return problems.length === 0;
  }

  /** Adds that there was nothing in the deployment to check this with. */
  lack(check: CheckName, subject: string, detail: string): void {
    this.results.push({ check, subject, outcome: 'no data', detail: `no data to check this with: ${detail}` });
  }

  /** The results of each check that was made, in the order of {@link CHECKS}. */
  byCheck(): Map<CheckName, Result[]> {
    const names = Object.keys(CHECKS) as CheckName[];
    return new Map(
      names.flatMap((name) => {
        const results = this.results.filter(({ check }) => check === name);
        return results.length === 0 ? [] : [[name, results] as const];
      }),
    );
  }
}

/** How many of some results have an outcome. */
export const countOf = (results: Result[], outcome: Result['outcome']): number =>
  results.filter((result) => result.outcome === outcome).length;

/** Rows as aligned columns, the first row above a line. */
function tableOf(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  return [lines[0]!, widths.map((width) => '-'.repeat(width)).join('  '), ...lines.slice(1)].join('\n');
}

const countsOf = (results: Result[]): string[] =>
  (['passed', 'failed', 'no data'] as const).map((outcome) => String(countOf(results, outcome) || '.'));

/** What was found as two tables: by operation, and by check. */
export function summaryOf(all: Findings[]): string {
  const failing = (findings: Findings): string =>
    [...findings.byCheck()].flatMap(([check, results]) => (countOf(results, 'failed') > 0 ? [check] : [])).join(', ');
  const everything = all.flatMap(({ results }) => results);
  return [
    tableOf([
      ['operation', 'passed', 'failed', 'no data', 'what failed'],
      ...all.map((findings) => [findings.title, ...countsOf(findings.results), failing(findings)]),
    ]),
    tableOf([
      ['check', 'passed', 'failed', 'no data', 'what holds where it passes'],
      ...Object.entries(CHECKS).map(([check, meaning]) => [
        check,
        ...countsOf(everything.filter((result) => result.check === check)),
        meaning,
      ]),
      ['together', ...countsOf(everything), ''],
    ]),
  ].join('\n\n');
}
