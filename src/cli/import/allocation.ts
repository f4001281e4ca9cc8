import v8 from 'node:v8';

/**
 * Makes V8 allocate all objects in the young generation. Otherwise, if the first objects of a kind live long, it allocates all later
 * ones in the old generation, which only a full collection frees. These would be the elements of logs in XML, with all texts in them.
 * To be called after all modules are loaded: with another flag, V8 does not use what it has cached of them.
 */
export function turnOffPretenuring(): void {
  v8.setFlagsFromString('--no-allocation-site-pretenuring');
}
