/** The checks, each with what it means when it passes. */
export const CHECKS = {
  status: 'the documented status',
  'header fields': 'exactly the fixed header fields, and no others but those of the transport',
  'content length': 'Content-Length is the number of bytes in the body',
  'media type': 'Content-Type exactly as documented',
  body: 'valid against the published schema',
  'member order': 'members in the order of the schema',
  HEAD: 'the header fields of GET, without a body',
  OPTIONS: 'Allow lists GET, HEAD and OPTIONS',
  'wrong method': '405 with Allow and a problem document',
  accept: 'JSON and HAL clients all get the document in its media type',
  parameters: 'an unknown, repeated, missing or malformed parameter is a 400 that names it',
  'unknown id': '404, or an empty page for a list',
  element: 'an element on a page equals its own resource',
  pages: 'each element on exactly one page; the totals agree',
  'page links': 'the right links to the right pages, with filter, size, order and projection preserved',
  'page size': 'a size above the maximum means the maximum',
  filter: 'all elements with the value, and only those',
  sort: 'in order, ascending and descending, with unknown values last',
  projection: 'the member is present when requested, and only then',
  setup: 'a current Setup has no end; equipment sorted by kind; the periods agree',
  search: 'the right elements for the Site, the time and the values in the request',
  profile: 'ALPS describes the members; JSON Schema is the published schema',
  version: 'byte for byte the published contract',
  links: 'below the base URL, documented, and working',
} as const;

export type CheckName = keyof typeof CHECKS;

/** The outcome of one check in one place. */
export interface Result {
  check: CheckName;
  /** The request, or whatever else was checked. */
  subject: string;
  outcome: 'passed' | 'failed' | 'no data';
  /** What is wrong, or which data is missing. */
  detail: string;
}

/** How many problems of one check in one place are listed. */
const LISTED = 3;

/** The results for one operation, or for the links. */
export class Findings {
  readonly results: Result[] = [];
  /** Remarks on how it was checked. */
  readonly notes: string[] = [];

  /** @param title what was checked: the path of an operation */
  constructor(readonly title: string) {}

  /** Adds the result of a check, which passes if there are no problems. Returns whether it passed. */
  add(check: CheckName, subject: string, problems: string[]): boolean {
    const more = problems.length > LISTED ? [`and ${problems.length - LISTED} more`] : [];
    const detail = [...problems.slice(0, LISTED), ...more].join('; ');
    this.results.push({ check, subject, outcome: problems.length === 0 ? 'passed' : 'failed', detail });
    return problems.length === 0;
  }

  /** Records that the service has no data for a check. */
  lack(check: CheckName, subject: string, detail: string): void {
    this.results.push({ check, subject, outcome: 'no data', detail: `no data to check this with: ${detail}` });
  }

  /** The results by check, in the order of {@link CHECKS}. */
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

/** How many results have an outcome. */
export const countOf = (results: Result[], outcome: Result['outcome']): number =>
  results.filter((result) => result.outcome === outcome).length;
