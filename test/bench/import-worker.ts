import { existsSync, readFileSync } from 'node:fs';
import { findSiteLogFiles, importSiteLogs, type ImportSummary } from '../../src/import-site-logs.js';
import { openWriter } from '../../src/store/sqlite/open.js';

/** `import-worker FOLDER DATABASE`: imports as the command does, without printing findings, and prints an {@link Import} as JSON. */

/** What importing a folder took. */
export interface Import {
  /** Without the start of Node and the loading of modules, in milliseconds. */
  milliseconds: number;
  /** The most memory that was resident at a time, in bytes. */
  peakMemory: number;
  files: number;
  /** Warnings and errors. */
  complaints: number;
  summary: ImportSummary;
}

/**
 * From /proc where it exists: what `resourceUsage` says is on Linux never less than what the parent had when it
 * started this process.
 */
function peakMemory(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1];
  return Number(kilobytes ?? process.resourceUsage().maxRSS) * 1024;
}

const [folder = '', database = ''] = process.argv.slice(2);
const start = performance.now();
const files = await findSiteLogFiles([folder]);
const store = openWriter(database);
let complaints = 0;
const summary = await importSiteLogs(
  files,
  store,
  () => new Date(),
  ({ findings }) => (complaints += findings.filter(({ level }) => level !== 'info').length),
);
await store.close();
const milliseconds = performance.now() - start;
const measured: Import = { milliseconds, peakMemory: peakMemory(), files: files.length, complaints, summary };
process.stdout.write(JSON.stringify(measured));
