import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import type { Build } from '../../src/cli/line/package-files.js';
import { isInstalled } from '../campaigns/processes.js';
import { readProjectFile, ROOT } from '../project-files.js';
import { logText } from '../synthetic-log.js';
import { createMinimalRoot, runAsContainer, runIn } from './minimal-root.js';

// `npm run check-package`: builds the packages, and installs, upgrades and purges the Debian
// package in a small system, without network. It takes a minute or two, so it is not part of
// `npm test`.

const TOOLS = [
  'dpkg-deb',
  'lintian',
  'systemd-analyze',
  'systemd-sysusers',
  'unshare',
  'ip',
  'tar',
];

/** Why this test cannot run here; false if it can. */
function whySkipped(): string | false {
  const missing = TOOLS.filter((tool) => !isInstalled(tool));
  if (missing.length > 0) return `not installed: ${missing.join(', ')}`;
  if (process.getuid?.() !== 0) return 'only root can install a package';
  const { status } = spawnSync('unshare', ['--mount', '--net', '--pid', '--fork', 'true']);
  return status === 0 ? false : 'namespaces are not permitted here';
}
const skip = whySkipped();

const work = mkdtempSync(join(tmpdir(), 'gnss-site-setups-check-'));
t.teardown(() => rmSync(work, { recursive: true, force: true }));
const root = join(work, 'root');
const output = join(work, 'packages');
const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26 });

/**
 * The commands of the guide that install the package and look a Site up, as root in the small
 * system runs them.
 */
const documented = /^```sh\n(sudo dpkg -i .*?)^```$/ms
  .exec(readProjectFile('src', 'cli', 'README.md'))![1]!
  .trim()
  .split('\n')
  .map((line) => line.replace(/ +#.*/, ''));
const AS_USER = 'setpriv --reuid=gnss-site-setups --regid=gnss-site-setups --clear-groups';
const { build } = JSON.parse(readProjectFile('dist', 'src', 'bundle', 'build.json')) as Build;
/** The guide writes VERSION. */
const asBuilt = (script: string): string => script.replaceAll('VERSION', build);
const asRoot = (line: string): string =>
  asBuilt(line)
    .replace('sudo -u gnss-site-setups', AS_USER)
    .replace(/^sudo /, '');

/**
 * Starts the service in the small system, or a container, with its log in a file, and waits until
 * it serves.
 */
const serve = (log: string, command = `${AS_USER} gnss-site-setups serve`): string => `
  ${command} >${log} 2>&1 & pid=$!
  for i in $(seq 600); do grep -q "serving .* Site" ${log} && break; sleep 0.1; done`;

/** What an image says about the container that runs it. */
interface ContainerConfig {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  ExposedPorts: object;
  Volumes: object;
  Healthcheck: { Test: string[] };
}

/** All files of the small system except what dpkg and the system itself write about any package. */
const allFiles = (): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        !/^(proc|tmp|run)\/|^var\/(lib\/dpkg|log|cache)\b|^etc\/(g?shadow|passwd|group|\.pwd\.lock|ld\.so\.cache)/.test(
          name,
        ),
    )
    .sort();

/** The Debian package of a commit after this one, which adds a migration. */
function nextPackage(): string {
  const clone = join(work, 'next');
  run('git', 'clone', '-q', ROOT, clone);
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  const migrations = join(clone, 'src/store/migrations.ts');
  const list = 'MIGRATIONS: readonly Migration[] = [createTables, findingsAsData';
  const source = readFileSync(migrations, 'utf8');
  if (!source.includes(list)) throw new Error(`${list}: not in ${migrations}`);
  const step =
    ', (transaction) => transaction.run(sql`CREATE TABLE remark (text text)`).then(() => undefined)';
  writeFileSync(migrations, source.replace(list, `${list}${step}`));
  run(
    'git',
    '-C',
    clone,
    '-c',
    'user.name=x',
    '-c',
    'user.email=x@example.org',
    'commit',
    '-qam',
    'Add a migration',
  );
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: clone });
  run(
    process.execPath,
    join(clone, 'dist/src/package/main.js'),
    '--fast',
    '--output',
    join(work, 'next-packages'),
  );
  const name = readdirSync(join(work, 'next-packages')).find((each) => each.endsWith('.deb'))!;
  return join(work, 'next-packages', name);
}

