import type { SiteLogSections } from '../../../schemas/index.js';
import { invalidParameter } from '../../exports/refusals.js';
import { type Finding, Findings } from '../../findings/findings.js';
import { canWrite, writeSections, type WrittenForm } from '../../site-log/write.js';
import { withNineCharacters } from '../../site-log/write/identity.js';
import type { SiteLogRecord } from '../../store/read/logs/logs.js';
import type { Store } from '../../store/store.js';
import type { LeftOut } from '../../web/log-page.js';
import { ALL_FORMS, FORMS } from './forms.js';

/**
 * Writes published logs in the forms of site logs. The tables of forms take memory, so routes load
 * it with the first such request.
 */

/** What is published of a log, with the nine-character id of its Site if it has none. */
export async function sectionsOf(
  store: Store,
  { id, nineCharacterId }: SiteLogRecord,
  publishContacts: boolean,
): Promise<SiteLogSections> {
  const log = await store.publishedLogs.findSections(id, publishContacts);
  return nineCharacterId === null ? log : withNineCharacters(log, nineCharacterId.slice(4));
}

/** A log in the text form: version 2.0 if it has a nine-character id, otherwise 1. */
export const writeText = (sections: SiteLogSections): string =>
  writeSections(sections, canWrite(sections, 'text2') ? 'text2' : 'text1', new Findings(''));

/**
 * What each form in which a log can be written leaves out.
 * @param sections what is published of the log
 */
export function leftOutOf(sections: SiteLogSections): LeftOut {
  const findingsOf = (form: WrittenForm): Finding[] => {
    const findings = new Findings('');
    writeSections(sections, form, findings);
    return findings.list.filter(({ code }) => code === 'no-place');
  };
  return Object.fromEntries(
    ALL_FORMS.filter((form) => canWrite(sections, form)).map((form) => [form, findingsOf(form)]),
  );
}

/**
 * A log in a form.
 * @param sections what is published of the log
 * @param isExact whether the request chooses the version
 * @throws {RequestRefused} if the log cannot be written in it
 */
export function writePublished(
  sections: SiteLogSections,
  requested: WrittenForm,
  isExact: boolean,
): string {
  const form = canWrite(sections, requested) ? requested : 'text1';
  if (form !== requested && isExact) {
    throw invalidParameter({
      name: 'version',
      value: FORMS.text2.version,
      reason: 'needs a nine-character id, which this site log does not have',
      allowed: `${FORMS.text1.version}.`,
    });
  }
  return writeSections(sections, form, new Findings(''));
}
