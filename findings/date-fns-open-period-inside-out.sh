#!/bin/sh
# A device that is still in use has a period without an end: null. date-fns 4.4.0 reads null as 1970
# and turns the period round: a receiver installed in 2008 is in use in 1990 but not in 2026, and
# overlaps only what is before 2008. With undefined or Infinity as the end, it is never in use. None of
# that gives an error. isWithinInterval counts the end, areIntervalsOverlapping does not: when a
# receiver is exchanged, two are in use, but do not overlap. With an end in the far future, an open
# period is right.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts date-fns@4.4.0 >&2

cat > read.js <<'JS'
import { areIntervalsOverlapping, isWithinInterval, parseISO } from 'date-fns';

const year = (number) => parseISO(`${number}-01-01T00:00:00Z`);
const YEARS = [1990, 2007, 2008, 2026];
const ENDS = { null: null, undefined, Infinity, 9999: year(9999) };
for (const [name, end] of Object.entries(ENDS)) {
  const period = { start: year(2008), end };
  const used = YEARS.filter((number) => isWithinInterval(year(number), period));
  const overlapped = YEARS.filter((number) =>
    areIntervalsOverlapping(period, { start: year(number), end: year(number + 1) }),
  );
  console.log(`2008 to ${name}: in use ${used.join(' ') || '-'}; overlaps ${overlapped.join(' ') || '-'}`);
}
const before = { start: year(1999), end: year(2008) };
const after = { start: year(2008), end: year(2026) };
const both = [before, after].filter((period) => isWithinInterval(year(2008), period));
console.log(`exchange: ${both.length} in use; overlap: ${areIntervalsOverlapping(before, after)}`);
JS
node read.js > seen

cat > expected <<'SEEN'
2008 to 9999: in use 2008 2026; overlaps 2008 2026
2008 to null: in use 1990 2007 2008; overlaps 1990 2007
2008 to undefined: in use -; overlaps -
2008 to Infinity: in use -; overlaps -
exchange: 2 in use; overlap: false
SEEN
diff expected seen && cat seen
