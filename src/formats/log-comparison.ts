import type { ComparedLog, LogChange } from '../../schemas/index.js';
import { SECTIONS } from '../site-log/sections/index.js';
import { onOneLine, withSingleBlanks } from '../words.js';

/** Writes what changed between two versions of a site log as text: one line for each change. */

/** The most characters of a value or item that are written. */
const LONGEST = 90;
/** How many equal characters are written before the first difference of long texts. */
const CONTEXT = 20;

const ELLIPSIS = '…';

/** The beginning of a text. */
function beginningOf(text: string): string {
  if (text.length <= LONGEST) return text;
  const cut = text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '');
  return cut.trimEnd() + ELLIPSIS;
}

/** How many characters two texts begin with in common. */
function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** A text from shortly before a place. */
function textFrom(text: string, place: number): string {
  const start = text.lastIndexOf(' ', Math.max(place - CONTEXT, 0)) + 1;
  return start === 0 ? text : ELLIPSIS + text.slice(start);
}

/** Two texts on one line each. Long ones are shown from shortly before their first difference. */
function shortened(before: string, after: string): [string, string] {
  const one = onOneLine(before);
  const other = onOneLine(after);
  const isShort = one.length <= LONGEST && other.length <= LONGEST;
  if (isShort) return [one, other];
  const place = commonLength(one, other);
  return [beginningOf(textFrom(one, place)), beginningOf(textFrom(other, place))];
}

/** What is shown for a value that a log leaves blank. */
const BLANK = '(blank)';

/** The values with drawings. */
const DRAWINGS: ReadonlySet<string | null> = new Set(
  Object.values(SECTIONS).flatMap(({ rows }) =>
    Object.keys(rows).filter((member) => rows[member]!.kind === 'drawing'),
  ),
);

/** Whether the value of a change is a drawing, which means nothing on one line. */
export const isDrawing = ({ member }: LogChange): boolean => DRAWINGS.has(member);

const drawingWords = (drawing: string): string => `drawing of ${drawing.split('\n').length} lines`;

/** The value before and after a change, on one line each. */
function wordsOf(change: LogChange): [string, string] {
  const { before, after } = change;
  if (!isDrawing(change)) return shortened(before ?? BLANK, after ?? BLANK);
  const old = before === null ? BLANK : drawingWords(before);
  const now = after === null ? BLANK : drawingWords(after);
  return [old, old === now ? `another ${now}` : now];
}

/** A change in one line: `4.2 Antenna: radome NONE → SCIT`. */
export function logChangeLine(change: LogChange): string {
  const item = change.number === null ? change.item : `${change.number} ${change.item}`;
  if (change.change === 'changed') {
    const [before, after] = wordsOf(change);
    return `${item}: ${change.value} ${before} → ${after}`;
  }
  const words = withSingleBlanks((change.after ?? change.before)!);
  return `${item} ${change.change}: ${beginningOf(words)}`;
}

/** Names a log in a sentence: its file, and when it was prepared. */
const logWords = ({ name, datePrepared }: ComparedLog): string =>
  `${name} (${datePrepared === null ? 'date unknown' : `prepared ${datePrepared}`})`;

/** How much changed: "2 values changed, 1 item added". */
export function logChangesCounted(changes: readonly LogChange[]): string {
  const words: string[] = [];
  const add = (kind: LogChange['change'], noun: string): void => {
    const count = changes.filter(({ change }) => change === kind).length;
    if (count > 0) words.push(`${count} ${noun}${count === 1 ? '' : 's'} ${kind}`);
  };
  add('changed', 'value');
  add('added', 'item');
  add('removed', 'item');
  return words.length === 0 ? 'no differences' : words.join(', ');
}

/** How much changed between which logs, in one line. */
export const logChangesSummary = (
  older: ComparedLog,
  newer: ComparedLog,
  changes: readonly LogChange[],
): string => `${logWords(older)} → ${logWords(newer)}: ${logChangesCounted(changes)}`;
