import { CORS_SITES, EQUIPMENT, type EquipmentType, type Instant, SETUPS, SiteIdParameter } from '../../../schemas/index.js';
import { href, itemPathOf, PATHS, searchPathOf } from '../../links.js';
import { parseInstant } from '../../requests/instant.js';
import { type PagedQuery, pageBody, toSearch } from '../paging.js';
import { query } from '../parameters.js';
import { findKnownSite } from '../known-site.js';
import type { Reading, Resource } from '../resources.js';
import { changeParameters, periodOf } from '../time-parameters.js';

/** A page of changes, of one Site or of all. */
async function changesBody(
  path: string,
  { reader, base, query: given }: Pick<Reading, 'reader' | 'base' | 'query'>,
  siteId: number | null,
  { from, to }: { from: Instant | null; to: Instant | null },
): Promise<object> {
  const paging = toSearch(EQUIPMENT, { page: given.page as number, size: given.size as number });
  const found = await reader.changes.findPage({
    ...paging,
    siteId,
    from,
    to,
    equipmentType: (given.equipmentType as EquipmentType | undefined) ?? null,
  });
  const elements = found.elements.map(({ siteId: site, fourCharacterId, ...change }) => ({
    ...change,
    siteId: site,
    fourCharacterId,
    _links: { corsSite: { href: href(base, itemPathOf(CORS_SITES), { id: site }) } },
  }));
  const { _links, page } = pageBody(base, EQUIPMENT, path, given as PagedQuery, paging, { ...found, elements });
  const { profile: _profile, search: _search, ...links } = _links;
  return { _embedded: { changes: elements }, _links: links, page };
}

/** What changed at a Site. */
export const findChangesByFourCharacterId: Resource = {
  path: searchPathOf(SETUPS, 'findChangesByFourCharacterId'),
  operationId: 'findChangesByFourCharacterId',
  tag: 'changes',
  summary: 'What changed at a Site, in order of time.',
  query: query({ id: SiteIdParameter, ...changeParameters }),
  response: 'ChangeCollection',
  problems: ['unknown-site'],
  example: { query: { id: 'ALIC', from: '2016-01-01', size: '2' } },
  read: async ({ reader, base, query: given }) => {
    const id = given.id as string;
    const period = periodOf(given, 'from', 'to', parseInstant);
    const site = await findKnownSite(reader, id);
    return changesBody(findChangesByFourCharacterId.path, { reader, base, query: given }, site.id, period);
  },
};

/** What changed at any Site. */
export const CHANGES: Resource = {
  path: PATHS.changes,
  operationId: 'listChanges',
  tag: 'changes',
  summary: 'What changed at all Sites, in order of time.',
  query: query(changeParameters),
  response: 'ChangeCollection',
  example: { query: { from: '2016-01-01', to: '2017-01-01', equipmentType: 'gnss receiver', size: '2' } },
  read: async (reading) => changesBody(PATHS.changes, reading, null, periodOf(reading.query, 'from', 'to', parseInstant)),
};
