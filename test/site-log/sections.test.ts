import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { type SiteLogSections, SiteLogSections as schema, toPlainSchema } from '../../schemas/index.js';
import { readSections } from '../../src/site-log/read-sections.js';
import { readSiteLog } from '../../src/site-log/read.js';
import { type Finding, Findings } from '../../src/site-log/site-log.js';
import { REAL_LOGS, SAMPLE, withRealLogs } from '../helper.js';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const validate = new Ajv2020({ strict: false }).compile(toPlainSchema(schema));

function read(content: string | Uint8Array): { log: SiteLogSections; findings: Finding[] } {
  const findings = new Findings('test.log');
  const log = readSections(typeof content === 'string' ? Buffer.from(content) : content, findings);
  return { log, findings: findings.list };
}

const HEAD = ['     TEST Site Information Form (site log)', '1.   Site Identification', '     Four Character ID        : TEST'];
const readText = (...lines: string[]) => read([...HEAD, ...lines].join('\n'));
/** The values of a block that are not blank, as written. */
const written = (block: object | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(block ?? {}).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null && 'written' in value ? [[name, String(value.written)]] : [],
    ),
  );

t.test('a value has its text as written, what was read from it, and its line', async (t) => {
  const { log } = readText(
    '5.   Surveyed Local Ties',
    '5.1  Tied Marker Name         : RM1',
    '       dx (m)                 : -2.7354',
    '     Accuracy (mm)            : 1 mm (estimated)',
    '     Date Measured            : 1992-08-12',
    '     Additional Information   : (multiple lines)',
    '8.2.1 Pressure Sensor Model   : NONE',
    '       Effective Dates        : 2003-01-01/(CCYY-MM-DD)',
  );
  const [tie] = log.surveyedLocalTies;
  t.strictSame(tie?.dx, { written: '-2.7354', value: -2.7354, line: 6 });
  t.strictSame(tie?.accuracy, { written: '1 mm (estimated)', value: 1, line: 7 });
  t.strictSame(tie?.dateMeasured, { written: '1992-08-12', value: '1992-08-12T00:00:00Z', line: 8 });
  t.equal(tie?.notes, null, 'the hint of the blank form is no value');
  t.equal(tie?.line, 5);
  const [sensor] = log.pressureSensors;
  t.strictSame(sensor?.type, { written: 'NONE', value: null, line: 10 }, 'a word for unknown stays as written');
  t.strictSame(sensor?.effectiveDates, {
    written: '2003-01-01/(CCYY-MM-DD)',
    value: { from: '2003-01-01T00:00:00Z', to: null },
    line: 11,
  });
});

t.test('a section has as many blocks as the log has', async (t) => {
  const ties = Array.from({ length: 20_000 }, (_, index) => `5.${index % 10_000}  Tied Marker Name         : RM`);
  const { log, findings } = readText('5.   Surveyed Local Ties', ...ties);
  t.equal(log.surveyedLocalTies.length, 20_000);
  t.strictSame(findings, []);
});

t.test('the two contacts of an agency are two parties', async (t) => {
  const { log } = readText(
    '11.  On-Site, Point of Contact Agency Information',
    '     Agency                   : Synthetic Survey',
    '     Preferred Abbreviation   : SYN',
    '     Mailing Address          : 1 Main Street',
    '                              : Synthburg',
    '     Primary Contact',
    '       Contact Name           : Jo Example',
    '       Telephone (primary)    : 1',
    '     Secondary Contact',
    '       Contact Name           : Sam Example',
    '       Telephone (primary)    : 2',
    '       E-mail                 : sam@synthetic.example',
    '12.  Responsible Agency (if different from 11.)',
    '     Agency                   : Other Survey',
  );
  const agency = { organisation: 'Synthetic Survey', address: '1 Main Street\nSynthburg' };
  t.same(
    log.responsibleParties.map((party) => [party.role, written(party)]),
    [
      ['siteContact', { ...agency, abbreviation: 'SYN', individualName: 'Jo Example', telephone: '1' }],
      ['siteContact', { ...agency, individualName: 'Sam Example', telephone: '2', email: 'sam@synthetic.example' }],
      ['siteMetadataCustodian', { organisation: 'Other Survey' }],
    ],
  );
});

