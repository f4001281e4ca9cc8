import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { SiteLogSections } from '../../schemas/index.js';
import { valuesOf } from '../../src/site-log/fields.js';
import { readSections } from '../../src/site-log/read-sections.js';
import { Findings, isOf } from '../../src/findings/findings.js';
import { WRITTEN_FORMS, writeSections } from '../../src/site-log/write.js';
import { isWithdrawn } from '../../src/site-log/withdrawn.js';
import { openService } from '../service.js';
import { attempt, shown } from './reading.js';

/** When the first receiver was removed and withdrawn, and why. */
interface Deletion {
  removed: string;
  deleted: string;
  reason?: string;
}

/** A log with a former receiver, and a clock of the same time; both may be withdrawn. */
function documentOf({ removed, deleted, reason = '' }: Deletion, version = '0.5'): string {
  const tracking =
    `<geo:dateDeleted>${deleted}</geo:dateDeleted>` +
    `<geo:deletedReason>${reason}</geo:deletedReason>`;
  return [
    `<geo:GeodesyML xmlns:geo="urn:xml-gov-au:icsm:egeodesy:${version}" xmlns:gml="http://www.opengis.net/gml/3.2" gml:id="QZXA00NZL"><geo:siteLog>`,
    '<geo:siteIdentification><geo:SiteIdentification><geo:fourCharacterID>QZXA</geo:fourCharacterID></geo:SiteIdentification></geo:siteIdentification>',
    '<geo:siteLocation><geo:SiteLocation><geo:countryCodeISO>NZL</geo:countryCodeISO></geo:SiteLocation></geo:siteLocation>',
    '<geo:gnssReceiver><geo:GnssReceiver><geo:manufacturerSerialNumber>1</geo:manufacturerSerialNumber><geo:igsModelCode>R1</geo:igsModelCode>',
    `<geo:dateInstalled>2010-01-01T00:00:00Z</geo:dateInstalled><geo:dateRemoved>${removed}</geo:dateRemoved></geo:GnssReceiver>`,
    `${tracking}</geo:gnssReceiver>`,
    '<geo:gnssReceiver><geo:GnssReceiver><geo:manufacturerSerialNumber>2</geo:manufacturerSerialNumber><geo:igsModelCode>R2</geo:igsModelCode>',
    '<geo:dateInstalled>2015-06-01T10:00:00Z</geo:dateInstalled></geo:GnssReceiver></geo:gnssReceiver>',
    '<geo:frequencyStandard><geo:FrequencyStandard><geo:standardType>INTERNAL</geo:standardType><gml:validTime><gml:TimePeriod>',
    `<gml:beginPosition>2010-01-01</gml:beginPosition><gml:endPosition>${removed}</gml:endPosition></gml:TimePeriod></gml:validTime></geo:FrequencyStandard>`,
    `${tracking}</geo:frequencyStandard></geo:siteLog></geo:GeodesyML>`,
  ].join('\n');
}

const REPEATED: Deletion = { removed: '2015-06-01T10:00:00Z', deleted: '2015-06-01T10:00:00Z' };
const WITHDRAWN: Deletion = { ...REPEATED, reason: 'never installed' };

const read = (text: string): SiteLogSections =>
  readSections(Buffer.from(text), new Findings('test.xml'));
/** The serial numbers of the receivers, and the types of the clocks, that were not withdrawn. */
const countingIn = ({ gnssReceivers, frequencyStandards }: SiteLogSections) => [
  ...gnssReceivers.flatMap((block) =>
    isWithdrawn(valuesOf(block)) ? [] : block.serialNumber?.value,
  ),
  ...frequencyStandards.flatMap((block) => (isWithdrawn(valuesOf(block)) ? [] : block.type?.value)),
];

t.test('a date of deletion that repeats that of removal withdraws nothing', async (t) => {
  for (const { removed, deleted } of [
    REPEATED,
    { removed: '2015-06-01T10:00:00Z', deleted: '2015-06-01T20:00:00+10:00' },
    { removed: '2015-06-01T10:00:00Z', deleted: '2015-06-01' },
    { removed: '2015-06-01', deleted: '2015-06-01T10:00:00.000Z' },
    { removed: '2015-06-01', deleted: '2015-06-01' },
  ]) {
    const { log, findings } = attempt(documentOf({ removed, deleted }), 'test.xml');
    const about = `${removed}, ${deleted}`;
    t.match(
      log?.items,
      [{ id: { serialNumber: '1' } }, { id: { serialNumber: '2' } }, { id: { type: 'INTERNAL' } }],
      about,
    );
    t.strictSame(
      shown(findings),
      [
        '6 warning deletion-is-removal (3.1) gnssReceiver:',
        '11 warning deletion-is-removal (6.1) frequencyStandard:',
      ],
      about,
    );
  }
});

