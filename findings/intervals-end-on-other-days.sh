#!/bin/sh
# Five libraries read intervals of ISO 8601, such as the time for which an antenna stood. aniso8601 9.0.1 (Debian
# package python3-aniso8601) reads 24:00, the end of a day, as its beginning; a month is 30 days to it, a year 365, so
# that 2016-01-31/P1Y ends on 30 January. @0dep/piso 5.1.2 (npm) adds a month to 31 January and gets 2 March, luxon
# 3.7.2 29 February. luxon reads the short form 2016-06-01/15 as until 15:00 today. A last day counts as a whole for
# edtf 4.11.1 and @edtf-ts/core 0.4.2 only; edtf reads the fraction .5 as 5 ms, edtf-ts ignores it, and ends a second
# later. Nothing gives a message, except for forms that EDTF does not have. So write both ends as instants, without
# 24:00 and without a fraction.
set -eu

VERSION='9.0.1-2'
installed() { dpkg-query --show --showformat='${Version}' python3-aniso8601 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] ||
  apt-get install --yes --no-install-recommends "python3-aniso8601=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts luxon@3.7.2 @0dep/piso@5.1.2 edtf@4.11.1 \
  @edtf-ts/core@0.4.2 >&2

cat > read.py <<'PYTHON'
import sys
from datetime import datetime, timezone

from aniso8601 import parse_interval


def instant(found):
    if not isinstance(found, datetime):
        found = datetime(found.year, found.month, found.day)
    return found.replace(tzinfo=timezone.utc).isoformat(timespec='milliseconds').replace('+00:00', 'Z')


print(' '.join(instant(found) for found in sorted(parse_interval(sys.argv[1]), key=instant)))
PYTHON
cat > read.js <<'JS'
import { execFileSync } from 'node:child_process';
import { parseInterval } from '@0dep/piso';
import { parse } from '@edtf-ts/core';
import edtf from 'edtf';
import { Interval } from 'luxon';

const [text] = process.argv.slice(2);
const readers = {
  aniso8601: () => String(execFileSync('/usr/bin/python3', ['read.py', text], { stdio: ['ignore', 'pipe', 'ignore'] })).trim().split(' '),
  luxon: () => Interval.fromISO(text, { zone: 'utc' }).toISO().split('/'),
  piso: () => [parseInterval(text).getStartAt(), parseInterval(text).getExpireAt()],
  edtf: () => [edtf(text).min, edtf(text).max],
  'edtf-ts': () => [parse(text).value.min, parse(text).value.max],
};
const today = new Date().toISOString().slice(0, 10);
console.log(text);
for (const [name, read] of Object.entries(readers)) {
  try {
    const ends = read().map((end) => new Date(end).toISOString().replace(today, 'today').replace('.000Z', 'Z'));
    console.log(`  ${name}: ${ends.join(' ')}`);
  } catch {
    console.log(`  ${name}: error`);
  }
}
JS
for text in 2016-06-01/2016-06-30 2016-06-01/15 2016-01-31/P1M P1M/2016-07-31 2016-01-31/P1Y \
  2016-06-01T00:00:00Z/2016-06-30T24:00:00Z 2016-06-01T00:00:00.5Z/2016-06-30T00:00:00Z; do
  TZ=UTC node read.js "$text"
done > seen

cat > expected <<'SEEN'
2016-06-01/2016-06-30
  aniso8601: 2016-06-01T00:00:00Z 2016-06-30T00:00:00Z
  luxon: 2016-06-01T00:00:00Z 2016-06-30T00:00:00Z
  piso: 2016-06-01T00:00:00Z 2016-06-30T00:00:00Z
  edtf: 2016-06-01T00:00:00Z 2016-06-30T23:59:59.999Z
  edtf-ts: 2016-06-01T00:00:00Z 2016-06-30T23:59:59.999Z
2016-06-01/15
  aniso8601: 2016-06-01T00:00:00Z 2016-06-15T00:00:00Z
  luxon: 2016-06-01T00:00:00Z todayT15:00:00Z
  piso: 2016-06-01T00:00:00Z 2016-06-15T00:00:00Z
  edtf: error
  edtf-ts: error
2016-01-31/P1M
  aniso8601: 2016-01-31T00:00:00Z 2016-03-01T00:00:00Z
  luxon: 2016-01-31T00:00:00Z 2016-02-29T00:00:00Z
  piso: 2016-01-31T00:00:00Z 2016-03-02T00:00:00Z
  edtf: error
  edtf-ts: error
P1M/2016-07-31
  aniso8601: 2016-07-01T00:00:00Z 2016-07-31T00:00:00Z
  luxon: 2016-06-30T00:00:00Z 2016-07-31T00:00:00Z
  piso: 2016-07-01T00:00:00Z 2016-07-31T00:00:00Z
  edtf: error
  edtf-ts: error
2016-01-31/P1Y
  aniso8601: 2016-01-31T00:00:00Z 2017-01-30T00:00:00Z
  luxon: 2016-01-31T00:00:00Z 2017-01-31T00:00:00Z
  piso: 2016-01-31T00:00:00Z 2017-01-31T00:00:00Z
  edtf: error
  edtf-ts: error
2016-06-01T00:00:00Z/2016-06-30T24:00:00Z
  aniso8601: 2016-06-01T00:00:00Z 2016-06-30T00:00:00Z
  luxon: 2016-06-01T00:00:00Z 2016-07-01T00:00:00Z
  piso: 2016-06-01T00:00:00Z 2016-07-01T00:00:00Z
  edtf: 2016-06-01T00:00:00Z 2016-07-01T00:00:00Z
  edtf-ts: error
2016-06-01T00:00:00.5Z/2016-06-30T00:00:00Z
  aniso8601: 2016-06-01T00:00:00.500Z 2016-06-30T00:00:00Z
  luxon: 2016-06-01T00:00:00.500Z 2016-06-30T00:00:00Z
  piso: 2016-06-01T00:00:00.500Z 2016-06-30T00:00:00Z
  edtf: 2016-06-01T00:00:00.005Z 2016-06-30T00:00:00Z
  edtf-ts: 2016-06-01T00:00:00Z 2016-06-30T00:00:00.999Z
SEEN
diff expected seen && cat seen
