#!/bin/sh
# GMT 6.4.0 (Debian package gmt) reads comma-separated rows, but an empty cell is no column to it:
# it takes consecutive commas as one separator. All later values move to the left. With -i, which
# picks columns by number, that is silent: the value of another column is printed. Without -i, a
# shorter row among complete ones leaves nothing of the file: messages on stderr, no rows, status 0.
# A cell with NaN keeps its column. So before GMT reads such a table, write NaN into empty cells.
set -eu

VERSION='6.4.0+dfsg-2'
installed() { dpkg-query --show --showformat='${Version}' gmt 2>/dev/null || true; }
[ "$(installed)" = "$VERSION" ] || apt-get install --yes --no-install-recommends "gmt=$VERSION" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Longitude, latitude, height, number: the second row has no latitude.
printf '133.88,-23.67,603.3,7\n-0.5,,12.3,8\n' > rows.csv
sed 's/,,/,NaN,/' rows.csv > nan.csv

{
  echo 'height of each row, empty cell:'
  gmt convert rows.csv -i0,2
  echo 'height of each row, NaN:'
  gmt convert nan.csv -i0,2
  echo 'all columns, empty cell:'
  gmt convert rows.csv 2>/dev/null
  echo "status $?"
} > seen

cat > expected <<'SEEN'
height of each row, empty cell:
133.88	603.3
-0.5	8
height of each row, NaN:
133.88	603.3
-0.5	12.3
all columns, empty cell:
status 0
SEEN
diff expected seen && cat seen
