import type { CorsSite } from '../../schemas/index.js';
import { parseSiteId } from '../requests/site-id.js';
import type { StoreReader } from '../store/store.js';
import { ProblemError } from './problems.js';

/** That there is no such Site. */
export const unknownSite = (id: string): ProblemError =>
  new ProblemError('unknown-site', `There is no Site with the id ${id.toUpperCase()}.`);

/** The Site that an id names. @throws {ProblemError} where there is none */
export async function findKnownSite(reader: StoreReader, id: string): Promise<CorsSite> {
  const site = await reader.sites.findByReference(parseSiteId(id));
  if (site === undefined) throw unknownSite(id);
  return site;
}
