import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Import } from './import-worker.js';
import type { Parse } from './parse-worker.js';
import { runToEnd } from './processes.js';
import { compare, interleave, median } from './rounds.js';
import { writeGeodesymlLogs } from './synthetic-logs.js';
import type { Row } from './table.js';

const ROUNDS = 7;
/** The most times that an import may take as long as parsing. */
const TARGET = 8;
/** In bytes. */
const MEMORY_TARGET = 150e6;
const MEGABYTE = 1e6;

/** Real logs, where they lie beside the repository. */
const REAL_LOGS = fileURLToPath(new URL('../../../../shared/site-logs/geodesyml', import.meta.url));
/** As many as there are real ones. */
const GENERATED_LOGS = 471;

/** Import of GeodesyML against only parsing the same files, and the memory it takes. */
export async function measureImport(folder: string): Promise<Row[]> {
  let logs = REAL_LOGS;
  const real = existsSync(logs);
  if (!real) {
    logs = join(folder, 'geodesyml-logs');
    mkdirSync(logs);
    writeGeodesymlLogs(logs, GENERATED_LOGS);
  }
  const database = join(folder, 'imported.sqlite');
  const imports: Import[] = [];
  const rounds = await interleave(
    ROUNDS,
    async () => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true });
      const measured = await runToEnd<Import>('import-worker', logs, database);
      imports.push(measured);
      return measured.milliseconds;
    },
    async () => {
      const { milliseconds, elements } = await runToEnd<Parse>('parse-worker', logs);
      if (elements === 0) throw new Error(`${logs}: nothing was parsed`);
      return milliseconds;
    },
  );
  const { files, summary } = imports[0]!;
  if (summary.saved === 0 || (!real && summary.saved !== files)) throw new Error(`${logs}: ${summary.saved} of ${files} saved`);
  process.stdout.write(
    `${files} ${real ? `real logs of ${REAL_LOGS}` : `generated GeodesyML files (no folder ${REAL_LOGS})`}: ` +
      `${summary.saved} saved, ${summary.rejected} rejected, ${summary.setupsAdded} Setups\n`,
  );
  const time = compare(rounds, (milliseconds) => milliseconds);
  const peak = median(imports.map(({ peakMemory }) => peakMemory));
  const largest = Math.max(...imports.map(({ peakMemory }) => peakMemory));
  return [
    {
      name: 'import',
      result: `${time.ratio.toFixed(2)} × saxes`,
      raw: `${time.ours.toFixed(0)} / ${time.theirs.toFixed(0)} ms for ${files} ${real ? 'real' : 'generated'} files (rounds ${time.spread})`,
      target: { text: `at most ${TARGET}`, met: time.ratio <= TARGET },
    },
    {
      name: 'import, resident memory',
      result: `${(largest / MEGABYTE).toFixed(0)} MB`,
      raw: `the most of ${ROUNDS} rounds; median ${(peak / MEGABYTE).toFixed(0)} MB`,
      target: { text: `below ${MEMORY_TARGET / MEGABYTE} MB`, met: largest < MEMORY_TARGET },
    },
  ];
}
