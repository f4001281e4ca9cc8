import { mkdtempSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createFolder } from '../campaigns/processes.js';
import { measureAnswers } from './answers.js';
import { measureCalm } from './calm.js';
import { measureImport, measureStart } from './commands.js';
import { measureLarge, measureLookups } from './lookups.js';
import { measurePostgres } from './postgres.js';
import { CORES } from './processes.js';
import { type Row, tableOf } from './rows.js';
import { measureSearches } from './searches.js';

/**
 * `npm run bench [-- PART...]`: compares the service with a small program and a bare Node server
 * that send the same bytes and header fields, with parsing alone, with older builds, and with
 * itself. Machines differ, so most figures are ratios: medians of interleaved rounds. A missed
 * target is printed and does not fail the run; a wrong answer does.
 */

const PARTS: Record<
  string,
  [
    about: string,
    measure: (folder: string, rounds: number, against: string | null) => Promise<Row[]>,
  ]
> = {
  lookup: [
    'lookups of random Sites and receivers, cached and not cached, compared with node:http and a small program',
    measureLookups,
  ],
  start: ['start to first answer, and a lookup on the command line', measureStart],
  import: ['import of GeodesyML, compared with parsing it with saxes', measureImport],
  answers: ['pages, exports and large answers', measureAnswers],
  postgres: ['receivers of a type over PostgreSQL', measurePostgres],
  searches: [
    'each search with 20,000 Sites (200,000 Setups), not cached; needs a database of 1 GB, which stays',
    measureSearches,
  ],
  calm: [
    'what costly requests, abandoned ones and clients that do not read do to others, with 20,000 Sites',
    measureCalm,
  ],
  large: ['lookups with 100,000 Sites; needs a database of 5 GB, which stays', measureLarge],
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '7' },
    against: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const parts = positionals.length === 0 ? Object.keys(PARTS) : positionals;
const rounds = Number(values.rounds);
if (values.help === true || !(rounds >= 1) || parts.some((part) => !Object.hasOwn(PARTS, part))) {
  const list = Object.entries(PARTS).map(([name, [about]]) => `  ${name.padEnd(12)}${about}\n`);
  process.stdout.write(
    `Usage: npm run bench -- [PART...] [--rounds N] [--against REVISION]\n\nParts (default: all):\n${list.join('')}\n` +
      'With --against, all but the last three are compared with a build of that revision, too.\n',
  );
  process.exit(values.help === true ? 0 : 2);
}
const folder = createFolder('bench');
process.stdout.write(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}; ${CORES}\n`,
);
process.stdout.write(`medians of ${rounds} rounds\n`);
const rows: Row[] = [];
for (const part of parts) {
  // A run takes minutes, so say what is being measured.
  process.stdout.write(`measuring ${part} …\n`);
  rows.push(
    ...(await PARTS[part]![1](mkdtempSync(join(folder, 'part-')), rounds, values.against ?? null)),
  );
}
process.stdout.write(`\n${tableOf(rows)}\n`);
