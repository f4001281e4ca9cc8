import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shell } from '../cli/line/completion.js';
import { packageFiles, tarballFolder } from './names.js';
import { type Dependency, licenseTexts } from './dependencies.js';
import { type Architecture, ROOT } from './places.js';
import { copyProgram, ENTRY, putInPlace, write } from './program.js';
import { run, tar } from './run.js';
import { guides } from './texts.js';

const LAUNCHER = `#!/bin/sh
# Runs the command with the Node.js beside it. This file may be linked from elsewhere.
folder=$(dirname -- "$(readlink -f -- "$0")")/..
exec "$folder/bin/node" "$folder/${ENTRY}" "$@"
`;

/** The parts of the packages. */
export interface Parts {
  version: string;
  /** The time of all files. */
  date: Date;
  architecture: Architecture;
  /** The dependencies of the service, and Node.js. */
  dependencies: Dependency[];
  node: Dependency;
  /**
   * The manual page, the settings file and the scripts for shells, which are generated from the
   * command lines.
   */
  manual: string;
  config: string;
  completion: Record<Shell, string>;
  /** Compresses less, for tests. */
  fast: boolean;
}

/** Writes the self-contained tarball, and returns its file. */
export async function writeTarball(parts: Parts, output: string, work: string): Promise<string> {
  const { version, date, architecture, dependencies, node, manual, config, completion, fast } =
    parts;
  const name = tarballFolder(version, architecture);
  const folder = join(work, name);
  copyProgram(folder, dependencies, architecture);
  write(join(folder, 'bin/gnss-site-setups'), LAUNCHER, 0o755);
  write(join(folder, 'LICENSES.txt'), licenseTexts([...dependencies, node]));
  for (const [guide, text] of Object.entries(guides()))
    write(join(folder, 'share/doc', guide), text);
  write(join(folder, 'share/man/man1/gnss-site-setups.1'), manual);
  write(join(folder, 'share/bash-completion/completions/gnss-site-setups'), completion.bash);
  write(join(folder, 'share/zsh/site-functions/_gnss-site-setups'), completion.zsh);
  write(join(folder, 'share/config'), config);
  const units = join(ROOT, 'src/package/systemd');
  for (const unit of readdirSync(units))
    write(join(folder, 'share/systemd', unit), readFileSync(join(units, unit)));
  const file = join(output, packageFiles(version, architecture).tarball);
  const archive = join(work, `${name}.tar`);
  await tar(work, date, ['-cf', archive, name]);
  // Without the name and time of the file.
  await run('gzip', ['-n', fast ? '-1' : '-6', archive]);
  putInPlace(`${archive}.gz`, file);
  return file;
}
