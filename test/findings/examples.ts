import {
  type FindingCode,
  FINDING_CODES,
  type FindingData,
  usualLevel,
  type ValuesOf,
} from '../../src/findings/codes.js';
import type { FindingLevel, PartOfLog } from '../../src/findings/finding.js';

/** Findings of all codes, with values of all kinds that change their sentences. */

/** What a finding of a code can say, and about which part of a log. */
type Example<Code extends FindingCode> = readonly [values: ValuesOf<Code>, part?: PartOfLog];

const receiver = { section: '3', item: 2 };
const antenna = { section: '4', item: 1 };
const kind = 'gnss receiver';
const use = { site: 'ALIC00AUS', from: '2011-07-20T00:00:00Z', to: null } as const;
const missing = { kind, isEssential: true } as const;

const EXAMPLES: { [Code in FindingCode]: readonly Example<Code>[] } = {
  // Reading
  'blank-block': [[{}, { section: '6' }]],
  'decoded-references': [[{}, { ...receiver, label: 'Additional Information' }]],
  'deletion-is-removal': [[{}, { ...receiver, label: 'gnssReceiver' }]],
  'deviating-heading': [
    [{ isMissing: true, sections: ['11'] }, { section: '11' }],
    [{ isMissing: false, sections: ['11'] }, { section: '11' }],
    [{ isMissing: false, sections: ['11', '12'] }, { section: '11' }],
  ],
  'deviating-item': [
    [{ deviation: 'no number' }, receiver],
    [{ deviation: 'number' }, receiver],
  ],
  'duplicate-value': [
    [{ quoted: [] }, { ...receiver, label: 'serialNumber' }],
    [{ quoted: ['Serial Number'] }, receiver],
  ],
  'filled-template': [
    [{ isItem: true }, { section: '3' }],
    [{ isItem: false }, { section: '3' }],
  ],
  'foreign-gml-id': [[{ quoted: ['ALIC'] }]],
  'ignored-element': [
    [{ why: 'unknown' }, { label: 'colour' }],
    [{ why: 'only in schema' }, { label: 'associatedDocument' }],
    [{ why: 'metadata' }, { label: 'metadata' }],
    [{ why: 'misplaced' }, { label: 'siteLocation' }],
    [{ why: 'misspelt' }, { ...antenna, label: 'marker-ArpUpEcc' }],
    [{ why: 'values inside' }, { ...antenna, label: 'mount' }],
    [{ why: 'text outside' }, { label: 'siteLog' }],
    [{ why: 'earlier form' }, { label: 'formInformation' }],
    [{ why: 'second log' }, { label: 'siteLog' }],
    [{ why: 'second section' }, { section: '1' }],
    [{ why: 'withdrawn' }, { ...receiver, label: 'gnssReceiver' }],
    [{ why: 'missing target' }, { ...receiver, label: 'gnssReceiver' }],
    [{ why: 'shared target' }, { ...receiver, label: 'gnssReceiver' }],
  ],
  'ignored-line': [
    [{ why: 'single', count: 1 }],
    [{ why: 'single', count: 1 }, { section: '13' }],
    [{ why: 'several', count: 3 }, receiver],
    [{ why: 'second section', count: 9 }, { section: '1' }],
  ],
  'indented-label': [
    [{ quoted: ['Serial Number'], isMissing: true }, receiver],
    [{ quoted: ['Serial Number'], isMissing: false }, receiver],
  ],
  'invisible-character': [
    [{ characters: null }],
    [{ characters: ['U+00A0', 'U+FEFF'] }, { ...receiver, label: 'Serial Number' }],
  ],
  'long-value': [
    [
      { length: 4001, most: 4000 },
      { ...receiver, label: 'Additional Information' },
    ],
  ],
  'many-findings': [[{ most: 1000 }]],
  'not-utf-8': [
    [{ lines: null, encoding: null }],
    [{ lines: 1, encoding: 'windows-1252' }],
    [{ lines: 12, encoding: 'windows-1252' }],
  ],
  // Values
  'unreadable-value': [
    [{ expected: 'a number of metres' }, { ...antenna, label: 'Antenna Cable Length' }],
    ...[
      { from: '1999-07-31T01:00:00Z', isOpen: false },
      { from: null, isOpen: true },
      { from: '1999-07-31T01:00:00Z', isOpen: true },
    ].map((assumed): Example<'unreadable-value'> => [
      { expected: 'a date (CCYY-MM-DDThh:mmZ)', assumed },
      { ...antenna, label: 'Effective Dates' },
    ]),
    [{ missing: ['X', 'Y'] }, { section: '2' }],
    [{ isFarFromSurface: true }, { section: '2' }],
    [{ isExchanged: true }, { section: '2' }],
  ],
  'deviating-value': [
    [
      { deviation: 'decimal comma', read: '0.5' },
      { ...receiver, label: 'Elevation Cutoff Setting' },
    ],
  ],
  'position-computed': [
    [{ unknown: ['latitude'] }, { section: '2' }],
    [{ unknown: ['latitude', 'longitude'] }, { section: '2' }],
  ],
  'position-mismatch': (['sign', 'minutes', 'computed', 'zero'] as const).map((reading) => [
    { distance: 102, computed: { latitude: -23.67012, longitude: 133.88551 }, reading },
    { section: '2' },
  ]),
  'zero-position': (['cartesian', 'geodetic', 'degrees'] as const).map((of) => [
    { of },
    { section: '2' },
  ]),
  'height-mismatch': [[{ metres: 13 }, { section: '2' }]],
  'far-from-country': [
    [{ kilometres: 1200, country: 'DEU', mirrored: null }, { section: '2' }],
    [{ kilometres: 1200, country: 'DEU', mirrored: 'latitude' }, { section: '2' }],
  ],
  'malformed-id': [
    [{ country: null }, { section: '1' }],
    [{ country: 'XYZ' }, { section: '1' }],
  ],
  'id-country': [[{ country: 'AUS', other: 'NZL' }, { section: '1' }]],
  'malformed-domes': [[{}, { section: '1' }]],
  'out-of-range': [
    [{ name: 'the elevation cutoff', least: -5, most: 90, unit: 'degrees' }, receiver],
  ],
  // The form
  'missing-section': [[{}]],
  'cut-log': [[{}, receiver]],
  'missing-label': [
    [{ count: 1 }, receiver],
    [{ count: 4 }, receiver],
  ],
  'out-of-order': [
    [{ section: 3, after: 4 }, { section: '3' }],
    [{ of: 'items' }, receiver],
    [{ of: 'lines' }, receiver],
  ],
  'misspelt-label': [
    [{ isRead: false }, receiver],
    [{ isRead: true }, receiver],
  ],
  'other-version-label': [[{ version: '1' }, { section: '2' }]],
  'over-80-columns': [
    [{ count: 1, longest: 93 }],
    [{ count: 2, longest: 93 }],
    [
      { count: 1, longest: null },
      { ...receiver, label: 'Additional Information' },
    ],
  ],
  // Identity
  'title-differs': [
    [{ id: 'ALIC00AUS' }],
    [{ country: 'NZL', other: 'AUS' }],
    [{ country: 'QQQ', other: null }],
  ],
  'file-name-differs': [[{ id: 'ALIC' }]],
  'file-date-differs': [[{ day: '2017-02-23' }]],
  'no-date-prepared': [[{ day: null }], [{ day: '2020-01-01' }]],
  'after-date-prepared': [
    [{ kind, others: 0 }, receiver],
    [{ kind, others: 2 }, receiver],
    [{ kind, others: 0, isRemoval: true }, receiver],
  ],
  'date-in-future': [[{ kind }, receiver]],
  'future-date': [[{}, { section: '0' }]],
  // Equipment
  'missing-value': [
    [{ ...missing, members: ['serialNumber'] }, receiver],
    [{ ...missing, members: ['serialNumber'], blank: ['serialNumber'] }, receiver],
    [
      {
        ...missing,
        members: ['type', 'serialNumber', 'firmwareVersion'],
        blank: ['type', 'firmwareVersion'],
      },
      receiver,
    ],
    [{ ...missing, members: ['satelliteSystem'], blank: ['satelliteSystem'] }, receiver],
    [{ ...missing, members: ['firmwareVersion'], isEssential: false }, receiver],
    [{ ...missing, members: ['type', 'serialNumber', 'elevationCutoffSetting'] }, receiver],
    [
      {
        ...missing,
        members: ['dateInstalled'],
      },
      receiver,
    ],
    [{ ...missing, members: ['dateInstalled'], first: '1999-07-31T01:00:00Z' }, receiver],
    [
      {
        kind: 'clock',
        members: ['effectiveDates'],
        isEssential: false,
        first: '1999-07-31T01:00:00Z',
      },
      { section: '6', item: 1 },
    ],
    [
      {
        ...missing,
        kind: 'gnss antenna',
        members: ['markerArpUpEcc', 'markerArpNorthEcc', 'antennaRadomeType'],
      },
      antenna,
    ],
  ],
  'blank-eccentricity': [[{}, antenna]],
  'eccentricity-scale': [[{ axes: ['Up', 'North'] }, antenna]],
  'odd-serial-number': [
    [{ why: 'quotation marks' }, receiver],
    [{ why: 'prefix' }, receiver],
    [{ why: 'between equal' }, receiver],
    [{ why: 'of receiver' }, antenna],
  ],
  'unknown-satellite-system': [
    [{ quoted: ['GNSS'], meant: null }, receiver],
    [{ quoted: ['BEI'], meant: 'BDS' }, receiver],
  ],
  'other-reference-point': [[{ expected: 'BAM' }, antenna]],
  'copied-equipment': [[{ site: 'ALIC00AUS', count: 4 }]],
  'unknown-country': [
    [{ meant: null }, { section: '2' }],
    [{ meant: 'New Zealand' }, { section: '2' }],
  ],
  'missing-equipment': [
    [{ kind }, { section: '3' }],
    [{ kind: 'gnss antenna' }, { section: '4' }],
  ],
  'unknown-reference-point': [[{}, antenna]],
  'no-dates': [[{}]],
  'removed-before-installed': [
    [{ kind, isInSetups: true }, receiver],
    [{ kind, isInSetups: false }, receiver],
  ],
  'in-use-for-no-time': [[{ kind }, receiver]],
  'removal-assumed': [
    [
      { kind, until: '2012-03-04T00:00:00Z' },
      { ...receiver, label: 'Date Removed' },
    ],
  ],
  'leading-zeros': [[{ otherLine: 57 }, receiver]],
  overlap: [[{ kinds: [kind] }, receiver]],
  'open-before-later': [[{ kind }, receiver]],
  'several-in-use': [[{ kind, count: 2 }, receiver]],
  'history-gap': [
    [{ kinds: [kind] }, receiver],
    [{ kinds: [kind, 'gnss antenna'] }, receiver],
  ],
  'site-date': [
    [{ kinds: [kind, 'gnss antenna'], days: ['1.8'], isBefore: true }],
    [{ kinds: [kind], days: ['365'], isBefore: true, isSiteAfterPrepared: true }],
    [{ kinds: [kind, 'gnss antenna'], days: ['365', '367'], isBefore: false }],
  ],
  'equal-neighbours': [[{ kind }, receiver]],
  'type-changed': [
    [{ site: null }, receiver],
    [use, receiver],
  ],
  'serial-elsewhere': [[{ ...use, kind }, receiver]],
  'malformed-type': [
    [{ kind }, receiver],
    [{ kind, isNone: true }, receiver],
    [{ kind: 'gnss antenna' }, antenna],
  ],
  'radome-contradiction': [[{ quoted: ['SCIS'] }, antenna]],
  'radome-missing': [
    [{ isGiven: false }, antenna],
    [{ isGiven: true }, antenna],
  ],
  'unknown-type': [
    [{ kind, meant: null, listDate: null }, receiver],
    [{ kind, meant: 'LEICA GR25', listDate: null }, receiver],
    [{ kind, meant: null, listDate: '2018-12-20' }, receiver],
  ],
  'deprecated-type': [[{ kind, newer: ['LEICA GR25', 'LEICA GR30'] }, receiver]],
  'unknown-radome': [
    [{ listDate: null }, antenna],
    [{ listDate: '2018-12-20' }, antenna],
  ],
  'no-calibration': [[{}, antenna]],
  'calibration-without-radome': [[{}, antenna]],
  'individual-calibration': [[{}, antenna]],
  'no-export-line': [
    [
      {
        files: 'SITE/ID of SINEX',
        period: null,
        reasons: [{ code: 'unknown-position', unknown: ['X'] }],
      },
    ],
    [
      {
        files: 'station.info and STA',
        period: { from: '2011-07-20T00:00:00Z', to: null },
        reasons: [{ code: 'no-device', device: 'receiver' }],
      },
      antenna,
    ],
  ],
  // Relations to other logs and Sites
  'older-log': (['date', 'future date', 'replaced before'] as const).map((because) => [
    { because, other: 'alic_20170223.log', otherDay: because === 'date' ? null : '2017-02-23' },
  ]),
  'same-day-log': [[{ other: 'alic_20170223.log' }]],
  'renamed-site': [[{ site: 'ALIC00AUS' }]],
  'retired-site': [[{ since: '2017-02-23T00:00:00.000Z' }]],
  'withdrawn-log': [[{ since: '2017-02-23T00:00:00.000Z' }]],
  'shared-id': [[{ others: ['ALIC00AUS', 'ALIC00CAN'] }]],
  'vanished-file': [[{}]],
  'shared-four-characters': [[{ site: 'ALIC00AUS' }]],
  'shared-domes': [[{ site: 'ALIC00AUS' }]],
  'shared-position': [[{ metres: 1, site: 'ALIC00AUS' }]],
  'moved-station': [
    [
      {
        site: 'ALIC',
        other: 'alic_20200101.log',
        here: { country: 'Australia', place: null },
        there: { country: null, place: { latitude: -23.67, longitude: 133.885 } },
        kilometres: 101,
        proof: 'DOMES number',
      },
    ],
  ],
  'same-station': [[{ site: 'REUN00FRA', siteId: 7 }]],
  // Writing
  'no-place': [
    [
      { form: 'version 1', quoted: [] },
      { section: '1', label: 'Nine Character ID' },
    ],
    [
      { form: 'version 1', quoted: ['the first words'] },
      { ...receiver, label: 'Additional Information' },
    ],
  ],
  'assumed-id': [[{ nine: 'ALIC00AUS' }]],
  'no-nine-characters': [[{}]],
  'same-target': [[{ quoted: ['out/alic.xml', 'b/alic.log'] }]],
  // Rejections
  'not-a-site-log': [
    [{}],
    [{ isNoFile: true }],
    [{ root: { name: 'html', namespace: '' } }],
    [{ root: { name: 'siteLog', namespace: 'http://example.org/' } }],
  ],
  'unsupported-version': [
    [{ namespace: 'urn:example:0.3', expected: ['urn:example:0.4', 'urn:example:0.5'] }],
  ],
  'malformed-xml': [
    [{ problem: 'unclosed tag: geo:notes' }],
    [{ isDoctype: true }],
    [{ deepest: 64 }],
  ],
  'no-site-id': [
    [{ label: 'Four Character ID', expected: null }],
    [{ label: 'Nine Character ID', expected: 'nine characters such as ALIC00AUS' }],
    ...(['title', 'gml:id', null] as const).map((nineIn): Example<'no-site-id'> => [
      { label: 'Four Character ID', expected: 'four letters', nineIn },
    ]),
  ],
  'two-site-logs': [[{ beginnings: ['title', 'Four Character ID'], lines: [1, 90] }]],
  'too-large': [
    [{ of: 'bytes', count: 3_000_000, most: 2_097_152 }],
    [{ of: 'lines', count: 50_001, most: 50_000 }],
    [{ of: 'items', count: null, most: 2000 }],
    [{ of: 'equipment', count: null, most: 1000 }],
    [{ of: 'contacts', count: 201, most: 200 }],
    [{ of: 'characters of Setups', count: null, most: 5_000_000 }],
  ],
  'ambiguous-id': [
    [{ candidates: ['ALIC00AUS', 'ALIC00CAN'], needsNine: false }],
    [{ candidates: ['ALIC00AUS', 'ALIC00CAN'], needsNine: true }],
  ],
  'another-station': [
    [
      {
        site: 'ALIC',
        other: 'alic_20200101.log',
        here: { country: 'Chile', place: { latitude: -33.151, longitude: -70.67 } },
        there: { country: 'Australia', place: { latitude: -23.67, longitude: 133.885 } },
        kilometres: 13_152.4,
      },
    ],
    [
      {
        site: 'ALIC',
        other: null,
        here: { country: 'Canada', place: { latitude: 51, longitude: -114 } },
        there: { country: 'Australia', place: { latitude: -23.67, longitude: 133.885 } },
        kilometres: 13_000,
      },
    ],
  ],
  'copied-form': [[{ id: 'ALIC' }]],
  'cannot-be-read': [[{ reason: 'permission denied' }]],
  'cannot-be-saved': [[{ reason: 'expected string' }]],
};

/** Findings of a code. */
export const examplesOf = (code: FindingCode): FindingData[] =>
  EXAMPLES[code].map(([values, part]) => ({ ...part, code, values }));

/** A code with the findings of it, and the level that they usually have. */
export interface ExamplesOfCode {
  code: FindingCode;
  level: FindingLevel;
  findings: FindingData[];
}

/** Findings of all codes, in the order of the list of codes. */
export const ALL_EXAMPLES: ExamplesOfCode[] = FINDING_CODES.map((code) => ({
  code,
  level: usualLevel(code),
  findings: examplesOf(code),
}));
