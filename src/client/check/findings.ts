/** A list with the problem if there is one. */
export const unless = (isRight: boolean, problem: string): string[] => (isRight ? [] : [problem]);

/** What the checks of one operation, of the lookups or of the links have found. */
export class Findings {
  /** How many checks were made. */
  checks = 0;
  /** How many of them failed. */
  failed = 0;
  /** Each problem, with the path and query of the request. */
  readonly problems: string[] = [];
  /** Why something could not be checked, such as a service without data. */
  readonly unchecked: string[] = [];

  /** @param title what is checked: the path of an operation */
  constructor(readonly title: string) {}

  /**
   * Adds a check of a request, which passes if there are no problems. Returns whether it passed.
   */
  add(request: string, problems: string[]): boolean {
    const isRight = problems.length === 0;
    this.checks += 1;
    if (!isRight) this.failed += 1;
    this.problems.push(...problems.map((each) => `${request}: ${each}`));
    return isRight;
  }
}
