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
  ['/receivers?type=TRIMBLE%20NETRS', '.path rect', 'stroke'],
];

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
    for (const media of [
      { colorScheme: 'light', media: 'screen' },
      { colorScheme: 'dark', media: 'screen' },
      { colorScheme: 'light', media: 'print' },
    ] as const) {
      await view.page.emulateMedia(media);
      const [shape, paper] = await coloursOf(view.page, selector, property);
      const found = contrast(shape, paper);
      t.ok(found >= 3, `${path} ${selector} ${JSON.stringify(media)}: ${shape} on ${paper}`);
    }
  }
});
