import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import t, { type Test } from 'tap';
import { hostileText, hostileXml, MARKUP } from '../hostile-logs.js';
import { SAMPLE } from '../project-files.js';
import { logText } from '../synthetic-log.js';
import {
  browserTest,
  excess,
  sampleTest,
  SCHEMES,
  serve,
  sheetsOf,
  SIZE,
  violationsOf,
} from './watched.js';

/** The first is that of 1,280 px at a zoom of 400 %. */
const WIDTHS = [320, 768, 2560];

// prettier-ignore
const PAGES = [
  '/sites', '/sites/ALIC?from=2012-01-01&to=2014-01-01', '/compare',
  '/compare?site=ALIC&site=MCIL', '/overview', '/network', '/changes', '/api', '/sites?q=trimble&map=sites&sort=name,desc',
  '/sites?at=2012-01-01&satelliteSystem=GPS&type=*&countryCode=AUS',
  '/sites/ALIC', '/sites/BOR1/log', '/sites/MCIL?at=2010-01-01', '/sites/UCLU', '/receivers',
  '/receivers?type=TRIMBLE%20NETRS', '/findings', '/findings?site=ALIC', '/sites/BOR1/findings', '/sites?q=nowhere', '/receivers?serialNumber=3',
];
const WRONG = ['/sites/XXXX', '/sites/ALIX', '/sites/ALIC?at=soon', '/nothing/here'];

/**
 * Checks pages in both colour schemes and at all widths.
 * @param wrong pages that do not exist
 * @param logs of which the pages are
 * @param recorded when they were imported; by default now
 */
async function tour(
  t: Test,
  pages: string[],
  wrong: string[],
  logs: string[] = [SAMPLE],
  recorded?: Date,
): Promise<void> {
  const { service, open } = await serve(t, recorded === undefined ? logs : []);
  if (recorded !== undefined) await service.importPaths(logs, recorded);
  const view = await open();
  /** Checks the page that is shown. */
  const check = async (path: string): Promise<void> => {
    for (const colorScheme of SCHEMES) {
      await view.page.emulateMedia({ colorScheme });
      t.same(
        await violationsOf(view.page, colorScheme === 'light' ? 'all' : 'colours'),
        [],
        `${colorScheme} ${path}`,
      );
    }
    for (const width of WIDTHS) {
      await view.page.setViewportSize({ width, height: 900 });
      t.ok((await excess(view.page)) <= 0, `${path} at ${width} px`);
    }
    await view.page.setViewportSize(SIZE);
  };
  for (const path of pages) {
    t.equal((await view.goto(path))!.status(), 200, path);
    await check(path);
  }
  t.same(view.troubles, []);
  for (const path of wrong) {
    t.ok((await view.goto(path))!.status() >= 400, path);
    t.equal(await view.page.locator('h1').count(), 1, path);
    await check(path);
  }
  const expected =
    /^(4\d\d: |console error: Failed to load resource: the server responded with a status of 4)/;
  const others = view.troubles.filter((each) => !expected.test(each));
  t.same(others, []);
}

browserTest(
  'the page of a Site has no errors, passes axe in both colour schemes, and fits all widths',
  (t) => tour(t, ['/sites/ALIC'], ['/sites/ALIX']),
);

/** Two versions of a log, with changes of each kind and a drawing. */
function versions(): Record<string, string> {
  const log = readFileSync(join(SAMPLE, 'alic_20170223.log'), 'utf8');
  const drawing = (sign: string): string =>
    `13.  More Information\n\n      Antenna Graphics with Dimensions\n\n   ${sign.repeat(200)}\n`;
  const later = log
    .replace('2017-02-23', '2018-01-01')
    .replaceAll('Excerpt for the sample network', 'A longer text. '.repeat(30))
    .replace(/^3\.9 [^]*?(?=^4\. )/m, '')
    .replace('Height of the Monument : 0.5 m', 'Height of the Monument :');
  return { 'alic_20170223.log': log + drawing('-'), 'alic_20180101.log': later + drawing('+') };
}

