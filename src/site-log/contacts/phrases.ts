import { WITHHELD } from '../../findings/findings.js';

/** Finds many phrases in a text in one pass. */

/** A character of a word. */
const LETTER = /^[\p{L}\p{N}]$/u;
/** What separates words. Satellite systems are joined by "+". */
const SEPARATOR = /[\s+]/;
/** The form in which all separators are compared, because words may be on several lines. */
const BLANK = ' ';

/** What a character is. Words and separators have several of them; another character is alone. */
const UNKNOWN = 0;
const IN_WORD = 1;
const IN_SEPARATOR = 2;
const OTHER = 3;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** What each character of 16 bits is, once it was looked at: patterns take much longer. */
const KNOWN = new Uint8Array(2 ** 16);

function kindOf(character: string): number {
  if (LETTER.test(character)) return IN_WORD;
  return SEPARATOR.test(character) ? IN_SEPARATOR : OTHER;
}

/** What the character at a place of a text is. */
function kindAt(text: string, place: number): number {
  const code = text.charCodeAt(place);
  if (code >= FIRST_SURROGATE && code <= LAST_SURROGATE)
    return kindOf(String.fromCodePoint(text.codePointAt(place)!));
  if (KNOWN[code] === UNKNOWN) KNOWN[code] = kindOf(text[place]!);
  return KNOWN[code]!;
}

/** The place behind the character at a place of a text. */
const behind = (text: string, place: number): number =>
  place + (text.codePointAt(place)! > 0xffff ? 2 : 1);

/** A word, what separates words, or another character. */
interface Token {
  /** As it is compared: without case, and the same for all separators. */
  key: string;
  to: number;
}

/** The token that begins at a place of a text. */
function tokenAt(text: string, from: number): Token {
  const kind = kindAt(text, from);
  let to = behind(text, from);
  if (kind !== OTHER) while (to < text.length && kindAt(text, to) === kind) to = behind(text, to);
  return { key: kind === IN_SEPARATOR ? BLANK : text.slice(from, to).toUpperCase(), to };
}

/** The tokens of a phrase, without separators at its ends. */
function keysOf(phrase: string): string[] {
  const keys: string[] = [];
  for (let from = 0; from < phrase.length;) {
    const { key, to } = tokenAt(phrase, from);
    keys.push(key);
    from = to;
  }
  const isWord = (key: string): boolean => key !== BLANK;
  return keys.slice(keys.findIndex(isWord), keys.findLastIndex(isWord) + 1);
}

/** A text as phrases are compared: one has the other as a part if it has its words in a row. */
export const comparable = (text: string): string => `\0${keysOf(text).join('\0')}\0`;

/** A state of the search: the longest beginning of a phrase that the text read so far ends with. */
interface State {
  next: Map<string, State>;
  /** The failure link: the state of the longest shorter prefix that the text also ends with. */
  shorter: State | null;
  depth: number;
  /** The number of tokens of the longest phrase that ends here, 0 if none does. */
  longest: number;
}

const newState = (depth: number): State => ({
  next: new Map(),
  shorter: null,
  depth,
  longest: 0,
});

/**
 * Phrases to find in texts, whole words only and without regard to case (the algorithm of Aho and
 * Corasick, over words). A search takes time in proportion to the text, however many phrases there
 * are and whatever they have in common.
 */
export class Phrases {
  private readonly start = newState(0);
  /** The most tokens of a phrase. */
  private longest = 0;
  /** Whether all phrases have a separator, so that a text without one has none of them. */
  private areSeparated = true;

  constructor(phrases: readonly string[]) {
    for (const phrase of phrases) this.add(keysOf(phrase));
    this.linkShorter();
  }

  private add(keys: string[]): void {
    let state = this.start;
    for (const key of keys) {
      const next = state.next.get(key) ?? newState(state.depth + 1);
      state.next.set(key, next);
      state = next;
    }
    state.longest = state.depth;
    this.areSeparated &&= keys.includes(BLANK);
    this.longest = Math.max(this.longest, state.depth);
  }

  /** Links each state to its shorter one, in the order of their depth. */
  private linkShorter(): void {
    const states = [this.start];
    for (const state of states) {
      for (const [key, next] of state.next) {
        next.shorter = state === this.start ? this.start : this.after(state.shorter!, key);
        next.longest ||= next.shorter.longest;
        states.push(next);
      }
    }
  }

  /** The state after another token. */
  private after(state: State, key: string): State {
    let from: State | null = state;
    while (from !== null) {
      const next = from.next.get(key);
      if (next !== undefined) return next;
      from = from.shorter;
    }
    return this.start;
  }

  /** The parts of a text that are phrases, in order. Phrases that overlap are one part. */
  private partsOf(text: string): { from: number; to: number }[] {
    const parts: { from: number; to: number }[] = [];
    // Most values of a log are one word.
    if (this.areSeparated && !SEPARATOR.test(text)) return parts;
    // Where the last tokens begin, as many as a phrase can have.
    const begins = new Array<number>(this.longest).fill(0);
    let state = this.start;
    let count = 0;
    for (let from = 0, to = 0; from < text.length; from = to) {
      const token = tokenAt(text, from);
      to = token.to;
      begins[count % this.longest] = from;
      count++;
      state = this.after(state, token.key);
      if (state.longest === 0) continue;
      let begin = begins[(count - state.longest) % this.longest]!;
      // The "+" of a telephone number.
      if (text[begin - 1] === '+') begin--;
      while (parts.length > 0 && parts.at(-1)!.to > begin) {
        begin = Math.min(begin, parts.pop()!.from);
      }
      parts.push({ from: begin, to });
    }
    return parts;
  }

  /** A text without these phrases. */
  withheldIn(text: string): string {
    if (this.longest === 0) return text;
    const kept: string[] = [];
    let end = 0;
    for (const { from, to } of this.partsOf(text)) {
      kept.push(text.slice(end, from));
      end = to;
    }
    return end === 0 ? text : [...kept, text.slice(end)].join(WITHHELD);
  }
}
