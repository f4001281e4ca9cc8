import { PARTY_ROLES } from '../../schemas/index.js';
import { BlockSplitter } from './ascii-blocks.js';
import type { KnownPersons } from './known-persons.js';
import type { PersonalData, PersonalTexts } from './personal-texts.js';
import { AGENCIES } from './sections/parties.js';
import { type Row, SECTIONS } from './sections/index.js';
import { type Finding, Findings, type SiteIdentification, type SiteLog } from './site-log.js';
import { textPassages } from './text-passages.js';
import { decodeReferences } from './values.js';
import { onOneLine } from './write/loss.js';
import { readWritten, WITHHELD } from './written-values.js';
import { descendants, type Element } from './xml.js';
import { ADDRESSES, ORGANISATIONS, PERSONAL } from './xml-passages.js';

/**
 * Withholds personal data in what an import stores of a log: remarks and other texts that repeat a contact of the log, and email
 * addresses. Logs without such texts are stored unchanged.
 */

/** The personal data of a log, without the places, which its readers read. */
export type Collected = Pick<PersonalData, 'personal' | 'organisations' | 'addresses'>;

/** The rows of the text form that are read, and what they are. */
const ROWS: Partial<Record<string, Readonly<Record<string, Row>>>> = {
  formInformation: { preparedBy: SECTIONS.formInformation.rows.preparedBy! },
  ...Object.fromEntries(Object.entries(AGENCIES).map(([name, { rows }]) => [name, rows])),
};
const WANTED = new Map(
  Object.entries(ROWS).map(([name, rows]) => [name, new Set(Object.keys(rows!).filter((member) => member !== 'notes'))]),
);

/** The personal data of a log in the text form, including that of repeated sections, and of labels outside their section. */
export function personalDataOfText(text: string): Collected {
  const data: Collected = { personal: [], organisations: [], addresses: [] };
  const splitter = new BlockSplitter(
    // An import reports nothing about these sections.
    new Findings(''),
    (name) => WANTED.get(name) ?? null,
    ({ name }, block) => {
      for (const [member, row] of Object.entries(ROWS[name]!)) {
        const written = readWritten(block, member, row)?.written;
        if (written === undefined) continue;
        const list = row.personal === true ? 'personal' : member === 'address' ? 'addresses' : 'organisations';
        if (member !== 'notes') data[list].push(written);
      }
    },
  );
  text.split(/\r\n|\n|\r/).forEach((line, index) => splitter.line(line, index + 1));
  splitter.end();
  for (const passage of textPassages(text)) if (passage.isPersonal) data.personal.push(passage.text.trim());
  return data;
}

/** What an element has: a text of one of the lists, or a party. */
const CONTENTS = new Map<string, keyof Collected | 'party'>([
  ...[...PERSONAL].map((name): [string, keyof Collected] => [name, 'personal']),
  ...[...ORGANISATIONS].map((name): [string, keyof Collected] => [name, 'organisations']),
  ...[...ADDRESSES].map((name): [string, keyof Collected] => [name, 'addresses']),
  ...PARTY_ROLES.map((name): [string, 'party'] => [name, 'party']),
]);

/** The personal data of a log in XML, including that of parts that no reader reads. */
export function personalDataOfXml(elements: Element[]): Collected {
  const data: Collected = { personal: [], organisations: [], addresses: [] };
  for (const element of elements) {
    const content = CONTENTS.get(element.name);
    if (content === undefined) continue;
    if (content === 'party') {
      for (const { name, text } of element.children) if (name === 'name') data.organisations.push(text);
      continue;
    }
    for (const { text } of [element, ...descendants(element)]) {
      const trimmed = text.trim();
      if (trimmed !== '') data[content].push(decodeReferences(trimmed));
    }
  }
  return data;
}

/** All personal data of a log. */
export function personalDataOf({ identification: { name, city, state, country } }: SiteLog, collected: Collected): PersonalData {
  return { ...collected, places: [name, city, state, country].filter((place) => place !== null) };
}

/** The members of the identification that are texts. */
const TEXTS = [
  'name',
  'domesNumber',
  'monumentDescription',
  'monumentFoundation',
  'markerDescription',
  'geologicCharacteristic',
  'bedrockType',
  'notes',
  'city',
  'state',
  'country',
] as const satisfies (keyof SiteIdentification)[];

/** A text that may contain personal data. */
interface Place {
  text: string;
  /** Replaces it. */
  set: (text: string) => void;
}

/** The texts of an object. */
function placesIn<T extends object>(of: T, names: readonly string[]): Place[] {
  return names.flatMap((name) => {
    const text = (of as Record<string, unknown>)[name];
    return typeof text === 'string' ? [{ text, set: (next: string) => void Object.assign(of, { [name]: next }) }] : [];
  });
}

/** The texts of a finding. The message can quote a part of the text that is personal only in context: then the quotation is withheld too. */
function placesInFinding(finding: Finding): Place[] {
  const text = decodeReferences(finding.text);
  const setText = (next: string): void => {
    const isGone = (quoted: string): boolean => text.includes(onOneLine(quoted)) && !next.includes(onOneLine(quoted));
    finding.text = next;
    finding.message = finding.message.replace(/"([^"]+)"/g, (quote, quoted: string) => (isGone(quoted) ? `"${WITHHELD}"` : quote));
  };
  return [
    { text: decodeReferences(finding.message), set: (next) => void Object.assign(finding, { message: next }) },
    { text, set: setText },
  ];
}

/** Replaces personal data in texts. @param personalTexts reads the personal data; called only if there are texts */
function withholdIn(places: Place[], personalTexts: () => PersonalTexts): void {
  if (places.length === 0) return;
  const personal = personalTexts();
  if (!personal.canBeIn(places.map(({ text }) => text).join('\n'))) return;
  for (const { text, set } of places) {
    const rest = personal.withoutCut(text);
    if (rest !== text) set(rest);
  }
}

/** Replaces personal data in findings. @param personalTexts reads the personal data; called only if there are findings */
export function withholdInFindings(findings: Finding[], personalTexts: () => PersonalTexts): void {
  withholdIn(findings.flatMap(placesInFinding), personalTexts);
}

/**
 * Replaces personal data in the texts of a log that an import stores, and in its findings. The identity of a device loses only
 * email addresses, so that a change of contacts does not make it another device.
 * @param personalTexts reads the personal data; called only if there are texts that could contain it
 * @param known persons whom other logs name as contacts; they count as personal data too
 * @returns whether a text named one of them
 */
export function withholdInRecord(
  { identification, items, instruments }: SiteLog,
  findings: Finding[],
  personalTexts: () => PersonalTexts,
  known: KnownPersons,
): boolean {
  const places = [
    ...placesIn(identification, TEXTS),
    ...[...items, ...instruments].flatMap(({ id, configuration }) => [
      ...placesIn(configuration, Object.keys(configuration)),
      // The whole entry of an other instrument in a log is one text.
      ...placesIn(id, Object.keys(id)).filter(({ text }) => id.equipmentType === 'other instrument' || text.includes('@')),
    ]),
    ...findings.flatMap(placesInFinding),
  ];
  const namesKnown = places.some(({ text }) => known.areIn(text));
  withholdIn(places, personalTexts);
  return namesKnown;
}
