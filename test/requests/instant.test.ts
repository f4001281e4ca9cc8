import fc from 'fast-check';
import t from 'tap';
import { parseInstant, whyNoInstant } from '../../src/requests/instant.js';
import { casesOf, SEED, triesMore } from '../effort.js';
import { isCanonical, reads, timeLike } from './time-texts.js';

t.test(
  'times with any offset become UTC, cut to whole seconds',
  reads(
    parseInstant,
    /* prettier-ignore */ [
    ['2013-07-08T00:45:00Z', '2013-07-08T00:45:00Z'], ['2013-07-08t00:45:00z', '2013-07-08T00:45:00Z'],
    ['2013-07-08T00:45Z', '2013-07-08T00:45:00Z'], ['2013-07-08T00:45:00+00:00', '2013-07-08T00:45:00Z'],
    ['2013-07-08T00:45:00-00:00', '2013-07-08T00:45:00Z'], ['2013-07-08T10:15:00+09:30', '2013-07-08T00:45:00Z'],
    ['2013-07-07T14:45-10:00', '2013-07-08T00:45:00Z'], ['2012-03-01T00:30:00+01:00', '2012-02-29T23:30:00Z'],
    ['2013-03-01T00:30:00+01:00', '2013-02-28T23:30:00Z'], ['2012-12-31T23:30:00-01:00', '2013-01-01T00:30:00Z'],
    ['2013-07-08T00:45:00+18:00', '2013-07-07T06:45:00Z'], ['2013-07-08T00:45:00.0Z', '2013-07-08T00:45:00Z'],
    ['2013-07-08T00:45:00.999999999Z', '2013-07-08T00:45:00Z'],
    ['2013-07-08T00:45:00.5+10:00', '2013-07-07T14:45:00Z'], ['2013-07-08T23:59:59Z', '2013-07-08T23:59:59Z'],
    ['1969-12-31T23:59:59Z', '1969-12-31T23:59:59Z'],
  ],
  ),
);

t.test(
  'a date is its midnight; leap years follow the Gregorian calendar',
  reads(
    parseInstant,
    /* prettier-ignore */ [
    ['2013-07-08', '2013-07-08T00:00:00Z'], ['2012-02-29', '2012-02-29T00:00:00Z'], ['2013-02-29', null],
    ['2000-02-29', '2000-02-29T00:00:00Z'], ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'], ['1900-02-29', null],
    ['2100-02-29', null], ['0001-01-01', '0001-01-01T00:00:00Z'], ['0099-12-31', '0099-12-31T00:00:00Z'],
    ['9999-12-31', '9999-12-31T00:00:00Z'],
  ],
  ),
);

t.test(
  'year and day of year, in leap years and others',
  reads(
    parseInstant,
    /* prettier-ignore */ [
    ['2013:189', '2013-07-08T00:00:00Z'], ['2013:001', '2013-01-01T00:00:00Z'], ['2013:059', '2013-02-28T00:00:00Z'],
    ['2013:060', '2013-03-01T00:00:00Z'], ['2012:060', '2012-02-29T00:00:00Z'], ['2012:061', '2012-03-01T00:00:00Z'],
    ['2013:365', '2013-12-31T00:00:00Z'], ['2013:366', null], ['2012:365', '2012-12-30T00:00:00Z'],
    ['2012:366', '2012-12-31T00:00:00Z'], ['2012:367', null], ['2000:366', '2000-12-31T00:00:00Z'],
    ['1900:365', '1900-12-31T00:00:00Z'], ['1900:366', null], ['2100:366', null], ['2013:000', null],
    ['2013:999', null], ['0000:001', null], ['9999:365', '9999-12-31T00:00:00Z'],
  ],
  ),
);

t.test(
  'GPS week and day of week, from Sunday, across rollovers of the broadcast week',
  reads(
    parseInstant,
    /* prettier-ignore */ [
    ['0:0', '1980-01-06T00:00:00Z'], ['0000:0', '1980-01-06T00:00:00Z'], ['0:6', '1980-01-12T00:00:00Z'],
    ['1:0', '1980-01-13T00:00:00Z'], ['1748:1', '2013-07-08T00:00:00Z'], ['1748:0', '2013-07-07T00:00:00Z'],
    ['1748:6', '2013-07-13T00:00:00Z'], ['1749:0', '2013-07-14T00:00:00Z'], ['1023:6', '1999-08-21T00:00:00Z'],
    ['1024:0', '1999-08-22T00:00:00Z'], ['2047:6', '2019-04-06T00:00:00Z'], ['2048:0', '2019-04-07T00:00:00Z'],
    ['3071:6', '2038-11-20T00:00:00Z'], ['3072:0', '2038-11-21T00:00:00Z'], ['1042:2', '1999-12-28T00:00:00Z'],
    ['1051:2', '2000-02-29T00:00:00Z'], ['1678:4', '2012-03-08T00:00:00Z'], ['9999:6', '2171-08-31T00:00:00Z'],
    ['1748:7', null], ['1748:-1', null], ['1748:', null], [':1', null], ['-1:1', null], ['10000:0', null],
    ['1748:01', null], ['1748:1.5', null], ['2013:18', null],
  ],
  ),
);