t.test('the packages', { skip }, async (t) => {
  run(process.execPath, join(ROOT, 'dist/src/package/main.js'), '--fast', '--output', output);
  const file = (pattern: RegExp): string =>
    join(
      output,
      readdirSync(output).find((name) => pattern.test(name))!,
    );
  const deb = file(/\.deb$/);

  await t.test('lintian finds no error', async (t) => {
    const { stdout, status } = spawnSync(
      'lintian',
      ['--fail-on', 'error', '--tag-display-limit', '0', '--allow-root', deb],
      {
        encoding: 'utf8',
      },
    );
    t.equal(status, 0, { stdout });
  });

  await t.test(
    'the tarball runs where the documented commands unpack it, and through a link',
    async (t) => {
      const opt = join(work, 'opt');
      mkdirSync(opt);
      const lines = /^```sh\n(tar -xzf .*?)^```$/ms.exec(
        readProjectFile('src', 'cli', 'README.md'),
      )![1]!;
      const architecture = /linux-\w+/.exec(file(/\.tar\.gz$/))![0];
      const script = asBuilt(lines).replaceAll('/opt', opt).replaceAll('linux-x64', architecture);
      t.match(
        execFileSync('sh', ['-ec', script], { encoding: 'utf8', cwd: output }),
        /^\d+\.\d+\.\d+([~+]\S+)?\n$/,
      );
      const folder = join(opt, readdirSync(opt)[0]!);
      const link = join(work, 'link');
      run('ln', '-s', join(folder, 'bin/gnss-site-setups'), link);
      const database = join(work, 'tarball.sqlite');
      t.match(
        run(link, 'import', '--database', database, join(folder, 'data/site-logs')),
        '8 saved',
      );
      t.match(run(link, 'lookup', '--database', database, 'ALIC'), 'LEICA GR25');
      const licenses = readFileSync(join(folder, 'LICENSES.txt'), 'utf8');
      for (const name of ['node 24', 'fastify 5', 'saxes 6']) t.match(licenses, name);
    },
  );

  const noBuildah = !isInstalled('buildah') && 'buildah is not installed';
  await t.test('the Containerfile makes an image', { skip: noBuildah }, async (t) => {
    const storage = join(work, 'storage');
    const environment = { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };
    const buildah = (...args: string[]): string =>
      execFileSync(
        'buildah',
        ['--root', join(storage, 'root'), '--runroot', join(storage, 'run'), ...args],
        { encoding: 'utf8', env: environment, stdio: ['ignore', 'pipe', 'pipe'] },
      ).trim();
    // In place of Debian's image, a system that has all that the package depends on: there is no
    // network.
    const base = join(work, 'base');
    mkdirSync(base);
    const depends = run('dpkg-deb', '-f', deb, 'Depends').trim();
    createMinimalRoot(base, `${depends}, apt, passwd, ca-certificates`);
    const empty = buildah('from', 'scratch');
    buildah('add', empty, base, '/');
    buildah('commit', '--rm', empty, 'localhost/base');
    rmSync(base, { recursive: true });
    const asDocker = ['--format', 'docker', '--build-arg', 'BASE=localhost/base'];
    buildah('build-using-dockerfile', ...asDocker, '--tag', 'gnss-site-setups', output);

    const inspected = buildah('inspect', '--type', 'image', 'localhost/gnss-site-setups');
    const { config } = (JSON.parse(inspected) as { Docker: { config: ContainerConfig } }).Docker;
    t.match(config, { Entrypoint: ['gnss-site-setups'], Cmd: ['serve', '--migrate'] });
    t.same(config.ExposedPorts, { '8080/tcp': {} });
    t.same(config.Volumes, { '/var/lib/gnss-site-setups': {} });
    t.ok(config.Env.includes('HOST=0.0.0.0'));
    t.equal(config.User, '10001:10001');

    const container = buildah('from', 'localhost/gnss-site-setups');
    const folder = buildah('mount', container);
    t.teardown(() => buildah('umount', container));
    const log = join(work, 'container.log');
    const [, health] = config.Healthcheck.Test;
    writeFileSync(join(folder, 'health'), health!, { mode: 0o755 });
    const script = `
      export ${config.Env.join(' ')}
      $run gnss-site-setups import /usr/lib/gnss-site-setups/data/site-logs
      ${serve(log, `$run ${[...config.Entrypoint, ...config.Cmd].join(' ')}`)}
      $run gnss-site-setups lookup ALIC
      $run sh /health && echo healthy
      $run touch /usr/lib/gnss-site-setups/x 2>&1 | grep -o 'Read-only file system'
      $run id -u
      kill $pid; wait $pid; echo ended $?
      $run sh /health 2>/dev/null || echo not healthy`;
    const printed = runAsContainer(folder, 10_001, 'var/lib/gnss-site-setups', script);
    t.match(
      printed,
      /8 saved[^]*LEICA GR25[^]*\nhealthy\nRead-only file system\n10001\nended 0\nnot healthy\n$/,
    );
    t.match(readFileSync(log, 'utf8'), /"msg":"stopped"/);
  });

  mkdirSync(root);
  createMinimalRoot(root, run('dpkg-deb', '-f', deb, 'Depends'));
  run('cp', deb, join(root, 'root'));
  const before = allFiles();

  await t.test(
    'the documented commands lead from the package to an answered lookup, without network',
    async (t) => {
      t.equal(documented.length, 3);
      t.throws(() => runIn(root, 'echo >/dev/tcp/192.0.2.1/80'), 'there is no network');
      const answer = runIn(root, `cd /root; ${documented.map(asRoot).join('\n')}`);
      t.match(answer, /8 saved[^]*LEICA GR25/);
    },
  );

  await t.test('the installed command serves the sample network, as its own user', async (t) => {
    const script = `
      ${serve('/tmp/log')}
      /usr/lib/gnss-site-setups/bin/node -e 'fetch(process.argv[1]).then((a) => a.text()).then(console.log)' \\
        'http://127.0.0.1:8080/setups/search/findCurrentByFourCharacterId?id=ALIC'
      stat -c '%U %a' /var/lib/gnss-site-setups /var/lib/gnss-site-setups/gnss-site-setups.sqlite
      kill $pid; wait $pid`;
    const printed = runIn(root, script);
    t.match(printed, '"type":"LEICA GR25"');
    t.match(printed, /^gnss-site-setups 750\ngnss-site-setups 6\d\d$/m);
  });

  await t.test('systemd accepts the units', async (t) => {
    const units = readdirSync(join(root, 'lib/systemd/system')).filter((name) =>
      name.startsWith('gnss-site-setups'),
    );
    t.equal(units.length, 3);
    t.equal(
      runIn(
        root,
        `cd /lib/systemd/system && systemd-analyze verify --man=no ${units.join(' ')} 2>&1`,
      ),
      '',
    );
    const wanted = readdirSync(join(root, 'etc/systemd/system'), {
      recursive: true,
      encoding: 'utf8',
    }).filter((name) => name.includes('/'));
    t.strictSame(wanted.filter((name) => name.includes('gnss')).sort(), [
      'multi-user.target.wants/gnss-site-setups-import.service',
      'multi-user.target.wants/gnss-site-setups.service',
    ]);
  });

  await t.test(
    'a machine goes to the next version with migrate, and back to the backup, while a service answers',
    async (t) => {
      const config = join(root, 'etc/gnss-site-setups/config');
      const changed = `${readFileSync(config, 'utf8')}PORT=8443\n`;
      writeFileSync(config, changed);
      run('cp', nextPackage(), join(root, 'next.deb'));
      writeFileSync(
        join(root, 'var/lib/gnss-site-setups/later.log'),
        logText({ id: 'LATE', receivers: [{ type: 'R1', serial: '1', from: '2001-01-01' }] }),
      );
      const ask = (id: string): string =>
        `/usr/lib/gnss-site-setups/bin/node -e 'fetch("http://127.0.0.1:8443/setups/search/findCurrentByFourCharacterId?id=${id}").then((a) => console.log("${id}", a.status))'`;
      const end = 'kill $pid; wait $pid; echo ended $?';
      const printed = runIn(
        root,
        `cd /var/lib/gnss-site-setups
      step() { echo "== $1"; }
      version() { gnss-site-setups --version; }
      ${serve('/tmp/old')}
      step 'before'; version; ${ask('ALIC')}
      mkdir -p /run/systemd/system; mv /usr/bin/deb-systemd-invoke /tmp
      printf '#!/bin/sh\necho "$@" >>/tmp/invoked' >/usr/bin/deb-systemd-invoke
      chmod +x /usr/bin/deb-systemd-invoke
      dpkg --force-confold -i /next.deb </dev/null >/dev/null 2>&1
      mv /tmp/deb-systemd-invoke /usr/bin; rmdir /run/systemd/system
      step 'systemd'; cat /tmp/invoked
      step 'installed'; version; ${ask('ALIC')}
      ${AS_USER} gnss-site-setups serve 2>&1 | grep -o 'run: gnss-site-setups migrate'
      ${AS_USER} gnss-site-setups migrate; sleep 2.5
      ${ask('ALIC')}; ${end}
      step 'migrated'
      ${serve('/tmp/new')}
      ${ask('ALIC')}
      ${AS_USER} gnss-site-setups import later.log | head -n 1; sleep 2.5
      ${ask('LATE')}; ${end}
      dpkg -i /root/*.deb >/dev/null 2>&1
      step 'back'; version
      ${AS_USER} gnss-site-setups serve 2>&1 | grep -o 'is from a newer version'
      ${AS_USER} gnss-site-setups restore "$(ls *.before-migration-3*)" | head -n 1
      ${serve('/tmp/again')}
      ${ask('ALIC')}; ${ask('LATE')}
      ${AS_USER} gnss-site-setups import later.log | head -n 1; sleep 2.5
      ${ask('LATE')}; ${end}`,
      );
      const [before, invoked, installed, migrated, back] = printed
        .split(/^== .*\n/m)
        .slice(1)
        .map((part) => part.trim().split('\n'));
      t.match(before, [build, 'ALIC 200']);
      // The units run until the new version is complete.
      t.same(invoked, [
        'start gnss-site-setups.socket',
        'restart gnss-site-setups.service gnss-site-setups-import.service',
      ]);
      t.match(installed, [
        /^\d/,
        'ALIC 200',
        'run: gnss-site-setups migrate',
        /^Database migrated from version 2 to 3 in [\d.]+ s; 8 site logs read again; backup: /,
        'ALIC 503',
        'ended 0',
      ]);
      run('dpkg', '--compare-versions', installed![0]!, 'gt', build);
      t.match(migrated, [
        'ALIC 200',
        '1 file: 1 saved, 0 unchanged, 0 outdated, 0 rejected, 0 skipped (not site logs)',
        'LATE 200',
        'ended 0',
      ]);
      t.match(back, [
        build,
        'is from a newer version',
        String,
        'ALIC 200',
        'LATE 404',
        /1 saved/,
        'LATE 200',
        'ended 0',
      ]);
      t.equal(readFileSync(config, 'utf8'), changed);
      rmSync(join(root, 'next.deb'));
      runIn(root, 'rm /var/lib/gnss-site-setups/later.log /var/lib/gnss-site-setups/*before-*');
    },
  );

  await t.test(
    'removing the package keeps the settings and the database, and purging removes everything',
    async (t) => {
      // As root the command leaves compiled code beside the program.
      runIn(root, 'systemctl enable gnss-site-setups.socket');
      runIn(
        root,
        'cp /etc/passwd /var/lib/gnss-site-setups/site-logs/x.log; gnss-site-setups --version; dpkg -r gnss-site-setups',
      );
      t.strictSame(
        allFiles().filter(
          (name) =>
            /gnss-site-setups(\/|$)/.test(name) &&
            !before.includes(name) &&
            !/-(wal|shm)$/.test(name),
        ),
        [
          'etc/gnss-site-setups',
          'etc/gnss-site-setups/config',
          'var/lib/gnss-site-setups',
          'var/lib/gnss-site-setups/gnss-site-setups.sqlite',
          'var/lib/gnss-site-setups/site-logs',
          'var/lib/gnss-site-setups/site-logs/x.log',
        ],
      );
      runIn(root, 'dpkg -P gnss-site-setups');
      t.strictSame(
        allFiles().filter((name) => !before.includes(name) && name.includes('gnss')),
        [],
      );
      t.equal(runIn(root, 'dpkg -l gnss-site-setups 2>&1 || true').includes('ii '), false);
      t.match(
        runIn(root, `dpkg -i /root/*.deb && dpkg -P gnss-site-setups`),
        'Purging',
        'it can be installed again',
      );
    },
  );
});
