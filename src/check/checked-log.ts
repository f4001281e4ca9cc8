import type { SiteLogSections } from '../../schemas/index.js';
import type { SiteLog } from '../site-log/site-log.js';

/** A log as it was read. Contacts are withheld in both parts. */
export interface CheckedLog {
  sections: SiteLogSections;
  log: SiteLog;
}
