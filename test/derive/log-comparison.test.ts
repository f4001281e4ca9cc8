import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import type { SiteLogSections } from '../../schemas/index.js';
import { compareLogs } from '../../src/derive/log-comparison.js';
import { logBefore } from '../../src/derive/log-order.js';
import { logValueName } from '../../src/derive/value-names.js';
import { logChangeLine, logChangesSummary } from '../../src/formats/log-comparison.js';
import { readSections } from '../../src/site-log/read-sections.js';
import { Findings } from '../../src/findings/findings.js';
import { labelOf } from '../../src/web/page/words.js';
import { withheldFromBoth } from '../../src/site-log/contacts/withhold.js';
import { writeSections, type WrittenForm } from '../../src/site-log/write.js';
import { casesOf, SEED, triesMore } from '../effort.js';
import { type Item, logText, type SyntheticLog } from '../synthetic-log.js';

/** What changed between two versions of a site log. */

const read = (text: string): SiteLogSections =>
  readSections(Buffer.from(text), new Findings('test.log'));
const inForm = (log: SiteLogSections, form: WrittenForm): SiteLogSections =>
  read(writeSections(log, form, new Findings('')));

/** The changes between two logs as lines, without contacts. */
const linesOf = (older: SiteLogSections, newer: SiteLogSections): string[] =>
  compareLogs(...withheldFromBoth(older, newer), false).map(logChangeLine);
/** The same of two synthetic logs. */
const changed = (older: SyntheticLog, newer: SyntheticLog): string[] =>
  linesOf(read(logText(older)), read(logText(newer)));
/** The same of two logs that differ in their receivers. */
const receivers = (older: Item[], newer: Item[]): string[] =>
  changed({ receivers: older }, { receivers: newer });

const field = (label: string, value: string): string => `     ${label.padEnd(25)}: ${value}`;

/** A receiver in use for a year. */
const inYear = (year: number, serial: string, more: Partial<Item> = {}): Item => ({
  type: 'LEICA GR50',
  serial,
  from: `${year}-01-01T00:00Z`,
  to: `${year + 1}-01-01T00:00Z`,
  ...more,
});

t.test('a changed value is one line, and so is an item that was added or removed', async (t) => {
  const antenna = (radome: string): Item => ({
    type: `LEIAR25.R3      ${radome}`,
    serial: '1',
    from: '2010-01-01',
    more: { 'Antenna Radome Type': radome },
  });
  t.same(changed({ antennas: [antenna('NONE')] }, { antennas: [antenna('SCIT')] }), [
    '4.1 Antenna: radome NONE → SCIT',
  ]);
  const added = inYear(2020, '1870000', { more: { 'Firmware Version': '4.31' } });
  delete added.to;
  const line = 'LEICA GR50 1870000, firmware 4.31, from 2020-01-01';
  t.same(receivers([inYear(2010, '1')], [inYear(2010, '1'), added]), [
    `3.2 Receiver added: ${line}`,
  ]);
  t.same(receivers([inYear(2010, '1'), added], [inYear(2010, '1')]), [
    `3.2 Receiver removed: ${line}`,
  ]);
});

t.test('a radome in the type counts where the radome of the antenna is another', async (t) => {
  const antennas = (inType: string, radome: string): SyntheticLog => ({
    antennas: [
      {
        type: `LEIAR25.R3${inType}`,
        serial: '1',
        from: '2010-01-01',
        more: { 'Antenna Radome Type': radome },
      },
    ],
  });
  const [none, scit, one, no] = ['      NONE', '      SCIT', ' NONE', ''] as const;
  const ofType = '4.1 Antenna: type LEIAR25.R3 SCIT → LEIAR25.R3 NONE';
  for (const [inType, radome, newInType, newRadome, lines] of [
    [scit, 'SCIT', none, 'SCIT', [ofType]],
    [scit, 'NONE', none, 'NONE', [ofType]],
    [scit, 'NONE', none, 'SCIT', [ofType, '4.1 Antenna: radome NONE → SCIT']],
    [none, 'NONE', none, 'SCIT', ['4.1 Antenna: radome NONE → SCIT']],
    [scit, 'SCIT', none, 'NONE', ['4.1 Antenna: radome SCIT → NONE']],
    [none, 'NONE', one, 'NONE', []],
    [none, 'NONE', no, 'NONE', []],
    [none, 'NONE', one, '', []],
    [none, 'none', none, 'NONE', []],
  ] as const)
    t.same(
      changed(antennas(inType, radome), antennas(newInType, newRadome)),
      lines,
      [inType, radome, newInType, newRadome].join(),
    );
});

