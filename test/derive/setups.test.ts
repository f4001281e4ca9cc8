import fc from 'fast-check';
import t from 'tap';
import { deriveSetups, type DerivedSetup, MOST_CHARACTERS } from '../../src/derive/setups.js';
import { type LogItem } from '../../src/site-log/site-log.js';
import { Findings, SiteLogRejected } from '../../src/findings/findings.js';
import { casesOf, SEED, triesMore } from '../effort.js';

const day = (n: number): string =>
  new Date(Date.UTC(2000, 0, 1 + n)).toISOString().slice(0, 19) + 'Z';

/** A clock, the smallest kind of item; derivation is the same for every kind. */
const item = (type: string, from: number | null, to: number | null): LogItem => ({
  id: { type, equipmentType: 'clock', manufacturer: null, serialNumber: null },
  configuration: { inputFrequency: null },
  from: from === null ? null : day(from),
  to: to === null ? null : day(to),
  line: 7,
  item: 1,
});

const derive = (...items: LogItem[]): DerivedSetup[] =>
  deriveSetups(items, new Findings('test.log'));
/** Setups as `0-3: A R`: the period in days and the types in use. */
const shown = (setups: DerivedSetup[]): string[] =>
  setups.map(({ effectivePeriod: { from, to }, equipmentInUse }) => {
    const n = (instant: string | null) =>
      instant === null ? '' : (Date.parse(instant) - Date.UTC(2000, 0, 1)) / 86_400_000;
    return `${n(from)}-${n(to)}: ${equipmentInUse.map(({ content }) => content.id.type).join(' ')}`;
  });

t.test('a log without dates gives no Setup, with a finding', async (t) => {
  const findings = new Findings('test.log');
  t.same(deriveSetups([item('R0', null, null)], findings), []);
  t.match(findings.list, [{ level: 'warning', line: 7, code: 'no-dates' }]);
  t.same(deriveSetups([], new Findings('test.log')), []);
});
t.test(
  'an item without a start is in use from the first date, which becomes its start',
  async (t) => {
    const setups = derive(item('R0', 0, null), item('C', null, 5));
    t.same(shown(setups), ['0-5: R0 C', '5-: R0']);
    t.equal(setups[0]!.equipmentInUse[1]!.content.period.from, day(0));
    t.equal(setups[0]!.equipmentInUse[1]!.content.period.to, day(5));
  },
);
t.test('an item of zero length is in no Setup, but its date starts a new one', async (t) => {
  const findings = new Findings('test.log');
  t.same(shown(deriveSetups([item('R0', 0, null), item('X', 3, 3)], findings)), [
    '0-3: R0',
    '3-: R0',
  ]);
  t.match(findings.list, [{ level: 'info', line: 7, code: 'in-use-for-no-time' }]);
  t.equal(findings.list.length, 1);
});
t.test(
  'an item that ends before it starts is in no Setup, with a finding, but its dates start new ones',
  async (t) => {
    const findings = new Findings('test.log');
    t.same(shown(deriveSetups([item('R0', 0, null), item('X', 5, 3)], findings)), [
      '0-3: R0',
      '3-5: R0',
      '5-: R0',
    ]);
    t.match(findings.list, [{ level: 'warning', line: 7, code: 'removed-before-installed' }]);
  },
);
t.test('equal items at once are both listed', async (t) => {
  t.same(shown(derive(item('R', 0, 2), item('R', 0, 2), item('R', 1, null))), [
    '0-1: R R',
    '1-2: R R R',
    '2-: R',
  ]);
});
t.test('a log whose Setups have more than the most characters is rejected', async (t) => {
  const [empty] = derive(item('', 0, null));
  const overhead = JSON.stringify(empty!.equipmentInUse[0]).length;
  // In two Setups, since an item of zero length divides its period.
  const inTwo = (characters: number): LogItem[] => [
    item('x'.repeat(characters / 2 - overhead), 0, null),
    item('X', 1, 1),
  ];
  t.equal(derive(...inTwo(MOST_CHARACTERS)).length, 2);
  t.throws(() => derive(...inTwo(MOST_CHARACTERS + 2)), SiteLogRejected);
});

const date = fc.option(fc.integer({ min: 0, max: 12 }), { nil: null });
const items = fc.array(
  fc.tuple(date, date).map(([from, to]) => [from, to] as const),
  { maxLength: 12 },
);

t.test(
  'for any items, the periods are sorted, contiguous and open at the end, and cover each item exactly',
  triesMore,
  async () => {
    fc.assert(
      fc.property(items, (dates) => {
        const log = dates.map(([from, to], index) => item(`I${index}`, from, to));
        const setups = derive(...log);
        const distinct = new Set(dates.flat().filter((each) => each !== null));
        if (setups.length !== distinct.size) return false;
        for (const [index, { effectivePeriod }] of setups.entries()) {
          const next = setups[index + 1];
          if (
            next === undefined
              ? effectivePeriod.to !== null
              : effectivePeriod.to !== next.effectivePeriod.from
          )
            return false;
          if (effectivePeriod.to !== null && effectivePeriod.to <= effectivePeriod.from)
            return false;
        }
        // Each item is in exactly those Setups that start within its own period.
        return log.every(({ id, from, to }) =>
          setups.every(({ effectivePeriod, equipmentInUse }) => {
            const begun = from === null || from <= effectivePeriod.from;
            const ended = to !== null && to <= effectivePeriod.from;
            const backwards = from !== null && to !== null && to < from;
            const listed = equipmentInUse.filter(
              ({ content }) => content.id.type === id.type,
            ).length;
            return listed === (begun && !ended && !backwards ? 1 : 0);
          }),
        );
      }),
      { numRuns: casesOf(1000), seed: SEED },
    );
  },
);
