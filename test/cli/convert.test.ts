import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { SECTIONS } from '../../src/site-log/sections/index.js';
import { AGENCIES, PARTY_ROWS } from '../../src/site-log/sections/parties.js';
import { SAMPLE } from '../project-files.js';
import { type Ended, run } from './serving.js';

const convert = (folder: string, ...args: string[]): Promise<Ended> =>
  run(['convert', ...args], folder);

const LOG = `     TEST Site Information Form (site log)
0.   Form
     Prepared by (full name)  : Jo Example
1.   Site Identification of the GNSS Monument
     Four Character ID        : TEST
     Additional Information   : Ask Jo Example or sam@synthetic.example.
3.   GNSS Receiver Information
3.1  Receiver Type            : SYNTHETIC R1
     Temperature Stabiliz.    : none
11.  On-Site, Point of Contact Agency Information
     Agency                   : Synthetic Survey
     Primary Contact
       Contact Name           : Jo Example
       Telephone (primary)    : +00 1 2345
`;

t.test(
  'convert FILE --to FORM writes to stdout and withholds contacts, which the file says',
  async (t) => {
    const folder = t.testdir({ 'test.log': LOG });
    for (const form of ['text1', 'text2', 'geodesyml04', 'geodesyml05', 'geodesyml06']) {
      const country = form === 'text2' ? ['--country', 'AUS'] : [];
      const { code, stdout, stderr } = await convert(folder, 'test.log', '--to', form, ...country);
      t.equal(code, 0, form);
      t.match(stdout, /Withheld from publication/, form);
      t.match(stdout, /Synthetic Survey/, form);
      t.notMatch(stdout + stderr, /Jo Example|2345|@/, form);
      t.match(stdout.replace(/\s*\n\s*:?\s*/g, ' '), /Ask \(withheld\) or \(withheld\)\./, form);
    }
  },
);

t.test('convert says that the title names another Site', async (t) => {
  const folder = t.testdir({ 'test.log': LOG.replace('TEST Site', 'WXYZ Site') });
  const { code, stdout, stderr } = await convert(folder, 'test.log', '--to', 'text1');
  t.equal(code, 0);
  t.match(stdout, /^ {5}TEST Site Information Form/);
  t.match(stderr, /^test\.log:1: warning: the title names another Site than the id TEST: "WXYZ"\n/);
});

t.test('convert --publish-contacts withholds nothing, and reports what has no place', async (t) => {
  const folder = t.testdir({ 'test.log': LOG });
  const { code, stdout, stderr } = await convert(
    folder,
    'test.log',
    '--to',
    'geodesyml05',
    '--publish-contacts',
  );
  t.equal(code, 0);
  t.match(stdout, '<gco:CharacterString>Jo Example</gco:CharacterString>');
  t.notMatch(stdout, /withheld/i);
  t.equal(
    stderr,
    'test.log:9: info: section 3: Temperature Stabiliz.: no place in GeodesyML 0.5; value left out: "none"\n',
  );
});

t.test(
  'convert --output DIR writes a file for each log, and goes on after one that is rejected',
  async (t) => {
    const folder = t.testdir({
      'a.xml': readFileSync(join(SAMPLE, 'bor1_20170222.xml')),
      'b.log': LOG,
      'c.txt': 'no site log',
    });
    const files = ['a.xml', 'c.txt', 'b.log'];
    const { code, stdout, stderr } = await convert(
      folder,
      ...files,
      '--to',
      'text2',
      '--country',
      'AUS',
      '--output',
      'out/text',
    );
    t.equal(code, 1);
    t.equal(stdout, '2 site logs written to out/text, 1 rejected\n');
    t.match(stderr, /^c\.txt:1: error: not a site log; /m);
    t.strictSame(readdirSync(join(folder, 'out', 'text')).sort(), ['a.log', 'b.log']);
    const missing = /^[^\n]*"none\.log" cannot be used: there is no such file[^\n]*\n$/;
    t.match(await convert(folder, 'b.log', 'none.log', '--to', 'text1', '--output', 'new'), {
      code: 3,
      stdout: '',
      stderr: missing,
    });
    t.notOk(existsSync(join(folder, 'new')), 'nothing was converted');
    t.match(
      readFileSync(join(folder, 'out', 'text', 'a.log'), 'utf8'),
      /^ {5}Nine Character ID {8}: BOR100POL$/m,
    );
  },
);

