import type { SiteLogSections } from '../../schemas/index.js';
import type { Findings } from './site-log.js';
import { writeGeodesyml } from './write/write-geodesyml.js';
import { writeText } from './write/write-text.js';

const WRITERS = {
  text1: (log, findings) => writeText(log, '1', findings),
  text2: (log, findings) => writeText(log, '2.0', findings),
  geodesyml04: (log, findings) => writeGeodesyml(log, '0.4', findings),
  geodesyml05: (log, findings) => writeGeodesyml(log, '0.5', findings),
} as const satisfies Record<string, (log: SiteLogSections, findings: Findings) => string>;

/** The forms that are written. */
export type WrittenForm = keyof typeof WRITERS;
export const WRITTEN_FORMS = Object.keys(WRITERS) as WrittenForm[];

/** The ends of the names of files in each form. */
export const EXTENSIONS: Readonly<Record<WrittenForm, string>> = {
  text1: '.log',
  text2: '.log',
  geodesyml04: '.xml',
  geodesyml05: '.xml',
};

/** Writes a whole site log in another form. @param findings collects the values for which the form has no place */
export const writeSections = (log: SiteLogSections, form: WrittenForm, findings: Findings): string => WRITERS[form](log, findings);
