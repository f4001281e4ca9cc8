import { type Note, sentenceOf, type SiteNote } from '../findings/notes.js';
import type { Part, SiteFile } from '../formats/site-format.js';
import { intervalOf, type SiteHistory, type WritingOptions } from '../formats/site-history.js';
import { siteIdText } from '../requests/site-id.js';
import type { Store } from '../store/store.js';
import { type IsWanted, ownTurn } from '../turns.js';

/** Reads the histories of Sites, and writes the parts of a file from them, with its notes. */

/** Receives what could not be written exactly. */
export type OnNote = (note: SiteNote) => void;

/** Where histories come from. */
export interface HistoriesSource {
  store: Store;
  /** Whether the client still waits. Default: somebody always does. */
  isWanted?: IsWanted;
}

/** How the histories of Sites are written, except for the form, which each log has. */
type HistoryOptions = Omit<WritingOptions, 'isText'>;

/** How many Sites are read, and written, at once. This takes a few milliseconds. */
const SITES_AT_ONCE = 6;
/**
 * The most Sites that are read once for all parts of a file, whose lines take about 1 kB per Site.
 * More are read for each part.
 */
const MOST_READ_ONCE = 2500;
/** How many UTF-16 code units make a piece. */
export const PIECE_LENGTH = 2 ** 14;

/**
 * The Sites of a query with their histories. Other requests run between two windows, and they end
 * early if nobody waits for them.
 */
export async function* historiesOf(
  { store, isWanted }: HistoriesSource,
  numbers: number[],
  options: HistoryOptions,
): AsyncGenerator<SiteHistory> {
  // Histories are yielded after the next one is read, because only that one shows which Sites share
  // their four-character id.
  let group: HistoryOfLog[] = [];
  for (let first = 0; first < numbers.length; first += SITES_AT_ONCE) {
    if (!(await ownTurn(isWanted))) return;
    const window = numbers.slice(first, first + SITES_AT_ONCE);
    const sites = await store.exports.readEquipped(window);
    for (const { site, datePrepared, agencies, isText, setups } of sites) {
      if (group.length > 0 && group[0]!.site.fourCharacterId !== site.fourCharacterId) {
        yield* withNamesakes(group);
        group = [];
      }
      const intervals = setups.map((setup) => intervalOf(setup, { ...options, isText }));
      group.push({ site, datePrepared, agency: site.agency, agencies, intervals });
    }
  }
  yield* withNamesakes(group);
}

/** A history, with the Date Prepared of the site log that it is from. */
type HistoryOfLog = Pick<SiteHistory, 'site' | 'agency' | 'agencies' | 'intervals'> & {
  datePrepared: string | null;
};

/** The histories of all Sites of a file that have the same four characters, in their order. */
function withNamesakes(group: readonly HistoryOfLog[]): SiteHistory[] {
  const sites = group.map(({ site }) => site);
  return group.map(({ datePrepared, ...history }, index) => {
    const day = datePrepared ?? '';
    const isNewer = (other: string | null, place: number): boolean =>
      (other ?? '') > day || ((other ?? '') === day && place < index);
    return {
      ...history,
      namesakes: sites.slice(0, index),
      newer: sites.filter((_, place) => isNewer(group[place]!.datePrepared, place)),
      isShared: group.length > 1,
    };
  });
}

/**
 * A note as a line: `ALIC: no header: the Site has no Setup at that time`. One about the whole file
 * does not name a Site.
 */
export const noteLine = ({ site, note }: SiteNote): string =>
  site === null ? sentenceOf(note) : `${site}: ${sentenceOf(note)}`;

/** A note that blanks of a Site are taken as 0. */
type ZeroNote = SiteNote & { note: Extract<Note, { code: 'zero-written' }> };

const isAboutZeros = (each: SiteNote): each is ZeroNote => each.note.code === 'zero-written';

/**
 * The notes of a file. Each note is given once per Site, even if it concerns several parts, but the
 * one about blanks taken as 0 is given once per file.
 */
class FileNotes {
  private readonly said = new Map<number, Set<string>>();
  /** The comments so far, if all of them stand at the end of the file. */
  private comments = '';
  /** The first note about blanks taken as 0 of each Site. */
  private readonly zeros = new Map<number, ZeroNote>();