t.test('a pair with several different values is one line each', async (t) => {
  const before = inYear(2010, '1', { more: { 'Firmware Version': '1.0' } });
  const after = inYear(2010, '1', {
    to: '2012-01-01T00:00Z',
    more: { 'Firmware Version': '2.0', 'Elevation Cutoff Setting': '5 deg' },
  });
  t.same(receivers([before], [after]), [
    '3.1 Receiver: firmware 1.0 → 2.0',
    '3.1 Receiver: elevation cutoff (blank) → 5 deg',
    '3.1 Receiver: date removed 2011-01-01T00:00Z → 2012-01-01T00:00Z',
  ]);
});

t.test('a value has the name that the pages about equipment give it', async (t) => {
  const members: Record<string, string> = {
    firmwareVersion: 'firmwareVersion',
    elevationCutoffSetting: 'elevetionCutoffSetting',
    markerArpEastEcc: 'markerArpEastEccentricity',
    antennaRadomeType: 'radomeType',
    heightDiffToAntenna: 'heightDiffToAntenna',
    inputFrequency: 'inputFrequency',
    aspiration: 'aspiration',
  };
  for (const [inLog, inSetup] of Object.entries(members))
    t.equal(logValueName(inLog), labelOf(inSetup), inLog);
});

t.test('a new place or number of an item alone is no change', async (t) => {
  const items = [inYear(2010, '1'), inYear(2011, '2'), inYear(2012, '3')];
  t.same(receivers(items, items.toReversed()), []);
  t.same(receivers(items.slice(1), items), [
    '3.1 Receiver added: LEICA GR50 1, from 2010-01-01 to 2011-01-01',
  ]);
});

