import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Dependency, licenseTexts } from './dependencies.js';
import { debianVersion, packageFiles } from './names.js';
import { CONFIG, PROGRAM, ROOT, STATE } from './places.js';
import { copyProgram, ENTRY, putInPlace, write } from './program.js';
import { run } from './run.js';
import type { Parts } from './tarball.js';
import { guides } from './texts.js';

const SOURCES = join(ROOT, 'src/package');
const DOCUMENTS = 'usr/share/doc/gnss-site-setups';

const LAUNCHER = `#!/bin/sh
# Runs the command with the Node.js of the package and, unless CONFIG is set, the settings of the
# service.
CONFIG="\${CONFIG-${CONFIG}}"
export CONFIG
exec ${PROGRAM}/bin/node ${PROGRAM}/${ENTRY} "$@"
`;

/**
 * The maintainer of the package, from the variables of Debian's own tools. The project itself has
 * no address.
 */
const maintainer = (): string =>
  `${process.env.DEBFULLNAME ?? 'gnss-site-setups maintainers'} ` +
  `<${process.env.DEBEMAIL ?? 'gnss-site-setups@example.org'}>`;

const changelog = (version: string, date: Date): string =>
  [
    `gnss-site-setups (${debianVersion(version)}) unstable; urgency=medium`,
    '',
    '  * See changes.md.',
    '',
    ` -- ${maintainer()}  ${date.toUTCString().replace('GMT', '+0000')}`,
    '',
  ].join('\n');

const copyright = (dependencies: Dependency[]): string => `GNSS site setups

No license has been chosen yet (UNLICENSED): ask the maintainers before you use or redistribute it.
Copyright: the maintainers of GNSS site setups.

The SQLite in better-sqlite3 and the Natural Earth data in world-atlas are in the public domain.
Third-party packages in this package, and their licenses:

${licenseTexts(dependencies)}`;

const gzip = (text: string): Buffer => gzipSync(text, { level: 9 });

/** The files below a folder, relative to it and sorted. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();

/** Writes the files that the package installs. */
function writeFiles(
  { version, date, architecture, dependencies, node, manual, config, completion }: Parts,
  root: string,
): void {
  copyProgram(join(root, PROGRAM), dependencies, architecture);
  write(join(root, 'usr/bin/gnss-site-setups'), LAUNCHER, 0o755);
  write(join(root, CONFIG), config);
  mkdirSync(join(root, STATE, 'site-logs'), { recursive: true });
  const units = join(SOURCES, 'systemd');
  for (const unit of readdirSync(units).filter((name) => name.startsWith('gnss-'))) {
    write(join(root, 'lib/systemd/system', unit), readFileSync(join(units, unit)));
  }
  write(
    join(root, 'usr/lib/sysusers.d/gnss-site-setups.conf'),
    readFileSync(join(units, 'sysusers.conf')),
  );
  write(join(root, 'usr/share/man/man1/gnss-site-setups.1.gz'), gzip(manual));
  write(join(root, 'usr/share/bash-completion/completions/gnss-site-setups'), completion.bash);
  write(join(root, 'usr/share/zsh/vendor-completions/_gnss-site-setups'), completion.zsh);
  write(
    join(root, 'usr/share/lintian/overrides/gnss-site-setups'),
    readFileSync(join(SOURCES, 'debian/lintian-overrides')),
  );
  write(join(root, DOCUMENTS, 'copyright'), copyright([...dependencies, node]));
  write(join(root, DOCUMENTS, 'changelog.gz'), gzip(changelog(version, date)));
  // Not compressed, so that links between them work.
  for (const [guide, text] of Object.entries(guides())) write(join(root, DOCUMENTS, guide), text);
}

/** Writes the control files of dpkg. */
function writeControl({ version, architecture }: Parts, root: string): void {
  const files = filesIn(root);
  const kibibytes = files.reduce(
    (sum, file) => sum + Math.ceil(statSync(join(root, file)).size / 1024),
    0,
  );
  const values: Record<string, string> = {
    VERSION: debianVersion(version),
    ARCHITECTURE: architecture.debian,
    MAINTAINER: maintainer(),
    INSTALLED_SIZE: String(kibibytes),
  };
  const control = readFileSync(join(SOURCES, 'debian/control'), 'utf8').replace(
    /@(\w+)@/g,
    (_, name: string) => values[name]!,
  );
  const sums = files
    .filter((file) => file !== CONFIG.slice(1))
    .map((file) => `${hash('md5', readFileSync(join(root, file)))}  ${file}\n`);
  write(join(root, 'DEBIAN/control'), control);
  write(join(root, 'DEBIAN/md5sums'), sums.join(''));
  write(join(root, 'DEBIAN/conffiles'), `${CONFIG}\n`);
  for (const script of ['postinst', 'prerm', 'postrm']) {
    write(join(root, 'DEBIAN', script), readFileSync(join(SOURCES, 'debian', script)), 0o755);
  }
}

/** Writes the Debian package, and returns its file. */
export async function writeDebianPackage(
  parts: Parts,
  output: string,
  work: string,
): Promise<string> {
  const root = join(work, 'debian');
  writeFiles(parts, root);
  writeControl(parts, root);
  const file = join(output, packageFiles(parts.version, parts.architecture).debian);
  const compression = parts.fast ? ['-Zgzip', '-z1'] : ['-Zxz'];
  const built = join(work, 'built.deb');
  await run('dpkg-deb', ['--root-owner-group', ...compression, '--build', root, built], undefined, {
    SOURCE_DATE_EPOCH: String(parts.date.getTime() / 1000),
  });
  putInPlace(built, file);
  return file;
}

/**
 * Writes the file from which a container image with the Debian package is built.
 * @returns the file, which is beside the package
 */
export function writeContainerfile(debianPackage: string): string {
  const file = join(dirname(debianPackage), 'Containerfile');
  const text = readFileSync(join(SOURCES, 'Containerfile'), 'utf8');
  write(file, text.replace('@PACKAGE@', basename(debianPackage)));
  return file;
}