/** Two logs with one receiver at the same time, of which one has much to correct. */
const withFindings = (): Record<string, string> => ({
  'aaaa.log': logText({
    id: 'AAAA',
    receivers: [
      { type: 'LEICA GR25', serial: '77', from: '2011-01-01' },
      { type: 'A type that is not one', serial: '78', from: '2012-20-07' },
    ],
  }),
  'bbbb.log': logText({
    id: 'BBBB',
    receivers: [{ type: 'LEICA GR25', serial: '77', from: '2012-01-01' }],
  }),
});

const LOGS = t.testdir({ versions: versions(), findings: withFindings() });
const VERSIONS = join(LOGS, 'versions');
const WITH_FINDINGS = join(LOGS, 'findings');

browserTest('the pages of versions of a log pass the same checks', async (t) => {
  const pages = ['/siteLogs/2/comparison', '/siteLogs/2/comparison?with=2', '/sites/ALIC/log'];
  await tour(t, pages, ['/siteLogs/1/comparison', '/siteLogs/1/comparison?with=3'], [VERSIONS]);
});

browserTest('what changed in a log can be printed, with its long texts and drawings', async (t) => {
  const { open } = await serve(t, [VERSIONS]);
  const { page, goto } = await open();
  await goto('/siteLogs/2/comparison');
  t.equal(await page.locator('pre').first().isVisible(), false);
  await page.emulateMedia({ media: 'print' });
  t.equal(await page.locator('form.search').count(), 0, 'there are only two logs to compare');
  t.equal(await page.locator('pre').first().isVisible(), true);
  t.match(await page.locator('#section-1 .text').last().innerText(), /(A longer text\. ){10}/);
  await page.setViewportSize({ width: 690, height: 900 });
  const cell = page.locator('.differences td').first();
  t.equal(await cell.evaluate((element) => getComputedStyle(element).display), 'table-cell');
  t.ok((await sheetsOf(page)) <= 2);
});

browserTest('the sheet and the page of findings pass the same checks', async (t) => {
  const pages = [
    ...['/sites/AAAA/findings', '/findings?site=AAAA', '/findings?countryCode=AUS', '/findings'],
    ...['/overview', '/sites?sort=warnings,desc', '/receivers?conflicts=true', '/antennas'],
  ];
  await tour(t, pages, ['/sites/XXXX/findings', '/findings?near=AAAA'], [WITH_FINDINGS]);
});

browserTest('pages as of an earlier time pass the same checks', async (t) => {
  const asOf = 'asOf=2025-06-01';
  const pages = [
    ...[`/sites/ALIC?${asOf}`, `/sites/ALIC?at=2012-01-01&${asOf}`, `/sites/BOR1/log?${asOf}`],
    `/compare?site=ALIC&site=MCIL&${asOf}`,
  ];
  const wrong = ['/sites/ALIC?asOf=2024-06-01', '/sites/ALIC?asOf=soon'];
  await tour(t, pages, wrong, [SAMPLE], new Date('2025-01-01T00:00:00Z'));
});

browserTest('the sheet of findings prints as tables, without what is for the screen', async (t) => {
  const { open } = await serve(t, [WITH_FINDINGS]);
  const { page, goto } = await open();
  await goto('/sites/AAAA/findings');
  await page.setViewportSize({ width: 360, height: 800 });
  t.ok((await excess(page)) <= 0, '360 px');
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 690, height: 900 });
  const cell = page.locator('#warnings td').first();
  t.equal(await cell.evaluate((element) => getComputedStyle(element).display), 'table-cell');
  t.match(await page.locator('#conflicts table').innerText(), /77[^]*BBBB/);
  t.equal(await page.locator('.downloads').isVisible(), false);
  t.ok((await sheetsOf(page)) <= 2);
});

