/** How many revisions are remembered. */
const MOST = 600;

/** When this process first knew of each revision. */
export class Revisions {
  private readonly known: { revision: number; at: number }[] = [];

  /** Notes a revision that a server has shown. @param now in milliseconds */
  add(revision: number, now: number): void {
    if (revision <= (this.known.at(-1)?.revision ?? -Infinity)) return;
    this.known.push({ revision, at: now });
    if (this.known.length <= MOST) return;
    // Every other one of the older half goes, so that a server which is far behind is still compared with something old.
    for (let index = MOST / 2 - 1; index > 0; index -= 2) this.known.splice(index, 1);
  }

  /** How long a server that shows a revision has been behind, in milliseconds; 0 if no newer one is known. */
  lagOf(revision: number, now: number): number {
    const missed = this.known.find((each) => each.revision > revision);
    return missed === undefined ? 0 : now - missed.at;
  }
}
