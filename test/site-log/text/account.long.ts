import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { LineAccount, type LineUse } from '../../../src/site-log/text/account.js';
import { Findings } from '../../../src/findings/findings.js';
import { writeText } from '../../../src/site-log/write/write-text.js';
import { siteLogs } from '../../round-trips/arbitrary-log.js';
import {
  type Damage,
  isAnotherLabel,
  labels,
  linesIn,
  lostBy,
  mistakeIn,
  numbers,
  readingOf,
  type TextReading,
} from './account.js';
import { plainLogs } from '../plain-logs.js';
import { SEED } from '../../effort.js';

/** Every line of a text log is a value, the form, the drawing or the subject of a finding. */

const FIXTURES = ['version-1.log', 'version-2.log', 'instruments.log', 'as-found.log'].map((name) =>
  readFileSync(join(import.meta.dirname, '..', 'fixtures', name), 'utf8'),
);
/** Logs as the writer writes them, with any text in any value. */
const writtenLogs = siteLogs.map((log) => writeText(log, '1', new Findings('')));
const anyLog = fc.oneof(fc.constantFrom(...FIXTURES), writtenLogs, plainLogs);

/** One change of the lines of a log. */
type Change = (lines: string[]) => string[];
const at = (lines: string[], place: number): number => Math.floor(place * lines.length);
const place = fc.double({ min: 0, max: 0.999, noNaN: true });
const oddLine = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 100 }),
  fc.constantFrom(
    ...[
      '3.2Receiver Type : X',
      '3.x',
      '  4.1',
      '8.   Mess',
      '12. Rue',
      '14.  Other',
      ':',
      'Date : 1',
    ],
    ...['\tSerial Number\t: 5', '3.  1 ) Receiver Type : Y', 'Secondary Contact : Ada', 'x'],
    ...['     Antenna Graphics with Dimensions', '                              : more', '5.1.2'],
    ...[
      '13.  More Information',
      '11.  On-Site, Point of Contact Agency Information',
      '4 Antenna Type:',
    ],
  ),
);
const change: fc.Arbitrary<Change> = fc.oneof(
  place.map(
    (from): Change =>
      (lines) =>
        lines.toSpliced(at(lines, from), 1),
  ),
  fc.tuple(place, oddLine).map(
    ([from, line]): Change =>
      (lines) =>
        lines.toSpliced(at(lines, from), 0, line),
  ),
  fc.tuple(place, place, fc.nat(40)).map(
    ([from, to, count]): Change =>
      (lines) =>
        lines.toSpliced(at(lines, to), 0, ...lines.slice(at(lines, from), at(lines, from) + count)),
  ),
  fc.tuple(place, fc.nat(45)).map(
    ([from, indent]): Change =>
      (lines) =>
        lines.with(at(lines, from), ' '.repeat(indent) + lines[at(lines, from)]!.trimStart()),
  ),
  fc
    .tuple(place, place, fc.string({ unit: 'grapheme-ascii', maxLength: 3 }))
    .map(([from, column, text]): Change => (lines) => {
      const line = lines[at(lines, from)]!;
      const where = Math.floor(column * line.length);
      return lines.with(at(lines, from), line.slice(0, where) + text + line.slice(where + 1));
    }),
  place.map(
    (from): Change =>
      (lines) =>
        lines.with(at(lines, from), lines[at(lines, from)]!.replace(/ {8}/g, '\t')),
  ),
);

const changedLogs = fc
  .tuple(anyLog, fc.array(change, { maxLength: 12 }), fc.constantFrom('\n', '\r\n', '\r'))
  .map(([log, changes, end]) =>
    changes
      .reduce((lines, each) => (lines.length === 0 ? lines : each(lines)), linesIn(log))
      .join(end),
  );

t.test('each line of a log, however damaged, is in the account exactly once', async (t) => {
  for (const log of FIXTURES) t.equal(mistakeIn(log), null);
  fc.assert(
    fc.property(changedLogs, (log) => {
      const mistake = mistakeIn(log);
      if (mistake !== null) throw new Error(mistake);
    }),
    { numRuns: 300, seed: SEED },
  );
  t.pass();
});

/** A reading that lacks what a change takes from it. */
const without =
  (change: (reading: TextReading) => Partial<TextReading>) =>
  (text: string): TextReading | null => {
    const reading = readingOf(text);
    return reading === null ? null : { ...reading, ...change(reading) };
  };
const noFindings = without(() => ({ findings: new Findings('test.log') }));
const noReceivers = without(({ sections }) => ({ sections: { ...sections, gnssReceivers: [] } }));

/** An account that says the same about each line. */
const always = (use: LineUse): LineAccount => {
  const account = new LineAccount();
  account.useOf = () => use;
  return account;
};

t.test('the check of the account finds what a reader could do wrong', async (t) => {
  const log = FIXTURES[3]!;
  t.equal(mistakeIn(log), null);
  t.match(mistakeIn(log, noFindings), /^line \d+: finding: /);
  t.match(mistakeIn(log, noReceivers), /^line \d+: value: .*3\.1 {2}Receiver Type/);
  for (const use of ['value', 'form', 'drawing', 'title', 'finding'] as const)
    t.match(
      mistakeIn(
        log,
        without(() => ({ account: always(use) })),
      ),
      `: ${use}: `,
    );
  t.match(
    mistakeIn(
      log,
      without(() => ({ account: new LineAccount() })),
    ),
    /^line 1: undefined: /,
  );
});

const damages: fc.Arbitrary<Damage> = fc
  .tuple(
    plainLogs,
    place,
    fc.constantFrom('number', 'label', 'indentation'),
    place,
    fc.constantFrom('x', '#', '7', ' ', '.'),
    fc.nat(45),
    fc.nat(100),
  )
  .map(([log, from, kind, offset, character, indent, choice]) => {
    const lines = linesIn(log);
    const index = at(lines, from);
    const line = lines[index]!;
    const choices = {
      number: () => numbers(line),
      label: () => labels(line, offset, character),
      indentation: () => [' '.repeat(indent) + line.trimStart()],
    }[kind]();
    const damaged = choices.length === 0 ? line : choices[choice % choices.length]!;
    return { log, line: index + 1, damaged };
  });

t.test(
  'no value is lost or moved without a finding when number, label or indentation of a line is damaged',
  async (t) => {
    fc.assert(
      fc.property(damages, (damage) => {
        const { log, line, damaged } = damage;
        const whole = linesIn(log)[line - 1]!;
        fc.pre(damaged !== whole && !isAnotherLabel(whole, damaged));
        const lost = lostBy(damage);
        if (lost.length > 0)
          throw new Error(
            `${JSON.stringify(whole)} -> ${JSON.stringify(damaged)}: ${lost.join('; ')}`,
          );
      }),
      { numRuns: 300, seed: SEED },
    );
    t.pass();
    // A reader that drops items, or says nothing, would not pass.
    const isFirstReceiver = (line: string): boolean => line.startsWith('3.1 ');
    const log = FIXTURES[0]!;
    const line = linesIn(log).findIndex(isFirstReceiver) + 1;
    const damage = {
      log,
      line,
      damaged: linesIn(log)[line - 1]!.replace('Receiver Type', 'Recording Unit'),
    };
    t.strictSame(lostBy(damage), []);
    t.not(lostBy(damage, noFindings).length, 0);
    t.not(lostBy(damage, noReceivers).length, 0);
  },
);
