import { join } from 'node:path';
import { REAL_LOGS, withRealLogs } from '../project-files.js';
import { browserTest, excess, SCHEMES, serve, sheetsOf, violationsOf } from './watched.js';

browserTest(
  'with the real logs, the longest history is readable at 1,280 px, and no page has errors',
  async (t) => {
    const { open } = await serve(t, [join(REAL_LOGS!, 'geodesyml')]);
    const { page, goto, troubles } = await open();
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      // prettier-ignore
      const cases = [
        '/sites', '/sites/WTZR', '/sites/BAKO', '/sites/BAKO/log', '/sites/WTZR?at=2009-01-01', '/receivers',
        '/antennas', '/receivers?type=ASHTECH%20UZ-12',
      ];
      for (const path of cases) {
        await goto(path);
        t.ok((await excess(page)) <= 0, path);
        // axe is slow on pages with hundreds of similar rows, so one colour scheme is enough for
        // these.
        const rules = colorScheme === 'light' ? 'all' : 'colours';
        if (rules === 'all' || path.startsWith('/sites/WTZR'))
          t.same(await violationsOf(page, rules), [], `${colorScheme} ${path}`);
      }
      t.same(troubles, []);
    }
    await goto('/sites/WTZR');
    t.equal(await page.locator('.timeline .item').count(), 65);
    // Labels are at least 12 px high, and no label is wider than its bar, also where the timeline
    // is narrowest.
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const labels = await page.locator('.timeline .run svg text').evaluateAll((texts) =>
        texts.map((text) => ({
          text: text.textContent,
          size: parseFloat(getComputedStyle(text).fontSize),
          excess:
            text.getBoundingClientRect().right -
            text.parentElement!.getBoundingClientRect().left -
            parseFloat(getComputedStyle(text.parentElement!).width),
        })),
      );
      t.ok(labels.length > 20, `${labels.length} labels`);
      t.same(
        labels.filter(({ size, excess: cut }) => size < 12 || cut > 0),
        [],
        `${width} px`,
      );
    }
    t.equal(await page.locator('#setups tbody tr').count(), 94);
    // Items at the start, middle and end can be read with the keyboard.
    const details = page.locator('.timeline .details:visible div');
    for (const index of [0, 20, 59]) {
      await page.locator('.timeline .item').nth(index).focus();
      t.equal(await details.count(), 1);
    }
  },
  withRealLogs,
);

browserTest(
  'the longest histories are printed on at most four pages, with open remarks, and no time is broken',
  async (t) => {
    const { open } = await serve(
      t,
      ['alic_20170223', 'hkpc_20170118', 'tid1_20170504', 'wtzr_20170504'].map((name) =>
        join(REAL_LOGS!, 'geodesyml', `${name}.xml`),
      ),
    );
    const { page, goto } = await open();
    for (const id of ['ALIC', 'HKPC', 'TID1', 'WTZR']) {
      await goto(`/sites/${id}`);
      const times = await page
        .locator('main time')
        .evaluateAll((all) => all.filter((each) => each.getClientRects().length > 1).length);
      t.equal(times, 0, `${id}: broken times`);
      await page.emulateMedia({ media: 'print' });
      t.ok((await sheetsOf(page)) <= 4, `${id}: at most four pages`);
      const folded = await page
        .locator('.fold.text')
        .evaluateAll(
          (all) => all.filter((each) => !each.lastElementChild!.checkVisibility()).length,
        );
      t.equal(folded, 0, `${id}: folded remarks`);
      await page.emulateMedia({ media: 'screen' });
    }
  },
  withRealLogs,
);
