import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { join, resolve } from 'node:path';
import { compare } from './compare.js';
import { ENGINES, record } from './record.js';
import { NETWORKS } from './networks.js';

/**
 * `npm run record`: records what the built command of a checkout answers and prints, and compares
 * two recordings. Before and after a change that must not change anything published, the
 * recordings are equal.
 */

const USAGE = `Usage: npm run record -- record --into DIR [options]
       npm run record -- compare DIR DIR [--list]

record builds a checkout, imports networks of site logs, and records answers over
HTTP and what commands print. compare shows what differs in all that both recordings
have, by kind, and exits with 1 if anything does.

  --checkout DIR    The checkout to record. [this one]
  --networks NAMES  [${NETWORKS.map(({ name }) => name).join(',')}]
  --engines NAMES   [${ENGINES.join(',')}]
  --no-build        The checkout is built already.
  --list            Show all differences, not only some of each kind.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    into: { type: 'string' },
    checkout: { type: 'string', default: join(import.meta.dirname, '..', '..') },
    networks: { type: 'string', default: NETWORKS.map(({ name }) => name).join(',') },
    engines: { type: 'string', default: ENGINES.join(',') },
    'no-build': { type: 'boolean' },
    list: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

function refuse(): never {
  process.stderr.write(USAGE);
  process.exit(2);
}

/** The names in a list. */
function chosen(given: string, names: readonly string[]): Set<string> {
  const found = given.split(',').filter((name) => name !== '');
  if (found.some((name) => !names.includes(name))) refuse();
  return new Set(found);
}

const [action, ...folders] = positionals;
if (values.help === true) process.stdout.write(USAGE);
else if (action === 'record' && values.into !== undefined && folders.length === 0) {
  const checkout = resolve(values.checkout);
  const networks = chosen(
    values.networks,
    NETWORKS.map(({ name }) => name),
  );
  const engines = chosen(values.engines, ENGINES);
  if (values['no-build'] !== true)
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: checkout, stdio: 'inherit' });
  await record({ checkout, into: resolve(values.into), networks, engines });
} else if (action === 'compare' && folders.length === 2)
  process.exitCode = (await compare(folders[0]!, folders[1]!, values.list === true)) ? 0 : 1;
else refuse();
