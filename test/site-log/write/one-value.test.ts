import t from 'tap';
import type { SiteLogSections } from '../../../schemas/index.js';
import { blankSections, readSections } from '../../../src/site-log/read-sections.js';
import { writeSections, type WrittenForm } from '../../../src/site-log/write.js';
import { Findings } from '../../../src/findings/findings.js';

/** What the writers do with ids, countries and types that are not as the form has them. */

/** A log with a value in a section, written and read again. */
function writtenAgain(
  form: WrittenForm,
  section: 'siteIdentification' | 'siteLocation',
  name: string,
  written: string,
): { text: string; again: SiteLogSections; findings: Findings } {
  const log = blankSections('IGS site log 1');
  Object.assign(log[section], { [name]: { written, value: written, line: 1 } });
  const findings = new Findings('log');
  const text = writeSections(log, form, findings);
  return { text, again: readSections(Buffer.from(text), new Findings('again')), findings };
}

t.test('a title has an id of four characters, or none', async (t) => {
  const cases: [string, string][] = [
    ['ABCD', 'ABCD Site Information Form'],
    ['<b>', 'Site Information Form'],
    ['ABCDE', 'Site Information Form'],
  ];
  for (const [id, title] of cases) {
    const { text, again } = writtenAgain('text1', 'siteIdentification', 'fourCharacterId', id);
    t.ok(text.trimStart().startsWith(title), id);
    t.equal(again.siteIdentification.fourCharacterId?.written, id);
  }
});

t.test('a country is on one line, also in the list of codes', async (t) => {
  for (const form of ['text1', 'geodesyml05'] as const) {
    for (const name of ['country', 'countryName']) {
      const { again, findings } = writtenAgain(form, 'siteLocation', name, 'Upper\n  Lower');
      const { country, countryName } = again.siteLocation;
      t.equal((countryName ?? country)!.written, 'Upper Lower', `${form}: ${name}`);
      t.same(findings.list, [], `${form}: ${name}`);
    }
  }
});

t.test('an unknown country is reported when a known name takes its place', async (t) => {
  const valueOf = (written: string) => ({ written, value: null, line: 1 });
  for (const [country, countryName, isLost] of [
    ['Upper Lower', 'New Zealand', true],
    ['NZL', 'New Zealand', false],
    ['NZL', 'new zealand', false],
    ['New Zealand', 'NZL', false],
  ] as const)
    for (const form of ['text1', 'geodesyml05'] as const) {
      const log = blankSections('IGS site log 1');
      const names = { country: valueOf(country), countryName: valueOf(countryName) };
      Object.assign(log.siteLocation, names);
      const findings = new Findings('log');
      writeSections(log, form, findings);
      const left = findings.list.filter(({ code }) => code === 'no-place');
      t.same(
        left.map(({ text }) => text),
        isLost ? [country] : [],
        `${form}: ${country}, ${countryName}`,
      );
    }
});

t.test('a type on several lines is written on one', async (t) => {
  const log = blankSections('IGS site log 1');
  const lines = `     ABCD Site Information Form (site log)
     International GNSS Service

0.   Form

4.   GNSS Antenna Information

4.1  Antenna Type             : LEIAR25.R3
                              : LEIT
     Serial Number            : 1
`;
  Object.assign(log, readSections(Buffer.from(lines), new Findings('log')));
  for (const form of ['text1', 'geodesyml05'] as const) {
    const text = writeSections(log, form, new Findings('log'));
    const [antenna] = readSections(Buffer.from(text), new Findings('again')).gnssAntennas;
    t.equal(antenna!.type!.written, 'LEIAR25.R3 LEIT', form);
  }
});
