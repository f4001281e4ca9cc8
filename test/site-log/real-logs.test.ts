import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Finding } from '../../src/site-log/site-log.js';
import { REAL_LOGS, withRealLogs } from '../helper.js';
import { type Attempt, attempt } from './reading.js';

/** What is read from all real logs in text form and in GeodesyML, by their paths. */
const attempts = new Map<string, Attempt>();
for (const folder of REAL_LOGS === null ? [] : ['geodesyml', 'text']) {
  for (const name of readdirSync(join(REAL_LOGS!, folder)).sort()) {
    const path = `${folder}/${name}`;
    attempts.set(path, attempt(readFileSync(join(REAL_LOGS!, path)), path));
  }
}

t.test('real site logs', withRealLogs, async (t) => {
  t.test('all are read except the one with an invalid four-character id', async (t) => {
    t.equal([...attempts.keys()].filter((path) => path.startsWith('geodesyml/')).length, 471);
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
    t.equal(rejected.length, 1);
    t.hasStrict(rejected[0], {
      file: 'text/fyha_20161220.log',
      line: 19,
      level: 'error',
      text: '',
    });
    t.match(rejected[0]?.message, /^Four Character ID: not four letters, digits or underscores/);
    t.strictSame(
      [...forms],
      ['geodesyml: GeodesyML 0.5', 'text: IGS site log 1', 'text: IGS site log 2.0'],
    );
    t.strictSame(
      misnamed,
      ['make_20101207.xml: MKEA', 'mean_20101215.xml: MENA'],
      'the id comes from the content, not from the file name',
    );
  });

  t.test('no values are lost except contradictory positions', async (t) => {
    const warnings = [...attempts.values()].flatMap(({ findings }) =>
      findings.filter(({ level }) => level === 'warning'),
    );
    // In 17 logs latitude and longitude contradict X, Y and Z; in 10 of them because a missing
    // value is written as 0. In three, X, Y and Z lie a hundred kilometres or more below the
    // ground.
    const position =
      /^(latitude and longitude are \d+ km from|X has the wrong sign|X, Y and Z are not near)/;
    // In two logs the gml:id of the document belongs to another Site. Findings about a rejected log
    // quote nothing.
    const rejected = ['text/fyha_20161220.log', ''];
    t.strictSame(
      warnings
        .filter(({ message }) => !position.test(message))
        .map(({ file, text }) => [file, text]),
      [
        ['geodesyml/make_20101207.xml', 'MAKE00USA'],
        ['geodesyml/mean_20101215.xml', 'MEAN00AUS'],
        ...[rejected, rejected, rejected],
      ],
    );
    t.equal(warnings.length, 25);
    t.equal(warnings.filter(({ message }) => message.includes('0 treated as missing')).length, 10);
    const signs = warnings.filter(({ message }) => message.includes('only the sign differs'));
    const misread = signs.map(({ file }) => file);
    t.strictSame(misread, ['geodesyml/cory_20170324.xml', 'geodesyml/qui4_20160311.xml']);
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
