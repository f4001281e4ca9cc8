import type { SiteLogSections, Written } from '../../schemas/index.js';
import { PARTY_ROWS } from './sections/parties.js';
import { type Row, SECTIONS } from './sections/index.js';
import { readProse } from './values.js';
import { WITHHELD } from './written-values.js';

/**
 * Withholds personal data: who prepared the log, the contacts, their telephone numbers and mail addresses. Organisations stay. Where
 * another text of the log repeats such a value, it is withheld there too, as is any mail address.
 */

/** A shorter text is too likely to be something else; a longer one is neither a name nor a number. */
const [SHORTEST, LONGEST] = [4, 200];
/** The most texts that are looked for, which bounds the time. */
const MOST_TEXTS = 200;
const [WORD_BEGIN, WORD_END] = ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])'];
// Begins only where a word does, so that a long word takes linear time.
const MAIL_ADDRESS = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]{1,64}(?:\.[\p{L}\p{N}-]{1,64}){1,8}/gu;

type Values = Record<string, unknown>;

const isWritten = (value: unknown): value is Written => typeof value === 'object' && value !== null && 'written' in value;
const folded = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

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

/** The lines of all personal values, which other texts may repeat; without the names of organisations. */
function personalTexts(log: SiteLogSections): string[] {
  const organisations = new Set(
    log.responsibleParties.flatMap(({ organisation }) => (organisation === null ? [] : [folded(organisation.written)])),
  );
  const texts = blocksOf(log).flatMap(([block, personal]) =>
    [...personal].flatMap((name) => {
      const value = block[name];
      // "(A. Smith, B. Jones)" has several names.
      if (!isWritten(value) || value.written === WITHHELD) return [];
      return [value.written, ...value.written.split(/[\n,;/()]/)].filter((text) => readProse(text) !== null).map(folded);
    }),
  );
  const isSearched = (text: string): boolean => text.length >= SHORTEST && text.length <= LONGEST && !organisations.has(text);
  return [...new Set(texts)]
    .filter(isSearched)
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST_TEXTS);
}

/** The personal data of a log. */
export class Contacts {
  private readonly patterns: RegExp[];

  constructor(private readonly log: SiteLogSections) {
    const texts = personalTexts(log).map((text) => escaped(text).replaceAll(' ', '\\s+'));
    this.patterns = [MAIL_ADDRESS, ...(texts.length === 0 ? [] : [new RegExp(`${WORD_BEGIN}(?:${texts.join('|')})${WORD_END}`, 'giu')])];
  }

  /** A text in which they are withheld. */
  without(text: string): string {
    return this.patterns.reduce((rest, pattern) => rest.replace(pattern, WITHHELD), text);
  }

  /** The log in which they are withheld. */
  withheld(): SiteLogSections {
    const copy = structuredClone(this.log);
    for (const [block, personal] of blocksOf(copy)) {
      for (const [name, value] of Object.entries(block)) {
        if (!isWritten(value)) continue;
        if (personal.has(name)) Object.assign(value, { written: WITHHELD, value: null });
        else this.withholdIn(value);
      }
    }
    return copy;
  }

  private withholdIn(value: Written): void {
    const written = this.without(value.written);
    if (written === value.written) return;
    value.written = written;
    if (typeof value.value === 'string') value.value = this.without(value.value);
  }
}

/** Whether something of the log was withheld. */
export const isWithheld = (log: SiteLogSections): boolean =>
  blocksOf(log).some(([block]) => Object.values(block).some((value) => isWritten(value) && value.written.includes(WITHHELD)));