browserTest(
  'all pages have no errors, pass axe in both colour schemes, and fit widths from 320 to 2,560 px',
  (t) => tour(t, PAGES, WRONG),
);

sampleTest('the colour scheme follows the preference of the user', async (t, { page, goto }) => {
  await goto('/sites/ALIC');
  const lightness = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme });
    const numbersOf = (selector: string, property: 'backgroundColor' | 'color' | 'fill') =>
      page
        .locator(selector)
        .first()
        .evaluate(
          (element, name) => getComputedStyle(element)[name].match(/\d+/g)!.slice(0, 3).map(Number),
          property,
        );
    const channels = [
      await numbersOf('html', 'backgroundColor'),
      await numbersOf('body', 'color'),
      await numbersOf('.run .device', 'fill'),
    ];
    return channels.map((each) => each.reduce((sum, channel) => sum + channel) / 3) as [
      page: number,
      text: number,
      bar: number,
    ];
  };
  const light = await lightness('light');
  const dark = await lightness('dark');
  t.ok(light[0] > 200 && light[1] < 80 && light[2] > 150, light.join());
  t.ok(dark[0] < 60 && dark[1] > 180 && dark[2] < 130, dark.join());
});

sampleTest('the page of a Site can be printed', async (t, { page, goto }) => {
  await goto('/sites/ALIC');
  await page.emulateMedia({ media: 'print' });
  t.equal(await page.locator('form.search').isVisible(), false, 'no form on paper');
  t.equal(await page.locator('svg.timeline').isVisible(), true, 'the timeline on paper');
  // A sheet of paper is narrow, but shows tables nevertheless.
  await page.setViewportSize({ width: 690, height: 900 });
  t.equal(
    await page.locator('#setups thead').evaluate((element) => getComputedStyle(element).position),
    'static',
  );
  const cell = page.locator('#setups td').first();
  t.equal(await cell.evaluate((element) => getComputedStyle(element).display), 'table-cell');
  const pages = await sheetsOf(page);
  t.ok(pages >= 2 && pages <= 4, `${pages} pages`);
});

sampleTest(
  'GET / redirects a browser to the overview, which links to the Sites; the map and the table link to a site',
  async (t, { page, goto, at }) => {
    await goto('/');
    t.equal(at(), '/overview');
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Sites').click();
    t.equal(at(), '/sites');
    // Above the list, the map has the marks of wide screens.
    t.equal(await page.locator('svg.map .targets.narrow').isVisible(), false);
    const dots = page.locator('svg.map .targets:not(.narrow) a');
    t.equal(await dots.count(), 8);
    t.equal(
      await dots.filter({ hasText: 'ALIC' }).locator('title').textContent(),
      'ALIC Alice Springs AU012',
    );
    // The id appears at once for the pointer. The keyboard passes the marks: the table has the same
    // links.
    const alic = dots.filter({ hasText: 'ALIC' });
    t.equal(await alic.locator('text').isVisible(), false);
    await alic.locator('circle').hover();
    t.equal(await alic.locator('text').isVisible(), true);
    await page.getByText('Skip the map').focus();
    await page.keyboard.press('Tab');
    t.equal(await page.evaluate(() => document.activeElement!.textContent), 'Zoom in');
    await alic.locator('circle').click();
    await page.waitForURL('**/sites/ALIC');
    t.equal(at(), '/sites/ALIC');
    await page.goBack();
    await page.locator('table a', { hasText: 'BOR1' }).click();
    t.equal(at(), '/sites/BOR1');
  },
);

