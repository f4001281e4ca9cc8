import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Resolves a path inside the package; this module is in `dist/src/cli`, and bundled in `dist/src/bundle`. */
const file = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** The folder of the exported contract. */
export const CONTRACT_FOLDER = file('schemas/json');
/** The folder with the site logs of the sample network. */
export const SAMPLE_NETWORK = file('data/site-logs');

/** The folder with the scripts that complete the command in shells. */
export const COMPLETION_FOLDER = file('src/cli/completion');
/** The folder where Node.js keeps the compiled code of the command. */
export const COMPILE_CACHE = file('dist/compile-cache');

/** The version of the package. */
export function version(): string {
  return (JSON.parse(readFileSync(file('package.json'), 'utf8')) as { version: string }).version;
}