t.test('items are paired by device and period, start, end, number, and likeness', async (t) => {
  // The same device at the same place is the same item, although another one begins on that day.
  t.same(
    receivers(
      [inYear(2010, '1'), inYear(2012, '2')],
      [inYear(2010, '2', { to: '2010-06-01T00:00Z' }), inYear(2010, '1', { type: 'LEICA GR50' })],
    ),
    [
      '3.1 Receiver: date installed 2012-01-01T00:00Z → 2010-01-01T00:00Z',
      '3.1 Receiver: date removed 2013-01-01T00:00Z → 2010-06-01T00:00Z',
    ],
    'one device, the numbers of the items swapped',
  );
  // Both have the start, but only the second one the device.
  t.same(
    receivers(
      [inYear(2010, '1'), inYear(2010, '2', { to: '2012-01-01T00:00Z' })],
      [
        inYear(2010, '2', { to: '2013-01-01T00:00Z' }),
        inYear(2010, '3', { to: '2014-01-01T00:00Z' }),
      ],
    ),
    [
      '3.1 Receiver: date removed 2012-01-01T00:00Z → 2013-01-01T00:00Z',
      '3.2 Receiver: serial number 1 → 3',
      '3.2 Receiver: date removed 2011-01-01T00:00Z → 2014-01-01T00:00Z',
    ],
    'device before start',
  );
  const start = inYear(2010, '1');
  const end = inYear(2014, '2');
  t.same(
    receivers(
      [start],
      [
        { ...end, serial: '3', to: start.to! },
        { ...start, serial: '4', to: '' },
      ],
    ),
    [
      '3.1 Receiver added: LEICA GR50 3, from 2014-01-01 to 2011-01-01',
      '3.2 Receiver: serial number 1 → 4',
      '3.2 Receiver: date removed 2011-01-01T00:00Z → (blank)',
    ],
    'start before end',
  );
  t.same(
    receivers(
      [start, inYear(2016, '9')],
      [inYear(2012, '3'), { ...end, from: '2009-01-01', to: start.to! }],
    ),
    [
      '3.1 Receiver added: LEICA GR50 3, from 2012-01-01 to 2013-01-01',
      '3.2 Receiver: serial number 1 → 2',
      '3.2 Receiver: date installed 2010-01-01T00:00Z → 2009-01-01',
      '3.2 Receiver removed: LEICA GR50 9, from 2016-01-01 to 2017-01-01',
    ],
    'end before number',
  );
  t.same(
    receivers([start], [inYear(2015, '2')]),
    [
      '3.1 Receiver: serial number 1 → 2',
      '3.1 Receiver: date installed 2010-01-01T00:00Z → 2015-01-01T00:00Z',
      '3.1 Receiver: date removed 2011-01-01T00:00Z → 2016-01-01T00:00Z',
    ],
    'the same number',
  );
  const more = {
    'Firmware Version': '7.7',
    'Elevation Cutoff Setting': '5 deg',
    'Additional Information': 'on the roof',
  };
  t.same(
    receivers([start, inYear(2012, '2', { more })], [inYear(2015, '3', { more }), start]),
    [
      '3.1 Receiver: serial number 2 → 3',
      '3.1 Receiver: date installed 2012-01-01T00:00Z → 2015-01-01T00:00Z',
      '3.1 Receiver: date removed 2013-01-01T00:00Z → 2016-01-01T00:00Z',
    ],
    'most alike',
  );
  t.same(
    receivers(
      [inYear(2000, '9'), start],
      [
        { ...start, serial: '3' },
        { ...start, serial: '4' },
      ],
    ).filter((line) => line.includes('serial')),
    ['3.1 Receiver: serial number 9 → 3', '3.2 Receiver: serial number 1 → 4'],
    'the nearest of two that are equally alike',
  );
  const empty = { ...start, to: start.from!, more };
  t.same(
    receivers(
      [empty],
      [
        { ...empty, serial: '3' },
        { ...empty, more: {} },
      ],
    ).filter((line) => line.includes('added')),
    ['3.1 Receiver added: LEICA GR50 3, firmware 7.7, from 2010-01-01 to 2010-01-01'],
    'the same device and start, without a period',
  );
});

t.test('periods of one device that only meet are not one item', async (t) => {
  const begun = inYear(2010, '2', { to: '2013-01-01T00:00Z' });
  for (const [year, to, lines] of [
    [2009, '2010-01-01T00:00Z', 1],
    [2009, '2010-01-01T01:00Z', 0],
    [2011, '2012-01-01T00:00Z', 1],
  ] as const) {
    const changed = receivers([inYear(2010, '1')], [begun, inYear(year, '1', { to })]);
    t.equal(changed.filter((line) => /serial number 1 → 2/.test(line)).length, lines, to);
  }
});

t.test('of items with nothing else in common, half of the values must be equal', async (t) => {
  const other = inYear(1990, '9');
  const alike = { 'Firmware Version': '7.7', 'Elevation Cutoff Setting': '5 deg' };
  const pairOf = (before: string, after: string): string[] =>
    receivers(
      [other, inYear(2012, '2', { more: { ...alike, 'Satellite System': before } })],
      [inYear(2015, '3', { more: { ...alike, 'Satellite System': after } }), other],
    );
  t.match(pairOf('GPS', ''), Array(4).fill(/^3\.1 Receiver: /), '3 of 6 values');
  t.match(pairOf('GPS', 'GAL'), [/^3\.1 Receiver added/, /^3\.2 Receiver removed/], '3 of 7');
});

t.test('up to 40,000 pairs of items are compared; more are paired in order', async (t) => {
  const many = (count: number, maker: string): Item[] =>
    Array.from({ length: count }, (_, index) =>
      inYear(2010, `${maker}${index}`, { more: { 'Firmware Version': `1.${index}` } }),
    );
  for (const [older, firmwareChanges] of [
    [200, 0],
    [201, 200],
  ] as const) {
    const lines = receivers(many(older, 'A'), many(200, 'B').reverse());
    t.equal(lines.filter((line) => /: serial number/.test(line)).length, 200);
    t.equal(lines.filter((line) => /: firmware/.test(line)).length, firmwareChanges);
  }
});