t.test('convert --to text2 needs nine characters: those of the log, or --country', async (t) => {
  const folder = t.testdir({
    'a.xml': readFileSync(join(SAMPLE, 'bor1_20170222.xml')),
    'c.log': LOG.replace('TEST Site', 'TEST00NZL Site'),
    'b.log': LOG.replace(
      '3.   GNSS',
      '2.   Site Location Information\n     Country                  : Nowhere Land\n3.   GNSS',
    ),
  });
  const own = await convert(folder, 'a.xml', '--to', 'text2', '--country', 'AUS');
  t.match(
    own.stdout,
    /BOR100POL Site Information Form \(site log v2\.0\)\n[^]*Nine Character ID {8}: BOR100POL\n/,
  );
  t.notMatch(own.stderr, /assumed/);
  const titled = await convert(folder, 'c.log', '--to', 'text2');
  t.match(titled.stdout, /\n {5}Nine Character ID {8}: TEST00NZL\n/, 'those of the title');
  t.match(titled, { code: 0, stderr: '' });
  const refused = await convert(folder, 'b.log', '--to', 'text2');
  t.strictSame([refused.code, refused.stdout], [1, '']);
  t.match(
    refused.stderr,
    /^b\.log:5: error: no nine-character id such as ALIC00AUS, which text2 needs; use --country CCC, or --to text1: "TEST"$/m,
  );
  const assumed = await convert(folder, 'b.log', '--to', 'text2', '--country', 'aus');
  t.equal(assumed.code, 0);
  t.match(
    assumed.stdout,
    /TEST00AUS Site Information Form \(site log v2\.0\)\n[^]*Nine Character ID {8}: TEST00AUS\n/,
  );
  t.notMatch(assumed.stdout, /Four Character ID/);
  t.match(assumed.stdout, /Country or Region +: AUS\n/);
  t.match(
    assumed.stderr,
    'b.log:5: info: Four Character ID: monument 0 and receiver 0 assumed; TEST00AUS written: "TEST"\n',
  );
  t.match(assumed.stderr, /Country: no place in version 2\.0 .*"Nowhere Land"/);
  for (const [args, message] of [
    [
      ['--to', 'text2', '--country', 'Australia'],
      /--country "Australia": expected a country code of ISO 3166-1 such as AUS/,
    ],
    [
      ['--to', 'text2', '--country', 'XYZ'],
      /--country "XYZ": expected a country code of ISO 3166-1 such as AUS/,
    ],
    [['--to', 'text1', '--country', 'AUS'], /--country is only for --to text2/],
  ] as const) {
    t.match(await convert(folder, 'b.log', ...args), { code: 2, stdout: '', stderr: message });
  }
});

