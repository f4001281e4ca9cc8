import type { Page } from 'playwright-core';
import { sampleTest } from './watched.js';

/** The shapes of charts that must stand out from the page: by their fill, or by the line around. */
const SHAPES: [path: string, selector: string, property: 'fill' | 'stroke'][] = [
  ['/network', '.chart rect:not(.assumed)', 'fill'],
  ['/network', '.chart rect.assumed', 'stroke'],
  ['/overview', '.amount rect', 'fill'],
  ['/overview', '.columns.alone rect', 'fill'],
  ['/overview', '.class4 rect', 'fill'],
  ...[1, 2, 3].map((kind): [string, string, 'stroke'] => [
    '/overview',
    `.class${kind} rect`,
    'stroke',
  ]),
  ['/overview', '.ink', 'fill'],
  ['/overview', '#assumption path', 'stroke'],
  ['/network', '#assumption path', 'stroke'],
  ['/network', '.columns line', 'stroke'],
  ['/receivers?type=TRIMBLE%20NETRS', '.path rect', 'stroke'],
  ['/antennas?type=*', '.path rect', 'stroke'],
  ['/sites/ALIC', '.mark', 'stroke'],
  ['/sites/ALIC', '.run .device', 'stroke'],
  ['/compare?site=ALIC&site=MCIL', '.differing', 'fill'],
];

/** What lies beside each other: a line or fill, and what it must stand out from. */
type Part = [selector: string, property: 'fill' | 'stroke'];
const NEIGHBOURS: [path: string, one: Part, other: Part][] = [
  ...['.run:not(.odd)', '.run.odd'].flatMap((run): [string, Part, Part][] =>
    // The line between two bars, and the hatching of what is assumed.
    ['.gnss-receiver', '.gnss-antenna', '.clock'].flatMap((kind): [string, Part, Part][] => [
      ['/sites/ALIC', [`${kind} ${run} .device`, 'stroke'], [`${kind} ${run} .device`, 'fill']],
      ['/sites/ALIC', ['#assumption path', 'stroke'], [`${kind} ${run} .device`, 'fill']],
    ]),
  ),
  ['/receivers?type=TRIMBLE%20NETRS', ['.path rect', 'stroke'], ['.path rect', 'fill']],
  ['/receivers?type=TRIMBLE%20NETRS', ['#assumption path', 'stroke'], ['.path rect', 'fill']],
];

const MEDIA = [
  { colorScheme: 'light', media: 'screen' },
  { colorScheme: 'dark', media: 'screen' },
  { colorScheme: 'light', media: 'print' },
] as const;

/** The relative luminance of a colour (WCAG 2.2). */
function luminance([red, green, blue]: number[]): number {
  const linear = (value: number): number =>
    value <= 0.04045 * 255 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red!) + 0.7152 * linear(green!) + 0.0722 * linear(blue!);
}

/** The contrast of two colours as a browser writes them. */
function contrast(one: string, other: string): number {
  const [darker, lighter] = [one, other]
    .map((colour) => luminance(colour.match(/[\d.]+/g)!.map(Number)))
    .sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** A computed colour of the first element that a selector finds, and that of the page. */
const coloursOf = (page: Page, selector: string, property: string): Promise<[string, string]> =>
  page.evaluate(
    `[getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(property)}],
      getComputedStyle(document.documentElement).backgroundColor]`,
  );

sampleTest('the shapes of charts have a contrast of 3:1 to the page', async (t, view) => {
  for (const [path, selector, property] of SHAPES) {
    if (!view.page.url().endsWith(path)) await view.goto(path);
    for (const media of MEDIA) {
      await view.page.emulateMedia(media);
      const [shape, paper] = await coloursOf(view.page, selector, property);
      const found = contrast(shape, paper);
      t.ok(found >= 3, `${path} ${selector} ${JSON.stringify(media)}: ${shape} on ${paper}`);
    }
  }
});

/** The computed colour of the first element of a part; null if the page has none. */
const colourOf = (page: Page, [selector, property]: Part): Promise<string | null> =>
  page.evaluate(
    `(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      return element === null ? null : getComputedStyle(element)[${JSON.stringify(property)}];
    })()`,
  );

sampleTest('what lies beside each other in charts has a contrast of 3:1', async (t, view) => {
  let compared = 0;
  for (const [path, one, other] of NEIGHBOURS) {
    if (!view.page.url().endsWith(path)) await view.goto(path);
    for (const media of MEDIA) {
      await view.page.emulateMedia(media);
      const [line, area] = [await colourOf(view.page, one), await colourOf(view.page, other)];
      // A kind may have one bar only.
      if (line === null || area === null) continue;
      compared++;
      const found = contrast(line, area);
      t.ok(found >= 3, `${one[0]} on ${other[0]} ${JSON.stringify(media)}: ${found.toFixed(1)}`);
    }
  }
  t.ok(compared >= 24, `${compared} pairs`);
});

sampleTest('the columns of a chart have a gap of 1 px', async (t, view) => {
  for (const width of [360, 768, 1280, 1920]) {
    await view.page.setViewportSize({ width, height: 900 });
    for (const [path, chart] of [
      ['/network', '.chart .columns'],
      ['/overview', '.columns.alone'],
    ] as const) {
      await view.goto(path);
      const gaps = await view.page.locator(chart).evaluateAll((charts) =>
        charts.flatMap((each) => {
          const columns = [...each.querySelectorAll('rect:not(.columns.alone .assumed)')].map(
            (rect) => {
              const { left, right } = rect.getBoundingClientRect();
              const { stroke, strokeWidth } = getComputedStyle(rect);
              return { left, right, line: stroke === 'none' ? 0 : parseFloat(strokeWidth) / 2 };
            },
          );
          return columns.slice(1).map(({ left, line }, index) => {
            const before = columns[index]!;
            return left - line - before.right - before.line;
          });
        }),
      );
      t.ok(gaps.length > 10, `${path}: ${gaps.length} gaps`);
      t.ok(Math.min(...gaps) >= 1, `${path} at ${width} px: ${Math.min(...gaps).toFixed(2)} px`);
    }
  }
});

/** The vertical edges of the parts of the columns, by class, and what fills them. */
interface ColumnPart {
  fill: string;
  left: number;
  top: number;
  bottom: number;
}

sampleTest('the parts of a column have a gap of 1 px and a pattern each', async (t, view) => {
  await view.goto('/overview');
  for (const media of MEDIA) {
    await view.page.emulateMedia(media);
    const classes = await view.page.locator('.stacked g rect').evaluateAll((all) =>
      all.map((rect): ColumnPart => {
        const { left, top, bottom } = rect.getBoundingClientRect();
        return { fill: getComputedStyle(rect).fill, left, top, bottom };
      }),
    );
    const columns = [...Map.groupBy(classes, ({ left }) => Math.round(left)).values()];
    let neighbours = 0;
    for (const parts of columns) {
      const sorted = parts.toSorted((a, b) => a.top - b.top);
      for (const [index, { bottom, fill }] of sorted.entries()) {
        const below = sorted[index + 1];
        if (below === undefined) continue;
        neighbours++;
        // The line around a part takes half a pixel on each side.
        t.ok(below.top - bottom >= 2, `${below.top - bottom} px`);
        t.not(below.fill, fill);
      }
    }
    t.ok(neighbours > 5, `${neighbours} neighbours`);
  }
});
