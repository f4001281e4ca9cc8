import { join } from 'node:path';
import fc from 'fast-check';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { Findings } from '../../src/site-log/site-log.js';
import { writeSections, WRITTEN_FORMS } from '../../src/site-log/write.js';
import { SAMPLE } from '../helper.js';
import { siteLogs } from '../round-trips/arbitrary-log.js';
import { roundTrips } from '../round-trips/round-trip.js';
import { VALIDATOR, violationsOf } from '../round-trips/validity.js';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const SEED = 20_261_122;

/** The site logs of a folder. */
const logsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /\.(log|xml)$/.test(name))
    .map((name) => join(folder, name));

t.test('no way through another form and back loses a value silently, and a second round changes nothing', async (t) => {
  for (const path of [...logsIn(SAMPLE), ...logsIn(FIXTURES)]) {
    for (const { way, problems } of roundTrips(readFileSync(path))) t.strictSame(problems, [], `${path}: ${way}`);
  }
});

t.test('neither does it for logs with any text in any value', async (t) => {
  const property = fc.property(siteLogs, fc.constantFrom(...WRITTEN_FORMS), (log, form) => {
    const written = writeSections(log, form, new Findings('arbitrary'));
    return roundTrips(Buffer.from(written)).every(({ way, problems }) => {
      if (problems.length > 0) throw new Error(`${way}: ${problems.join('\n')}`);
      return true;
    });
  });
  const { failed, errorInstance } = fc.check(property, { numRuns: 25, seed: SEED });
  t.notOk(failed, String(errorInstance));
});

t.test('GeodesyML is valid by its schema, whatever the values are', { skip: VALIDATOR }, async (t) => {
  const folder = t.testdir({});
  const files: string[] = [];
  for (const [index, log] of fc.sample(siteLogs, { numRuns: 40, seed: SEED }).entries()) {
    for (const form of ['geodesyml04', 'geodesyml05'] as const) {
      const file = join(folder, `${index}.${form}`);
      writeFileSync(file, writeSections(log, form, new Findings(file)));
      files.push(file);
    }
  }
  t.strictSame(violationsOf(files), []);
});
