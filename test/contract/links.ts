import { isObject, type Json, memberOf } from './published-contract.js';

/** A link as it was in an answer. */
export interface FoundLink {
  href: string;
  templated: boolean;
  /** The request whose answer had it first. */
  foundAt: string;
  /** The paths of the operations whose answers had it. */
  from: Set<string>;
}

/** A URI Template (RFC 6570) expanded with no variables. */
export const expand = (template: string): string => template.replace(/\{[^}]*\}/g, '');

/** The names of the variables of a URI Template that stand in its query. */
export const queryVariablesOf = (template: string): string[] =>
  [...template.matchAll(/\{[?&]([^}]*)\}/g)].flatMap(([, names]) => names!.replaceAll('*', '').split(','));

/** Every link that was in an answer, each once. */
export class Links {
  private readonly known = new Map<string, FoundLink>();

  /**
   * Adds the links of a body, wherever in it they are.
   * @param foundAt the request whose answer it is
   * @param from the path of its operation
   */
  collect(body: Json, foundAt: string, from: string): void {
    if (Array.isArray(body)) {
      for (const each of body) this.collect(each, foundAt, from);
    } else if (isObject(body)) {
      const { href } = body;
      if (typeof href === 'string') {
        const link = this.known.get(href) ?? { href, templated: memberOf(body, 'templated') === true, foundAt, from: new Set() };
        link.from.add(from);
        this.known.set(href, link);
      }
      for (const each of Object.values(body)) this.collect(each, foundAt, from);
    }
  }

  /** All of them, those first that were found first; those found meanwhile come too. */
  all(): IterableIterator<FoundLink> {
    return this.known.values();
  }
}
