import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

// Bundles the compiled command into the few files of `dist/src/bundle`, as the last step of `npm run build`. Node takes half
// a millisecond to find and link a module, and the command has 100 of its own and the 200 of TypeBox. All other packages stay
// as they are installed, so that an operator can update them.

const BUNDLED_PACKAGE = '@sinclair/typebox';
const { version, dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

// Both have files of earlier builds, under names that no build uses again.
for (const folder of ['dist/src/bundle', 'dist/compile-cache']) rmSync(folder, { recursive: true, force: true });

const { metafile } = await build({
  // The command, and the threads that it starts by the name of their file.
  entryPoints: { main: 'dist/src/cli/main.js', 'reading-thread': 'dist/src/import-site-logs/reading-thread.js' },
  outdir: 'dist/src/bundle',
  bundle: true,
  // One chunk for what all commands need, and one per command.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  external: Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => name !== BUNDLED_PACKAGE),
  // The name of a package is then in the path of its files, even where node_modules is a link.
  preserveSymlinks: true,
  sourcemap: true,
  metafile: true,
  logLevel: 'warning',
});

// The license of TypeBox asks for its text in every copy.
const license = readFileSync(`node_modules/${BUNDLED_PACKAGE}/license`, 'utf8').trim();
for (const [file, { inputs }] of Object.entries(metafile.outputs)) {
  const isCopy = Object.keys(inputs).some((input) => input.startsWith(`node_modules/${BUNDLED_PACKAGE}/`));
  if (isCopy && file.endsWith('.js')) appendFileSync(file, `/*! Parts of this file are ${BUNDLED_PACKAGE}:\n\n${license}\n*/\n`);
}

/** What git prints; null outside a clone. */
function git(...args) {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}

/**
 * The version of this build, in an order that Debian knows: 0.1.0~12.gabc1234 before the release, which is the commit with the
 * tag v0.1.0; 0.1.0; then 0.1.0+1.gabc1234.
 */
function buildVersion(revision) {
  const tag = `v${version}`;
  if (revision === null || git('tag', '--points-at', 'HEAD').split('\n').includes(tag)) return version;
  const since = git('rev-list', '--count', `${tag}..HEAD`);
  return since === null ? `${version}~${git('rev-list', '--count', 'HEAD')}.g${revision}` : `${version}+${since}.g${revision}`;
}

const revision = git('rev-parse', '--short=9', 'HEAD');
writeFileSync('dist/src/bundle/build.json', `${JSON.stringify({ version, revision, build: buildVersion(revision) })}\n`);
