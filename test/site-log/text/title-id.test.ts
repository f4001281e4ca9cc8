import t from 'tap';
import { readSections } from '../../../src/site-log/read-sections.js';
import { Findings } from '../../../src/findings/findings.js';
import { writeSections, WRITTEN_FORMS } from '../../../src/site-log/write.js';
import { attempt, shown } from '../reading.js';

/** A log with a title, an id and a country. */
const logWith = (title: string, field: string, country: string | null): string =>
  [
    `     ${title}`,
    '1.   Site Identification of the GNSS Monument',
    `     ${field}`,
    '2.   Site Location Information',
    ...(country === null ? [] : [`     Country                  : ${country}`]),
  ].join('\n');
const FORM = 'Site Information Form (site log)';
const FOUR = 'Four Character ID        : QZXA';

/** The nine characters that a log gives, and what was found about it. */
function nineOf(text: string): { nine: string | null | undefined; findings: string[] } {
  const { log, findings } = attempt(text);
  return { nine: log?.identification.nineCharacterId, findings: shown(findings) };
}

t.test('a title gives nine characters above a field of four', async (t) => {
  for (const [title, country] of [
    [`QZXA00NZL ${FORM}`, 'New Zealand'],
    [`QZXA00NZL ${FORM}`, 'NZL'],
    [`qzxa00nzl   SITE INFORMATION FORM`, 'new zealand'],
    [`QZXA00NZL Site Information Form (site log v2.0)`, 'New Zealand'],
    [`QZXA00NZL Site Information Form, updated`, 'New Zealand'],
    // Nothing says another country.
    [`QZXA00NZL ${FORM}`, ''],
    [`QZXA00NZL ${FORM}`, null],
    [`QZXA00NZL ${FORM}`, 'Nowhere'],
  ] as const) {
    const { nine, findings } = nineOf(logWith(title, FOUR, country));
    t.equal(nine, 'QZXA00NZL', `${title}, ${country}`);
    t.equal(findings.length, 0, 'a title costs nothing');
  }
  const { nine } = nineOf(logWith(`QZXA10REU ${FORM}`, FOUR, 'France'));
  t.equal(nine, 'QZXA10REU', 'Réunion is a part of France');
  const sections = readSections(
    Buffer.from(logWith(`QZXA00NZL ${FORM}`, FOUR, 'New Zealand')),
    new Findings(''),
  );
  t.match(sections, {
    form: 'IGS site log 1',
    siteIdentification: {
      fourCharacterId: { written: 'QZXA', line: 3 },
      nineCharacterId: { written: 'QZXA00NZL', line: 1 },
    },
  });
});

t.test('a title that contradicts the country is a warning, and the field counts', async (t) => {
  for (const [title, country, values] of [
    ['QZXA00NZL', 'Australia', 'country=NZL other=AUS'],
    ['QZXA00FRA', 'Réunion', 'country=FRA other=REU'],
    ['QZXA00QQQ', 'New Zealand', 'country=QQQ other=null'],
  ] as const)
    t.strictSame(
      nineOf(logWith(`${title} ${FORM}`, FOUR, country)),
      { nine: null, findings: [`1 warning title-differs ${values}`] },
      title,
    );
});

t.test('a title of another Site is a warning, and the field counts', async (t) => {
  const titled = (title: string, field = FOUR) =>
    nineOf(logWith(`${title} ${FORM}`, field, 'New Zealand'));
  for (const title of ['QZXB00NZL', 'QZXB', 'qzxb'])
    t.strictSame(titled(title), {
      nine: null,
      findings: ['1 warning title-differs id=QZXA'],
    });
  for (const title of ['QZXA', 'qzxa', 'XXXX'])
    t.strictSame(titled(title), { nine: null, findings: [] }, title);
  const two = 'Nine Character ID        : QZXA00NZL';
  t.strictSame(titled('QZXA01NZL', two), {
    nine: 'QZXA00NZL',
    findings: ['1 warning title-differs id=QZXA00NZL'],
  });
});

t.test('a title of other characters gives nothing', async (t) => {
  for (const title of ['QZXA', 'QZXA0NZL', 'QZXA00NZ', 'QZXAA0NZL', 'QZXA00NZL1'])
    t.equal(nineOf(logWith(`${title} ${FORM}`, FOUR, 'New Zealand')).nine, null, title);
  t.equal(
    nineOf(logWith('QZXA00NZL', FOUR, 'New Zealand')).nine,
    null,
    'a line that is not the title',
  );
  // The title does not mend an id that is missing or malformed.
  for (const field of ['Four Character ID        :', 'Four Character ID        : QZXAB'])
    t.equal(nineOf(logWith(`QZXA00NZL ${FORM}`, field, 'New Zealand')).nine, undefined, field);
  const two = nineOf(logWith(`QZXA00NZL ${FORM}`, 'Nine Character ID        : QZXA00AUS', 'AUS'));
  t.equal(two.nine, 'QZXA00AUS', 'the field of nine characters counts');
});

t.test('the nine characters of a title are written in every form', async (t) => {
  const read = (text: string) => readSections(Buffer.from(text), new Findings(''));
  const log = read(logWith(`QZXA00NZL ${FORM}`, FOUR, 'New Zealand'));
  for (const form of WRITTEN_FORMS) {
    const findings = new Findings('');
    const again = read(writeSections(log, form, findings));
    t.equal(again.siteIdentification.nineCharacterId?.written, 'QZXA00NZL', form);
    t.strictSame(findings.list, [], form);
  }
  const text1 = writeSections(log, 'text1', new Findings(''));
  t.match(text1, /^ {5}QZXA00NZL Site Information Form \(site log\)\n/);
  t.match(text1, /\n {5}Four Character ID {8}: QZXA\n/);
  t.notMatch(text1, 'Nine Character ID');
});

t.test('version 1 has no place for nine characters that section 2 contradicts', async (t) => {
  const nine = 'Nine Character ID        : QZXA00NZL';
  const log = readSections(
    Buffer.from(logWith(`QZXA00NZL ${FORM}`, nine, 'AUS')),
    new Findings(''),
  );
  const findings = new Findings('');
  t.match(writeSections(log, 'text1', findings), /^ {5}QZXA Site Information Form/);
  t.match(findings.list, [
    { code: 'no-place', section: '1', label: 'Nine Character ID', values: { form: /version 1/ } },
  ]);
});