sampleTest(
  'on a narrow screen, two Sites are compared side by side, below the name of each property',
  async (t, { page, goto }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await goto('/compare?site=ALIC&site=MCIL');
    const boxes = await page
      .locator('.compared tbody tr:not(.group)')
      .evaluateAll((rows) =>
        rows.map((row) =>
          [...row.children].map((cell) => cell.getBoundingClientRect().toJSON() as DOMRect),
        ),
      );
    t.ok(boxes.length > 20, `${boxes.length} rows`);
    for (const [name, one, other] of boxes) {
      t.ok(
        name!.bottom <= one!.top + 1 && one!.top === other!.top,
        'the values are below the name',
      );
      t.ok(
        one!.right <= other!.left && other!.right <= 360,
        'and beside each other, on the screen',
      );
    }
  },
);

sampleTest(
  'the API page has at most ten screens; its entries open, and no path breaks inside a word',
  async (t, { page, goto }) => {
    await goto('/api');
    t.ok((await page.evaluate(() => document.documentElement.scrollHeight)) <= 8000);
    const entry = page.locator('#operation-findCurrentSetupByFourCharacterId');
    t.ok((await entry.boundingBox())!.height < 30, 'one line');
    await entry.locator('summary').focus();
    await page.keyboard.press('Enter');
    t.equal(await entry.getByText('Try it').isVisible(), true);
    await page
      .locator('details')
      .evaluateAll((all) => all.forEach((each) => each.setAttribute('open', '')));
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const broken = await page.locator('.url').evaluateAll((paths) => {
        const isBroken = (part: Node): boolean => {
          const range = document.createRange();
          range.selectNodeContents(part);
          return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
        };
        return paths.flatMap((path) =>
          [...path.childNodes].filter(isBroken).map(({ textContent }) => textContent!),
        );
      });
      const parts = broken.filter((part) => part.startsWith('/'));
      t.same(parts, [], `${width} px`);
      t.ok((await excess(page)) <= 0, `${width} px`);
    }
  },
);

sampleTest(
  'search and sort work without JavaScript',
  async (t, { page, goto, at }) => {
    const ids = () => page.locator('tbody th').allInnerTexts();
    await goto('/sites');
    await page.getByLabel('Search').fill('trimble netr');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sites?q=trimble+netr&*');
    t.same((await ids()).toSorted(), ['BOR1', 'MCIL', 'MFKG', 'NAMA', 'NYA1', 'UCLU']);
    await page.locator('thead a', { hasText: 'Name' }).click();
    t.equal(at(), '/sites?q=trimble%20netr&sort=name');
    t.same(await ids(), ['BOR1', 'MFKG', 'MCIL', 'NAMA', 'NYA1', 'UCLU']);
    await page.locator('thead a', { hasText: 'Name' }).click();
    t.same(await ids(), ['UCLU', 'NYA1', 'NAMA', 'MCIL', 'MFKG', 'BOR1']);
    t.equal(await page.locator('th[aria-sort="descending"]').innerText(), 'Name');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/sites?q=trimble+netr&*sort=name%2Cdesc*');
    await page.getByLabel('Search').fill('nowhere at all');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/sites?q=nowhere*');
    t.match(await page.locator('[role=status]').innerText(), 'nowhere at all');
  },
  { javaScriptEnabled: false },
);

