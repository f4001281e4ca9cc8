import v8 from 'node:v8';

/**
 * Spares an import some collections of garbage. To be called after all modules are loaded: with other flags, V8 does not use what it
 * has cached of them.
 */
export function collectLessOften(): void {
  // Otherwise, if the first objects of a kind live long, V8 allocates all later ones in the old generation, which only a full
  // collection frees. These would be the elements of logs in XML, with all texts in them.
  v8.setFlagsFromString('--no-allocation-site-pretenuring');
  // The heap may double before a full collection. That of the service, which runs on, may grow by half.
  v8.setFlagsFromString('--heap-growing-percent=100');
}
