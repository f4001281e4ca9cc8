export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/** Whether a value is an object, not an array. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The elements of an array; none if the value is not an array. */
export const elementsOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/** A member of a value. Nested members use a dot: `effectivePeriod.from`. */
export const memberOf = (value: Json | undefined, path: string): Json | undefined =>
  path
    .split('.')
    .reduce<Json | undefined>(
      (each, name) => (isObject(each) && Object.hasOwn(each, name) ? each[name] : undefined),
      value,
    );
