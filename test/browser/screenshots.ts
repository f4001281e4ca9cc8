import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../../src/http/app.js';
import { openReader } from '../../src/store/open.js';
import { importInto } from '../databases.js';
import { CONTRACT, ROOT, SAMPLE } from '../project-files.js';
import { launchBrowser } from './chromium.js';

/** `npm run screenshots`: makes the README screenshots from the sample network, at a fixed time. */

const FOLDER = join(ROOT, 'data', 'screenshots');
const NOW = new Date('2026-01-01T00:00:00Z');
const SIZE = { width: 1280, height: 800 };

const work = mkdtempSync(join(tmpdir(), 'gnss-site-setups-screenshots-'));
const database = join(work, 'sample.sqlite');
await importInto(database, [SAMPLE], NOW);
const reader = await openReader(database);
const app = await buildApp({ store: reader, contractFolder: CONTRACT, clock: () => NOW });
const base = await app.listen({ host: '127.0.0.1', port: 0 });
const browser = await launchBrowser();
try {
  mkdirSync(FOLDER, { recursive: true });
  const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
  await page.goto(`${base}/overview`);
  await page.screenshot({ path: join(FOLDER, 'overview.png'), fullPage: true });
  await page.setViewportSize({ ...SIZE, height: 1540 });
  await page.goto(`${base}/sites/NYA1?at=2010-01-01`);
  await page.locator('.timeline .item').nth(1).hover();
  await page.screenshot({ path: join(FOLDER, 'site.png') });
  process.stdout.write(`overview.png and site.png written to ${FOLDER}\n`);
} finally {
  await browser.close();
  await app.close();
  await reader.close();
  rmSync(work, { recursive: true, force: true });
}
