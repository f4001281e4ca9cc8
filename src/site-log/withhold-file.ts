import type { SiteLogSections } from '../../schemas/index.js';
import { decode, replaceIn } from './decode.js';
import { type KnownPersons, NOBODY } from './known-persons.js';
import { type Edit, LINE_BREAK, type Passage } from './passage.js';
import { type PersonalData, PersonalTexts } from './personal-texts.js';
import { readSections } from './read-sections.js';
import { Findings, SiteLogRejected } from './site-log.js';
import { textPassages } from './text-passages.js';
import { decodeReferences, readString, REFERENCE } from './values.js';
import { personalDataOf, withheldSections } from './withhold.js';
import { NOTICE } from './write/loss.js';
import { writeSections, type WrittenForm } from './write.js';
import { WITHHELD } from './written-values.js';
import { isXml } from './xml.js';
import { xmlPassages } from './xml-passages.js';

/** Withholds personal data in a file, and keeps its form and lines. */

/** The form in which a log is written anew, if personal data cannot be withheld in its file. */
const WRITTEN: Record<string, WrittenForm> = {
  'IGS site log 2.0': 'text2',
  'GeodesyML 0.4': 'geodesyml04',
  'GeodesyML 0.5': 'geodesyml05',
  'GeodesyML 0.6': 'geodesyml05',
};

const NOTHING: PersonalData = { personal: [], organisations: [], addresses: [], places: [] };

/** Reads all sections; null if that is not possible, as with a damaged file. */
function sectionsOf(bytes: Uint8Array): SiteLogSections | null {
  try {
    return readSections(bytes, new Findings(''));
  } catch (error) {
    if (error instanceof SiteLogRejected) return null;
    throw error;
  }
}

/** The beginning and end of a text without the blanks around it. */
const trimmed = (text: string): [number, number] => [text.length - text.trimStart().length, text.trimEnd().length];

const saysSomething = (text: string): boolean => text.trim() !== WITHHELD && readString(text) !== null;

/** Inserts the notice without adding a line: in the text form before the first section if possible, in XML at the end. */
function noticeIn(text: string): Edit {
  if (isXml(text)) return { text: `<!-- ${NOTICE} -->`, begin: text.length, end: text.length };
  const heading = /^[ \t]*0\./m.exec(text)?.index ?? 0;
  const blank = /(?<=^|\n|\r(?!\n))[ \t]*(?=[\r\n])/.exec(text.slice(0, heading))?.index;
  // Before the first section, no reader takes it for a value.
  const at = blank ?? (heading > 0 ? text.search(LINE_BREAK) : text.length);
  return { text: `     ${NOTICE}`, begin: at, end: at };
}

/** Whether a file still contains personal data of a log, or can no longer be read. @param log the log before withholding */
function isLeft(texts: PersonalTexts, bytes: Uint8Array, log: SiteLogSections | null): boolean {
  const left = sectionsOf(bytes);
  if (left === null) return log !== null;
  if (personalDataOf(left).personal.some((text) => saysSomething(text))) return true;
  const text = decode(bytes);
  const words = text.replace(isXml(text) ? /<[^<>]*>/g : /[\r\n][ \t]*:?/g, ' ');
  return texts.areIn(decodeReferences(words.replaceAll('&amp;', '&')));
}

/** The passages of a file. */
const passagesOf = (text: string): Passage[] => (isXml(text) ? xmlPassages(text) : textPassages(text));

/** The personal data of a file, to find it in other texts. @param personal what its passages contain */
function textsOf(log: SiteLogSections | null, personal: string[], known: KnownPersons): PersonalTexts {
  const data = log === null ? NOTHING : personalDataOf(log);
  return new PersonalTexts({ ...data, personal: [...data.personal, ...personal.map((text) => text.trim())] }, known);
}

/**
 * The personal data in a file of any form, even in one that is rejected, and in what the readers skip.
 * @param log its sections; null if they cannot be read
 * @param known persons whom other logs name as contacts
 */
export function personalTextsIn(bytes: Uint8Array, log = sectionsOf(bytes), known: KnownPersons = NOBODY): PersonalTexts {
  const passages = passagesOf(decode(bytes)).filter(({ isPersonal }) => isPersonal);
  return textsOf(
    log,
    passages.map((passage) => passage.decoded(REFERENCE, decodeReferences).text),
    known,
  );
}

/** What is published instead of a file in which personal data cannot be withheld. */
function instead(log: SiteLogSections | null, texts: PersonalTexts, text: string): Uint8Array {
  if (log === null) return Buffer.from(NOTICE + (text.match(LINE_BREAK) ?? []).join(''));
  return Buffer.from(writeSections(withheldSections(log, texts), WRITTEN[log.form] ?? 'text1', new Findings('')));
}

/**
 * Withholds personal data in a site log of any form: contacts, also in what the readers skip and where other texts repeat
 * them, and email addresses. Line numbers do not change; all bytes except those of the personal data stay as they are.
 * @param bytes the content of the file
 * @param known persons whom other logs name as contacts
 * @returns the content without personal data, with a notice; the same object if there is none
 */
export function withholdInFile(bytes: Uint8Array, known: KnownPersons = NOBODY): Uint8Array {
  const text = decode(bytes);
  const log = sectionsOf(bytes);
  const passages = passagesOf(text);
  const plain = new Map(passages.map((passage) => [passage, passage.decoded(REFERENCE, decodeReferences)]));
  const textOf = (passage: Passage): string => plain.get(passage)!.text;
  const personal = passages.filter((passage) => passage.isPersonal && saysSomething(textOf(passage)));
  const texts = textsOf(log, personal.map(textOf), known);
  const edits = [
    ...personal.flatMap((passage) => passage.edits(text, [trimmed(passage.text)])),
    ...passages
      .filter(({ isPersonal }) => !isPersonal)
      .flatMap((passage) => plain.get(passage)!.edits(text, texts.placesIn(textOf(passage)))),
  ];
  if (edits.length === 0) return bytes;
  if (!text.includes(NOTICE)) edits.push(noticeIn(text));
  const result = replaceIn(
    bytes,
    edits.sort((a, b) => a.begin - b.begin),
  );
  return isLeft(texts, result, log) ? instead(log, texts, text) : result;
}
