import t from 'tap';
import { readSections } from '../../../src/site-log/read-sections.js';
import { readWithheld } from '../../../src/site-log/read.js';
import { Findings } from '../../../src/findings/findings.js';
import { isWithheld, withheldSections } from '../../../src/site-log/contacts/withhold.js';
import { attempt } from '../reading.js';

/** Contacts are withheld by where they stand, and by what stands there. */

const W = '(withheld)';
const HEAD = [
  '     TEST Site Information Form (site log)',
  '1.   Site Identification of the GNSS Monument',
  '     Four Character ID        : TEST',
];
const field = (label: string, value: string): string => `     ${label.padEnd(25)}: ${value}`;
const ON_SITE = '11.  On-Site, Point of Contact Agency Information';
const RESPONSIBLE = '12.  Responsible Agency (if different from 11.)';

/** A log with lines in section 11, and others in section 13, where nothing is about a contact. */
const logOf = (contact: string[], more: string[] = []): string =>
  [...HEAD, ON_SITE, ...contact, '13.  More Information', ...more, ''].join('\n');

const withheld = (text: string) =>
  withheldSections(readSections(Buffer.from(text), new Findings('test.log')));

/** The remark of a log whose contact has a name and a telephone number. */
function remarkWith(
  remark: string,
  name = 'Maria Sample',
  telephone = '+61 2 6249 9111',
): string | undefined {
  const contact = [
    field('Agency', 'Example Survey'),
    field('Contact Name', name),
    field('Telephone (primary)', telephone),
  ];
  return withheld(logOf(contact, [field('Site Map', remark)])).moreInformation.siteMap?.written;
}

t.test(
  'everything in the sections about contacts is withheld, except the organisation, its abbreviation and its address',
  async (t) => {
    const lines = [
      field('Agency', 'Example Survey'),
      field('Preferred Abbreviation', 'EXS'),
      field('Mailing Address', '1 Long Street, Testford'),
      '     Primary Contact',
      field('Contact Name', 'Maria Sample'),
      field('Telephone (primary)', '+61 2 6249 9111'),
      field('Telephone (secondary)', '+61 2 6249 9112'),
      field('Fax', '+61 2 6249 9113'),
      field('E-mail', 'maria@example.org'),
      '     Secondary Contact',
      field('Contact Name', 'Otto Normal'),
      field('Additional Information', 'call before nine'),
      field('Mobile', '0400 123 456'),
      'a line without a label',
    ];
    const prepared = ['0.   Form', field('Prepared by (full name)', 'Petra Muster')];
    const log = withheld(
      [...HEAD, ...prepared, ON_SITE, ...lines, RESPONSIBLE, ...lines, ''].join('\n'),
    );
    t.match(log.formInformation.preparedBy, { written: W, value: null });
    t.equal(log.responsibleParties.length, 4);
    for (const party of log.responsibleParties) {
      t.match(party, {
        organisation: { written: 'Example Survey' },
        address: { written: '1 Long Street, Testford' },
      });
      t.match(party.individualName, { written: W, value: null });
    }
    for (const role of ['siteContact', 'siteMetadataCustodian'] as const) {
      const [first] = log.responsibleParties.filter((party) => party.role === role);
      t.equal(first?.abbreviation?.written, 'EXS');
      for (const member of [
        'telephone',
        'secondTelephone',
        'fax',
        'email',
        'notes',
        'others',
      ] as const) {
        t.match(first?.[member], { written: W, value: null }, `${role} ${member}`);
      }
    }
    t.notMatch(JSON.stringify(log), /Maria|Otto|Petra|6249|0400|before nine|without a label/);
  },
);

