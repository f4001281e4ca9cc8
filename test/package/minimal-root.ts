import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

// A small Debian system made of packages installed here: the essential ones, and the dependencies
// of a new package. It needs no network. Nothing else is in it, so it shows that the dependencies
// of the new package are complete.

const INFO = '/var/lib/dpkg/info';

/** The names in a field of dependencies: for each, its alternatives. */
const alternativesIn = (field: string): string[][] =>
  field
    .split(',')
    .filter((each) => each.trim() !== '')
    .map((each) => each.split('|').map((name) => name.trim().replace(/[ :(].*/, '')));

interface Installed {
  name: string;
  essential: boolean;
  depends: string[][];
}

/** The packages that are installed here, and what they provide, by name. */
function installedPackages(): Map<string, Installed> {
  const format =
    '${Package}\t${Essential}\t${Pre-Depends}, ${Depends}\t${Provides}\t${db:Status-Status}\n';
  const packages = new Map<string, Installed>();
  for (const line of execFileSync('dpkg-query', ['-W', '-f', format], { encoding: 'utf8' }).split(
    '\n',
  )) {
    const [name, essential, depends, provides, status] = line.split('\t');
    if (status !== 'installed') continue;
    const entry = {
      name: name!,
      essential: essential === 'yes',
      depends: alternativesIn(depends!),
    };
    packages.set(name!, entry);
    for (const [other] of alternativesIn(provides!))
      if (!packages.has(other!)) packages.set(other!, entry);
  }
  return packages;
}

/** The essential packages, those of a field of dependencies, and all that these depend on. */
function closure(depends: string): string[] {
  const packages = installedPackages();
  const wanted = [
    ...alternativesIn(depends),
    ...[...packages].flatMap(([name, { essential }]) => (essential ? [[name]] : [])),
  ];
  const found = new Set<string>();
  // The loop also visits the dependencies that it adds.
  for (const alternatives of wanted) {
    const entry = alternatives.map((name) => packages.get(name)).find((each) => each !== undefined);
    if (entry === undefined) throw new Error(`not installed: ${alternatives.join(' | ')}`);
    if (found.has(entry.name)) continue;
    found.add(entry.name);
    wanted.push(...entry.depends);
  }
  return [...found].sort();
}

/** Creates the system in an empty folder. @throws {Error} if a dependency is not installed here */
export function createMinimalRoot(root: string, depends: string): void {
  const packages = closure(depends);
  // On a merged system these are links before any file is in them.
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
    mkdirSync(join(root, 'usr', name), { recursive: true });
    symlinkSync(`usr/${name}`, join(root, name));
  }
  for (const name of ['dev', 'proc', 'run', 'tmp', 'etc', 'root', 'var/lib/dpkg/updates'])
    mkdirSync(join(root, name), { recursive: true });
  const list = execFileSync('dpkg-query', ['-L', ...packages], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const files = [...new Set(list.split('\n'))].filter(
    (file) => file.startsWith('/') && file !== '/.' && !file.startsWith('/usr/share/doc'),
  );
  const existing = files.filter((file) => existsSync(file)).map((file) => file.slice(1));
  const archive = execFileSync(
    'tar',
    ['-C', '/', '--no-recursion', '--ignore-failed-read', '-cf', '-', '-T', '-'],
    {
      input: existing.join('\n'),
      maxBuffer: 1 << 30,
    },
  );
  execFileSync('tar', ['-C', root, '--keep-directory-symlink', '-xf', '-'], { input: archive });

  const info = join(root, INFO);
  mkdirSync(info, { recursive: true });
  for (const name of readdirSync(INFO)) {
    if (packages.includes(name.replace(/[:.][^:]*$|:.*$/, '')) || name === 'format')
      copyFileSync(join(INFO, name), join(info, name));
  }
  const stanzas = readFileSync('/var/lib/dpkg/status', 'utf8').split('\n\n');
  const isIn = (stanza: string): boolean =>
    packages.includes(/^Package: (.*)$/m.exec(stanza)?.[1] ?? '');
  writeFileSync(join(root, 'var/lib/dpkg/status'), `${stanzas.filter(isIn).join('\n\n')}\n\n`);
  writeFileSync(join(root, 'var/lib/dpkg/available'), '');
  for (const name of ['passwd', 'group'])
    copyFileSync(`/usr/share/base-passwd/${name}.master`, join(root, 'etc', name));
  appendFileSync(join(root, 'etc/shadow'), '');
  execFileSync('mknod', ['-m', '666', join(root, 'dev/null'), 'c', '1', '3']);
}

/** Runs a shell script in namespaces of its own, without a network other than their loopback. */
function runInNamespaces(
  root: string,
  script: string,
  args: string[] = [],
  more: Record<string, string> = {},
): string {
  const namespaces = [
    '--mount',
    '--net',
    '--pid',
    '--fork',
    '--kill-child',
    `--mount-proc=${join(root, 'proc')}`,
  ];
  // tap lets every Node.js below it load modules that the system does not have.
  const command = ['sh', '-ec', `unset NODE_OPTIONS; ip link set lo up\n${script}`, ...args];
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...more };
  return execFileSync('unshare', [...namespaces, ...command], {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  });
}

/**
 * Runs a shell script in the system, in namespaces of its own: without a network, other than its
 * loopback.
 */
export const runIn = (root: string, script: string): string =>
  runInNamespaces(root, 'exec chroot "$0" /bin/sh -ec "$1"', [root, script], {
    DEBIAN_FRONTEND: 'noninteractive',
    LC_ALL: 'C.UTF-8',
  });

/**
 * Runs programs in a root, one after another, as a container does: the file system is read-only but
 * for one folder, and the user has no rights.
 * @param user its number
 * @param script of the shell outside; `$run PROGRAM...` is in the root
 */
export function runAsContainer(
  root: string,
  user: number,
  writable: string,
  script: string,
): string {
  const outer = [
    `mount --bind '${root}' '${root}' && mount --bind '${root}/${writable}' '${root}/${writable}' && mount -o remount,bind,ro '${root}'`,
    `run='setpriv --no-new-privs chroot --userspec=${user}:${user} --groups= ${root}'`,
  ];
  return runInNamespaces(root, [...outer, script].join('\n'));
}