sampleTest(
  'the list of Sites: two lines a Site on a phone; below the map, in full width, on a wide screen; printed as a table',
  async (t, { page, goto }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await goto('/sites');
    /** The rows without a fold: their heights, and how many lines the cells of each stand on. */
    const rows = await page.locator('.sites tbody tr:not(:has(details))').evaluateAll((all) =>
      all.map((row) => {
        const boxes = [...row.children].map((cell) => cell.getBoundingClientRect());
        const shown = boxes.filter(({ width, height }) => width > 0 && height > 0);
        const lines = new Set(shown.map(({ bottom }) => Math.round(bottom / 6)));
        return { lines: lines.size, height: row.getBoundingClientRect().height };
      }),
    );
    t.equal(rows.length, 7);
    for (const { lines, height } of rows)
      t.ok(lines === 2 && height < 60, `${lines}, ${height} px`);
    t.equal(await page.getByLabel('Radome').isVisible(), false, 'filters are folded');
    await page.getByText('Filters').click();
    await page.getByLabel('At', { exact: true }).fill('2012-06-01');
    await page.getByLabel('Satellite system').selectOption('GLONASS');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/sites?*at=2012-06-01*');
    t.match(await page.locator('[role=status]').innerText(), /2012-06-01.*GLONASS/);
    t.equal(
      await page.getByLabel('At', { exact: true }).isVisible(),
      true,
      'filters in use are open',
    );
    t.ok((await excess(page)) <= 0);
    for (const width of [1280, 1920, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      await goto('/sites');
      const map = (await page.locator('.map').boundingBox())!;
      const list = (await page.locator('table.sites').boundingBox())!;
      const main = (await page.locator('main').boundingBox())!;
      t.ok(map.y + map.height <= list.y && map.width > 700, `${width} px: the map is above`);
      t.ok(map.y < 300, `${width} px: the map begins at ${map.y}`);
      t.ok(list.y < 700, `${width} px: the list begins at ${list.y}`);
      t.same([list.x, list.width], [main.x, main.width], `${width} px: the list has all the width`);
      t.equal(await page.getByLabel('Radome').isVisible(), true);
      t.ok((await excess(page)) <= 0, `${width} px`);
    }
    t.equal(await page.getByText('SINEX').isVisible(), false, 'downloads are folded');
    await page.getByText('Download', { exact: true }).click();
    t.equal(await page.getByText('SINEX').isVisible(), true);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 690, height: 900 });
    const cell = page.locator('.sites td').first();
    t.equal(await cell.evaluate((element) => getComputedStyle(element).display), 'table-cell');
    t.equal(await page.getByText('SINEX').isVisible(), false, 'no links on paper');
  },
);

sampleTest('the timeline can be read with the keyboard', async (t, { page, goto }) => {
  await goto('/sites/ALIC');
  const items = page.locator('.timeline .item');
  const details = page.locator('.timeline .details:visible div');
  t.equal(await details.count(), 0);
  // Use only Tab, from the top of the page.
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    if (await items.first().evaluate((element) => element === document.activeElement)) break;
  }
  t.equal(await details.count(), 1);
  t.match(
    await details.innerText(),
    /LEICA GRX1200GGPRO.*355318.*2011-06-27.*2013-03-08\s.*8\.20\/3\.019/,
  );
  const read: string[] = [];
  for (let index = 0; index < (await items.count()); index++) {
    t.equal(await details.count(), 1);
    read.push((await details.innerText()).split('\n')[0]!);
    await page.keyboard.press('Tab');
    // Skip gaps and overlaps.
    while (await page.evaluate(() => document.activeElement?.classList.contains('spot') ?? false))
      await page.keyboard.press('Tab');
  }
  t.equal(new Set(read).size, read.length);
  t.match(read.at(-1), 'INTERNAL');
  await items.nth(1).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/sites/ALIC?at=2013-03-08T00%3A00%3A00Z#setup');
  t.match(await page.locator('#setup h2').innerText(), '2013-03-08');
  t.equal(await page.locator('.timeline .cursor').count(), 1);
  t.equal(await page.locator('tr.shown').count(), 1);
});

sampleTest(
  'hovering shows the details of one item, gap or overlap at a time',
  async (t, { page, goto }) => {
    await goto('/sites/MCIL');
    const details = page.locator('.timeline .details:visible div');
    await page.locator('.item').nth(3).focus();
    await page.locator('.item').nth(1).hover();
    t.equal(await details.count(), 1, 'the hovered item, not the focused one');
    t.match(await details.innerText(), /TRIMBLE 5700.*98338/);
    await page.locator('.spot[aria-label^="No GNSS receiver"]').hover({ force: true });
    t.match(await details.innerText(), /\b4\d\b/);
    await page.locator('.spot[aria-label*="at once"]').last().hover();
    t.match(await details.innerText(), /^4\b.*2013-01-17/);
  },
);

