import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readSections } from '../../src/site-log/read-sections.js';
import { Findings } from '../../src/site-log/site-log.js';
import { REAL_LOGS, SAMPLE } from '../project-files.js';
import { leaksOf } from './contacts.js';
import { roundTrips } from './round-trip.js';
import { VALIDATOR, violationsOf } from './validity.js';

/**
 * `npm run round-trips`: takes all site logs through each form and back, validates the GeodesyML,
 * and looks for contacts that are not withheld.
 */

const folders = [
  SAMPLE,
  ...(REAL_LOGS === null
    ? []
    : ['text', 'sopac', 'geodesyml'].map((name) => join(REAL_LOGS!, name))),
];
const output = mkdtempSync(join(tmpdir(), 'round-trips-'));

let logs = 0;
let ways = 0;
let reported = 0;
const problems: string[] = [];
const documents: string[] = [];
try {
  for (const folder of folders) {
    for (const name of readdirSync(folder).sort()) {
      logs++;
      const bytes = readFileSync(join(folder, name));
      const leaks = leaksOf(readSections(bytes, new Findings(name)));
      problems.push(...leaks.map((leak) => `${name}: not withheld: ${leak}`));
      for (const trip of roundTrips(bytes)) {
        ways++;
        reported += trip.reported;
        problems.push(...trip.problems.map((problem) => `${name}: ${trip.way}: ${problem}`));
        for (const [form, text] of trip.texts.filter(([each]) => each.startsWith('geodesyml'))) {
          documents.push(join(output, `${basename(folder)}-${name}-${ways}.${form}`));
          writeFileSync(documents.at(-1)!, text);
        }
      }
    }
  }
  if (VALIDATOR === false) problems.push(...violationsOf(documents));
} finally {
  rmSync(output, { recursive: true, force: true });
}
for (const problem of problems.slice(0, 50)) process.stdout.write(`${problem}\n`);
process.stdout.write(
  `${logs} site logs, ${ways} ways: ${problems.length} problems, ${reported} values reported to have no place; ` +
    `${documents.length} GeodesyML documents ${VALIDATOR === false ? 'validated' : `not validated: ${VALIDATOR}`}\n`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
