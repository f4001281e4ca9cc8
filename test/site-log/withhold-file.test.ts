import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { decode } from '../../src/site-log/decode.js';
import { LARGEST_FILE, readSiteLog } from '../../src/site-log/read.js';
import { PersonalTexts } from '../../src/site-log/personal-texts.js';
import { readSections } from '../../src/site-log/read-sections.js';
import { Findings } from '../../src/site-log/site-log.js';
import { personalDataOf } from '../../src/site-log/withhold.js';
import { withholdInFile } from '../../src/site-log/withhold-file.js';
import { writeSections, WRITTEN_FORMS } from '../../src/site-log/write.js';
import { REAL_LOGS, SAMPLE, withRealLogs } from '../helper.js';
import { siteLogs } from '../round-trips/arbitrary-log.js';
import { NOTICE } from '../../src/site-log/write/loss.js';

const withheld = (text: string, encoding: BufferEncoding = 'utf8'): string =>
  Buffer.from(withholdInFile(Buffer.from(text, encoding))).toString(encoding);
const linesOf = (text: string): string[] => text.split(/\r\n|\n|\r/);
/** A text on one line, in lower case, without the colons of lines that continue. */
const folded = (text: string): string =>
  text
    .replace(/\n\s*:?/g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase();

const TEXT = `     ALIC Site Information Form (site log)

0.   Form

     Prepared by (full name)  : Erika Müst&#233;r / A. Beispiel
                              : (on leave)
     Date Prepared            : 2017-02-23

1.   Site Identification of the GNSS Monument
     Site Name                : Alice Springs
     Four Character ID        : ALIC
     Additional Information   : Ask Erika
                              : Müstér, or (555) 123-4567 or a.b@c.example.

3.1  Receiver Type            : LEICA GR25
     Serial Number            : 1
     Date Installed           : 2011-07-20T00:00Z
3.x  Receiver Type            : (A20)
     Additional Information   : A. Beispiel knows

11.  On-Site, Point of Contact Agency Information
                                Frau Kopfzeile
     Agency                   : Example Agency
                                of Contacts
     Preferred Abbreviation   : EXA
     Primary Contact          : Otto Untertitel
       Contact Name           :
                              : Bernd
                                Zweizeilig
       Telephone (primary)\t: (555) 123-4567
       Telephone (secondary)  : none
       Mobile                 : 0170 1234567
     Karl Unlesbar
       Fax                    : (555) 123-4568
       E-mail                 : erika@example.org
       Contact Name           : Carla Doppelt
     Secondary Contact
       Contact Name           : Dora Zwei
     Additional Information   : Carla Doppelt is not here

11.  Second agency
       Contact Name           : Emil Weg
12.  Responsible Agency
     Agency                   : Emil Weg
13.  More Information
     URL for More Information : https://www.zweizeilig.example/
       Fax                    : 030 987654
`;
const SECRETS = [
  'erika',
  'müst',
  'beispiel',
  'kopfzeile',
  'untertitel',
  'bernd',
  'zweizeilig\n',
  '123-4567',
  '1234567',
  'unlesbar',
  '123-4568',
  'example.org',
  'c.example',
  'carla',
  'dora',
  '987654',
];

t.test('in the text form, personal values are replaced in their lines; all other lines stay', async (t) => {
  const [before, after] = [linesOf(TEXT), linesOf(withheld(TEXT))];
  t.equal(after.length, before.length);
  for (const secret of SECRETS) t.notMatch(`${after.join('\n').toLowerCase()}`, secret);
  const changed = after.flatMap((line, index) => (line === before[index] ? [] : [[index + 1, line]]));
  t.strictSame(
    changed.filter(([, line]) => !/\(withheld\)/.test(String(line))),
    [
      [2, `     ${NOTICE}`],
      [6, ''],
      [29, ''],
    ],
  );
  for (const number of [23, 24, 25, 27, 31, 37, 41, 44]) {
    t.equal(after[number - 1], before[number - 1], 'organisations, blank values and headings');
  }
  t.equal(after[11], '     Additional Information   : Ask (withheld)');
  t.equal(after[45], before[45], 'the name of a host');
  t.equal(after[12], '                              : , or (withheld) or (withheld).');
  t.equal(withheld(after.join('\n')), after.join('\n'), 'a second time changes nothing');
});

t.test('bytes around personal values do not change, in any encoding and with any line ends', async (t) => {
  const text = TEXT.replaceAll('Alice', 'Älice').replace('Ask', 'Fragt nach €');
  const expected = withheld(text);
  for (const [name, encode] of Object.entries({
    'UTF-8 with a byte order mark': (text: string) => Buffer.from(`\ufeff${text}`),
    CRLF: (text: string) => Buffer.from(text.replaceAll('\n', '\r\n')),
    CR: (text: string) => Buffer.from(text.replaceAll('\n', '\r')),
    'Latin-1': (text: string) => Buffer.from(text.replace('€', '\u0080'), 'latin1'),
    'UTF-16': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    'UTF-16, big-endian': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  })) {
    t.strictSame(Buffer.from(withholdInFile(encode(text))), encode(expected), name);
  }
});

t.test('a file without personal data is returned as it is', async (t) => {
  const bytes = Buffer.from(
    TEXT.replace(/^0\.[^]*?(?=^1\.)/m, '')
      .replace(/^ *Additional Information[^]*?(?=^3)/m, '')
      .replace(/^3\.x[^]*$/m, ''),
  );
  t.equal(withholdInFile(bytes), bytes);
});

const party = (role: string, name: string, more = ''): string => `<geo:${role}><gmd:CI_ResponsibleParty>
<gmd:individualName><gco:CharacterString>${name}</gco:CharacterString></gmd:individualName>
<gmd:organisationName><gco:CharacterString>Example &amp; Agency</gco:CharacterString></gmd:organisationName>
<gmd:contactInfo><gmd:CI_Contact><gmd:phone><gmd:CI_Telephone><gmd:voice><gco:CharacterString>+1 555 1234
</gco:CharacterString></gmd:voice></gmd:CI_Telephone></gmd:phone></gmd:CI_Contact></gmd:contactInfo>${more}
<gmd:role><gmd:CI_RoleCode codeListValue="pointOfContact">pointOfContact</gmd:CI_RoleCode></gmd:role>
</gmd:CI_ResponsibleParty></geo:${role}>`;
const XML = `<?xml version="1.0"?>
<!-- edited by a.b@c.example -->
<geo:GeodesyML gml:id="ALIC00AUS" xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco">
<geo:siteLog gml:id="log">
<geo:formInformation><geo:FormInformation><geo:preparedBy>Erika
Mustér</geo:preparedBy><geo:datePrepared>2017-02-23</geo:datePrepared></geo:FormInformation></geo:formInformation>
<geo:siteIdentification><geo:SiteIdentification><geo:siteName>Alice Springs</geo:siteName><geo:fourCharacterID>ALIC</geo:fourCharacterID>
<geo:notes>Ask Erika Must&amp;#233;r,
or Bernd<!-- who? --> <![CDATA[& Co, +1 555
1234]]></geo:notes></geo:SiteIdentification></geo:siteIdentification>
${party('siteContact', '<![CDATA[Bernd & Co]]>')}
${party('siteContact', 'J&#246;rg Ref', '<gmd:onlineResource><x:name xmlns:x="x">Homepage of Paul</x:name></gmd:onlineResource>')}
<!-- <geo:siteContact><gmd:voice>0170</gmd:voice> Karl Kommentar</geo:siteContact> -->
<geo:siteOwner xlink:title="Theo Titel" xlink:href="#p"/>
<geo:gnssReceiver><geo:dateDeleted>2012</geo:dateDeleted><geo:GnssReceiver><geo:notes>Jörg  Ref</geo:notes></geo:GnssReceiver></geo:gnssReceiver>
</geo:siteLog>
<geo:siteLog><geo:formInformation><geo:preparedBy>Second Log</geo:preparedBy></geo:formInformation></geo:siteLog>
<gmd:CI_ResponsibleParty gml:id="p"><gmd:individualName><gco:CharacterString>Otto Owner</gco:CharacterString></gmd:individualName></gmd:CI_ResponsibleParty>
</geo:GeodesyML>
`;

t.test(
  'personal values are replaced in GeodesyML, also in comments, attributes, CDATA and references, and in what readers skip',
  async (t) => {
    const [before, after] = [linesOf(XML), linesOf(withheld(XML))];
    t.equal(after.length, before.length);
    const text = after.join('\n');
    for (const secret of [/erika/i, /must/i, /bernd/i, /555/, /rg\s+ref/i, /karl/i, /theo/i, /second/i, /otto/i, /paul/i, /a\.b@/]) {
      t.notMatch(text, secret);
    }
    t.equal(text.match(/Example &amp; Agency/g)?.length, 2);
    t.equal(text.match(/>pointOfContact</g)?.length, 2);
    t.equal(text.match(/xlink:href="#p"/g)?.length, 1);
    t.equal(after.at(-1), `<!-- ${NOTICE} -->`);
    const log = readSections(Buffer.from(text), new Findings('again'));
    t.ok(personalDataOf(log).personal.every((value) => value === '(withheld)'));
    t.equal(log.siteIdentification.siteName?.value, 'Alice Springs');
    t.equal(withheld(text), text, 'a second time changes nothing');
  },
);

t.test("personal values are replaced in SOPAC's XML", async (t) => {
  const xml = readFileSync(join(import.meta.dirname, 'fixtures', 'sopac-2004.xml'), 'utf8').replace(
    '</igsSiteLog>',
    `<responsibleAgency xmlns:c="c"><c:agency>Agency</c:agency><c:primaryContact><c:name>Erika Muster</c:name></c:primaryContact>
<c:notes>Erika Muster left</c:notes><c:other>Otto</c:other></responsibleAgency></igsSiteLog>`,
  );
  const text = withheld(xml);
  t.match(text, '<c:agency>Agency</c:agency><c:primaryContact><c:name>(withheld)</c:name></c:primaryContact>');
  t.match(text, '<c:notes>(withheld) left</c:notes><c:other>(withheld)</c:other>');
  t.equal(linesOf(text).length, linesOf(xml).length);
});

t.test('if personal data is left, the log is written anew without it', async (t) => {
  // A name that is also a label cannot be withheld without damage to the form.
  const text = withheld(TEXT.replace('Dora Zwei', 'Preferred Abbreviation'));
  t.match(text, NOTICE);
  t.notMatch(text, 'Karl Unlesbar');
  t.match(linesOf(text)[0], 'ALIC Site Information Form');
  t.not(linesOf(text).length, linesOf(TEXT).length);
});

t.test('if a file cannot be read, nothing that could be personal is published', async (t) => {
  t.equal(withheld('<geo:siteLog xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5"><preparedBy>\nErika').includes('Erika'), false);
  t.equal(withheld('Fax : 555 1234\n'), `Fax : (withheld)\n     ${NOTICE}`);
});

/** Words that no form has, as the names of persons. */
const name = fc
  .tuple(
    fc.constantFrom('Zyxa', 'Q. Örv', 'İnci', '王'),
    fc.constantFrom(' ', '  ', '\n', '-'),
    fc.constantFrom('Vorblax', "O'Quorv", 'Žužak (Dr.)'),
  )
  .map((parts) => parts.join(''));
const sentence = (text: string): fc.Arbitrary<string> =>
  fc.constantFrom(`${text}`, `see ${text}, or not`, `x\n${text.replaceAll(' ', '\n')}`, `${text.toUpperCase()}.`, `(${text})`);

t.test('no arbitrary log leaks a name, in any form', async (t) => {
  const logs = fc.tuple(siteLogs, name, fc.constantFrom(...WRITTEN_FORMS)).chain(([log, person, form]) =>
    fc.array(sentence(person), { minLength: 3, maxLength: 3 }).map(([notes, city, event]) => {
      const value = (written: string) => ({ written, value: written, line: 1 });
      const copy = structuredClone(log);
      copy.formInformation.preparedBy = value(person);
      copy.siteIdentification.notes = value(notes!);
      copy.siteLocation.notes = value(city!);
      for (const effect of copy.localEpisodicEffects) effect.event = value(event!);
      for (const contact of copy.responsibleParties) contact.individualName = value(person);
      return { person, text: writeSections(copy, form, new Findings('')) };
    }),
  );
  let sameLines = 0;
  const property = fc.property(logs, ({ person, text }) => {
    const result = withheld(text);
    if (
      folded(result)
        .replace(/&apos;|&#39;/g, "'")
        .includes(folded(person))
    )
      throw new Error(`leaks ${person}`);
    if (withheld(result) !== result) throw new Error('a second time changes something');
    if (linesOf(result).length === linesOf(text).length) sameLines++;
  });
  const { failed, errorInstance, counterexample } = fc.check(property, { numRuns: 60, seed: 20_261_122 });
  t.notOk(failed, `${String(errorInstance)} ${JSON.stringify(counterexample)}`);
  // The others have values such as labels in place of contacts.
  t.ok(sameLines > 30, `${sameLines} of 60 with the same lines`);
});

/** Everything that a withheld file must be, compared with the model that is withheld. */
function problemsOf(bytes: Uint8Array): string[] {
  const result = withholdInFile(bytes);
  const log = readSections(bytes, new Findings(''));
  const texts = new PersonalTexts(personalDataOf(log));
  const [before, after] = [linesOf(decode(bytes)), linesOf(decode(result))];
  const text = folded(decode(result));
  return [
    ...(before.length === after.length ? [] : ['another number of lines']),
    ...(texts.without(text) === text ? [] : [`personal data left`]),
    ...personalDataOf(readSections(result, new Findings(''))).personal.filter(
      (value) => !/^(\(withheld\)|none|n\/a|unknown)$/i.test(value),
    ),
  ];
}

t.test('every log of the sample network is published without contacts, and otherwise unchanged', async (t) => {
  for (const name of readdirSync(SAMPLE)) t.strictSame(problemsOf(readFileSync(join(SAMPLE, name))), [], name);
});

t.test('every real log is published without contacts, and otherwise unchanged', withRealLogs, async (t) => {
  for (const folder of ['text', 'sopac', 'geodesyml']) {
    for (const name of readdirSync(join(REAL_LOGS!, folder))) {
      t.strictSame(problemsOf(readFileSync(join(REAL_LOGS!, folder, name))), [], name);
    }
  }
});

t.test('the largest file takes seconds, whatever it contains', async (t) => {
  const fill = (head: string, part: (index: number) => string): string => {
    const parts = [head];
    for (let index = 0, size = head.length; size < LARGEST_FILE - 1000; index++) size += parts[parts.push(part(index)) - 1]!.length;
    return parts.join('');
  };
  const names = Array.from({ length: 150 }, (_, index) => `       Contact Name : ${'a '.repeat(80)}x${index}\n`).join('');
  for (const [what, text] of Object.entries({
    names: fill(`${TEXT}\n11.  On-Site\n${names}`, () => 'a '),
    values: fill(TEXT, (index) => `     Contact Name : Name ${index}\n`),
    'organisations and names': fill(
      TEXT,
      (index) => `11.\n     Agency : Office ${index}\n       Contact Name : Name ${index}, b, c, d ${index}\n`,
    ),
    'one long name': `${TEXT}11.\n       Contact Name : ${fill('', (index) => `Name ${index}, `)}`,
    continuations: fill(`${TEXT}11.\n     Agency : x\n`, () => '                     : Bernd Zweizeilig &#233;\n'),
    personal: fill(`${TEXT}11.\n     Contact Name : x\n`, () => '                     : Bernd &#233;\n'),
    references: XML.replace('Alice', () => fill('', () => '&amp;#233; Bernd ')),
    parties: XML.replace(
      '<geo:siteOwner',
      () => `${fill('', (index) => `<gmd:voice><a>Name ${index}</a></gmd:voice><gmd:city>x ${index}</gmd:city>`)}<geo:siteOwner`,
    ),
    elements: XML.replace('<geo:siteOwner', () => `${fill('', () => '<a b="+1 555 1234">x</a>')}<geo:siteOwner`),
  })) {
    const before = process.threadCpuUsage();
    withholdInFile(Buffer.from(text));
    readSiteLog(Buffer.from(text), new Findings(''));
    const { user, system } = process.threadCpuUsage(before);
    t.ok(user + system < 10e6, `${what}: ${((user + system) / 1e6).toFixed(1)} s`);
  }
});
