import type { Note, Reason } from '../../src/findings/notes.js';

/** Notes of files for software, of all codes, with values of all kinds that change their sentences. */

type NoteCode = Note['code'];
type ValuesOf<Code extends NoteCode> = Omit<Extract<Note, { code: Code }>, 'code'>;

const from = '2011-07-20T00:00:00Z';
const to = '2013-03-08T00:00:00Z';
const names = ['north', 'east'];
const known = [{ name: 'up', value: 0.1 }];
const tooWide = [{ name: 'up', value: 12345678 }];

/** Why there is no line. */
const REASONS: Reason[] = [
  { code: 'no-device', device: 'receiver' },
  { code: 'unknown-type', device: 'antenna' },
  { code: 'eccentricities', unknown: names, tooWide: [], known },
  { code: 'eccentricities', unknown: ['north'], tooWide, known: [] },
  { code: 'eccentricities', unknown: [], tooWide, known: [] },
  { code: 'early-year', firstYear: '1980' },
  { code: 'unknown-position', unknown: ['latitude', 'longitude'] },
  { code: 'unknown-position', unknown: ['X', 'Y', 'Z', 'latitude', 'longitude', 'height'] },
  { code: 'wide-height', height: 123456 },
];
const NONE = { alignment: 0, cutoff: 0, referencePoint: 0 };

const EXAMPLES: { [Code in NoteCode]: ValuesOf<Code>[] } = {
  spelling: [{ what: 'agency', value: 'Büro', written: 'Buero' }],
  cut: [{ what: 'agency', value: 'Example Survey', written: 'Example' }],
  'agency-abbreviated': [{ agency: 'Example Survey', written: 'EXS' }],
  'agency-left-out': [{ agency: 'Example Survey' }],
  rounded: [{ what: 'up eccentricity', value: 0.12345, written: '0.1235' }],
  unknown: [
    { what: 'firmware' },
    { what: 'firmware', period: { from, to } },
    { what: 'firmware', period: { from, to: null } },
  ],
  'unknown-radome': [{ written: 'UNKN' }, { written: 'UNKN', period: { from, to } }],
  'unknown-reference-point': [{ heightCode: 'DHARP' }],
  'unknown-nine-characters': [{}],
  'other-reference-point': [{ referencePoint: 'XXX', heightCode: 'DHARP' }],
  'radome-no-code': [{ radome: 'CONE!', written: 'UNKN' }],
  'radome-contradiction': [{ written: 'NONE', other: 'SCIS' }],
  'wide-firmware': [{ firmware: 'Nav 4.03 Boot 3.1' }],
  'wide-azimuth': [{ azimuth: 12345 }],
  'wide-position': [{ position: [1e9, 2, 0] }],
  'unknown-position': [{ unknown: ['X', 'Y'] }],
  'unknown-eccentricities': [
    { names, changed: [] },
    { names: ['up'], changed: [{ name: 'up', before: '0.1000', after: '0.2000' }] },
  ],
  'zero-written': [0, 1, 2].map((others) => ({ names, others })),
  'several-in-use': [{ devices: 'receivers' }],
  'gap-bridged': [{ from, to }],
  'not-in-use': [{ device: 'antenna' }],
  'no-line': [
    { block: 'SITE/ANTENNA', reasons: REASONS.slice(0, 2) },
    ...REASONS.map((reason) => ({ block: null, reasons: [reason] })),
  ],
  'no-record': [{ record: 'APPROX POSITION XYZ', reasons: REASONS.slice(0, 2) }],
  'no-header': [{}],
  'start-unsayable': [{ start: from, devices: 'receivers' }],
  'end-unsayable': [{ end: to, devices: 'antennas' }],
  'change-unsayable': [{ at: from }],
  'early-start': [{ start: from, firstYear: '1980' }],
  'domes-left-out': [
    { domesNumber: '50137', fault: 'form' },
    { domesNumber: '501M', fault: 'few-digits' },
    { domesNumber: '99999M999', fault: 'alike-digits' },
  ],
  'domes-of-other-form': [0, 1, 2].map((others) => ({ domesNumber: 'AUM000008', others })),
  'unplaced-values': [
    { ...NONE, cutoff: 1 },
    { alignment: 1, cutoff: 2, referencePoint: 1881 },
  ],
  'left-out': [{ namesakes: 1 }, { namesakes: 2 }],
  'name-taken': [{ name: 'ALIC 50137M001' }],
  'point-code': [{ pointCode: 'B' }],
  'old-name': [{ oldName: 'ALIX' }],
};

/** The notes of each code. */
export const NOTE_EXAMPLES: [NoteCode, Note[]][] = Object.entries(EXAMPLES).map(([code, all]) => [
  code as NoteCode,
  all.map((values) => ({ ...values, code }) as Note),
]);