t.test('spelling is no change of equipment', async (t) => {
  const before = inYear(2010, 'ab-12', {
    more: { 'Satellite System': 'GPS+GLO', 'Firmware Version': '1 ref' },
  });
  const after = inYear(2010, 'AB 12', {
    type: 'Leica GR50',
    from: '2010-01-01',
    more: { 'Satellite System': 'GLO+GPS', 'Firmware Version': '1 REF' },
  });
  t.same(receivers([before], [after]), []);
});

t.test('values that cannot be read are compared by their texts', async (t) => {
  const withCutoff = (cutoff: string): Item[] => [
    inYear(2010, '1', { more: { 'Elevation Cutoff Setting': cutoff } }),
  ];
  t.same(receivers(withCutoff('low'), withCutoff('low')), []);
  t.same(receivers(withCutoff('low'), withCutoff('very low')), [
    '3.1 Receiver: elevation cutoff low → very low',
  ]);
  t.same(receivers(withCutoff('5 deg'), withCutoff('5.0')), []);
  t.same(receivers(withCutoff(''), withCutoff('unknown')), []);
});

t.test('a long text is shown from its difference on, and a drawing is not shown', async (t) => {
  const withNotes = (notes: string): Item[] => [
    inYear(2010, '1', { more: { 'Additional Information': notes } }),
  ];
  const long = 'The receiver stands in a cabinet beside the pillar. '.repeat(4);
  const [line] = receivers(withNotes(`${long}It is white.`), withNotes(`${long}It is green.`));
  t.match(line, /^3\.1 Receiver: additional information ….*It is white\. → ….*It is green\.$/);
  t.ok(line!.length < 200);
  const withDrawing = (sign: string): SiteLogSections => {
    const drawing = ['      Antenna Graphics with Dimensions', '', `   ${sign}`, '   ====', ''];
    return read(logText({}) + ['13.  More Information', ...drawing].join('\n'));
  };
  t.same(linesOf(withDrawing('+'), withDrawing('-')), [
    '13 More information: antenna graphics drawing of 2 lines → another drawing of 2 lines',
  ]);
});

/** A log with the sections about contacts. */
function logWithContacts(
  name: string,
  telephone: string,
  more: Partial<SyntheticLog> = {},
): string {
  const contact = (ofName: string) => [
    field('Agency', 'Example Survey'),
    field('Preferred Abbreviation', 'EXS'),
    '     Primary Contact',
    field('  Contact Name', ofName),
    field('  Telephone (primary)', telephone),
    field('  E-mail', `${ofName.split(' ')[1]!.toLowerCase()}@example.org`),
  ];
  const remark = `${name} (${telephone}) visited the site.`;
  const receiver = inYear(2010, '1', { more: { 'Additional Information': remark } });
  return [
    logText({ receivers: [receiver], ...more }),
    '11.  On-Site, Point of Contact Agency Information',
    ...contact(name),
    '12.  Responsible Agency (if different from 11.)',
    field('Agency', 'Other Survey'),
    '',
  ].join('\n');
}

const MARIA = ['Maria Sample', '+61 2 6249 9111'] as const;
const OTTO = ['Otto Normal', '+49 30 5550 1234'] as const;