t.test('so are the parties of GeodesyML, with what has no place in the form', async (t) => {
  const text = (value: string): string => `<gco:CharacterString>${value}</gco:CharacterString>`;
  const party = (role: string): string =>
    `<geo:${role}><gmd:CI_ResponsibleParty>
    <gmd:individualName>${text('Maria Sample')}</gmd:individualName>
    <gmd:organisationName>${text('Example Survey')}</gmd:organisationName>
    <gmd:positionName>${text('Head of Geodesy')}</gmd:positionName>
    <gmd:contactInfo><gmd:CI_Contact>
      <gmd:phone><gmd:CI_Telephone><gmd:voice>${text('02 6249 9111')}</gmd:voice></gmd:CI_Telephone></gmd:phone>
      <gmd:address><gmd:CI_Address><gmd:deliveryPoint>${text('1 Long Street')}</gmd:deliveryPoint>
        <gmd:electronicMailAddress>${text('maria@example.org')}</gmd:electronicMailAddress></gmd:CI_Address></gmd:address>
      <gmd:contactInstructions>${text('ask for Mimi')}</gmd:contactInstructions>
    </gmd:CI_Contact></gmd:contactInfo></gmd:CI_ResponsibleParty></geo:${role}>`;
  const ROLES = [
    'siteOwner',
    'siteContact',
    'siteMetadataCustodian',
    'siteDataCenter',
    'siteDataSource',
  ];
  const log = withheld(
    `<geo:siteLog xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5" xmlns:gmd="a" xmlns:gco="b">${ROLES.map(party).join('')}</geo:siteLog>`,
  );
  const roles = log.responsibleParties.map(({ role }) => role);
  t.strictSame(roles, ROLES);
  for (const each of log.responsibleParties) {
    t.match(each, {
      organisation: { written: 'Example Survey' },
      address: { written: '1 Long Street' },
    });
    t.match(each, {
      positionName: { written: W },
      telephone: { written: W },
      email: { written: W },
      others: { written: W },
    });
  }
  t.notMatch(JSON.stringify(log), /Maria|Head|6249|Mimi/);
});

t.test(
  'names and telephone numbers of contacts are withheld in all other text, as they are written',
  async (t) => {
    t.equal(remarkWith('ask Maria Sample for the key'), `ask ${W} for the key`);
    t.equal(
      remarkWith('ask MARIA  sample, +61 2  6249 9111. (Maria Sample)'),
      `ask ${W}, ${W}. (${W})`,
    );
    for (const other of [
      'ask Sample',
      'ask Maria',
      'Maria Samples',
      'AnnaMaria Sample',
      'Sample; Maria',
      '49 9111',
      '6249 91112',
      '2 6249 9112',
    ]) {
      t.equal(remarkWith(other), other, 'a part, or part of something else');
    }
  },
);

t.test('names are also found without titles, in another order, and one by one', async (t) => {
  const pairs: [written: string, elsewhere: string][] = [
    ['Maria Sample', 'SAMPLE Maria'],
    ['Maria Sample', 'Sample, Maria'],
    ['Maria Ann Sample', 'SAMPLE Maria Ann'],
    ['SAMPLE Maria Ann', 'Maria Ann Sample'],
    ['Sample, Maria', 'Maria Sample'],
    ['Mr Maria Sample', 'Maria Sample'],
    ['Mrs. Maria Sample', 'Maria Sample'],
    ['Prof. Dr.-Ing. Maria Sample', 'Maria Sample'],
    ['ENG.Maria Sample', 'Maria Sample'],
    ['Associate Professor Dr. Maria Sample', 'Maria Sample'],
    ['Maria Sample, Ph.D.', 'Maria Sample'],
    ['Maria Sample PhD', 'Maria Sample'],
    ['Maria Sample - Example Survey', 'Maria Sample'],
    ['Otto Normal and Maria Sample', 'Maria Sample'],
    ['Maria Sample or Otto Normal', 'Maria Sample'],
    ['Otto Normal & Maria Sample', 'Maria Sample'],
    ['Maria and Otto Sample', 'Maria Sample'],
    ['Dr. Otto Normal and Dr. Maria Sample', 'Maria Sample'],
  ];
  for (const [written, elsewhere] of pairs)
    t.equal(remarkWith(`ask ${elsewhere}, please`, written), `ask ${W}, please`, written);
  for (const other of ['Alexandr Sample', 'Maria Sampleson', 'Drake Sample', 'sand or gravel'])
    t.equal(remarkWith(other, 'Mr. Alexander Sample or Dr. Ake Sample'), other);
});

