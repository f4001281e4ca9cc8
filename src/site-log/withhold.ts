import type { SiteLogSections, Written } from '../../schemas/index.js';
import { PARTY_ROWS } from './sections/parties.js';
import { type Row, SECTIONS } from './sections/index.js';
import { type PersonalData, PersonalTexts } from './personal-texts.js';
import { WITHHELD } from './written-values.js';

/**
 * Withholds personal data: who prepared the log, the contacts, their telephone numbers and email addresses. Organisations stay. If
 * another text of the log repeats such a value, it is withheld there too, as is any email address.
 */

type Values = Record<string, unknown>;

const isWritten = (value: unknown): value is Written => typeof value === 'object' && value !== null && 'written' in value;

/** Which members of a part of the log are personal. */
function personalMembers(section: string): ReadonlySet<string> {
  const rows: Readonly<Record<string, Row>> =
    section === 'responsibleParties' ? PARTY_ROWS : SECTIONS[section as keyof typeof SECTIONS].rows;
  return new Set(Object.keys(rows).filter((name) => rows[name]!.personal === true));
}

/** The blocks of a log with the names of their personal members. */
const blocksOf = (log: SiteLogSections): [Values, ReadonlySet<string>][] =>
  Object.entries(log).flatMap(([section, content]) =>
    typeof content === 'string' ? [] : [content].flat().map((block): [Values, ReadonlySet<string>] => [block, personalMembers(section)]),
  );

const writtenOf = (...values: (Written | null)[]): string[] => values.flatMap((value) => (value === null ? [] : [value.written]));

/** The personal data of a log, and what it publishes of organisations and places. */
export function personalDataOf(log: SiteLogSections): PersonalData {
  const { responsibleParties: parties, siteIdentification: site, siteLocation: place } = log;
  return {
    personal: blocksOf(log).flatMap(([block, personal]) => writtenOf(...[...personal].map((name) => block[name] as Written | null))),
    organisations: parties.flatMap(({ organisation, abbreviation }) => writtenOf(organisation, abbreviation)),
    addresses: parties.flatMap((party) => writtenOf(party.address, party.city, party.administrativeArea, party.postalCode, party.country)),
    places: writtenOf(site.siteName, place.city, place.state, place.country, place.countryName),
  };
}

/** Replaces the parts of a value that are in the personal data of its log. */
function withholdIn(value: Written, texts: PersonalTexts): void {
  const written = texts.without(value.written);
  if (written === value.written) return;
  value.written = written;
  if (typeof value.value === 'string') value.value = texts.without(value.value);
}

/** A log without its personal data. @param texts the personal data to look for in all values */
export function withheldSections(log: SiteLogSections, texts = new PersonalTexts(personalDataOf(log))): SiteLogSections {
  const copy = structuredClone(log);
  for (const [block, personal] of blocksOf(copy)) {
    for (const [name, value] of Object.entries(block)) {
      if (!isWritten(value)) continue;
      if (personal.has(name)) Object.assign(value, { written: WITHHELD, value: null });
      else withholdIn(value, texts);
    }
  }
  return copy;
}

/** Whether something of the log was withheld. */
export const isWithheld = (log: SiteLogSections): boolean =>
  blocksOf(log).some(([block]) => Object.values(block).some((value) => isWritten(value) && value.written.includes(WITHHELD)));