t.test('other contacts are no change, and neither name is in what is compared', async (t) => {
  const older = read(logWithContacts(...MARIA));
  const newer = read(
    logWithContacts(...OTTO, {
      receivers: [
        inYear(2010, '1', {
          more: { 'Additional Information': 'Otto Normal (+49 30 5550 1234) visited the site.' },
        }),
        inYear(2012, '2', {
          type: 'Sample',
          more: { 'Additional Information': 'by Maria Sample' },
        }),
      ],
    }),
  );
  for (const pair of [withheldFromBoth(older, newer), withheldFromBoth(newer, older)]) {
    const text = JSON.stringify(compareLogs(...pair, false));
    t.notMatch(text, /Maria|Otto|Normal|6249|5550|example\.org/);
  }
  t.same(linesOf(read(logWithContacts(...MARIA)), read(logWithContacts(...OTTO))), []);
  // A remark that names a contact of the other log only.
  const remarked = (log: readonly [string, string], remark: string): SiteLogSections =>
    read(
      logWithContacts(...log, {
        receivers: [inYear(2010, '1', { more: { 'Additional Information': remark } })],
      }),
    );
  const remarks = compareLogs(
    ...withheldFromBoth(remarked(MARIA, 'ask Otto Normal'), remarked(OTTO, 'ask Maria Sample now')),
    false,
  );
  t.same(remarks.map(logChangeLine), [
    '3.1 Receiver: additional information ask (withheld) → ask (withheld) now',
  ]);
});

t.test('contacts are compared if they are published', async (t) => {
  const logs = [read(logWithContacts(...MARIA)), read(logWithContacts(...OTTO))] as const;
  const lines = compareLogs(...logs, true).map(logChangeLine);
  t.ok(lines.length >= 4, lines.join('\n'));
  t.match(lines.join('\n'), /^11 Agency: .*Maria Sample → Otto Normal$/m);
});

t.test('agencies are compared without contacts', async (t) => {
  const older = logWithContacts(...MARIA);
  const newer = older.replace('Other Survey', 'New Survey').replace(': EXS', ': EXAMPLE');
  t.same(linesOf(read(older), read(newer)), [
    '11 Agency: abbreviation EXS → EXAMPLE',
    '12 Agency: organisation Other Survey → New Survey',
  ]);
  const without = older.replace(/^12\.[^]*Other Survey$/m, '');
  t.same(linesOf(read(without), read(older)), ['12 Agency added: Other Survey']);
});

t.test('the same log in another form has no differences', async (t) => {
  const log = read(
    logWithContacts(...MARIA, {
      id: 'TEST00AUS',
      country: 'AUS',
      receivers: [
        inYear(2010, '1', { more: { 'Satellite System': 'GPS+GLO', 'Firmware Version': '4' } }),
        inYear(2011, '2', { more: { 'Elevation Cutoff Setting': 'low' }, to: '' }),
      ],
      antennas: [
        {
          type: 'LEIAR25.R3      LEIT',
          serial: '7',
          from: '2010-01-01',
          more: { 'Antenna Radome Type': 'LEIT', 'Marker->ARP Up Ecc. (m)': '0.0025' },
        },
      ],
      clocks: [{ type: 'INTERNAL', from: '2010-01-01', to: 'CCYY-MM-DD' }],
      sensors: [{ type: 'MET4', serial: '3', from: '2010-01-01', to: '2012-01-01' }],
    }),
  );
  const forms = ['text1', 'text2', 'geodesyml04', 'geodesyml05'] as const;
  for (const form of forms) {
    t.same(linesOf(log, inForm(log, form)), [], `to ${form}`);
    t.same(linesOf(inForm(log, form), log), [], `from ${form}`);
  }
});

t.test('an item that was withdrawn is not compared', async (t) => {
  const log = read(logText({ receivers: [inYear(2010, '1'), inYear(2011, '2')] }));
  const xml = writeSections(log, 'geodesyml05', new Findings(''));
  const withdrawn = xml.replace(
    /(<geo:gnssReceiver[^>]*>)((?:(?!<\/geo:gnssReceiver>)[^])*<\/geo:GnssReceiver>)/,
    '$1$2<geo:dateDeleted>2020-01-01T00:00:00Z</geo:dateDeleted>',
  );
  t.not(withdrawn, xml);
  t.same(linesOf(read(xml), read(withdrawn)), [
    '3.1 Receiver removed: LEICA GR50 1, from 2010-01-01 to 2011-01-01',
  ]);
});