t.test('telephone numbers are also found in another spelling', async (t) => {
  const spellings: [written: string, elsewhere: string][] = [
    ['+61 2 6249 9111', '+61-2-6249-9111'],
    ['+61 2 6249 9111', '0061262499111'],
    ['+61 2 6249 9111', '(02) 6249 9111'],
    ['+61 2 6249 9111', '6249-9111'],
    ['+61 2 6249 9111', '+61 (0)2 6249 9111'],
    ['(02) 6249 9111', '+61 2 6249 9111'],
    ['++31 (0) 15 278 4907', '015-2784907'],
    ['(0090)-462-3253205 or 3253185', '+90 462 325 3205'],
    ['(0090)-462-3253205 or 3253185', '325 3185'],
    ['123456', '12-34-56'],
  ];
  for (const [written, elsewhere] of spellings)
    t.equal(remarkWith(`call ${elsewhere}.`, 'Otto', written), `call ${W}.`, elsewhere);
  t.equal(remarkWith('(call 6249 9111)', 'Otto', '+61 2 6249 9111'), `(call ${W})`);
  t.equal(remarkWith('in 2012 (6249 9111)', 'Otto', '+61 2 6249 9111'), `in 2012 (${W})`);
  for (const other of ['61262499112', '162499111', '49 9111', '1 2 3 4 5 6 7 8 9', '2012-06-24'])
    t.equal(remarkWith(other, 'Otto', '+61 2 6249 9111'), other, 'another number');
  t.equal(remarkWith('7'.repeat(60_000), 'Otto', '+61 2 6249 9111'), '7'.repeat(60_000));
});

t.test('words for things and roles are looked for nowhere else', async (t) => {
  const remark = 'PILLAR on the Australian plate; network engineer; steel and concrete';
  for (const name of ['Pillar', 'Australian', 'Dr. Mast', 'Network Engineer', 'Steel and Concrete'])
    t.equal(remarkWith(remark, name), remark, name);
  t.equal(remarkWith('Maria Pillar', 'Maria Pillar'), W, 'but beside a name');
  t.equal(remarkWith('the Pillar of Maria Pillar', 'Pillar, Maria'), `the Pillar of ${W}`);
});

t.test('a filler in place of a contact stays, and what may name a person does not', async (t) => {
  const shown = (value: string) => {
    const lines = ['Contact Name', 'Telephone (primary)', 'E-mail'].map((label) =>
      field(label, value),
    );
    const [party] = withheld(logOf(lines)).responsibleParties;
    return [party?.individualName, party?.telephone, party?.email].map((each) => each?.written);
  };
  for (const filler of ['none', 'n/a', 'unknown', 'nil', 'not applicable', 'as above', '-'])
    t.strictSame(shown(filler), [filler, filler, filler]);
  for (const other of ['see Maria', 'same as Maria', 'to be Maria', 'nobody but Maria'])
    t.strictSame(shown(other), [W, W, W]);
});

t.test('a text with less than four letters or six digits is not looked for', async (t) => {
  for (const name of ['Lin', 'J. Li']) t.equal(remarkWith(`of ${name}`, name), `of ${name}`);
  for (const name of ['Ling', 'J. Lin']) t.equal(remarkWith(`of ${name}`, name), `of ${W}`);
  for (const number of ['12345', '1-23-45'])
    t.equal(remarkWith(`ext. ${number}`, 'Maria Sample', number), `ext. ${number}`);
  t.equal(remarkWith('ext. 123456', 'Maria Sample', '123456'), `ext. ${W}`);
  const short = withheld(
    logOf([field('Contact Name', 'Lin'), field('Telephone (primary)', '12345')]),
  );
  t.match(
    short.responsibleParties[0],
    { individualName: { written: W }, telephone: { written: W } },
    'they are withheld where they stand',
  );
});

t.test('a name that is also that of the organisation or the place stays', async (t) => {
  const place = [
    '2.   Site Location Information',
    field('City or Town', 'Long Beach'),
    field('State or Province', 'Example State'),
  ];
  for (const name of [
    'Example Survey, Geodesy Division',
    'example  SURVEY,geodesy division',
    'EXSU',
    'Long Beach',
    'Example State',
    'Testford',
  ]) {
    const agency = [
      field('Agency', 'Example Survey, Geodesy Division'),
      field('Preferred Abbreviation', 'EXSU'),
    ];
    const contact = [...agency, field('Contact Name', name)];
    const text = [
      ...HEAD,
      field('Site Name', 'Testford'),
      ...place,
      ON_SITE,
      ...contact,
      '13.  More Information',
      field('Site Map', name),
    ];
    const log = withheld(text.join('\n'));
    const written = [log.responsibleParties[0]?.individualName, log.moreInformation.siteMap].map(
      (value) => value?.written,
    );
    t.strictSame([written, isWithheld(log)], [[name, name], false]);
  }
  t.equal(
    remarkWith('Example Surveys', 'Example Surveys'),
    W,
    'but not one that only begins with it',
  );
});

