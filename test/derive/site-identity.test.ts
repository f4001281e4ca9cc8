import t from 'tap';
import {
  formerIdsAfter,
  type HeldId,
  idByLogs,
  type KnownSite,
  ownersAmong,
  siteAmong,
  textOf,
} from '../../src/derive/site-identity.js';
import { parseSiteId } from '../../src/requests/site-id.js';

const held = (id: string): HeldId => ({
  four: id.slice(0, 4),
  nine: id.length === 9 ? id : null,
  nineGivenBy: id.length === 9 ? 'log' : null,
});
const site = (id: string, ...former: string[]): KnownSite => ({
  id: 1,
  present: held(id),
  former: former.map(held),
  retiredAt: null,
});
const idOf = ({ present }: KnownSite): string => textOf(present);

const KNOWN = site('ABCD00AUS');
const BY_FOUR = site('ABCD');
const RENAMED = site('WXYZ', 'ABCD');
const OTHER = site('QRST', 'ABCD');
const COMPLETED = site('WXYZ', 'ABCD00AUS');
const RENAMED_FROM_NINE = site('WXYZ00AUS', 'ABCD00AUS');
const RENAMED_TO_NINE = site('WXYZ00AUS', 'ABCD');

const CASES: [what: string, sharing: KnownSite[], given: string, owners: KnownSite[]][] = [
  ['a log of an unknown id is of a new Site', [], 'ABCD', []],
  ['four characters are of the only Site that has them', [KNOWN], 'ABCD', [KNOWN]],
  ['or that had them', [RENAMED_FROM_NINE], 'ABCD', [RENAMED_FROM_NINE]],
  [
    'four characters of two Sites are of either',
    [site('ABCD00CAN'), KNOWN],
    'ABCD',
    [site('ABCD00CAN'), KNOWN],
  ],
  [
    'also if one of them was renamed',
    [site('ABCD00CAN'), COMPLETED],
    'ABCD',
    [site('ABCD00CAN'), COMPLETED],
  ],
  ['nine characters complete an id of four', [BY_FOUR], 'ABCD00CAN', [BY_FOUR]],
  ['other nine characters are another Site', [KNOWN], 'ABCD00CAN', []],
  ['nine characters complete a former id of four', [RENAMED], 'ABCD00AUS', [RENAMED]],
  ['the same nine are of the same Site', [COMPLETED], 'ABCD00AUS', [COMPLETED]],
  ['other nine characters are another Site after a rename', [COMPLETED], 'ABCD00CAN', []],
  ['also after a rename from nine characters', [RENAMED_FROM_NINE], 'ABCD00CAN', []],
  ['also after a rename from four characters to nine', [RENAMED_TO_NINE], 'ABCD00CAN', []],
  [
    'a Site takes one station, whatever it was called',
    [site('QRST', 'ABCD00AUS', 'WXYZ')],
    'WXYZ00CAN',
    [],
  ],
  [
    'a Site that has the nine wins over one that had them',
    [RENAMED_FROM_NINE, KNOWN],
    'ABCD00AUS',
    [KNOWN],
  ],
  [
    'a Site that had the nine wins over one of four',
    [BY_FOUR, COMPLETED],
    'ABCD00AUS',
    [COMPLETED],
  ],
  [
    'a Site that has the four wins over one that had them',
    [RENAMED, BY_FOUR],
    'ABCD00AUS',
    [BY_FOUR],
  ],
  [
    'nine characters that may belong to either of two renamed Sites find both',
    [RENAMED, OTHER],
    'ABCD00AUS',
    [RENAMED, OTHER],
  ],
];

t.test('the Sites that a log may belong to', async (t) => {
  for (const [what, sharing, given, owners] of CASES) {
    t.same(ownersAmong(sharing, parseSiteId(given)).map(idOf), owners.map(idOf), what);
  }
});

t.test('the Site that an id names in a lookup or a correction', async (t) => {
  const named = (known: KnownSite[], id: string, findsRetired = false) => {
    const numbered = known.map((each, index) => ({ ...each, id: index + 1 }));
    return siteAmong(numbered, parseSiteId(id), findsRetired);
  };
  const retired = (each: KnownSite, retiredAt: string) => ({ ...each, retiredAt });
  t.same(
    named([site('ABCD00NZL'), COMPLETED], 'ABCD'),
    { kind: 'ambiguous-site', candidates: ['ABCD00NZL', 'WXYZ'] },
    'one Site has the four characters, and another one had them',
  );
  const two = [site('ABCD00NZL'), site('ABCD')];
  t.same(
    named(two, 'ABCD'),
    { kind: 'ambiguous-site', candidates: ['ABCD00NZL', 'ABCD00XXX'] },
    'only four characters of one Site are known',
  );
  t.same(named(two, 'ABCD00XXX'), { kind: 'found', found: 2 });
  t.same(named([site('ABCD00NZL'), COMPLETED], 'ABCD00NZL'), { kind: 'found', found: 1 });
  t.same(named([site('ABCD00NZL'), COMPLETED], 'ABCD00AUS'), { kind: 'renamed-site', id: 'WXYZ' });
  t.same(named([RENAMED], 'ABCD'), { kind: 'renamed-site', id: 'WXYZ' });
  t.same(named([RENAMED], 'ABCD00AUS'), { kind: 'renamed-site', id: 'WXYZ' });
  t.same(named([site('ABCD')], 'ABCD00AUS'), { kind: 'found', found: 1 });
  t.same(named([], 'ABCD'), { kind: 'unknown-site' });
  const gone = retired(site('ABCD00NZL'), '2020');
  t.same(named([gone, KNOWN], 'ABCD'), { kind: 'found', found: 2 }, 'a retired Site gives way');
  t.same(named([gone], 'ABCD'), { kind: 'retired-site', since: '2020' });
  t.same(named([gone], 'ABCD', true), { kind: 'found', found: 1 });
  const both = [gone, retired(KNOWN, '2021')];
  t.same(named(both, 'ABCD'), { kind: 'retired-site', since: '2021' });
  t.match(named(both, 'ABCD', true), { kind: 'ambiguous-site' });
});

t.test('the ids of a Site as the logs in force have them', async (t) => {
  t.same(idByLogs(held('ABCD'), ['ABCD', 'ABCD00AUS']), held('ABCD00AUS'));
  t.same(idByLogs(held('ABCD'), ['WXYZ00AUS']), held('ABCD'), 'of other four characters');
  t.same(idByLogs(held('ABCD00AUS'), ['ABCD']), held('ABCD'), 'forgotten');
  t.same(idByLogs(held('ABCD00AUS'), ['ABCD', 'ABCD00AUS']), held('ABCD00AUS'));
  const byOperator: HeldId = { ...held('ABCD00AUS'), nineGivenBy: 'operator' };
  t.same(idByLogs(byOperator, []), byOperator, 'an operator gave them');
});

t.test('the former ids of a Site', (t) => {
  const rename = (former: string[], from: string, to: string): string[] =>
    formerIdsAfter(former.map(held), held(from), held(to)).map(textOf);
  t.same(rename([], 'ABCD', 'WXYZ'), ['ABCD']);
  t.same(rename([], 'ABCD00AUS', 'WXYZ00AUS'), ['ABCD00AUS']);
  t.same(rename(['ABCD'], 'WXYZ', 'ABCD'), ['WXYZ'], 'and back');
  t.same(rename(['ABCD'], 'WXYZ', 'ABCD00AUS'), ['WXYZ']);
  t.same(rename([], 'ABCD', 'ABCD00AUS'), [], 'an id that becomes complete');
  t.end();
});