t.test('the drawing at the end keeps its spaces, and nothing in it is read', async (t) => {
  const drawing = ['  +---+   <-- 0.1 m', '', '3.1  Receiver Type            : drawn', '  \\___/'];
  const { log, findings } = readText(
    '13.  More Information',
    '     Primary Data Center      : SDC',
    '     Hardcopy on File',
    '       Site Map               : (Y or URL)',
    '     Antenna Graphics with Dimensions',
    '',
    ...drawing,
    '',
  );
  t.strictSame(written(log.moreInformation), { primaryDataCenter: 'SDC', antennaGraphics: drawing.join('\n') });
  t.strictSame(log.gnssReceivers, []);
  t.strictSame(findings, []);
});

t.test('the XML of SOPAC has the same values as the text form', async (t) => {
  const { log, findings } = read(readFileSync(join(FIXTURES, 'sopac-2004.xml')));
  t.equal(log.form, 'SOPAC site log 2004');
  t.strictSame(written(log.formInformation), {
    preparedBy: 'Jo Example',
    datePrepared: '2009-01-02',
    reportType: 'UPDATE',
    previousSiteLog: 'synt_20080101.log',
    modifiedSections: '3.1',
  });
  t.equal(log.siteLocation.latitude?.value, -74.29058333);
  t.equal(log.siteLocation.country?.value, 'ATA');
  t.equal(log.surveyedLocalTies[0]?.dz?.value, 257.341);
  t.equal(log.frequencyStandards[0]?.inputFrequency?.value, 5);
  t.strictSame(log.gnssAntennas[0]?.antennaCableLength, { written: '0.62 + 25 + 0.52', value: null, line: 45 });
  t.strictSame(written(log.radioInterferences[0]), { possibleProblemSource: 'TV TOWER', observedDegradations: 'none' });
  t.strictSame(
    log.responsibleParties.map(({ individualName }) => individualName?.value),
    ['Jo Example', 'Sam Example'],
  );
  t.strictSame(
    findings.map(({ line, message }) => [line, message]),
    [[45, 'antennaCableLength: not a number of metres; treated as unknown']],
  );
});

t.test('a withdrawn block of GeodesyML is in the log, and what the form has no place for is reported', async (t) => {
  const { log, findings } = read(
    [
      '<geo:GeodesyML gml:id="_00NA00AUS" xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5" xmlns:gml="http://www.opengis.net/gml/3.2">',
      '<geo:siteLog><geo:siteIdentification><geo:fourCharacterID>00NA</geo:fourCharacterID></geo:siteIdentification>',
      '<geo:localEpisodicEffect><geo:LocalEpisodicEffect><gml:validTime><gml:TimePeriod><gml:beginPosition>2010-01-01</gml:beginPosition>',
      '<gml:endPosition/></gml:TimePeriod></gml:validTime><geo:event>Fire</geo:event></geo:LocalEpisodicEffect>',
      '<geo:dateDeleted>2011-01-01</geo:dateDeleted></geo:localEpisodicEffect><geo:dataStream/></geo:siteLog></geo:GeodesyML>',
    ].join('\n'),
  );
  t.equal(log.siteIdentification.nineCharacterId?.value, '00NA00AUS', 'a gml:id cannot begin with a digit');
  t.strictSame(written(log.localEpisodicEffects[0]), { effectiveDates: '2010-01-01/', event: 'Fire', dateDeleted: '2011-01-01' });
  t.strictSame(
    findings.map(({ message }) => message),
    ['dataStream is not in the site log form; element ignored'],
  );
});

t.test('what is read is valid by the schema', async (t) => {
  for (const folder of [SAMPLE, FIXTURES]) {
    for (const name of readdirSync(folder).filter((each) => !each.endsWith('.json'))) {
      const { log } = read(readFileSync(join(folder, name)));
      t.ok(validate(JSON.parse(JSON.stringify(log))), `${name}: ${JSON.stringify(validate.errors)}`);
    }
  }
});

t.test('an import reads the real logs of SOPAC as well', withRealLogs, async (t) => {
  const folder = join(REAL_LOGS!, 'sopac');
  for (const name of readdirSync(folder)) {
    const findings = new Findings(name);
    const { identification, items, form } = readSiteLog(readFileSync(join(folder, name)), findings);
    t.equal(form, 'SOPAC site log 2004');
    t.equal(identification.fourCharacterId, name.slice(0, 4));
    t.not(items.length, 0, name);
    t.ok(items.every(({ from }) => from === null || from > '1990'));
    t.strictSame(
      findings.list.filter(({ level, message }) => level === 'warning' && !/^(antennaCableLength|heightOfTheMonument): /.test(message)),
      [],
      name,
    );
  }
});
