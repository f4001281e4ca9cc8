import t from 'tap';
import { sortProblems } from '../../src/check-service/sort-checks.js';

t.test('text sorts by code points, unknown values come last in both directions, and the first column counts most', (t) => {
  t.same(sortProblems([[1], [2], [10], [null]], [false]), []);
  t.same(sortProblems([[10], [2], [null], [null]], [true]), []);
  t.same(sortProblems([['B'], ['a'], ['\u{10000}']], [false]), []);
  t.same(sortProblems([['\uffff'], ['\u{10000}']], [false]), []);
  t.same(sortProblems([[false], [true]], [false]), []);
  t.same(sortProblems([[null], [1]], [false]), ['null is before 1']);
  t.same(sortProblems([[null], [1]], [true]), ['null is before 1']);
  t.same(sortProblems([[10], [9]], [false]), ['10 is before 9']);
  t.same(
    sortProblems(
      [
        ['b', 1],
        ['a', 1],
        ['a', 2],
      ],
      [true, false],
    ),
    [],
  );
  t.same(
    sortProblems(
      [
        ['a', 2],
        ['a', 1],
      ],
      [true, false],
    ),
    ['2 is before 1'],
  );
  t.end();
});
