import { WITHHELD } from '../../findings/findings.js';

/**
 * Finds email addresses in text, also where their signs are words, as in `maria (at) example dot
 * org`. It looks for the sign first, then behind it and before it, and no pattern tries again what
 * another has read: a search takes time in proportion to the text.
 */

/** What people put around a word to say that it is a sign: `(at)`, `{dot}`, `_at_`. */
const OPEN = String.raw`[([{<"'*#|~_-]\s?`;
const CLOSE = String.raw`\s?[)\]}>"'*#|~_-]`;
/** The words for the signs, in the languages of the operators. */
const AT_WORD = '(?:at|arroba)';
const DOT_WORD = '(?:dot|punkt|punto|ponto)';

/** @, also encoded, or as a word that is marked as a sign; `(a)` only without blanks around it. */
const MARKED = String.raw`[@\uff20\ufe6b]|%40|&#64;|&#x40;|&commat;|${OPEN}(?:${AT_WORD}|@)${CLOSE}|(?<=[\p{L}\p{N}])[([]a[)\]](?=[\p{L}\p{N}])`;
/** A word that is a sign only if its neighbours say so. */
const AT = new RegExp(String.raw`${MARKED}|(?<=\s)${AT_WORD}(?=\s)`, 'giu');
/** What a text with a sign has in any case. Most texts have none of it, and are passed quickly. */
const MAY_HAVE_SIGN = /[@\uff20\ufe6b%&]|(?<![a-z])(?:at|arroba)(?![a-z])|[([]a[)\]]/i;
/** The end of a file's name, which also has words between low lines: `dome_at_night.jpg`. */
const FILE = /\.(?:csv|gif|html?|jpe?g|log|pdf|png|tiff?|txt|xml|zip)$/i;
const JOINED = /^[_-]/;
/** A server in place of the domain of an address. */
const SERVER = /^(?:www|ftp)\./i;

/** A dot that is not written as one. `point` is one only in brackets. */
const SPELT_DOT = String.raw`(?:\s{0,4}${OPEN}(?:${DOT_WORD}|point|\.)${CLOSE}\s{0,4}|\s{1,4}(?:${DOT_WORD}|\.)\s{1,4}|&#46;|&#x2e;|&period;)`;
const HAS_SPELT_DOT = new RegExp(SPELT_DOT, 'iu');
/** Its length is limited, so that many signs without a blank between them take linear time. */
const NAME_PART = String.raw`[\p{L}\p{N}._%+-]{1,512}`;
/** The name that ends before a sign. A lookbehind is matched from its end, in one pass. */
const NAME = new RegExp(
  String.raw`(?<=((?:${NAME_PART}${SPELT_DOT}){0,8}${NAME_PART})\s{0,4})`,
  'iuy',
);
/** A part of a domain, between dots. */
const LABEL = String.raw`[\p{L}\p{N}-]{1,64}`;
/** The last part, which begins with letters: `20.0C` and `1.57GHz` are no domains. */
const LAST_LABEL = String.raw`(?:\.\n?\p{L}{2}|${SPELT_DOT}\p{L})[\p{L}\p{N}-]{0,62}`;
/** The domain behind a sign, of up to nine parts. A dot may be at the end of a line. */
const DOMAIN = new RegExp(
  String.raw`\s{0,4}(${LABEL}(?:(?:\.\n?|${SPELT_DOT})${LABEL}){0,7}${LAST_LABEL})`,
  'iuy',
);

/** What a pattern finds at a place in a text. */
function foundAt(pattern: RegExp, text: string, place: number): RegExpExecArray | null {
  pattern.lastIndex = place;
  return pattern.exec(text);
}

/** Whether a sign between a name and a domain is one, and not a word of prose or a file's name. */
function isSign(sign: string, name: string, domain: string): boolean {
  if (JOINED.test(sign)) return !FILE.test(domain);
  if (!/^\p{L}/u.test(sign) || HAS_SPELT_DOT.test(domain)) return true;
  if (SERVER.test(domain)) return false;
  // `maria AT example.org`: the word is in other letters than its neighbours.
  if (sign === 'AT' && /^\p{Ll}/u.test(name) && /^\p{Ll}/u.test(domain)) return true;
  // `maria.sample at example.org`: other words have no dot inside, or name a file.
  return /\p{L}[._]\p{L}/u.test(name) && !FILE.test(name);
}

/** A text without the email addresses in it. */
export function withoutMailAddresses(text: string): string {
  if (!MAY_HAVE_SIGN.test(text)) return text;
  const parts: string[] = [];
  let end = 0;
  for (const { 0: sign, index } of text.matchAll(AT)) {
    const domain = foundAt(DOMAIN, text, index + sign.length);
    const name = domain === null ? null : foundAt(NAME, text, index)?.[1];
    if (domain === null || name === null || name === undefined) continue;
    if (!isSign(sign, name, domain[1]!)) continue;
    const begin = text.lastIndexOf(name, index - name.length);
    // Two addresses may have a part in common: a@b.org@c.org.
    if (begin >= end) parts.push(text.slice(end, begin));
    end = Math.max(end, DOMAIN.lastIndex);
  }
  return parts.length === 0 ? text : [...parts, text.slice(end)].join(WITHHELD);
}
