import type { SiteLogSections } from '../../../schemas/index.js';
import type { Labels, TextSectionName } from './labels.js';
import type { Fields } from '../fields.js';
import { LineAccount } from './account.js';
import { AGENCIES } from '../sections/parties.js';
import { type Findings, reject, type Report } from '../../findings/findings.js';
import { BlockReader, isBlankField, type TextField, textOfLines } from './block-reader.js';
import { isAboutContacts, isOfContact } from './contact-lines.js';
import { isOfForm } from './form.js';
import { isHint } from '../values/hints.js';
import { rejectSeveral } from './identities.js';
import type { Part, TextLine } from './lines.js';
import { type ScannedLog, scanText } from './scanner.js';

/**
 * The text format of the IGS site log, versions 1 and 2.0: numbered sections and items of
 * `label : value` lines, whose values may continue on the lines below.
 */

/**
 * Whether the text is an IGS site log: it has the title line, or a label that only site logs have.
 */
export function isAsciiSiteLog(text: string): boolean {
  const head = text.slice(0, 20_000);
  return (
    /site information form/i.test(head) ||
    /^[ \t]{0,20}(four|nine) character id[ \t]{0,20}:/im.test(head)
  );
}

/** Takes findings about lines of a part that are not of the form. */
function reportIn({ labels, section }: Part, findings: Findings): Report {
  // Lines above the first section and in section 0 may say who prepared the log, under any label.
  const isPersonal = section === '' || labels?.name === 'formInformation';
  return isPersonal || isAboutContacts(labels) ? findings.addAboutContacts : findings.add;
}

/**
 * Takes findings that quote lines of a part. Contacts below a heading that cannot be read are in a
 * part of another section.
 */
const reportOfLines = (part: Part, lines: readonly TextLine[], findings: Findings): Report =>
  lines.some(isOfContact) ? findings.addAboutContacts : reportIn(part, findings);

/** Reports lines with null characters; those in a row, in one finding. */
function reportDamage(lines: readonly number[], findings: Findings): void {
  let begin = 0;
  for (const [index, line] of lines.entries()) {
    if (lines[index + 1] === line + 1) continue;
    const place = { line: lines[begin]!, lastLine: line };
    findings.add('invisible-character', place, { characters: null });
    begin = index + 1;
  }
}

/** Whether a line has a hint, with a label that other editions of the form have there, or none. */
const isOfOtherEdition = ({ text, label, value }: TextLine): boolean =>
  label === null ? isHint(text) : value.trim() !== '' && isHint(value);

/**
 * Whether a line is one below the title, where many operators name their agency or network. One
 * with a label and a value may be of a section whose heading is missing.
 */
const isInTitleArea = ({ section }: Part, { text }: TextLine): boolean =>
  section === '' && !/^[^:]{1,60}:(?!\/\/)\s*\S/.test(text);

/** The lines on which the values of a log begin. */
function valueLines(model: SiteLogSections): Set<number> {
  const lines = new Set<number>();
  const blocks = Object.values(model)
    .filter((content) => typeof content === 'object')
    .flat();
  for (const block of blocks)
    for (const value of Object.values(block))
      if (typeof value === 'object' && value !== null && 'line' in value)
        lines.add(value.line as number);
  return lines;
}

/** Takes a block, and returns the number that its item gets; null if it is none. */
type OnBlock = (section: TextSectionName, block: Fields) => number | null;

/** A line of which nothing is lost if it is ignored: a label without a value. */
const saysNothing = ({ text }: TextLine): boolean => /^[^:]{1,31}:\s*$/.test(text);

/** Reads the parts of a scanned log into blocks, and settles the account of its lines. */
class TextReader {
  readonly account = new LineAccount();
  /** The values that were found. Whether they are in the model is known only when it is built. */
  private readonly fields: TextField[] = [];
  /** The sections of which a log has one. */
  private readonly once = new Set<TextSectionName>();
  /** The headings of the form that have another text. */
  private readonly deviating: { part: Part; heading: TextLine }[] = [];

  constructor(
    private readonly parts: readonly Part[],
    private readonly findings: Findings,
  ) {}

  /** Passes the blocks to `onBlock`. */
  read(onBlock: OnBlock): void {
    for (const part of this.parts) {
      for (const { number, kind } of part.lines)
        if (kind === 'form') this.account.claim(number, 'form');
      const { labels } = part;
      this.checkHeading(part);
      if (labels === null || (labels.repeats && part.item === null)) continue;
      if (!labels.repeats && this.isSecond(part, labels)) continue;
      const { findings, account, fields } = this;
      const before = fields.length;
      const block = new BlockReader(part, labels, findings, account, fields).read();
      part.readAs = onBlock(labels.name, block);
      if (part.item?.isTemplate === true && part.readAs === null)
        this.reportLeftovers(part, fields.slice(before));
    }
    this.reportHeadings();
  }

  /** Reports the values of a blank template that is no item. */
  private reportLeftovers({ line, section }: Part, fields: readonly TextField[]): void {
    const leftovers = fields.filter((field) => !isBlankField(field));
    if (leftovers.length === 0) return;
    const lines = leftovers.flatMap((field) => field.lines);
    const text = leftovers.map((field) => `${field.label.trim()}: ${field.text.trim()}`).join(', ');
    const place = { line: lines[0] ?? line, lastLine: lines.at(-1)!, section };
    this.findings.add('filled-template', place, { isItem: false, text }, 'info');
    for (const each of lines) this.account.claim(each, 'finding');
  }

