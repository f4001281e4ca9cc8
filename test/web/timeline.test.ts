import t from 'tap';
import { SETUP_EQUIPMENT_TYPES, SETUP_NAME, type Setup } from '../../schemas/index.js';
import { deriveChanges } from '../../src/derive/changes.js';
import { deriveSetups } from '../../src/derive/setups.js';
import { readWholeLog } from '../../src/site-log/read.js';
import { Findings } from '../../src/findings/findings.js';
import { layoutOf } from '../../src/web/timeline/layout.js';
import { joinMarks } from '../../src/web/timeline/marks.js';
import { renderZoomLinks } from '../../src/web/timeline/zoom.js';
import { labelsOf, scaleOf, spanFrom, zoomOf } from '../../src/web/page/time-scale.js';
import { renderTimeline } from '../../src/web/timeline/timeline.js';
import { type Item, logText, type SyntheticLog } from '../synthetic-log.js';

const NOW = '2024-01-01T00:00:00Z';

/** The Setups of a synthetic log, with their timeline layout up to {@link NOW}. */
function layout(log: SyntheticLog) {
  const findings = new Findings('test.log');
  const derived = deriveSetups(
    readWholeLog(Buffer.from(logText(log)), findings).log.items,
    findings,
  );
  const setups: Setup[] = derived.map((setup, index) => ({
    id: index + 1,
    siteId: 1,
    name: SETUP_NAME,
    invalidated: false,
    current: setup.effectivePeriod.to === null,
    ...setup,
  }));
  const changes = deriveChanges(derived);
  const span = spanFrom(setups[0]!.effectivePeriod.from, NOW);
  return {
    setups,
    changes,
    kinds: layoutOf({ setups, changes }, SETUP_EQUIPMENT_TYPES, span, span),
  };
}
/** A receiver; null if it is still in use. */
const receiver = (
  type: string,
  serial: string,
  from: string,
  to: string | null,
  version?: string,
): Item => ({
  type,
  serial,
  from,
  ...(to !== null && { to }),
  ...(version !== undefined && { more: { 'Firmware Version': version } }),
});
/** A lane in short form: the firmware of the items of each run, and its shade. */
const short = (lane: ReturnType<typeof layout>['kinds'][number]['lanes'][number]): string =>
  lane
    .map(({ items, shade }) => {
      const versions = items.map(
        ({ content: { configuration } }) =>
          'firmwareVersion' in configuration && configuration.firmwareVersion,
      );
      return `${versions.join('+')}/${shade}`;
    })
    .join(' ');

t.test(
  'a firmware change continues the run of a device; a replacement starts a new run in another shade',
  async (t) => {
    const { kinds } = layout({
      receivers: [
        receiver('R0', '1', '2010-01-01', '2011-01-01', '1'),
        receiver('R0', '1', '2011-01-01', '2012-01-01', '2'),
        receiver('R1', '2', '2012-01-01', null, '3'),
      ],
    });
    t.same(kinds[0]!.lanes.map(short), ['1+2/0 3/1']);
    t.same(
      kinds[0]!.marks.map(({ kind }) => kind),
      ['installed', 'firmware', 'replaced'],
    );
    t.same([kinds[0]!.gaps, kinds[0]!.overlaps], [[], []]);
  },
);

t.test(
  'a removal and an installation within a day are one mark, and the gap remains visible',
  async (t) => {
    const { kinds } = layout({
      receivers: [
        receiver('R0', '1', '2010-01-01', '2011-01-01T10:00Z', '1'),
        receiver('R0', '1', '2011-01-01T11:00Z', '2012-01-01', '2'),
        receiver('R1', '2', '2012-01-02T00:00Z', '2013-01-01', '3'),
        receiver('R1', '2', '2013-03-01', null, '4'),
      ],
    });
    t.same(kinds[0]!.lanes.map(short), ['1+2/0 3/1 4/1']);
    t.same(
      kinds[0]!.marks.map(({ kind, change }) => `${change.gap === null ? 1 : 2} ${kind}`),
      ['1 installed', '2 firmware', '2 replaced', '1 removed', '1 installed'],
    );
    t.same(kinds[0]!.gaps, [
      { from: '2011-01-01T10:00:00Z', to: '2011-01-01T11:00:00Z' },
      { from: '2012-01-01T00:00:00Z', to: '2012-01-02T00:00:00Z' },
      { from: '2013-01-01T00:00:00Z', to: '2013-03-01T00:00:00Z' },
    ]);
  },
);

