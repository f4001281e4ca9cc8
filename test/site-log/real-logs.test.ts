import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { PositionReading } from '../../src/findings/codes/values.js';
import { type Finding, isOf } from '../../src/findings/findings.js';
import { REAL_LOGS, withRealLogs } from '../project-files.js';
import { type Attempt, attempt } from './reading.js';

/** What is read from all real logs, by their paths. */
const attempts = new Map<string, Attempt>();
for (const folder of REAL_LOGS === null ? [] : ['geodesyml', 'text', 'sopac', 'versions']) {
  for (const name of readdirSync(join(REAL_LOGS!, folder)).sort()) {
    const path = `${folder}/${name}`;
    attempts.set(path, attempt(readFileSync(join(REAL_LOGS!, path)), path));
  }
}

/** The warnings about the logs of a folder. */
const warningsIn = (folder: string): Finding[] =>
  [...attempts].flatMap(([path, { findings }]) =>
    path.startsWith(`${folder}/`) ? findings.filter(({ level }) => level === 'warning') : [],
  );

t.test('real site logs', withRealLogs, async (t) => {
  t.test('all are read except two with an invalid four-character id', async (t) => {
    const counts = ['geodesyml', 'text', 'sopac', 'versions'].map(
      (folder) => [...attempts.keys()].filter((path) => path.startsWith(`${folder}/`)).length,
    );
    t.strictSame(counts, [471, 222, 11, 231]);
    const rejected: Finding[] = [];
    const misnamed: string[] = [];
    const forms = new Set<string>();
    for (const [path, { log, findings }] of attempts) {
      if (log === null) {
        rejected.push(...findings.filter(({ level }) => level === 'error'));
        continue;
      }
      const [folder, name] = path.split('/') as [string, string];
      forms.add(`${folder}: ${log.form}`);
      const { fourCharacterId } = log.identification;
      if (!name.toUpperCase().startsWith(fourCharacterId))
        misnamed.push(`${name}: ${fourCharacterId}`);
      t.not(log.items.length, 0, `${name} has equipment`);
    }
    t.strictSame(
      rejected.map(({ file, line, text }) => [file, line, text]),
      [
        ['text/fyha_20161220.log', 19, ''],
        ['text/test_20180416.log', 1, ''],
      ],
    );
    const label = 'Four Character ID';
    t.match(rejected, [
      { code: 'no-site-id', values: { label, expected: String } },
      { code: 'no-site-id', values: { label, expected: null } },
    ]);
    t.strictSame(
      [...forms],
      [
        'geodesyml: GeodesyML 0.5',
        'text: IGS site log 1',
        'text: IGS site log 2.0',
        'sopac: SOPAC site log 2004',
        'versions: IGS site log 1',
      ],
    );
    t.strictSame(
      misnamed,
      ['make_20101207.xml: MKEA', 'mean_20101215.xml: MENA'],
      'the id comes from the content, not from the file name',
    );
  });

  t.test('GeodesyML loses no values except contradictory positions', async (t) => {
    const warnings = warningsIn('geodesyml');
    // In 17 logs latitude and longitude contradict X, Y and Z; in 10 of them because a missing
    // value is written as 0. In three, X, Y and Z lie a hundred kilometres or more below the
    // ground.
    const isOfPosition = (finding: Finding): boolean =>
      isOf(finding, 'position-mismatch') ||
      (isOf(finding, 'unreadable-value') && 'isFarFromSurface' in finding.values) ||
      (isOf(finding, 'deviating-value') && finding.section === '2');
    // In two logs the gml:id of the document belongs to another Site.
    t.strictSame(
      warnings.filter((finding) => !isOfPosition(finding)).map(({ file, text }) => [file, text]),
      [
        ['geodesyml/make_20101207.xml', 'MAKE00USA'],
        ['geodesyml/mean_20101215.xml', 'MEAN00AUS'],
      ],
    );
    t.equal(warnings.length, 22);
    const readAs = (reading: PositionReading): Finding[] =>
      warnings.filter(
        (finding) => isOf(finding, 'position-mismatch') && finding.values.reading === reading,
      );
    t.equal(readAs('zero').length, 10);
    const signs = readAs('sign');
    const misread = signs.map(({ file }) => file);
    t.strictSame(misread, ['geodesyml/cory_20170324.xml', 'geodesyml/qui4_20160311.xml']);
  });

  t.test('other forms lose only what is no number, date or line of the form', async (t) => {
    /** How many warnings the logs of a folder have, by what could not be read. */
    const lost = (folder: string): Record<string, number> => {
      const counts: Record<string, number> = {};
      for (const { code, section, label } of warningsIn(folder)) {
        const what = [code, section, label].filter((each) => each !== null).join(' ');
        counts[what] = (counts[what] ?? 0) + 1;
      }
      return counts;
    };
    // Percent of an unknown quantity, "programmable sec", "1 dec deg C", "=/- 2", "(30sec) sec".
    t.strictSame(lost('text'), {
      'unreadable-value 8.1 Data Sampling Interval': 2,
      'unreadable-value 8.2 Accuracy': 4,
      'unreadable-value 8.3 Accuracy': 1,
      'unreadable-value 7 Effective Dates': 1,
      'unreadable-value 8.1 Accuracy (% rel h)': 1,
      'unreadable-value 8.1 Height Diff to Ant': 1,
      'not-utf-8 11': 1,
    });
    t.strictSame(lost('sopac'), {
      'unreadable-value 4 antennaCableLength': 3,
      'not-utf-8': 1,
    });
    t.strictSame(lost('versions'), {});
  });

  t.test(
    'no value is blank, a placeholder or has a line feed, and antenna types have 20 columns',
    async (t) => {
      const offending: string[] = [];
      for (const [path, { log }] of attempts) {
        const site = Object.values(log?.identification ?? {});
        for (const { id, configuration, line } of log?.items ?? []) {
          for (const value of [
            ...Object.values(id),
            ...Object.values(configuration),
            ...site,
          ] as unknown[]) {
            if (
              typeof value === 'string' &&
              /^\s*$|\n|&#|^\(mul|^\((none|H-MASER.*|CCYY.*|A\d.*|F\d.*|deg.*|m)\)$/i.test(value)
            ) {
              offending.push(`${path}:${line} ${JSON.stringify(value)}`);
            }
          }
          if (
            id.equipmentType === 'gnss antenna' &&
            id.type !== null &&
            id.type.length > 16 &&
            id.type.length !== 20
          ) {
            offending.push(`${path}:${line} ${id.type}`);
          }
        }
      }
      t.strictSame(offending, []);
    },
  );
});
