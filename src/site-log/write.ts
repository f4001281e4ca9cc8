import type { SiteLogSections } from '../../schemas/index.js';
import { kindOf } from './values/kinds.js';
import { POSITION } from './values/position.js';
import { SECTIONS } from './sections/index.js';
import { type Findings, reject } from '../findings/findings.js';
import { idsOf } from './write/identity.js';
import { writeGeodesyml } from './write/write-geodesyml.js';
import { writeText } from './write/write-text.js';

const WRITERS = {
  text1: (log, findings) => writeText(log, '1', findings),
  text2: (log, findings) => writeText(log, '2.0', findings),
  geodesyml04: (log, findings) => writeGeodesyml(log, '0.4', findings),
  geodesyml05: (log, findings) => writeGeodesyml(log, '0.5', findings),
  geodesyml06: (log, findings) => writeGeodesyml(log, '0.6', findings),
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
  geodesyml06: '.xml',
};

/** Whether a log can be written in a form: version 2.0 of the text form needs nine characters. */
export const canWrite = (log: SiteLogSections, form: WrittenForm): boolean =>
  form !== 'text2' || idsOf(log).nine !== null;

type WrittenNumber = NonNullable<SiteLogSections['siteLocation']['x']>;

/**
 * The number that is written, which may not be what was read, because the log contradicts itself.
 */
const literalOf = (name: (typeof POSITION)[number], { written }: WrittenNumber): unknown =>
  kindOf(SECTIONS.siteLocation.rows[name]!).read(written).value;

/** A place whose position is written as it was read; a position of which all is 0 is unknown. */
function asRead(place: SiteLogSections['siteLocation']): SiteLogSections['siteLocation'] {
  const read = { ...place };
  for (const names of [POSITION.slice(0, 3), POSITION.slice(3)]) {
    const isUnknown = names.every(
      (name) =>
        place[name] !== null && place[name].value === null && literalOf(name, place[name]) === 0,
    );
    for (const name of names) {
      const value = place[name];
      if (isUnknown) read[name] = null;
      else if (value !== null && value.value !== null && literalOf(name, value) !== value.value)
        read[name] = { ...value, written: String(value.value) };
    }
  }
  return read;
}

/**
 * Writes a whole site log in another form.
 * @param findings collects the values for which the form has no place
 * @throws {SiteLogRejected} if the form needs an id that the log does not have
 */
export function writeSections(log: SiteLogSections, form: WrittenForm, findings: Findings): string {
  if (!canWrite(log, form)) {
    const id = log.siteIdentification.fourCharacterId;
    reject(findings, 'no-nine-characters', { line: id?.line ?? 1 }, { text: id?.written ?? '' });
  }
  return WRITERS[form]({ ...log, siteLocation: asRead(log.siteLocation) }, findings);
}