t.test('items in use at once have separate lanes, and their overlaps are listed', async (t) => {
  const { kinds } = layout({
    receivers: [
      receiver('R0', '1', '2010-01-01', null, '1'),
      receiver('R1', '2', '2012-01-01', '2013-01-01', '2'),
      receiver('R2', '3', '2014-01-01', null, '3'),
    ],
  });
  t.same(kinds[0]!.lanes.map(short), ['1/0', '2/0 3/1']);
  t.same(
    kinds[0]!.overlaps.map(({ from, to, items }) => [from, to, items.length]),
    [
      ['2012-01-01T00:00:00Z', '2013-01-01T00:00:00Z', 2],
      ['2014-01-01T00:00:00Z', NOW, 2],
    ],
  );
});

t.test(
  'a device that is listed twice is one device in use; of two unknown ones, each is its own',
  async (t) => {
    const { kinds } = layout({
      receivers: [
        receiver('R0', 's-1', '2010-01-01', null),
        receiver('r0', 'S1', '2011-01-01', null, '2'),
        receiver('', '', '2012-01-01', null, '3'),
        receiver('', '', '2013-01-01', null, '4'),
      ],
    });
    t.same(
      kinds[0]!.overlaps.map(({ items, devices }) => `${devices} of ${items.length}`),
      ['1 of 2', '2 of 3', '3 of 4'],
    );
  },
);

t.test(
  'a missing receiver or antenna is a gap from the first of the two, whatever other equipment was there before',
  async (t) => {
    const { kinds } = layout({
      antennas: [receiver('A0', '1', '2010-01-01', null)],
      receivers: [receiver('R0', '1', '2011-01-01', '2012-01-01')],
      clocks: [
        { type: 'INTERNAL', from: '1990-01-01', to: '1991-01-01' },
        { type: 'EXTERNAL', from: '1992-01-01' },
      ],
    });
    t.same(
      kinds.map(({ equipmentType, gaps }) => [equipmentType, gaps]),
      [
        [
          'gnss receiver',
          [
            { from: '2010-01-01T00:00:00Z', to: '2011-01-01T00:00:00Z' },
            { from: '2012-01-01T00:00:00Z', to: NOW },
          ],
        ],
        ['gnss antenna', []],
        ['clock', [{ from: '1991-01-01T00:00:00Z', to: '1992-01-01T00:00:00Z' }]],
      ],
    );
  },
);

t.test('times are placed as percentages of the width, and never outside', async (t) => {
  const { x, width } = scaleOf({ from: '2000-01-01T00:00:00Z', to: '2004-01-01T00:00:00Z' });
  t.same([x('2000-01-01T00:00:00Z'), x('2004-01-01T00:00:00Z'), x(null)], [0, 100, 100]);
  t.same([x('1990-01-01T00:00:00Z'), x('2010-01-01T00:00:00Z')], [0, 100]);
  t.equal(x('2002-01-01T00:00:00Z'), 50.034);
  t.equal(width('2002-01-01T00:00:00Z', null), 49.966);
  t.same(spanFrom('2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'), {
    from: '2024-01-01T00:00:00Z',
    to: '2024-01-02T00:00:00Z',
  });
  // What starts in the future has a width.
  const future = scaleOf(spanFrom('2000-01-01T00:00:00Z', NOW, '2030-01-01T00:00:00Z'));
  t.ok(future.width('2030-01-01T00:00:00Z', null) > 4);
  t.equal(spanFrom('0001-01-01T00:00:00Z', NOW, '9999-12-31T00:00:00Z').to, '9999-12-31T23:59:59Z');
});

t.test('the axis has at most eight labels, years or months', async (t) => {
  const labels = (from: string, to: string) => labelsOf({ from, to }).map(({ label }) => label);
  t.same(labels('1994-05-15T00:00:00Z', NOW), ['1995', '2000', '2005', '2010', '2015', '2020']);
  t.same(labels('2023-01-15T00:00:00Z', NOW), ['2023-04', '2023-07', '2023-10', '2024-01']);
  t.same(labels('2020-01-01T00:00:00Z', NOW), ['2020', '2021', '2022', '2023', '2024']);
  for (let year = 1; year < 2024; year += 50) {
    const count = labels(`${String(year).padStart(4, '0')}-03-01T00:00:00Z`, NOW).length;
    t.ok(count >= 1 && count <= 9, `from the year ${year}: ${count}`);
  }
});

