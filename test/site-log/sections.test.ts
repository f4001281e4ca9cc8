import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import {
  type SiteLogSections,
  SiteLogSections as schema,
  toPlainSchema,
} from '../../schemas/index.js';
import { readSections } from '../../src/site-log/read-sections.js';
import { readWholeLog } from '../../src/site-log/read.js';
import { type Finding, Findings } from '../../src/findings/findings.js';
import { writeSections } from '../../src/site-log/write.js';
import { SAMPLE } from '../project-files.js';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const validate = new Ajv2020({ strict: false }).compile(toPlainSchema(schema));

function read(content: string | Uint8Array): { log: SiteLogSections; findings: Finding[] } {
  const findings = new Findings('test.log');
  const log = readSections(typeof content === 'string' ? Buffer.from(content) : content, findings);
  return { log, findings: findings.list };
}

const HEAD = [
  '     TEST Site Information Form (site log)',
  '1.   Site Identification of the GNSS Monument',
  '     Four Character ID        : TEST',
];
const readText = (...lines: string[]) => read([...HEAD, ...lines].join('\n'));
/** The values of a block that are not blank, as written. */
const written = (block: object | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(block ?? {}).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null && 'written' in value
        ? [[name, String(value.written)]]
        : [],
    ),
  );

t.test('a value has its text as written, what was read from it, and its line', async (t) => {
  const marker = [
    '5.   Surveyed Local Ties',
    '5.1  Tied Marker Name : RM1',
    '       dx (m) : -2.7354',
  ];
  const more = [
    '     Accuracy (mm) : 1 mm (estimated)',
    '     Date Measured : 1992-08-12',
    '     Additional Information : (multiple lines)',
  ];
  const pressure = [
    '8.2.1 Pressure Sensor Model : NONE',
    '       Effective Dates : 2003-01-01/(CCYY-MM-DD)',
  ];
  const { log } = readText(...marker, ...more, ...pressure);
  const [tie] = log.surveyedLocalTies;
  t.strictSame(tie?.dx, { written: '-2.7354', value: -2.7354, line: 6 });
  t.strictSame(tie?.localSiteTieAccuracy, { written: '1 mm (estimated)', value: 1, line: 7 });
  t.strictSame(tie?.dateMeasured, {
    written: '1992-08-12',
    value: '1992-08-12T00:00:00Z',
    line: 8,
  });
  t.equal(tie?.notes, null, 'the hint of the blank form is no value');
  t.equal(tie?.line, 5);
  const [sensor] = log.pressureSensors;
  t.strictSame(
    sensor?.type,
    { written: 'NONE', value: null, line: 10 },
    'a word for unknown stays as written',
  );
  const dates = { from: '2003-01-01T00:00:00Z', to: null };
  t.strictSame(sensor?.effectiveDates, {
    written: '2003-01-01/(CCYY-MM-DD)',
    value: dates,
    line: 11,
  });
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
      [
        'siteContact',
        { ...agency, abbreviation: 'SYN', individualName: 'Jo Example', telephone: '1' },
      ],
      [
        'siteContact',
        {
          ...agency,
          individualName: 'Sam Example',
          telephone: '2',
          email: 'sam@synthetic.example',
        },
      ],
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
  t.strictSame(written(log.moreInformation), {
    primaryDataCenter: 'SDC',
    antennaGraphics: drawing.join('\n'),
  });
  t.strictSame(log.gnssReceivers, []);
  t.strictSame(findings, []);
});

t.test(
  'GeodesyML gives the name of a country besides its code, unless both are the same',
  async (t) => {
    for (const [name, expected] of [
      ['Australia', 'Australia'],
      ['AUS', undefined],
    ] as const) {
      const { log } = read(`<geo:siteLog xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5">
      <geo:siteIdentification><geo:fourCharacterID>TEST</geo:fourCharacterID></geo:siteIdentification>
      <geo:siteLocation><geo:countryCodeISO codeListValue="${name}">AUS</geo:countryCodeISO></geo:siteLocation></geo:siteLog>`);
      t.strictSame(
        [log.siteLocation.country?.value, written(log.siteLocation).countryName],
        ['AUS', expected],
      );
    }
  },
);

