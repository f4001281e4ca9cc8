import t, { type Test } from 'tap';
import { isXml } from '../../../src/site-log/xml/elements.js';
import type { FindingCode } from '../../../src/findings/codes.js';
import { type Attempt, attemptWithContacts, matchLog, shown, UNKNOWN_SITE } from '../reading.js';

const IDENTIFICATION =
  '<geo:siteIdentification><geo:SiteIdentification><geo:fourCharacterID>TEST</geo:fourCharacterID></geo:SiteIdentification></geo:siteIdentification>';

/**
 * A document with the given children of `siteLog`. The root is on line 1, `siteLog` on line 2, the
 * children from line 3.
 */
function documentOf(
  body: string,
  { namespace = 'urn:xml-gov-au:icsm:egeodesy:0.5', identification = IDENTIFICATION } = {},
): string {
  return [
    `<geo:GeodesyML xmlns:geo="${namespace}" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">`,
    `<geo:siteLog gml:id="test">${identification}`,
    body,
    '</geo:siteLog>',
    '</geo:GeodesyML>',
  ].join('\n');
}

const attempt = (text: string): Attempt => attemptWithContacts(text, 'test.xml');
const read = (body: string, options = {}): Attempt => attempt(documentOf(body, options));

/** Asserts that the document is rejected, with the line and the reason: its code and values. */
function rejected(
  t: Test,
  text: string,
  line: number,
  reason: { code: FindingCode; values?: object },
  recognised = true,
): void {
  const { log, findings, ...found } = attempt(text);
  const expected = [null, { file: 'test.xml', line, level: 'error', ...reason }, { recognised }];
  t.match([log, findings.at(-1), found], expected, `rejected on line ${line}`);
}

const MALFORMED = { code: 'malformed-xml', values: { problem: String } } as const;

const receiver = (content: string): string =>
  `<geo:gnssReceiver><geo:GnssReceiver>${content}</geo:GnssReceiver></geo:gnssReceiver>`;
const antenna = (content: string): string =>
  `<geo:gnssAntenna><geo:GnssAntenna>${content}</geo:GnssAntenna></geo:gnssAntenna>`;
const model = (type: string): string => `<geo:igsModelCode>${type}</geo:igsModelCode>`;

t.test('XML is recognized by its first non-blank character', async (t) => {
  for (const text of ['<?xml version="1.0"?><a/>', '<a/>', '\n\t <a/>', '<!-- a --><a/>'])
    t.ok(isXml(text), text);
  for (const text of ['', 'a < b', '     TEST Site Information Form', `${' '.repeat(2000)}<a/>`])
    t.notOk(isXml(text), text);
});

t.test('the version is detected from the namespace, also without a prefix', async (t) => {
  const withoutPrefix =
    '<siteLog xmlns="urn:xml-gov-au:icsm:egeodesy:0.6"><siteIdentification><fourCharacterID>TEST</fourCharacterID></siteIdentification></siteLog>';
  t.equal(attempt(withoutPrefix).log?.form, 'GeodesyML 0.6');
});

t.test('other versions are rejected as unsupported site logs', async (t) => {
  for (const version of ['0.3', '0.7', '1.0', '']) {
    const text = documentOf('', { namespace: `urn:xml-gov-au:icsm:egeodesy:${version}` });
    rejected(t, text, 2, {
      code: 'unsupported-version',
      values: {
        namespace: `urn:xml-gov-au:icsm:egeodesy:${version}`,
        expected: ['0.4', '0.5', '0.6'].map((each) => `urn:xml-gov-au:icsm:egeodesy:${each}`),
      },
    });
  }
  const other = documentOf('', { namespace: 'urn:example.org:egeodesy a@b.example' });
  rejected(t, other, 2, {
    code: 'unsupported-version',
    values: { namespace: 'urn:example.org:egeodesy?a?b.example' },
  });
});

t.test('XML that is not a GeodesyML site log is rejected as such', async (t) => {
  for (const text of [
    '<html><body>Four Character ID : TEST</body></html>',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<siteLog/>',
    '<siteLog xmlns="http://example.org/"><fourCharacterID>TEST</fourCharacterID></siteLog>',
    '<GeodesyML xmlns="urn:xml-gov-au:icsm:egeodesy:0.5"><setup/></GeodesyML>',
  ]) {
    rejected(t, text, 1, { code: 'not-a-site-log', values: { root: { name: String } } }, false);
  }
  const withRoot = (name: string, namespace: string) =>
    ({ code: 'not-a-site-log', values: { root: { name, namespace } } }) as const;
  rejected(t, '<siteLog/>', 1, withRoot('siteLog', ''), false);
  const named = '<siteLog xmlns="http://example.org/"/>';
  rejected(t, named, 1, withRoot('siteLog', 'http://example.org/'), false);
  const long = `<a xmlns="${'x'.repeat(5000)}"/>`;
  rejected(t, long, 1, withRoot('a', 'x'.repeat(100)), false);
});

