#!/bin/sh
# gpsdecode of gpsd 3.22 (Debian package gpsd-clients) reads recorded NMEA 0183, which states the date. It adds
# 1,024 or 2,048 weeks, the periods after which receivers forget the GPS week, to each date before 2017: 26
# March 2008 becomes 10 November 2027, and 31 December 2016 becomes 16 August 2036. That is so for RMC, with two
# digits of the year, and for ZDA, with four. Since 1 January 2017, after the last leap second, dates
# are right. GPSBabel 1.8.0 (gpsbabel) reads 2008. gps 0.9.0 (npm) does so too, but after a sentence GGA, which
# has no date, its state has today's. Nothing gives a message.
set -eu

GPSD='3.22-4.1+deb12u1'
GPSBABEL='1.8.0+ds-5'
installed() { dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null || true; }
[ "$(installed gpsd-clients) $(installed gpsbabel)" = "$GPSD $GPSBABEL" ] ||
  apt-get install --yes --no-install-recommends "gpsd-clients=$GPSD" "gpsbabel=$GPSBABEL" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts gps@0.9.0 >&2

# Prints three seconds of a station, at noon of a day, with the sentence RMC or ZDA.
cat > write.js <<'JS'
const [kind, day] = process.argv.slice(2);
const [year, month, date] = day.split('-');
const place = '2340.20662,S,13353.13128,E';
for (const second of ['00', '01', '02']) {
  const time = `1200${second}.00`;
  const sentences = [
    kind === 'RMC'
      ? `GPRMC,${time},A,${place},0.0,0.0,${date}${month}${year.slice(2)},,`
      : `GPZDA,${time},${date},${month},${year},00,00`,
    `GPGGA,${time},${place},1,08,1.0,587.836,M,15.400,M,,`,
  ];
  for (const sentence of sentences) {
    const sum = [...sentence].reduce((value, character) => value ^ character.charCodeAt(), 0);
    process.stdout.write(`$${sentence}*${sum.toString(16).toUpperCase().padStart(2, '0')}\r\n`);
  }
}
JS
cat > read.js <<'JS'
import { readFileSync } from 'node:fs';
import { GPS } from 'gps';

const day = (time) => time.toISOString().slice(0, 10);
const gps = new GPS();
for (const line of readFileSync('station.nmea', 'utf8').trim().split('\r\n')) gps.update(line);
const { time } = GPS.Parse(readFileSync('station.nmea', 'utf8').split('\r\n')[0]);
const isToday = day(gps.state.time) === day(new Date());
console.log(`gps ${day(time)}, gps after GGA ${isToday ? 'today' : day(gps.state.time)}`);
JS
{
  for kind in RMC ZDA; do
    for day in 1994-03-23 2008-03-26 2016-12-31 2017-01-01 2020-01-01; do
      node write.js "$kind" "$day" > station.nmea
      decoded=$(gpsdecode < station.nmea | sed -n 's/.*"time":"\([0-9-]*\)T.*/\1/p' | sort -u)
      echo "$kind, $day: gpsdecode $decoded, $(TZ=UTC node read.js)"
    done
  done
  node write.js RMC 2008-03-26 > station.nmea
  echo "RMC, 2008-03-26: gpsbabel $(gpsbabel -t -i nmea -f station.nmea -o unicsv,utc=0 -F - | tail -1 | grep -oE '[0-9]+/[0-9]+/[0-9]+')"
} > seen

cat > expected <<'SEEN'
RMC, 1994-03-23: gpsdecode 2033-06-22, gps 1994-03-23, gps after GGA today
RMC, 2008-03-26: gpsdecode 2027-11-10, gps 2008-03-26, gps after GGA today
RMC, 2016-12-31: gpsdecode 2036-08-16, gps 2016-12-31, gps after GGA today
RMC, 2017-01-01: gpsdecode 2017-01-01, gps 2017-01-01, gps after GGA today
RMC, 2020-01-01: gpsdecode 2020-01-01, gps 2020-01-01, gps after GGA today
ZDA, 1994-03-23: gpsdecode 2033-06-22, gps 1994-03-23, gps after GGA today
ZDA, 2008-03-26: gpsdecode 2027-11-10, gps 2008-03-26, gps after GGA today
ZDA, 2016-12-31: gpsdecode 2036-08-16, gps 2016-12-31, gps after GGA today
ZDA, 2017-01-01: gpsdecode 2017-01-01, gps 2017-01-01, gps after GGA today
ZDA, 2020-01-01: gpsdecode 2020-01-01, gps 2020-01-01, gps after GGA today
RMC, 2008-03-26: gpsbabel 2008/03/26
SEEN
diff expected seen && cat seen
