import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

// Bundles the compiled command into the few files of `dist/src/bundle`, as the last step of
// `npm run build`. Node takes half a millisecond to find and link a module, and the command has 100
// of its own and the 200 of TypeBox. All other packages stay as they are installed, so that an
// operator can update them.
//
// Commands may run from the folder meanwhile. They load chunks when they need them, so the chunks
// of earlier builds stay for a day, and each new file replaces another in one step.

const FOLDER = 'dist/src/bundle';
const NEW = `${FOLDER}-new`;
const KEPT_MILLISECONDS = 86_400_000;

const BUNDLED_PACKAGE = '@sinclair/typebox';
const { version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

// What an interrupted build left behind, and compiled code of earlier builds, under names that no
// build uses again.
for (const folder of [NEW, 'dist/compile-cache']) rmSync(folder, { recursive: true, force: true });

/** What git prints; null outside a clone. */
function git(...args) {
  try {
    return execFileSync('git', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

/**
 * The version of this build, in an order that Debian knows: 0.1.0~12.gabc1234 before the release,
 * which is the commit with the tag v0.1.0; 0.1.0; then 0.1.0+1.gabc1234.
 */
function buildVersion(revision) {
  const tag = `v${version}`;
  if (revision === null || git('tag', '--points-at', 'HEAD').split('\n').includes(tag))
    return version;
  const since = git('rev-list', '--count', `${tag}..HEAD`);
  return since === null
    ? `${version}~${git('rev-list', '--count', 'HEAD')}.g${revision}`
    : `${version}+${since}.g${revision}`;
}

const revision = git('rev-parse', '--short=9', 'HEAD');
const buildName = buildVersion(revision);

const { metafile } = await build({
  // The command, and the threads that it starts by the name of their file.
  entryPoints: {
    main: 'dist/src/cli/main.js',
    'reading-thread': 'dist/src/import-site-logs/reading-thread.js',
  },
  outdir: NEW,
  bundle: true,
  // One chunk for what all commands need, and one per command.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  // Node.js keeps the source in memory: 2 MB less after start. Names stay, for stack traces.
  minifyWhitespace: true,
  lineLimit: 160,
  // What is stored of a log has it (src/site-log/published-log.ts).
  define: { BUILD: JSON.stringify(buildName) },
  external: Object.keys(dependencies).filter((name) => name !== BUNDLED_PACKAGE),
  // The name of a package is then in the path of its files, even where node_modules is a link.
  preserveSymlinks: true,
  sourcemap: true,
  metafile: true,
  logLevel: 'warning',
});

// The license of TypeBox asks for its text in every copy.
const license = readFileSync(`node_modules/${BUNDLED_PACKAGE}/license`, 'utf8').trim();
for (const [file, { inputs }] of Object.entries(metafile.outputs)) {
  const isCopy = Object.keys(inputs).some((input) =>
    input.startsWith(`node_modules/${BUNDLED_PACKAGE}/`),
  );
  if (isCopy && file.endsWith('.js'))
    appendFileSync(file, `/*! Parts of this file are ${BUNDLED_PACKAGE}:\n\n${license}\n*/\n`);
}

const files = Object.keys(metafile.outputs).map((file) => basename(file));
const BUILD = 'build.json';
writeFileSync(
  join(NEW, BUILD),
  `${JSON.stringify({ version, revision, build: buildName, files })}\n`,
);

mkdirSync(FOLDER, { recursive: true });
// Chunks have a hash in their name. What names them comes after them.
const isChunk = (file) => /-[A-Z0-9]{8}\.js(\.map)?$/.test(file);
for (const file of [...files.filter(isChunk), ...files.filter((each) => !isChunk(each)), BUILD])
  renameSync(join(NEW, file), join(FOLDER, file));
rmSync(NEW, { recursive: true });
for (const file of readdirSync(FOLDER).filter((each) => each !== BUILD && !files.includes(each))) {
  if (Date.now() - statSync(join(FOLDER, file)).mtimeMs > KEPT_MILLISECONDS)
    rmSync(join(FOLDER, file), { force: true });
}
