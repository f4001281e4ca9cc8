import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { COMMANDS, commandLines } from '../src/cli/commands.js';
import {
  type CommandLine,
  commandNameOf,
  commonFlags,
  readCommandLine,
} from '../src/cli/line/command-line.js';
import { completionScript } from '../src/cli/line/completion.js';
import { flagOf, variableOf } from '../src/cli/line/settings.js';
import { writeChecksums } from '../src/package/checksums.js';
import { configFile } from '../src/package/config.js';
import {
  licenseTexts,
  nodeDependency,
  productionDependencies,
} from '../src/package/dependencies.js';
import { manualPage } from '../src/package/manual.js';
import { guides } from '../src/package/texts.js';
import { isInstalled } from './campaigns/processes.js';
import { filesBelow, readProjectFile, ROOT } from './project-files.js';
import { nodeCommand } from './node-command.js';

// The content of the packages. `npm run check-package` installs them.

const run = promisify(execFile);
/** The command lines of all commands. */
const lines = await commandLines();

const needs = (tool: string) => ({ skip: !isInstalled(tool) && `${tool} is not installed` });

t.test(
  'the manual page names every command and flag, and man formats it without a warning',
  needs('man'),
  async (t) => {
    const page = await manualPage('1.2.3', new Date('2026-01-01'));
    const file = join(t.testdir({}), 'gnss-site-setups.1');
    writeFileSync(file, page);
    const { stdout, stderr } = await run('man', ['--warnings', '-l', file], {
      env: { PATH: process.env.PATH, LC_ALL: 'C', MANWIDTH: '200' },
    });
    t.equal(stderr, '');
    for (const { usage, settings, flags } of lines) {
      for (const line of usage.split(' | '))
        t.match(stdout, new RegExp(`^ +${line.replace(/[[\]|.]/g, '\\$&')}$`, 'm'));
      for (const flag of [...settings.map(flagOf), ...Object.keys(flags)])
        t.match(stdout, `--${flag}`);
    }
    t.match(stdout, '1.2.3');
  },
);

t.test('SHA256SUMS beside the packages has their checksums', needs('sha256sum'), async (t) => {
  const folder = t.testdir({ 'a_1~2_amd64.deb': 'a', 'b.tgz': 'b', other: 'x' });
  const packages = ['a_1~2_amd64.deb', 'b.tgz'].map((name) => join(folder, name));
  t.equal(writeChecksums(folder, packages), join(folder, 'SHA256SUMS'));
  const check = () => run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder });
  t.equal((await check()).stdout, 'a_1~2_amd64.deb: OK\nb.tgz: OK\n');
  writeFileSync(packages[1]!, 'changed');
  await t.rejects(check());
});

t.test('the settings file has every setting of the service, with its default value', async (t) => {
  const text = configFile();
  t.strictSame(text.match(/^[^#\n].*/gm), [
    'DATABASE=/var/lib/gnss-site-setups/gnss-site-setups.sqlite',
  ]);
  const { command } = await COMMANDS.serve!();
  const { settings: standard } = readCommandLine(command, [], {});
  for (const name of command.settings) {
    const [block, comment, line] =
      new RegExp(`^# (.*)\\n#?(${variableOf(name)}=.*)$`, 'm').exec(text) ?? [];
    t.ok(block !== undefined, name);
    t.notMatch(comment, /--|repeat/i, 'a file has no flags');
    const file = join(t.testdir({ config: `${line}\n` }), 'config');
    const { settings } = readCommandLine(command, [], { CONFIG: file });
    const isChanged = JSON.stringify(settings[name]) !== JSON.stringify(standard[name]);
    t.equal(
      isChanged,
      name === 'database' || !comment!.includes(`Default: ${line!.split('=')[1]}.`),
      line!,
    );
  }
});

t.test('the links in the installed guides lead to other installed guides', async (t) => {
  const installed = guides();
  const links = Object.entries(installed).flatMap(([name, text]) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) =>
      target!.startsWith('#') ? name + target : target!,
    ),
  );
  t.ok(links.includes('operation.md#contacts') && links.includes('api.md#exports'));
  // test/documents.test.ts checks that their headings exist.
  const unknown = links.filter(
    (link) => !/^https?:/.test(link) && installed[link.split('#')[0]!] === undefined,
  );
  t.strictSame(unknown, []);
});