t.test('the XML of SOPAC has the same values as the text form', async (t) => {
  const { log, findings } = read(readFileSync(join(FIXTURES, 'sopac-2004.xml')));
  t.equal(log.form, 'SOPAC site log 2004');
  t.strictSame(written(log.formInformation), {
    ...{ preparedBy: 'Jo Example', datePrepared: '2009-01-02', reportType: 'UPDATE' },
    ...{ previousSiteLog: 'synt_20080101.log', modifiedSections: '3.1' },
  });
  t.equal(log.siteLocation.latitude?.value, -74.29058333);
  t.equal(log.siteLocation.country?.value, 'ATA');
  t.equal(log.surveyedLocalTies[0]?.dz?.value, 257.341);
  t.equal(log.frequencyStandards[0]?.inputFrequency?.value, 5);
  t.strictSame(log.gnssAntennas[0]?.antennaCableLength, {
    written: '0.62 + 25 + 0.52',
    value: null,
    line: 45,
  });
  t.strictSame(written(log.radioInterferences[0]), {
    possibleProblemSource: 'TV TOWER',
    observedDegradations: 'none',
  });
  const names = log.responsibleParties.map(({ individualName }) => individualName?.value);
  t.strictSame(names, ['Jo Example', 'Sam Example']);
  t.match(findings, [{ line: 45, code: 'unreadable-value', label: 'antennaCableLength' }]);
  t.equal(findings.length, 1);
});

t.test(
  'a withdrawn block of GeodesyML is in the log, and what the form has no place for is reported',
  async (t) => {
    const { log, findings } = read(
      [
        '<geo:GeodesyML gml:id="_00NA00AUS" xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5" xmlns:gml="http://www.opengis.net/gml/3.2">',
        '<geo:siteLog><geo:siteIdentification><geo:fourCharacterID>00NA</geo:fourCharacterID></geo:siteIdentification>',
        '<geo:localEpisodicEffect><geo:LocalEpisodicEffect><gml:validTime><gml:TimePeriod><gml:beginPosition>2010-01-01</gml:beginPosition>',
        '<gml:endPosition/></gml:TimePeriod></gml:validTime><geo:event>Fire</geo:event></geo:LocalEpisodicEffect>',
        '<geo:dateDeleted>2011-01-01</geo:dateDeleted></geo:localEpisodicEffect><geo:dataStream/></geo:siteLog></geo:GeodesyML>',
      ].join('\n'),
    );
    t.equal(
      log.siteIdentification.nineCharacterId?.value,
      '00NA00AUS',
      'a gml:id cannot begin with a digit',
    );
    t.strictSame(written(log.localEpisodicEffects[0]), {
      effectiveDates: '2010-01-01/',
      event: 'Fire',
      dateDeleted: '2011-01-01',
    });
    t.match(findings, [
      { code: 'ignored-element', text: 'dataStream', values: { why: 'only in schema' } },
    ]);
    t.equal(findings.length, 1);
  },
);

t.test('what GeodesyML has no element for is reported, value by value', async (t) => {
  const { log } = readText(
    '3.   GNSS Receiver Information',
    '3.1  Receiver Type            : R1',
    '     Temperature Stabiliz.    : 2.0 +/- 1.0',
    '12.  Responsible Agency (if different from 11.)',
    '     Agency                   : Survey',
    '     Primary Contact',
    '       Contact Name           : Ann One',
    '     Secondary Contact',
    '       Contact Name           : Bob Two',
    '       E-mail                 : bob@survey.example',
  );
  for (const form of ['geodesyml04', 'geodesyml05', 'geodesyml06'] as const) {
    const findings = new Findings('');
    const text = writeSections(log, form, findings);
    const lost = ['2.0 +/- 1.0', 'Bob Two', 'bob@survey.example'];
    for (const value of lost) t.notMatch(text, value, form);
    const reported = findings.list.map((finding) => finding.text);
    t.strictSame(
      lost.filter((value) => !reported.includes(value)),
      [],
      form,
    );
    t.match(text, 'Ann One', form);
  }
});

t.test('what is read is valid by the schema', async (t) => {
  for (const folder of [SAMPLE, FIXTURES]) {
    for (const name of readdirSync(folder).filter((each) => !each.endsWith('.json'))) {
      const { log } = read(readFileSync(join(folder, name)));
      t.ok(
        validate(JSON.parse(JSON.stringify(log))),
        `${name}: ${JSON.stringify(validate.errors)}`,
      );
    }
  }
});

