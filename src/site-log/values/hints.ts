import { LONGEST_VALUE } from './limits.js';

/**
 * Decides what is a hint of the blank form: what the form prints in place of a value. Nothing else
 * does: values, the account of lines and blank templates ask the same function.
 */

/**
 * The hints of all editions of the form (IGS site log, versions 1 and 2.0), as operators have
 * edited them, in lower case and without parentheses and spaces.
 */
const HINTS: RegExp[] = [
  /^$/,
  /^[af]\d+(\.\d+)?$/, // A4, A9, A11, F8.4
  /^a[\d*]+,.*(rcvr_ant\.tab|sinex)/, // A20, from rcvr_ant.tab; see instructions
  /^a\d+fromrcvr_ant\.tab/,
  // A date in it, as in (CCYY-MM-DD/1999-08-18), is a value.
  /^[-/]*(ccyy|yyyy)-?mm-?dd[-/:cymdhtzus]*$/,
  /^d{1,2}-?mmm-?y{2,4}[-/:cymdhtzus]*$/, // dd-MMM-yyyy hh:mm UT
  /^(none|n\/a|unknown)$/,
  /^deg(c|;.*)?$/,
  /^degc\+\/-degc$/, // deg C +/- deg C; see TWO_HINTS
  /^(m|mm|sec|hpa|mbar|%relh|iffdifferent.*|ifexternal|fullname)$/,
  /^noneortoleranceindegrees/,
  /^vendor&typenumber$/,
  /^bpa\/bcr\//,
  /^gps((\+|\/)(glo|glonass|gps))+[a-z+/]*$/,
  /^(internalorexternal|unaspirated\/|fresh\/|igneous\/|bedrock\/|pillar\/|steelrods|chiselledcross|yes\/|new\/|y\/)[\w/,.:;?"-]*$/,
  /^yorurl\??$/,
  /^xxxx$/,
  /^(0cm\/)?1-10cm\/[\d/cmover-]*$/,
  /^((slr|vlbi|localcontrol|footprint|gpscampaign|trilateration|triangulation|permanent|mobile|snratio|datagaps|etc)(\/|$))+$/,
  /^((tv|cellphoneantenna|radar|metalroof|dome|vlbiantenna|trees|buildings|treeclearing|construction|etc)(\/|$))+$/,
  /^(h-?maser|cesium|quartz|rubidium|internal|external)(\/(h-?maser|cesium|quartz|rubidium|internal|external|etc))+$/,
  /^\+\/-d+mmss\.ss$/,
  /^(ssss|xxxx)(mrccc)?_ccyymmdd\.log$/,
  /^n\.n,n\.n/,
  /^inserttextgraphic(from[\w,.:;"-]*)?$/,
  /^(eurasian|africa|northamerican)[^)]*\//,
  // Examples of any edition: a/b/etc, a, b, etc., a/b/..
  /^[^()]*[/,](etc\.?|\.{2,3})$/,
];
/** Two thirds of the hints in real logs. They are passed quickly. */
const FREQUENT: ReadonlySet<string> = new Set([
  '(multiple lines)',
  '(m)',
  '(CCYY-MM-DD/CCYY-MM-DD)',
  '(CCYY-MM-DDThh:mmZ)',
  '(CCYY-MM-DD)',
  '(F8.4)',
  '(sec)',
  '(Y or URL)',
  '(UNASPIRATED/NATURAL/FAN/etc)',
  '(A20, from rcvr_ant.tab; see instructions)',
  '(vendor & type number)',
  '(none or tolerance in degrees C)',
]);
/**
 * A text in parentheses. What has text behind its first closing parenthesis is more than a hint,
 * such as a drawing below `(insert text graphic ...)`; so is a text with a parenthesis inside.
 */
const IN_PARENTHESES = /^\(+[^()]*\)+$/;
/** A text that may lack one of its parentheses. */
const MAYBE_CUT = /^\(*[^()]*\)*$/;
/** Two hints for one value, such as `(deg C) +/- (deg C)`. */
const TWO_HINTS = /^(\([^()]*\))\s*(?:[-/]|\+\/-)?\s*(\([^()]*\)?)$/;
/** Any hint. */
const HINT = new RegExp(HINTS.map(({ source }) => source).join('|'));

/**
 * The hint `(multiple lines)`, also misspelt or not closed, at the start of a value; operators
 * write the value behind it.
 */
const MULTIPLE_LINES = /^(?:\(\s*mu[eilpt]{2,8}[\s-]*lines?\s*\)?\s*)+/i;

/** A word for "unknown", also with signs around it: `None.`, `-none-`. */
const NO_VALUE =
  /^(?:-+|\?+|[-*"'<[{.]*\b(?:none|nil|n[/\\-]a|n\.a|unknown|unkwn|unkn|unk|not known|not available|not applicable)[-*"'>\]}.!]*)$/i;

/** Whether a text is a word for "unknown", such as `n/a`. */
export const isNoValue = (text: string): boolean =>
  text.length <= LONGEST_VALUE && NO_VALUE.test(text);

/** A text without the hint `(multiple lines)` in front of it. */
export const behindMultipleLines = (text: string): string => text.replace(MULTIPLE_LINES, '');

/** What stands where nothing is named, but may be a value elsewhere. */
const NAMES_NOTHING = /^\W*(no|na|null|void|empty|tb[acd]|x{2,}|not [a-z]+)?\W*$/i;
/** Examples for a name, as the form prints them in parentheses. */
const EXAMPLES = /[/,]\s*etc\W*$|rcvr_ant\.tab|^h-?maser\/|^internal or external/i;

/** Whether what stands where an item is named says that there is nothing to name. */
export function namesNothing(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_VALUE) return false;
  return (
    isHint(trimmed) || isNoValue(trimmed) || NAMES_NOTHING.test(trimmed) || EXAMPLES.test(trimmed)
  );
}

/**
 * Whether a text is a hint of the blank form, such as `(CCYY-MM-DDThh:mmZ)`, or blank. Where a
 * value is expected, only a text in parentheses is one: `A4` can be a value.
 * @param isBare whether a text without parentheses can be a hint
 */
export function isHint(text: string, isBare = false): boolean {
  const trimmed = text.trim();
  if (trimmed === '') return true;
  // Most values are passed quickly.
  if (!isBare && !trimmed.startsWith('(')) return false;
  if (FREQUENT.has(trimmed)) return true;
  const behind = behindMultipleLines(trimmed);
  // A single digit behind it is a slip.
  if (behind.length < trimmed.length) return !/\p{L}|\p{N}[^]*\p{N}/u.test(behind);
  if (trimmed.length > LONGEST_VALUE) return false;
  const [, first, second] = TWO_HINTS.exec(trimmed) ?? [];
  if (second !== undefined) return isHint(first!) && isHint(second, isBare);
  const isInParentheses = IN_PARENTHESES.test(trimmed);
  if (!isInParentheses && !(isBare && MAYBE_CUT.test(trimmed))) return false;
  const words = trimmed.replace(/^\(+|\)+$/g, '');
  if (isInParentheses && isNoValue(words.trim())) return true;
  const hint = words.replace(/\s+/g, '').toLowerCase();
  return HINT.test(hint) || (isBare && hint === 'multiplelines');
}

/**
 * Whether a drawing of several lines is nothing but hints. A hint may take two lines.
 * `(multiple lines)` before a drawing does not count.
 */
export function isBlankDrawing(text: string): boolean {
  const lines = behindMultipleLines(text.trim()).split('\n');
  return isHint(lines.join('\n')) || lines.every((line) => isHint(line));
}
