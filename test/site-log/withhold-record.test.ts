import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getHeapSpaceStatistics } from 'node:v8';
import t from 'tap';
import { readSiteLog } from '../../src/site-log/read.js';
import { readSections } from '../../src/site-log/read-sections.js';
import { Findings, type SiteLog } from '../../src/site-log/site-log.js';
import { LONGEST_TEXT } from '../../src/site-log/values.js';
import { personalDataOf } from '../../src/site-log/withhold.js';
import { withholdInFile } from '../../src/site-log/withhold-file.js';
import { REAL_LOGS, withRealLogs } from '../helper.js';

const read = (text: string): { log: SiteLog; findings: Findings } => {
  const findings = new Findings('test.log');
  return { log: readSiteLog(Buffer.from(text), findings), findings };
};

const CONTACTS = `11.  On-Site, Point of Contact Agency Information
     Agency                   : Survey Office, Example City
     Mailing Address          : Example City
     Primary Contact
       Contact Name           : Erika Muster (SVO)
       Telephone (primary)    : +1 555 123
                                4567
`;
/** A log whose remarks and other texts are given. */
const logText = (remark: string, contacts = CONTACTS): string => `     TEST Site Information Form
0.   Form
     Prepared by (full name)  : Otto Normal, Example City
     Date Prepared            : 2020-01-01
1.   Site Identification
     Site Name                : Test
     Four Character ID        : TEST
     Monument Description     : ${remark}
     Additional Information   : ${remark}
     Not a label              : ${remark}
2.   Site Location Information
     City or Town             : Example City
3.1  Receiver Type            : ${remark}
     Serial Number            : 1
     Date Installed           : not a date, says ${remark}
     Additional Information   : ${remark}
4.1  Antenna Type             : A
     Antenna Cable Type       : ${remark}
8.2.1 Pressure Sensor Model   : P
       Notes                  : ${remark}
       Data Sampling Interval : ${remark}
8.5.1 Other Instrumentation   : ${remark}
${contacts}`;

t.test('contacts and email addresses are withheld in remarks and findings', async (t) => {
  const { log, findings } = read(logText('Ask erika  muster, +1 555 123 4567 or a@b.example'));
  const withheld = 'Ask (withheld), (withheld) or (withheld)';
  t.equal(log.identification.notes, withheld);
  t.equal(log.identification.monumentDescription, withheld);
  t.equal((log.items[0]!.configuration as { notes: string }).notes, withheld);
  t.equal((log.items[1]!.configuration as { antennaCableType: string }).antennaCableType, withheld);
  t.match(log.instruments, [{ configuration: { notes: withheld } }, { id: { type: withheld } }]);
  t.equal(findings.list.length, 3);
  t.notMatch(JSON.stringify(findings.list), /erika|555|b\.example/i);
  t.equal(findings.list[0]!.message, 'section 1: unknown label "Not a label"; line ignored');
});

t.test('contacts are withheld in findings where the heading of their section cannot be read', async (t) => {
  const { findings } = read(logText('x', CONTACTS.replace('11.  On-Site, Point', '11   On-Site: Point')));
  t.ok(findings.list.some(({ text }) => /^Contact Name\s+: \(withheld\)/.test(text)));
  t.notMatch(JSON.stringify(findings.list), /erika|555/i);
});

t.test('telephone numbers are withheld with any separators, and mail addresses as they are written for people', async (t) => {
  for (const text of [
    '+1-555-123-4567',
    '+15551234567',
    '+1 (555) 123.4567',
    '+1 555 - (123) 4567',
    'a @ b.example',
    'a (at) b.example',
    'a[at]b.example',
    'a%40b.example',
  ])
    t.equal(read(logText(`Ask ${text} first`)).log.identification.notes, 'Ask (withheld) first', text);
  t.equal(read(logText('Ask a.b@\n                                b.example')).log.identification.notes, 'Ask (withheld)');
  for (const text of [
    '5551234',
    '155512345678',
    '+1 555 -- (123) 4567',
    'cable RG58@receiver',
    'died @ PIN2',
    '10 MHz @ 2.5 V',
    'installed at www.b.example',
  ])
    t.equal(read(logText(text)).log.identification.notes, text);
});

t.test('many telephone numbers need little code, which stays in memory for a while', async (t) => {
  const codeBytes = (): number =>
    getHeapSpaceStatistics().reduce((sum, { space_name: name, space_used_size: used }) => sum + (/^code_/.test(name) ? used : 0), 0);
  const numbers = Array.from({ length: 20 }, (_, index) => `+1 555 ${7919 * (index + 20)}${index}`);
  const log = logText(`ask ${numbers[5]}`, CONTACTS.replace('+1 555 123\n', `${numbers.join(', ')}\n`));
  read(logText('nobody@example.org'));
  const before = codeBytes();
  t.equal(read(log).log.identification.notes, 'ask (withheld)');
  const more = codeBytes() - before;
  t.ok(more < 500_000, `${more} bytes of code`);
});

