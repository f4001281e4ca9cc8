import type { CheckName } from './findings.js';
import { type Json, memberOf } from './json.js';
import { elementsOf, type Pairs, type Probe, type RequestValues } from './probe.js';

/** The number of elements on a page of samples. */
export const SAMPLE_SIZE = 50;

export const totalOf = (body: Json | undefined): number => Number(memberOf(body, 'page.totalElements'));
export const pagesOf = (body: Json | undefined): number => Number(memberOf(body, 'page.totalPages'));

/** A page, with its elements. */
export interface ReadPage {
  url: string;
  body: Json;
  elements: Json[];
}

/** Reads pages of one operation, with the parameters that it requires. */
export class PageReader {
  constructor(
    readonly probe: Probe,
    private readonly values: RequestValues,
  ) {}

  /** Reads a page, given further parameters; undefined if the status is not 200, which is then a failure of the check. */
  read(further: Pairs, check: CheckName): Promise<ReadPage | undefined> {
    return this.readUrl(this.probe.url(this.values, further), check);
  }

  async readUrl(url: string, check: CheckName): Promise<ReadPage | undefined> {
    const { body } = await this.probe.get(url, { check });
    return body === undefined ? undefined : { url, body, elements: elementsOf(this.probe.operation, body) };
  }

  /** Reads the page that a link leads to; undefined also if there is no such link below the base URL. */
  async follow({ body }: ReadPage, relation: string, check: CheckName): Promise<ReadPage | undefined> {
    const url = this.linkOf(body, relation);
    return url === undefined ? undefined : this.readUrl(url, check);
  }

  /** The URL of a link below the base URL. */
  linkOf(body: Json, relation: string): string | undefined {
    const href = memberOf(body, `_links.${relation}.href`);
    return typeof href === 'string' && URL.canParse(href) && href.startsWith(`${this.probe.run.base}/`) ? href : undefined;
  }

  /** Adds the result of a check of a page. */
  add(check: CheckName, { url }: ReadPage, problems: string[]): void {
    this.probe.findings.add(check, this.probe.subjectOf({ method: 'GET', url }), problems);
  }
}
