import t from 'tap';
import { WITHHELD } from '../../../src/findings/findings.js';
import { Phrases } from '../../../src/site-log/contacts/phrases.js';

const replaced = (phrases: string[], text: string): string =>
  new Phrases(phrases).withheldIn(text).replaceAll(WITHHELD, '*');

t.test('phrases are replaced wherever they are whole words, without regard to case', async (t) => {
  const cases: [string[], string, string][] = [
    [['Maria Sample'], 'ask Maria Sample, or maria\n SAMPLE.', 'ask *, or *.'],
    [['Maria Sample'], 'Maria Samples, AnnaMaria Sample, Maria, Sample', ''],
    [['Straße'], 'STRASSE 1, Straßen', '* 1, Straßen'],
    [['GPS GLO'], 'GPS+GLO+GAL', '*+GAL'],
    [['+61 2 6249'], 'tel. +61 2 6249, 61  2 6249; +61 2 62490', 'tel. *, *; +61 2 62490'],
    [["J. O'Neill"], "by J. O'Neill", 'by *'],
    [['a b c', 'b'], 'a b c, a b, b c', '*, a *, * c'],
    [['a b c d', 'b c'], 'a b c e', 'a * e'],
    [['a b', 'b c'], 'a b c d', '* d'],
    [['a b', 'c'], 'a b c', '* *'],
    [['a a'], 'a a a a b', '* b'],
    [['b a', 'a b a b c'], 'a b a b a b c', 'a *'],
    [['x'], '', ''],
    [[], 'a b', ''],
    [['', ' + '], 'a + b', ''],
  ];
  for (const [phrases, text, expected] of cases)
    t.equal(replaced(phrases, text), expected || text, `${phrases.join(' | ')} in ${text}`);
});

t.test('they are what a search for each of them finds', async (t) => {
  // All texts of up to seven words out of two, and phrases that are parts of each other.
  const wordsOf = (number: number): string[] =>
    [...number.toString(2).slice(1)].map((digit) => (digit === '0' ? 'a' : 'b'));
  const phrases = ['a a b', 'a b', 'b b a b', 'b a a a'];
  const search = new Phrases(phrases);
  for (let number = 2; number < 256; number++) {
    const words = wordsOf(number);
    const isFound = words.map(() => false);
    for (const phrase of phrases.map((each) => each.split(' '))) {
      for (let at = 0; at + phrase.length <= words.length; at++) {
        if (phrase.every((word, index) => words[at + index] === word))
          isFound.fill(true, at, at + phrase.length);
      }
    }
    const left = words.filter((_, index) => !isFound[index]).join(' ');
    const text = words.join(' ');
    const found = search.withheldIn(text).replaceAll(WITHHELD, ' ').trim().split(/\s+/).join(' ');
    t.equal(found, left, text);
  }
});