/** How a timeline is shown, unless a test says otherwise. */
const SHOWN = {
  now: NOW,
  prepared: null,
  cursor: null,
  zoom: null,
  hrefAt: (instant: string) => `?at=${instant}`,
};

t.test('every item has its details and a link to the page as of its start', async (t) => {
  const { setups, changes } = layout({
    receivers: [
      receiver('R0', '1', '2010-01-01', '2011-01-01', '1.5'),
      receiver('R1', '2', '2011-01-01', null),
    ],
  });
  const { text } = renderTimeline({ setups, changes, ...SHOWN, cursor: '2010-06-01T00:00:00Z' });
  t.match(
    text,
    /href="\?at=2010-01-01T00:00:00Z"\s*aria-label="GNSS receiver R0, serial number 1, 2010-01-01 to 2011-01-01\. Firmware 1\.5\."/,
  );
  t.match(
    text,
    /href="\?at=2011-01-01T00:00:00Z"\s*aria-label="GNSS receiver R1, serial number 2, since 2011-01-01\. "/,
  );
  t.match(text, /class="cursor"[\s\S]*2010-06-01/);
  t.notMatch(text, /style=|<style|<script|onload|onclick/);
});

/** The labels of the bars, as a wide window shows them. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/<text class="name([^"]*)"[^>]*>([^<]*)</g)].flatMap(([, classes, name]) =>
    classes!.includes('not-wide') ? [] : [name!],
  );

t.test('a name that does not fit its bar is shortened to a part of it, not cut', async (t) => {
  const { setups, changes } = layout({
    receivers: [
      receiver('TRIMBLE NETRS', '4410231', '2000-01-01', '2000-02-01', '1.1-5'),
      receiver('TRIMBLE NETR5', '4510232', '2000-02-01', '2002-01-01', '3.84'),
      receiver('TRIMBLE NETR9', '5110233', '2002-01-01', null, '4.85'),
    ],
  });
  const timeline = { setups, changes, ...SHOWN };
  const { text } = renderTimeline(timeline);
  // The first bar is too narrow for any name.
  t.same(namesIn(text), ['NETR5', 'TRIMBLE NETR9 · 5110233']);
  t.match(text, />GNSS receivers<tspan class="below">, below: firmware</);
  const zoomed = renderTimeline({
    ...timeline,
    zoom: { from: '2000-01-15T00:00:00Z', to: '2000-03-01T00:00:00Z' },
  }).text;
  t.same(
    namesIn(zoomed),
    ['← TRIMBLE NETRS · 4410231', 'TRIMBLE NETR5 · 4510232'],
    'only what the part of time shows, and what began before it says so',
  );
  // Smaller windows show the last two thirds, or the last third, first.
  for (const [classes, place] of Object.entries({
    'not-wide not-narrow': '33.333%',
    'not-wide not-middle': '66.667%',
  })) {
    const label = new RegExp(
      `<svg x="${place}"[^>]*>\\s*<text class="name ${classes}"[^>]*>← TRIMBLE NETR9 · 5110233<`,
    );
    t.match(text, label, place);
  }
});

t.test('marks that would overlap are joined with their number', async (t) => {
  const days = ['2010-01-01', '2010-01-05', '2010-01-09', '2020-01-01'];
  const receivers = days.map((day, index) =>
    receiver('R0', '1', day, days[index + 1] ?? null, String(index)),
  );
  const { setups, changes } = layout({ receivers });
  const { text } = renderTimeline({ setups, changes, ...SHOWN });
  t.match(text, /<text class="count" y="3.5">3<\/text>/);
  t.equal([...text.matchAll(/class="mark firmware"/g)].length, 1 + 1, 'one, and the legend');
  t.match(text, /2010-01-05: [^<]*firmware 0 → 1\.\s+2010-01-09: /, 'the title names all');
  const { marks } = layout({ receivers }).kinds[0]!;
  const places = [0, 1, 2.2, 5].map((x, index) => ({ x, items: [marks[index]!] }));
  const joined = joinMarks(places, 1.5).map(({ x, items }) => [x, items.length]);
  t.same(joined, [
    [0.5, 2],
    [2.2, 1],
    [5, 1],
  ]);
});

t.test('bars without an end are hatched after the day on which the log was prepared', async (t) => {
  const { setups, changes } = layout({
    receivers: [
      receiver('R0', '1', '2004-01-01', '2011-01-01'),
      receiver('R1', '2', '2011-01-01', null),
    ],
  });
  const assumedIn = (prepared: string | null) => {
    const { text } = renderTimeline({ setups, changes, ...SHOWN, prepared });
    const bars = [
      ...text.matchAll(/<rect\s+class="assumed"\s+x="([\d.]+)%"\s+y="\d+"\s+width="([\d.]+)%"/g),
    ].map((match) => match.slice(1));
    return { bars, says: /The site log was prepared on <time[^>]*>([^<]*)</.exec(text)?.[1] };
  };
  t.same(assumedIn('2014-01-01'), { bars: [['50.007', '49.993']], says: '2014-01-01' });
  t.same(assumedIn('2010-01-01').bars, [['35.003', '64.997']], 'never before the bar begins');
  t.same(assumedIn(null), { bars: [], says: undefined });
  t.same(assumedIn(NOW.slice(0, 10)), { bars: [], says: undefined });
});

t.test(
  'a part of time has links to the whole, to larger and smaller parts, and to its neighbours',
  async (t) => {
    const whole = { from: '2000-01-01T00:00:00Z', to: '2020-01-01T00:00:00Z' };
    const links = (from: string | null, to: string | null) => {
      const zoom = from === null && to === null ? null : zoomOf(whole, from, to);
      const { text } = renderZoomLinks({
        whole,
        zoom,
        cursor: null,
        hrefOf: (span) => (span === null ? 'all' : `${span.from}/${span.to}`),
      });
      return Object.fromEntries(
        [...text.matchAll(/href="([^"]*)"[^>]*>([^<]*)</g)].map((match) => [match[2]!, match[1]!]),
      );
    };
    t.same(Object.keys(links(null, null)), [
      'Last 10 years',
      'Last 5 years',
      'Last 2 years',
      'Last year',
      'Zoom in',
    ]);
    const some = links('2010-01-01T00:00:00Z', '2010-01-05T00:00:00Z');
    t.equal(some.All, 'all');
    t.equal(some['Zoom in'], '2010-01-02T00:00:00Z/2010-01-04T00:00:00Z');
    t.equal(some['Zoom out'], '2009-12-30T00:00:00Z/2010-01-07T00:00:00Z');
    t.equal(some.Earlier, '2009-12-30T00:00:00Z/2010-01-03T00:00:00Z');
    t.equal(some.Later, '2010-01-03T00:00:00Z/2010-01-07T00:00:00Z');
    // A part is at least a day long, and within four-digit years.
    t.same(
      zoomOf(whole, '2010-01-01T00:00:00Z', '2010-01-01T00:00:00Z').to,
      '2010-01-02T00:00:00Z',
    );
    t.same(zoomOf(whole, '9999-12-31T23:59:59Z', null), {
      from: '9999-12-30T23:59:59Z',
      to: '9999-12-31T23:59:59Z',
    });
    t.ok(
      links('0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z')['Zoom out']!.startsWith(
        '0001-01-01T00:00:00Z/',
      ),
    );
  },
);

t.test('a timeline begins with the first receiver or antenna, and says what it leaves out', (t) => {
  const begun = (clocks: Item[]) => {
    const { setups, changes } = layout({
      receivers: [receiver('R0', '1', '2010-01-01', null)],
      clocks,
    });
    return renderTimeline({ setups, changes, ...SHOWN }).text;
  };
  const early = begun([
    { type: 'OLD', from: '1983-01-01', to: '1990-01-01' },
    { type: 'STILL', from: '1990-01-01' },
  ]);
  t.match(early, /x="0%"[^>]*>\s*<text[^>]*>R0/);
  t.match(early, /<p>[^<]*<time>2010-01-01<\/time>[^]*OLD[^]*1990-01-01[^]*STILL[^]*<\/p>/);
  t.notMatch(early, />OLD</, 'is not drawn');
  t.match(early, />← STILL</, 'is drawn from the beginning');
  t.notMatch(begun([{ type: 'NEW', from: '2010-01-01' }]), '<time>2010-01-01</time>');
  t.end();
});
