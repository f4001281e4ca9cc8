import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillDatabase } from './filled-database.js';
import { growDatabase } from './grown-database.js';
import { measureImport } from './import.js';
import { measureLookup, profileLookup } from './lookup.js';
import { measureDeepPages } from './deep-pages.js';
import { measurePages } from './pages.js';
import { killAll } from './processes.js';
import { prepareServers, type Servers } from './servers.js';
import { measureStart } from './start.js';
import { SITE_IDS } from './synthetic-logs.js';
import { type Row, tableOf } from './table.js';
import { measureTime } from './time.js';

/**
 * `npm run bench [-- lookup import start pages time deep-pages]`: how the service compares with the least that Node can do, and
 * with itself over other times and more Sites. Ratios, for machines differ. A target that is not met is printed and
 * fails nothing; what does not work does. The last two parts need 3.5 GB of disk for a while.
 */

const PARTS = ['lookup', 'import', 'start', 'pages', 'time', 'deep-pages'];
/** Sites of the databases that are larger than the synthetic logs make. */
const [MORE_SITES, MOST_SITES] = [10_000, 100_000];

/** All of it takes minutes: says what is being measured. */
const announce = (part: string): boolean => process.stdout.write(`measuring ${part} …\n`);

async function measure(parts: string[], folder: string): Promise<void> {
  const rows: Row[] = [];
  let servers: Servers | undefined;
  const filled = parts.some((part) => part !== 'import') ? await fillDatabase(folder) : '';
  if (parts.includes('lookup') || parts.includes('start')) servers = await prepareServers(folder, filled);
  if (servers !== undefined && parts.includes('lookup')) {
    announce('lookup');
    rows.push(...(await measureLookup(servers)));
    process.stdout.write(`\n${await profileLookup(servers, folder)}\n\n`);
  }
  if (parts.includes('import')) {
    announce('import');
    rows.push(...(await measureImport(folder)));
  }
  if (servers !== undefined && parts.includes('start')) {
    announce('start');
    rows.push(...(await measureStart(servers)));
  }
  if (parts.includes('pages')) {
    announce('pages');
    rows.push(...(await measurePages(filled, folder)));
  }
  const large = parts.includes('time') || parts.includes('deep-pages') ? await growDatabase(folder, filled, MOST_SITES) : '';
  if (parts.includes('time')) {
    const middle = await growDatabase(folder, filled, MORE_SITES);
    announce('time');
    const sizes = {
      small: { sites: SITE_IDS.length, database: filled },
      middle: { sites: MORE_SITES, database: middle },
      large: { sites: MOST_SITES, database: large },
    };
    rows.push(...(await measureTime(sizes, folder)));
  }
  if (parts.includes('deep-pages')) {
    announce('deep-pages');
    rows.push(...(await measureDeepPages(large, folder)));
  }
  process.stdout.write(`\n${tableOf(rows)}\n`);
}

const parts = process.argv.slice(2);
const strange = parts.find((part) => !PARTS.includes(part));
if (strange !== undefined) {
  process.stderr.write(`"${strange}" is no part of the benchmark; expected ${PARTS.join(', ')}\n`);
  process.exitCode = 2;
} else {
  const folder = mkdtempSync(join(tmpdir(), 'gnss-site-setups-bench-'));
  process.once('exit', () => {
    killAll();
    // A process that was killed may still leave a file when the folder is emptied.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  process.stdout.write(`Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}\n`);
  try {
    await measure(parts.length === 0 ? PARTS : parts, folder);
  } catch (error) {
    process.stderr.write(`${(error as Error).stack}\n`);
    process.exit(1);
  }
}
