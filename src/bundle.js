import { execFileSync } from 'node:child_process';
import {
  accessSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build } from 'rolldown';

// Bundles the compiled command into the files of `dist/src/bundle`, as the last step of
// `npm run build`. Node takes half a millisecond to find and link a module, and the command has 100
// of its own and the 200 of TypeBox. All other packages stay as they are installed, so that an
// operator can update them.
//
// Commands may run from the folder meanwhile. They load chunks when they need them, so the chunks
// of earlier builds stay for a day, and each new file replaces another in one step. Only one build
// may run at a time.

const FOLDER = 'dist/src/bundle';
const NEW = `${FOLDER}-new`;
const KEPT_MILLISECONDS = 86_400_000;

const BUNDLED_PACKAGE = '@sinclair/typebox';
const { version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

// What an interrupted build left behind, and compiled code of earlier builds, under names that no
// build uses again. A command may be writing such code meanwhile, so this is tried several times.
for (const folder of [NEW, 'dist/compile-cache'])
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

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

/** A module of the command line. @throws if there is none */
function commandLine(name) {
  const file = resolve('dist/src/cli', `${name}.js`);
  accessSync(file);
  return file;
}

const MAIN = commandLine('main');
/** What most commands load is much like what this one loads. */
const LOOKUP = commandLine('commands/lookup');
const SERVICE = commandLine('serve/service');
const SERVE = commandLine('commands/serve');
/** The commands that need the service. */
const OF_SERVICE = [SERVE, commandLine('commands/export-schemas')];

/**
 * A module and all that it imports.
 * @param importedBy the modules that a module imports
 */
function closureOf(root, importedBy) {
  const closure = new Set([root]);
  for (const id of closure) for (const imported of importedBy(id)) closure.add(imported);
  return closure;
}

/**
 * The chunk of each module that many commands load. Otherwise the bundler would make a chunk for
 * each set of commands and pages that share a module, and `serve` would load 78.
 * @param graph knows what each module imports
 */
function sharedChunks(graph) {
  const atOnce = (id) => graph.getModuleInfo(id).importedIds;
  const everOf = (id) => [...atOnce(id), ...graph.getModuleInfo(id).dynamicallyImportedIds];
  // main.js loads as little as possible before it turns the cache for compiled code on.
  const first = closureOf(MAIN, atOnce);
  const ofLookup = closureOf(LOOKUP, atOnce);
  const ofOthers = closureOf(MAIN, (id) => (OF_SERVICE.includes(id) ? [] : everOf(id)));
  const isSchema = (id) => /[\\/](dist[\\/]schemas|node_modules)[\\/]/.test(id);
  // Its help and its errors need no service.
  const ofServe = closureOf(SERVE, atOnce);
  const chunks = new Map();
  for (const id of closureOf(SERVICE, atOnce))
    if (!ofOthers.has(id) && !ofServe.has(id)) chunks.set(id, 'shared-service');
  // Two smaller chunks leave less unused memory behind than a large one.
  for (const id of ofLookup) chunks.set(id, isSchema(id) ? 'shared-schemas' : 'shared-reading');
  for (const id of [...first, LOOKUP]) chunks.delete(id);
  return chunks;
}

let chunks;
const chunkOf = (id, graph) => (chunks ??= sharedChunks(graph)).get(id) ?? null;

// The license of TypeBox asks for its text in every copy.
const license = readFileSync(`node_modules/${BUNDLED_PACKAGE}/license`, 'utf8').trim();
const licenses = ({ moduleIds }) =>
  moduleIds.some((id) => id.includes(`/node_modules/${BUNDLED_PACKAGE}/`))
    ? `/*! Parts of this file are ${BUNDLED_PACKAGE}:\n\n${license}\n*/`
    : '';

const { output } = await build({
  // The command, and the threads that it starts by the name of their file.
  input: {
    main: 'dist/src/cli/main.js',
    'reading-thread': 'dist/src/import-site-logs/reading-thread.js',
  },
  preserveEntrySignatures: 'allow-extension',
  platform: 'node',
  external: Object.keys(dependencies)
    .filter((name) => name !== BUNDLED_PACKAGE)
    .map((name) => new RegExp(`^${name}(/|$)`)),
  // The name of a package is then in the path of its files, even where node_modules is a link.
  resolve: { symlinks: false },
  // What is stored of a log has it (src/site-log/published-log.ts).
  transform: { define: { BUILD: JSON.stringify(buildName) } },
  // A module that only some commands load later can be in a chunk that others load at once.
  checks: { ineffectiveDynamicImport: false },
  output: {
    dir: NEW,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    hashCharacters: 'hex',
    // A chunk has only the modules that are named, not those that they import, such as those of
    // main.js. The bundler allows this with preserveEntrySignatures alone.
    codeSplitting: {
      groups: [{ name: chunkOf, debugName: 'shared', includeDependenciesRecursively: false }],
    },
    // Node.js keeps the source in memory: 2 MB less after start.
    comments: false,
    footer: licenses,
    sourcemap: true,
  },
});

const files = output.map(({ fileName }) => fileName);
const BUILD = 'build.json';
writeFileSync(
  join(NEW, BUILD),
  `${JSON.stringify({ version, revision, build: buildName, files })}\n`,
);

mkdirSync(FOLDER, { recursive: true });
/** The files in the folder that are not of this build. */
const replaced = () =>
  readdirSync(FOLDER)
    .filter((file) => file !== BUILD && !files.includes(file))
    .map((file) => join(FOLDER, file));
/** The files of the build before, as far as it can be read what they are. */
function formerFiles() {
  try {
    return JSON.parse(readFileSync(join(FOLDER, BUILD), 'utf8')).files;
  } catch {
    return [];
  }
}
// The day of what this build replaces begins now, not when it was made.
const former = new Set(formerFiles().map((file) => join(FOLDER, file)));
const now = new Date();
for (const file of replaced()) if (former.has(file)) utimesSync(file, now, now);
// Chunks have a hash in their name. What names them comes after them.
const isChunk = (file) => /-[0-9a-f]{8}\.js(\.map)?$/.test(file);
for (const file of [...files.filter(isChunk), ...files.filter((each) => !isChunk(each)), BUILD])
  renameSync(join(NEW, file), join(FOLDER, file));
rmSync(NEW, { recursive: true });
for (const file of replaced())
  if (Date.now() - statSync(file).mtimeMs > KEPT_MILLISECONDS) rmSync(file, { force: true });