t.test('the id is compared; nine characters only if both logs have them', async (t) => {
  t.same(changed({ id: 'TEST' }, { id: 'ABCD' }), [
    '1 Site identification: four character ID TEST → ABCD',
  ]);
  t.same(changed({ id: 'TEST' }, { id: 'TEST00AUS', country: 'Australia' }), []);
  t.same(changed({ id: 'TEST00AUS' }, { id: 'TEST00NZL', country: 'AUS' }), [
    '1 Site identification: nine character ID TEST00AUS → TEST00NZL',
  ]);
});

t.test('the summary says how much changed', async (t) => {
  const older = { id: 1, name: 'a.log', datePrepared: '2020-01-01' };
  const newer = { id: 2, name: 'b.log', datePrepared: null };
  const changes = compareLogs(
    read(logText({ receivers: [inYear(2010, '1')] })),
    read(logText({ name: 'New', receivers: [inYear(2010, '1'), inYear(2011, '2')] })),
    false,
  );
  t.equal(
    logChangesSummary(older, newer, changes),
    'a.log (prepared 2020-01-01) → b.log (date unknown): 1 value changed, 1 item added',
  );
  t.match(logChangesSummary(older, newer, []), /: no differences$/);
});

t.test('the log before is the best of those that a log wins over', async (t) => {
  const log = (id: number, datePrepared: string | null) => ({ id, datePrepared });
  const logs = [log(1, '2020-01-01'), log(2, null), log(3, '2099-01-01'), log(4, '2020-01-01')];
  const before = (id: number) =>
    logBefore(
      logs,
      logs.find((each) => each.id === id)!,
      new Date('2026-01-01'),
    )?.id;
  t.same([4, 1, 2, 3].map(before), [1, 2, 3, undefined]);
});

/** The members of a receiver that the generator changes, with their labels. */
const CHANGEABLE = {
  serialNumber: 'Serial Number',
  firmwareVersion: 'Firmware Version',
  elevationCutoffSetting: 'Elevation Cutoff Setting',
  notes: 'Additional Information',
  dateRemoved: 'Date Removed',
} as const;
type Changeable = keyof typeof CHANGEABLE;

/** An item of the generator: a value of each member, unique in the log. */
type Generated = Record<Changeable | 'type' | 'dateInstalled', string>;

