import { deriveFeedContent, NOTHING_ON_RECORD, type SiteState } from '../../derive/feed.js';
import type { SetupEquipmentType } from '../../../schemas/index.js';
import type { SiteId } from '../../requests/site-id.js';
import type { Correction } from './corrections.js';
import { currentLog, logsOf } from './logs.js';
import { validRows } from './loaded-rows.js';
import type { SiteRecord } from './sites.js';
import type { UnitOfWork } from './unit-of-work.js';

/** What is on record about a Site now. */
export function siteState(unit: UnitOfWork, site: SiteRecord): SiteState {
  if (site.retired_at !== null) return { ...NOTHING_ON_RECORD, isKnown: true };
  const { last_event: _, ...content } = site;
  const setups = validRows(unit.setups, site.id);
  const changes = validRows(unit.changes, site.id);
  return {
    isKnown: true,
    site: JSON.stringify(content),
    setups: setups.map(({ id, effective_from: from, effective_to: to, equipment_in_use }) => ({
      id,
      effectivePeriod: { from, to },
      equipment: equipment_in_use,
    })),
    changes: changes.map(({ id, at, equipment_type, document }) => ({
      id,
      at,
      equipmentType: equipment_type as SetupEquipmentType,
      document,
    })),
  };
}

/** What was corrected, as an event has it. */
type RecordedCorrection =
  Exclude<Correction, { kind: 'rename' }> | { kind: 'rename'; from: SiteId; to: SiteId };

/**
 * Adds an event that has just happened at a Site.
 * @param at the record time
 * @param before the previous state of the Site
 */
export function addEvent(
  unit: UnitOfWork,
  site: SiteRecord,
  at: Date,
  what: 'import' | RecordedCorrection,
  before: SiteState,
): void {
  const content = deriveFeedContent(before, siteState(unit, site));
  const event = unit.events.add({
    kind: what === 'import' ? what : what.kind,
    at: at.toISOString(),
    site_id: site.id,
    site_log_id: currentLog(logsOf(unit, site.id))!.id,
    correction: what === 'import' ? null : JSON.stringify(what),
    document: content === null ? null : JSON.stringify(content),
  });
  unit.sites.change(site, { last_event: event.id });
}