sampleTest(
  'the details of a bar are complete and inside the window, even on a narrow screen',
  async (t, { page, goto }) => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const id of ['ALIC', 'MCIL']) {
        await goto(`/sites/${id}`);
        const items = page.locator('.timeline .item');
        for (let index = 0; index < (await items.count()); index += 3) {
          await items.nth(index).focus();
          const box = await page.locator('.timeline .details:visible div').evaluate((element) => {
            // On a narrow screen, the timeline scrolls inside its frame.
            element.scrollIntoView({ inline: 'nearest', block: 'nearest' });
            const { left, right, height } = element.getBoundingClientRect();
            const bar = document.activeElement!.querySelector('.hit')!.getBoundingClientRect();
            return {
              left,
              right,
              cut: element.scrollHeight - Math.ceil(height),
              below: element.getBoundingClientRect().top - bar.bottom,
            };
          });
          t.ok(
            box.left >= 0 && box.right <= width && box.cut <= 0,
            `${id} ${index} at ${width} px: ${JSON.stringify(box)}`,
          );
          t.ok(box.below >= 0 && box.below < 10, 'below its bar');
        }
      }
    }
  },
);

browserTest('a bar of one pixel can be hovered over', async (t) => {
  const { service, open } = await serve(t, []);
  await service.importText({
    receivers: [
      { type: 'R0', serial: '1', from: '2000-01-01', to: '2010-01-01' },
      { type: 'R1', serial: '2', from: '2010-01-01', to: '2010-01-03' },
      { type: 'R2', serial: '3', from: '2010-01-03' },
    ],
  });
  const { page, goto } = await open();
  await goto('/sites/TEST');
  const bar = page.locator('.timeline .item[aria-label*=R1] .hit');
  await bar.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const { x, y, width } = (await bar.boundingBox())!;
  // With its target, which is seven pixels wider.
  t.ok(width < 8, `${width} px`);
  for (const [aside, device] of Object.entries({ '-2': 'R1', 2: 'R1', '-8': 'R0', 8: 'R2' })) {
    await page.mouse.move(x + width / 2 + Number(aside), y + 10);
    t.match(
      await page.locator('.timeline .details:visible div').innerText(),
      device,
      `${aside} px aside`,
    );
  }
});

sampleTest(
  'the form shows the Setup as of a day, and a link leads back',
  async (t, { page, goto, at }) => {
    await goto('/sites/ALIC');
    await page.getByLabel('At', { exact: true }).fill('2011-07-20');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sites/ALIC?at=2011-07-20');
    t.match(await page.locator('#setup h2').innerText(), '2011-07-20');
    t.match(await page.locator('#setup p').first().innerText(), /2011-07-20.*2013-03-08/);
    await page.getByRole('link', { name: 'Now' }).click();
    t.equal(at(), '/sites/ALIC');
  },
  { javaScriptEnabled: false },
);

browserTest(
  'a finding links to its line on the page of the log, which shows it beside the line',
  async (t) => {
    const { service, open } = await serve(t, [], { publishContacts: true });
    await service.importText({
      receivers: [{ type: 'R0', serial: '1', from: '2011-20-07', to: '2012-01-01' }],
    });
    const view = await open();
    await view.goto('/sites/TEST');
    await view.page.locator('#findings tr', { hasText: '2011-20-07' }).locator('a').first().click();
    await view.page.waitForURL('**/sites/TEST/log?line=*');
    const line = view.page.locator('.lines :target');
    t.match(await line.locator('code').innerText(), '2011-20-07');
    const finding = line.locator('li');
    t.match(await finding.innerText(), /^(Warning|Info): /);
    const boxOf = async (part: Locator) => (await part.boundingBox())!;
    // Beside the line where there is room, otherwise below it.
    const text = await boxOf(line.locator('code'));
    const beside = await boxOf(finding);
    t.ok(
      beside.x >= text.x + text.width && beside.y < text.y + text.height,
      `${JSON.stringify(text)} ${JSON.stringify(beside)}`,
    );
    await view.page.setViewportSize({ width: 360, height: 800 });
    const above = await boxOf(line.locator('code'));
    const below = await boxOf(finding);
    t.ok(
      below.x >= above.x && below.y >= above.y + above.height,
      `${JSON.stringify(above)} ${JSON.stringify(below)}`,
    );
    t.same(await violationsOf(view.page), []);
  },
);

