import t from 'tap';
import { readWithheld } from '../../../src/site-log/read.js';
import { Findings } from '../../../src/findings/findings.js';
import { writeSections, WRITTEN_FORMS } from '../../../src/site-log/write.js';
import { factsIn } from '../../facts.js';

/** What version 0.6 of GeodesyML has beyond the versions before. */

const CHARACTERS = (text: string): string => `<gco:CharacterString>${text}</gco:CharacterString>`;

/** Metadata of ISO 19139. @param license, doi texts of its elements */
const metadata = (license: string, doi: string): string =>
  `<geo:metadata><gmd:MD_Metadata>
  <gmd:contact><gmd:CI_ResponsibleParty><gmd:electronicMailAddress>${CHARACTERS('jo@survey.example')}</gmd:electronicMailAddress></gmd:CI_ResponsibleParty></gmd:contact>
  <gmd:identificationInfo><gmd:MD_DataIdentification>
  <gmd:citation><gmd:CI_Citation><gmd:title>${CHARACTERS(doi)}</gmd:title></gmd:CI_Citation></gmd:citation>
  <gmd:resourceConstraints><gmd:MD_LegalConstraints><gmd:otherConstraints>${CHARACTERS(license)}</gmd:otherConstraints></gmd:MD_LegalConstraints></gmd:resourceConstraints>
  </gmd:MD_DataIdentification></gmd:identificationInfo></gmd:MD_Metadata></geo:metadata>`;

/** A document: its form information, and what stands before and at the end of the log. */
const documentOf = ({ before = '', form = '', end = '' }): string =>
  `<geo:GeodesyML gml:id="TEST00AUS" xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.6" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco" xmlns:xlink="http://www.w3.org/1999/xlink">${before}
<geo:siteLog><geo:formInformation><geo:FormInformation><geo:datePrepared>2024-01-01</geo:datePrepared>${form}</geo:FormInformation></geo:formInformation>
<geo:siteIdentification><geo:SiteIdentification><geo:fourCharacterID>TEST</geo:fourCharacterID></geo:SiteIdentification></geo:siteIdentification>
<geo:gnssReceiver><geo:GnssReceiver gml:id="r1"><geo:igsModelCode>R1</geo:igsModelCode></geo:GnssReceiver></geo:gnssReceiver>
<geo:gnssReceiver><geo:GnssReceiver gml:id="r2"><geo:igsModelCode>R2</geo:igsModelCode></geo:GnssReceiver></geo:gnssReceiver>
${end}</geo:siteLog></geo:GeodesyML>`;

function read(text: string) {
  const findings = new Findings('test.xml');
  const log = readWithheld(Buffer.from(text), findings);
  return { log, findings: findings.list.map((each) => `${factsIn(each)} | ${each.text}`) };
}

t.test('an element for which the form has no place is right if the schema has it', async (t) => {
  const cases: Record<string, string[]> = {
    '<geo:associatedDocument><geo:Document><geo:type>x</geo:type></geo:Document></geo:associatedDocument>':
      ['6 info ignored-element why=only in schema | associatedDocument'],
    '<geo:dataStream/>': ['6 info ignored-element why=only in schema | dataStream'],
    '<geo:moreInformation><geo:MoreInformation><geo:dataCenter>A</geo:dataCenter><geo:gnssNetwork>EPN</geo:gnssNetwork></geo:MoreInformation></geo:moreInformation>':
      ['6 info ignored-element (13) why=only in schema | gnssNetwork'],
    '<geo:mount><geo:type>x</geo:type></geo:mount>': [
      '6 warning ignored-element mount: why=values inside | ',
    ],
    '<gml:dataStream>x</gml:dataStream>': ['6 info ignored-element dataStream: why=unknown | '],
  };
  for (const [end, expected] of Object.entries(cases))
    t.strictSame(read(documentOf({ end })).findings, expected, end);
});

t.test('modified sections are the numbers of their items, with their texts', async (t) => {
  const form = [
    '<geo:modifiedSection xlink:href="#r2"/>',
    '<geo:modifiedSection xlink:href="#r1">Firmware</geo:modifiedSection>',
    '<geo:modifiedSection>4.1</geo:modifiedSection>',
    '<geo:modifiedSection xlink:href="#none"/>',
  ].join('\n');
  const { log, findings } = read(documentOf({ form }));
  t.equal(log.formInformation.modifiedSections?.value, '3.2, 3.1 Firmware, 4.1');
  t.strictSame(findings, [
    '5 info ignored-element (0) modifiedSection: why=missing target | #none',
  ]);
});

t.test('a license and a DOI of the log are read, and nothing else of its metadata', async (t) => {
  const license = 'https://creativecommons.example/by/4.0/';
  const { log, findings } = read(documentOf({ before: metadata(license, 'doi:10.24414/TEST-1') }));
  t.match(log.metadata, { license: { value: license }, doi: { value: '10.24414/TEST-1' } });
  t.strictSame(findings, ['1 info ignored-element metadata: why=metadata | ']);
  const neither = read(documentOf({ before: metadata('', 'A title') })).log;
  t.notOk(Object.hasOwn(neither, 'metadata'));
  const personal = read(documentOf({ before: metadata('Ask jo@survey.example', '') })).log;
  t.equal(personal.metadata?.license?.value, 'Ask (withheld)');
});

t.test('version 0.6 has a place for them, and no other form', async (t) => {
  const form = '<geo:modifiedSection>3.2</geo:modifiedSection>';
  const { log } = read(documentOf({ before: metadata('CC BY 4.0', 'doi:10.1234/x'), form }));
  for (const written of WRITTEN_FORMS) {
    const findings = new Findings('');
    const again = read(writeSections(log, written, findings)).log;
    const lost = findings.list.map(({ text }) => text);
    if (written === 'geodesyml06') {
      t.match(again, {
        formInformation: { modifiedSections: { value: '3.2' } },
        metadata: { license: { value: 'CC BY 4.0' }, doi: { value: '10.1234/x' } },
      });
      t.strictSame(lost, []);
    } else t.match(lost, ['CC BY 4.0', '10.1234/x'], written);
  }
});

t.test('written GeodesyML names its schema', async (t) => {
  const { log } = read(documentOf({}));
  for (const version of ['0.4', '0.5', '0.6'] as const) {
    const form = `geodesyml${version.replace('.', '')}` as 'geodesyml05';
    const [, namespace, schema] = /xsi:schemaLocation="(\S+) (\S+)"/.exec(
      writeSections(log, form, new Findings('')),
    )!;
    t.equal(namespace, `urn:xml-gov-au:icsm:egeodesy:${version}`);
    t.ok(schema!.endsWith(`/${version}/geodesyML.xsd`), version);
  }
});
