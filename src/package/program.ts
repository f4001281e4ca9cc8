import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { Dependency } from './dependencies.js';
import { type Architecture, ROOT } from './places.js';

/** The file that runs, in the folder of the program. */
export const ENTRY = 'dist/src/bundle/main.js';

/**
 * Packages that the command does not load: one is bundled, one has types only, and one is for
 * compilers.
 */
const NOT_LOADED = ['@sinclair/typebox', 'openapi-typescript-helpers', 'node-addon-api'];
/** Files that packages publish but no program loads. */
const NOT_PROGRAM = new RegExp(
  [
    '^(tests?|integration|benchmarks?|docs|examples?|types|bin|scripts|node_modules)$',
    String.raw`(^|/)(\.[^/]*|eslint\.config\.\w+|bin\.js)$`,
  ].join('|'),
);
const LOADED = ['.js', '.cjs', '.mjs', '.json', '.node'];
/** The maps that the pages and the checks use. */
const MAPS = ['land-110m.json', 'countries-50m.json'];

/**
 * Copies the files that a package loads: no sources, declarations, maps, tests or binaries for
 * other machines.
 */
function copyPackage({ name, folder }: Dependency, to: string, { node }: Architecture): void {
  const from = join(ROOT, folder);
  cpSync(from, join(to, folder), {
    recursive: true,
    filter: (path) => {
      const file = path.slice(from.length + 1);
      if (NOT_PROGRAM.test(file)) return false;
      if (lstatSync(path).isDirectory())
        return !(name === 'better-sqlite3' && /^(src|deps)$/.test(file));
      if (name === 'world-atlas' && file !== 'package.json') return MAPS.includes(file);
      if (extname(path) === '.node') return file === `prebuilds/linux-${node}.node`;
      return LOADED.includes(extname(path));
    },
  });
}

/** Writes a file, with the folders above it. */
export function write(path: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode });
}

/** Gives a finished package its name, in one step: nobody can install a part of it. */
export function putInPlace(built: string, file: string): void {
  const partial = `${file}.partial`;
  copyFileSync(built, partial);
  renameSync(partial, file);
}

/** Gives all folders and files the modes that a package needs, independently of the clone. */
function setModes(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) setModes(path);
    else chmodSync(path, 0o644);
  }
}

/** Copies the service, its dependencies, Node.js and the sample network to a folder. */
export function copyProgram(
  folder: string,
  dependencies: Dependency[],
  architecture: Architecture,
): void {
  for (const dependency of dependencies.filter(({ name }) => !NOT_LOADED.includes(name)))
    copyPackage(dependency, folder, architecture);
  const bundle = 'dist/src/bundle';
  // Earlier builds have left others.
  const { files } = JSON.parse(readFileSync(join(ROOT, bundle, 'build.json'), 'utf8')) as {
    files: string[];
  };
  for (const file of ['build.json', ...files.filter((each) => !each.endsWith('.map'))])
    cpSync(join(ROOT, bundle, file), join(folder, bundle, file));
  for (const path of ['schemas/json', 'data/site-logs'])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  copyFileSync(join(ROOT, 'data/README.md'), join(folder, 'data/README.md'));
  const { name, version, description, license, type } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<string, string>;
  write(
    join(folder, 'package.json'),
    `${JSON.stringify({ name, version, description, license, private: true, type }, null, 2)}\n`,
  );
  mkdirSync(join(folder, 'bin'));
  copyFileSync(join(ROOT, 'node_modules/node/bin/node'), join(folder, 'bin/node'));
  setModes(folder);
  chmodSync(join(folder, 'bin/node'), 0o755);
}