t.test('contacts are withheld where a finding shows references that are decoded twice', async (t) => {
  const { findings } = read(`<geo:siteLog xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5">
<geo:formInformation><geo:preparedBy>Otto Normal</geo:preparedBy></geo:formInformation>
<geo:siteIdentification><geo:fourCharacterID>TEST</geo:fourCharacterID>
<geo:notes>Otto &amp;#78;ormal, a&amp;#64;b.example</geo:notes></geo:siteIdentification></geo:siteLog>`);
  t.match(findings.list, [{ text: '(withheld), (withheld)' }]);
});

t.test('names of organisations and places stay', async (t) => {
  const remark = 'SVO and Survey Office of Example City';
  const { log } = read(logText(remark));
  t.equal(log.identification.notes, remark);
  t.equal(log.identification.city, 'Example City');
});

t.test('a change of contacts does not make a device another one', async (t) => {
  t.equal(read(logText('Erika Muster')).log.items[0]!.id.type, 'Erika Muster');
  t.equal(read(logText('R a@b.example')).log.items[0]!.id.type, 'R (withheld)');
});

t.test('contacts add no findings to an import', async (t) => {
  const odd = `${CONTACTS}${CONTACTS}     What is this             : x\n`;
  t.strictSame(read(logText('x', odd)), read(logText('x', '')));
});

t.test('a name that was cut is withheld too', async (t) => {
  const { log } = read(logText(`${'x'.repeat(LONGEST_TEXT - 8)} Erika Muster`));
  t.equal(log.identification.notes?.slice(-14), 'xxx (withheld)');
  const { findings } = read(logText('Erika Muster').replace('says', 'x'.repeat(100)));
  t.match(findings.list.find(({ text }) => text.endsWith('…'))?.text, /x \(withheld\)…$/);
});

t.test('contacts are withheld in XML, also those in parts that no reader reads', async (t) => {
  const { log } = read(`<geo:siteLog xmlns:geo="urn:xml-gov-au:icsm:egeodesy:0.5" xmlns:gmd="gmd" xmlns:gco="gco">
<geo:formInformation><geo:preparedBy>Otto &amp;#214;rtlich</geo:preparedBy></geo:formInformation>
<geo:siteIdentification><geo:fourCharacterID>TEST</geo:fourCharacterID><geo:notes>Otto Örtlich, Erika
Muster of Survey Office, SVO Team</geo:notes></geo:siteIdentification>
<geo:other><gmd:CI_ResponsibleParty><gmd:individualName><gco:CharacterString>Erika Muster, SVO Team</gco:CharacterString></gmd:individualName>
<gmd:organisationName><gco:CharacterString>Survey Office</gco:CharacterString></gmd:organisationName></gmd:CI_ResponsibleParty></geo:other>
<geo:siteContact><gml:name xmlns:gml="http://www.opengis.net/gml/3.2">SVO Team</gml:name></geo:siteContact>
</geo:siteLog>`);
  t.equal(log.identification.notes, '(withheld), (withheld) of Survey Office, SVO Team');
});

t.test('an email address in a remark of a real log is withheld', withRealLogs, async (t) => {
  const path = join(REAL_LOGS!, 'geodesyml', 'auck_20161220.xml');
  const text = JSON.stringify(readSiteLog(readFileSync(path), new Findings(path)));
  t.notMatch(text, /@/);
  t.match(text, /Contact \(withheld\) for/);
});

t.test('names of places and organisations stay in the real logs', withRealLogs, async (t) => {
  const kept = {
    'hkfn_20120308.xml': /hong kong/gi,
    't430_20161109.xml': /hong kong/gi,
    'usn3_20140915.xml': /USNO/g,
    'amc2_20140915.xml': /USNO/g,
  };
  for (const [name, word] of Object.entries(kept)) {
    const bytes = readFileSync(join(REAL_LOGS!, 'geodesyml', name));
    const log = readSections(bytes, new Findings(name));
    // The contacts themselves are withheld.
    const contacts = personalDataOf(log).personal.join('\n').match(word)?.length ?? 0;
    const count = (text: string): number => text.match(word)?.length ?? 0;
    t.equal(count(Buffer.from(withholdInFile(bytes)).toString()), count(bytes.toString()) - contacts, name);
  }
});
