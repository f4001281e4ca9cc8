import { isObject, type Json, memberOf } from './json.js';

/** A link found in a response. */
export interface FoundLink {
  href: string;
  templated: boolean;
  /** The request whose response had it first. */
  foundAt: string;
  /** The paths of the operations whose responses had it. */
  from: Set<string>;
}

/** A URI Template (RFC 6570) expanded with no variables. */
export const expand = (template: string): string => template.replace(/\{[^}]*\}/g, '');

/** The names of the query variables of a URI Template. */
export const queryVariablesOf = (template: string): string[] =>
  [...template.matchAll(/\{[?&]([^}]*)\}/g)].flatMap(([, names]) => names!.replaceAll('*', '').split(','));

/** Every link found in a response, each once. */
export class Links {
  private readonly found = new Map<string, FoundLink>();

  /**
   * Adds the links of a body, at any depth.
   * @param foundAt the request
   * @param from the path of its operation
   */
  collect(body: Json, foundAt: string, from: string): void {
    if (Array.isArray(body)) {
      for (const each of body) this.collect(each, foundAt, from);
    } else if (isObject(body)) {
      const { href } = body;
      if (typeof href === 'string') {
        const link = this.found.get(href) ?? { href, templated: memberOf(body, 'templated') === true, foundAt, from: new Set() };
        link.from.add(from);
        this.found.set(href, link);
      }
      for (const each of Object.values(body)) this.collect(each, foundAt, from);
    }
  }

  /** All links in the order found, including those added during the iteration. */
  all(): IterableIterator<FoundLink> {
    return this.found.values();
  }
}
