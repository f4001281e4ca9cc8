import t from 'tap';
import { readWholeLog } from '../../../src/site-log/read.js';
import { factsIn } from '../../facts.js';
import { Findings } from '../../../src/findings/findings.js';

/** Contacts are withheld, however the heading of their section is damaged. */

const field = (label: string, value: string): string => `     ${label.padEnd(25)}: ${value}`;
const margin = ' '.repeat(32);

const HEAD = [
  '     TEST Site Information Form (site log)',
  '1.   Site Identification of the GNSS Monument',
  field('Four Character ID', 'TEST'),
  '3.   GNSS Receiver Information',
  '3.1  Receiver Type            : R1',
  field('Date Installed', '2010-01-01'),
  field('Additional Information', 'public remark'),
  '',
];
const EVENT = [
  '10.  Local Episodic Effects Possibly Affecting Data Quality',
  '10.1 Date                     : 2011-01-01',
  field('Event', 'TREE CLEARING'),
  '',
];
const MORE = [
  '13.  More Information',
  field('Site Map', 'public map'),
  '     Antenna Graphics with Dimensions',
  '     +--+ public drawing',
  '',
];
const CONTACTS = [
  field('Agency', 'Example Survey'),
  field('Mailing Address', '1 Long Street'),
  '     Primary Contact',
  field('Contact Name', 'Secret Person'),
  field('Telephone (primary)', '+43 660 5550001'),
  field('E-mail', 'secret@example.org'),
  field('Additional Information', 'secret remark'),
  `${margin}secret continuation`,
  field('Mobile', 'secret mobile'),
  '',
];
const SECRET = /secret|555000/i;

const ON_SITE = 'On-Site, Point of Contact Agency Information';
const RESPONSIBLE = 'Responsible Agency (if different from 11.)';
/** Headings as they could be written by mistake; null: none. */
const headings = (number: string, text: string): (string | null)[] => [
  ...[
    null,
    '',
    `${number}.  ${text}`,
    `${number}.  ${text.toLowerCase()}`,
    text,
    `${number} ${text}`,
  ],
  ...[`${number}) ${text}`, `1.   ${text}`, `5.   ${text}`, `13.  ${text}`, `14.  ${text}`],
  ...[`l1.  ${text}`, `II.  ${text}`, `* ${text} *`, `${margin}${text}`, `${margin}11.  ${text}`],
  ...[`${number}.  Onsite, Piont of Contcat`, `${number}.  Kontakt`, 'Kontakt', '14.  Contacts'],
  ...[
    `${number}.`,
    `${number}.1`,
    '5.   Secret Person',
    'Contact: Secret Person',
    'Secret, 5550001',
  ],
  ...[`4.1  ${text}`, `10.2 ${text}`, `${number}.  ${text}\n${number}.  ${text}`, `\0${text}`],
];

/** Ways in which the first lines of the contacts could be damaged, too. */
const DAMAGES: Record<string, (lines: string[]) => string[]> = {
  none: (lines) => lines,
  'no first label': (lines) => lines.slice(1),
  'a misspelt label': (lines) => lines.map((line) => line.replace('Agency ', 'Agnecy ')),
  'an unknown label first': (lines) => [lines.at(-2)!, ...lines.slice(0, -2)],
  'a line without a label first': (lines) => ['secret line', ...lines],
  'no indentation': (lines) => lines.map((line) => line.trimStart()),
  'a number': ([first, ...rest]) => [first!.replace('    ', '11.1'), ...rest],
  'no lines for contacts': (lines) => lines.filter((line) => !line.includes('Primary')),
};

/** What is published of a log: its sections, what is on record of it, and its findings. */
function publishedOf(lines: string[]): string {
  const findings = new Findings('test.log');
  const { sections, log } = readWholeLog(Buffer.from(lines.join('\n')), findings);
  return JSON.stringify([sections, log, findings.list]);
}

/** What is wrong with what is published of a log. */
function mistakesIn(lines: string[]): string[] {
  const published = publishedOf(lines);
  const lost = ['public remark', 'public map', 'public drawing', '2010-01-01'].filter(
    (text) => !published.includes(text),
  );
  return [...(SECRET.exec(published) ?? []), ...lost.map((text) => `no ${text}`)];
}

t.test('contacts below a damaged heading are withheld, and nothing else is lost', async (t) => {
  const mistakes: unknown[] = [];
  const all = [...headings('11', ON_SITE), ...headings('12', RESPONSIBLE)];
  for (const [damage, damaged] of Object.entries(DAMAGES))
    for (const heading of all) {
      const contacts = [...(heading === null ? [] : [heading, '']), ...damaged(CONTACTS)];
      const orders = {
        'below section 10': [...EVENT, ...contacts, ...MORE],
        'below section 3': [...contacts, ...MORE],
        'below the drawing': [...EVENT, ...MORE, ...contacts],
      };
      for (const [order, lines] of Object.entries(orders)) {
        const found = mistakesIn([...HEAD, ...lines]);
        if (found.length > 0) mistakes.push({ heading, damage, order, found });
      }
    }
  t.strictSame(mistakes, []);
});

