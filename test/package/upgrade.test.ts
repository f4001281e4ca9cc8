import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { isInstalled } from '../campaigns/processes.js';
import { ROOT } from '../project-files.js';

/**
 * Runs the maintainer scripts of the Debian package on a folder that stands for the root of a
 * machine, with Debian's own `deb-systemd-helper`. Without a running systemd, the scripts start and
 * stop nothing.
 */

const SOURCES = join(ROOT, 'src/package');
const WANTED = 'etc/systemd/system';
/** The units of earlier versions that are gone, and what enables them. */
const FORMER = {
  'gnss-site-setups-import.path': 'multi-user.target',
  'gnss-site-setups-import.timer': 'timers.target',
};
const SERVICES = [
  'multi-user.target.wants/gnss-site-setups-import.service',
  'multi-user.target.wants/gnss-site-setups.service',
];

/** A machine on which an earlier version has been installed, with its units enabled, or nothing. */
interface Machine {
  run: (program: string, ...args: string[]) => void;
  /**
   * Installs the units of this version, and configures it.
   * @param before the version before, if any
   */
  install: (...before: string[]) => void;
  /** The links that enable or mask units. */
  links: () => string[];
}

function machine(t: Test): Machine {
  const root = t.testdir({
    etc: { systemd: { system: {} } },
    lib: { systemd: { system: {} } },
    var: { lib: { systemd: { timers: { 'stamp-gnss-site-setups-import.timer': '' } } } },
    // Programs that would change this machine.
    fake: Object.fromEntries(
      ['systemd-sysusers', 'chown', 'chmod', 'dpkg-statoverride'].map((name) => [
        name,
        '#!/bin/sh\n',
      ]),
    ),
  });
  for (const name of readdirSync(join(root, 'fake'))) chmodSync(join(root, 'fake', name), 0o755);
  const units = join(root, 'lib/systemd/system');
  const run = (program: string, ...args: string[]): void => {
    const { status, stderr } = spawnSync(program, args, {
      encoding: 'utf8',
      env: {
        DPKG_ROOT: root,
        DPKG_MAINTSCRIPT_PACKAGE: 'gnss-site-setups',
        PATH: `${join(root, 'fake')}:${process.env.PATH}`,
      },
    });
    t.equal(status, 0, `${program} ${args.join(' ')}: ${stderr}`);
  };
  const install = (...before: string[]): void => {
    rmSync(units, { recursive: true });
    mkdirSync(units);
    const names = readdirSync(join(SOURCES, 'systemd'));
    for (const name of names.filter((each) => each.startsWith('gnss-')))
      cpSync(join(SOURCES, 'systemd', name), join(units, name));
    run('sh', join(SOURCES, 'debian/postinst'), 'configure', ...before);
    t.notOk(existsSync(join(root, 'var/lib/systemd/timers/stamp-gnss-site-setups-import.timer')));
  };
  const links = (): string[] =>
    readdirSync(join(root, WANTED), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(root, WANTED).length + 1))
      .sort();
  for (const [unit, target] of Object.entries(FORMER))
    writeFileSync(join(units, unit), `[Unit]\n[Install]\nWantedBy=${target}\n`);
  return { run, install, links };
}

const options = () => ({
  skip: !isInstalled('deb-systemd-helper') && 'no deb-systemd-helper on this machine',
});

t.test('a first installation enables the service and the import', options(), async (t) => {
  const { install, links } = machine(t);
  install();
  t.strictSame(links(), SERVICES);
});

t.test('an upgrade replaces the path unit and the timer with the import', options(), async (t) => {
  const { run, install, links } = machine(t);
  run('deb-systemd-helper', 'enable', ...Object.keys(FORMER));
  t.equal(links().length, 2);
  install('0.1.0~1');
  t.strictSame(links(), SERVICES);
  install('0.1.0~2');
  t.strictSame(links(), SERVICES, 'and the next one changes nothing');
});

t.test('who had disabled both must enable the import', options(), async (t) => {
  const { run, install, links } = machine(t);
  run('deb-systemd-helper', 'enable', ...Object.keys(FORMER));
  run('deb-systemd-helper', 'disable', ...Object.keys(FORMER));
  install('0.1.0~1');
  t.strictSame(links(), SERVICES.slice(1));
  install('0.1.0~2');
  t.strictSame(links(), SERVICES.slice(1), 'also after the next upgrade');
});

t.test('a removed earlier version leaves no masked units behind', options(), async (t) => {
  const { run, install, links } = machine(t);
  run('deb-systemd-helper', 'enable', ...Object.keys(FORMER));
  run('deb-systemd-helper', 'mask', ...Object.keys(FORMER));
  t.equal(links().length, 4);
  install();
  t.strictSame(links(), SERVICES);
});
