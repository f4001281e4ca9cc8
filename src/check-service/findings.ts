/** What is checked. */
export type CheckName =
  | 'status'
  | 'header fields'
  | 'media type'
  | 'body'
  | 'refusals'
  | 'pages'
  | 'sort'
  | 'lookup'
  | 'links';

/** The outcome of one check in one place. */
export interface Result {
  check: CheckName;
  outcome: 'passed' | 'failed' | 'no data';
  /** What was checked, such as a request, and what is wrong or missing. */
  detail: string;
}

/** A list with the problem if there is one. */
export const unless = (isRight: boolean, problem: string): string[] => (isRight ? [] : [problem]);

/** The results for one operation, or for the links. */
export class Findings {
  readonly results: Result[] = [];

  /** @param title what was checked: the path of an operation */
  constructor(readonly title: string) {}

  /**
   * Adds the result of a check, which passes if there are no problems. Lists the first three.
   * Returns whether it passed.
   */
  add(check: CheckName, subject: string, problems: string[]): boolean {
    const isRight = problems.length === 0;
    this.results.push({
      check,
      outcome: isRight ? 'passed' : 'failed',
      detail: `${subject}: ${problems.slice(0, 3).join('; ')}`,
    });
    return isRight;
  }

  /** Records that the service has no data for a check. */
  lack(check: CheckName, detail: string): void {
    this.results.push({
      check,
      outcome: 'no data',
      detail: `no data to check this with: ${detail}`,
    });
  }
}
