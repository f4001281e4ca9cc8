import { SETUP_EQUIPMENT_TYPES } from '../../../schemas/index.js';
import type { DerivedChange } from '../../derive/changes.js';
import { differingChanges, feedContentOf, NOTHING, type SiteState } from '../feed.js';
import { checksumOfRow } from './checksums.js';
import type { Tables } from './tables.js';

/** What is on record about a Site, as far as the feed compares it. */
export function stateOf({ sites, setups, changes }: Tables, site: number): SiteState {
  const content = sites.contentOf(site);
  if (content === null) return { ...NOTHING, isKnown: sites.find(site) !== undefined };
  const periods = setups.periodsOf(site).map(({ id, effective_from: from, effective_to: to }) => ({ id, effectivePeriod: { from, to } }));
  return {
    isKnown: true,
    site: content,
    setups: periods.sort((a, b) => (a.effectivePeriod.from < b.effectivePeriod.from ? -1 : 1)),
    changes: changes.idsOf(site),
  };
}

/** The order of the changes of a Site. */
function inOrder(a: DerivedChange, b: DerivedChange): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return SETUP_EQUIPMENT_TYPES.indexOf(a.equipmentType) - SETUP_EQUIPMENT_TYPES.indexOf(b.equipmentType);
}

/** Adds to the feed what an event of the journal has changed; nothing if the record is the same as before. */
export function saveFeed(tables: Tables, event: number, site: number, before: SiteState): void {
  const after = stateOf(tables, site);
  const { added, superseded } = differingChanges(before, after);
  const changesOf = (ids: number[]): DerivedChange[] =>
    ids
      .sort((a, b) => a - b)
      .map((id) => JSON.parse(tables.changes.documentOf(id)) as DerivedChange)
      .sort(inOrder);
  const content = feedContentOf(before, after, { added: changesOf(added), superseded: changesOf(superseded) });
  if (content !== null) addEntry(tables, event, site, content);
}

/** Adds everything that is on record about a Site, as it was before there was a feed. */
export function saveFeedBaseline(tables: Tables, event: number, site: number): void {
  const content = feedContentOf(NOTHING, stateOf(tables, site), { added: [], superseded: [] });
  if (content !== null) addEntry(tables, event, site, { baseline: true, ...content });
}

function addEntry({ feed, logs }: Tables, event: number, site: number, content: object): void {
  const row = { id: event, site_id: site, site_log_id: logs.currentOf(site)!, document: JSON.stringify(content) };
  feed.add({ ...row, checksum: checksumOfRow('feed', row) });
}
