import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { Cluster, findPrograms, NOT_INSTALLED } from './cluster.js';

/**
 * `npm run test-postgres [-- FILE...]`: runs the tests over PostgreSQL, with a cluster of their
 * own. TEST_DATABASE is the URL of its primary for the tests.
 */

const ROOT = join(import.meta.dirname, '..', '..');
/** Tests of the store and of what is built on it, which run over either engine. */
const EITHER_ENGINE = [
  'test/store/*.{test,long}.ts',
  'test/http/*.{test,long}.ts',
  'test/http/pages/*.{test,long}.ts',
  'test/http/wire/response-cache.long.ts',
  'test/import-site-logs/*.{test,long}.ts',
  'test/client/*.long.ts',
  'test/corrections.test.ts',
  'test/hal-client.test.ts',
  'test/import-site-logs.test.ts',
  'test/rinex/records.test.ts',
  'test/site-identity.test.ts',
];
/** Tests that need PostgreSQL. */
const POSTGRES_ONLY = ['test/**/*.postgres.ts'];

/** The files that a pattern matches. @throws {Error} if there are none, as after a file has moved */
function filesOf(pattern: string): string[] {
  const found = globSync(pattern, { cwd: ROOT });
  if (found.length === 0) throw new Error(`${pattern} matches no file`);
  return found;
}

if (findPrograms() === null) {
  process.stderr.write(`${NOT_INSTALLED}\n`);
  process.exit(1);
}
const given = process.argv.slice(2);
const files =
  given.length > 0 ? given : [...EITHER_ENGINE, ...POSTGRES_ONLY].flatMap(filesOf).sort();
const cluster = await Cluster.create();
const tap = spawn(join(ROOT, 'node_modules', '.bin', 'tap'), files, {
  cwd: ROOT,
  stdio: 'inherit',
  // tap prints a line for each file only if it takes itself for one of a CI server.
  env: { ...process.env, CI: 'true', TEST_DATABASE: cluster.primary.url() },
});
// tap gets the signals of a terminal as well, and ends by itself; the cluster ends after it.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => tap.kill(name));
const [code] = (await once(tap, 'exit')) as [number | null];
await cluster.stop();
process.exitCode = code ?? 1;
