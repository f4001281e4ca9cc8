import t from 'tap';
import { readSections } from '../../../src/site-log/read-sections.js';
import { Findings } from '../../../src/findings/findings.js';
import { writeText } from '../../../src/site-log/write/write-text.js';
import { attempt, shown } from '../reading.js';

/** Labels and headings that are almost those of the form, or those of the form before 2004. */

const HEAD = [
  '     QZXA Site Information Form (site log)',
  '     International GNSS Service',
  '',
  '1.   Site Identification of the GNSS Monument',
  '     Four Character ID        : QZXA',
];
const textOf = (...lines: string[]): string => [...HEAD, ...lines].join('\n');

/** The sections of a log, with its findings. */
function read(...lines: string[]) {
  const findings = new Findings('test.log');
  const sections = readSections(Buffer.from(textOf(...lines)), findings);
  return { sections, findings: shown(findings.list) };
}

t.test('a label that is almost the only missing one is read as it, with an info', async (t) => {
  const { sections, findings } = read(
    '9.1.1 Radio Interference      : harbour radar',
    '       Observed Degredations  : gaps at noon',
    '       Effective Dates        : 2012-03-04/CCYY-MM-DD',
  );
  t.match(sections.radioInterferences, [
    {
      possibleProblemSource: { written: 'harbour radar' },
      observedDegradations: { written: 'gaps at noon' },
    },
  ]);
  t.strictSame(findings, [
    '6 info misspelt-label (9.1.1) Radio Interferences: isRead=true',
    '7 info misspelt-label (9.1.1) Observed Degradations: isRead=true',
  ]);
});

t.test('a label that is almost one that is there as well, or twice, is not read', async (t) => {
  for (const lines of [
    ['     Serial Number            : 1', '     Seriel Number            : 2'],
    ['     Seriel Number            : 1', '     Serail Number            : 2'],
  ]) {
    const { sections, findings } = read('3.1  Receiver Type            : R1', ...lines);
    const [receiver] = sections.gnssReceivers;
    t.equal(receiver!.serialNumber?.written ?? null, lines[0]!.includes('Serial') ? '1' : null);
    t.equal(findings.length, 1, 'ignored-line');
    t.match(findings[0], /warning ignored-line/);
  }
});

t.test('the labels of the form before 2004 are read', async (t) => {
  const { sections, findings } = read(
    '4.   GPS Antenna Information',
    '4.1  Antenna Type             : A1',
    '     Antenna Height (m)       : 0.1234',
    '     Marker->ARP North (m)    : 0.0010',
    '     Marker->ARP East (m)     : -0.0020',
    '     Degree Offset from North : 12',
    '5.   Local Site Ties',
    '5.1  Tied Marker Name         : OLD BOLT',
  );
  t.match(sections.gnssAntennas, [
    {
      markerArpUpEcc: { value: 0.1234 },
      markerArpNorthEcc: { value: 0.001 },
      markerArpEastEcc: { value: -0.002 },
      alignmentFromTrueNorth: { value: 12 },
    },
  ]);
  t.match(sections.surveyedLocalTies, [{ tiedMarkerName: { written: 'OLD BOLT' } }]);
  t.strictSame(findings, []);
});

t.test('agencies and more information have other numbers in the form before 2004', async (t) => {
  const { sections, findings } = read(
    '9.   On-Site, Point of Contact Agency Information',
    '     Agency                   : Harbour Office',
    '10.  Responsible Agency (if different from 9.)',
    '     Agency                   : Land Office',
    '11.  More Information',
    '     Primary Data Center      : Centre A',
  );
  t.match(sections.responsibleParties, [
    { role: 'siteContact', organisation: { written: 'Harbour Office' } },
    { role: 'siteMetadataCustodian', organisation: { written: 'Land Office' } },
  ]);
  t.equal(sections.moreInformation.primaryDataCenter?.written, 'Centre A');
  t.strictSame(findings, [
    '6 warning deviating-heading (11) isMissing=false sections=["11","12","13"]',
  ]);
});

