import { join } from 'node:path';
import fc from 'fast-check';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { readWholeLog } from '../../src/site-log/read.js';
import { readSections } from '../../src/site-log/read-sections.js';
import { type LogItem } from '../../src/site-log/site-log.js';
import { Findings } from '../../src/findings/findings.js';
import { canWrite, writeSections, WRITTEN_FORMS } from '../../src/site-log/write.js';
import { casesOf, SEED, triesMore } from '../effort.js';
import { SAMPLE } from '../project-files.js';
import { siteLogs } from '../round-trips/arbitrary-log.js';
import { leaksOf } from '../round-trips/contacts.js';
import { roundTrips, withAssumed } from '../round-trips/round-trip.js';
import { VALIDATOR, violationsOf } from '../round-trips/validity.js';

const FIXTURES = join(import.meta.dirname, 'fixtures');

/** The site logs of a folder. */
const logsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /\.(log|xml)$/.test(name))
    .map((name) => join(folder, name));

t.test(
  'no way through another form and back loses a value silently, and a second round changes nothing',
  async (t) => {
    for (const path of [...logsIn(SAMPLE), ...logsIn(FIXTURES)]) {
      for (const { way, problems } of roundTrips(readFileSync(path)))
        t.strictSame(problems, [], `${path}: ${way}`);
    }
  },
);

t.test('neither does it for logs with any text in any value', triesMore, async (t) => {
  const property = fc.property(siteLogs, fc.constantFrom(...WRITTEN_FORMS), (log, form) => {
    const whole = withAssumed(log);
    if (!canWrite(whole, form)) return;
    const written = writeSections(whole, form, new Findings('arbitrary'));
    for (const { way, problems } of roundTrips(Buffer.from(written))) {
      if (problems.length > 0) throw new Error(`${way}: ${problems.join('\n')}`);
    }
  });
  const { failed, errorInstance } = fc.check(property, { numRuns: casesOf(250), seed: SEED });
  t.notOk(failed, String(errorInstance));
});

t.test(
  'GeodesyML is valid by its schema, whatever the values are',
  { skip: VALIDATOR },
  async (t) => {
    const folder = t.testdir({});
    const files: string[] = [];
    for (const [index, log] of fc.sample(siteLogs, { numRuns: 40, seed: SEED }).entries()) {
      for (const form of ['geodesyml04', 'geodesyml05', 'geodesyml06'] as const) {
        const file = join(folder, `${index}.${form}`);
        writeFileSync(file, writeSections(log, form, new Findings(file)));
        files.push(file);
      }
    }
    t.strictSame(violationsOf(files), []);
  },
);

/** The items of a log, without what depends on its form. */
const itemsOf = (bytes: Uint8Array): unknown[] =>
  readWholeLog(bytes, new Findings('again')).log.items.map(
    ({ id, configuration, from, to }: LogItem) => ({
      // GeodesyML has a number or nothing for the temperature stabilization, the text form no
      // manufacturer of receivers and antennas.
      id: { ...id, manufacturer: id.equipmentType === 'humidity sensor' ? id.manufacturer : null },
      configuration: {
        ...configuration,
        ...('temperatureStabilization' in configuration && { temperatureStabilization: null }),
      },
      from,
      to,
    }),
  );

t.test('an import of a converted log derives its Setups from the same equipment', async (t) => {
  for (const path of logsIn(SAMPLE)) {
    const original = readFileSync(path);
    for (const form of WRITTEN_FORMS) {
      const converted = writeSections(
        withAssumed(readSections(original, new Findings(path))),
        form,
        new Findings(path),
      );
      t.strictSame(itemsOf(Buffer.from(converted)), itemsOf(original), `${path} as ${form}`);
    }
  }
});

t.test('no personal value is in what is published of a log', async (t) => {
  for (const path of [...logsIn(SAMPLE), ...logsIn(FIXTURES)]) {
    t.strictSame(leaksOf(readSections(readFileSync(path), new Findings(path))), [], path);
  }
});