t.test('convert takes folders, and keeps their subfolders', async (t) => {
  const folder = t.testdir({
    logs: {
      'test.log': LOG,
      'notes.txt': 'no site log',
      'test.txt': 'no site log',
      '.hidden.log': LOG,
      sub: { 'test.log': LOG, 'bad.xml': '<a>', deep: { 'more.log': LOG } },
    },
    'other.log': LOG,
    empty: {},
  });
  const args = ['--to', 'geodesyml05', '--output', 'out'];
  t.match(await convert(folder, 'logs', 'other.log', ...args), {
    code: 0,
    stdout: '4 site logs written to out, 0 rejected, 3 skipped (not site logs)\n',
  });
  t.strictSame(readdirSync(join(folder, 'out'), { recursive: true, encoding: 'utf8' }).sort(), [
    'other.xml',
    'sub',
    'sub/deep',
    'sub/deep/more.xml',
    'sub/test.xml',
    'test.xml',
  ]);
  // A file that begins like a log is one, and a file that is named has to be one.
  writeFileSync(join(folder, 'logs', 'sub', 'deep', 'glued.log'), `${LOG}${LOG}`);
  t.match(await convert(folder, 'logs', 'logs/notes.txt', ...args), {
    code: 1,
    stdout: '3 site logs written to out, 2 rejected, 3 skipped (not site logs)\n',
    stderr: /glued\.log:\d+: error: two site logs.*notes\.txt:1: error: not a site log/s,
  });
  writeFileSync(join(folder, 'logs', 'test.text'), LOG);
  t.match(await convert(folder, 'logs/test.log', 'logs', ...args), {
    code: 1,
    stderr:
      /logs\/test\.text:1: error: not written: "out\/test\.xml" was already written from "logs\/test\.log"/,
  });
  for (const [paths, message] of [
    [['empty', ...args], /no files found in "empty"/],
    [['logs', '--to', 'text1'], /several FILEs, or a folder, need --output DIR/],
    [['logs', '--to', 'text1', '--output', 'logs/out'], /"logs\/out" is in "logs"/],
    [['logs', '--to', 'geodesyml05', '--output', 'logs'], /"logs" is in "logs"/],
  ] as const)
    t.match(await convert(folder, ...paths), { code: 2, stdout: '', stderr: message });
  t.match(await convert(folder, 'none', ...args), { code: 3 });
});

t.test('convert overwrites no site log that it reads', async (t) => {
  const folder = t.testdir({ 'test.log': LOG, more: { 'test.log': LOG } });
  const cases: [string[], RegExp][] = [
    [
      ['test.log', '--to', 'text2', '--output', '.'],
      /"test\.log" would overwrite a FILE; choose another folder with --output/,
    ],
    [
      ['test.log', 'more/test.log', '--to', 'text2', '--output', 'out'],
      /two FILEs would be written to "out\/test\.log"/,
    ],
    [
      ['test.log', 'more/test.log', '--to', 'text2'],
      /several FILEs, or a folder, need --output DIR/,
    ],
    [['test.log'], /--to is missing: expected text1, text2, geodesyml04, geodesyml05, geodesyml06/],
    [['test.log', '--to', 'xml'], /--to "xml": expected text1/],
    [['--to', 'text1'], /convert needs at least one FILE/],
  ];
  await Promise.all(
    cases.map(async ([args, message]) =>
      t.match(await convert(folder, ...args), { code: 2, stdout: '', stderr: message }),
    ),
  );
  t.equal(readFileSync(join(folder, 'test.log'), 'utf8'), LOG);
  t.notOk(existsSync(join(folder, 'out')));
  writeFileSync(join(folder, 'file'), '');
  t.match(await convert(folder, 'test.log', '--to', 'text2', '--output', 'file/x'), {
    code: 3,
    stderr: /"file\/x" cannot be created: a part of its path is not a folder/,
  });
});

/** What is published whole of a party. The tables of the agencies leave that to its table. */
const PUBLIC_OF_PARTY = new Set(
  Object.entries(PARTY_ROWS).flatMap(([name, row]) => (row.public === undefined ? [] : [name])),
);

const SECRETS = /Erika|Quorv|9876|@/i;
const REMARK = 'Erika Quorvblax, +1 555 9876 5432, quorvblax@example.org';

/** An invented contact, as the value of a label. */
function contactOf(label: string | undefined): string {
  if (label?.startsWith('Telephone') === true) return '+1 555 9876 5432';
  return label === 'E-mail' ? 'quorvblax@example.org' : 'Erika Quorvblax';
}

/**
 * A log in which each other value in each section names the contact, as do lines that do not belong
 * to the form.
 */