t.test('a blank date of the form is no value', async (t) => {
  const tie = [
    '5.   Surveyed Local Ties',
    '5.1  Tied Marker Name : RM1',
    '     Date Measured : CCYY-MM-DDThh:mmZ',
  ];
  const sensor = [
    '8.   Meteorological Instrumentation',
    '8.1.1 Humidity Sensor Model : H',
    '       Calibration date : CCYY-MM-DD',
  ];
  const { log, findings } = readText(...tie, ...sensor);
  t.strictSame(
    [log.surveyedLocalTies[0]?.dateMeasured, log.humiditySensors[0]?.calibrationDate, findings],
    [null, null, []],
  );
});

t.test('a day keeps its time in other forms', async (t) => {
  const first = ['8.1.1 Humidity Sensor Model : H', '       Calibration date : 2001-02-03T04:05Z'];
  const second = ['8.1.2 Humidity Sensor Model : I', '       Calibration date : 2001/02/03'];
  const { log } = readText('8.1  Humidity Sensor', ...first, ...second);
  const days = log.humiditySensors.map(({ calibrationDate }) => calibrationDate?.value);
  t.strictSame(days, ['2001-02-03', '2001-02-03']);
  const xml = writeSections(log, 'geodesyml05', new Findings(''));
  t.match(xml, '<geo:calibrationDate>2001-02-03T04:05:00Z</geo:calibrationDate>');
  t.match(xml, '<geo:calibrationDate>2001-02-03</geo:calibrationDate>');
  t.match(
    writeSections(read(xml).log, 'text1', new Findings('')),
    /Calibration date +: 2001-02-03T04:05Z\n/,
  );
});

/** A GeodesyML log with some content. */
const xmlOf = (...content: string[]): string =>
  [
    '<geo:GeodesyML gml:id="TEST00AUS" xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5" xmlns:gml="gml" xmlns:gmd="gmd" xmlns:gco="gco">',
    '<geo:siteLog><geo:siteIdentification><geo:fourCharacterID>TEST</geo:fourCharacterID></geo:siteIdentification>',
    ...content,
    '</geo:siteLog></geo:GeodesyML>',
  ].join('\n');

t.test('a date of GeodesyML may be an instant', async (t) => {
  const instant =
    '<gml:TimeInstant gml:id="i"><gml:timePosition>2010-01-02</gml:timePosition></gml:TimeInstant>';
  const { log, findings } = read(
    xmlOf(
      `<geo:signalObstruction><geo:SignalObstruction><gml:validTime>${instant}</gml:validTime></geo:SignalObstruction></geo:signalObstruction>`,
      `<geo:gnssReceiver><geo:GnssReceiver><geo:dateInstalled>${instant}</geo:dateInstalled></geo:GnssReceiver></geo:gnssReceiver>`,
    ),
  );
  t.strictSame(log.signalObstructions[0]?.effectiveDates?.value, {
    from: '2010-01-02T00:00:00Z',
    to: null,
  });
  t.strictSame(log.gnssReceivers[0]?.dateInstalled, {
    written: '2010-01-02',
    value: '2010-01-02T00:00:00Z',
    line: 4,
  });
  t.strictSame(findings, []);
});

t.test(
  'all lines of an address and all email addresses are read, and written as lines and elements',
  async (t) => {
    const texts = (name: string, ...values: string[]): string =>
      values
        .map(
          (value) =>
            `<gmd:${name}><gco:CharacterString>${value}</gco:CharacterString></gmd:${name}>`,
        )
        .join('\n');
    const address = ['346 Panorama Avenue', ' Bathurst NSW 2795 ', '', 'AUSTRALIA'];
    const { log } = read(
      xmlOf(
        '<geo:siteContact><gmd:CI_ResponsibleParty><gmd:contactInfo><gmd:CI_Contact><gmd:address><gmd:CI_Address>',
        texts('deliveryPoint', ...address),
        texts('electronicMailAddress', 'a@x.example', 'b@x.example'),
        '</gmd:CI_Address></gmd:address></gmd:CI_Contact></gmd:contactInfo></gmd:CI_ResponsibleParty></geo:siteContact>',
      ),
    );
    const [party] = log.responsibleParties;
    t.strictSame(party?.address, {
      written: '346 Panorama Avenue\nBathurst NSW 2795\nAUSTRALIA',
      value: '346 Panorama Avenue Bathurst NSW 2795 AUSTRALIA',
      line: 4,
    });
    t.equal(party?.email?.written, 'a@x.example\nb@x.example');
    const text = writeSections(log, 'text1', new Findings(''));
    t.match(text, /Mailing Address +: 346 Panorama Avenue\n +: Bathurst NSW 2795\n +: AUSTRALIA\n/);
    t.match(text, /E-mail +: a@x\.example\n +: b@x\.example\n/);
    const xml = writeSections(read(text).log, 'geodesyml05', new Findings(''));
    const values = [
      ...xml.matchAll(
        /<gmd:(?:deliveryPoint|electronicMailAddress)>\s*<gco:CharacterString>(.*)</g,
      ),
    ].map(([, value]) => value);
    t.strictSame(values, [
      '346 Panorama Avenue',
      'Bathurst NSW 2795',
      'AUSTRALIA',
      'a@x.example',
      'b@x.example',
    ]);
  },
);