t.test(
  'any other text is null',
  reads(
    parseInstant,
    /* prettier-ignore */ [
    ['', null], [' ', null], ['now', null], ['null', null], ['9999-99-99T99:99Z', null], ['2011-20-07', null],
    ['2013-00-01', null], ['2013-01-00', null], ['2013-04-31', null], ['0000-01-01', null], ['-2013-01-01', null],
    ['+2013-01-01', null], ['12013-01-01', null], ['2013-7-8', null], ['2013-07', null], ['2013', null],
    ['20130708', null], ['08.07.2013', null], ['2013/07/08', null], ['2013-07-08 00:45:00Z', null],
    ['2013-07-08T00:45:00', null], ['2013-07-08T', null], ['2013-07-08Z', null], ['2013-07-08T00Z', null],
    ['2013-07-08T24:00:00Z', null], ['2013-07-08T23:60:00Z', null], ['2012-06-30T12:00:60Z', null],
    ['2013-07-08T00:45:00.Z', null], ['2013-07-08T00:45:00.0000000000Z', null], ['2013-07-08T00:45.5Z', null],
    ['2013-07-08T00:45:00+10', null], ['2013-07-08T00:45:00+1000', null], ['2013-07-08T00:45:00+19:00', null],
    ['2013-07-08T00:45:00+18:01', null], ['2013-07-08T00:45:00 10:00', null], ['2013-07-08T00:45:00Z ', null],
    [' 2013-07-08', null], ['2013-07-08\n', null], ['2013-07-08\u0000', null], ['２０１３-07-08', null],
    ['٢٠١٣:189', null], ['2013:189\n', null], ['0001-01-01T00:00:00+00:01', null],
    ['9999-12-31T23:59:59-00:01', null],
  ],
  ),
);

t.test(
  'what is wrong with a time is said, on both sides of each limit',
  reads(
    whyNoInstant,
    /* prettier-ignore */ [
    ['2012-02-30', '2012-02 has 29 days'], ['2012-02-29', null], ['2013-02-29', '2013-02 has 28 days'],
    ['1900-02-29', '1900-02 has 28 days'], ['2000-02-30', '2000-02 has 29 days'],
    ['2013-04-31T25:00', '2013-04 has 30 days'], ['2013-12-31', null], ['2013-12-32', '2013-12 has 31 days'],
    ['2013-01-00', '2013-01 has 31 days'], ['2013-00-01', 'months are 01 to 12'],
    ['2013-13-01', 'months are 01 to 12'], ['2013:365', null], ['2013:366', '2013 has 365 days'], ['2012:366', null],
    ['2012:367', '2012 has 366 days'], ['2012:000', '2012 has 366 days'], ['0000:001', 'years are 0001 to 9999'],
    ['1748:6', null], ['1748:7', 'the days of a GPS week are 0 (Sunday) to 6'],
    ['2013-07-08T00:45:00', 'add Z: times are UTC'], ['2013-07-08T00:45', 'add Z: times are UTC'],
    ['2013-07-08T24:00:00Z', 'hours are 00 to 23'], ['2013-07-08T23:60Z', 'minutes are 00 to 59'],
    ['2013-07-08T23:59:61Z', 'seconds are 00 to 59'], ['2013-07-08T22:59:60Z', 'seconds are 00 to 59'],
    ['2013-07-08T23:58:60Z', 'seconds are 00 to 59'], ['2013-07-08T00:45:00+18:00', null],
    ['2013-07-08T00:45:00-18:01', 'offsets are at most 18:00, with minutes 00 to 59'],
    ['2013-07-08T00:45:00+10:60', 'offsets are at most 18:00, with minutes 00 to 59'],
    ['9999-12-31T23:59:60Z', 'in UTC, years are 0001 to 9999'],
    ['0001-01-01T00:00+00:01', 'in UTC, years are 0001 to 9999'], ['2013-7-8', null], ['now', null],
  ],
  ),
);

t.test(
  'whatever the text, what is read is a real instant as YYYY-MM-DDThh:mm:ssZ, or nothing',
  triesMore,
  async (t) => {
    let read = 0;
    fc.assert(
      fc.property(timeLike, (text) => {
        const instant = parseInstant(text);
        if (instant !== null) read++;
        return instant === null || isCanonical(instant);
      }),
      { numRuns: casesOf(20_000), seed: SEED },
    );
    t.ok(read > casesOf(2000), `${read} of them are times`);
  },
);

t.test(
  'every instant is read as itself, and its day by the year and by the week too',
  triesMore,
  async () => {
    const start = Date.UTC(1980, 0, 6);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Math.floor((Date.UTC(2171, 7, 31) - start) / 1000) }),
        (seconds) => {
          const instant = new Date(start + seconds * 1000).toISOString().replace('.000Z', 'Z');
          const date = instant.slice(0, 10);
          const days = Math.floor(seconds / 86_400);
          const ordinal =
            (Date.parse(date) - Date.parse(`${date.slice(0, 4)}-01-01`)) / 86_400_000 + 1;
          const forms = [
            date,
            `${date.slice(0, 4)}:${String(ordinal).padStart(3, '0')}`,
            `${Math.floor(days / 7)}:${days % 7}`,
          ];
          return (
            parseInstant(instant) === instant &&
            forms.every((form) => parseInstant(form) === `${date}T00:00:00Z`)
          );
        },
      ),
      { numRuns: casesOf(5000), seed: SEED },
    );
  },
);

t.test(
  'what needs no arithmetic is read as with an offset of 0, which needs it',
  triesMore,
  async (t) => {
    let read = 0;
    fc.assert(
      fc.property(timeLike, (text) => {
        if (!/^\d+-\d+-\d+(T[\d:]+Z)?$/.test(text)) return true;
        const instant = parseInstant(text);
        if (instant !== null) read++;
        const withOffset = text.endsWith('Z') ? text.replace('Z', '+00:00') : `${text}T00:00+00:00`;
        return instant === parseInstant(withOffset);
      }),
      { numRuns: casesOf(20_000), seed: SEED },
    );
    t.ok(read > casesOf(2000), `${read} of them are times`);
  },
);
