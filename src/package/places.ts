/**
 * The root folder of the project; this module is in `dist/src/package`, and in `src/package` where
 * tests load it.
 */
export const ROOT = import.meta.dirname.replace(/(\/dist)?\/src\/package$/, '');

/** Where the Debian package puts the program. */
export const PROGRAM = '/usr/lib/gnss-site-setups';
/** The folder of the data that the service writes; its user owns it. */
export const STATE = '/var/lib/gnss-site-setups';
/** The settings file of an installed service. */
export const CONFIG = '/etc/gnss-site-setups/config';
/** The database of an installed service. */
export const DATABASE = `${STATE}/gnss-site-setups.sqlite`;

/** The names of an architecture: in Node.js, npm packages and the tarball, and in Debian. */
export interface Architecture {
  node: 'x64' | 'arm64';
  debian: 'amd64' | 'arm64';
}

/** The build failed; the message says what to do. */
export class PackageFailed extends Error {
  override readonly name = 'PackageFailed';
}
