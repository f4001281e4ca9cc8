/** A text without line ends, with single blanks, and without blanks around it. */
export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Texts as an enumeration: `up, north and east`. */
export function enumerated(texts: readonly string[]): string {
  const others = texts.slice(0, -1).join(', ');
  const last = texts.at(-1) ?? '';
  return others === '' ? last : `${others} and ${last}`;
}

/** A receiver or an antenna as the text of a finding: its type and serial number, if known. */
export const deviceInWords = (id: { type: string | null; serialNumber: string | null }): string =>
  [id.type, id.serialNumber].filter((value) => value !== null).join(' ');