t.test('a log with nothing but an id is read, and everything else is unknown', async (t) => {
  const nothing = { datePrepared: null, agency: null, agencies: [], items: [], instruments: [] };
  const log = { form: 'GeodesyML 0.5', identification: UNKNOWN_SITE, ...nothing };
  t.strictSame(read(''), { log, findings: [], recognised: true });
});

t.test('malformed XML is rejected, with the line', async (t) => {
  // prettier-ignore
  const cases = [
    ['<geo:gnssReceiver>', 4], ['</geo:gnssReceiver>', 3], ['\n\n<geo:gnssReceiver></geo:gnssAntenna>', 5],
    ['<geo:gnssReceiver', 4], ['<unbound:gnssReceiver/>', 3], ['<geo:notes>a < b</geo:notes>', 3],
    ['<geo:notes>\u0001</geo:notes>', 3], ['<geo:notes a="1" a="2"/>', 3], ['<geo:notes a=1/>', 3],
    ['<geo:notes>]]></geo:notes>', 3], ['<!-- a -- b -->', 3],
  ] as const;
  for (const [body, line] of cases) {
    rejected(t, documentOf(body), line, MALFORMED);
  }
  const text = documentOf('<geo:notes>cut off here</geo:notes>');
  rejected(t, text.slice(0, text.indexOf(' here')), 3, MALFORMED);
  rejected(t, `${text}\n<again/>`, 6, MALFORMED);
  rejected(t, '<', 1, MALFORMED, false);
  rejected(t, '<?xml version="1.0"?>', 1, MALFORMED, false);
  rejected(t, '<a>\n<b>\n</a>', 3, MALFORMED, false);
  const lines = documentOf('\n\n<geo:gnssReceiver></geo:gnssAntenna>');
  for (const end of ['\r\n', '\r']) rejected(t, lines.replaceAll('\n', end), 5, MALFORMED);
  rejected(t, '<?xml version="1.1"?>\n<a>\u0085\u2028\u0085</b>', 2, MALFORMED, false);
});

t.test('an ampersand that begins no entity is named with its own line', async (t) => {
  const ampersand = (body: string): string => attempt(documentOf(body)).findings.at(-1)!.text;
  for (const body of ['<geo:notes>A & B\n\n</geo:notes>', '<geo:notes>A & B\n</geo:other>']) {
    rejected(t, documentOf(body), 3, MALFORMED);
    t.equal(ampersand(body), '&');
  }
  const others = ['<!-- A & B -->', '<![CDATA[A & B]]>', '<?a A & B?>', 'A &amp; B'];
  for (const other of others) {
    const body = `<geo:notes>${other}\n</geo:other>\nA & B</geo:notes>`;
    rejected(t, documentOf(body), 4, MALFORMED);
    t.equal(ampersand(body), '');
  }
});

