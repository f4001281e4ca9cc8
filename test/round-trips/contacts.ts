import type { SiteLogSections, Written } from '../../schemas/index.js';
import { Findings } from '../../src/findings/findings.js';
import { withheldSections } from '../../src/site-log/contacts/withhold.js';
import { canWrite, writeSections, WRITTEN_FORMS } from '../../src/site-log/write.js';
import { withAssumed } from './round-trip.js';

/** Finds personal data in what is published of a site log. */

const folded = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();

/**
 * The personal values of a log that say something, in lower case. A part of the name or address of
 * an organisation is none: these are published whole.
 */
export function personalValues({ formInformation, responsibleParties }: SiteLogSections): string[] {
  const organisations = responsibleParties.flatMap(({ organisation, address }) =>
    [organisation, address].map((value) => folded(value?.written ?? '')),
  );
  const values: (Written | null)[] = [
    formInformation.preparedBy,
    ...responsibleParties.flatMap(({ individualName, telephone, secondTelephone, fax, email }) => [
      individualName,
      telephone,
      secondTelephone,
      fax,
      email,
    ]),
  ];
  return values
    .flatMap((value) => (value === null || value.value === null ? [] : [folded(value.written)]))
    .filter((text) => text.length > 3 && !organisations.some((each) => each.includes(text)));
}

/**
 * The names of web sites. If the contact of an organisation is a single word, such as its own name,
 * the name of its web site contains it too.
 */
export const HOST = /\bwww\.[\w.-]+/g;

/** The personal values that a log still has in any form when its contacts are withheld. */
export function leaksOf(log: SiteLogSections): string[] {
  const withheld = withAssumed(withheldSections(log));
  const personal = personalValues(log);
  const forms = WRITTEN_FORMS.filter((form) => canWrite(withheld, form));
  const texts = [
    ...forms.map((form) => writeSections(withheld, form, new Findings(''))),
    JSON.stringify(withheld),
  ];
  return texts.flatMap((text) => {
    // A value of several lines has a colon before each in the text form.
    const published = folded(text.replace(/\\n|\n\s*:?/g, ' ')).replaceAll(HOST, '');
    return personal.filter((value) => published.includes(value));
  });
}
