import type { Findings } from '../findings/findings.js';
import type { SiteLog } from '../site-log/site-log.js';
import { deriveChanges, type DerivedChange } from './changes.js';
import { deriveDevices, type DerivedDevice } from './devices.js';
import { mergeGaps, predecessorsIn } from './gaps.js';
import { LONGEST_GAP } from './visits.js';
import { deriveInstruments, reportLeadingZeros } from './log-devices.js';
import { type DerivedSetup, deriveSetups } from './setups.js';
import { type DerivedSummary, deriveSummary } from './summary.js';

/** Everything that follows from a site log. */
export interface DerivedRecord {
  setups: DerivedSetup[];
  changes: DerivedChange[];
  /** The devices of the Setups. */
  devices: DerivedDevice[];
  /** The instruments, which are in no Setup. */
  instruments: DerivedDevice[];
  summary: DerivedSummary;
}

/**
 * Derives everything that follows from a site log. Pure.
 * @throws {SiteLogRejected} as `deriveSetups` does
 */
export function deriveRecord(
  { identification, items, instruments }: SiteLog,
  findings: Findings,
): DerivedRecord {
  const setups = deriveSetups(items, findings);
  const changes = deriveChanges(setups);
  reportLeadingZeros([...items, ...instruments], findings);
  return {
    setups,
    changes,
    devices: deriveDevices(setups, () => predecessorsIn(mergeGaps(changes, LONGEST_GAP))),
    instruments: deriveInstruments(instruments, findings),
    summary: deriveSummary(identification, setups),
  };
}
