import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { commandLines } from '../cli/commands.js';
import { completionScript } from '../cli/line/completion.js';
import { writeChecksums } from './checksums.js';
import { writeClientPackage } from './client.js';
import { configFile } from './config.js';
import { writeContainerfile, writeDebianPackage } from './debian.js';
import { nodeDependency, productionDependencies } from './dependencies.js';
import { manualPage } from './manual.js';
import { type Architecture, PackageFailed, ROOT } from './places.js';
import { run } from './run.js';
import { type Parts, writeTarball } from './tarball.js';

const USAGE = `Usage: npm run package -- [--output DIR] [--only client] [--fast]

Writes a tarball, a Debian package with a Containerfile, and a package for client teams, and
their checksums to SHA256SUMS.
Needs no network.

  --output DIR   The folder to write to. [dist/package]
  --only client  Write only the package for client teams.
  --fast         Compress less, for tests.
`;

const ARCHITECTURES: Architecture[] = [
  { node: 'x64', debian: 'amd64' },
  { node: 'arm64', debian: 'arm64' },
];

/**
 * The time of all files: SOURCE_DATE_EPOCH, or else that of the last commit, so that the same
 * commit gives the same packages.
 */
async function sourceDate(): Promise<Date> {
  const given = process.env.SOURCE_DATE_EPOCH;
  const seconds = given ?? (await run('git', ['log', '-1', '--format=%ct'], ROOT));
  if (!/^\d+\s*$/.test(seconds))
    throw new PackageFailed(`SOURCE_DATE_EPOCH "${seconds}": expected seconds since 1970`);
  return new Date(Number(seconds) * 1000);
}

/** The parts of the service packages. The pinned Node.js determines the architecture. */
async function collectParts(fast: boolean): Promise<Parts> {
  const asked = await run(join(ROOT, 'node_modules/node/bin/node'), [
    '-p',
    '`${process.platform} ${process.arch} ${process.versions.node}`',
  ]);
  const [platform, node, nodeVersion] = asked.trim().split(' ');
  const architecture = ARCHITECTURES.find((each) => each.node === node);
  if (platform !== 'linux' || architecture === undefined) {
    throw new PackageFailed(
      `packages for ${platform} ${node} cannot be built; run this on linux x64 or arm64`,
    );
  }
  const { build: version } = JSON.parse(
    readFileSync(join(ROOT, 'dist/src/bundle/build.json'), 'utf8'),
  ) as { build: string };
  const date = await sourceDate();
  const lines = await commandLines();
  return {
    version,
    date,
    architecture,
    dependencies: productionDependencies(),
    node: nodeDependency(nodeVersion!, architecture.node),
    manual: await manualPage(version, date),
    config: configFile(),
    completion: {
      bash: completionScript('bash', lines),
      zsh: completionScript('zsh', lines),
    },
    fast,
  };
}

/** Writes the packages and prints their files. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      output: { type: 'string' },
      only: { type: 'string' },
      fast: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) return void process.stdout.write(USAGE);
  if (values.only !== undefined && values.only !== 'client')
    throw new PackageFailed(`--only "${values.only}": expected client`);
  const output = resolve(values.output ?? join(ROOT, 'dist/package'));
  mkdirSync(output, { recursive: true });
  // The modes of the packaged files must not depend on the user's umask.
  process.umask(0o022);
  const work = mkdtempSync(join(tmpdir(), 'gnss-site-setups-package-'));
  const packages: string[] = [];
  const announce = (file: string): void => {
    packages.push(file);
    process.stdout.write(`${file} (${(statSync(file).size / 1e6).toFixed(1)} MB)\n`);
  };
  try {
    announce(await writeClientPackage(output, work));
    if (values.only !== 'client') {
      const parts = await collectParts(values.fast === true);
      announce(await writeTarball(parts, output, work));
      const debianPackage = await writeDebianPackage(parts, output, work);
      announce(debianPackage);
      announce(writeContainerfile(debianPackage));
    }
    process.stdout.write(`${writeChecksums(output, packages)}\n`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

try {
  await main();
} catch (error) {
  // Wrong arguments.
  const isUsage =
    error instanceof TypeError &&
    'code' in error &&
    String(error.code).startsWith('ERR_PARSE_ARGS');
  if (!(error instanceof PackageFailed) && !isUsage) throw error;
  process.stderr.write(`package: ${error.message}\n`);
  process.exitCode = 1;
}
