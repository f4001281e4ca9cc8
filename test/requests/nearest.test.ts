import t from 'tap';
import { differences, nearestTo } from '../../src/requests/nearest.js';

t.test('differences are characters that are replaced, added, missing or exchanged', async (t) => {
  for (const [other, number] of Object.entries({
    alic: 0,
    alik: 1,
    ali: 1,
    alicx: 1,
    ailc: 1,
    cila: 3,
    '': 4,
  })) {
    t.equal(differences('alic', other, 5), number, other);
    t.equal(differences(other, 'alic', 5), number, other);
  }
  t.equal(differences('aaaa', 'bbbb', 2), 3, 'counting stops past the limit');
  t.equal(differences('a', 'aaaaaa', 2), 3);
  t.equal(differences('abcdef', 'ghijkl', 5), 6);
  t.equal(differences('abcdef', 'badcfe', 3), 3, 'as far from the diagonal as the limit allows');
  t.equal(differences('xabcdef', 'abcdefx', 2), 2);
  t.equal(differences('xabcdef', 'abcdefx', 1), 2);
});

t.test('the nearest candidates come first, and only those with few differences', async (t) => {
  const sites = [
    ['ALIC', 'Alice Springs'],
    ['ALBY', 'Albany'],
    ['WTZR', 'Wettzell / Germany'],
    ['MOBS', 'Melbourne Observatory'],
  ];
  const nearest = (text: string, most = 3) =>
    nearestTo(text, sites, (texts) => texts, most).map(([id]) => id);
  t.same(nearest('alci'), ['ALIC']);
  t.same(nearest('albany'), ['ALBY']);
  t.same(nearest('wetzel'), ['WTZR']);
  t.same(nearest('Melborne'), ['MOBS']);
  t.same(nearest('al'), ['ALIC', 'ALBY']);
  t.same(nearest('al', 1), ['ALIC']);
  t.same(nearest('melborne observatry'), ['MOBS']);
  t.same(nearest('observatory melborne'), ['MOBS'], 'words in another order');
  t.same(nearest('germany wetzel'), ['WTZR']);
  t.same(nearest('germany zzzzzz'), [], 'each word must be similar to one');
  t.same(nearest('wettsell'), ['WTZR'], 'the beginning of a name');
  t.same(
    nearestTo('alic', ['Alice Plaza', 'ALIC'], (name) => [name], 3),
    ['ALIC', 'Alice Plaza'],
  );
  t.same(nearest('zzzzzz'), []);
  t.same(nearest('   '), []);
  t.same(nearest('x'.repeat(10_000)), []);
});

t.test(
  'equally near candidates keep their order, however they are divided into parts',
  async (t) => {
    const names = ['Tosn', 'Town', 'Towen', 'Twon', 'Townsville', 'Other', 'Torn', 'tow', 'Two'];
    const nearest = ['Town', 'Townsville', 'Tosn', 'Towen', 'Twon', 'Torn', 'tow'];
    for (const most of [1, 2, 5, 9]) {
      for (const size of [1, 4, names.length]) {
        let found: string[] = [];
        for (let begin = 0; begin < names.length; begin += size)
          found = nearestTo(
            'tow n',
            [...found, ...names.slice(begin, begin + size)],
            (name) => [name],
            most,
          );
        t.same(found, nearest.slice(0, most), `${most} of ${size}`);
      }
    }
  },
);
