import { isDeepStrictEqual } from 'node:util';
import { documentsVersion } from '../serializers/documents.js';
import { JsonText } from '../serializers/json-text.js';
import type { Serialize } from '../serializers/serializers.js';

/** A stored text as it is sent, if the serializers of this version wrote it; otherwise its value, which they will write. */
export const fromText = <T>(text: string, writtenBy: number | null): T | JsonText<T> =>
  writtenBy === documentsVersion() ? new JsonText<T>(text) : (JSON.parse(text) as T);

/** A stored text as the serializers of this version write it; unchanged if they would lose content. */
export const inThisForm = (text: string, writtenBy: number | null, write: Serialize): string =>
  writtenBy === documentsVersion() ? text : (writtenAnew(text, write) ?? text);

/**
 * Writes a text anew; null if its value does not fit the schema, or has members that the schema lacks, which would be lost.
 * Such a row stays as it is, without a mark.
 */
export function writtenAnew(text: string, write: Serialize): string | null {
  try {
    const value: unknown = JSON.parse(text);
    const written = write(value);
    return isDeepStrictEqual(JSON.parse(written), value) ? written : null;
  } catch {
    return null;
  }
}