t.test('any other date of deletion, or one with a reason, withdraws', async (t) => {
  for (const deletion of [
    WITHDRAWN,
    { removed: '2015-06-01T10:00:00Z', deleted: '2015-06-01T10:00:01Z' },
    { removed: '2015-06-01', deleted: '2015-06-02' },
    { removed: '2015-06-01T10:00:00Z', deleted: '2015-05-31' },
    { removed: '', deleted: '2015-06-01' },
    { removed: '2015-06-01', deleted: 'yesterday' },
  ]) {
    const { log, findings } = attempt(documentOf(deletion), 'test.xml');
    t.match(log?.items, [{ id: { serialNumber: '2' } }], deletion.deleted);
    t.equal(log?.items.length, 1);
    const about = findings.filter(
      (finding) => isOf(finding, 'ignored-element') && finding.values.why === 'withdrawn',
    );
    t.equal(about.length, 2, 'an info for each');
  }
  const unknown = attempt(documentOf({ ...REPEATED, reason: 'n/a' }));
  t.equal(unknown.log?.items.length, 3, 'an unknown reason is none');
});

t.test('both kinds of items go through all forms', async (t) => {
  for (const version of ['0.4', '0.5', '0.6'])
    for (const [deletion, expected] of [
      [REPEATED, ['1', '2', 'INTERNAL']],
      [WITHDRAWN, ['2']],
    ] as const) {
      const log = read(documentOf(deletion, version));
      t.strictSame(countingIn(log), expected, version);
      for (const form of WRITTEN_FORMS) {
        const findings = new Findings('');
        const text = writeSections(log, form, findings);
        const about = `${version} to ${form}`;
        t.strictSame(countingIn(read(text)), expected, about);
        const isInXml = deletion === WITHDRAWN && form.startsWith('geodesyml');
        t.equal(text.includes('dateDeleted'), isInXml, about);
        // Nothing is lost, or all of the withdrawn items is reported.
        const isReported = deletion === WITHDRAWN && form.startsWith('text');
        t.equal(findings.list.length > 0, isReported, about);
      }
    }
});

t.test('a writer leaves out a repeated date of removal that a reader did not see', async (t) => {
  const log = read(documentOf(WITHDRAWN));
  for (const block of [...log.gnssReceivers, ...log.frequencyStandards]) block.deletedReason = null;
  for (const form of WRITTEN_FORMS) {
    const findings = new Findings('');
    const text = writeSections(log, form, findings);
    t.strictSame(countingIn(read(text)), ['1', '2', 'INTERNAL'], form);
    t.notMatch(text, 'dateDeleted', form);
    t.strictSame(
      findings.list.map(({ code, label }) => [code, label]),
      [
        ['no-place', 'dateDeleted'],
        ['no-place', 'dateDeleted'],
      ],
      form,
    );
  }
});

t.test('both kinds of items are published', async (t) => {
  const { get, importPaths, folder } = await openService(t);
  for (const [index, [deletion, setups]] of (
    [
      [REPEATED, 2],
      [WITHDRAWN, 1],
    ] as const
  ).entries()) {
    const id = `QZX${index}`;
    const path = join(folder, 'logs', `${id}.xml`);
    writeFileSync(path, documentOf(deletion).replaceAll('QZXA', id));
    const { files } = await importPaths([path]);
    const [code, level] =
      deletion === REPEATED ? ['deletion-is-removal', 'warning'] : ['ignored-element', 'info'];
    const about = files[0]!.findings.filter((finding) => finding.code === code);
    t.match(about, [{ level }, { level }]);
    const found = await get(`/setups/search/findByFourCharacterId?id=${id}`);
    t.match(found.json(), { page: { totalElements: setups } });
    const log = await get(`/siteLogs/search/findByFourCharacterId?id=${id}&format=json`);
    const dateDeleted = deletion === REPEATED ? null : '2015-06-01T10:00:00Z';
    t.match(log.json(), { gnssReceivers: [{ serialNumber: '1', dateDeleted }, {}] });
  }
});
