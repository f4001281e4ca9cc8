import type { Architecture } from './places.js';

/** A version in Debian's form, which sorts 1.0.0-rc.1 before 1.0.0. */
export const debianVersion = (version: string): string => version.replace('-', '~');

/** The folder in the tarball. */
export const tarballFolder = (version: string, { node }: Pick<Architecture, 'node'>): string =>
  `gnss-site-setups-${version}-linux-${node}`;

/** The files of the packages that contain the service. */
export const packageFiles = (version: string, architecture: Architecture) => ({
  debian: `gnss-site-setups_${debianVersion(version)}_${architecture.debian}.deb`,
  tarball: `${tarballFolder(version, architecture)}.tar.gz`,
});