t.test('no control character or line separator of a log reaches a file', async (t) => {
  const { log } = read(
    xmlOf(
      '<geo:siteLocation><geo:city>A\u0090B &#x85;C&#x2028;D\u2029E &amp;#x2028;F</geo:city></geo:siteLocation>',
    ),
  );
  t.strictSame(
    [log.siteLocation.city?.written, log.siteLocation.city?.value],
    ['A B\nC\nD\nE\nF', 'A B C D E F'],
  );
  const text = writeSections(log, 'text1', new Findings(''));
  t.notMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/);
  t.match(text, /City or Town +: A B\n +: C\n +: D\n/);
  const city = xmlOf(
    '<geo:siteLocation><geo:city>A\u0090B\u0085C\u2028D</geo:city></geo:siteLocation>',
  );
  const site = readWholeLog(Buffer.from(city), new Findings('')).log;
  t.equal(site.identification.city, 'A B C D');
});

t.test(
  'a text longer than a line is broken within 80 columns, and comes back as one line',
  async (t) => {
    const notes = `Antenna ${'moved by some metres '.repeat(12)}and   ${'x'.repeat(46)} ${'y'.repeat(60)} end`;
    const lines = ['short', 'second line', '', '  indented'];
    const { log } = read(
      xmlOf(
        `<geo:gnssReceiver><geo:GnssReceiver><geo:notes>${notes}</geo:notes></geo:GnssReceiver></geo:gnssReceiver>`,
        `<geo:gnssReceiver><geo:GnssReceiver><geo:notes>${lines.join('\n')}</geo:notes></geo:GnssReceiver></geo:gnssReceiver>`,
      ),
    );
    const findings = new Findings('');
    const text = writeSections(log, 'text1', findings);
    const long = text.split('\n').filter((line) => line.length > 80);
    t.strictSame(long, [`${' '.repeat(30)}: ${'y'.repeat(60)}`]);
    const about = { code: 'over-80-columns', section: '3', label: 'Additional Information' };
    t.match(findings.list, [{ line: 3, level: 'info', ...about, text: 'y'.repeat(60) }]);
    const again = read(text).log;
    t.equal(again.gnssReceivers[0]?.notes?.written, notes.replace('and   ', 'and '));
    t.equal(again.gnssReceivers[1]?.notes?.written, lines.join('\n'));
    t.equal(writeSections(again, 'text1', new Findings('')), text);
  },
);

t.test(
  'a line of the text form is continued if the first word of the next would not have fitted',
  async (t) => {
    const notesOf = (...lines: string[]): string | undefined =>
      readText('3.   GNSS Receiver Information', '3.1  Receiver Type            : R', ...lines).log
        .gnssReceivers[0]?.notes?.written;
    const label = '     Additional Information   : ';
    const margin = `${' '.repeat(30)}: `;
    t.equal(
      notesOf(`${label}${'a'.repeat(44)}`, `${margin}1234 b`),
      `${'a'.repeat(44)} 1234 b`,
      '81 columns with the word',
    );
    t.equal(
      notesOf(`${label}${'a'.repeat(44)}`, `${margin}123 b`),
      `${'a'.repeat(44)}\n123 b`,
      '80 columns with it',
    );
    t.equal(
      notesOf(`${label}${'a'.repeat(44)}`, '', `${margin}1234 b`),
      `${'a'.repeat(44)}\n1234 b`,
      'after a blank line',
    );
    t.equal(
      notesOf(`${label}${'a'.repeat(44)}`, `${margin} 1234 b`),
      `${'a'.repeat(44)}\n 1234 b`,
      'indented',
    );
    t.equal(notesOf(label, `${margin}${'a'.repeat(60)}`), 'a'.repeat(60));
  },
);
