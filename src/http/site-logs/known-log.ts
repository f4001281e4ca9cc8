import type { SiteLogRecord } from '../../store/read/logs/logs.js';
import type { Store } from '../../store/store.js';
import { ProblemError, siteProblem } from '../wire/problems.js';

/** The log with an id. @throws {ProblemError} if there is none */
export async function knownLog(store: Store, id: number): Promise<SiteLogRecord> {
  const log = await store.logs.findById(id);
  if (log === undefined)
    throw new ProblemError('not-found', `There is no siteLog with the id ${id}.`);
  if ('kind' in log) throw siteProblem(log, `The Site of the site log ${id}`, String);
  return log;
}
