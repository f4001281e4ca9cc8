import { CONTINUATION_INDENT, expandTabs, ITEM, LABEL_INDENT, SECTION, splitLabel } from './ascii-blocks.js';
import { type Labels, LABELS } from './ascii-labels.js';
import { LINE_BREAK, Passage, type Segment, segmentOf } from './passage.js';
import { AGENCIES } from './sections/parties.js';
import { labelKey, SECTIONS } from './sections/index.js';

/**
 * Divides a site log in the text form into passages, including what the reader of the form skips: templates, blocks of unknown
 * sections, lines that are not in the form. Everything in sections 11 and 12 that is not known to be about an organisation is personal.
 */

/** The beginnings of labels whose values are personal in any section. */
const PERSONAL_LABELS = [
  ...new Set(
    [SECTIONS.formInformation, AGENCIES.siteContact]
      .flatMap(({ rows }) => Object.values(rows))
      .flatMap(({ label, aliases = [], personal }) => (personal === true ? [labelKey(label!), ...aliases] : [])),
  ),
  ...['telephone', 'phone', 'mobile'],
];
/** The lines of an agency that have no value. */
const SUBTITLE = /^\s*(?:primary|secondary) contact\s*:?$/i;
const GUARDED = new Set<string>(Object.keys(AGENCIES));

class PassageSplitter {
  readonly passages: Passage[] = [];
  private labels: Labels | undefined;
  private segments: Segment[] = [];
  /** Whether they have only blanks. */
  private isBlank = true;
  private isPersonal = false;

  constructor(private readonly source: string) {}

  /** Reads one line. @param begin where it begins in the source */
  line(begin: number, end: number): void {
    const raw = this.source.slice(begin, end);
    const line = expandTabs(raw).trimEnd();
    if (line === '') return;
    const item = ITEM.exec(line);
    const section = item === null ? SECTION.exec(line) : null;
    if (item === null && section === null) {
      this.readLine(line, begin, end);
      return;
    }
    this.labels = LABELS.get(section?.[1] ?? (item![2] === undefined ? item![1]! : `${item![1]}.${item![2]}`));
    this.begin(false);
    if (item?.[4] !== undefined) {
      this.readLine(item[4], begin, end);
      return;
    }
    this.add(begin, end);
    // Whatever is between a heading and the first label.
    if (this.isGuarded) this.begin(true);
  }

  /** Ends the current passage. Also called at the end of the file. */
  end(): void {
    if (this.segments.length > 0) this.passages.push(new Passage(this.segments, this.isPersonal));
    this.segments = [];
    this.isBlank = true;
  }

  private begin(isPersonal: boolean): void {
    this.end();
    this.isPersonal = isPersonal;
  }

  private readLine(line: string, begin: number, end: number): void {
    const indent = line.length - line.trimStart().length;
    const label = indent < LABEL_INDENT ? splitLabel(line)?.label : undefined;
    const key = label === undefined ? '' : labelKey(label);
    const names = this.labels?.names.get(key);
    const isPersonal =
      names === undefined
        ? PERSONAL_LABELS.some((personal) => key.startsWith(personal))
        : this.labels!.section.rows[names[0]!]!.personal === true;
    if (names !== undefined || isPersonal) {
      this.begin(isPersonal);
      this.add(begin + this.source.slice(begin, end).indexOf(':') + 1, end);
    } else if (indent >= CONTINUATION_INDENT || !this.isGuarded) {
      if (this.isPersonal && indent < CONTINUATION_INDENT) this.begin(false);
      this.continue(begin, end);
    } else {
      this.begin(!SUBTITLE.test(line));
      this.add(begin, end);
      this.begin(true);
    }
  }

  private get isGuarded(): boolean {
    return this.labels !== undefined && GUARDED.has(this.labels.name);
  }

  /** Adds a line without a label. If it continues a personal value, the whole line is replaced. */
  private continue(begin: number, end: number): void {
    if (this.segments.length > 0) this.segments.push({ text: '\n', begin, end: begin });
    const content = /^\s*:?\s?/.exec(this.source.slice(begin, end))![0].length;
    if (this.isPersonal && !this.isBlank) this.segments.push({ text: this.source.slice(begin + content, end), begin, end });
    else this.add(begin + content, end);
  }

  private add(begin: number, end: number): void {
    const segment = segmentOf(this.source, begin, end);
    this.isBlank &&= segment.text.trim() === '';
    this.segments.push(segment);
  }
}

/** The passages of a site log in the text form. */
export function textPassages(source: string): Passage[] {
  const splitter = new PassageSplitter(source);
  let begin = 0;
  for (const { index, 0: lineBreak } of source.matchAll(LINE_BREAK)) {
    splitter.line(begin, index);
    begin = index + lineBreak.length;
  }
  splitter.line(begin, source.length);
  splitter.end();
  return splitter.passages;
}
