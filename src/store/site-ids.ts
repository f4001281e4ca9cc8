/** Why an id identifies no Site that is on record now. */
export type UnresolvedSite =
  | { kind: 'unknown-site' }
  /** Several Sites share the four characters; these are their nine-character ids. */
  | { kind: 'ambiguous-site'; candidates: string[] }
  /** The Site was retired at `since`, `YYYY-MM-DDThh:mm:ss.sssZ`. */
  | { kind: 'retired-site'; since: string }
  /** The Site has had the id `id` since it was renamed. */
  | { kind: 'renamed-site'; id: string };

/** What was found at the Site with an id, or why the id identifies none. */
export type OfSite<T> = { kind: 'found'; found: T } | UnresolvedSite;
