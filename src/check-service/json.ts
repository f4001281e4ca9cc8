export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member of a value. Nested members use a dot: `effectivePeriod.from`. */
export const memberOf = (value: Json | undefined, path: string): Json | undefined =>
  path.split('.').reduce<Json | undefined>((each, name) => (isObject(each) ? each[name] : undefined), value);

/** Whether two values are the same document. The order of members counts. */
export const same = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses JSON in UTF-8. Returns a text that says what is wrong where it cannot. */
export function parseJson(bytes: Buffer): { value: Json } | string {
  try {
    return { value: JSON.parse(utf8.decode(bytes)) as Json };
  } catch (error) {
    return `${bytes.length} bytes that are not JSON in UTF-8 (${(error as Error).message})`;
  }
}