  /** Reports a heading of the form that is missing, and finds those with another text. */
  private checkHeading(part: Part): void {
    const { section, lines } = part;
    const heading = lines.find(({ kind }) => kind === 'heading');
    if (heading !== undefined && isOfForm(section)) {
      this.deviating.push({ part, heading });
      this.account.claim(heading.number, 'finding');
    } else if (part.isWithoutHeading) {
      const values = { isMissing: true, sections: [section] };
      reportIn(part, this.findings)('deviating-heading', { line: part.line, section }, values);
    }
  }

  /**
   * Reports the headings that have another text: a form of other years. Equal findings are one with
   * several lines, so all are about the first section and its heading.
   */
  private reportHeadings(): void {
    const [first] = this.deviating;
    if (first === undefined) return;
    const { section } = first.part;
    const sections = [...new Set(this.deviating.map(({ part }) => part.section))];
    const values = { isMissing: false, sections, text: first.heading.text };
    const report = reportIn(first.part, this.findings);
    for (const { heading } of this.deviating)
      report('deviating-heading', { line: heading.number, section }, values);
  }

  /** Whether a section that a log has once was there before. Contacts are kept. */
  private isSecond({ line, lines }: Part, { name, section }: Labels): boolean {
    const isSecond = this.once.has(name) && !(name in AGENCIES);
    this.once.add(name);
    if (!isSecond) return false;
    const written = lines.filter(({ text }) => text !== '');
    this.findings.add(
      'ignored-line',
      { line, lastLine: written.at(-1)?.number ?? line, section: section.number },
      { why: 'second section', count: written.length },
    );
    for (const { number, kind } of written)
      if (kind !== 'form') this.account.claim(number, 'finding');
    return true;
  }

  /**
   * Claims the lines of the values that are in the model, and reports the lines that nobody
   * claimed.
   */
  settle(model: SiteLogSections): void {
    const inModel = valueLines(model);
    for (const field of this.fields) {
      const { isDrawing, lines, line } = field;
      // The label of the drawing has no value after it.
      if (isDrawing) this.account.claim(line, 'form');
      const known = isDrawing ? 'drawing' : 'value';
      const use = inModel.has(line) ? known : 'form';
      if (use !== 'form' || isBlankField(field))
        for (const each of isDrawing ? lines.slice(1) : lines) this.account.claim(each, use);
    }
    for (const part of this.parts) this.reportUnclaimed(part);
  }

  /** Reports the lines of a part that nobody claimed; those in a row, in one finding. */
  private reportUnclaimed(part: Part): void {
    let run: TextLine[] = [];
    for (const line of part.lines) {
      if (line.text === '') continue;
      const isUnclaimed = this.account.useOf(line.number) === undefined;
      if (isUnclaimed && isOfOtherEdition(line)) this.account.claim(line.number, 'form');
      else if (isUnclaimed && isInTitleArea(part, line)) this.account.claim(line.number, 'title');
      else if (isUnclaimed) run.push(line);
      else {
        this.reportIgnored(part, run);
        run = [];
      }
    }
    this.reportIgnored(part, run);
  }

  private reportIgnored(part: Part, run: readonly TextLine[]): void {
    const [first] = run;
    if (first === undefined) return;
    const report = reportOfLines(part, run, this.findings);
    report(
      'ignored-line',
      {
        line: first.number,
        lastLine: run.at(-1)!.number,
        section: part.section === '' ? null : part.section,
        item: part.readAs,
      },
      { why: run.length === 1 ? 'single' : 'several', count: run.length, text: textOfLines(run) },
      // No value can stand below the title.
      part.section === '' || run.every(saysNothing) ? 'info' : undefined,
    );
    for (const { number } of run) this.account.claim(number, 'finding');
  }
}

/** A text log that was scanned. */
interface AsciiLog {
  scanned: ScannedLog;
  /** What becomes of each line. It is complete when it was settled. */
  account: LineAccount;
  /** Checks that each line was read, when the model is built; what was not becomes a finding. */
  settle: (model: SiteLogSections) => void;
}

/** The most lines of a log. Real logs have up to 2,500. */
const MOST_LINES = 50_000;

/** Rejects a log with more lines than any real one has. @throws {SiteLogRejected} */
function limitLines(text: string, findings: Findings): void {
  const count = 1 + (text.match(/\r\n|\n|\r/g)?.length ?? 0);
  if (count > MOST_LINES)
    reject(
      findings,
      'too-large',
      { line: MOST_LINES + 1 },
      { of: 'lines', count, most: MOST_LINES },
    );
}

/**
 * Splits the text of a site log into blocks.
 * @param onBlock receives each, except a second one of a section that does not repeat; contacts are
 *   kept
 * @throws {SiteLogRejected} if there are two logs in the file
 */
export function readAsciiBlocks(text: string, findings: Findings, onBlock: OnBlock): AsciiLog {
  limitLines(text, findings);
  const scanned = scanText(text);
  rejectSeveral(scanned.identities, findings);
  reportDamage(scanned.damagedLines, findings);
  const reader = new TextReader(scanned.parts, findings);
  reader.read(onBlock);
  return { scanned, account: reader.account, settle: reader.settle.bind(reader) };
}
