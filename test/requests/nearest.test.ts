import t from 'tap';
import { differences, nearestTo } from '../../src/requests/nearest.js';

t.test('differences are characters that are replaced, added, missing or exchanged', async (t) => {
  for (const [a, b, number] of [
    ['alic', 'alic', 0],
    ['alic', 'alik', 1],
    ['alic', 'ali', 1],
    ['alic', 'alicx', 1],
    ['alic', 'ailc', 1],
    ['alic', 'cila', 3],
    ['', 'ab', 2],
  ] as const) {
    t.equal(differences(a, b, 5), number, `${a} ${b}`);
    t.equal(differences(b, a, 5), number, `${b} ${a}`);
  }
  t.equal(differences('aaaa', 'bbbb', 2), 3, 'counting stops past the limit');
  t.equal(differences('a', 'aaaaaa', 2), 3);
});

t.test('the nearest candidates come first, and only those with few differences', async (t) => {
  const sites = [
    ['ALIC', 'Alice Springs'],
    ['ALBY', 'Albany'],
    ['WTZR', 'Wettzell / Germany'],
    ['MOBS', 'Melbourne Observatory'],
  ];
  const nearest = (text: string, most = 3) => nearestTo(text, sites, (texts) => texts, most).map(([id]) => id);
  t.same(nearest('alci'), ['ALIC']);
  t.same(nearest('albany'), ['ALBY']);
  t.same(nearest('wetzel'), ['WTZR']);
  t.same(nearest('Melborne'), ['MOBS']);
  t.same(nearest('al'), ['ALIC', 'ALBY']);
  t.same(nearest('al', 1), ['ALIC']);
  t.same(nearest('zzzzzz'), []);
  t.same(nearest('   '), []);
  t.same(nearest('x'.repeat(10_000)), []);
});

t.test('twenty thousand candidates do not take long', async (t) => {
  const names = Array.from({ length: 20_000 }, (_, index) => `Station ${index.toString(36)} of the network`);
  t.equal(nearestTo('statoin', names, (name) => [name], 5).length, 5);
});
