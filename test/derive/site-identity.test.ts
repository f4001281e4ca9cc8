import t from 'tap';
import { formerIdsAfter, ownersAmong, type PossibleOwner } from '../../src/derive/site-identity.js';
import { parseSiteId } from '../../src/requests/site-id.js';

const site = (id: string, ...former: string[]): PossibleOwner => ({
  four: id.slice(0, 4),
  nine: id.length === 9 ? id : null,
  former,
});
const idOf = ({ four, nine }: PossibleOwner): string => nine ?? four;

const KNOWN = site('ABCD00AUS');
const BY_FOUR = site('ABCD');
const RENAMED = site('WXYZ', 'ABCD');
const OTHER = site('QRST', 'ABCD');
const COMPLETED = site('WXYZ', 'ABCD00AUS');
const RENAMED_FROM_NINE = site('WXYZ00AUS', 'ABCD00AUS');
const RENAMED_TO_NINE = site('WXYZ00AUS', 'ABCD');

const CASES: [what: string, sharing: PossibleOwner[], given: string, owners: PossibleOwner[]][] = [
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

t.test('the former ids of a Site', (t) => {
  const rename = (former: string[], from: string, to: string): string[] =>
    formerIdsAfter(former, { kind: 'rename', from: parseSiteId(from), to: parseSiteId(to) });
  t.same(rename([], 'ABCD', 'WXYZ'), ['ABCD']);
  t.same(rename([], 'ABCD00AUS', 'WXYZ00AUS'), ['ABCD00AUS']);
  t.same(rename(['ABCD'], 'WXYZ', 'ABCD'), ['WXYZ'], 'and back');
  t.same(rename(['ABCD'], 'WXYZ', 'ABCD00AUS'), ['WXYZ']);
  t.same(rename([], 'ABCD', 'ABCD00AUS'), [], 'an id that becomes complete');
  t.same(formerIdsAfter(['QRST', 'ABCD'], { kind: 'import', formerId: 'ABCD00AUS' }), [
    'QRST',
    'ABCD00AUS',
  ]);
  t.end();
});
