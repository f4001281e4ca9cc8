import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CORES } from './cores.js';
import { FEW_SITES, importNetwork, keptNetwork, type Network } from './databases.js';
import { measureDeepPages } from './deep-pages.js';
import { type Effort, FULL, QUICK } from './effort.js';
import { measureExports } from './exports.js';
import { measureImport } from './import.js';
import { measureLarge } from './large.js';
import { GENERATOR } from './load.js';
import { measureLookup, profileLookup } from './lookup.js';
import { measureMemory } from './memory.js';
import { measurePages } from './pages.js';
import { measurePostgres } from './postgres.js';
import { killAll } from './processes.js';
import { measureReceivers } from './receivers.js';
import { measurePostgresSearches, measureSearches } from './searches.js';
import { measureStart } from './start.js';
import { type Row, tableOf } from './table.js';
import { measureTime } from './time.js';

/**
 * `npm run bench [-- PART...]`: compares the service with a bare Node server, and with itself for other requests and more
 * Sites. Because machines differ, the results are ratios: medians of interleaved rounds. A missed target is printed and
 * does not fail the run; a wrong answer does.
 */

/** What the parts measure with. */
interface Means {
  folder: string;
  effort: Effort;
  against: string | undefined;
  few: Network;
  /** Creates a database of that many Sites, or finds the one of an earlier run. */
  withSites: (sites: number) => Promise<Network>;
}

interface Part {
  about: string;
  measure: (means: Means) => Promise<Row[]>;
}

const PARTS: Record<string, Part> = {
  lookup: {
    about: 'current Setups of random Sites, cached and not cached, compared with node:http',
    measure: async ({ few, folder, effort }) => {
      const rows = await measureLookup(few, folder, effort);
      process.stdout.write(`\n${await profileLookup(few, folder, effort)}\n\n`);
      return rows;
    },
  },
  receivers: {
    about: '20 of many receivers of a type, not cached, compared with node:http',
    measure: ({ few, folder, effort }) => measureReceivers(few, folder, effort),
  },
  start: {
    about: 'start to first 200, compared with node:http and, with --against, another version',
    measure: ({ few, folder, effort, against }) => measureStart(few, folder, effort, against),
  },
  import: {
    about: 'import of GeodesyML, compared with parsing it with saxes',
    measure: ({ folder, effort }) => measureImport(folder, effort),
  },
  memory: {
    about: `resident memory, idle, after ${FULL.urls} different URLs, and of pages of site logs`,
    measure: ({ few, effort }) => measureMemory(few, effort),
  },
  pages: {
    about: 'HTML pages of a long history and of all Sites',
    measure: ({ few, folder, effort }) => measurePages(few, folder, effort),
  },
  large: {
    about: `lookup and receivers at ${FULL.mostSites} Sites, not cached; size of that database (*)`,
    measure: async ({ few, folder, effort, withSites }) => measureLarge(await withSites(effort.mostSites), few, folder, effort),
  },
  'deep-pages': {
    about: `last page of ${FULL.mostSites * 10} Setups, compared with the first (*)`,
    measure: async ({ effort, withSites }) => measureDeepPages(await withSites(effort.mostSites), effort),
  },
  time: {
    about: 'lookup at an instant, and the changes of a year (*)',
    measure: async ({ few, effort, withSites }) =>
      measureTime({ few, more: await withSites(effort.moreSites), most: await withSites(effort.mostSites) }, effort),
  },
  searches: {
    about: `each search and page with ${FULL.searchedSites} Sites, not cached, compared with a lookup`,
    measure: async ({ folder, effort, withSites }) => measureSearches(await withSites(effort.searchedSites), folder, effort),
  },
  'postgres-searches': {
    about: 'the same over PostgreSQL',
    measure: async ({ effort, withSites }) => measurePostgresSearches(await withSites(effort.searchedSites), effort),
  },
  exports: {
    about: `exports of ${FULL.mostSites} Sites: resident memory, and lookups meanwhile (*)`,
    measure: async ({ effort, withSites }) => measureExports(await withSites(effort.mostSites), effort),
  },
  postgres: {
    about: 'PostgreSQL compared with SQLite: lookups, searches, import; one, two and three processes',
    measure: ({ few, folder, effort }) => measurePostgres(few, folder, effort, true),
  },
  'postgres-large': {
    about: `the same at ${FULL.mostSites} Sites, without the import (*)`,
    measure: async ({ folder, effort, withSites }) => measurePostgres(await withSites(effort.mostSites), folder, effort, false),
  },
};

const HELP = `Usage: npm run bench [-- PART... [--against DIR] [--quick]]

Parts (default: all):
${Object.entries(PARTS)
  .map(([name, { about }]) => `  ${name.padEnd(18)}${about}\n`)
  .join('')}
  --against DIR  The folder of another version, already built, to compare the start with (also BENCH_AGAINST=DIR).
  --quick        One short round with small databases: shows that everything works, but the figures mean nothing.
  --help         Show this help.

(*) Needs a database of ${FULL.mostSites} Sites: about 5 GB, and several minutes the first time. It stays in the folder
for temporary files, and is created again when there is a new migration.
`;

async function measure(parts: string[], effort: Effort, against: string | undefined, folder: string): Promise<void> {
  process.stdout.write(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}; ${CORES}\n`);
  process.stdout.write(`load by ${GENERATOR}; medians of ${effort.rounds} rounds\n`);
  const few = await importNetwork(folder, 'few', FEW_SITES);
  const made = new Map<number, Promise<Network>>();
  const withSites = (sites: number): Promise<Network> => {
    if (!made.has(sites)) made.set(sites, keptNetwork(few, sites));
    return made.get(sites)!;
  };
  const rows: Row[] = [];
  for (const part of parts) {
    // A run takes minutes, so say what is being measured.
    process.stdout.write(`measuring ${part} …\n`);
    rows.push(...(await PARTS[part]!.measure({ folder, effort, against, few, withSites })));
  }
  process.stdout.write(`\n${tableOf(rows)}\n`);
}

/** Reads the command line. Returns a message if it is wrong. */
function readCommandLine(): { parts: string[]; against: string | undefined; quick: boolean; help: boolean } | string {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { against: { type: 'string' }, quick: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    const strange = positionals.find((part) => !Object.hasOwn(PARTS, part));
    if (strange !== undefined) return `"${strange}" is not a part of the benchmark`;
    const { against = process.env.BENCH_AGAINST, quick = false, help = false } = values;
    return { parts: positionals.length === 0 ? Object.keys(PARTS) : positionals, against, quick, help };
  } catch (error) {
    return (error as Error).message;
  }
}

/** @returns the exit code */
async function main(): Promise<number> {
  const asked = readCommandLine();
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\nSee npm run bench -- --help\n`);
    return 2;
  }
  if (asked.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'gnss-site-setups-bench-'));
  process.once('exit', () => {
    killAll();
    // A killed process may still write a file while the folder is emptied.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  await measure(asked.parts, asked.quick ? QUICK : FULL, asked.against, folder);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exit(1);
}