  constructor(
    private readonly file: SiteFile,
    private readonly onNote: OnNote,
  ) {}

  /**
   * Adds the notes about a Site that were not given before, and returns the comments that stand
   * before its lines.
   */
  sayAbout({ id }: SiteHistory['site'], notes: readonly SiteNote[]): string {
    let said = this.said.get(id);
    if (said === undefined && notes.length > 0) this.said.set(id, (said = new Set()));
    let comments = '';
    for (const each of notes) {
      if (isAboutZeros(each)) {
        if (!this.zeros.has(id)) this.zeros.set(id, each);
        continue;
      }
      const sentence = sentenceOf(each.note);
      if (said!.has(sentence)) continue;
      said!.add(sentence);
      comments += this.say(each);
    }
    return comments;
  }

  /** Says once that blanks are taken as 0. */
  sayZeros(): string {
    const [first] = this.zeros.values();
    if (first === undefined) return '';
    const others = this.zeros.size - 1;
    this.zeros.clear();
    const { code, names } = first.note;
    return this.say({ site: first.site, note: { code, names, others } });
  }

  /** Says something, and returns it as a comment if it stands here. */
  say(note: SiteNote): string {
    this.onNote(note);
    const { comment, endWith } = this.file;
    const written = comment?.(noteLine(note)) ?? '';
    if (endWith === undefined) return written;
    this.comments += written;
    return '';
  }

  /** The end of the file, with the comments that stand there. */
  end(): string {
    return this.file.endWith?.(this.comments) ?? '';
  }
}

/** What a part of a file says about a Site. */
interface PartOfSite {
  site: SiteHistory['site'];
  text: string;
  notes: SiteNote[];
}

function writePartOfSite({ ofSite }: Part, history: SiteHistory): PartOfSite {
  const notes: SiteNote[] = [];
  const site = siteIdText(history.site);
  const lines = ofSite(history, (note) => notes.push({ site, note }));
  return { site: history.site, text: lines.join(''), notes };
}

/** A part of a file, in pieces. */
async function* writePart(
  { begin, summary, end }: Part,
  sites: AsyncIterable<PartOfSite> | Iterable<PartOfSite>,
  fileNotes: FileNotes,
): AsyncGenerator<string> {
  let text = begin;
  for await (const each of sites) {
    text += fileNotes.sayAbout(each.site, each.notes) + each.text;
    if (text.length < PIECE_LENGTH) continue;
    yield text;
    text = '';
  }
  const summaries = summary?.() ?? [];
  text += summaries.map((note) => fileNotes.say(note)).join('');
  yield text + fileNotes.sayZeros() + end;
}

/** A part that is written after another one, of Sites that were read for both. */
interface LaterPart {
  part: Part;
  sites: PartOfSite[];
}

/** What a part says about each Site. What later parts say is added to these. */
async function* writeTogether(
  part: Part,
  later: readonly LaterPart[],
  histories: AsyncIterable<SiteHistory>,
): AsyncGenerator<PartOfSite> {
  for await (const history of histories) {
    for (const { part: each, sites } of later) sites.push(writePartOfSite(each, history));
    yield writePartOfSite(part, history);
  }
}

/** Writes a file of some Sites, in pieces, which are made when the client is ready for them. */
export async function* writeSites(
  source: HistoriesSource,
  file: SiteFile,
  numbers: number[],
  options: HistoryOptions,
  onNote: OnNote,
): AsyncGenerator<string> {
  const fileNotes = new FileNotes(file, onNote);
  const isReadOnce = numbers.length <= MOST_READ_ONCE;
  const groups = isReadOnce ? [file.parts] : file.parts.map((part) => [part]);
  for (const [first, ...others] of groups) {
    const later = others.map((part): LaterPart => ({ part, sites: [] }));
    const histories = historiesOf(source, numbers, options);
    yield* writePart(first!, writeTogether(first!, later, histories), fileNotes);
    for (const { part, sites } of later) yield* writePart(part, sites, fileNotes);
  }
  const end = fileNotes.end();
  if (end !== '') yield end;
}