sampleTest(
  'a finding leads to its section of the published log, whose number is beside its text',
  async (t, { page, goto, at }) => {
    await goto('/sites/MCIL');
    await page.locator('#setup .finding a', { hasText: 'Section 3.' }).first().click();
    t.match(at(), /^\/sites\/MCIL\/log#section-3\.\d+$/);
    const line = page.locator('.lines div:has(:target)');
    t.match(await line.locator('code').innerText(), /^3\.\d+ +Receiver Type/);
    const number = (await line.locator('a').boundingBox())!;
    const text = (await line.locator('code').boundingBox())!;
    t.ok(
      number.x < text.x && Math.abs(number.y - text.y) < 5,
      `${JSON.stringify(number)} ${JSON.stringify(text)}`,
    );
  },
);

browserTest(
  'the serial number of a receiver links to its history, with conflicts marked',
  async (t) => {
    const { service, open } = await serve(t, []);
    await service.importText(
      { id: 'AAAA', receivers: [{ type: 'R0', serial: '1', from: '2010-01-01' }] },
      'aaaa_20200101.log',
    );
    await service.importText(
      { id: 'BBBB', receivers: [{ type: 'R0', serial: '1', from: '2013-01-01' }] },
      'bbbb_20200101.log',
    );
    const view = await open();
    const { page } = view;
    await view.goto('/sites/AAAA');
    await page.getByTitle('History of this GNSS receiver').click();
    t.equal(view.at(), '/receivers?type=R0&serialNumber=1');
    t.equal(await page.locator('li .conflict').count(), 2);
    t.equal(await page.locator('svg.path rect').count(), 4);
    t.equal(await page.locator('svg.path rect.conflicting').count(), 2);
    // What no log says is hatched.
    t.equal(await page.locator('svg.path rect.assumed').count(), 2);
    const fill = await page
      .locator('svg.path rect.assumed')
      .first()
      .evaluate((element) => getComputedStyle(element).fill);
    t.match(fill, '#assumption');
    t.equal(await page.locator('pattern#assumption').count(), 1);
    t.same(await violationsOf(page), []);
    t.same(view.troubles, []);
  },
);

browserTest('markup in any field of a log has no effect in a browser', async (t) => {
  const { service, open } = await serve(t, []);
  await service.importText(
    hostileText(readFileSync(join(SAMPLE, 'alic_20170223.log'), 'utf8')),
    'alic_20170223.log',
  );
  await service.importText(
    hostileXml(readFileSync(join(SAMPLE, 'bor1_20170222.xml'), 'utf8')),
    'bor1_20170222.xml',
  );
  const view = await open();
  const searches = [
    `/receivers?type=${encodeURIComponent(`${MARKUP} Receiver Type`)}`,
    `/sites?q=${encodeURIComponent(MARKUP)}`,
  ];
  for (const path of [
    '/sites',
    '/sites/ALIC',
    '/sites/BOR1',
    '/sites/ALIC/log',
    '/sites/BOR1/log',
    '/receivers',
    '/antennas',
    ...searches,
  ]) {
    const status = (await view.goto(path))!.status();
    t.same(
      [status, await view.page.locator('img, script').count(), (await excess(view.page)) <= 0],
      [200, 0, true],
      path,
    );
    t.match(await view.page.locator('body').innerText(), '<script>alert(1)</script>', path);
  }
  t.same(view.troubles, []);
});