/** What bash offers for the last of some words. */
async function completed(...words: string[]): Promise<string[]> {
  const script = `${completionScript('bash', lines)}
    COMP_WORDS=(gnss-site-setups "$@"); COMP_CWORD=$#; _gnss_site_setups; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run('bash', ['-uc', script, 'bash', ...words], { cwd: ROOT });
  return stdout.split('\n').filter((each) => each !== '');
}

t.test('bash completes commands, flags, actions, values and files', needs('bash'), async (t) => {
  // The last word is completed.
  for (const [line, expected] of [
    ['se', 'serve'],
    ['', `${Object.keys(COMMANDS).join(' ')} --help --version`],
    ['serve --base', '--base-url'],
    ['log w', 'withdraw'],
    ['completion ', 'bash zsh'],
    ['serve --log-level d', 'debug'],
    [
      'export ',
      'sites setups installations changes findings feed snx station-info sta offsets.csv offsets.snx rinex.zip rinex',
    ],
    ['export sites --format ', 'csv ndjson geojson'],
    ['sites --format ', 'table json ndjson csv'],
    ['lookup --format j', 'json'],
    ['convert --to text', 'text1 text2'],
    ['import --jobs ', 'auto'],
    // A port has no suggestions, and a time is no file.
    ['serve --port ', ''],
    ['check-rinex --at data/si', ''],
    ['lookup data/si', ''],
    ['check-rinex --at 2020-01-01 data/si', 'data/site-logs'],
    ['check-log --baseline data/si', 'data/site-logs'],
    ['import data/si', 'data/site-logs'],
    ['unknown -', ''],
  ] as const) {
    t.equal((await completed(...line.split(' '))).join(' '), expected, line);
  }
  t.strictSame((await completed('serve', '--database', 'pack')).sort(), [
    'package-lock.json',
    'package.json',
  ]);
  const flagsOf = ({ settings, flags }: CommandLine): string[] =>
    [...Object.keys(flags), ...settings.map(flagOf), ...Object.keys(commonFlags({ settings }))].map(
      (flag) => `--${flag}`,
    );
  for (const line of lines)
    t.strictSame(await completed(commandNameOf(line), '--'), flagsOf(line), line.usage);
});

t.test('zsh loads the completion, which says what each command takes', needs('zsh'), async (t) => {
  const folder = t.testdir({ '_gnss-site-setups': completionScript('zsh', lines) });
  await run('zsh', ['-n', join(folder, '_gnss-site-setups')]);
  const load = `fpath=(${folder} $fpath); autoload -Uz compinit; compinit -u -d ${folder}/dump`;
  const loaded = await run('zsh', ['-fc', `${load}; print $_comps[gnss-site-setups]`]);
  t.equal(loaded.stdout, '_gnss-site-setups\n');
  // The functions that zsh offers what they are given.
  const shown = 'compadd() { print -l -- "$@" }; _arguments() { print -l -- "$@" }';
  const offered = async (...words: string[]): Promise<string[]> => {
    const state = `words=(gnss-site-setups ${words.join(' ')} ''); CURRENT=${words.length + 2}`;
    const script = `${load}; ${shown}; ${state}; _gnss-site-setups`;
    return (await run('zsh', ['-fc', script])).stdout.trimEnd().split('\n');
  };
  t.strictSame(await offered(), ['--', ...Object.keys(COMMANDS), '--help', '--version']);
  t.match(await offered('serve'), [
    '--check',
    '--migrate',
    '--database=:database:_files',
    '--host=:host: ',
  ]);
  t.match(await offered('log'), ['--dry-run', /^--recorded-since=:/, /^--withdrawn-since=:/]);
  t.equal((await offered('log')).at(-1), '1:argument:(list withdraw restore rejected)');
  t.equal((await offered('import')).at(-1), '*:file:_files');
  t.ok((await offered('sites')).includes('*--site=:site: '), 'may be given several times');
  t.ok((await offered('export')).includes('--format=:format:(csv ndjson geojson)'));
});

t.test(
  'every production dependency has a license with its text, and a package without one stops the build',
  async (t) => {
    const dependencies = productionDependencies();
    const { dependencies: direct } = JSON.parse(readProjectFile('package.json')) as {
      dependencies: Record<string, string>;
    };
    for (const name of Object.keys(direct))
      t.ok(dependencies.find((each) => each.name === name)!.text.length > 200, name);
    t.match(licenseTexts(dependencies), /^saxes 6[^]*fork[^]*topojson-client/m);
    t.notOk(dependencies.some(({ name }) => name === 'typescript'));
    t.throws(() => nodeDependency('24.0.0', 'no-such-machine'), {
      name: 'PackageFailed',
      message: /has no license of Node.js/,
    });
  },
);

t.test('the units can write only to their folders, and allow what Node.js needs', async (t) => {
  for (const unit of ['gnss-site-setups.service', 'gnss-site-setups-import.service']) {
    const text = readProjectFile('src', 'package', 'systemd', unit);
    t.notMatch(text, /^MemoryDenyWriteExecute/m);
    const file = join(t.testdir({ [unit]: text }), unit);
    if (!isInstalled('systemd-analyze')) continue;
    const { stdout } = await run('systemd-analyze', [
      'security',
      '--offline=true',
      '--no-pager',
      file,
    ]);
    t.ok(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)![1]) <= 2, unit, { stdout });
  }
});

t.test(
  'npm pack includes the contract, the command and its data, but no test, source or database',
  async (t) => {
    const project = t.testdir({});
    const env = {
      PATH: process.env.PATH,
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
    };
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', project], {
      cwd: ROOT,
      env,
    });
    const [tarball] = readdirSync(project);
    await run('tar', ['-xzf', tarball!], { cwd: project });
    const folder = join(project, 'package');
    const expected =
      /^dist\/(schemas|src)\/.*(\.js|\.d\.ts)$|^schemas\/json\/\w+\.json$|^data\/site-logs\/\w+\.(log|xml)$|^dist\/src\/bundle\/build\.json$/;
    const others = filesBelow(folder)
      .filter((file) => !expected.test(file))
      .sort();
    t.strictSame(others, ['CHANGELOG.md', 'README.md', 'data/README.md', 'package.json']);
    for (const path of ['schemas/json', 'data/site-logs'])
      t.strictSame(readdirSync(join(folder, path)), readdirSync(join(ROOT, path)));

    symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
    const main = join(folder, 'dist/src/bundle/main.js');
    const cache = join(folder, 'dist/compile-cache');
    const { version } = JSON.parse(readProjectFile('package.json')) as { version: string };
    writeFileSync(cache, 'not a folder');
    t.ok(
      (await run(...nodeCommand(main, '--version'))).stdout.startsWith(version),
      'without a place for its compiled code',
    );
    rmSync(cache);
    await run(...nodeCommand(main, 'export-schemas', join(project, 'contract')));
    t.ok(readdirSync(cache).length > 0, 'it keeps its compiled code where it can');
    t.strictSame(readdirSync(join(project, 'contract')), readdirSync(join(folder, 'schemas/json')));
  },
);

t.test('the bundled command has the license of what it contains from others', async (t) => {
  const bundle = join(ROOT, 'dist/src/bundle');
  const textOf = (name: string): string => readFileSync(join(bundle, name), 'utf8');
  let copies = 0;
  for (const map of readdirSync(bundle).filter((name) => name.endsWith('.js.map'))) {
    const { sources } = JSON.parse(textOf(map)) as { sources: string[] };
    const names = sources.flatMap(
      (source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [],
    );
    if (names.length === 0) continue;
    copies++;
    t.strictSame(new Set(names), new Set(['@sinclair/typebox']));
    t.match(textOf(map.slice(0, -'.map'.length)), /The MIT License[^]*Copyright \(c\)/);
  }
  t.ok(copies > 0);
});

t.test(
  'main.js loads no shared chunk at once, and serve loads the service only when it needs it',
  async (t) => {
    const bundle = join(ROOT, 'dist/src/bundle');
    const { files } = JSON.parse(readFileSync(join(bundle, 'build.json'), 'utf8')) as {
      files: string[];
    };
    const closure = (root: string, form: RegExp, without = /^$/): Set<string> => {
      const found = new Set([root]);
      for (const name of found)
        for (const [, next] of readFileSync(join(bundle, name), 'utf8').matchAll(form))
          if (!without.test(next!)) found.add(next!);
      return found;
    };
    const atOnce = /^(?:import|export) [^()]*?"\.\/([^"]+)"/gm;
    const ever = /\b(?:from |import ?|import\()"\.\/([^"]+)"/g;
    const shared = files.filter((name) => /^shared-\w+-[0-9a-f]{8}\.js$/.test(name));
    t.equal(shared.length, 3);
    const [first, all] = [closure('main.js', atOnce), closure('main.js', ever)];
    const ofOthers = closure('main.js', ever, /^(serve|export-schemas)-[0-9a-f]{8}\.js$/);
    for (const name of shared) {
      t.notOk(first.has(name), name);
      t.ok(all.has(name), name);
      t.equal(ofOthers.has(name), !name.startsWith('shared-service-'), name);
    }
    const service = shared.find((name) => name.startsWith('shared-service-'))!;
    const serve = files.find((name) => /^serve-[0-9a-f]{8}\.js$/.test(name))!;
    t.ok(closure(serve, atOnce).size > 1);
    t.ok(closure(serve, ever).has(service));
    t.notOk(closure(serve, atOnce).has(service), 'the help of serve does not load the service');
  },
);

t.test('a build does not break commands that run beside it', async (t) => {
  const clone = t.testdir({ src: {} });
  for (const folder of ['dist/src', 'dist/schemas'])
    cpSync(join(ROOT, folder), join(clone, folder), { recursive: true });
  for (const file of ['src/bundle.js', 'package.json']) cpSync(join(ROOT, file), join(clone, file));
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  const bundle = join(clone, 'dist/src/bundle');
  const filesOfBuild = (): string[] => {
    const text = readFileSync(join(bundle, 'build.json'), 'utf8');
    return (JSON.parse(text) as { files: string[] }).files;
  };
  const before = filesOfBuild();
  // It was made days ago, and is in use until now.
  for (const name of before) utimesSync(join(bundle, name), 0, 0);
  appendFileSync(join(clone, 'dist/src/cli/commands/lookup.js'), '\nglobalThis.changed = 1;\n');
  const build = { ended: false };
  const built = run(process.execPath, ['src/bundle.js'], { cwd: clone }).finally(
    () => (build.ended = true),
  );
  let commands = 0;
  while (!build.ended) {
    await run(process.execPath, [join(bundle, 'main.js'), 'lookup', '--help']);
    commands++;
  }
  await built;
  t.ok(commands > 1);
  t.same(
    before.filter((name) => !existsSync(join(bundle, name))),
    [],
    'a command that runs may load them',
  );
  const after = filesOfBuild();
  const isLookup = (name: string): boolean => name.startsWith('lookup-');
  t.ok(
    after.some((name) => isLookup(name) && !before.includes(name)),
    'a new chunk',
  );
  const old = before.find((name) => isLookup(name) && !after.includes(name))!;
  await run(process.execPath, ['src/bundle.js'], { cwd: clone });
  t.ok(existsSync(join(bundle, old)), 'kept by a second build on the same day');
  utimesSync(join(bundle, old), 0, 0);
  await run(process.execPath, ['src/bundle.js'], { cwd: clone });
  t.notOk(existsSync(join(bundle, old)), 'removed after a day');
});
