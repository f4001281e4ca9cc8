/** How many revisions are remembered. */
const MOST = 500;
/** A revision is at least the time of its commit in microseconds. */
const PER_MILLISECOND = 1000;

/** The current time in milliseconds since 1970, by a clock that nobody sets. */
export const clock = (): number => performance.timeOrigin + performance.now();

/** Since when a server could have shown each revision. */
export class Revisions {
  private known: { revision: number; since: number }[] = [];
  /** The newest revision that was forgotten because there were too many. */
  private dropped = -Infinity;

  /** @param started when this process began to watch the servers */
  constructor(private readonly started = clock()) {}

  /** Notes a revision seen on a server, dated by its own time if that is before this process began, else now: clocks need not agree. */
  add(revision: number, now: number): void {
    if (revision <= (this.known.at(-1)?.revision ?? -Infinity)) return;
    const committed = revision / PER_MILLISECOND;
    this.known.push({ revision, since: committed < this.started ? committed : now });
    if (this.known.length > MOST) this.dropped = this.known.shift()!.revision;
  }

  /** Forgets the revisions after one: they were lost with a primary. */
  forget(after: number): void {
    this.known = this.known.filter(({ revision }) => revision <= after);
  }

  /** For how long a server that shows a revision has been behind, in milliseconds; 0 if no newer one is known. */
  lagOf(revision: number, now: number): number {
    const missed = this.known.find((each) => each.revision > revision);
    if (missed === undefined) return 0;
    // If the first one that it lacks was forgotten, it came after the one that it shows, and before those that are known.
    const since =
      revision < this.dropped ? Math.min(revision / PER_MILLISECOND, missed.since) : missed.since;
    return Math.max(0, now - since);
  }
}
