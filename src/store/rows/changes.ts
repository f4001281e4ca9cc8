import type { DerivedChange } from '../../derive/changes.js';
import { mergedChange, type MergedChange } from '../../derive/gaps.js';
import type { SiteChange } from '../changes.js';

/** A row of `change`: the change as JSON. The other columns repeat what searches need. */
export interface ChangeRow {
  document: string;
}

/** A change. */
export const toChange = ({ document }: ChangeRow): DerivedChange => JSON.parse(document) as DerivedChange;

/** A row of `change` with its Site. */
export interface SiteChangeRow extends ChangeRow {
  /** The installation that ends the gap after this removal, if the two are one change; otherwise null. */
  ending: string | null;
  site_id: number;
  four_character_id: string;
  nine_character_id: string | null;
}

function toMergedChange({ document, ending }: SiteChangeRow): MergedChange {
  const change = toChange({ document });
  return ending === null ? { ...change, gap: null } : mergedChange({ removed: change, installed: toChange({ document: ending }) });
}

/** A change with its Site. */
export const toSiteChange = (row: SiteChangeRow): SiteChange => ({
  ...toMergedChange(row),
  siteId: row.site_id,
  fourCharacterId: row.four_character_id,
  nineCharacterId: row.nine_character_id,
});