function logWithContacts(isRejected: boolean): string {
  const { moreInformation, ...others } = SECTIONS;
  const lines = [...Object.values(others), ...Object.values(AGENCIES), moreInformation].flatMap(
    ({ number, heading, once, rows }) => [
      ...(heading === undefined ? [] : [`${number.split('.')[0]}.   ${heading}`]),
      ...Object.entries(rows).flatMap(
        ([name, { label, before, personal, public: publicAs }], index) => {
          // What is published whole must not have the name of a contact, which would stay.
          const isPublic = publicAs !== undefined || PUBLIC_OF_PARTY.has(name);
          const text = isPublic ? 'Example Survey' : REMARK;
          const given = personal === true ? contactOf(label) : text;
          const value = label === 'Four Character ID' && !isRejected ? 'TEST' : given;
          if (label === undefined || label === 'Nine Character ID') return [];
          const start = once !== true && index === 0 ? `${number}.1 ` : '     ';
          return [
            ...(before === undefined ? [] : [before]),
            ...[start, '     '].map((each) => `${each}${label.padEnd(25)}: ${value}`),
          ];
        },
      ),
      `     Ask                      : ${REMARK}`,
      '     Erika Quorvblax          : in the office',
      '     What the technician for this station says: Erika Quorvblax',
      '     The technician for this station is Erika Quorvblax: in the office',
      `     Erika Quorvblax ${'can be reached '.repeat(20)}`,
    ],
  );
  return `     TEST Site Information Form (site log)\n${lines.join('\n')}\n`;
}

/** The same in GeodesyML. */
const xmlWithContacts = (
  end: string,
): string => `<geo:siteLog xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5" xmlns:gmd="gmd" xmlns:gco="gco">
<geo:formInformation><geo:preparedBy>Erika Quorvblax</geo:preparedBy></geo:formInformation>
<geo:siteIdentification><geo:fourCharacterID>TEST</geo:fourCharacterID><geo:unknown>${REMARK}</geo:unknown></geo:siteIdentification>
<geo:siteContact><gmd:CI_ResponsibleParty><gmd:individualName><gco:CharacterString>Erika Quorvblax</gco:CharacterString></gmd:individualName>
<gmd:individualName><gco:CharacterString>Erika Quorvblax the Second</gco:CharacterString></gmd:individualName>
<gmd:voice><gco:CharacterString>+1 555 9876 5432</gco:CharacterString></gmd:voice></gmd:CI_ResponsibleParty></geo:siteContact>
<geo:gnssReceiver><geo:GnssReceiver><geo:dateInstalled>${REMARK}</geo:dateInstalled></geo:GnssReceiver></geo:gnssReceiver>${end}`;

t.test(
  'no finding of convert or import quotes a contact, even if the log is rejected',
  async (t) => {
    const folder = t.testdir({
      'whole.log': logWithContacts(false),
      'rejected.log': logWithContacts(true),
      'other.log': 'Write to quorvblax@example.org.',
      'whole.xml': xmlWithContacts('</geo:siteLog>'),
      'rejected.xml': xmlWithContacts(`</Erika Quorvblax><${REMARK}>`),
      'doctype.xml': `<!DOCTYPE siteLog [<!ENTITY who "${REMARK}">]>${xmlWithContacts('</geo:siteLog>')}`,
    });
    for (const name of readdirSync(folder)) {
      for (const args of [
        ['convert', name, '--to', name.endsWith('log') ? 'geodesyml05' : 'text1'],
        ['import', name, '--database', 'test.sqlite', '--report', 'report'],
      ]) {
        const { stdout, stderr } = await run(args, folder);
        const report = args[0] === 'import' ? readFileSync(join(folder, 'report'), 'utf8') : '';
        t.not(stderr, '', args.join(' '));
        t.strictSame(
          `${stdout}${stderr}${report}`.split('\n').filter((line) => SECRETS.test(line)),
          [],
          args.join(' '),
        );
      }
    }
    t.match(
      (await convert(folder, 'whole.log', '--to', 'text1', '--publish-contacts')).stderr,
      SECRETS,
      'they are quoted if they are published',
    );
  },
);
