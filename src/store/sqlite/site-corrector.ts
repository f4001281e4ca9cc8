import type { SiteId } from '../../requests/site-id.js';
import type { SiteIdentification } from '../../site-log/site-log.js';
import type { Correction, CorrectionOutcome, ReadAgain } from '../corrections.js';
import type { OfSite } from '../site-ids.js';
import type { Reads } from './connection.js';
import type { LogWriter } from './log-writer.js';
import type { RecordWriter } from './record-writer.js';
import type { SavedSetups } from './setup-writer.js';
import { resolveSite } from './site-ids.js';
import { idOf, type RecordedSite, type SiteWriter } from './site-writer.js';

/** The writers that a correction needs. */
interface Writers {
  sites: SiteWriter;
  logs: LogWriter;
  record: RecordWriter;
  /** The record time for a change of a Site. */
  recordTime: (site: number, now: Date) => string;
}

/** A correction is not possible. The message is a sentence. The caller must roll back. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** A correction of one Site, at one time. */
interface Occasion {
  site: RecordedSite;
  now: Date;
  recordedAt: string;
  readAgain: ReadAgain;
}

type Changed = Pick<SavedSetups, 'invalidated'> & { added: unknown[] };
const NOTHING: Changed = { added: [], invalidated: 0 };

/** Corrects what is on record about Sites, within the transaction of the caller. */
export class SiteCorrector {
  constructor(
    private readonly reads: Reads,
    private readonly writers: Writers,
  ) {}

  /** The number of the Site that a correction names. A retired Site can be corrected too, if no other Site has the id. */
  find(id: SiteId): OfSite<number> {
    const here = resolveSite(this.reads, id);
    return here.kind === 'retired-site' ? resolveSite(this.reads, id, () => true) : here;
  }

  /** Makes one correction. @param number of the Site. @throws {Refused} if it is not possible */
  correct(number: number, correction: Correction, now: Date, readAgain: ReadAgain): CorrectionOutcome {
    const { sites, logs, recordTime } = this.writers;
    const site = sites.find(number);
    const recordedAt = recordTime(site.id, now);
    const { added, invalidated } = this.make({ site, now, recordedAt, readAgain }, correction);
    const { name, datePrepared } = logs.findCurrent(site.id)!;
    const current = { name, datePrepared };
    const corrected = sites.find(site.id);
    const sharedWith = ['rename', 'unretire'].includes(correction.kind) ? this.sharing(corrected) : [];
    return { kind: 'corrected', site: idOf(corrected), sharedWith, current, added: added.length, invalidated };
  }

  /** The ids of the other Sites, except retired ones, that have the same four characters. */
  private sharing(site: RecordedSite): string[] {
    return this.writers.sites
      .findSharing(site.fourCharacterId)
      .filter(({ id, retiredAt }) => id !== site.id && retiredAt === null)
      .map(idOf);
  }

  private make(occasion: Occasion, correction: Correction): Changed {
    switch (correction.kind) {
      case 'withdraw':
        return this.withdraw(occasion, correction.log);
      case 'restore':
        return this.restore(occasion, correction.log);
      case 'retire':
        return this.retire(occasion);
      case 'unretire':
        return this.unretire(occasion);
      case 'rename':
        return this.rename(occasion, correction.to);
    }
  }

  private withdraw(occasion: Occasion, number: number): Changed {
    const { site, recordedAt } = occasion;
    const { logs } = this.writers;
    const log = this.logOf(site, number);
    if (log.withdrawnAt !== null) throw new Refused(`log ${number} of ${idOf(site)} was already withdrawn at ${log.withdrawnAt}`);
    logs.markWithdrawn(number, recordedAt);
    if (logs.findBest(site.id, occasion.now) === undefined) {
      throw new Refused(
        `log ${number} is the only log of ${idOf(site)} that is not withdrawn; import or restore the right one first, or retire the Site`,
      );
    }
    return this.followBestLog(occasion);
  }

