import type { SiteLogSections } from '../../schemas/index.js';
import type { FindingLevel, SiteLog } from '../site-log/site-log.js';

/** What the checks of one log need. */

/** A log as it was read. Contacts are withheld in both parts. */
export interface CheckedLog {
  sections: SiteLogSections;
  log: SiteLog;
}

/** Takes what a check found, by the code of the check. */
export type Report = (code: CheckCode, line: number, message: string, text?: string) => void;

/** The checks of one log, with the level of what they find. A code never changes its name or meaning: baselines name it. */
export const CHECKS = {
  // Form
  'missing-section': 'info',
  'section-out-of-order': 'warning',
  'item-out-of-order': 'info',
  'missing-label': 'info',
  'label-out-of-order': 'info',
  'misspelt-label': 'warning',
  'other-version-label': 'warning',
  'over-80-columns': 'info',
  'malformed-id': 'info',
  'malformed-domes': 'info',
  'out-of-range': 'warning',
  'date-in-future': 'warning',
  'schema-violation': 'warning',
  // History
  overlap: 'warning',
  'open-before-later': 'warning',
  'several-in-use': 'warning',
  'history-gap': 'info',
  'before-site': 'warning',
  'late-first-item': 'info',
  'equal-neighbours': 'info',
  'type-changed': 'info',
  // Names
  'malformed-type': 'warning',
  'radome-contradiction': 'warning',
  'radome-missing': 'warning',
  'unknown-type': 'warning',
  'deprecated-type': 'info',
  'unknown-radome': 'warning',
  'no-calibration': 'warning',
  'calibration-without-radome': 'info',
  'individual-calibration': 'info',
  // Position
  'zero-coordinates': 'warning',
  'height-mismatch': 'warning',
  'far-from-country': 'info',
  // Network
  'shared-four-characters': 'info',
  'shared-domes': 'warning',
  'shared-position': 'info',
  'serial-elsewhere': 'warning',
} as const satisfies Record<string, FindingLevel>;

/** The code of a check of one log. */
export type CheckCode = keyof typeof CHECKS;
