import t from 'tap';
import { countsOf, type Note, type Reason } from '../../src/findings/notes.js';

/** How notes are counted; the numbers begin the lines. */

const numbersOf = (notes: Note[]): number[] => countsOf(notes).map(Number.parseFloat);

const noLine = (...reasons: Reason[]): Note => ({ code: 'no-line', block: null, reasons });
const wide = [{ name: 'up', value: 1e9 }];
const eccentricities = (unknown: string[], tooWide: typeof wide): Reason => ({
  code: 'eccentricities',
  unknown,
  tooWide,
  known: [],
});

t.test('missing lines are counted by their last reason, the most frequent first', async (t) => {
  const noReceiver: Reason = { code: 'no-device', device: 'receiver' };
  const unknown = eccentricities(['up'], []);
  const unknownAndWide = eccentricities(['north'], wide);
  const onlyWide = eccentricities([], wide);
  t.same(numbersOf([noLine(unknown), noLine(noReceiver, unknownAndWide)]), [2]);
  t.same(numbersOf([noLine(onlyWide), noLine(unknown), noLine(onlyWide)]), [2, 1]);
  t.same(numbersOf([noLine(unknown), noLine(onlyWide), noLine(onlyWide)]), [2, 1]);
  t.same(numbersOf([noLine(noReceiver), noLine(unknown)]), [1, 1]);
  const azimuth: Note = { code: 'wide-azimuth', azimuth: 1e9 };
  t.same(numbersOf([noLine(onlyWide), azimuth]), [2], 'what does not fit its columns');
});
