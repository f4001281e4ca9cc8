import { type Findings, reject } from '../../findings/findings.js';
import { isHint } from '../values/hints.js';
import { isAboutContacts } from './contact-lines.js';
import { isTitle, sectionOfHeading } from './form.js';
import { CONTINUATION_INDENT, LABEL_COLUMNS, type Part, SECTION, type TextLine } from './lines.js';

/** Finds the lines that say which station a log is about: a file with two stations has two logs. */

/** A line that says which station a log is about. */
export interface Identity {
  line: number;
  /** `title`, or the label of the id. */
  what: string;
  /** The characters of the id; empty for a title. */
  id: string;
}

/** Whether a line is the heading of one of the first sections. */
function isFormBeginning(content: string): boolean {
  const [, number, heading] = SECTION.exec(content.slice(0, LABEL_COLUMNS)) ?? [];
  return (number === '0' || number === '1') && sectionOfHeading(heading!) === number;
}

/** The titles and ids of a file, of which a log has one each. */
export class Identities {
  readonly found: Identity[] = [];
  /** A title below the first one, of which it is not known whether a form follows. */
  private laterTitle: Identity | null = null;

  /**
   * Notes what identifies a station, also in a drawing: of two logs in one file, the second begins
   * there.
   */
  note(line: TextLine, content: string, { labels, section }: Part): void {
    const { number, indent, above, key, value } = line;
    // What is quoted in a value is not a title.
    if (indent >= CONTINUATION_INDENT && above > 0) return;
    // A title has no colon.
    if (line.label === null && isTitle(content))
      this.addTitle({ line: number, what: 'title', id: '' });
    else if (isFormBeginning(content)) this.confirmTitle();
    if (key !== 'fourcharacterid' && key !== 'ninecharacterid') return;
    const isElsewhere = labels?.repeats === true || section === '8' || section === '9';
    if (isElsewhere || isAboutContacts(labels)) return;
    // An id that is malformed, or that text follows, is another one too: QZZZ00AU, QZZZ 00 AUS.
    const id = /^([a-z0-9_]{4}(?:\d[a-z0-9]{0,4})?)(?![a-z0-9_])/i.exec(value.trim())?.[1];
    if (id === undefined || isHint(value, true)) return;
    this.confirmTitle();
    this.found.push({ line: number, what: line.label!, id: id.toUpperCase() });
  }

  /** Notes a title. One that a remark quotes is not that of another log: no form follows it. */
  private addTitle(title: Identity): void {
    if (this.found.length === 0) this.found.push(title);
    else this.laterTitle ??= title;
  }

  /** Counts a title below the first one, which a form follows. */
  private confirmTitle(): void {
    if (this.laterTitle === null) return;
    this.found.push(this.laterTitle);
    this.laterTitle = null;
  }
}

/** Rejects a file with two logs, which would become one Site with the equipment of both. */
export function rejectSeveral(identities: readonly Identity[], findings: Findings): void {
  const refuse = (first: Identity, second: Identity): never =>
    reject(
      findings,
      'two-site-logs',
      { line: second.line },
      { beginnings: [first.what, second.what], lines: [first.line, second.line] },
    );
  const [title, secondTitle] = identities.filter(({ id }) => id === '');
  if (title !== undefined && secondTitle !== undefined) refuse(title, secondTitle);
  const [first, ...others] = identities.filter(({ id }) => id !== '');
  if (first === undefined) return;
  // The nine characters of a Site begin with its four.
  let known = first;
  for (const other of others) {
    const length = Math.min(known.id.length, other.id.length);
    if (known.id.slice(0, length) !== other.id.slice(0, length)) refuse(known, other);
    if (other.id.length > known.id.length) known = other;
  }
}
