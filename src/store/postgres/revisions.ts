/** How many revisions are remembered before they are thinned out. */
const MOST = 2000;
/** A lag is at most so much of itself too long. */
const PRECISION = 1 / 32;
/** A revision is at least the time of its commit in microseconds. */
const PER_MILLISECOND = 1000;

/** Revisions that were known one after the other, in milliseconds. */
interface Span {
  /** The newest of them. */
  revision: number;
  /** When the oldest of them was known. */
  since: number;
  /** When the newest of them was known. */
  until: number;
}

/** Since when a server could have shown each revision. */
export class Revisions {
  private known: Span[] = [];

  /** @param started when this process began to watch the servers, on the clock of `Date.now()` */
  constructor(private readonly started = Date.now()) {}

  /** How many spans are remembered. */
  get size(): number {
    return this.known.length;
  }

  /**
   * Notes a revision that a server shows. If it is from before this process, its own time counts; otherwise the time when it
   * is first seen, which needs no clocks to agree.
   * @param now on the clock of `performance.now()`
   * @param date on the clock of `Date.now()`
   */
  add(revision: number, now: number, date: number): void {
    if (revision <= (this.known.at(-1)?.revision ?? -Infinity)) return;
    const committed = revision / PER_MILLISECOND;
    const since = committed < this.started ? now - (date - committed) : now;
    this.known.push({ revision, since, until: since });
    if (this.known.length > MOST) this.thinOut(now);
  }

  /** Forgets the revisions after one: they were lost with a primary. */
  forget(after: number): void {
    this.known = this.known.filter(({ revision }) => revision <= after);
  }

  /** For how long a server that shows a revision has been behind, in milliseconds; 0 if no newer one is known. */
  lagOf(revision: number, now: number): number {
    if (revision >= (this.known.at(-1)?.revision ?? -Infinity)) return 0;
    const missed = this.known.find((each) => each.revision > revision)!;
    return Math.max(0, now - missed.since);
  }

  /** Joins what is close together for its age: about a thousand entries stay, for years of commits. */
  private thinOut(now: number): void {
    const kept: Span[] = [];
    for (const each of this.known) {
      const last = kept.at(-1);
      if (last !== undefined && each.until - last.since <= (now - last.since) * PRECISION)
        Object.assign(last, { ...each, since: last.since });
      else kept.push(each);
    }
    this.known = kept;
  }
}