const day = (year: number, month: number, of: number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(of).padStart(2, '0')}T00:00Z`;

const generatedItem = (index: number, mark: string): Generated => ({
  type: `TYPE ${index % 3}`,
  serialNumber: `S${mark}${index}`,
  dateInstalled: day(1990 + index, 1, 1),
  dateRemoved: day(1990 + index, 11, 1),
  firmwareVersion: `F${mark}${index}`,
  elevationCutoffSetting: String(index + 1),
  notes: `remark ${mark} ${index}`,
});

/** Another value of a member; an item stays in use for less than a year. */
function editOf(member: Changeable, value: string): string {
  if (member === 'dateRemoved') return value.replace('-11-', '-12-');
  return member === 'elevationCutoffSetting' ? `4${value}` : `${value}x`;
}

const toItem = (each: Generated): Item => ({
  type: each.type,
  serial: each.serialNumber,
  from: each.dateInstalled,
  to: each.dateRemoved,
  more: {
    'Firmware Version': each.firmwareVersion,
    'Elevation Cutoff Setting': each.elevationCutoffSetting,
    'Additional Information': each.notes,
  },
});

/** Two logs, and the edits that lead from one to the other, as the comparison should give them. */
interface Edited {
  older: SiteLogSections;
  newer: SiteLogSections;
  edits: string[];
}

/** The edits between the receivers of two logs. */
function editedReceivers(g: fc.GeneratorValue): { older: Item[]; newer: Item[]; edits: string[] } {
  const count = g(fc.integer, { min: 1, max: 7 });
  const original = Array.from({ length: count }, (_, index) => generatedItem(index, 'a'));
  const edits: [member: string, before: string, after: string, item: Generated][] = [];
  const items = original.map((item) => {
    const copy = { ...item };
    for (const member of g(fc.subarray, Object.keys(CHANGEABLE) as Changeable[])) {
      copy[member] = editOf(member, item[member]);
      edits.push([member, item[member], copy[member], copy]);
    }
    return copy;
  });
  // A section in which items are removed and others are added is ambiguous.
  const kind = g(fc.constantFrom, 'added', 'removed', 'neither');
  const others = Array.from({ length: g(fc.integer, { min: 1, max: 3 }) }, (_, index) =>
    generatedItem(20 + index, 'b'),
  );
  const newer = g(fc.shuffledSubarray, kind === 'added' ? [...items, ...others] : items, {
    minLength: items.length + (kind === 'added' ? others.length : 0),
  });
  const older = g(fc.shuffledSubarray, kind === 'removed' ? [...original, ...others] : original, {
    minLength: original.length + (kind === 'removed' ? others.length : 0),
  });
  const numberIn = (list: Generated[], { dateInstalled }: Generated): string =>
    `3.${list.findIndex((each) => each.dateInstalled === dateInstalled) + 1}`;
  const lines = edits.map(
    ([member, before, after, item]) => `${numberIn(newer, item)} ${member}: ${before} → ${after}`,
  );
  if (kind === 'added') lines.push(...others.map((item) => `${numberIn(newer, item)} added`));
  if (kind === 'removed') lines.push(...others.map((item) => `${numberIn(older, item)} removed`));
  return { older: older.map(toItem), newer: newer.map(toItem), edits: lines };
}

/** Two logs whose edits the generator knows. */
function edited(g: fc.GeneratorValue): Edited {
  const { older, newer, edits } = editedReceivers(g);
  const city = g(fc.constantFrom, 'Testford', 'Testville');
  if (city !== 'Testford') edits.push(`2 city: Testford → ${city}`);
  const [before, after] = g(fc.shuffledSubarray, [MARIA, OTTO], { minLength: 2 });
  const logOf = (contact: readonly [string, string], items: Item[], cityOf: string) =>
    read(
      logWithContacts(...contact, {
        receivers: items,
        place: { 'City or Town': cityOf },
        clocks: [{ type: 'INTERNAL', from: '2000-01-01', more: { Notes: `by ${contact[0]}` } }],
      }),
    );
  const forms = ['text1', 'geodesyml04', 'geodesyml05'] as const;
  return {
    older: inForm(logOf(before!, older, 'Testford'), g(fc.constantFrom, ...forms)),
    newer: inForm(logOf(after!, newer, city), g(fc.constantFrom, ...forms)),
    edits,
  };
}

t.test('generated edits are exactly what is found', triesMore, async () => {
  const shown = (log: Edited): string[] =>
    compareLogs(...withheldFromBoth(log.older, log.newer), false).map((change) => {
      const { number, change: kind, member, before, after } = change;
      return kind === 'changed' ? `${number} ${member}: ${before} → ${after}` : `${number} ${kind}`;
    });
  const property = fc.property(fc.gen(), (g) => {
    const log = edited(g);
    // GeodesyML writes instants with seconds; the text form, angles with their unit.
    const found = shown(log).map((line) =>
      line.replaceAll(/(:00)?:00(\.000)?Z/g, ':00Z').replaceAll(' deg', ''),
    );
    const expected = log.edits.map((line) => line.replaceAll(':00:00Z', ':00Z'));
    assert.deepEqual(found.sort(), expected.sort());
  });
  fc.assert(property, { numRuns: casesOf(1000), seed: SEED });
});

/** Almost the most items of a log, without those of its other sections. */
const ITEMS = 1990;

t.test('two logs with as many items as a log may have are compared', async (t) => {
  const lineOf = (index: number, text: string): string =>
    `3.${index} Receiver Type            : ${text}${index % 7}`;
  const large = (text: string): SiteLogSections => {
    const lines = Array.from({ length: ITEMS }, (_, index) => lineOf(index + 1, text));
    return read(
      `${logText({ receivers: [{}] })}3.   GNSS Receiver Information\n${lines.join('\n')}`,
    );
  };
  const older = large('A');
  const newer = large('B');
  t.equal(older.gnssReceivers.length, ITEMS);
  t.ok(compareLogs(...withheldFromBoth(older, newer), false).length > 0);
});