t.test('a part of the line of an organisation or place stays under other labels', async (t) => {
  const place = ['2.   Site Location', field('City or Town', 'Long Beach; Testford')];
  const agency = [ON_SITE, field('Agency', 'Example Survey, Geodesy Division')];
  for (const part of ['Example Survey', 'Geodesy Division', 'Long Beach', 'Testford']) {
    const more = ['13.  More Information', field('Site Map', `ask ${part}`)];
    const text = [...HEAD, ...place, ...agency, field('Office', part), ...more].join('\n');
    t.equal(withheld(text).moreInformation.siteMap?.written, `ask ${part}`);
  }
});

/** What is shown of a log with the same line for its organisation and its city. */
function shownOf(line: string, contact: string[], form: string[] = []) {
  const place = ['2.   Site Location', field('City or Town', line)];
  const agency = [ON_SITE, field('Agency', line), ...contact];
  const more = ['13.  More Information', field('Site Map', line)];
  const log = withheld([...HEAD, ...form, ...place, ...agency, ...more].join('\n'));
  const [party] = log.responsibleParties;
  const personal = [party?.individualName, party?.telephone, party?.email, party?.others];
  return {
    city: log.siteLocation.city?.written,
    organisation: party?.organisation?.value,
    remark: log.moreInformation.siteMap?.written,
    contacts: [...personal, log.formInformation.preparedBy].flatMap(
      (value) => value?.written ?? [],
    ),
  };
}

t.test('an organisation or place is published whole, also if a contact is in it', async (t) => {
  const contact = [
    field('Contact Name', 'Maria Sample'),
    field('Telephone (primary)', '+61 2 6249 9111'),
    field('E-mail', 'maria@example.org'),
  ];
  const form = ['0.   Form', field('Prepared by (full name)', 'Otto Normal')];
  const line = 'Example Survey, maria@example.org, +61 2 6249 9111, Maria Sample; Otto Normal';
  const shown = `Example Survey, ${W}, ${W}, Maria Sample; Otto Normal`;
  t.strictSame(
    shownOf(line, contact, form),
    { city: shown, organisation: shown, remark: shown, contacts: [W, W, W, W] },
    'but for email addresses and telephone numbers, and in place of a contact nothing is published',
  );
  const inside = shownOf('Garden of Maria Sample, call 12.34.56', contact);
  t.equal(inside.organisation, `Garden of Maria Sample, call ${W}`);
  const others = shownOf('Example Survey, 1234567, 12 34-56', []);
  t.equal(others.city, `Example Survey, ${W}, ${W}`, 'a number that is nowhere else');
  const five = 'Example Survey, 12345, Room 1 and 2345';
  t.equal(shownOf(five, contact).organisation, five, 'five digits are not a telephone number');
  t.equal(shownOf('Sampleton', [field('Contact Name', 'Sample')]).city, 'Sampleton');
  const named = shownOf('Sample', [field('Contact Name', 'SAMPLE')]);
  t.strictSame([named.city, named.contacts], ['Sample', ['SAMPLE']], 'the whole line is public');
});

t.test('what reaches a contact is no part of such a line', async (t) => {
  const contact = [
    field('Contact Name', 'Li'),
    field('Telephone (primary)', '12345'),
    field('E-mail', 'sample@local'),
  ];
  const own = shownOf('Example Survey, Li, 12345, sample@local', contact);
  t.equal(own.organisation, `Example Survey, Li, 12345, ${W}`);
  t.strictSame(own.contacts, [W, W, W]);
  const dashes = shownOf('Example Survey, (0660) \u2013 12\u201334\u201156', contact);
  t.equal(dashes.organisation, `Example Survey, (${W}`);
  for (const all of ['maria@example.org', 'Maria Sample 0660 123456'])
    t.strictSame(shownOf(all, [field('Contact Name', all)]).contacts, [W], 'also as a whole line');
});

/** What is shown of a log with a contact and lines in sections 1 and 13. */
function publishedOf(name: string, values: Record<string, string>, telephone = '06601234567') {
  const contact = [
    field('Agency', 'Example Survey'),
    field('Contact Name', name),
    field('Telephone (primary)', telephone),
  ];
  const log = withheld(
    logOf(
      contact,
      Object.entries(values).map(([label, value]) => field(label, value)),
    ),
  );
  const more = log.moreInformation as unknown as Record<string, { written: string } | null>;
  return Object.values(more).flatMap((value) => value?.written ?? []);
}

