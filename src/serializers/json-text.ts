/**
 * JSON text that a serializer of a schema wrote before, to be sent as it is.
 * @typeParam T what the text stands for
 */
export class JsonText<T> {
  constructor(readonly text: string) {}

  /** What the text stands for. Each read parses the text. */
  get value(): T {
    return JSON.parse(this.text) as T;
  }
}

/** A value that a serializer accepts for `T`: any part of it may have been written before. */
export type Sendable<T> =
  | T
  | JsonText<T>
  | (T extends readonly (infer E)[]
      ? readonly Sendable<E>[]
      : T extends object
        ? { [Name in keyof T]: Sendable<T[Name]> }
        : never);

/** What a value stands for, whether or not it was written before. */
export const parsedValue = <T>(value: T | JsonText<T>): T =>
  value instanceof JsonText ? value.value : value;

/**
 * A text of the database as it is sent, if the serializers of this version wrote it; otherwise its
 * value, which they will write.
 */
export const fromText = <T>(text: string, isOfThisVersion: boolean): T | JsonText<T> =>
  isOfThisVersion ? new JsonText<T>(text) : (JSON.parse(text) as T);
