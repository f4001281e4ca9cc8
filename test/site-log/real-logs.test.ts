import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readSiteLog } from '../../src/site-log/read.js';
import { type Finding, Findings, type SiteLog, SiteLogRejected } from '../../src/site-log/site-log.js';

/** Real site logs are not part of the project; they are read from a folder next to it. */
const REAL_LOGS = process.env.SHARED ?? join(import.meta.dirname, '..', '..', '..', 'shared', 'site-logs');

type Folder = 'geodesyml' | 'text';

const namesIn = (folder: Folder): string[] => readdirSync(join(REAL_LOGS, folder)).sort();

/** Reads a file; the log is null if it is rejected. */
function read(folder: Folder, name: string): { log: SiteLog | null; findings: Finding[] } {
  const findings = new Findings(`${folder}/${name}`);
  try {
    return { log: readSiteLog(readFileSync(join(REAL_LOGS, folder, name)), findings), findings: findings.list };
  } catch (error) {
    if (error instanceof SiteLogRejected) return { log: null, findings: error.findings };
    throw error;
  }
}

const skip = !existsSync(REAL_LOGS) && 'no real site logs next to the project (../shared/site-logs)';

t.test('real site logs', { skip }, async (t) => {
  t.test('all are read except the one with an invalid four-character id', async (t) => {
    t.equal(namesIn('geodesyml').length, 471);
    const rejected: Finding[] = [];
    const misnamed: string[] = [];
    const forms = new Set<string>();
    for (const folder of ['geodesyml', 'text'] as const) {
      for (const name of namesIn(folder)) {
        const { log, findings } = read(folder, name);
        if (log === null) rejected.push(...findings.filter(({ level }) => level === 'error'));
        else {
          forms.add(`${folder}: ${log.form}`);
          const { fourCharacterId } = log.identification;
          if (!name.toUpperCase().startsWith(fourCharacterId)) misnamed.push(`${name}: ${fourCharacterId}`);
          t.not(log.items.length, 0, `${name} has equipment`);
        }
      }
    }
    t.equal(rejected.length, 1);
    t.hasStrict(rejected[0], { file: 'text/fyha_20161220.log', line: 19, level: 'error', text: '' });
    t.match(rejected[0]?.message, /^Four Character ID: not four letters, digits or underscores/);
    t.strictSame([...forms], ['geodesyml: GeodesyML 0.5', 'text: IGS site log 1', 'text: IGS site log 2.0']);
    t.strictSame(misnamed, ['make_20101207.xml: MKEA', 'mean_20101215.xml: MENA'], 'the id comes from the content, not from the file name');
  });

  t.test('no values are lost except contradictory positions', async (t) => {
    const warnings = (['geodesyml', 'text'] as const).flatMap((folder) =>
      namesIn(folder).flatMap((name) => read(folder, name).findings.filter(({ level }) => level === 'warning')),
    );
    // In 17 logs latitude and longitude contradict X, Y and Z; in 10 of them because a missing value is written as 0.
    const position = /^(latitude and longitude are \d+ km from X, Y and Z|X has the wrong sign)/;
    // In two logs the gml:id of the document belongs to another Site. Findings about a rejected log quote nothing.
    const rejected = ['text/fyha_20161220.log', ''];
    t.strictSame(
      warnings.filter(({ message }) => !position.test(message)).map(({ file, text }) => [file, text]),
      [['geodesyml/make_20101207.xml', 'MAKE00USA'], ['geodesyml/mean_20101215.xml', 'MEAN00AUS'], ...[rejected, rejected, rejected]],
    );
    t.equal(warnings.length, 22);
    t.equal(warnings.filter(({ message }) => message.includes('0 treated as missing')).length, 10);
    const signs = warnings.filter(({ message }) => message.includes('only the sign differs'));
    t.strictSame(
      signs.map(({ file }) => file),
      ['geodesyml/cory_20170324.xml', 'geodesyml/qui4_20160311.xml'],
    );
  });

  t.test('no value is blank, a placeholder or has a line feed, and antenna types have 20 columns', async (t) => {
    const offending: string[] = [];
    for (const folder of ['geodesyml', 'text'] as const) {
      for (const name of namesIn(folder)) {
        const { log } = read(folder, name);
        const site = Object.values(log?.identification ?? {});
        for (const { id, configuration, line } of log?.items ?? []) {
          for (const value of [...Object.values(id), ...Object.values(configuration), ...site] as unknown[]) {
            if (typeof value === 'string' && /^\s*$|\n|&#|^\(mul|^\((none|H-MASER.*|CCYY.*|A\d.*|F\d.*|deg.*|m)\)$/i.test(value)) {
              offending.push(`${name}:${line} ${JSON.stringify(value)}`);
            }
          }
          if (id.equipmentType === 'gnss antenna' && id.type !== null && id.type.length > 16 && id.type.length !== 20) {
            offending.push(`${name}:${line} ${id.type}`);
          }
        }
      }
    }
    t.strictSame(offending, []);
  });
});