t.test(
  'data centers and web pages are published whole, and a contact in them is none',
  async (t) => {
    const values = {
      'Primary Data Center': 'QXNET',
      'Secondary Data Center': 'Archive of Maria Sample, 06601234567',
      'URL for More Information': 'http://www.qxnet.example/maria@example.org',
      'Site Map': 'by QXNET, see http://qxnet.example',
    };
    t.strictSame(publishedOf('QXNET', values), [
      'QXNET',
      `Archive of Maria Sample, ${W}`,
      `http://www.qxnet.example/${W}`,
      'by QXNET, see http://qxnet.example',
    ]);
    const inRemark = { 'Site Map': 'see www.geodetic.example/map', 'Site Diagram': 'of Geodetic' };
    t.strictSame(publishedOf('Surveyor/Geodetic', inRemark), Object.values(inRemark));
    const address = { 'URL for More Information': 'http://147.162.229.53/20200101' };
    t.strictSame(publishedOf('Maria Sample', address), Object.values(address), 'with any number');
  },
);

t.test('affiliations, fillers, hints and labels are no contacts', async (t) => {
  const words =
    'none, unknown, (multiple lines), not applicable, see 12, Federal Office of Mapping';
  for (const name of ['none', 'unknown', 'n/a', '(multiple lines)', 'see 12', 'not applicable']) {
    t.equal(remarkWith(words, name), words, name);
  }
  t.equal(remarkWith(words, 'A. Sample (Federal Office of Mapping)'), words);
  t.equal(remarkWith(words, 'A. Sample (Federal Office of Mapping'), words, 'not closed');
  t.equal(remarkWith('by A. Sample', 'A. Sample (Federal Office)'), `by ${W}`);
  const two = 'Maria Sample (FO), Otto Normal (FO)';
  t.equal(remarkWith('Otto Normal, Maria Sample', two), `${W}, ${W}`);
  t.equal(remarkWith('Additional Information', 'Information'), 'Additional Information');
  t.equal(remarkWith('office hours', 'Maria Sample', 'office hours'), 'office hours');
  const drawing = [
    field('Contact Name', 'Maria Sample'),
    '    Fixed',
    '  <-- Antenna',
    ' Otto Normal',
  ];
  const remark = [field('Site Map', 'Fixed Antenna of Otto Normal')];
  t.equal(
    withheld(logOf(drawing, remark)).moreInformation.siteMap?.written,
    `Fixed Antenna of ${W}`,
    'neither are single words without a label',
  );
});

t.test('an address loses telephone numbers of contacts, and keeps other numbers', async (t) => {
  const lines = [
    field('Agency', 'Example Survey'),
    field('Mailing Address', '1 Long Street, 430077 Testford, 06601234567'),
    field('Contact Name', 'Long'),
    field('Telephone (primary)', '06601234567, 430079'),
  ];
  const [party] = withheld(logOf(lines)).responsibleParties;
  t.equal(party?.address?.written, `1 Long Street, 430077 Testford, ${W}`);
});

t.test(
  'a number under another label is looked for in remarks, unless an address has it',
  async (t) => {
    const lines = [
      field('Agency', 'Example Survey'),
      field('Mailing Address', '1 Long Street, 430077 Testford, 0660 7654321'),
      field('Mobile and Code', '0660 1234567, 430077, 0660 7654321'),
    ];
    const remark = field('Site Map', '0660-1234567, 430077');
    const log = withheld(logOf(lines, [remark]));
    t.equal(log.moreInformation.siteMap?.written, `${W}, 430077`);
    const [party] = log.responsibleParties;
    t.equal(party?.address?.written, '1 Long Street, 430077 Testford, 0660 7654321');
  },
);

t.test('email addresses are withheld in all text, in their usual spellings', async (t) => {
  const addresses = [
    'a.b@c.org',
    'A_B-c+d@c-d.example.org',
    'a.b (at) c.org',
    'a.b [at] c dot org',
    'a.b[at]c[dot]org',
  ];
  for (const address of [...addresses, 'a.b%40c.org', 'a.b @ c.org']) {
    t.equal(remarkWith(`ask ${address}, please`), `ask ${W}, please`, address);
  }
  // prettier-ignore
  const cases = [
    '5 @ 3', '+/-0.1 @ 20.0C', '44.9@1.57GHz', '1 @ 20.C', 'a@b', '@c.org', 'at c.org', 'look (at) this', 'the cable [at] the pillar', 'www.example.org',
    'https://example.org/a',
  ];
  for (const none of cases) t.equal(remarkWith(none), none, none);
  t.equal(remarkWith(`${'a'.repeat(64)}@${'b'.repeat(63)}.org`), W);
});

