/** A text without line ends, with single blanks, and without blanks around it. */
export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Texts as an enumeration: `up, north and east`. */
export function enumerated(texts: readonly string[]): string {
  const others = texts.slice(0, -1).join(', ');
  const last = texts.at(-1) ?? '';
  return others === '' ? last : `${others} and ${last}`;
}
