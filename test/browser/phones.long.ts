import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Item, logText } from '../synthetic-log.js';
import { browserTest, excess, serve, type Watched } from './watched.js';

/** Lists on a phone: two lines for each row, and no endless pages. */

const PHONE = { width: 360, height: 800 };
/** The most pixels of a page of a hundred rows. */
const HIGHEST = 9000;
/** The most pixels of a row: two lines, or a line and a bar, with their space. */
const ROW = 58;

/** What a page shows at the width of a phone: its height without the text of a log, and its rows. */
async function measure({ page, goto }: Watched, path: string) {
  const response = await goto(path);
  const height = await page.evaluate(() => {
    document.querySelector('.lines')?.remove();
    return document.documentElement.scrollHeight;
  });
  const rows = await page
    .locator(':is(.rows, .sites) tbody tr:visible')
    .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  return { status: response!.status(), height, rows, excess: await excess(page) };
}

/** How many Sites, devices, Setups and so on there are: a page of each list is full. */
const MANY = 100;

const START = Date.UTC(2000, 0, 1);
const dayOf = (index: number): string =>
  new Date(START + index * 86_400_000 * 30).toISOString().slice(0, 10);

const LOGS = join(t.testdir({}), 'logs');

/** A hundred Sites, of which the first has a hundred Setups, with something to correct in each. */
function writeLogs(folder: string): void {
  mkdirSync(folder);
  const site = (index: number): string => `A${String(index).padStart(3, '0')}`;
  for (let index = 0; index < MANY; index++) {
    const many = index === 0 ? MANY : 2;
    const receivers = Array.from({ length: many }, (_, each): Item => ({
      type: `TRIMBLE NETR${index}`,
      serial: `${index}-${each % 2}`,
      from: dayOf(each),
      to: each === many - 1 ? '' : dayOf(each + 1),
      more: { 'Firmware Version': `4.${each}`, 'Satellite System': 'GPS+GLX' },
    }));
    const antennas = [{ type: 'TRM57971.00     NONE', serial: String(index), from: dayOf(0) }];
    const text = logText({ id: site(index), name: `The Site ${index}`, receivers, antennas });
    writeFileSync(join(folder, `${site(index).toLowerCase()}.log`), text);
  }
}

browserTest(
  'each row of a list has two lines at 360 px, and a hundred rows fit 9,000 px',
  async (t) => {
    writeLogs(LOGS);
    const { service, open } = await serve(t, [LOGS]);
    for (let version = 0; version < 6; version++)
      await service.importText(
        {
          id: 'A001',
          prepared: `2021-01-0${version + 1}`,
          receivers: [{ type: 'R', from: '2001-01-01' }],
        },
        `a001_2021010${version}.log`,
      );
    const view = await open({ viewport: PHONE });
    const lists: [path: string, least: number][] = [
      ['/sites', 50],
      ['/changes?size=100', MANY],
      ['/changes?size=100&site=A000', MANY],
      ['/receivers', MANY],
      ['/antennas?type=TRM57971.00%20%20%20%20%20NONE', MANY - 1],
      ['/findings?size=100', MANY],
      ['/findings?site=A000', 1],
      ['/sites/A000', 21],
      ['/sites/A001/log', 6],
    ];
    for (const [path, least] of lists) {
      const { height, rows, excess } = await measure(view, path);
      t.ok(rows.length >= least, `${path}: ${rows.length} rows`);
      t.ok(height <= HIGHEST, `${path}: ${height} px`);
      t.same(
        rows.filter((each) => each > ROW),
        [],
        `${path}: higher rows`,
      );
      t.ok(excess <= 0, `${path}: too wide`);
    }
  },
);