t.test('nothing is left of an email address whose signs are spelt in another way', async (t) => {
  const addresses = [
    'kontakt dot x [at] y dot z',
    'maria dot ann dot sample (at) example (dot) org',
    'maria [dot] sample {at} example {dot} org',
    'maria punkt sample (at) example punkt org',
    'maria(punto)sample arroba example(punto)org',
    'maria at example dot org',
    'Maria AT Example DOT Org',
    'maria AT example.org',
    'maria.sample at example.org',
    'maria_at_example.org',
    'maria-at-example-dot-org',
    'maria*at*example*dot*org',
    'maria <at> example.org',
    'maria "at" example.org',
    'maria(a)example.org',
    'maria&#64;example&#46;org',
    'maria&#x40;example.org',
    'maria&commat;example&period;org',
    'maria (@) example.org',
    'maria\uff20example.org',
    'maria  @  example . org',
    'maria . sample@example (point) org',
    'maria@example.org@example.net',
    `${'maria.'.repeat(60)}sample@example.org`,
  ];
  for (const address of addresses) {
    t.equal(remarkWith(`ask ${address}, please`), `ask ${W}, please`, address);
    t.equal(shownOf(`Example Survey, ${address}`, []).city, `Example Survey, ${W}`, address);
  }
  t.equal(remarkWith('a@b.org and c dot d (at) e dot f'), `${W} and ${W}`);
});

t.test('words and names of files that only resemble an email address stay', async (t) => {
  const texts = [
    'the antenna at the dot',
    'data at example.org',
    'LOGS AT FTP.EXAMPLE.ORG',
    'site.log at example.org',
    'data.center at www.example.org',
    'see dome_at_night.jpg',
    'the mark (dot) at the pillar',
    'figure (a) www.example.org',
    'a dot and a dot',
    'the pillar. At its foot a plate. North',
    'a plate, e.g. at 0.5 m above the mark',
  ];
  for (const text of texts) t.equal(remarkWith(text), text);
});

t.test(
  'what stands under an unknown label in a section about contacts is withheld there and elsewhere',
  async (t) => {
    const contact = [
      field('Agency', 'Example Survey'),
      field('Mobile of Otto', '0400 123 456'),
      field('Webpage', 'www.example.org'),
    ];
    const log = withheld(logOf(contact, [field('Site Map', '0400 123 456, see www.example.org')]));
    t.equal(log.responsibleParties[0]?.others?.written, W);
    t.equal(log.responsibleParties[0]?.organisation?.written, 'Example Survey');
    t.equal(log.moreInformation.siteMap?.written, `${W}, see www.example.org`);
  },
);

t.test('findings have no contacts, and quote nothing of the sections about contacts', async (t) => {
  const contact = [
    field('Contact Name', 'Maria Sample'),
    field('Mobile', '0400 123 456'),
    field('Fax', '1'),
    field('Fax', 'call Mimi'),
  ];
  contact.push('       Mobile of Otto 0400 123 456');
  const { findings: list } = attempt(
    logOf(contact, [
      field('Colour', 'of Maria Sample'),
      field('Primary Data Center', 'X'),
      field('Maria Sample', 'grey'),
    ]),
  );
  t.strictSame(
    list.map(({ line, code, values, text }) => [line, code, values.quoted, text]),
    [
      [8, 'duplicate-value', [], ''],
      [6, 'ignored-line', undefined, ''],
      [11, 'ignored-line', undefined, `Colour : of ${W}`],
    ],
  );
  const same = list.find(({ line }) => line === 11)!.others;
  t.strictSame(
    same.map(({ line, text }) => [line, text]),
    [[13, `${W} : grey`]],
  );
  const lost = list.filter(({ line }) => line === 6).flatMap(({ others }) => others);
  t.strictSame(
    lost.map(({ line }) => line),
    [9],
    'a finding that says the same is one of its other places',
  );
  t.notMatch(JSON.stringify(list), /Maria|0400|Mimi|Mobile|Otto/);
  t.equal(list[0]?.label, 'Fax', 'a label of the form is nothing personal');
  // Nor where a quotation has quotation marks, or is cut inside a name.
  const labels = [
    'Ask "Maria Sample" or',
    `${'x'.repeat(112)} Maria Sample`,
    `${'x'.repeat(4000)} Maria Sample`,
  ];
  const known = ['Primary Data Center', 'Secondary Data Center', 'Site Map'];
  const unknown = labels.flatMap((label, index) => [field(label, 'y'), field(known[index]!, 'z')]);
  const { findings: long } = attempt(logOf([field('Contact Name', 'Maria Sample')], unknown));
  const shown = [`Ask "${W}" or : y`, `${'x'.repeat(112)} (withhe…`, `${'x'.repeat(120)}…`];
  t.strictSame(
    long.flatMap(({ text, others }) => [text, ...others.map((other) => other.text)]),
    shown,
  );
  t.notMatch(JSON.stringify(long), /Maria/);
});