  private restore(occasion: Occasion, number: number): Changed {
    const { site } = occasion;
    const log = this.logOf(site, number);
    if (log.withdrawnAt === null) throw new Refused(`log ${number} of ${idOf(site)} has not been withdrawn`);
    this.writers.logs.markWithdrawn(number, null);
    return this.followBestLog(occasion);
  }

  private retire({ site, recordedAt }: Occasion): Changed {
    const { sites, logs, record } = this.writers;
    if (site.retiredAt !== null) throw new Refused(`${idOf(site)} was already retired at ${site.retiredAt}`);
    sites.markRetired(site.id, recordedAt);
    return record.supersede({ site: site.id, recordedAt, log: logs.findCurrent(site.id)!.id });
  }

  private unretire(occasion: Occasion): Changed {
    const { site } = occasion;
    if (site.retiredAt === null) throw new Refused(`${idOf(site)} is not retired`);
    const changed = this.follow(occasion, this.writers.logs.findBest(site.id, occasion.now)!);
    this.writers.sites.markRetired(site.id, null);
    return changed;
  }

  private rename({ site, recordedAt }: Occasion, to: SiteId): Changed {
    const { sites } = this.writers;
    const id = idOf({ ...to });
    if (id === idOf(site)) throw new Refused(`${id} is already the id of the Site`);
    if (site.nineCharacterId !== null && to.nineCharacterId === null) {
      throw new Refused(`${idOf(site)} has nine characters; give nine for the new id too`);
    }
    const others = sites.findSharing(to.fourCharacterId).filter((each) => each.id !== site.id);
    const taken = others.find((each) => [each.nineCharacterId, to.nineCharacterId].includes(null) || each.nineCharacterId === id);
    if (taken !== undefined) throw new Refused(`${id} is taken: another Site has the id ${idOf(taken)}`);
    sites.rename(site, to, recordedAt);
    return NOTHING;
  }

  private logOf(site: RecordedSite, number: number) {
    const log = this.writers.logs.findById(site.id, number);
    if (log === undefined) throw new Refused(`${idOf(site)} has no log ${number}`);
    return log;
  }

  /** Makes the best log the current one, and the record what it says. */
  private followBestLog(occasion: Occasion): Changed {
    const { site, now, recordedAt } = occasion;
    const { logs } = this.writers;
    const best = logs.findBest(site.id, now)!;
    if (best.id === logs.findCurrent(site.id)?.id) return NOTHING;
    if (site.retiredAt === null) return this.follow(occasion, best);
    logs.makeCurrent(site.id, best.id, recordedAt);
    return NOTHING;
  }

  /** Makes a log the current one, and the record what it says. */
  private follow({ site, recordedAt, readAgain }: Occasion, log: { id: number; name: string }): Changed {
    const { sites, logs, record } = this.writers;
    let read;
    try {
      read = readAgain({ name: log.name, original: logs.originalOf(log.id) });
    } catch (error) {
      throw new Refused(`log ${log.id} (${log.name}) would become current, but cannot be read: ${(error as Error).message}`);
    }
    this.checkOwner(site, log, read.log.identification);
    logs.makeCurrent(site.id, log.id, recordedAt);
    sites.complete(site, read.log.identification);
    sites.save(site.id, read.log.identification);
    return record.save({ site: site.id, recordedAt, log: log.id }, read);
  }

  /** Earlier versions saved the logs of two Sites with the same four characters for one. @throws {Refused} if the log is of another Site */
  private checkOwner(site: RecordedSite, log: { id: number; name: string }, identification: SiteIdentification): void {
    const owner = this.writers.sites.findOfLog(identification);
    if (identification.nineCharacterId === null || (owner !== null && 'id' in owner && owner.id === site.id)) return;
    throw new Refused(
      `log ${log.id} (${log.name}) would become current, but is of ${identification.nineCharacterId}, not of ${idOf(site)}; withdraw it first`,
    );
  }
}