/** The lines of a log with others below a receiver, and its findings without their texts. */
function readWith(...lines: string[]) {
  const findings = new Findings('test.log');
  const log = readWholeLog(Buffer.from([...HEAD, ...lines].join('\n')), findings);
  const shown = findings.list.map(factsIn);
  return { ...log, shown };
}

t.test('contacts without a heading are read as such, and a finding says so', async (t) => {
  const { sections, shown } = readWith(...EVENT, ...CONTACTS.slice(0, 7), ...MORE);
  t.match(sections.responsibleParties, [
    {
      role: 'siteContact',
      organisation: { written: 'Example Survey' },
      address: { written: '1 Long Street' },
      individualName: { written: '(withheld)' },
      notes: { written: '(withheld)' },
    },
  ]);
  t.strictSame(shown, ['13 warning deviating-heading (11) isMissing=true sections=["11"]']);
});

t.test('the second agency without a heading is the responsible one', async (t) => {
  const first = ['11.  On-Site, Point of Contact Agency Information', ...CONTACTS.slice(0, 7)];
  const second = ['13.  More Information', ...CONTACTS.slice(0, 7)];
  const roles = readWith(...first, ...second).sections.responsibleParties.map(({ role }) => role);
  t.strictSame(roles, ['siteContact', 'siteMetadataCustodian']);
});

t.test('a label of contacts in another section does not end that section', async (t) => {
  const receiver = [
    '3.2  Receiver Type            : R2',
    field('Fax', '5550001'),
    field('Serial Number', '22'),
    '3.3  Receiver Type            : R3',
    field('Contact', 'Secret Person'),
    field('Date Installed', '2012-01-01'),
  ];
  const { log } = readWith(...receiver);
  t.match(log.items.slice(1), [
    { id: { type: 'R2', serialNumber: '22' } },
    { id: { type: 'R3' }, from: '2012-01-01T00:00:00Z' },
  ]);
  t.notMatch(publishedOf([...HEAD, ...receiver]), SECRET);
});

t.test('a line of section 12 in another section is withheld, and a finding says so', async (t) => {
  const lines = [
    '13.  More Information',
    '12.1 Additional Information   : secret remark',
    field('Site Map', 'public map'),
  ];
  const { sections, shown } = readWith(...lines);
  t.match(sections.moreInformation, { siteMap: { written: 'public map' }, notes: null });
  t.strictSame(shown, ['10 warning deviating-heading (12) isMissing=true sections=["12"]']);
  t.notMatch(publishedOf([...HEAD, ...lines]), SECRET);
});

t.test('a line of an item among contacts is withheld', async (t) => {
  const contacts = ['11.  On-Site, Point of Contact Agency Information', ...CONTACTS.slice(0, 6)];
  const lines = ['4.1  Antenna Type             : ask Secret Person', '', ...CONTACTS.slice(6)];
  const { log, shown } = readWith(...contacts, ...lines, ...MORE);
  t.equal(log.items.length, 1);
  t.strictSame(shown, ['16 warning ignored-line (11) why=single count=1']);
  t.notMatch(publishedOf([...HEAD, ...contacts, ...lines, ...MORE]), SECRET);
});

t.test('who prepared a log is withheld below a damaged heading of section 0', async (t) => {
  for (const heading of ['0. Formular', 'Form', 'O.   Form', '0   Form'])
    for (const before of [HEAD.slice(0, 1), HEAD.slice(0, 3), [...HEAD, ...MORE]]) {
      const form = [heading, field('Prepared by (full name)', 'Secret Person')];
      const lines = [...before, ...form, field('Date Prepared', '2020-01-01'), ...HEAD.slice(1)];
      t.notMatch(publishedOf(lines), SECRET, heading);
    }
});

t.test('who prepared a log in XML is withheld under another name of the element', async (t) => {
  const sopac = 'http://sopac.ucsd.edu/ns/geodesy/doc/igsSiteLog/2004';
  const geodesyml = 'urn:xml-gov-au:icsm:egeodesy:0.5';
  for (const [root, names] of [
    ['igsSiteLog', sopac],
    ['siteLog', geodesyml],
  ])
    for (const form of [
      '<preparedByWhom>Secret Person</preparedByWhom>',
      '<city>Secret Person</city>',
      '<preparedBy><name>Secret Person</name></preparedBy>',
      'Secret Person',
    ]) {
      const site =
        '<siteIdentification><fourCharacterID>TEST</fourCharacterID></siteIdentification>';
      const body = `<formInformation>${form}</formInformation>${site}`;
      const text = `<${root} xmlns="${names}">${body}</${root}>`;
      t.notMatch(publishedOf([text]), SECRET, text);
    }
});
