#!/bin/sh
# Day 86 of 2008, 26 March, is 2008-086 in ISO 8601; its noon is 2008:086:43200 in SINEX. GMT 6.4.0
# (Debian package gmt) reads 2008-086 as 1 August, and days such as 2008-131 as NaN; dayjs 1.11.23
# reads 6 August, and day 366 as a day of 2010. For both, the form of SINEX is on 1 January.
# None of that gives a message or an error. luxon 3.7.2, moment 2.31.0 and date-fns 4.4.0 read ISO's
# form rightly and refuse that of SINEX. With FORMAT_DATE_IN=yyyy-jjj, GMT reads the right day of
# both forms, but still midnight for noon.
set -eu

VERSION='6.4.0+dfsg-2'
installed() { dpkg-query --show --showformat='${Version}' gmt 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] || apt-get install --yes --no-install-recommends "gmt=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts \
  dayjs@1.11.23 luxon@3.7.2 moment@2.31.0 date-fns@4.4.0 >&2

cat > read.js <<'JS'
import { parseISO } from 'date-fns';
import dayjs from 'dayjs';
import { DateTime } from 'luxon';
import moment from 'moment';

const readers = {
  dayjs: (text) => dayjs(text).toDate(),
  luxon: (text) => DateTime.fromISO(text).toJSDate(),
  moment: (text) => moment(text, moment.ISO_8601).toDate(),
  'date-fns': (text) => parseISO(text),
};
const [text] = process.argv.slice(2);
const found = Object.entries(readers).map(([name, read]) => {
  const date = read(text);
  return `${name} ${Number.isNaN(date.getTime()) ? '-' : date.toISOString().slice(0, 16)}`;
});
console.log(`${text}: ${found.join(', ')}`);
JS
# What GMT reads in the second of two rows.
gmt_reads() {
  printf '%s\n' "$2" "$1" | gmt convert -f0T "--FORMAT_DATE_IN=$3" 2>&1 | sed -n 2p | cut -c1-16
}
for text in 2008-001 2008-086 2008-131 2008-366 2008:086:43200; do
  TZ=UTC node read.js "$text"
  echo "  gmt $(gmt_reads "$text" 2008-03-26 yyyy-mm-dd), yyyy-jjj $(gmt_reads "$text" 2008-086 yyyy-jjj)"
done > seen

cat > expected <<'SEEN'
2008-001: dayjs 2007-12-01T00:00, luxon 2008-01-01T00:00, moment 2008-01-01T00:00, date-fns 2008-01-01T00:00
  gmt NaN, yyyy-jjj 2008-01-01T00:00
2008-086: dayjs 2008-08-06T00:00, luxon 2008-03-26T00:00, moment 2008-03-26T00:00, date-fns 2008-03-26T00:00
  gmt 2008-08-01T00:00, yyyy-jjj 2008-03-26T00:00
2008-131: dayjs 2009-01-01T00:00, luxon 2008-05-10T00:00, moment 2008-05-10T00:00, date-fns 2008-05-10T00:00
  gmt NaN, yyyy-jjj 2008-05-10T00:00
2008-366: dayjs 2010-12-06T00:00, luxon 2008-12-31T00:00, moment 2008-12-31T00:00, date-fns 2008-12-31T00:00
  gmt NaN, yyyy-jjj 2008-12-31T00:00
2008:086:43200: dayjs 2008-01-01T00:08, luxon -, moment -, date-fns -
  gmt 2008-01-01T00:00, yyyy-jjj 2008-03-26T00:00
SEEN
diff expected seen && cat seen
