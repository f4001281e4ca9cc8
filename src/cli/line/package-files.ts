import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the package: this module is in `src/cli/line`, and bundled in `src/bundle`. */
const PACKAGE_FOLDER = import.meta.dirname.replace(/(\/dist)?\/src\/[^/]+(\/line)?$/, '');

const file = (path: string): string => join(PACKAGE_FOLDER, path);

/** The folder of the exported contract. */
export const CONTRACT_FOLDER = file('schemas/json');
/** The folder with the site logs of the sample network. */
export const SAMPLE_NETWORK = file('data/site-logs');
/** The folder where Node.js keeps the compiled code of the command. */
export const COMPILE_CACHE = file('dist/compile-cache');

/** Which build this is. */
export interface Build {
  /** The version of the package. */
  version: string;
  /** The commit that it was built from; null if that is unknown. */
  revision: string | null;
  /**
   * Both in one, as packages have it: `0.1.0~12.gabc1234` before the release of 0.1.0, and
   * `0.1.0+1.gabc1234` after it.
   */
  build: string;
}

/** The build of this program, as `npm run build` wrote it. */
export const thisBuild = (): Build =>
  JSON.parse(readFileSync(file('dist/src/bundle/build.json'), 'utf8')) as Build;
