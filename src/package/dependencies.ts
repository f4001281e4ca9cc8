import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PackageFailed, ROOT } from './places.js';

/** A third-party package that is part of ours. */
export interface Dependency {
  name: string;
  version: string;
  /** Its folder, relative to the root: `node_modules/ajv/node_modules/fast-uri`. */
  folder: string;
  /** The license that its package.json names. */
  license: string;
  /** The text of its license. */
  text: string;
}

interface Locked {
  version: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
}

/**
 * License texts that packages lack, by package and version, so that each new version is checked
 * again.
 */
const LICENSES = join(ROOT, 'src', 'package', 'licenses');

/** The text of a license in a folder; null if there is none. */
function licenseIn(folder: string): string | null {
  const name = existsSync(folder)
    ? readdirSync(folder).find((each) => /^licen[cs]e(\.\w+)?$/i.test(each))
    : undefined;
  return name === undefined ? null : readFileSync(join(folder, name), 'utf8');
}

/** @throws {PackageFailed} if a license has no name or no text */
function withLicense(
  name: string,
  version: string,
  folder: string,
  license: string | undefined,
  textIn = folder,
): Dependency {
  const ours = join(LICENSES, `${name.replace('/', '-')}-${version}.txt`);
  const text =
    licenseIn(join(ROOT, textIn)) ?? (existsSync(ours) ? readFileSync(ours, 'utf8') : '');
  if (license === undefined || text.trim() === '') {
    throw new PackageFailed(
      `${name} ${version} has no license ${license === undefined ? 'name' : 'text'}; ` +
        `look it up, and write ${ours}`,
    );
  }
  return { name, version, folder, license, text: text.replaceAll('\r\n', '\n').trimEnd() };
}

/**
 * The production dependencies, as package-lock.json has them.
 * @throws {PackageFailed} if one is not installed, or has no license
 */
export function productionDependencies(): Dependency[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  return Object.entries(packages)
    .filter(
      ([folder, { dev, devOptional }]) => folder !== '' && dev !== true && devOptional !== true,
    )
    .map(([folder, { version, license }]) => {
      const name = folder.replace(/^.*node_modules\//, '');
      const manifest = join(ROOT, folder, 'package.json');
      const installed = existsSync(manifest)
        ? (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
        : 'missing';
      if (installed !== version)
        throw new PackageFailed(
          `${folder} is ${installed}; package-lock.json has ${version}; run npm ci`,
        );
      return withLicense(name, version, folder, license);
    });
}

/** Node.js itself. Its license is in the npm package for the platform. */
export function nodeDependency(version: string, architecture: string): Dependency {
  const folder = 'node_modules/node';
  const platform = join(folder, 'node_modules', `node-linux-${architecture}`);
  if (licenseIn(join(ROOT, platform)) === null) {
    throw new PackageFailed(
      `${platform} has no license of Node.js, because npm install removes it; run npm ci`,
    );
  }
  return withLicense('node', version, folder, 'MIT', platform);
}

/** The licenses of all packages in one text, sorted by name. */
export const licenseTexts = (dependencies: Dependency[]): string =>
  dependencies
    .map(
      ({ name, version, license, text }) =>
        `${name} ${version} (${license})\n${'='.repeat(72)}\n\n${text}\n`,
    )
    .sort()
    .join('\n\n');