t.test('findings about a rejected file quote nothing', async (t) => {
  const rejected = [
    logOf([field('Contact Name', 'Maria Sample')], [field('Colour', 'grey')]).replace(
      ': TEST',
      ': TESTS',
    ),
    'a letter of Maria Sample about a grey antenna',
    '<letter>Maria Sample<grey/></letter>',
    '<geo:siteLog xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5"><grey>Maria Sample</grey></geo:siteLog',
  ];
  for (const text of rejected) {
    const { findings: list } = attempt(text);
    t.equal(list.at(-1)?.level, 'error', text);
    t.strictSame([...new Set(list.map((finding) => finding.text))], [''], text);
    t.notMatch(JSON.stringify(list), /Maria|grey|Colour|TESTS/, text);
  }
});

t.test(
  'withholding is pure, depends on this log only, and leaves a log without contacts as it is',
  async (t) => {
    const text = logOf(
      [field('Contact Name', 'Maria Sample')],
      [field('Site Map', 'of Maria Sample')],
    );
    const log = readSections(Buffer.from(text), new Findings(''));
    const before = structuredClone(log);
    const first = withheldSections(log);
    t.strictSame(log, before);
    const other = withheld(
      logOf([field('Contact Name', 'Otto Normal')], [field('Site Map', 'of Maria Sample')]),
    );
    t.equal(other.moreInformation.siteMap?.written, 'of Maria Sample');
    t.strictSame(withheldSections(log), first);
    t.strictSame(withheldSections(first), first, 'a second time changes nothing');
    t.strictSame(readWithheld(Buffer.from(text), new Findings('')), first);
    const plain = readSections(
      Buffer.from(logOf([field('Agency', 'Example Survey')], [field('Site Map', 'Y')])),
      new Findings(''),
    );
    t.strictSame(withheldSections(plain), plain);
    t.strictSame([isWithheld(first), isWithheld(plain)], [true, false]);
  },
);

t.test('the record of a Site has no contacts of its log', async (t) => {
  const site = [
    field('Site Name', 'Garden, m@c.org'),
    '3.   GNSS Receiver Information',
    '3.1  Receiver Type            : R1',
  ];
  const more = [
    field('Additional Information', 'by Maria Sample, m@c.org'),
    ON_SITE,
    field('Contact Name', 'Maria Sample'),
  ];
  const { log } = attempt([...HEAD, ...site, ...more].join('\n'));
  t.match(log, {
    items: [{ configuration: { notes: `by ${W}, ${W}` } }],
    identification: { name: `Garden, ${W}` },
  });
});

t.test(
  'types, serial numbers, numbers and dates lose email addresses and contacts of several words; other contacts stay',
  async (t) => {
    const receiver = [
      '3.1  Receiver Type            : LEICA 500',
      field('Serial Number', 'of Maria Sample'),
      field('Satellite System', 'GPS, see Maria Sample'),
      field('Elevation Cutoff Setting', '123456'),
      field('Date Installed', 'by Maria Sample'),
      field('Date Removed', '2011-07-20 (Maria Sample)'),
      field('Additional Information', 'Leica, 123456'),
      '4.1  Antenna Type             : a.b@c.org',
    ];
    const contact = [
      ON_SITE,
      field('Contact Name', 'Maria Sample'),
      '     Secondary Contact',
      field('Contact Name', 'Leica'),
    ];
    const log = withheld(
      [
        ...HEAD,
        '3.   GNSS Receiver Information',
        ...receiver,
        ...contact,
        field('Telephone (primary)', '123456'),
      ].join('\n'),
    );
    t.match(log.gnssReceivers[0], {
      type: { written: 'LEICA 500', value: 'LEICA 500' },
      serialNumber: { written: `of ${W}`, value: `of ${W}` },
      satelliteSystem: { written: `GPS, see ${W}` },
      elevationCutoffSetting: { written: '123456', value: 123456 },
      dateInstalled: { written: `by ${W}`, value: null },
      dateRemoved: { written: `2011-07-20 (${W})`, value: '2011-07-20T00:00:00Z' },
      notes: { written: `${W}, ${W}`, value: `${W}, ${W}` },
    });
    t.notMatch(JSON.stringify(log), /Maria/);
    t.equal(log.gnssAntennas[0]?.type?.written, W);
  },
);

