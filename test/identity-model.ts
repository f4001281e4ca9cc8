/**
 * Who a Site is, as the description of the domain says it, and what the guide says about
 * corrections: a model to compare the service with. It is not made from its code.
 */

/** An id: four characters, and nine if they are known. */
interface ModelId {
  four: string;
  nine: string | null;
  /** An operator gave the nine characters; otherwise a log did. */
  byOperator: boolean;
}

interface ModelLog {
  /** In the order of imports. */
  number: number;
  given: string;
  prepared: string;
  serial: string;
  isInForce: boolean;
}

interface ModelSite {
  present: ModelId;
  former: ModelId[];
  logs: ModelLog[];
  isRetired: boolean;
}

/** What an operator does, at a Site that was found. */
export type ModelCorrection =
  | { kind: 'withdraw' | 'restore'; log: number }
  | { kind: 'retire' | 'unretire' }
  | { kind: 'rename'; to: string };

const fourOf = (id: string): string => id.slice(0, 4);
const nameOfSite = ({ present }: ModelSite): string => present.nine ?? present.four;

export class IdentityModel {
  private readonly sites: ModelSite[] = [];

  /** @param lastLog the number of the last log on record */
  constructor(public lastLog: number) {}

  /**
   * Imports a log.
   * @returns the ids of the Sites that it may be of, if there are several: it is rejected then
   */
  importLog(given: string, prepared: string, serial: string): string[] | null {
    const owners = this.meant(given);
    if (owners.length > 1) return owners.map(nameOfSite).sort();
    const site = owners[0] ?? this.addSite(given);
    this.lastLog++;
    site.logs.push({ number: this.lastLog, given, prepared, serial, isInForce: true });
    this.followLogs(site);
    return null;
  }

  /** What a lookup of the current Setup says about an id. */
  lookup(id: string): string {
    const { answer, site } = this.find(id, false);
    if (site === undefined) return answer;
    const inForce = site.logs.filter((log) => log.isInForce);
    // The later Date Prepared wins; on the same day, the later import.
    inForce.sort((a, b) => a.prepared.localeCompare(b.prepared) || a.number - b.number);
    const best = inForce.at(-1);
    return best === undefined ? 'no-current-setup' : `found ${best.serial}`;
  }

  /** What a correction says about an id that names no Site; null if it names one. */
  whyNot(id: string): string | null {
    const { answer, site } = this.find(id, true);
    return site === undefined ? answer : null;
  }

  /** A correction of the Site with an id, which the service has made. */
  correct(id: string, correction: ModelCorrection): void {
    const site = this.find(id, true).site!;
    switch (correction.kind) {
      case 'withdraw':
      case 'restore':
        site.logs.find(({ number }) => number === correction.log)!.isInForce =
          correction.kind === 'restore';
        return this.followLogs(site);
      case 'retire':
        site.isRetired = true;
        return;
      case 'unretire':
        site.isRetired = false;
        return;
      case 'rename':
        return this.rename(site, correction.to);
    }
  }

  private addSite(given: string): ModelSite {
    const present = { four: fourOf(given), nine: null, byOperator: false };
    const site: ModelSite = { present, former: [], logs: [], isRetired: false };
    this.sites.push(site);
    return site;
  }

  /** The Sites that have or had four characters. */
  private knownAs(four: string): ModelSite[] {
    return this.sites.filter(({ present, former }) =>
      [present, ...former].some((each) => each.four === four),
    );
  }

  /** The Sites that an id can mean. */
  private meant(id: string): ModelSite[] {
    const sharing = this.knownAs(fourOf(id));
    if (id.length === 4) return sharing;
    const having = sharing.filter(({ present }) => present.nine === id);
    if (having.length > 0) return having;
    const hadThese = sharing.filter(({ former }) => former.some(({ nine }) => nine === id));
    if (hadThese.length > 0) return hadThese;
    const byFour = sharing.filter(
      ({ present }) => present.four === fourOf(id) && present.nine === null,
    );
    if (byFour.length > 0) return byFour;
    // A renamed Site still takes one station, unless nine characters have told which one it is.
    return sharing.filter(
      ({ present, former }) =>
        present.four !== fourOf(id) &&
        (present.nine === null || present.byOperator) &&
        former.every((each) => each.nine === null),
    );
  }

  /** The Site that an id names, or why there is none. */
  private find(id: string, alsoRetired: boolean): { answer: string; site?: ModelSite } {
    const meant = this.meant(id);
    const active = meant.filter(({ isRetired }) => !isRetired);
    const counting = active.length > 0 ? active : meant;
    const [site] = counting;
    if (site === undefined) return { answer: 'no Site' };
    const isRetired = active.length === 0;
    if (counting.length > 1) {
      if (isRetired && !alsoRetired) return { answer: 'retired' };
      return { answer: `ambiguous ${counting.map(nameOfSite).sort().join(' ')}` };
    }
    const { four, nine } = site.present;
    const isPresent = four === fourOf(id) && (id.length === 4 || nine === null || nine === id);
    if (!isPresent) return { answer: `renamed ${nameOfSite(site)}` };
    if (isRetired && !alsoRetired) return { answer: 'retired' };
    return { answer: 'found', site };
  }

  /** Nine characters are those that a log in force gives, or an operator gave. */
  private followLogs(site: ModelSite): void {
    const given = site.logs.filter(({ isInForce }) => isInForce).map((log) => log.given);
    const nines = given.filter(({ length }) => length === 9);
    const isShared = this.knownAs(site.present.four).length > 1;
    for (const id of [site.present, ...site.former]) {
      if (id.byOperator || (id.nine !== null && nines.includes(id.nine))) continue;
      const nine = nines.find((each) => fourOf(each) === id.four) ?? null;
      // Without nine characters, a Site that shares its four would have no id of its own.
      if (nine === null && id === site.present && isShared) continue;
      id.nine = nine;
    }
  }

  private rename(site: ModelSite, to: string): void {
    const known = site.former.find(({ four, nine }) => four === to && nine !== null);
    const nine = to.length === 9 ? to : null;
    const next = known ?? { four: fourOf(to), nine, byOperator: nine !== null };
    const nextNames = [next.four, next.nine];
    site.former = site.former.filter((each) => !nextNames.includes(each.nine ?? each.four));
    // Nine characters that complete the four are not another id.
    if (nameOfSite(site) !== next.four) site.former.push(site.present);
    site.present = next;
  }
}
