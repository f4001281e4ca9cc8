import type { Change, Instant, SatelliteSystem } from '../../../schemas/index.js';
import type { LinkedId } from '../../requests/site-id.js';
import type { ChangeGroup } from '../../store/read/change-groups.js';
import type { DeviceCounts } from '../../store/read/devices/devices.js';
import type { CodeCount, WorstSites } from '../../store/read/findings.js';
import type { AgencyCount, DayPrepared } from '../../store/read/network.js';
import type { NetworkMap } from '../map/network-map.js';

/** What the overview shows. */
export interface OverviewView {
  /** The day, `YYYY-MM-DD`; now is its first instant, so that lists can be asked for the same. */
  today: string;
  /** How many Sites are on record. */
  sites: number;
  /** How many receivers there are. */
  receivers: DeviceCounts;
  antennas: DeviceCounts;
  systems: SystemFigures;
  /** How many changes there were since a day, `YYYY-MM-DD`, until the end of another. */
  recent: { from: string; to: string; changes: number };
  /** The changes of the last years. */
  changes: ChangesOfYear[];
  /** When the current logs were prepared, the oldest first. */
  prepared: DayPrepared[];
  /** When an import or a correction last changed what is on record; null if none did. */
  recorded: Instant | null;
  /** The findings in the current logs, the most frequent of each level first. */
  findings: CodeCount[];
  /** The Sites with the most warnings. */
  warned: WorstSites;
  /** How many Sites each agency answers for, the most first. Null is for logs that name none. */
  agencies: AgencyCount[];
  /** The latest first. */
  latest: ChangeGroup[];
  /** How links name the Sites of these changes. */
  linkedId: LinkedId;
  /** Null if no Site has a position. */
  map: NetworkMap | null;
}

/** The relative path from the page to the root of the service. */
export const ROOT = '.';

/**
 * What the best receiver in use at a Site tracks: classes that exclude each other, from the least
 * to the most.
 */
export const SYSTEM_CLASSES = [
  'not known',
  'GPS only',
  'GPS and GLONASS',
  'Galileo or BeiDou',
  'Galileo and BeiDou',
] as const;

/** How many Sites track which satellite systems. Only Sites with a receiver in use count. */
export interface SystemFigures {
  /** The years at whose beginnings Sites were counted; they were counted today, too. */
  years: number[];
  /** For each year, and for today, the Sites of each class. */
  counts: number[][];
  /** How many Sites track each system today. */
  bySystem: { system: SatelliteSystem; sites: number }[];
}

/** How many changes of each kind a year has. */
export interface ChangesOfYear {
  year: number;
  counts: Partial<Record<Change['kind'], number>>;
}
