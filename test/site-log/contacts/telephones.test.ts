import t from 'tap';
import { WITHHELD } from '../../../src/findings/findings.js';
import { Telephones } from '../../../src/site-log/contacts/telephones.js';

const FROM_ABROAD = '+61 2 6249 9111';

const replaced = (numbers: string[], text: string): string =>
  new Telephones(numbers).withheldIn(text).replaceAll(WITHHELD, '*');

t.test('numbers are found however they are divided', async (t) => {
  const cases: [string, string][] = [
    ['call 61262499111, or 6249-9111.', 'call *, or *.'],
    ['+61 (0)2 6249 9111', '*'],
    ['(0)2 6249 9111', '*'],
    ['(02) 6249-9111', '*'],
    ['(2) 6249-9111', '*'],
    ['0061 2/6249.9111', '*'],
    ['(02)  -  6249        9111', '*'],
    ['call 6249\n                              9111', 'call *'],
    ['00000061 2 6249 9111', '*'],
    ['0011 61 2 6249 9111', '*'],
    ['+44 61 2 6249 9111', '*'],
    ['44 61 2 6249 9111', '44 *'],
    ['(0)0011 61 2 6249 9111', '(0)*'],
    ['9 (0)(0) 2 6249 9111 (0)', '9 * (0)'],
    ['1 2 6249 9111 5', '* 5'],
    ['2624991112', '2624991112'],
    ['1999 +61 2 6249 9111', '1999 *'],
    ['61 2 6249 911', '61 2 6249 911'],
    ['0 0 0 0 0 0 0 0 0 0', '0 0 0 0 0 0 0 0 0 0'],
    ['6249.....9111', '6249.....9111'],
  ];
  for (const [text, expected] of cases) t.equal(replaced([FROM_ABROAD], text), expected, text);
});

t.test('a number of more digits than any is not read as its end', async (t) => {
  const fifteen = '123456789012345';
  t.equal(replaced([fifteen], fifteen), '*');
  t.equal(replaced([fifteen], `+99999${fifteen}`), '*', '20 digits');
  t.equal(replaced([fifteen], `+999999${fifteen}`), `+999999${fifteen}`, '21 digits');
  t.equal(replaced([`${fifteen}6`], `${fifteen}6`), `${fifteen}6`, 'no telephone number');
});

t.test('a text is a number, and nothing else', async (t) => {
  const telephones = new Telephones([FROM_ABROAD]);
  for (const text of ['61262499111', '+61 (0)2 6249 9111,', '(2) 6249 9111'])
    t.ok(telephones.takes(text), text);
  for (const text of [
    '',
    '-',
    'tel. 61262499111',
    '61262499111 2',
    '6249 9111 6249 9111',
    '6249_9111',
  ])
    t.notOk(telephones.takes(text), text);
});
