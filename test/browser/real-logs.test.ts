import { join } from 'node:path';
import { REAL_LOGS, withRealLogs } from '../helper.js';
import { browserTest, excess, SCHEMES, serve, violationsOf } from './watched.js';

browserTest(
  'with the real logs, the longest history is readable at 1,280 px, and no page has errors',
  async (t) => {
    const { open } = await serve(t, [join(REAL_LOGS!, 'geodesyml')]);
    for (const colorScheme of SCHEMES) {
      const view = await open({ colorScheme });
      const { page } = view;
      for (const path of [
        '/sites',
        '/sites/WTZR',
        '/sites/BAKO',
        '/sites/WTZR?at=2009-01-01',
        '/receivers',
        '/antennas',
        '/receivers?type=ASHTECH%20UZ-12',
      ]) {
        await view.goto(path);
        t.ok((await excess(page)) <= 0, path);
        // axe is slow on pages with hundreds of similar rows, so one colour scheme is enough for these.
        const rules = colorScheme === 'light' ? 'all' : 'colours';
        if (rules === 'all' || path.startsWith('/sites/WTZR')) t.same(await violationsOf(page, rules), [], `${colorScheme} ${path}`);
      }
      t.same(view.troubles, []);
    }
    const view = await open();
    const { page } = view;
    await view.goto('/sites/WTZR');
    t.equal(await page.locator('.timeline .item:not([tabindex])').count(), 60);
    // Labels are at least 12 px high, and most are wide enough to show the start of the device name.
    const labels = await page.locator('.timeline .run').evaluateAll((runs) =>
      runs.map((run) => {
        const text = run.querySelector('text')!;
        return { size: parseFloat(getComputedStyle(text).fontSize), width: run.querySelector('rect')!.getBoundingClientRect().width };
      }),
    );
    t.ok(labels.every(({ size }) => size >= 12));
    t.ok(labels.filter(({ width }) => width > 25).length >= (labels.length * 2) / 3, JSON.stringify(labels));
    t.equal(await page.locator('#setups tbody tr').count(), 94);
    // Items at the start, middle and end can be read with the keyboard.
    const details = page.locator('.timeline .details:visible div');
    for (const index of [0, 20, 59]) {
      await page.locator('.timeline .item:not([tabindex])').nth(index).focus();
      t.equal(await details.count(), 1);
    }
  },
  withRealLogs,
);
