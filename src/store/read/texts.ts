import { JsonText } from '../../serializers/json-text.js';

/** A stored text as it is sent, if the serializers of this version wrote it; otherwise its value, which they will write. */
export const fromText = <T>(text: string, isOfThisVersion: boolean): T | JsonText<T> =>
  isOfThisVersion ? new JsonText<T>(text) : (JSON.parse(text) as T);
