import t from 'tap';
import { areInConflict, conflictsOf, type SiteStay } from '../../src/derive/conflicts.js';

const DAYS = ['1', '2', '3', '4'];
/** Every stay at two Sites between these days, and one with an unknown start. */
const STAYS: SiteStay[] = [1, 2].flatMap((siteId) => [
  ...DAYS.flatMap((from, index) =>
    [...DAYS.slice(index + 1), null].map((to) => ({ siteId, period: { from, to } })),
  ),
  { siteId, period: { from: null, to: null } },
]);

function meet(
  { siteId, period }: SiteStay,
  { siteId: other, period: otherPeriod }: SiteStay,
): boolean {
  const [{ from, to }, { from: otherFrom, to: otherTo }] = [period, otherPeriod];
  if (siteId === other || from === null || otherFrom === null) return false;
  return (to === null || otherFrom < to) && (otherTo === null || from < otherTo);
}

const startOf = ({ period }: SiteStay): string => period.from ?? '';

t.test(
  'stays conflict if two of them, at different Sites, have an instant in common',
  async (t) => {
    for (const first of STAYS) {
      for (const second of STAYS) {
        const wrong = STAYS.filter((third) => {
          const stays = [first, second, third].sort((a, b) => {
            if (startOf(a) === startOf(b)) return 0;
            return startOf(a) < startOf(b) ? -1 : 1;
          });
          return (
            areInConflict(stays) !==
            (meet(first, second) || meet(first, third) || meet(second, third))
          );
        });
        t.same(wrong, [], JSON.stringify([first, second]));
      }
      t.same(
        conflictsOf(first, STAYS),
        STAYS.filter((other) => meet(first, other)),
        JSON.stringify(first),
      );
    }
    t.notOk(areInConflict([]));
  },
);