t.test('a log has at most 200 names and numbers of contacts', async (t) => {
  const lines = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => field('Contact Name', `Name Nummer${index}`));
  const several = (count: number): string => {
    const names = Array.from({ length: count }, (_, index) => `Name Nummer${index}`);
    return logOf([field('Contact Name', names.join(', '))]);
  };
  const parties = (count: number): string => {
    const name = '<gco:CharacterString>Maria Sample</gco:CharacterString>';
    const person = `<gmd:individualName>${name}</gmd:individualName>`;
    const party = `<gmd:CI_ResponsibleParty>${person}</gmd:CI_ResponsibleParty>`;
    const contact = `<geo:siteContact>${party}</geo:siteContact>`;
    const names = 'xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5" xmlns:gmd="a" xmlns:gco="b"';
    return `<geo:siteLog ${names}>${contact.repeat(count)}</geo:siteLog>`;
  };
  const forms = [(count: number) => logOf(lines(count)), several, parties];
  for (const text of forms) {
    t.doesNotThrow(() => withheld(text(200)));
    const findings = new Findings('test.log');
    t.throws(() => readSections(Buffer.from(text(201)), findings));
    const values = { of: 'contacts', count: 201, most: 200 };
    t.match(findings.list.at(-1), { level: 'error', code: 'too-large', values, text: '' });
  }
  const prepared = field('Prepared by (full name)', 'Petra Muster');
  const { findings } = attempt(['0.   Form', prepared, logOf(lines(2_000))].join('\n'));
  t.match(findings.at(-1), { level: 'error', code: 'too-large', values: { count: 2001 } });
});

t.test('a contact of more than 200 characters is looked for in parts only', async (t) => {
  const name = `${'Maria '.repeat(33)}Sa`;
  t.equal(remarkWith(`of ${name}`, name), `of ${W}`);
  t.equal(remarkWith(`of ${name}m`, `${name}m`), `of ${name}m`);
  const several = `Maria Sample, ${name}m`;
  t.equal(remarkWith('of Maria Sample', several), `of ${W}`);
});

t.test('a value over 64 KB is cut, with a finding, and no part of a contact stays', async (t) => {
  const most = 64 * 1024;
  const logWith = (remark: string): string =>
    logOf(
      [field('Agency', 'Example Survey'), field('Contact Name', 'Maria Sample')],
      [field('Site Map', remark)],
    );
  const read = (remark: string) => {
    const findings = new Findings('test.log');
    const sections = readSections(Buffer.from(logWith(remark)), findings);
    return {
      whole: sections.moreInformation.siteMap!.written,
      published: withheldSections(sections).moreInformation.siteMap!.written,
      findings: findings.list.filter(({ code }) => code === 'long-value'),
    };
  };
  const longest = 'x'.repeat(most);
  const whole = read(longest);
  t.equal(whole.whole, longest);
  t.equal(whole.published, longest);
  t.same(whole.findings, []);

  const cut = read(`${longest}y`);
  t.match(cut.findings, [{ label: 'Site Map', values: { length: most + 1, most } }]);
  t.ok(cut.whole.startsWith(longest) && cut.whole.length < most + 20);
  t.ok(cut.published.length <= most && cut.published.startsWith('x'.repeat(most - 2000)));
  t.notMatch(cut.whole + cut.published, 'y');

  for (let shift = 1; shift <= 13; shift++) {
    const { published } = read(
      `${'x '.repeat(most / 2 - 7)}${' '.repeat(shift)}Maria Sample y y y`,
    );
    t.notMatch(published, /M|S/, `cut behind ${14 - shift} characters of the name`);
  }
});
