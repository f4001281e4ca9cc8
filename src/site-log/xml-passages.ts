import { PARTY_ROLES } from '../../schemas/index.js';
import { Passage, type Segment, segmentOf } from './passage.js';
import { AGENCIES, PARTY_ROWS } from './sections/parties.js';
import { elementOf, type Row, SECTIONS, sopacElementOf } from './sections/index.js';

/**
 * Divides an XML document into passages: the text of each element, attributes, comments and processing instructions, including those
 * that the readers skip. Of a document that is not well-formed, it finds what it can. Everything in an element with contacts that is not known to be about
 * an organisation is personal.
 */

const localName = (name: string): string => name.replace(/^.*:/, '');

/** The local names on a path, without that of GML's wrapper of texts. */
const stepsOf = (path: string): string[] =>
  path
    .split('/')
    .map((step) => localName(step).replace(/\[.*/, ''))
    .filter((name) => name !== 'CharacterString');

const rowsOf = (rows: Readonly<Record<string, Row>>, personal: boolean): [string, Row][] =>
  Object.entries(rows).filter(([, row]) => (row.personal === true) === personal);
const SOPAC_ROWS = AGENCIES.siteContact.rows;

/** The elements whose content is personal, wherever they are. */
export const PERSONAL = new Set([
  ...rowsOf(SECTIONS.formInformation.rows, true).map(([name, row]) => stepsOf(elementOf(name, row)!).at(-1)!),
  ...rowsOf(PARTY_ROWS, true).map(([name, row]) => stepsOf(elementOf(name, row)!).at(-1)!),
  ...rowsOf(SOPAC_ROWS, true).map(([name, row]) => stepsOf(sopacElementOf(name, row))[0]!),
]);
/** The elements with the names of organisations. */
export const ORGANISATIONS = new Set(['organisationName', 'agency', 'preferredAbbreviation']);
/** The elements with parts of their addresses. */
export const ADDRESSES = new Set(['deliveryPoint', 'city', 'administrativeArea', 'postalCode', 'country', 'mailingAddress']);
const PARTY = 'CI_ResponsibleParty';
/** The elements with contacts. */
const GUARDED = new Set<string>([...PARTY_ROLES, PARTY, ...Object.values(AGENCIES).map(({ sopac }) => sopac!)]);
/** The paths in them that are not personal. */
const PUBLIC = new Set([
  ...rowsOf(PARTY_ROWS, false).map(([name, row]) => stepsOf(elementOf(name, row)!).join('/')),
  ...rowsOf(SOPAC_ROWS, false).map(([name, row]) => stepsOf(sopacElementOf(name, row)).join('/')),
  `${PARTY}/role`,
]);
/** The attributes that say nothing about a person. */
const STRUCTURAL = new Set(['nil', 'nilReason', 'type', 'codeSpace', 'codeList', 'codeListValue', 'id']);

const REFERENCE = /&(?:#(?:\d{1,7}|x[\da-f]{1,6})|amp|lt|gt|quot|apos);/gi;
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The character that a reference stands for. */
function characterOf(reference: string): string {
  const name = reference.slice(1, -1);
  if (!name.startsWith('#')) return NAMED[name] ?? reference;
  return String.fromCodePoint(name[1]!.toLowerCase() === 'x' ? parseInt(name.slice(2), 16) : Number(name.slice(1)));
}

/** An open element: what is known about its content. */
interface Open {
  content: 'any' | 'personal' | 'guarded' | 'public';
  /** The path from the organisation. */
  path: string[];
  segments: Segment[];
}

const ATTRIBUTE = /([^\s=/>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;

class PassageScanner {
  readonly passages: Passage[] = [];
  private readonly open: Open[] = [{ content: 'any', path: [], segments: [] }];
  private at = 0;

  constructor(private readonly source: string) {}

  scan(): Passage[] {
    const { source } = this;
    while (this.at < source.length) {
      if (source[this.at] !== '<') this.text(this.endOf('<', 0));
      else if (source.startsWith('<!--', this.at)) this.comment(this.at + 4, this.endOf('-->', 3));
      else if (source.startsWith('<![CDATA[', this.at)) this.cdata(this.at + 9, this.endOf(']]>', 3));
      else if (source.startsWith('<?', this.at)) this.instruction(this.at + 2, this.endOf('?>', 2));
      else if (source.startsWith('</', this.at)) this.endTag(this.endOf('>', 1));
      else this.tag();
    }
    while (this.open.length > 0) this.close(source.length);
    return this.passages;
  }

  private get current(): Open {
    return this.open.at(-1)!;
  }

  private endOf(what: string, length: number): number {
    const index = this.source.indexOf(what, this.at);
    return index < 0 ? this.source.length : index + length;
  }

  private isPersonal({ content }: Open): boolean {
    return content === 'personal' || content === 'guarded';
  }

  private text(end: number): void {
    const { segments } = new Passage([segmentOf(this.source, this.at, end)], false).decoded(REFERENCE, characterOf);
    for (const segment of segments) this.current.segments.push(segment);
    this.at = end;
  }

  private cdata(begin: number, end: number): void {
    this.current.segments.push(segmentOf(this.source, begin, end - 3));
    this.at = end;
  }

  private comment(begin: number, end: number): void {
    const segment = segmentOf(this.source, begin, end - 3);
    // Elements in a comment belong to no section.
    this.passages.push(new Passage([segment], this.isPersonal(this.current) || segment.text.includes('<')));
    this.at = end;
  }

  private instruction(begin: number, end: number): void {
    this.passages.push(new Passage([segmentOf(this.source, begin, end - 2)], false));
    this.at = end;
  }

  private tag(): void {
    const name = /[^\s/>]*/y;
    name.lastIndex = this.at + 1;
    const element = this.enter(localName(name.exec(this.source)![0]));
    let at = name.lastIndex;
    for (;;) {
      while (/\s/.test(this.source[at] ?? '')) at++;
      ATTRIBUTE.lastIndex = at;
      const found = ATTRIBUTE.exec(this.source);
      if (found === null) break;
      at = ATTRIBUTE.lastIndex;
      const [, attribute, double, single] = found;
      const value = double ?? single!;
      const isStructure = attribute!.startsWith('xmlns') || STRUCTURAL.has(localName(attribute!)) || value.startsWith('#');
      const isPersonal = this.isPersonal(element) && !isStructure;
      const passage = new Passage([{ text: value, begin: at - 1 - value.length, end: at - 1 }], isPersonal);
      this.passages.push(passage.decoded(REFERENCE, characterOf));
    }
    this.at = at;
    this.at = this.endOf('>', 1);
    if (this.source[this.at - 2] === '/') this.close(this.at);
  }

  private enter(name: string): Open {
    const { content: outer, path } = this.current;
    const element: Open = { content: outer, path, segments: [] };
    if (outer === 'personal' || PERSONAL.has(name)) element.content = 'personal';
    else if (outer === 'any' && GUARDED.has(name)) Object.assign(element, { content: 'guarded', path: name === PARTY ? [name] : [] });
    else if (outer === 'guarded') {
      element.path = [...path, name];
      if (PUBLIC.has(element.path.join('/'))) element.content = 'public';
    }
    this.open.push(element);
    return element;
  }

  private endTag(end: number): void {
    // There are more end tags than start tags only in a damaged document.
    if (this.open.length > 1) this.close(end);
    this.at = end;
  }

  private close(end: number): void {
    const element = this.open.pop()!;
    if (element.segments.length > 0) this.passages.push(new Passage(element.segments, this.isPersonal(element)));
    this.at = end;
  }
}

/** The passages of an XML document. */
export const xmlPassages = (source: string): Passage[] => new PassageScanner(source).scan();