t.test('a DOCTYPE is rejected, and its entities are not expanded', async (t) => {
  const laughs = Array.from(
    { length: 20 },
    (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
  ).join('');
  for (const doctype of [
    '<!DOCTYPE geo:GeodesyML>',
    '<!DOCTYPE geo:GeodesyML SYSTEM "http://example.org/geodesyml.dtd">',
    '<!DOCTYPE geo:GeodesyML [<!ENTITY file SYSTEM "file:///etc/passwd">]>',
    `<!DOCTYPE geo:GeodesyML [<!ENTITY l0 "ha">${laughs}]>`,
  ]) {
    rejected(t, doctype + documentOf('<geo:notes>&l20;&file;</geo:notes>'), 1, {
      code: 'malformed-xml',
      values: { isDoctype: true },
    });
  }
});

t.test('only the predefined XML entities are accepted', async (t) => {
  matchLog(t, read(receiver(model('A&amp;B &lt;&#x41;&#66;&gt;'))), [{ id: { type: 'A&B <AB>' } }]);
  rejected(t, documentOf(receiver(model('A&nbsp;B'))), 3, MALFORMED);
});

t.test('elements may be nested 64 levels deep, but no deeper', async (t) => {
  // siteLog and its root are the first two levels.
  const nested = (depth: number): string =>
    documentOf('<geo:a>'.repeat(depth - 2) + '</geo:a>'.repeat(depth - 2));
  t.not(attempt(nested(64)).log, null);
  rejected(t, nested(65), 3, { code: 'malformed-xml', values: { deepest: 64 } });
  rejected(t, documentOf('<geo:a>'.repeat(500_000)), 3, {
    code: 'malformed-xml',
    values: { deepest: 64 },
  });
});

t.test('the id', async (t) => {
  const identification = (content: string): string =>
    `<geo:siteIdentification><geo:SiteIdentification>${content}</geo:SiteIdentification></geo:siteIdentification>`;
  const location = (country: string): string =>
    `<geo:siteLocation><geo:SiteLocation><geo:countryCodeISO>${country}</geo:countryCodeISO></geo:SiteLocation></geo:siteLocation>`;
  const four = (id: string): string => `<geo:fourCharacterID>${id}</geo:fourCharacterID>`;
  const numbers = (monument: string, receiver: string): string =>
    `<geo:monumentNumber>${monument}</geo:monumentNumber><geo:receiverNumber>${receiver}</geo:receiverNumber>`;

  t.test('the four-character id is the start of the nine-character id', async (t) => {
    const nine = identification('<geo:nineCharacterID>synt00aus</geo:nineCharacterID>');
    t.hasStrict(read('', { identification: nine }).log?.identification, {
      fourCharacterId: 'SYNT',
      nineCharacterId: 'SYNT00AUS',
    });
  });

  t.test(
    'the nine-character id is composed of id, monument, receiver and country if the log gives all four',
    async (t) => {
      for (const [content, body, expected] of [
        [four('test') + numbers('0', '1'), location('AUS'), 'TEST01AUS'],
        [four('TEST') + numbers('0', ''), location('AUS'), null],
        [four('TEST') + numbers('0', '1'), location('Australia'), null],
        [four('TEST') + numbers('0', '1'), '', null],
        [four('TEST') + numbers('10', '1'), location('AUS'), null],
        [four('TEST'), location('AUS'), null],
      ] as const) {
        const { log } = read(body, { identification: identification(content) });
        t.hasStrict(
          log?.identification,
          { fourCharacterId: 'TEST', nineCharacterId: expected },
          content + body,
        );
      }
    },
  );

  t.test('an invalid id rejects the log, with the line and the reason', async (t) => {
    const documentWith = (id: string): string =>
      documentOf('', { identification: `\n${identification(four(id))}` });
    for (const id of ['TES', 'TESTS', 'TE-T', 'unknown']) {
      rejected(t, documentWith(id), 3, {
        code: 'no-site-id',
        values: { label: 'Four Character ID', expected: String },
      });
    }
    // A blank id is not in the log, so it has no line.
    rejected(t, documentWith(''), 1, {
      code: 'no-site-id',
      values: { label: 'Four Character ID', expected: null },
    });
    const nine = identification('<geo:nineCharacterID>TEST0AUS</geo:nineCharacterID>');
    rejected(t, documentOf('', { identification: nine }), 2, {
      code: 'no-site-id',
      values: { label: 'Nine Character ID', expected: String },
    });
  });
});

t.test('the location', async (t) => {
  const place = (content: string) =>
    read(`<geo:siteLocation><geo:SiteLocation>${content}</geo:SiteLocation></geo:siteLocation>`);
  const position = (text: string): string =>
    `<geo:approximatePositionITRF><geo:cartesianPosition><gml:Point><gml:pos>1 2 3</gml:pos></gml:Point></geo:cartesianPosition><geo:geodeticPosition><gml:Point><gml:pos>${text}</gml:pos></gml:Point></geo:geodeticPosition></geo:approximatePositionITRF>`;

  t.test('the country is the three-letter code, from the text or the attribute', async (t) => {
    for (const [element, expected] of [
      ['<geo:countryCodeISO>AUS</geo:countryCodeISO>', 'AUS'],
      ['<geo:countryCodeISO codeListValue="Australia">AUS</geo:countryCodeISO>', 'AUS'],
      ['<geo:countryCodeISO codeListValue="AUS">Australia</geo:countryCodeISO>', 'AUS'],
      ['<geo:countryCodeISO codeListValue="AUS"/>', 'AUS'],
      ['<geo:countryCodeISO codeListValue="AUS">NZL</geo:countryCodeISO>', 'NZL'],
      ['<geo:countryCodeISO codeListValue="Australia">Australia</geo:countryCodeISO>', 'Australia'],
      ['<geo:countryCodeISO></geo:countryCodeISO>', null],
    ] as const) {
      t.equal(place(element).log?.identification.country, expected, element);
    }
  });

  t.test(
    'latitude, longitude and elevation come from the geodetic position; invalid ones are unknown, with a finding',
    async (t) => {
      const { log, findings } = place(position(' -10.5\n 215.25 123.40 '));
      t.hasStrict(
        [log?.identification, findings],
        [{ latitude: -10.5, longitude: -144.75, elevation: 123.4 }, []],
      );
      const invalid = place(position('95 here 3'));
      t.hasStrict(invalid.log?.identification, { latitude: null, longitude: null, elevation: 3 });
      t.strictSame(shown(invalid.findings), [
        '3 warning unreadable-value (2) latitude: expected=an angle (ddmmss.ss or decimal degrees within ±90)',
        '3 warning unreadable-value (2) longitude: expected=an angle (ddmmss.ss or decimal degrees within ±180)',
        '3 warning unreadable-value (2) isFarFromSurface=true',
      ]);
    },
  );
});

t.test(
  'Date Prepared is the latest of several formInformation elements, in any order, with or without an inner object',
  async (t) => {
    const form = (date: string): string =>
      `<geo:formInformation><geo:FormInformation><geo:datePrepared>${date}</geo:datePrepared></geo:FormInformation></geo:formInformation>`;
    const plain =
      '<geo:formInformation><geo:datePrepared>2018-01-01</geo:datePrepared></geo:formInformation>';
    for (const [body, expected] of [
      [form('2017-02-23'), '2017-02-23'],
      [form('2017-02-23') + form('2019-11-05') + form('2016-01-01'), '2019-11-05'],
      [form('2019-11-05') + form(''), '2019-11-05'],
      [form('') + plain, '2018-01-01'],
      [form('2017-02-23T23:00:00Z'), '2017-02-23'],
      [form(''), null],
      ['<geo:formInformation/>', null],
    ] as const) {
      t.equal(read(body).log?.datePrepared, expected, body);
    }
  },
);

t.test('blank and withdrawn values', async (t) => {
  t.test('xsi:nil and an empty element are unknown', async (t) => {
    for (const attributes of [
      '',
      ' xsi:nil="true"',
      ' xsi:nil="1"',
      ' xsi:nil="true" codeListValue="R9"',
    ]) {
      const blanks = (...names: string[]): string =>
        names.map((name) => `<geo:${name}${attributes}></geo:${name}>`).join('');
      const inReceiver = `${blanks('igsModelCode', 'satelliteSystem', 'dateRemoved')}<geo:dateInstalled>2001-02-03</geo:dateInstalled>`;
      const inAntenna = `${model('A1')}${blanks('marker-arpUpEcc.', 'antennaRadomeType', 'dateInstalled')}`;
      const items = [
        {
          id: { type: null },
          configuration: { satelliteSystem: null },
          from: '2001-02-03T00:00:00Z',
          to: null,
        },
        {
          id: { type: 'A1' },
          configuration: { markerArpUpEccentricity: null, radomeType: null },
          from: null,
        },
      ];
      matchLog(t, read(receiver(inReceiver) + antenna(inAntenna)), items, [], attributes);
    }
  });

  t.test('the content of a nil element is ignored', async (t) => {
    for (const [nil, firmwareVersion] of Object.entries({ true: null, 1: null, false: '1.0' })) {
      const log = read(
        receiver(`${model('R1')}<geo:firmwareVersion xsi:nil="${nil}">1.0</geo:firmwareVersion>`),
      );
      matchLog(t, log, [{ configuration: { firmwareVersion } }]);
    }
  });

  t.test('a property with a dateDeleted is withdrawn', async (t) => {
    const property = (dateDeleted: string): string =>
      `<geo:gnssReceiver><geo:GnssReceiver>${model('R1')}</geo:GnssReceiver>${dateDeleted}</geo:gnssReceiver>`;
    const withdrawn = read(property('<geo:dateDeleted>2009-02-02</geo:dateDeleted>'));
    matchLog(t, withdrawn, [], ['3 info ignored-element (3.1) gnssReceiver: why=withdrawn']);
    for (const none of [
      '',
      '<geo:dateDeleted/>',
      '<geo:dateDeleted> </geo:dateDeleted>',
      '<geo:dateDeleted xsi:nil="true"/>',
    ]) {
      matchLog(t, read(property(none)), [{ id: { type: 'R1' } }], [], none);
    }
  });
});

t.test('equipment', async (t) => {
  t.test('may be in the property element itself, or elsewhere in the file', async (t) => {
    const log = read(
      `<geo:gnssReceiver>${model('R1')}</geo:gnssReceiver><geo:gnssReceiver xlink:href="#r2"/><geo:more><geo:GnssReceiver gml:id="r2">${model('R2')}</geo:GnssReceiver></geo:more>`,
    );
    matchLog(
      t,
      log,
      [{ id: { type: 'R1' } }, { id: { type: 'R2' } }],
      ['3 info ignored-element more: why=unknown'],
    );
  });

  t.test('that is not in the file gives a finding', async (t) => {
    for (const href of ['#r2', '#', '#__proto__', '#constructor', 'http://example.org/#r2', '']) {
      const finding = '3 warning ignored-element (3) gnssReceiver: why=missing target';
      matchLog(t, read(`<geo:gnssReceiver xlink:href="${href}"/>`), [], [finding], href);
    }
  });

  t.test('may contain unknown elements, which are ignored, with a finding for each', async (t) => {
    const unknown = ['colour', 'constructor', '__proto__'];
    const log = read(
      receiver(model('R1') + unknown.map((name) => `<geo:${name}>a</geo:${name}>`).join('')),
    );
    const findings = unknown.map((name) => `3 info ignored-element (3.1) ${name}: why=unknown`);
    matchLog(t, log, [{ id: { type: 'R1' } }], findings);
  });
});

t.test('values', async (t) => {
  t.test('text may be in CDATA, contain comments and span several lines', async (t) => {
    const more =
      '<geo:firmwareVersion>1.<!-- a -->2</geo:firmwareVersion><geo:notes>one\n   two<![CDATA[\n& ]]>three</geo:notes>';
    const configuration = { firmwareVersion: '1.2', notes: 'one two & three' };
    matchLog(t, read(receiver(model('<![CDATA[R<1>]]>') + more)), [
      { id: { type: 'R<1>' }, configuration },
    ]);
  });

  t.test('firmware has the blanks of the log, one for each white space', async (t) => {
    for (const [written, firmwareVersion] of [
      ['Nav  1.30 / Boot   1', 'Nav  1.30 / Boot   1'],
      ['Nav\t1.30\u00a0 / Boot', 'Nav 1.30  / Boot'],
      ['  1.30  ', '1.30'],
    ] as const) {
      const xml = `${model('R1')}<geo:firmwareVersion>${written}</geo:firmwareVersion>`;
      matchLog(t, read(receiver(xml)), [{ configuration: { firmwareVersion } }]);
    }
  });

  t.test('character references that were escaped twice are decoded, with a finding', async (t) => {
    const log = read(receiver(`${model('R1')}<geo:notes>M&amp;#233;t&#233;o</geo:notes>`));
    matchLog(t, log, [{ configuration: { notes: 'Météo' } }], ['3 info decoded-references (3.1)']);
  });
});

t.test('clocks and humidity sensors have a validTime', async (t) => {
  const begin = '<gml:beginPosition>2001-02-03</gml:beginPosition>';
  const from = '2001-02-03T00:00:00Z';
  const unknown =
    '<gml:beginPosition indeterminatePosition="unknown"/><gml:endPosition indeterminatePosition="unknown"></gml:endPosition>';
  const cases: [period: string, dates: { from: string | null; to: string | null }][] = [
    [
      `${begin}<gml:endPosition>2004-05-06T07:08:09Z</gml:endPosition>`,
      { from, to: '2004-05-06T07:08:09Z' },
    ],
    [`${begin}<gml:endPosition></gml:endPosition>`, { from, to: null }],
    [`${begin}<gml:endPosition indeterminatePosition="now"/>`, { from, to: null }],
    [unknown, { from: null, to: null }],
    ['<gml:beginPosition xsi:nil="true"/>', { from: null, to: null }],
    ['', { from: null, to: null }],
  ];
  for (const [period, dates] of cases) {
    const log = read(
      `<geo:frequencyStandard><geo:FrequencyStandard><geo:standardType>C1</geo:standardType><gml:validTime><gml:TimePeriod>${period}</gml:TimePeriod></gml:validTime></geo:FrequencyStandard></geo:frequencyStandard>`,
    );
    matchLog(t, log, [dates], [], period);
  }
});

t.test('of several logs in one file the first is read, and the others give findings', async (t) => {
  const text = documentOf(
    `${receiver(model('R1'))}</geo:siteLog>\n<geo:siteLog>${receiver(model('R2'))}`,
  );
  const finding = '4 warning ignored-element siteLog: why=second log';
  matchLog(t, attempt(text), [{ id: { type: 'R1' } }], [finding]);
});
