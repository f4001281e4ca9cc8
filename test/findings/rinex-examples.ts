import { finding, type RinexCode, type RinexFinding } from '../../src/rinex/findings.js';

/** Findings about RINEX files, of all codes, with values of all kinds that change their messages. */

type ValuesOf<Code extends RinexCode> = Parameters<typeof finding<Code>>[1];

const period = { from: '2011-07-20T00:00:00Z', to: '2013-03-08T00:00:00Z' };
const sinceThen = { from: '2013-03-08T00:00:00Z', to: null };
const stated = { stated: period };
const first = '2012-01-01T00:00:00Z';
const late = '2014-01-01T00:00:00Z';
const rollover = null;
const site = 'ALIC00AUS';
const markerName = 'ALICE';
const position = '-4052052.7 4212835.9 -2545104.7';
const label = 'ANT # / TYPE';
const labels = ['A', 'B', 'C', 'D'];
const misspelt = labels.map((written) => ({ written, label }));
const unknown = finding('unknown-in-log', { fields: ['up'] });
const datePrepared = '2011-07-21';
const neighbour = { type: 'LEICA GR25', serialNumber: '1830439', ...period };

const EXAMPLES: { [Code in RinexCode]: ValuesOf<Code>[] } = {
  'unreadable-file': [{ reason: 'permission denied' }],
  'empty-file': [{}],
  'utf-16': [{}],
  'carriage-returns': [{}],
  'not-rinex': [{ begin: '<html>' }, { begin: 'x'.repeat(40) }, { begin: 'x'.repeat(41) }],
  'label-elsewhere': [{ label, column: 60 }],
  'no-version': [{}],
  'other-type': [{ type: 'NAVIGATION DATA' }],
  'header-cut-off': [{}],
  'header-too-long': [{}],
  'damaged-gzip': [{ why: 'it ends too early' }],
  'other-lzw': [{}],
  'damaged-lzw': [{}],
  'compressed-otherwise': [{ compression: 'zip' }],

  'bytes-after-gzip': [{ bytes: 1 }, { bytes: 9 }],
  'byte-order-mark': [{}],
  'misspelt-labels': [1, 3, 4].map((count) => ({ labels: misspelt.slice(0, count) })),
  'displaced-labels': [1, 2].map((count) => ({ labels: labels.slice(0, count) })),
  'not-ascii': [3, 4].map((count) => ({ labels: labels.slice(0, count) })),
  'later-version': [{ version: '5.00' }],
  'repeated-label': [
    { label, times: 2, isContradicted: false },
    { label, times: 2, isContradicted: true },
  ],
  'unknown-labels': [1, 3, 4].map((count) => ({ labels: labels.slice(0, count) })),
  'other-axes': [{}],

  'no-id': [{}],
  'no-site': [{ ids: ['ALIC'] }, { ids: ['ALIC', 'ALIX'] }],
  'several-sites': [{ id: 'ALIC' }],
  'unknown-site': [{ why: finding('no-id', {}) }],
  'name-without-site': [
    { id: 'ALIC00NZL', markerName, ids: [site], isSameStation: true },
    { id: 'ALIC00NZL', markerName, ids: [site, 'ALIC00CAN'], isSameStation: true },
    { id: 'ALIX', markerName, ids: [site], isSameStation: false },
  ],
  'marker-of-other-site': [{ id: 'ALIX', markerName, ids: [site] }],
  'other-site-than-stated': [
    { what: 'the file', id: 'ALIC', ids: [site], site: 'ALIX' },
    { what: 'the marker', id: 'ALIC', ids: [site, 'ALIC00CAN'], site: 'ALIX' },
  ],
  'far-from-site': [
    { position, markerName, distance: 99_940, site },
    { position, markerName: null, distance: 100_000, site },
  ],
  'moving-marker': [{ markerType: 'SHIP', site }],
  'other-marker': [{ markerName, markerNumber: '50137M002', site, own: '50137M001' }],
  'time-outside-name': [
    { label, time: late, rollover, ...stated },
    { label, time: late, rollover: 'late', stated: sinceThen },
    { label, time: first, rollover: 'early', stated: sinceThen },
    { label, time: sinceThen.from, rollover, stated: sinceThen },
  ],
  'last-before-first': [
    { first: late, last: first, rollover },
    { first: late, last: first, rollover: 'early' },
  ],
  'longer-than-name': [
    { first, last: late, rollover, ...stated },
    { first, last: late, rollover: 'late', stated: sinceThen },
  ],
  'no-such-time': [{ label, text: '2020 13 1' }],
  'no-such-time-in-name': [{ begin: '3670.13' }],
  'no-length': [{}],
  'no-time': [
    { unreadable: [] },
    { unreadable: [finding('no-such-time-in-name', { begin: '3670.13' })] },
  ],

  'unclear-device': [{ device: 'receiver' }],
  'outdated-record': [
    { site, devices: ['receiver'], datePrepared },
    { site, devices: ['receiver', 'antenna'], datePrepared },
  ],
  'no-equipment': [
    { device: 'antenna', before: null, after: null },
    { device: 'receiver', before: neighbour, after: null },
    { device: 'receiver', before: neighbour, after: { ...neighbour, ...sinceThen, type: null } },
    { device: 'receiver', before: null, after: { ...neighbour, serialNumber: null } },
  ],
  'begins-during-file': [{ from: first }],
  'changed-during-file': [
    {
      setups: [
        { id: 1, without: [], ...period },
        { id: 2, without: ['receiver', 'antenna'], ...sinceThen },
      ],
      best: 1,
    },
  ],
  'fits-other-setup': [{ device: 'antenna', which: 'next', id: 2, ...sinceThen }],
  'device-elsewhere': [{ device: 'receiver', serialNumber: '1830439', site, ...period }],
  'position-off': [{ distance: 1.234 }],
  'no-antenna-type': [{}],
  'not-calibrated': [{ antenna: 'LEIAR25.R3      LEIT' }],
  'calibrated-without-radome': [{ antenna: 'LEIAR25.R3      LEIT' }],
  'counted-as-zero': [{ fields: ['north'] }, { fields: ['north', 'east'] }],

  'left-out-mark': [{}],
  left: [{ label, why: unknown }],
  'left-agency': [{ label }],
  'left-equipment': [{ label }],
  'only-spelling': [{ label, why: unknown }],
  'only-spelling-of-equipment': [{ label }],
  'blank-as-zero': [{ label, fields: ['north', 'east'] }],
  'older-record': [
    { devices: ['antenna'], datePrepared },
    { devices: ['receiver', 'antenna'], datePrepared },
  ],
  'repeated-records': [{ labels: ['A', 'B'] }],
  'delta-xyz': [{}],
  'eccentricity-stays': [{ why: unknown }],
  'azimuth-stays': [{}],
  'unknown-in-log': [{ fields: ['up'] }, { fields: ['up', 'north'] }],
  'empty-antenna-type': [{}],
  'other-antenna': [{ fields: ['antennaType'] }, { fields: ['antennaType', 'radomeType'] }],
  'blank-in-log': [{ field: 'north', header: '0.1' }],
  'unknown-length': [{}],
  'not-covered': [{}],
  'changed-field': [{ field: 'up' }],
  'several-in-use': [{ field: 'receiverType' }],
  'too-long': [{ field: 'receiverType', value: 'x'.repeat(21), width: 20 }],
  'too-wide': [{ field: 'up', value: '100000000' }],
};

/** The findings of each code. */
export const RINEX_EXAMPLES: [RinexCode, RinexFinding[]][] = Object.entries(EXAMPLES).map(
  ([code, all]) => [code as RinexCode, all.map((values) => ({ code: code as RinexCode, values }))],
);
