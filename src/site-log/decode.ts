/** A text and the bytes that it was decoded from. */
interface Decoded {
  text: string;
  /** The encoding as Buffer names it; null for Windows-1252, which has one byte for each character. */
  encoding: 'utf8' | 'utf16le' | 'utf16be' | null;
  /** How many bytes are before the text: those of the byte order mark. */
  mark: number;
}

function decoded(bytes: Uint8Array): Decoded {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'utf16le', mark: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'utf16be', mark: 2 };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, encoding: 'utf8', mark: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0 };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: null, mark: 0 };
  }
}

/** The text of a file in UTF-8 (with or without a byte order mark), UTF-16 (with one) or Latin-1. */
export const decode = (bytes: Uint8Array): string => decoded(bytes).text;

/** Replaces parts of the text of a file. All other bytes stay. @param edits in order; their texts are ASCII */
export function replaceIn(bytes: Uint8Array, edits: { text: string; begin: number; end: number }[]): Uint8Array {
  const { text, encoding, mark } = decoded(bytes);
  const width = encoding === null ? 1 : 2;
  const sizeOf = (begin: number, end: number): number =>
    encoding === 'utf8' ? Buffer.byteLength(text.slice(begin, end)) : width * (end - begin);
  const encoded = (part: string): Buffer =>
    encoding === 'utf16be' ? Buffer.from(part, 'utf16le').swap16() : Buffer.from(part, encoding ?? 'latin1');
  const parts: Uint8Array[] = [bytes.subarray(0, mark)];
  let [at, byte] = [0, mark];
  for (const edit of edits) {
    const next = byte + sizeOf(at, edit.begin);
    parts.push(bytes.subarray(byte, next), encoded(edit.text));
    byte = next + sizeOf(edit.begin, edit.end);
    at = edit.end;
  }
  return Buffer.concat([...parts, bytes.subarray(byte)]);
}
