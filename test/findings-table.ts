import { checkDateInFileName } from '../src/check/identity.js';
import { type CheckResult, resultsOf } from '../src/check/results.js';
import { findSiteLogFiles, readFile } from '../src/import-site-logs.js';

/**
 * The table of the operators' guide that counts findings by code in a folder of site logs. Rejected
 * logs are not in it.
 */

/** How many logs must have a code for a row. */
const FEWEST_LOGS = 4;

/** A code, how many findings of it there are of each level, and how many logs have them. */
interface Row {
  code: string;
  warnings: number;
  infos: number;
  logs: number;
}

function rowOf(code: string, found: CheckResult[]): Row {
  const infos = found.filter(({ level }) => level === 'info').length;
  const logs = new Set(found.map(({ file }) => file)).size;
  return { code, warnings: found.length - infos, infos, logs };
}

/** The lines of the table, as prettier writes them, those with most warnings first. */
export async function findingsTable(folder: string): Promise<string> {
  const results = (await findSiteLogFiles([folder])).flatMap((file) => {
    const { findings } = readFile(file, (log, found) =>
      checkDateInFileName(log, file.path, found.add),
    );
    return resultsOf(findings, null);
  });
  const accepted = results.filter(({ level }) => level !== 'error');
  const rows = [...Map.groupBy(accepted, ({ code }) => code)]
    .map(([code, found]) => rowOf(code, found))
    .filter(({ logs }) => logs >= FEWEST_LOGS);
  rows.sort((a, b) => b.warnings - a.warnings || b.infos - a.infos || (a.code < b.code ? -1 : 1));
  const lines = rows.map(
    ({ code, warnings, infos, logs }) => `| \`${code}\` | ${warnings} | ${infos} | ${logs} |`,
  );
  return ['| code | warnings | infos | logs |', '|---|---|---|---|', ...lines, ''].join('\n');
}