t.test('the frame in the heading of the position is kept, and written back', async (t) => {
  const { sections, findings } = read(
    '2.   Site Location Information',
    '     Approximate Position (POSGAR07)',
    '       Latitude (N is +)      : -103000.00',
    '       Longitude (E is +)     : -635400.00',
  );
  t.match(sections.siteLocation.referenceFrame, { written: 'POSGAR07', line: 7 });
  t.strictSame(findings, [
    '7 info deviating-value (2) Approximate Position: ' +
      'deviation=another frame than that of the form (ITRF) read=POSGAR07',
  ]);
  const written = writeText(sections, '1', new Findings(''));
  t.match(written, '     Approximate Position (POSGAR07)\n');
  for (const usual of ['     Approximate Position (ITRF)', '     Approximate Position']) {
    const plain = read('2.   Site Location Information', usual);
    t.equal(plain.sections.siteLocation.referenceFrame, null);
    t.strictSame(plain.findings, []);
  }
});

/** The lines of an antenna. */
const antenna = (number: number, from: string, to: string): string[] => [
  `4.${number}  Antenna Type             : A${number}`,
  `     Serial Number            : ${number}`,
  `     Date Installed           : ${from}`,
  `     Date Removed             : ${to}`,
];
const UNREADABLE = '     Date Removed             : last spring';

/** The periods of the antennas of a log, and the findings about ends. */
function periodsOf(...lines: string[]): [periods: string[], findings: string[]] {
  const { log, findings } = attempt(textOf(...lines));
  return [
    log!.items.map(({ from, to }) => `${from?.slice(0, 10)}/${to?.slice(0, 10) ?? ''}`),
    shown(findings).filter((each) => /removal-assumed|unreadable-value/.test(each)),
  ];
}

t.test('a removal that cannot be read ends the item at the start of the next one', async (t) => {
  const lines = [
    ...antenna(1, '2001-02-03', '2004--06T00:00Z'),
    ...antenna(2, '2004-05-06', '(CCYY-MM-DDThh:mmZ)'),
  ];
  t.strictSame(periodsOf(...lines), [
    ['2001-02-03/2004-05-06', '2004-05-06/'],
    ['9 warning removal-assumed (4.1) Date Removed: kind=gnss antenna until=2004-05-06T00:00:00Z'],
  ]);
});

t.test('it stays open without a later item, or where several were in use at once', async (t) => {
  const open = (...lines: string[]): void => {
    const [, findings] = periodsOf(...lines);
    t.strictSame(
      findings.filter((each) => each.includes('removal-assumed')),
      [],
    );
    t.equal(findings.length, lines.includes(UNREADABLE) ? 1 : 0, 'the date is reported');
  };
  open(...antenna(1, '2001-02-03', 'last spring'));
  open(...antenna(1, '2001-02-03', 'last spring'), ...antenna(2, '1999-01-01', '2001-02-03'));
  open(...antenna(1, '2001-02-03', '9999-99-99'), ...antenna(2, '2004-05-06', ''));
  open(
    ...antenna(1, '2001-02-03', 'last spring'),
    ...antenna(2, '2004-05-06', '2010-01-01'),
    ...antenna(3, '2005-05-06', '2011-01-01'),
  );
});

/** What the findings about unreadable dates of a log say that its items count as. */
const assumedIn = (...lines: string[]): unknown[] =>
  attempt(textOf(...lines))
    .findings.filter(({ code }) => code === 'unreadable-value')
    .map(({ values }) => values.assumed);

t.test('the finding about a date that cannot be read says what the item counts as', async (t) => {
  const first = antenna(1, '2001-02-03', '2004-05-06');
  const from = '2001-02-03T00:00:00Z';
  const spring = (dates: string): string[] => [
    '6.1  Standard Type            : INTERNAL',
    `       Effective Dates        : ${dates}`,
  ];
  const pressure = (dates: string): string[] => [
    '8.2.1 Pressure Sensor Model   : P1',
    `       Effective Dates        : ${dates}`,
  ];
  const open = { from: null, isOpen: true };
  t.strictSame(assumedIn(...first, ...antenna(2, 'last spring', '')), [{ from, isOpen: false }]);
  t.strictSame(assumedIn(...first, ...antenna(2, '2004-05-06', 'last spring')), [open]);
  t.strictSame(assumedIn(...first, ...spring('last spring 1/')), [{ from, isOpen: false }]);
  t.strictSame(assumedIn(...first, ...spring('last spring 1/this spring 2')), [
    { from, isOpen: true },
  ]);
  t.strictSame(assumedIn(...first, ...pressure('last spring 1/')), [undefined], 'in no Setup');
  t.strictSame(assumedIn(...first, ...pressure('2004-05-06/this spring 2')), [open]);
  t.strictSame(assumedIn(...antenna(2, 'last spring', '')), [undefined], 'the log has no date');
});
