/** White space other than single blanks, as few texts have it. */
const UNEVEN = /\s{2}|[^\S ]/;

/** A text with a single blank for all white space between words. */
export const withSingleBlanks = (text: string): string =>
  UNEVEN.test(text) ? text.replace(/\s+/g, ' ') : text;

/** A text without line ends, with single blanks, and without blanks around it. */
export const onOneLine = (text: string): string => withSingleBlanks(text).trim();

/** Compares two texts by their code units, which sorts instants in UTC as the times do. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Elements in the order of a text of each. */
export function sortedByText<T>(elements: readonly T[], textOf: (element: T) => string): T[] {
  if (elements.length < 2) return [...elements];
  const texts = new Map(elements.map((each) => [each, textOf(each)]));
  return elements.toSorted((a, b) => compareTexts(texts.get(a)!, texts.get(b)!));
}

/** Texts as an enumeration: `up, north and east`. */
export function enumerated(texts: readonly string[]): string {
  const others = texts.slice(0, -1).join(', ');
  const last = texts.at(-1) ?? '';
  return others === '' ? last : `${others} and ${last}`;
}

/** A receiver or an antenna as the text of a finding: its type and serial number, if known. */
export const deviceInWords = (id: { type: string | null; serialNumber: string | null }): string =>
  [id.type, id.serialNumber].filter((value) => value !== null).join(' ');
