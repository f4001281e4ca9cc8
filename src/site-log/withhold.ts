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

/** A value without the parts that are in the personal data of its log. */
function withheldValue(value: Written, texts: PersonalTexts): Written {
  const written = texts.without(value.written);
  if (written === value.written) return value;
  return { ...value, written, value: typeof value.value === 'string' ? texts.without(value.value) : value.value } as Written;
}

/** A block without personal data. @param personal the names of its personal members */
function withheldBlock(block: Values, personal: ReadonlySet<string>, texts: PersonalTexts): Values {
  const copy = { ...block };
  for (const [name, value] of Object.entries(block)) {
    if (isWritten(value)) copy[name] = personal.has(name) ? { ...value, written: WITHHELD, value: null } : withheldValue(value, texts);
  }
  return copy;
}

/**
 * A log without its personal data. It shares all other values with the log.
 * @param texts the personal data to look for in all values
 */
export function withheldSections(log: SiteLogSections, texts = new PersonalTexts(personalDataOf(log))): SiteLogSections {
  const sections = Object.entries(log).map(([section, content]) => {
    if (typeof content === 'string') return [section, content];
    const personal = personalMembers(section);
    const withheld = (block: Values): Values => withheldBlock(block, personal, texts);
    return [section, Array.isArray(content) ? content.map(withheld) : withheld(content)];
  });
  return Object.fromEntries(sections) as SiteLogSections;
}

/** Whether something of the log was withheld. */
export const isWithheld = (log: SiteLogSections): boolean =>
  blocksOf(log).some(([block]) => Object.values(block).some((value) => isWritten(value) && value.written.includes(WITHHELD)));
